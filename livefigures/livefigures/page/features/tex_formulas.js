// Formulas that answer: a symbol lights its slider and the curves that follow it, a press goes to the slider, and below
// each formula stands the same with the present numbers in it.
"use strict";

(() => {
  const { typed } = live.numbers;

  const part = (tag, ...children) => live.dom.math(tag, {}, ...children);

  // The symbols behind the equals sign: what stands before it is what the formula gives. One with an index is another
  // symbol than without.
  function right(math) {
    const equals = [...math.children].findIndex((one) => one.textContent === "=");
    const indexed = ":is(msub, msubsup)";
    return [...math.children]
      .slice(equals + 1)
      .flatMap((one) => [one, ...one.querySelectorAll("mi, msub")])
      .filter((one) => one.matches("mi, msub") && !one.parentNode.closest(indexed));
  }

  function made(figure) {
    const { element, data, lines, ranges } = figure;
    const fold = element.querySelector(".live-formulas");
    if (!fold) return;
    const written = ({ symbol }) => symbol.normalize("NFKC").replaceAll("_", ""); // ω₀ as ω0, the text of a formula
    const bySymbol = new Map(Object.entries(data.sliders).map(([name, slider]) => [written(slider), name]));
    for (const symbol of [...fold.querySelectorAll("math")].flatMap(right)) {
      const name = bySymbol.get(symbol.textContent);
      if (!name) continue;
      symbol.dataset.for = name;
      symbol.addEventListener("pointerenter", () => light(figure, name));
      symbol.addEventListener("pointerleave", () => light(figure));
      symbol.addEventListener("click", () => ranges[name]?.focus());
    }
    figure.of("tex_formulas").rows = [...fold.querySelectorAll("[data-formula]")].map((row) => {
      const line = lines.find(({ name }) => name === row.dataset.formula);
      row.querySelector("span").addEventListener("pointerenter", () => light(figure, null, line));
      row.querySelector("span").addEventListener("pointerleave", () => light(figure));
      return { row, line, math: row.querySelector("math") };
    });
    fold.addEventListener("toggle", () => fill(figure));
    element.addEventListener("focusin", ({ target }) => show(figure, target.type === "range" ? target.name : null));
    element.addEventListener("focusout", () => show(figure, null));
  }

  // The symbols and the row of a slider.
  function show({ element, ranges }, name) {
    for (const symbol of element.querySelectorAll(".live-formulas [data-for]"))
      symbol.classList.toggle("live-lit", symbol.dataset.for === name);
    for (const range of Object.values(ranges))
      range.closest(".live-slider").classList.toggle("live-lit", range.name === name);
  }

  // Those, and the curves that follow it, or one curve; nothing without a name.
  function light(figure, name = null, only = null) {
    show(figure, name);
    const lit = only ? [only] : figure.lines.filter(({ follows }) => follows.includes(name));
    figure.svg.classList.toggle("live-lighting", lit.length > 0);
    for (const line of figure.lines) line.path.parentNode.classList.toggle("live-lit", lit.includes(line));
  }

  // ---- the present numbers

  function number(value) {
    const [mantissa, exponent] = typed(value).replaceAll("-", "−").split("e");
    if (exponent === undefined) return [part("mn", mantissa)];
    const power = part("msup", part("mn", "10"), part("mn", exponent));
    return mantissa === "1" ? [power] : [part("mn", mantissa), part("mo", "⋅"), power];
  }

  const factor = (one, bracket) =>
    one && (/^(mn|mi|msup|msub|msqrt|mfrac|mrow)$/.test(one.localName) || one.textContent === bracket);

  // A number beside a factor is a product that must be seen: "kρ" is "500 ⋅ 0.0125".
  function put(symbol, value) {
    const digits = number(value);
    const base = /^m(sup|sub|subsup)$/.test(symbol.parentNode.localName) && !symbol.previousElementSibling;
    const simple = digits.length === 1 && value >= 0 && digits[0].localName === "mn";
    const written = simple
      ? digits[0]
      : part("mrow", ...(base || value < 0 ? [part("mo", "("), ...digits, part("mo", ")")] : digits));
    symbol.replaceWith(written);
    const whole = base ? written.parentNode : written;
    if (/^m(frac|sup|sub|root)$/.test(whole.parentNode.localName)) return;
    if (factor(whole.previousElementSibling, ")") && whole.previousElementSibling.textContent !== "ln")
      whole.before(part("mo", "⋅"));
    const next = whole.nextElementSibling;
    if (factor(next, "(") && !next.textContent.startsWith(")")) whole.after(part("mo", "⋅"));
  }

  function fill(figure) {
    const { rows } = figure.of("tex_formulas");
    if (!rows?.[0].row.parentNode.open) return;
    for (const { row, line, math } of rows) {
      const copy = math.cloneNode(true);
      for (const symbol of copy.querySelectorAll("[data-for]")) put(symbol, figure.values[symbol.dataset.for]);
      copy.append(part("mo", "="), part("mtext", line.cell.textContent));
      copy.setAttribute("class", "live-numbers");
      row.querySelector(".live-numbers")?.remove();
      row.append(copy);
    }
  }

  live.feature({ name: "tex_formulas", made, redraw: fill });
})();
