// On paper nothing slides and nothing is pressed: a figure's setting stands in words, and a link's beside it.
"use strict";

(() => {
  const { make } = globalThis.liveDom;

  addEventListener("beforeprint", () => {
    for (const { live } of document.querySelectorAll("figure.live")) {
      if (!live || live.element.querySelector(".live-setting")) continue;
      const kept = live.kept.map(({ letter, values }) => `; ${letter}: ${globalThis.liveWords.settings(live, values)}`);
      live.picture.after(make("p", { class: "live-setting" }, globalThis.liveWords.settings(live) + kept.join("")));
    }
    for (const link of document.querySelectorAll("a.live-set")) {
      const live = document.getElementById(link.dataset.figure)?.live;
      if (live) link.dataset.setting = globalThis.liveWords.settings(live, live.understood(JSON.parse(link.dataset.values)));
    }
  });

  addEventListener("afterprint", () => document.querySelectorAll(".live-setting").forEach((words) => words.remove()));
})();
