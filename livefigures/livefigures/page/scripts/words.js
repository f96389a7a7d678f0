// A figure in words: what its sliders say, and what its curves do there.
"use strict";

globalThis.liveWords = (() => {
  // Sliders and choices that matter as the figure stands, each with its value as one would write it.
  const awake = (figure, values) => Object.entries(values).filter(([name]) => figure.awake(name));
  const pairs = (figure) => awake(figure, figure.values).map(([name, value]) => [name, figure.written(name, value)]);

  // "σ = 200, α = 60"
  function settings(figure, values = figure.values) {
    return awake(figure, values).map(([name, value]) => `${figure.data.sliders[name].symbol} = ${figure.said(name, value)}`).join(", ");
  }

  // What changes with the sliders, for readers who do not see the picture.
  function described(figure) {
    const { lines, marks } = figure;
    const value = (line) => Number(line.cell.dataset.value);
    const drawn = lines.filter((line) => !Number.isNaN(value(line))).sort((a, b) => value(b) - value(a));
    const absent = lines.filter((line) => !drawn.includes(line)).map((line) => `${line.name}: no value here`);
    const order = drawn.length > 1 ? "from highest to lowest: " : "";
    const curves = order + drawn.map((line) => `${line.name} ${line.cell.textContent}`).join("; ");
    const spots = marks.filter((mark) => mark.cell).map((mark) => `${title(mark.cell)}: ${mark.cell.textContent}`);
    return `At ${settings(figure)}, ${[drawn.length ? curves : "", ...absent, ...spots].filter(Boolean).join("; ")}.`;
  }

  const title = (cell) => cell.closest("tr").querySelector("th").textContent;

  // "growth_rate=0.2_t=5"
  function fileName(figure) {
    return [figure.data.name, ...pairs(figure).map((pair) => pair.join("="))].join("_");
  }

  return { pairs, settings, title, described, fileName };
})();
