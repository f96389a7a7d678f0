// Sliders that move by themselves: to the high end, in a few jumps for readers who asked for less motion, or to where
// they are told to stand, so that one sees what they do.
"use strict";

live.Motion = (() => {
  const { lerp, shareOf, valueAt } = live.sliders;
  const GLIDE = 400; // milliseconds
  const SWEEP = 8000; // milliseconds from end to end
  const JUMPS = 8;
  const PAUSE = 1000; // milliseconds between jumps
  const LONGEST_FRAME = 100; // a page that was hidden goes on where it stood
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  class Motion {
    constructor(figure) {
      this.figure = figure;
      this.name = ""; // of the slider that runs
    }

    toggle(name) {
      if (this.name === name) return this.rest();
      this.stop();
      this.start(name);
    }

    start(name) {
      const share = shareOf(this.figure.data.sliders[name], this.figure.values[name]);
      this.name = name;
      this.move(share < 1 ? share : 0);
      if (calm.matches) this.timer = setInterval(() => this.jump(), PAUSE);
      else this.frame = requestAnimationFrame((now) => this.step(now, now));
      live.tell("motion", this.figure);
    }

    // Sliders go to these values together; choices are made at once.
    glide(values) {
      this.stop();
      const { figure } = this;
      const { sliders } = figure.data;
      const allowed = figure.allowed(values);
      const moving = Object.keys(allowed).filter(
        (name) => allowed[name] !== figure.values[name] && !sliders[name].keys,
      );
      if (!moving.length || calm.matches) return void figure.move(allowed);
      const from = Object.fromEntries(moving.map((name) => [name, shareOf(sliders[name], figure.values[name])]));
      const to = Object.fromEntries(moving.map((name) => [name, shareOf(sliders[name], allowed[name])]));
      figure.move(Object.fromEntries(Object.entries(allowed).filter(([name]) => sliders[name].keys)));
      let start = 0;
      const step = (now) => {
        start ||= now;
        const share = Math.min((now - start) / GLIDE, 1);
        const place = (name) => valueAt(sliders[name], lerp(from[name], to[name], share * (2 - share)));
        this.gliding = share < 1 ? requestAnimationFrame(step) : 0; // at its end who follows a move finds it at rest
        if (share === 1) figure.move(allowed);
        else figure.move(Object.fromEntries(moving.map((name) => [name, place(name)])));
      };
      this.gliding = requestAnimationFrame(step);
    }

    stop() {
      this.gliding = cancelAnimationFrame(this.gliding);
      if (!this.name) return;
      this.name = "";
      clearInterval(this.timer);
      cancelAnimationFrame(this.frame);
      live.tell("motion", this.figure);
    }

    // At a stop of its slider, which is said.
    rest() {
      const { name, figure } = this;
      const value = this.share < 1 ? figure.fromRange(figure.ranges[name]) : figure.values[name];
      live.tell("asked", figure, { [name]: value });
      figure.set({ [name]: value });
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
      if (this.share === 1) this.rest();
    }
  }

  return Motion;
})();
