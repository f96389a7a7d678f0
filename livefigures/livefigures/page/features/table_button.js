// The button of the curves as a table.
"use strict";

(() => {
  const { press, when } = live.use("save_buttons");

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
