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
    const fresh = Object.entries(draws).map(([name, sample]) => [name, sample.map(() => samplers[kinds[name]]())]);
    figure.setDraws(Object.fromEntries(fresh));
    figure.change(Object.keys(draws));
  }

  live.feature({
    name: "draw_again",
    button: {
      text: "Draw again",
      action: "again",
      press: drawAgain,
      stays: () => true,
      when: ({ data }) => Object.keys(data.draws).length,
    },
    offers: { samplers },
  });
})();
