// Draw again: the points of a cloud are drawn anew, from the same distributions.
"use strict";

(() => {
  const samplers = {
    normal: () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random()),
    uniform: () => Math.random(),
    laplace: () => (Math.random() < 0.5 ? 1 : -1) * Math.log(1 - Math.random()),
  };

  function drawAgain(figure) {
    const { draws, kinds } = figure.data;
    const fresh = Object.entries(kinds).map(([name, kind]) => [name, draws[name].map(samplers[kind])]); // data stay
    figure.setDraws(Object.fromEntries(fresh));
    figure.change(Object.keys(kinds));
  }

  live.feature({
    name: "draw_again",
    button: {
      text: "Draw again",
      action: "again",
      press: drawAgain,
      stays: () => true,
      when: ({ data }) => Object.keys(data.kinds).length,
    },
    offers: { samplers },
  });
})();
