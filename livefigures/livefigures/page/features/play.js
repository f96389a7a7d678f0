// Play: a slider runs to its high end; in a few jumps for readers who asked for less motion. And sliders that are told
// where to stand glide there, so that one sees what they do.
"use strict";

globalThis.livePlay = (() => {
  const GLIDE = 400; // milliseconds
  const SWEEP = 8000; // milliseconds from end to end
  const JUMPS = 8;
  const PAUSE = 1000; // milliseconds between jumps
  const LONGEST_FRAME = 100; // a page that was hidden goes on where it stood
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const lerp = (low, high, share) => low + share * (high - low);

  // Where a slider stands between its ends, 0 to 1, and back: log sliders run evenly in the logarithm, those that snap
  // from stop to stop.
  function shareOf({ low, high, stops, snaps }, value) {
    if (snaps) return stops.indexOf(value) / (stops.length - 1);
    return stops ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  }

  function valueAt({ low, high, stops, snaps, integer }, share) {
    if (share >= 1) return high;
    if (snaps) return stops[Math.round(share * (stops.length - 1))];
    const exact = stops ? Math.exp(lerp(Math.log(low), Math.log(high), share)) : lerp(low, high, share);
    const digits = Math.max(0, 3 - Math.floor(Math.log10(high - low)));
    const value = integer ? Math.round(exact) : Number(stops ? exact.toPrecision(3) : exact.toFixed(digits));
    return Math.min(Math.max(value, low), high);
  }

  class Player {
    constructor(figure) {
      this.figure = figure;
      this.name = ""; // of the slider that runs
    }

    toggle(name) {
      const again = this.name === name;
      this.stop();
      if (!again) this.start(name);
    }

    start(name) {
      const share = shareOf(this.figure.data.sliders[name], this.figure.values[name]);
      this.name = name;
      this.move(share < 1 ? share : 0);
      if (calm.matches) this.timer = setInterval(() => this.jump(), PAUSE);
      else this.frame = requestAnimationFrame((now) => this.step(now, now));
      this.figure.showPlaying();
    }

    // Sliders go to these values together; choices are made at once.
    glide(values) {
      this.stop();
      const { figure } = this;
      const { sliders } = figure.data;
      const allowed = figure.allowed(values);
      const moving = Object.keys(allowed).filter((name) => allowed[name] !== figure.values[name] && !sliders[name].keys);
      if (!moving.length || calm.matches) return void figure.move(allowed);
      const from = Object.fromEntries(moving.map((name) => [name, shareOf(sliders[name], figure.values[name])]));
      const to = Object.fromEntries(moving.map((name) => [name, shareOf(sliders[name], allowed[name])]));
      figure.move(Object.fromEntries(Object.entries(allowed).filter(([name]) => sliders[name].keys)));
      let start = 0;
      const step = (now) => {
        start ||= now;
        const share = Math.min((now - start) / GLIDE, 1);
        const place = (name) => valueAt(sliders[name], lerp(from[name], to[name], share * (2 - share)));
        if (share === 1) figure.move(allowed);
        else figure.move(Object.fromEntries(moving.map((name) => [name, place(name)])));
        this.gliding = share < 1 ? requestAnimationFrame(step) : 0;
      };
      this.gliding = requestAnimationFrame(step);
    }

    stop() {
      cancelAnimationFrame(this.gliding);
      if (!this.name) return;
      this.name = "";
      clearInterval(this.timer);
      cancelAnimationFrame(this.frame);
      this.figure.showPlaying();
    }

    step(before, now) {
      this.move(this.share + Math.min(now - before, LONGEST_FRAME) / SWEEP);
      if (this.name) this.frame = requestAnimationFrame((next) => this.step(now, next));
    }

    jump() {
      this.move((Math.floor(this.share * JUMPS + 1e-9) + 1) / JUMPS);
    }

    move(share) {
      this.share = Math.min(share, 1);
      this.figure.move({ [this.name]: valueAt(this.figure.data.sliders[this.name], this.share) });
      if (this.share === 1) this.stop();
    }
  }

  return { Player, shareOf, valueAt };
})();
