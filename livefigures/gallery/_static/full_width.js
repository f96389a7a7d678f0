// A button that lets a figure fill the window, and gives the page back when it is pressed again. A link keeps it so.
"use strict";

(() => {
  const isWide = ({ element }) => element.classList.contains("full-width");

  function widen(figure, wide) {
    if (figure.filling || isWide(figure) === wide) return; // in front of a class it has the width already
    figure.element.classList.toggle("full-width", wide);
    figure.button("full-width").textContent = wide ? "In the page" : "Full width";
    figure.announce(wide ? "The figure fills the window." : "The figure is in the page again.");
    figure.fit(); // the picture has another size
    figure.tell(); // and the address another text
  }

  globalThis.live?.feature({
    name: "full_width",
    button: { text: "Full width", action: "full-width", press: (figure) => widen(figure, !isWide(figure)) },
    keys: [{ key: "w", name: "W", does: "full width" }],
    address: {
      verb: "wide",
      takes: "text",
      write: (figure) => (isWide(figure) ? [`wide=${figure.data.name}`] : []),
      before: () => globalThis.live.page.figures.forEach((figure) => widen(figure, false)), // the new address may not say it
      read: (figure) => widen(figure, true),
    },
  });
})();
