// The bars beside the readings follow them. page.py draws them first, by the same rule.
"use strict";

(() => {
  // Each value's bar as a share of the longest; that of ∞ has no end.
  function bars(values) {
    const full = Math.max(0, ...values.filter((value) => value < Infinity)) || 1;
    return values.map((value) => (Number.isNaN(value) ? 0 : Math.max(value, 0) / full));
  }

  function redraw({ element }) {
    const drawn = [...element.querySelectorAll(".live-bar")];
    const values = drawn.map((bar) => Number(bar.closest("tr").querySelector("[data-curve]").dataset.value));
    bars(values).forEach((share, i) => {
      drawn[i].setAttribute("width", `${100 * Math.min(share, 1)}%`);
      drawn[i].classList.toggle("live-torn", share > 1);
    });
  }

  live.feature({ name: "bars", redraw });
})();
