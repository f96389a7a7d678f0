// The box beside a slider: what people type is understood, or refused in words; the box shows what the slider holds.
"use strict";

globalThis.liveEntry = (() => {
  const { held, said, typed, understood } = liveNumbers;
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

  function take(figure, field) {
    const name = field.dataset.for;
    const { base, integer } = figure.data.sliders[name];
    const number = understood(field.value);
    const exact = held(number, base);
    const value = base && integer ? Math.round(exact) : exact;
    const problem = figure.problem(name, value);
    field.ariaInvalid = String(problem !== "");
    if (problem) {
      note(field).textContent = `${problem}, got ${field.value.trim() || "nothing"}`;
      return;
    }
    figure.set({ [name]: value });
    show(figure, name);
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
