// A figure's words on the page: its name, the sentence above its readings, what is announced, and an alt text that is
// said to be of the defaults as soon as the picture is another one.
"use strict";

globalThis.liveSaid = (() => {
  const { make } = liveDom;
  const { sentence, change } = liveMeaning;
  const { described } = liveWords;

  function start(figure) {
    const { element, data, picture, svg, table } = figure;
    const caption = element.querySelector("figcaption")?.firstChild.textContent ?? "";
    const [first] = /^.*?[.!?](?=\s|$)/.exec(caption) ?? [caption];
    element.ariaLabel = first || data.name;
    figure.now = make("p", { id: `${data.name}--now`, hidden: "" });
    picture.append(figure.now);
    svg.setAttribute("aria-describedby", figure.now.id);
    figure.says = make("span", { class: figure.lines.length < 3 ? "live-brief" : "" });
    table.createCaption().append(figure.says);
    figure.alt = svg.querySelector("desc").textContent;
    change(figure);
    show(figure);
    rest(figure);
  }

  function show(figure) {
    figure.says.textContent = figure.holders?.size ? "" : sentence(figure); // it may be the answer to a question
    const away = figure.moved.length > 0;
    if (away === figure.away) return;
    figure.away = away;
    figure.svg.querySelector("desc").textContent = (away ? "At the sliders' defaults: " : "") + figure.alt;
  }

  // Once the sliders rest.
  const rest = (figure) => (figure.now.textContent = figure.holders?.size ? "" : described(figure));

  // A slider says itself; the setting of a link does not.
  function announce(figure) {
    figure.element.querySelector(".live-status").textContent = (figure.asked ? `${figure.asked}: ` : "") + change(figure);
    figure.asked = "";
  }

  document.addEventListener("live:redraw", ({ target }) => target.live && show(target.live));

  return { start, show, rest, announce };
})();
