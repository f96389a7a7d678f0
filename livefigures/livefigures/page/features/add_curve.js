// Typed formulas: their editor is a script of its own, which comes when somebody types one, or where a page or a link has
// some. It brings itself in with `bring`.
"use strict";

(() => {
  const script = live.scripts.formulas;
  const typed = new WeakMap(); // a figure's element and its lines, as a link has them
  let editor = null; // { open, restore }

  const load = () => live.load("formulas");
  const press = (figure) => load().then(() => editor.open(figure.element).add("", true));

  function made({ data }) {
    if (data.lines && script) load();
  }

  // ---- in the address: letters, digits and ~ alone, which mailers leave as they are

  const encoded = (text) => encodeURIComponent(text.replaceAll("~", "?")).replaceAll("%", "~");

  // One that is no text at all shows as it stands, and the reader sees why.
  const decoded = (text) => live.address.decoded(text.replaceAll("~", "%"), text);

  function write({ element, data }) {
    const lines = typed.get(element) ?? [];
    return lines.length ? [`add=${data.name}:${lines.map(encoded).join(",")}`] : [];
  }

  function before(pieces) {
    const mine = script || editor ? pieces.filter(({ verb }) => verb === "add") : [];
    if (mine.length && !editor) return load();
    for (const { name, settings } of mine)
      editor.restore(live.page.figures.get(name).element, settings.split(",").map(decoded));
    return null;
  }

  live.feature({
    name: "add_curve",
    button: {
      text: "Add a curve",
      action: "add",
      press,
      when: ({ lines, data }) => script && lines.length && !data.lines,
    },
    address: { verb: "add", takes: "text", first: true, write, before }, // before the sliders, which the lines bring
    made,
    offers: { bring: (made_) => (editor = made_), keep: (element, lines) => typed.set(element, lines) },
  });
})();
