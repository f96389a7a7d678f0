// ε of composed privacy losses, from above: what `dp_lib.pld` computes, for the pairs of a training run and fast enough to
// answer while somebody types. A test compares the two on random runs.
//
// A mechanism is known by its profile δ(ε) = S(ε) - T(ε), S = P(L > ε), T = exp(ε) Q(L > ε), L the privacy loss. Each loss
// moves to the points of a lattice on either side of it, so that the masses of P and of Q stay what they are: the profile
// becomes its own chords in exp(ε), and does not fall (Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022). Where rounding
// could take mass from the upper point, more goes there. The losses are then tilted by exp(θx), so that the sum's masses
// near the answer are of order one, added up by two Fourier transforms, and tilted back. Mass that leaves the window, and
// a bound on the transforms' rounding, are added to δ. So the ε that is found is never below that of the mechanism.
"use strict";

globalThis.deskLosses = (() => {
  const { ndtr, ndtri, erfcx } = live.trace.functions;
  const EPS = 2 ** -52;
  const OUTSIDE = 24; // beyond each end of the window lies at most e^-24 of the sum
  const CUT = 1e-5; // of δ: all that the losses beyond the lattice are worth together
  const TINY = 1e-307;
  const NOTHING = { epsilon: Infinity };
  const LOOK = 1024; // points of a first look at a loss
  const MOST = 2 ** 18; // points of a lattice, at most
  const ACCURACY = 2e-3; // aimed at, relative to ε
  const MOST_STEPS = 1e7; // beyond, the lattice would be too coarse to say more than RDP does

  // ---- pairs: [S, T, S - T] at a loss, and outputs as far out as a tail of `level`

  // Gaussian noise σ on a sum that the example moves by 1, where it joins with probability q; `added` the other way round.
  class Sampled {
    constructor(sigma, q, added) {
      Object.assign(this, { sigma, q, added });
    }

    // The output z at which the loss of removing is x: minus infinity below its infimum.
    output(x) {
      const { sigma, q } = this;
      const change = Math.expm1(Math.min(x, 1)) / q;
      const above = Math.max(0, x - Math.log1p(-q));
      const record = Math.abs(change) < 0.5 ? Math.log1p(change) : x + Math.log(-Math.expm1(-above)) - Math.log(q);
      return 0.5 + sigma * sigma * record;
    }

    loss(z) {
      const { sigma, q } = this;
      const record = (z - 0.5) / (sigma * sigma);
      if (record > 600) return record + Math.log(q);
      return Math.log1p(q * Math.expm1(record));
    }

    // P(drawn, beyond z), and the same of the other example times exp(its loss): both are φ((z-1)/σ) times Mills' ratios.
    drawn(z) {
      const { sigma } = this;
      const [near, far] = [(z - 1) / sigma, z / sigma];
      const one = ndtr(-near);
      if (far < 0) return [one, Math.exp((z - 0.5) / (sigma * sigma)) * ndtr(-far)];
      return [one, (one * erfcx(far * Math.SQRT1_2)) / erfcx(Math.max(near, -30) * Math.SQRT1_2)];
    }

    tails(x) {
      const { sigma, q } = this;
      const z = this.output(this.added ? -x : x);
      if (this.added) {
        const without = ndtr(z / sigma);
        const mixed = Math.exp(Math.min(x, -Math.log1p(-q))) * ((1 - q) * without + q * ndtr((z - 1) / sigma));
        return [without, mixed];
      }
      if (z === -Infinity) return [1, Math.exp(x)];
      const without = (1 - q) * ndtr(-z / sigma);
      const [one, other] = this.drawn(z);
      return [without + q * one, without + q * other];
    }

    support(level) {
      const nodes = this.nodes(level, 2);
      return [Math.min(...nodes), Math.max(...nodes)];
    }

    nodes(level, points = LOOK) {
      const reach = -this.sigma * ndtri(level);
      const width = 2 * reach + Number(!this.added);
      const losses = Array.from({ length: points }, (_, i) => this.loss((width * i) / (points - 1) - reach));
      return this.added ? losses.map((x) => -x) : losses;
    }
  }

  // A sample of a fixed size, one example replaced by another, which moves the sum by 2. For ε >= 0 the profile is at most
  // that of removing from a Poisson sample (Balle, Barthe & Gaboardi 2018); the relation is symmetric, so for ε < 0 it is
  // at most that of adding. Together they are convex in exp(ε), so they are the profile of a pair, and such pairs compose
  // (Zhu, Dong & Wang 2022).
  class Replaced {
    constructor(sigma, q) {
      this.sides = [false, true].map((added) => new Sampled(sigma / 2, q, added));
    }

    tails(x) {
      return this.sides[x < 0 ? 1 : 0].tails(x);
    }

    support(level) {
      return [this.sides[1].support(level)[0], this.sides[0].support(level)[1]];
    }

    nodes(level) {
      return this.sides.flatMap((side) => side.nodes(level).filter((x) => x < 0 === side.added));
    }
  }

  // ---- one loss on a lattice

  const slack = (s) => EPS * s * (64 - 4 * Math.log(Math.max(s, TINY))); // rounding of S and of T, at most

  // P's masses at these points, and what is left at infinity: the profile is a chord between each two.
  function dots(pair, x) {
    const last = x.length - 1;
    const p = new Float64Array(x.length);
    let [s, t] = pair.tails(x[0]);
    p[0] = Math.max(0, 1 - s);
    for (let i = 1; i <= last; i++) {
      const [beyond, under] = pair.tails(x[i]);
      const mass = Math.max(0, s - beyond);
      const falls = s - t - (beyond - under) + 2 * slack(s);
      const up = Math.min(mass, Math.max(0, falls / -Math.expm1(x[i - 1] - x[i]) - under));
      p[i] += up;
      p[i - 1] += mass - up;
      [s, t] = [beyond, under];
    }
    p[last] += t;
    return { x, p, infinite: Math.max(0, s - t) + slack(s) };
  }

  // Points of a loss that lie as close as it is dense.
  function look(pair, level) {
    const points = pair.nodes(level).sort((a, b) => a - b);
    return Float64Array.from(points.filter((x, i) => i === 0 || x > points[i - 1]));
  }

  // The loss tilted by exp(θx), `count` times: probabilities r; the point `origin` nearest to their mean, and what the mean
  // has beyond it; the logarithm of the mean of exp(θ (L - origin)).
  class Tilted {
    constructor({ x, p }, theta, count) {
      Object.assign(this, { x, theta, count });
      const exponents = p.map((mass, i) => Math.log(mass) + theta * x[i]);
      const peak = exponents.reduce((best, one, i) => (one > exponents[best] ? i : best), 0);
      this.r = exponents.map((one) => Math.exp(one - exponents[peak]));
      const total = this.r.reduce((all, one) => all + one, 0);
      this.r = this.r.map((one) => one / total);
      const mean = this.r.reduce((all, one, i) => all + one * (x[i] - x[peak]), 0);
      this.index = x.reduce(
        (best, one, i) => (Math.abs(one - x[peak] - mean) < Math.abs(x[best] - x[peak] - mean) ? i : best),
        0,
      );
      this.origin = x[this.index];
      this.offset = mean - (this.origin - x[peak]);
      const variance = this.r.reduce((all, one, i) => all + one * (x[i] - this.origin - this.offset) ** 2, 0);
      this.deviation = Math.max(Math.sqrt(count * variance), 1e-12 * Math.abs(count * this.origin), 1e-200);
      this.mean = count * (this.origin + this.offset);
      this.drift = count * this.offset;
      this.scale = count * (Math.log(total) + exponents[peak] - theta * this.origin) - theta * this.drift;
    }

    // How far from the mean Chernoff's bound at this rate leaves e^-24 of the sum.
    reach(rate) {
      const { x, r, origin, offset, count } = this;
      const end = rate < 0 ? x[0] : x.at(-1);
      const each = r.reduce((all, one, i) => all + one * Math.exp(rate * (x[i] - end)), 0);
      const bound = (count * (Math.log(each) + rate * (end - origin - offset)) + OUTSIDE) / rate;
      const furthest = count * (end - origin - offset);
      return Math.abs(bound) < Math.abs(furthest) ? bound : furthest;
    }

    // The rates at which it reaches least far, below and above.
    rates() {
      const all = Array.from({ length: 10 }, (_, i) => 7 / this.deviation / 2 ** i);
      const least = (side) =>
        all.reduce((best, one) => (Math.abs(this.reach(side * one)) < Math.abs(this.reach(side * best)) ? one : best));
      return [-least(-1), least(1)];
    }
  }

  // The least tilt at which the sum's mean reaches 0 and its δ, by the saddle point's value, has fallen to what is asked.
  function saddle(loss, count, delta) {
    const span = count * (loss.x.at(-1) - loss.x[0]);
    let [low, high] = [Math.log(1e-6 / span), Math.log(1e12 / span)];
    for (let i = 0; i < 25; i++) {
      const sum = new Tilted(loss, Math.exp((low + high) / 2), count);
      const { theta, scale, deviation, mean } = sum;
      const falls = scale - Math.log1p(theta) - Math.log1p(2.5 * theta * deviation) <= Math.log(delta);
      if (mean >= 0 && falls) high = Math.log(theta);
      else low = Math.log(theta);
    }
    return new Tilted(loss, Math.exp(high), count);
  }

  // ---- sums of losses

  // cos and sin of all the angles of a transform.
  const circle = (size) =>
    [Math.cos, Math.sin].map((of) => Float64Array.from({ length: size / 2 }, (_, i) => of((2 * Math.PI * i) / size)));

  // The discrete Fourier transform in place; its size is a power of 2. With `im` and `re` changed about, the inverse one.
  function transform(re, im, [cos, sin]) {
    const size = re.length;
    for (let i = 1, j = 0; i < size; i++) {
      let bit = size >> 1;
      for (; j & bit; bit >>= 1) j ^= bit;
      j ^= bit;
      if (i < j) [re[i], re[j], im[i], im[j]] = [re[j], re[i], im[j], im[i]];
    }
    for (let half = 1, stride = size / 2; half < size; half *= 2, stride /= 2) {
      for (let start = 0; start < size; start += 2 * half) {
        for (let i = start, other = start + half, place = 0; i < start + half; i++, other++, place += stride) {
          const a = re[other] * cos[place] + im[other] * sin[place];
          const b = im[other] * cos[place] - re[other] * sin[place];
          re[other] = re[i] - a;
          im[other] = im[i] - b;
          re[i] += a;
          im[i] += b;
        }
      }
    }
  }

  // The sum's probabilities on a window of `size` points from `first` on, in lattice steps from `count` times the origin;
  // mass outside wraps around. With them a bound on the Euclidean norm of the rounding errors.
  function added({ r, index, count }, first, size) {
    const [re, im] = [new Float64Array(size), new Float64Array(size)];
    r.forEach((mass, i) => (re[(((i - index) % size) + size) % size] += mass));
    const angles = circle(size);
    transform(re, im, angles);
    let [squares, sum] = [0, 0];
    for (let i = 0; i <= size / 2; i++) {
      const norm = Math.log(re[i] * re[i] + im[i] * im[i]) / 2;
      const [power, angle] = [Math.exp(count * norm), count * Math.atan2(im[i], re[i])];
      re[i] = power * Math.cos(angle);
      im[i] = power * Math.sin(angle);
      if (i > 0) [re[size - i], im[size - i]] = [re[i], -im[i]]; // the masses are real numbers
      squares += 2 * (count * Math.max(TINY, Math.exp((count - 1) * norm))) ** 2;
      sum += 2 * power;
    }
    transform(im, re, angles);
    const unit = 4 * EPS * Math.log2(2 * size); // of one transform, at each frequency
    const masses = re.map((_, i) => Math.max(0, re[(((first + i) % size) + size) % size] / size));
    return { masses, error: unit * (Math.sqrt((2 * squares) / size) + (2 * sum) / Math.sqrt(size)) };
  }

  // The spacing at which the moves of `count` losses add a small part of an ε where -ln δ falls this steeply.
  const spacing = (epsilon, steepness, count) => Math.sqrt((8 * ACCURACY * epsilon) / ((steepness + 1) * count));

  // A lattice for a sum of losses: tilt, window and the finest spacing, at which neither has more than MOST points.
  function planned(pair, count, delta) {
    const level = Math.max((CUT * delta) / count, TINY);
    const guess = saddle(dots(pair, look(pair, level)), count, delta);
    const rates = guess.rates();
    const [bottom, top] = pair.support(level);
    const width = guess.reach(rates[1]) - guess.reach(rates[0]);
    const finest = (1.1 * Math.max(width, top - bottom)) / MOST;
    const wanted = spacing(Math.abs(guess.mean) + guess.deviation / 10, guess.theta, count);
    return { pair, count, guess, rates, bottom, top, finest, h: Math.max(finest, Math.min(wanted, width / 8192)) };
  }

  function composed({ pair, count, guess, rates, bottom, top, h }) {
    const points = Math.ceil((top - bottom) / h) + 1;
    const x = new Float64Array(points).map((_, i) => top - h * (points - 1 - i));
    const loss = dots(pair, x);
    const sum = new Tilted(loss, guess.theta, count);
    const [low, high] = rates.map((rate) => sum.reach(rate));
    const size = 2 ** Math.ceil(Math.log2((high - low) / h + 3));
    const first = Math.floor((low + sum.drift) / h);
    const rounding = EPS * count * (64 + 8 * guess.theta * Math.max(Math.abs(bottom), Math.abs(top)));
    return { h, sum, first, size, infinite: count * loss.infinite, rounding, ...added(sum, first, size) };
  }

  // The ε at which δ has come down to what is asked, from above: from the window's upper end down to where δ is passed; and
  // how steeply -ln δ falls there.
  function crossing({ h, sum, first, masses, error, infinite, rounding }, delta) {
    const { theta, scale, mean, drift } = sum;
    if (!(delta > infinite)) return NOTHING; // also where δ is too small for what the lattice leaves out
    const allowed = Math.log(delta - infinite) - scale - Math.log1p(rounding);
    const squares = 1 / (theta * (2 * theta + 1) * (2 * theta + 2)) / h; // the sum of those of exp(-θy)(1 - exp(-y))
    const rest = error * Math.sqrt(Math.min(masses.length, 1 + squares)) + 2 * Math.exp(-OUTSIDE);
    const [decay, faster, last] = [Math.exp(-theta * h), Math.exp(-(theta + 1) * h), masses.length - 1];
    const place = (i) => (first + i) * h - drift; // from the mean
    let [one, other] = [0, 0]; // sums over the points beyond: of exp(-θy), and of exp(-(θ+1)y)
    for (let i = last; i >= 0; i--) {
      const [nearer, farther] = [one * decay, other * faster];
      const most = Math.exp(allowed + theta * place(i));
      const found = { epsilon: mean + place(i + 1), steepness: farther / (nearer - farther) };
      if (nearer - farther + rest + nearer * EPS * (64 + 8 / (theta * h)) > most) return i < last ? found : NOTHING;
      if (mean + place(i) <= 0) return { epsilon: 0 };
      [one, other] = [nearer + masses[i], farther + masses[i]];
    }
    return { epsilon: mean + place(0) };
  }

  // Where δ falls more steeply than the first look told, as beside a few large losses, the lattice is made finer.
  function together(pair, count, delta) {
    const plan = planned(pair, count, delta);
    const found = crossing(composed(plan), delta);
    const wanted = Math.max(plan.finest, spacing(found.epsilon, found.steepness, count), plan.h / 16);
    const { epsilon } = wanted < plan.h / 1.5 ? crossing(composed({ ...plan, h: wanted }), delta) : found;
    return epsilon && epsilon + EPS * count * Math.max(Math.abs(plan.bottom), Math.abs(plan.top)); // points are rounded
  }

  // One loss alone needs no lattice.
  function alone(pair, delta) {
    const enough = (x) => {
      const [s, t] = pair.tails(x);
      return s - t + 2 * slack(s) <= delta;
    };
    let [low, high] = [0, pair.support(Math.max(CUT * delta, TINY))[1]];
    if (high <= 0 || enough(0)) return 0;
    if (!enough(high)) return Infinity;
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2;
      if (enough(middle)) high = middle;
      else low = middle;
    }
    return high;
  }

  const PAIRS = {
    poisson: ({ sigma, q }) => [new Sampled(sigma, q, false), new Sampled(sigma, q, true)],
    fixed: ({ sigma, q }) => [new Replaced(sigma, q)],
  };

  // ε of a run of DP-SGD, from above, where it samples.
  function epsilon(sampler, run) {
    const { steps, q, delta } = run;
    if (q >= 1 || steps > MOST_STEPS) return Infinity;
    const found = PAIRS[sampler](run).map((pair) => (steps === 1 ? alone(pair, delta) : together(pair, steps, delta)));
    const most = Math.max(...found);
    return most && most * (1 + 1e-12) + 8 * EPS * steps;
  }

  return { epsilon };
})();
