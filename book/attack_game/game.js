// A game of guesses in a figure (dp_lib.live.Game): an answer is drawn, somebody says from which of two sources, and the
// guesses are counted. No formula lives here: answers, best guesses and what is proved come from the game's own trace.
"use strict";

(() => {
  const { make, button } = live.dom;
  const { minus, shown, typed } = live.numbers;
  const { samplers } = live.use("draw_again");
  const { come, settle } = live.use("summary");

  // A share in per cent, `up` if it is an upper bound: numbers.py writes it so.
  function percent(share, up = false) {
    const nearest = (100 * share).toFixed(1);
    return `${up && `${nearest}e-2` < share ? (Number(nearest) + 0.1).toFixed(1) : nearest}\u00a0%`;
  }

  const written = (answer) => minus((Number(answer.toFixed(2)) || 0).toFixed(2)); // and no minus zero

  const proven = (value) => shown(value, -1); // a lower bound

  // A button that says its key.
  function keyed(words, action, letter, press) {
    const made = button(`${words} `, action, press);
    made.append(make("kbd", { "aria-hidden": "true" }, letter.toUpperCase()));
    made.setAttribute("aria-keyshortcuts", letter);
    return made;
  }

  class Game {
    constructor(element) {
      this.data = JSON.parse(element.querySelector(".live-game-data").textContent);
      this.figure = live.page.figures.get(element.dataset.figure);
      this.data.operations = live.trace.unpacked(this.data.operations);
      this.player = new live.trace.Player(this.data.operations);
      this.state = { asked: false, hits: 0, trials: 0 };
      this.result = ""; // of the last round
      this.votes = [0, 0];
      this.build();
      this.playing = this.settings();
      this.figure.element.addEventListener("keydown", (event) => this.key(event));
      // In front of a class the button that had the focus goes, and the keys come from nowhere.
      const free = (event) => this.presenting && event.target === document.body;
      document.addEventListener("keydown", (event) => free(event) && this.key(event), true);
      this.show();
      if (live.presented.figure === this.figure) this.figure.fit(); // a link has put it in front of a class
    }

    // ---- numbers: `given` are the trace's inputs besides the sliders

    at(name, given = {}, player = this.player) {
      const inputs = { ...this.figure.values, ...given };
      for (const input in inputs) player.set(input, inputs[input]);
      return player.get(this.data.outputs[name]);
    }

    // So many answers, each from its own secret, and the best attacker's guesses.
    drawn(count) {
      const many = (draw) => Float64Array.from({ length: count }, draw);
      const player = new live.trace.Player(this.data.operations);
      const secrets = many(() => Number(Math.random() < 0.5));
      const draws = Object.entries(this.data.draws).map(([name, kind]) => [name, many(samplers[kind])]);
      const answers = Float64Array.from(this.at("answer", { secret: secrets, ...Object.fromEntries(draws) }, player));
      const guesses = this.at("best", { [this.figure.data.x]: answers }, player);
      return { secrets, answers, right: secrets.map((secret, i) => Number(secret === guesses[i])) };
    }

    // Count guesses, 1 for each that was right.
    count(right) {
      for (const one of right) this.state.hits += one;
      this.state.trials += right.length;
    }

    // ---- a round

    next() {
      const { data, values } = this.figure;
      const { secrets, answers } = this.drawn(1);
      const { low, high } = data.sliders[data.x];
      [this.secret, this.answer] = [secrets[0], answers[0]];
      this.state.asked = true;
      this.votes = [0, 0];
      const place = Number(Math.min(Math.max(this.answer, low), high).toFixed(2));
      if (place !== values[data.x]) this.figure.set({ [data.x]: place });
      settle(this.figure); // the game says the readings itself, once
    }

    begin() {
      this.result = "";
      this.next();
      this.show(this.reading("The answer"));
      (this.presenting ? this.vote : this.sides[1]).focus(); // a frame around a side would look like a choice
    }

    // One reader guesses; a class votes first.
    guess(side) {
      if (!this.state.asked) return;
      if (!this.presenting) return this.settle(side);
      this.votes[side] += 1;
      this.show();
    }

    reveal() {
      const [no, yes] = this.votes;
      if (!this.state.asked) return this.begin();
      if (!this.presenting) return;
      if (no === yes) this.show(no ? "A tie: one more vote decides." : "No votes yet.");
      else this.settle(Number(yes > no));
    }

    // A reader goes on at once. In front of a class the result stays until somebody draws again.
    settle(side) {
      const { secret } = this;
      this.result = this.judged(side);
      this.count(Float64Array.of(side === secret));
      const told = `${this.result} ${this.sum()}`;
      if (!this.presenting) {
        this.next();
        return this.show(`${told} ${this.reading("The next answer")}`);
      }
      this.state.asked = false;
      this.show(told);
      this.start.focus();
    }

    // While the sliders glide, each of their steps would start the count again.
    many() {
      if (this.figure.motion.gliding) return requestAnimationFrame(() => this.many());
      this.result = "";
      this.count(this.drawn(this.data.many).right);
      this.show(`${this.data.many} more answers, guessed by the best attacker. ${this.sum()}`);
    }

    restart(said = "The count starts again.") {
      const { asked } = this.state;
      Object.assign(this.state, { hits: 0, trials: 0 });
      this.result = "";
      if (asked) this.next();
      this.show(said);
    }

    // ---- the figure

    settings() {
      const { data, values } = this.figure;
      return JSON.stringify({ ...values, [data.x]: 0 });
    }

    // Other sliders than the answer's have moved: another game.
    follow() {
      if (this.settings() === this.playing) return;
      this.playing = this.settings();
      queueMicrotask(() => this.restart(this.state.trials ? undefined : ""));
    }

    get presenting() {
      return this.figure.element.classList.contains("live-presenting");
    }

    key(event) {
      if (
        event.ctrlKey ||
        event.altKey ||
        event.metaKey ||
        event.defaultPrevented ||
        event.target.matches("[type=text]")
      )
        return;
      const letter = event.key.toLowerCase();
      const side = this.data.sides.findIndex((word) => word[0] === letter);
      if (side >= 0) this.guess(side);
      else if (letter === "v") this.reveal();
      else if (letter === "t" && this.thousand.checkVisibility({ visibilityProperty: true })) this.many();
      else return;
      event.preventDefault(); // the letter is the game's, and not that of present mode
    }

    // ---- words

    named(side) {
      return `${this.data.subject} ${this.data.sides[side]}`;
    }

    // What was guessed, what is true, and whether anybody could have known better.
    judged(side) {
      const { secret } = this;
      const verdict = (guess) => (guess === secret ? "right" : "wrong");
      const best = verdict(this.at("best", { [this.figure.data.x]: this.answer }));
      return `The guess “${this.data.sides[side]}” was ${verdict(side)}. ${this.named(secret)}. The best attacker was ${best}.`;
    }

    sum() {
      const { hits, trials } = this.state;
      return `${hits} of ${trials} right; ${this.data.symbol} is at least ${proven(this.proved)}. ${this.caught}`.trim();
    }

    reading(title) {
      const seen = this.figure.lines.filter(come); // the others wait for an answer to the page's question
      const values = seen.map(({ name, cell }) => `${name} ${cell.textContent}`).join(", ");
      return `${title} is ${written(this.answer)}${values && ": "}${values}.`;
    }

    get proved() {
      const { hits, trials } = this.state;
      return trials ? this.at("proved", { hits, trials }) : NaN;
    }

    // An audit that stops when it likes the result proves nothing.
    get caught() {
      const caught = this.proved > this.at("promise");
      return caught ? `Caught, if it was fixed in advance to guess ${this.state.trials} times.` : "";
    }

    build() {
      const { symbol, sure } = this.data;
      const side = (number) => {
        const made = keyed(this.named(number), `side-${number}`, this.data.sides[number][0], () => this.guess(number));
        made.append(make("b", { class: "live-votes" }));
        return made;
      };
      this.sides = [side(0), side(1)];
      this.asked = make("p", { class: "live-asked" });
      this.start = keyed("Draw an answer", "begin", "v", () => this.begin());
      this.vote = keyed("Reveal", "reveal", "v", () => this.reveal());
      this.thousand = keyed("Play a thousand", "many", "t", () => this.many());
      const cells = Object.entries({
        right: "right",
        limit: "allowed in the long run",
        proved: `${symbol} proved (${sure})`,
        promise: `${symbol} promised`,
      }).map(([name, words]) => make("div", {}, make("dt", {}, words), make("dd", { "data-score": name })));
      this.verdict = make("p", { class: "live-verdict" });
      this.status = make("p", { class: "live-said", role: "status" });
      this.panel = make(
        "div",
        { class: "live-guess", role: "group", "aria-label": "The attacker guesses" },
        this.asked,
        make(
          "div",
          { class: "live-sides" },
          this.start,
          this.sides[1],
          this.sides[0],
          this.vote,
          this.thousand,
          button("Start again", "restart", () => this.restart()),
        ),
        this.status,
        make("dl", {}, ...cells),
        this.verdict,
      );
      this.figure.picture.after(this.panel);
      this.figure.ranges[this.figure.data.x].closest(".live-slider").classList.add("live-answered");
    }

    show(said = "") {
      const { asked, hits, trials } = this.state;
      const { proved } = this;
      const promise = this.at("promise");
      const score = (name, value, text) => {
        const cell = this.panel.querySelector(`[data-score=${name}]`);
        cell.dataset.value = value;
        cell.textContent = text;
      };
      score("right", hits, trials ? `${hits} of ${trials}, ${percent(hits / trials)}` : "0 of 0");
      score("limit", this.at("limit"), percent(this.at("limit"), true)); // at most
      score("proved", proved, proven(proved));
      score("promise", promise, typed(promise));
      this.verdict.textContent = this.caught;
      const question = asked ? `The answer is ${written(this.answer)}. Which is it?` : "";
      this.asked.textContent = `${this.result} ${question}`.trim();
      this.start.hidden = asked;
      for (const one of this.sides) one.hidden = !asked;
      this.vote.hidden = !asked;
      this.sides.forEach((one, i) => (one.querySelector(".live-votes").textContent = this.votes[i] || ""));
      this.status.textContent = said;
    }
  }

  const gameOf = (figure) => figure.of("attack_game").game;

  function started() {
    for (const element of document.querySelectorAll(".live-game")) {
      const game = new Game(element);
      game.figure.of("attack_game").game = game;
    }
  }

  live.feature({
    name: "attack_game",
    started,
    redraw: (figure) => gameOf(figure)?.follow(),
    reset: (figure) => queueMicrotask(() => gameOf(figure)?.restart()), // after what a slider's return has begun
  });
})();
