// The release planner's form: what stands in its fields goes to entries.js, what that reads to answers.js, and what comes
// back is shown.
"use strict";

(() => {
  const { make } = live.dom;
  const { typed, typeset } = live.numbers;
  const { find, load, loadTraining, rounded } = globalThis.deskAnswers;

  const desk = document.getElementById("desk");
  const form = desk.querySelector("form");
  const status = desk.querySelector(".desk-status");
  const data = JSON.parse(desk.querySelector(".desk-data").textContent);
  const doors = [...form.querySelectorAll('[name="door"]')].map((door) => door.value);
  const boxes = Object.fromEntries([...form.querySelectorAll("[data-field]")].map((box) => [box.dataset.field, box]));
  const entryOf = (name) => form.elements[name];
  const byName = Object.fromEntries(data.fields.map((field) => [field.name, field]));
  load(data);

  // The fields that the reader changed, the last one last; and texts whose value is known, since the page wrote them or
  // the reader chose it.
  const touched = new Set();
  const settled = {};

  function touch(name) {
    touched.delete(name);
    touched.add(name);
  }

  function read() {
    const texts = Object.fromEntries(data.fields.map(({ name }) => [name, entryOf(name).value]));
    return globalThis.deskEntries.read(
      data.fields,
      { ...texts, door: form.elements.door.value },
      { touched: [...touched], settled },
    );
  }

  // ---- the fields

  function showFields({ shown, texts, problems, asks, echoes }) {
    for (const [name, box] of Object.entries(boxes)) {
      box.hidden = !shown.includes(name);
      const entry = entryOf(name);
      if (entry.value !== texts[name]) entry.value = texts[name];
      complain(name, problems[name] ?? asks[name]?.question ?? "");
      document.getElementById(`desk--${name}-echo`).textContent = echoes[name] ?? "";
      ask(name, asks[name]?.choices ?? []);
    }
  }

  // What is said of a text stands below its field, where a keyboard may lie on the screen.
  const bringIn = (box) => box?.scrollIntoView({ block: "nearest", behavior: "instant" });

  function complain(name, text) {
    entryOf(name).setAttribute("aria-invalid", String(text !== ""));
    document.getElementById(`desk--${name}-problem`).textContent = text;
  }

  // A button for each reading of an ambiguous text; the one that is pressed is what the field then says.
  function ask(name, choices) {
    const buttons = choices.map((choice) => {
      const button = make("button", { type: "button" }, choice.plain);
      button.addEventListener("click", () => choose(name, choice));
      return button;
    });
    boxes[name].querySelector(".desk-ask").replaceChildren(...buttons);
  }

  async function choose(name, { plain, value }) {
    settled[name] = { text: plain, value };
    entryOf(name).value = plain;
    entryOf(name).focus();
    touch(name);
    await renew();
    remember();
  }

  // ---- the answer

  // Text has 10⁻⁶, as the figures do; what is typed, and code, has 1e-6.
  const raised = (text) => text.replace(/(?<![\w.])\d+(?:\.\d+)?e-?\d+\b/g, typeset);

  // A line of code that a phone breaks goes on behind its own blanks, as in the chapters (pages.py).
  const hung = (line) => make("span", { class: `i${Math.min(/^ */.exec(line)[0].length, 12) & 12}` }, line);

  function show(found) {
    for (const row of desk.querySelectorAll("dd[data-answer]")) {
      const name = row.dataset.answer;
      const [value, text] = found?.[name] ?? [NaN, ""];
      row.parentElement.hidden = text === "" || text === "—";
      row.parentElement.classList.toggle("desk-main", found?.main === name);
      row.textContent = raised(text);
      row.dataset.value = Number.isNaN(value) ? "" : String(value);
    }
    for (const name of ["sentence", "python", "opacus", "dp-accounting"]) {
      const block = desk.querySelector(`[data-answer="${name}"]`);
      block.replaceChildren(...(found?.[name] ?? "").split(/(?<=\n)/).map(hung));
      block.closest(".desk-text").hidden = !found?.[name];
    }
    const sentence = desk.querySelector('[data-answer="sentence"]');
    sentence.closest(".desk-text").querySelector(".desk-heading").textContent =
      found?.heading ?? "The sentence to publish";
    sentence.replaceChildren(...marked(raised(found?.sentence ?? "")));
    const left = (found?.blanks ?? []).map(raised);
    desk.querySelector(".desk-blanks").textContent = left.length
      ? `Still to fill in before you publish: ${left.join("; ")}`
      : "";
    showAccounts(found?.accounts ?? []);
    desk.classList.toggle("desk-empty", !found);
  }

  // A sentence with its blanks marked.
  const marked = (sentence) =>
    sentence.split(/(\[[^\]]+\])/).map((part) => (part.startsWith("[") ? make("mark", {}, part) : part));

  function showAccounts(accounts) {
    const rows = accounts.map(([name, value, text, kind]) => {
      const cell = make("td", { "data-value": Number.isFinite(value) ? value : "" }, raised(text || rounded(value)));
      return make("tr", {}, make("th", { scope: "row" }, name), cell, make("td", {}, kind));
    });
    desk.querySelector('[data-answer="accounts"]').replaceChildren(...rows);
    desk.querySelector(".desk-scroll").hidden = !rows.length;
  }

  // The line at the top: the answer, else at which field something stands in its way. The field says what, and both are
  // said aloud.
  function tell(found, { shown, problems, asks }) {
    const name = shown.find((one) => problems[one] ?? asks[one]);
    const { label } = byName[name] ?? {};
    const text = problems[name] ?? asks[name]?.question ?? "";
    const whole = text.startsWith(label) ? text : `${label}: ${text}`;
    stand(found ? raised(found.headline) : `Look at “${label}”.`, !found);
    announce(raised(found?.headline ?? whole));
  }

  // A line in place of the answer keeps the answer's height, or the field would move under who types in it.
  function stand(text, waits) {
    const { height } = status.getBoundingClientRect();
    if (!waits || !status.matches(".desk-waiting")) status.style.minHeight = waits ? `${height}px` : "";
    status.textContent = text;
    status.classList.toggle("desk-waiting", waits);
  }

  // It is announced once, when the reader has paused: each key would interrupt the last one's words.
  let pause;
  let isSilent = true; // while the page arrives
  function announce(text) {
    clearTimeout(pause);
    if (isSilent) return;
    pause = setTimeout(() => {
      desk.querySelector(".desk-said").textContent = text;
      dispatchEvent(new CustomEvent("desk:said"));
    }, 700);
  }

  // ---- from one choice to another

  live.scripts.train = document.currentScript.src.replace("desk.js", "desk-train.js");

  let script = null;
  const loadScript = () => (script ??= live.load("train").then(() => loadTraining(globalThis.deskTrain)));

  // The noise that a target needed goes along to "I release answers".
  let noise = null;

  function bring() {
    if (!noise) return;
    entryOf(noise.name).value = noise.value;
    settled[noise.name] = { text: noise.value, value: Number(noise.value) };
    touch(noise.name);
  }

  function keepNoise({ door }, found) {
    if (door !== "target" || !["sigma", "scale", "epsilon_0"].includes(found?.main)) return;
    noise = { name: found.main, value: found[found.main][1] };
  }

  // The search for the noise of a run takes a second or more, so it waits until the reader has paused.
  const isSlow = ({ whole, values }) => whole && values.door === "train" && values.solve === "noise";

  async function paused(entered) {
    showFields(entered);
    show(null);
    stand("The noise is computed when you pause typing.", true);
    await new Promise((done) => setTimeout(done, 500));
  }

  let last = null;
  let turn = 0;
  async function renew(isTyped = false) {
    const mine = ++turn;
    const entered = read();
    last = entered;
    if (isTyped && isSlow(entered)) await paused(entered);
    if (mine !== turn) return;
    if (entered.whole && entered.values.door === "train") await loadScript();
    if (mine !== turn) return;
    const found = entered.whole ? find(entered.values) : null;
    Object.assign(entered.problems, found?.problems);
    const answer = found?.problems ? null : found;
    showFields(entered);
    bringIn(document.activeElement.closest(".desk-field:has([aria-invalid=true])"));
    show(answer);
    tell(answer, entered);
    keepNoise(entered.values, answer);
    dispatchEvent(new CustomEvent("desk:shown"));
  }

  // ---- the address: #desk:door=target,k=20

  // A number to its last digit, as the address writes it.
  const whole = (x) => (Number(typed(x)) === x ? typed(x) : String(x));

  let kept = "";

  // A heading's link takes the place of the settings in the address: its entry of the history has them.
  function leave() {
    if (kept) history.replaceState({ ...history.state, desk: kept }, "");
  }

  function remember() {
    const own = (name) => entryOf(name).value || (name === "delta" && last.values.delta === 0 ? "0" : ""); // none is needed
    const text = (name) => (name in last.numbers ? whole(last.numbers[name]) : own(name));
    const isTold = ([name, value]) => value || byName[name].value; // an emptied field stays empty
    const pairs = last.shown.map((name) => [name, text(name)]).filter(isTold);
    kept = [["door", form.elements.door.value], ...pairs]
      .map((pair) => pair.map(encodeURIComponent).join("="))
      .join(",");
    history.replaceState(null, "", `${location.pathname}${location.search}#desk:${kept}`);
  }

  function restore() {
    const [, settings] = /^#desk:(.{1,3000})$/.exec(location.hash) ?? ["", history.state?.desk];
    for (const pair of settings?.split(",") ?? []) {
      const [name, value] = pair.split("=").map((text) => live.address.decoded(text, ""));
      if (name === "door" && doors.includes(value)) form.elements.door.value = value;
      const field = Object.hasOwn(byName, name) && byName[name];
      if (!field || value === undefined || (field.options && !Object.hasOwn(field.options, value))) continue;
      entryOf(name).value = value;
      if (whole(Number(value)) === value) settled[name] = { text: value, value: Number(value) };
      touch(name);
    }
    return renew();
  }

  // In front of a class: the answer fills the window.
  const present = desk.querySelector(".desk-present");
  const fills = () => desk.classList.contains("desk-filling");
  let place = null; // where the page stood, until it stands there again
  function fill(on) {
    if (on === fills()) return;
    if (on) place = scrollY;
    desk.classList.toggle("desk-filling", on);
    present.textContent = on ? "Leave" : "Present";
    Object.assign(desk, { role: on ? "dialog" : null, ariaLabel: on ? "Your result, in front of a class" : null });
    if (on) desk.prepend(present);
    else desk.querySelector("h2").after(present);
    if (on) present.focus();
    if (on) announce(status.textContent);
    if (on) desk.requestFullscreen?.().catch(() => {}); // where it is refused the window is filled all the same
    else if (document.fullscreenElement) document.exitFullscreen();
    else goBack();
  }

  function goBack() {
    if (place === null) return;
    present.focus({ preventScroll: true });
    scrollTo({ top: place, behavior: "instant" });
    place = null;
  }

  present.addEventListener("click", () => fill(!fills()));
  document.addEventListener("fullscreenchange", () => document.fullscreenElement || (fill(false), goBack()));
  addEventListener("keydown", ({ key }) => key === "Escape" && fill(false));
  document.addEventListener("focusin", ({ target }) => fills() && !desk.contains(target) && present.focus()); // it is covered

  async function changed({ target }) {
    touch(target.name);
    if (target.name === "what") touched.delete("m"); // "all" of a histogram is not "all" of counts
    if (target.name === "door" && target.value === "release") bring();
    if (target.name === noise?.name) noise = null; // the reader's own
    await renew(true);
    remember();
  }

  form.elements.door.value = "release";
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", changed);
  form.addEventListener("focusin", ({ target }) => target.matches("[data-rule]") && target.select());
  addEventListener("hashchange", () => (location.hash.startsWith("#desk:") ? restore() : leave()));
  restore().then(() => {
    desk.dataset.ready = "";
    isSilent = false;
  });
})();
