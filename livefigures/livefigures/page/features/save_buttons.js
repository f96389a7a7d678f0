// The buttons that save a figure. What they do is a script of its own, which comes when somebody presses one, and brings
// what the button of the table does too.
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

  const bring = (made) => Object.assign(save, made);

  live.feature({ name: "save_buttons", button: { items, when }, offers: { bring, press, when } });
})();
