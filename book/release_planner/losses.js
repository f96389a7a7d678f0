// ε of composed privacy losses, from above and fast enough to answer while somebody types. Tests compare it with exact ε.
//
// 1. A mechanism is known by its profile δ(ε) = S(ε) - T(ε), S = P(L > ε), T = exp(ε) Q(L > ε), L the privacy loss. Each
//    loss moves to the two points beside it, so that the masses of P and of Q stay what they are. The profile becomes its
//    own chords in exp(ε), and does not fall (Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022). Where rounding could
//    take mass from the upper point, more goes there.
// 2. One more answer is added, with Gaussian noise of a tiny μ. This cannot lower δ.
// 3. Let F(z) = E exp(zS) = M(z)^count exp(μ²(z + z²)/2), M that of one loss, and g(ε) = exp(θε) δ(ε) for a tilt θ > 0. By
//    Poisson's summation formula, for every period w and with z = θ + 2πij/w,
//        the sum of g(ε + kw) over all integers k = the sum of exp((θ - z) ε) F(z) / (z (z + 1)) / w over all integers j.
//    No g is negative, so the right side is at least g(ε). As F falls fast by step 2, a few thousand j are enough. Bounds on
//    the other terms and on rounding are added.
// So all points, μ, θ and w give an upper bound. How they are chosen decides only how close it is.
"use strict";

