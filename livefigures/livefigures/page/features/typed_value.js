// The box beside a slider: what people type is understood, or refused in words; the box shows what the slider holds.
"use strict";

(() => {
  const { held, readings, said, typed, understood } = live.numbers;

  const note = (field) => field.closest(".live-slider").querySelector(".live-problem");

  function made(figure) {
    for (const [name, field] of Object.entries(figure.fields)) wire(figure, field, name);
  }

  // A slider and its box are one tab stop: Enter leads from one to the other, and back.
  let entered = null; // the box to which Enter has led

  function wire(figure, field, name) {
    const range = figure.ranges[name];
    field.ariaDescribedByElements = [note(field)];
    field.addEventListener("input", () => figure.motion.stop());
    field.addEventListener("change", () => {
      take(figure, field, name);
      if ((entered === field || live.presented.figure) && !wrong(field)) range.focus();
    });
    field.addEventListener("blur", () => {
      write(figure, name);
      entered = null;
    });
    field.addEventListener("focus", () => {
      if (figure.data.sliders[name].format) field.value = typed(figure.values[name]);
      field.select();
      field.fresh = true;
    });
    field.addEventListener("click", () => {
      if (field.fresh) field.select(); // the press has set a caret
      field.fresh = false;
    });
    field.addEventListener("keydown", (event) => {
      const changed = field.value !== figure.said(name);
      if (event.key !== "Escape" || !(changed || entered === field)) return;
      if (changed) show(figure, name);
      range.focus();
      event.preventDefault(); // and nothing else is left by this key
    });
  }

  const wrong = (field) => field.ariaInvalid === "true";

  // What the slider would hold for a number, and whether it can.
  function stop(figure, name, number) {
    const { base, integer } = figure.data.sliders[name];
    const exact = held(number, base);
    const value = base && integer ? Math.round(exact) : exact;
    return {
      number,
      value,
      problem: figure.problem(name, value),
      far: Math.abs(figure.snap(name, value) - exact) > 1e-3 * Math.abs(exact),
    };
  }

  // The stops that a text can mean. With several readings those count that the slider takes, and of these those that it
  // takes as they are.
  function stops(figure, name, text) {
    const number = understood(text);
    if (!Number.isNaN(number)) return [stop(figure, name, number)];
    const all = readings(text).map(({ value }) => stop(figure, name, value));
    const fitting = all.filter(({ problem }) => !problem);
    const near = fitting.filter(({ far }) => !far);
    return [near, fitting, all].find((some) => some.length) ?? [stop(figure, name, NaN)];
  }

  function take(figure, field, name) {
    const text = field.value.trim();
    const meant = stops(figure, name, text);
    const [{ number, value, problem, far }, other] = meant;
    field.ariaInvalid = String(problem !== "" || meant.length > 1);
    const say = (words) => (note(field).textContent = words);
    if (problem) return say(`${problem}, got ${text || "nothing"}`);
    if (other) return say(`${text} can be read as ${said(number)} or as ${said(other.number)}: type one of these`);
    figure.set({ [name]: value });
    show(figure, name);
    if (Number.isNaN(understood(text))) say(`${text} is read as ${said(number)}`);
    if (far) say(`${figure.said(name)} is the nearest to ${said(number)} that is computed here`);
  }

  // The box and its message as the slider stands.
  function show(figure, name) {
    write(figure, name);
    note(figure.fields[name]).textContent = "";
  }

  function write(figure, name) {
    Object.assign(figure.fields[name], { value: figure.said(name), ariaInvalid: "false" });
  }

  // The boxes as the sliders stand, but for one in which somebody is correcting what was refused.
  function values(figure) {
    for (const [name, field] of Object.entries(figure.fields)) {
      if (document.activeElement !== field || !wrong(field)) show(figure, name);
    }
  }

  // A browser that offers to fill in text lays out every section that holds such a box, as soon as it has read the page.
  // So the box arrives as a button, and is one for text when its figure is laid out.
  const fit = ({ fields }) => Object.values(fields).forEach((field) => (field.type = "text"));

  function enter(figure, { target }) {
    entered = figure.fields[target.name];
    entered.focus();
    return true;
  }

  live.feature({
    name: "typed_value",
    keys: [{ key: "Enter", name: "Enter", does: "type a value", on: "slider", press: enter }],
    made,
    values,
    fit,
  });
})();
