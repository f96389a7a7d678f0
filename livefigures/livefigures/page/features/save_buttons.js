// The buttons that save a figure. What they do is a script of its own, which comes when somebody presses one.
"use strict";

(() => {
  let save = null; // by action: what save.js brings

  async function press(figure, action) {
    if (!save) await live.load("save");
    await save[action](figure);
  }

  const items = [
    ["Save as SVG", "svg"],
    ["Save as PNG", "png"],
    ["PNG, light", "png-light"],
    ["PNG, dark", "png-dark"],
    ["Save as CSV", "csv"],
  ].map(([text, action]) => [text, action, (figure) => press(figure, action)]);

  const when = () => save || live.scripts.save;

  live.feature({ name: "save_buttons", button: { items, when }, offers: { bring: (made) => (save = made) } });
})();
