// On paper nothing slides and nothing is pressed: a figure's setting stands in words, and a link's beside it.
"use strict";

(() => {
  const { make } = live.dom;
  const { pinsOf } = live.use("pin");

  // A picture is fitted to its width there (figure.css), in pixels: a rem is another length on paper.
  function size(figure, width) {
    figure.picture.style.width = width;
    figure.fit();
  }

  addEventListener("beforeprint", () => {
    for (const figure of live.page.figures.values()) {
      if (figure.element.querySelector(".live-setting")) continue;
      size(figure, "400px");
      const pinned = pinsOf(figure).map(({ letter, values }) => `; ${letter}: ${figure.settings(values)}`);
      figure.picture.after(make("p", { class: "live-setting" }, figure.settings() + pinned.join("")));
    }
    for (const link of document.querySelectorAll("a.live-set")) {
      const figure = live.page.figures.get(link.dataset.figure);
      const behind = new Range();
      behind.selectNodeContents(link.parentNode);
      behind.setStartAfter(link);
      // "α = 60" says it, and so do brackets behind a link.
      if (figure && !/=/.test(link.textContent) && !/^\s*\(/.test(behind.toString()))
        link.dataset.setting = figure.settings(figure.understood(JSON.parse(link.dataset.values)));
    }
  });

  addEventListener("afterprint", () => {
    for (const words of document.querySelectorAll(".live-setting")) {
      size(words.parentNode.live, "");
      words.remove();
    }
  });

  live.feature({ name: "print" });
})();
