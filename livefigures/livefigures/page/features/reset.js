// Reset: every slider at its default.
"use strict";

live.feature({
  name: "reset",
  button: { text: "Reset", action: "reset", press: (figure) => figure.reset() },
  keys: [{ key: "r", name: "R", does: "reset" }],
});
