// Reset: every slider at its default.
"use strict";

live.feature({
  name: "reset",
  button: {
    text: "Reset",
    action: "reset",
    press: (figure) => figure.reset(),
    stays: ({ data }) => !Object.keys(data.kinds).length, // a cloud's first button draws it again
  },
  keys: [{ key: "r", name: "R", does: "reset" }],
});
