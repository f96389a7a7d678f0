// The buttons under a figure: they exist only where scripts run, so no page carries them.
"use strict";

globalThis.liveButtons = (() => {
  const { make, button } = liveDom;

  const EDGE = 8; // pixels between a menu and its figure's side
  const ROOM_ABOVE = 70; // for the page's own bar

  function row(figure) {
    const { svg, png, csv } = liveSave;
    figure.buttons.append(
      button("Reset", "reset", () => figure.reset()),
      ...(Object.keys(figure.data.draws).length ? [button("Draw again", "again", () => figure.again())] : []),
      ...(figure.lines.length ? [button("Keep", "keep", () => liveKeep.pin(figure, figure.values))] : []),
      ...(liveTyped.offered && figure.lines.length && !figure.data.lines
        ? [button("Add a curve", "add", () => liveTyped.add(figure))]
        : []),
      button("Copy link", "link", (event) => share(figure, event.currentTarget)),
      menu("Save", [
        button("Picture (SVG)", "svg", () => svg(figure)),
        button("Picture (PNG)", "png", () => png(figure)),
        button("PNG for a light page", "png-light", () => png(figure, "light")),
        button("PNG for a dark page", "png-dark", () => png(figure, "dark")),
        button("Numbers (CSV)", "csv", () => csv(figure)),
      ]),
      button("Present", "present", () => livePresent.toggle(figure)),
    );
    for (const range of Object.values(figure.ranges)) range.before(playButton(figure, range.name));
  }

  function playButton(figure, name) {
    const play = button("", "play", () => figure.player.toggle(name));
    play.dataset.for = name;
    return play;
  }

  // A menu closes at Escape, at a choice, and when the focus goes elsewhere.
  function menu(title, items) {
    const folded = make("details", { class: "live-menu" }, make("summary", {}, title), make("div", {}, ...items));
    const close = () => (folded.open = false);
    folded.addEventListener("click", (event) => event.target.closest("button") && close());
    folded.addEventListener("toggle", () => folded.open && bringIn(folded));
    folded.addEventListener("focusout", (event) => folded.contains(event.relatedTarget) || close());
    folded.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !folded.open) return;
      event.preventDefault();
      close();
      folded.querySelector("summary").focus();
    });
    return folded;
  }

  // An open menu is inside its figure, which clips it, and below its button where there is no room above.
  function bringIn(folded) {
    const list = folded.lastChild;
    list.style.translate = "";
    folded.classList.remove("live-below");
    folded.classList.toggle("live-below", list.getBoundingClientRect().top < ROOM_ABOVE);
    const [box, room] = [list, list.closest("figure")].map((element) => element.getBoundingClientRect());
    list.style.translate = `${Math.max(room.left - box.left, Math.min(0, room.right - EDGE - box.right))}px`;
  }

  // ---- the figure's addresses as it stands

  function addresses(figure) {
    const { name } = figure.data;
    const page = location.href.split(/[?#]/)[0];
    const state = liveAddress.write(figure);
    return {
      page: `${page}#${state || name}`,
      present: `${page}#${state ? state + ";" : ""}${livePresent.written(figure)}`,
      frame: `<iframe src="${page}?figure=${name}#${state || name}" title="${name}" width="960" height="600"></iframe>`,
    };
  }

  // The address is copied at once, and stands there to be copied by hand or in another form.
  function share(figure, asked) {
    figure.tell();
    const form = figure.element.querySelector(".live-share") ?? shareForm(figure);
    copy(figure, form, (text) => {
      asked.textContent = text;
      setTimeout(() => (asked.textContent = "Copy link"), 1500);
    });
  }

  function shareForm(figure) {
    const option = (value, text) => make("option", { value }, text);
    const form = make("div", { class: "live-share" },
      make("select", { "aria-label": "What the link shows" },
        option("page", "the figure in its page"),
        option("present", "the figure in present mode"),
        option("frame", "the figure alone, for a frame")),
      make("input", { type: "text", class: "live-link", readonly: "", "aria-label": "Link to the figure as it stands" }));
    const select = form.querySelector("select");
    if (livePresent.shown === figure) select.value = "present";
    const status = figure.element.querySelector(".live-status");
    select.addEventListener("change", () => copy(figure, form, (text) => (status.textContent = text)));
    figure.buttons.after(form);
    return form;
  }

  function copy(figure, form, said) {
    const field = form.querySelector("input");
    field.value = addresses(figure)[form.querySelector("select").value];
    field.select();
    const byHand = () => said("Press Ctrl+C");
    if (!navigator.clipboard) byHand();
    else navigator.clipboard.writeText(field.value).then(() => said("Copied"), byHand);
  }

  return { row, addresses };
})();
