// The box beside a slider: what people type is understood, or refused in words; the box shows what the slider holds.
"use strict";

globalThis.liveEntry = (() => {
  const { held, readings, said, typed, understood } = liveNumbers;
  const MOST_NAMED = 4; // values that a message lists

  const box = (figure, name) => figure.fields[name];
  const note = (field) => field.closest(".live-slider").querySelector(".live-problem");

  function wire(figure, field) {
    field.addEventListener("input", () => figure.player.stop());
    field.addEventListener("change", () => take(figure, field));
    field.addEventListener("blur", () => wrong(field) && write(figure, field.dataset.for));
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || field.value === figure.said(field.dataset.for)) return;
      show(figure, field.dataset.for);
      figure.ranges[field.dataset.for].focus();
      event.preventDefault(); // and nothing else is left by this key
    });
  }

  const wrong = (field) => field.getAttribute("aria-invalid") === "true";

  // What the slider would hold for a number, and whether it can.
  function stop(figure, name, number) {
    const { base, integer } = figure.data.sliders[name];
    const exact = held(number, base);
    const value = base && integer ? Math.round(exact) : exact;
    return { number, exact, value, problem: figure.problem(name, value), far: Math.abs(value - exact) > 1e-3 * Math.abs(exact) };
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

  function take(figure, field) {
    const name = field.dataset.for;
    const text = field.value.trim();
    const meant = stops(figure, name, text);
    const [{ number, exact, value, problem }, other] = meant;
    field.ariaInvalid = String(problem !== "" || meant.length > 1);
    if (problem) {
      note(field).textContent = `${problem}, got ${text || "nothing"}`;
      return;
    }
    if (other) {
      note(field).textContent = `${text} can be read as ${typed(number)} or as ${typed(other.number)}: type one of these`;
      return;
    }
    figure.set({ [name]: value });
    show(figure, name);
    if (Number.isNaN(understood(text))) note(field).textContent = `${text} is read as ${typed(number)}`;
    const near = figure.said(name);
    if (Math.abs(figure.values[name] - exact) < 1e-3 * Math.abs(exact)) return;
    note(field).textContent = `${near} is the nearest to ${typed(number)} that is computed here`;
  }

  // The box and its message as the slider stands.
  function show(figure, name) {
    write(figure, name);
    note(box(figure, name)).textContent = "";
  }

  function write(figure, name) {
    box(figure, name).value = figure.said(name);
    box(figure, name).ariaInvalid = "false";
  }

  // What a slider takes, in words.
  function allowed({ low, high, base, integer, stops }) {
    const [from, to] = [said(low, base), said(high, base)];
    if (base && stops?.length <= MOST_NAMED) return `one of ${stops.map((stop) => said(stop, base)).join(", ")}`;
    if (base) return `a power of ${base === 2 ? 2 : 10} from ${from} to ${to}`;
    return `${integer ? "a whole number" : "a number"} from ${from} to ${to}`;
  }

  return { wire, show, allowed };
})();
