// A button that lets a figure fill the window, and gives the page back when it is pressed again.
"use strict";

globalThis.live?.feature({
  name: "full_width",
  button: {
    text: "Full width",
    action: "full-width",
    press(figure) {
      figure.element.classList.toggle("full-width");
      figure.fit();
    },
  },
  keys: [{ key: "w", name: "W", does: "full width", press: (figure) => figure.button("full-width").click() }],
});
