// Sliders that several figures of a page share: when one is moved, those of the other figures follow.
"use strict";

(() => {
  // What both figures share and have at different values.
  const differing = (figure, other) =>
    Object.entries(figure.values).filter(
      ([name, value]) =>
        figure.data.sliders[name].shared && other.data.sliders[name]?.shared && other.values[name] !== value,
    );

  // Nobody has moved the other figure, so it says nothing to readers who listen.
  function follow(other, values) {
    const allowed = other.allowed(values);
    if (!Object.keys(allowed).length) return;
    other.motion.stop();
    Object.assign(other.values, allowed);
    other.showValues();
    other.change(Object.keys(allowed));
    other.tell();
  }

  function moved(figure) {
    for (const other of live.page.figures.values())
      if (other !== figure) follow(other, Object.fromEntries(differing(figure, other)));
  }

  live.feature({ name: "shared", moved });
})();
