// A file of one figure: it may stand in a frame that is not allowed to change its address, where the browser throws a
// SecurityError. Nobody sees the address of a frame, and the figure works without it. Nor may a frame fill the screen
// unless its page says so: then the window is filled alone.
"use strict";

for (const name of ["replaceState", "pushState"]) {
  const method = history[name].bind(history);
  history[name] = (...given) => {
    try {
      method(...given);
    } catch (error) {
      if (error.name !== "SecurityError") throw error;
    }
  };
}

if (!document.fullscreenEnabled) Element.prototype.requestFullscreen = undefined; // else a frame's console has an error
