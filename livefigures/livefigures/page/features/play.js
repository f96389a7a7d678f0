// Play: a button at each slider runs it to its high end. That of the x axis is always seen, the others while their
// slider is in use, or where it says so.
"use strict";

(() => {
  const { button } = live.dom;

  const buttons = (figure) => figure.element.querySelectorAll("[data-action=play]");

  function made(figure) {
    for (const range of Object.values(figure.ranges)) {
      const play = button("", "play", () => figure.motion.toggle(range.name));
      play.dataset.for = range.name;
      play.classList.toggle("live-quiet", range.name !== figure.data.x && !figure.data.sliders[range.name].play);
      play.tabIndex = -1; // Space on the slider does the same
      range.before(play);
    }
    figure.element.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || !figure.motion.name) return;
        figure.motion.rest();
        event.preventDefault();
      },
      figure.life,
    );
    motion(figure);
  }

  function motion(figure) {
    for (const play of buttons(figure)) {
      const playing = play.dataset.for === figure.motion.name;
      play.ariaLabel = `${playing ? "Pause" : "Play"} ${figure.data.sliders[play.dataset.for].symbol}`;
      play.classList.toggle("live-playing", playing);
    }
  }

  // In front of a class Space is the lecture's.
  function press(figure, { target }) {
    if (live.presented.figure) return false;
    figure.motion.toggle(target.name);
    return true;
  }

  live.feature({ name: "play", keys: [{ key: " ", name: "Space", does: "play", on: "slider", press }], made, motion });
})();
