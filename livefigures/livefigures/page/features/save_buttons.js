// The buttons that save a figure or show it as a table. What they do is a script of its own, which comes when somebody
// presses one.
"use strict";

(() => {
  const save = {}; // by action: what save.js and table.js bring

  async function press(figure, action, button) {
    if (!save[action]) await live.load("save");
    await save[action](figure, button);
  }

  const items = [
    ["Save as SVG", "svg"],
    ["Save as PNG", "png"],
    ["PNG, light", "png-light"],
    ["PNG, dark", "png-dark"],
    ["Save as CSV", "csv"],
  ].map(([text, action]) => [text, action, (figure) => press(figure, action)]);

  const when = () => save.svg || live.scripts.save;

  live.feature({
    name: "save_buttons",
    button: { items, when },
    offers: { bring: (made) => Object.assign(save, made) },
  });
  live.feature({
    name: "table_button",
    button: {
      text: "Table",
      action: "table",
      press: (figure, button) => press(figure, "table", button),
      when: ({ lines }) => lines.length && when(),
    },
    made: (figure) => figure.button("table")?.setAttribute("aria-expanded", "false"),
  });
})();
