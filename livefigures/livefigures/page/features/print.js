// On paper nothing slides and nothing is pressed: a figure's setting stands in words, and a link's beside it.
"use strict";

(() => {
  const { make } = liveDom;

  // A picture is fitted to its width there.
  function size(live, width) {
    live.picture.style.width = width;
    live.fit();
  }

  addEventListener("beforeprint", () => {
    for (const { live } of document.querySelectorAll("figure.live")) {
      if (!live || live.element.querySelector(".live-setting")) continue;
      size(live, "27rem");
      const kept = live.kept.map(({ letter, values }) => `; ${letter}: ${liveWords.settings(live, values)}`);
      live.picture.after(make("p", { class: "live-setting" }, liveWords.settings(live) + kept.join("")));
    }
    for (const link of document.querySelectorAll("a.live-set")) {
      const live = document.getElementById(link.dataset.figure)?.live;
      if (live) link.dataset.setting = liveWords.settings(live, live.understood(JSON.parse(link.dataset.values)));
    }
  });

  addEventListener("afterprint", () => {
    for (const words of document.querySelectorAll(".live-setting")) {
      size(words.parentNode.live, "");
      words.remove();
    }
  });
})();