globalThis.deskLosses = (() => {
  const { ndtr, ndtri, erfcx } = live.trace.functions;
  const EPS = 2 ** -52;
  const MOST_STEPS = 1e9; // beyond, rounding would leave no close bound
  const CUT = 1e-4; // of δ: all that the losses beyond the points are worth together
  const TINY = 1e-307;
  const LOOK = 512; // points of a first look at a loss
  const ROUNDS = 4; // at most
  const ACCURACY = 3e-4; // aimed at, relative to ε, by the points and once more by the noise
  const OUTSIDE = 16; // about e^-16 of the sum wraps around
  const FAR = 7; // the frequency, in units of 1/μ, from which on terms are left out
  const MOST_POINTS = 4096;
  const MOST_FREQUENCIES = 16384;
  const ANEW = 32; // rotations after which the angle is computed again

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

  // Halves an interval around where `enough` begins to hold; its upper end.
  function halved(low, high, enough, times) {
    for (let i = 0; i < times; i++) {
      const middle = (low + high) / 2;
      if (enough(middle)) high = middle;
      else low = middle;
    }
    return high;
  }

  // ---- one loss on points

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

  const inOrder = (points) => Float64Array.from(points.filter((x, i) => i === 0 || x > points[i - 1]));

  // Points of a loss that lie as close as it is dense.
  const look = (pair, level) => inOrder(pair.nodes(level).sort((a, b) => a - b));

  // The sum S of `count` losses, tilted by exp(θS): the probabilities r and mean m of one loss, S's mean and deviation, and
  // `scale`, ln E exp(θ (S - mean)). At `epsilon`, exp(-zε) F(z) / (z (z + 1)) has its saddle point at θ, and from there
  // `logDelta` is about ln δ.
  function tilted({ x, p }, theta, count) {
    const exponents = p.map((mass, i) => Math.log(mass) + theta * x[i]);
    const most = exponents.reduce((a, b) => Math.max(a, b));
    const masses = exponents.map((one) => Math.exp(one - most));
    const total = masses.reduce((a, b) => a + b);
    const r = masses.map((one) => one / total);
    const m = r.reduce((all, one, i) => all + one * x[i], 0);
    const variance = count * r.reduce((all, one, i) => all + one * (x[i] - m) ** 2, 0);
    const deviation = Math.sqrt(variance) + TINY;
    const [mean, scale] = [count * m, count * (Math.log(total) + most - theta * m)];
    const ahead = 1 / theta + 1 / (theta + 1);
    const curvature = 2 * Math.PI * (variance + 1 / theta ** 2 + 1 / (theta + 1) ** 2);
    const logDelta = scale + theta * ahead - Math.log(theta * (theta + 1)) - Math.log(curvature) / 2;
    return { x, r, m, theta, count, mean, deviation, scale, epsilon: mean - ahead, logDelta };
  }

  // The loss with the least tilt that is enough.
  function leastTilt(loss, count, enough) {
    const [bottom, top] = [loss.x[0], loss.x.at(-1)];
    const span = count * Math.max(top - bottom, 1e-6 * Math.abs(top), 1e-140);
    const tiltedBy = (log) => tilted(loss, Math.exp(log), count);
    return tiltedBy(halved(Math.log(1e-6 / span), Math.log(1e12 / span), (log) => enough(tiltedBy(log)), 25));
  }

  // More points, where they lower ε most. A cell of width w and tilted probability r adds about count (θ + 1) r w²/12 to ε,
  // and 1/n² of it in n pieces. For a given number of points, n proportional to the cube root of r w² is best.
  function closer({ x, r, theta, count }, size) {
    const need = x.map((one, i) => (i === 0 ? 0 : Math.cbrt((r[i] + r[i - 1]) * (one - x[i - 1]) ** 2)));
    const all = need.reduce((a, b) => a + b);
    const cells = Math.min(MOST_POINTS, Math.sqrt((count * (theta + 1) * all ** 3) / (12 * ACCURACY * size)));
    const points = [x[0]];
    for (let i = 1; i < x.length; i++) {
      const pieces = Math.ceil((cells * need[i]) / all);
      for (let j = 1; j < pieces; j++) points.push(x[i - 1] + ((x[i] - x[i - 1]) * j) / pieces);
      points.push(x[i]);
    }
    return inOrder(points);
  }

  // ---- sums of losses

  // How far above the mean Chernoff's bound leaves e^-16 of the tilted sum.
  function reach({ x, r, m, count, deviation }) {
    const end = x.at(-1);
    const bounds = Array.from({ length: 10 }, (_, i) => {
      const rate = 7 / deviation / 2 ** i;
      const each = r.reduce((all, one, j) => all + one * Math.exp(rate * (x[j] - end)), 0);
      return (count * (Math.log(each) + rate * (end - m)) + OUTSIDE) / rate;
    });
    return Math.min(count * (end - m), ...bounds);
  }

  // E exp(iu(L - m)) of a tilted loss at the frequencies u = 0, step, 2 step, ..., `number` step: real and imaginary parts.
  function characteristic({ x, r, m }, step, number) {
    const [re, im] = [new Float64Array(number + 1), new Float64Array(number + 1)];
    for (let i = 0; i < x.length; i++) {
      const angle = step * (x[i] - m);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      let [c, s] = [0, 0];
      for (let j = 0; j <= number; j++) {
        if (j % ANEW === 0) {
          c = r[i] * Math.cos(j * angle);
          s = r[i] * Math.sin(j * angle);
        }
        re[j] += c;
        im[j] += s;
        const next = c * cos - s * sin;
        s = c * sin + s * cos;
        c = next;
      }
    }
    return [re, im];
  }

  // The terms of Poisson's formula over exp(scale - θ (ε - mean)): their sizes, and phases at the mean. `rest` bounds the other
  // terms and all rounding.
  function terms(sum, delta, size) {
    const { theta, count, deviation, mean } = sum;
    const period = Math.max(reach(sum) + 2 * deviation, (OUTSIDE - Math.log(delta)) / theta);
    const step = (2 * Math.PI) / period;
    const number = Math.ceil(Math.min(MOST_FREQUENCIES, FAR / step / Math.sqrt((ACCURACY * size) / (theta + 1))));
    const mu = FAR / number / step; // beyond, at most the integral of exp(-μ²u²/2)/u²/π is left
    const [re, im] = characteristic(sum, step, number);
    const [sizes, phases] = [new Float64Array(number + 1), new Float64Array(number + 1)];
    let rest = Math.exp(-(FAR ** 2) / 2) / (Math.PI * number * step);
    for (let j = 0; j <= number; j++) {
      const u = j * step;
      const [a, b] = [theta * (theta + 1) - u * u, (2 * theta + 1) * u]; // of z (z + 1)
      const weight = ((j === 0 ? 1 : 2) * Math.exp((-mu * mu * u * u) / 2)) / Math.hypot(a, b) / period;
      const norm = Math.hypot(re[j], im[j]);
      const error = EPS * (sum.x.length / 2 + 4 * ANEW + u * deviation); // of a sum of rotations
      sizes[j] = weight * norm ** count;
      phases[j] = count * Math.atan2(im[j], re[j]) - Math.atan2(b, a);
      rest += weight * count * error * (norm + error) ** (count - 1);
      rest += sizes[j] * EPS * (number + u * (period + Math.abs(mean)));
    }
    return { step, mu, sizes, phases, rest };
  }

  // The ε at which the bound on δ has fallen to what is allowed, found by halving between 0 and Chernoff's bound.
  function crossing({ theta, mean, scale }, { step, mu, sizes, phases, rest }, allowed, rounding) {
    const middle = mean + mu * mu * (theta + 0.5);
    const most = Math.log(allowed) - scale + (mu * theta) ** 2 / 2 - rounding;
    const enough = (epsilon) => {
      const y = epsilon - middle;
      const all = sizes.reduce((total, one, j) => total + one * Math.cos(phases[j] - j * step * y), rest);
      return all <= Math.exp(most + theta * y);
    };
    if (enough(0)) return 0;
    const chernoff = middle - (most + Math.log1p(theta) + theta * Math.log1p(1 / theta)) / theta;
    return halved(0, Math.max(0, chernoff), enough, 50);
  }

  // Each round takes the points, the tilt and the noise for the ε that the round before has found.
  function together(pair, count, delta) {
    const [s, t] = pair.tails(0);
    if (count * (s - t + 2 * slack(s)) <= delta) return 0; // δ is at most the sum of the δ of all steps
    const level = Math.max((CUT * delta) / count, TINY);
    let [points, least, size] = [look(pair, level), Infinity, 0];
    const furthest = Math.max(...points.map(Math.abs));
    for (let round = 0; round < ROUNDS && least > 0; round++) {
      const loss = dots(pair, points);
      const allowed = delta - count * loss.infinite;
      if (!(allowed > 0)) return Infinity; // δ is too small for what the points leave out
      const sum = leastTilt(loss, count, ({ epsilon, logDelta }) =>
        round > 0 ? epsilon >= least : epsilon >= 0 && logDelta <= Math.log(delta),
      );
      const rounding = EPS * count * (64 + points.length - 4 * Math.log(level) + 8 * sum.theta * furthest);
      size ||= Math.abs(sum.epsilon) + sum.deviation / 10;
      const found = crossing(sum, terms(sum, delta, size), allowed, rounding);
      if (found < least) least = found; // not if it is NaN
      if (round > 0 && least > 0.9 * size) break;
      size = least;
      points = closer(sum, size);
    }
    return least && least + 2 * EPS * count * furthest; // the mean is rounded
  }

  // One loss alone needs no points, because its profile is known.
  function alone(pair, delta) {
    const enough = (x) => {
      const [s, t] = pair.tails(x);
      return s - t + 2 * slack(s) <= delta;
    };
    const [, high] = pair.support(Math.max(CUT * delta, TINY));
    if (high <= 0 || enough(0)) return 0;
    return enough(high) ? halved(0, high, enough, 60) : Infinity;
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
