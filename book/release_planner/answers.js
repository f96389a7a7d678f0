// From the values of a task to its answer: plays dp_lib's tapes (accounts.py), composes the losses of training (losses.js),
// and writes the answer, rounded to the safe side, with the sentence to publish. No formula stands here but sums of counts
// and searches among answers, and nothing here knows a document: the tests run it under node.
"use strict";

globalThis.deskAnswers = (() => {
  const { typed: written } = live.numbers;

  // ---- tapes

  class Player {
    constructor({ operations, outputs, inputs }) {
      const { Player: Trace, unpacked } = live.trace;
      Object.assign(this, { tape: new Trace(unpacked(operations)), outputs, inputs });
    }

    at(name, given) {
      for (const input of this.inputs[name]) this.tape.set(input, given[input]);
      return this.tape.get(this.outputs[name]);
    }
  }

  const players = {};
  let page = {}; // the samplers, the rows' labels and dp_lib's version
  const answer = (where, name, given) => players[where].at(name, given);

  function load({ tapes, ...rest }) {
    for (const [name, tape] of Object.entries(tapes)) players[name] = new Player(tape);
    page = rest;
  }

  function loadTraining(tape) {
    players.train = new Player(tape);
  }

  // ---- numbers as they are written

  const TOO_LARGE = "too large to be represented";

  // Digits that hold in the safe direction: the next number of four digits, up or down, that x does not pass.
  function rounded(x, down = false, digits = 4) {
    if (x === Infinity) return TOO_LARGE;
    if (!Number.isFinite(x)) return "—";
    if (x === 0) return "0";
    if (Math.abs(x) < 1e6) digits = Math.max(digits, 1 + Math.floor(Math.log10(Math.abs(x))));
    let [mantissa, exponent] = x.toExponential(digits - 1).split("e");
    const passed = down ? Number(`${mantissa}e${exponent}`) > x : Number(`${mantissa}e${exponent}`) < x;
    if (passed) {
      const units = Math.round(Number(mantissa) * 10 ** (digits - 1)) + (down ? -1 : 1);
      [mantissa, exponent] = Number(`${units}e${Number(exponent) - digits + 1}`)
        .toExponential(digits - 1)
        .split("e");
    }
    const value = Number(`${mantissa}e${exponent}`);
    const bare = (text) => text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
    if (value < 1e-3 || value >= 1e6) return `${bare(mantissa)}e${exponent.replace("+", "")}`;
    return bare(value.toFixed(Math.max(0, digits - 1 - Number(exponent))));
  }

  const isOrAtMost = (x) => (Number(rounded(x)) === x ? rounded(x) : `at most ${rounded(x)}`);

  // A product without the dust that 3 · 0.2 = 0.6000000000000001 has; of a probability, 1 at most.
  const clean = (x) => Number(x.toPrecision(15));
  const manifold = (times, probability) => Math.min(1, clean(times * probability));

  // A number that somebody typed: as it is if it is short, such as 18.9, else rounded up, as 1/60000 is, to 1.667e-5. A line of
  // code has all of its digits.
  const isShort = (x) => Number(written(x)) === x && written(x).length <= 10;
  const short = (x) => (isShort(x) ? written(x) : rounded(x));
  const asWritten = (x) => Number(short(x));
  const exactly = (x) => (Number(written(x)) === x ? written(x) : String(x));

  const count = (number, one, many = `${one}s`) => `${written(number)} ${number === 1 ? one : many}`;
  const severally = (times, text) => (times > 1 ? text : "");

  const raised = (power) => String(power).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);

  // A small probability in words, never as less than it is: "1 in a million", "30 in 100".
  function inWords(probability) {
    if (probability >= 0.1) return `${Math.min(100, Math.ceil(100 * probability * (1 - 1e-12)))} in 100`;
    const among = (1 / probability) * (1 + 1e-12);
    if (among < 1e6) return `1 in ${rounded(Math.floor(among), true)}`;
    if (among >= 1e15) return `1 in 10${raised(Math.floor(Math.log10(among)))}`;
    const [unit, name] = among < 1e9 ? [1e6, "million"] : among < 1e12 ? [1e9, "billion"] : [1e12, "trillion"];
    const units = Math.floor(among / unit);
    return `1 in ${units === 1 ? "a" : units} ${name}`;
  }

  const some = (epsilon) => (epsilon > 0 ? Math.max(epsilon, 1e-15) : 0); // exp of less would be 1
  const factor = (epsilon) => (epsilon > 700 ? `e^${written(epsilon)}` : rounded(Math.exp(some(epsilon))));

  // ---- what makes a guarantee weak, or void

  const NO_SENTENCE = "No sentence to publish";
  const MOST_DELTA = 0.01;
  const LARGE_DELTA = 1e-4;
  const CLOSE_TO_N = 0.7; // times 1/n
  const MOST_EPSILON = 50;
  const LARGE_EPSILON = 20;
  const RAREST_LIE = 1e-9; // of randomized response, whose probability of the truth is written to 13 digits

  // What a large δ lets out: one of n, and a share of all.
  const EXPOSED = {
    people: [
      "all data of one randomly drawn person to be published",
      (share) => `all data of ${share} people to be published`,
    ],
    examples: [
      "one randomly drawn example to be published in full",
      (share) => `${share} examples to be published in full`,
    ],
  };

  // Each doubt in words; a void guarantee has no sentence to publish. n is the number of people or of examples, where it is
  // known, and `one` the ε of one of several times.
  function doubts({ epsilon, one = epsilon, delta, n, lie = 1, unit = "people" }) {
    const found = [];
    const doubt = (isVoid, text) => found.push({ isVoid, text });
    const at = `δ = ${short(delta)}`;
    const shown = asWritten(delta);
    const [single, all] = EXPOSED[unit];
    if (delta > 0 && shown >= 1 / n) {
      doubt(true, `${at} is not below 1/n = 1/${written(n)}, so it allows ${single}`);
    } else if (delta > CLOSE_TO_N / n && delta < LARGE_DELTA) {
      doubt(false, `${at} is close to 1/n = 1/${written(n)}; a δ of a hundredth of 1/n or less is usual`);
    } else if (delta >= MOST_DELTA) {
      doubt(true, `${at} is so large that it allows ${all(inWords(shown))}`);
    } else if (delta >= LARGE_DELTA) {
      doubt(false, `${at} is large, since it allows ${all(inWords(shown))}`);
    }
    if (delta > 0 && one === 0) {
      doubt(
        false,
        `ε is 0 only because ${at} covers the whole loss, so choose a smaller δ to see what the noise gives`,
      );
    } else if (Math.tanh(one / 2) <= delta) {
      doubt(
        false,
        `${at} carries this promise, because δ alone lets the probability of an event differ by as much as ε alone, or by more`,
      );
    }
    if (lie < RAREST_LIE) {
      doubt(true, `a false answer would be rarer than ${inWords(RAREST_LIE)}, so nearly every answer is the truth`);
    }
    if (epsilon > MOST_EPSILON) {
      doubt(true, `ε = ${rounded(epsilon)} gives no useful limit, since exp(ε) exceeds 10²¹`);
    } else if (epsilon > LARGE_EPSILON) {
      doubt(
        false,
        `ε = ${rounded(epsilon)} is weak, since an attacker's odds can be multiplied by ${factor(Number(rounded(epsilon)))}`,
      );
    }
    return found;
  }

  // The doubts of an answer as it stands, put where a reader cannot miss them: a row of their own, the line at the top,
  // and the sentence, which is not offered where nothing is promised.
  function doubted(found, task) {
    const all = doubts(task);
    if (!all.length) return found;
    const text = all.map((one) => one.text).join("; ");
    const isVoid = all.some((one) => one.isVoid);
    const rest = isVoid ? { belief: [NaN, ""], tenth: [NaN, ""] } : {};
    const reason = `This promises too little to be published as a guarantee: ${text}.`;
    const sentence = isVoid ? { heading: NO_SENTENCE, sentence: reason } : {};
    return { ...found, ...rest, ...sentence, warning: [NaN, text] };
  }

  // The sentence's own warning; a void guarantee has none, since its sentence is taken away.
  const warned = (task) =>
    doubts(task)
      .map(({ text }) => ` Warning: ${text}.`)
      .join("");

  // ---- the parts of a sentence

  const neighbours = (v) =>
    v.neighbours === "replace" ? "one person, who is replaced by another" : "one person, who is added or removed";
  const DATA = "Data: [name of the data], as of [reference date].";
  const PERSON = "A person is [say who or what counts as one, for example one resident with all their records].";
  const ENFORCED = "These limits are enforced by [name the program], which drops or clips what exceeds them.";
  const ANSWERS_DROPPED = "This limit is enforced by [name the program], which drops the answers that exceed it.";
  const LATER =
    "Afterwards, the results were [say whether they were rounded, made non-negative or fitted to totals, or write: not changed].";
  const drawn = (mechanism) =>
    mechanism === "gaussian" || mechanism === "laplace"
      ? "Noise drawn by [name the sampler, and say how its noisy numbers are rounded]."
      : "Noise drawn by [name the sampler].";
  const closing = (accounting, mechanism) =>
    `Accounting: ${accounting}, dp_lib ${page.version}. ${drawn(mechanism)} Other releases from the same data: [name them, or write none].`;

  // What (ε, δ) says, in words; `otherwise` is the same data but for one person.
  function inPlainWords(epsilon, shown, delta, otherwise) {
    const plus = delta > 0 ? `, plus δ = ${short(delta)} (${inWords(asWritten(delta))})` : "";
    const times = epsilon === 0 ? "" : `exp(ε) = ${factor(Number(shown))} times `;
    const most = `at most ${times}what it would be ${otherwise}${plus}`;
    const event = "In other words, take anything that an attacker may look for in the published results.";
    return `DP stands for differential privacy. ${event} The probability that the attacker finds it is ${most}.`;
  }

  const otherwise = (v) =>
    v.neighbours === "remove"
      ? "with any one person added or removed"
      : "with any one person's data replaced by other data";

  // Where the planner is not told how many there are.
  const tooMany = (delta) => `1/δ = ${rounded(clean(1 / asWritten(delta)), true)}`;

  function fewerThan(delta, unit) {
    const number = `[number of ${unit} in the data, which must be below ${tooMany(delta)}]`;
    return `There are at most ${number} ${unit} in the data, so δ is below 1 divided by this number.`;
  }

  // Lines that print the numbers shown, each of a call and rounded to the same side: [call, value, shown]. What is shown in
  // full is `exact`, since the double that Python has for 0.1 is a little more than 0.1.
  function inPython(...numbers) {
    const calls = numbers.map(([call]) => call).join();
    const modules = [...new Set(calls.match(/\b(approx|dp_sgd|gdp|pure|rdp|zcdp)\b(?=\.)/g)), "say"].sort();
    const lines = numbers.map(([call, value, shown, side = "at_most"]) => {
      const [mantissa, power] = shown.split("e");
      const digits = (mantissa.split(".")[1] ?? "").length;
      if (Number(shown) === clean(value)) return `print(say.exact(${call}, ${Math.max(0, digits - (power ?? 0))}))`;
      return `print(say.${side}(${call}, ${digits}${power ? ', "e"' : ""}))`;
    });
    return [`from dp_lib import ${modules.join(", ")}`, ...lines].join("\n");
  }

  // The ε of all times together, of one that is written so, where there are several.
  const allTimes = ({ times }, one, epsilon) =>
    times > 1 ? [[`pure.repeat(${one}, ${times})`, times * epsilon, rounded(clean(times * epsilon))]] : [];

  const NO_OPACUS = "# Opacus accounts for Gaussian noise only.";
  const opacus = ([sigma, rate, steps], delta, note, times = 1) => {
    const print = (all, words) =>
      `accountant.history = [(${sigma}, ${rate}, ${all * steps})]\nprint(accountant.get_epsilon(${exactly(delta)}))  # ${words}`;
    const together = times > 1 ? `\n${print(times, `all ${times} times together`)}` : "";
    return `from opacus.accountants import RDPAccountant\naccountant = RDPAccountant()\n${print(1, note)}${together}`;
  };
  const WIDTH = "up to the width of its lattice";
  const LATTICE = `exact ${WIDTH}`;
  const NO_DELTA = 1e-15; // as small as it takes one
  const NEARLY_PURE = `at δ = ${NO_DELTA}; can be far below the ε of δ = 0`;
  const peerPld = (call, delta, note, { uses = 1, times = 1, but = "" } = {}) => {
    const print = (loss, words) => `print(${loss}.get_epsilon_for_delta(${exactly(delta)}))  # ${words}`;
    const composed = uses > 1 ? `.self_compose(${uses})` : "";
    const all = `all ${times} times together${but}`;
    const together = times > 1 ? `\n${print(`loss.self_compose(${times})`, all)}` : "";
    const first = "from dp_accounting.pld import privacy_loss_distribution as pld";
    return `${first}\nloss = pld.${call}${composed}\n${print("loss", note)}${together}`;
  };

  const purePeer = (call, uses, times) =>
    peerPld(call, NO_DELTA, uses > 1 ? NEARLY_PURE : `the ε of δ = 0, ${WIDTH}`, {
      uses,
      times,
      but: `, ${NEARLY_PURE}`,
    });

  // ---- "I release answers" and "I have a target"

  const WORDS = {
    gaussian: "Gaussian noise",
    laplace: "Laplace noise",
    discrete: "discrete Gaussian noise",
    counts: ["count", "counts"],
    histogram: ["cell of a histogram", "cells of a histogram"],
    sums: ["sum", "sums"],
    means: ["mean", "means"],
  };

  // A target may be for all the times together: their losses add up as answers do.
  function release(task) {
    const repeats = task.door === "target" && task.spread === "all" ? task.times : 1;
    const v = repeats === 1 ? { ...task, repeats } : { ...task, repeats, times: 1 };
    const found = v.mechanism === "coins" || v.mechanism === "best" ? each(v) : noisy(v);
    return repeats === 1 ? found : { ...found, holds: `for each of ${repeats} times` };
  }

  function noisy(v) {
    const n = v.what === "means" ? v.n : 1;
    const counted = v.rows !== undefined;
    const [low, high] = [(counted ? 0 : v.low) / n, (counted ? v.rows : v.high) / n];
    const means = v.what === "means";
    const given = { low, high, k: v.k, m: v.m, replace: Number(v.neighbours === "replace"), always: Number(means) };
    return v.mechanism === "laplace" ? byLaplace(v, given) : byGaussian(v, given);
  }

  // What is clipped to 5 … 10 is still 0 of a person who is missing, also before or after another has replaced them.
  const absent = (v) =>
    v.what === "sums" && v.neighbours === "replace" && (v.low > 0 || v.high < 0)
      ? "; a person can also be missing from a sum, and then adds 0 to it"
      : "";

  const norm = (v, given, name) =>
    name === "l1"
      ? clean(v.repeats * answer("moves", "l1", given))
      : Math.sqrt(clean(v.repeats * answer("moves", "l2", given) ** 2)); // 3, not 2.9999999999999996

  // What is doubted of a release: after all its times, and for the people where their number is known.
  const doubtful = (v, epsilon, delta, total) => ({
    epsilon: v.times > 1 ? Math.max(epsilon, total) : epsilon,
    one: epsilon,
    delta,
    n: v.what === "means" ? v.n : undefined,
  });

  // What is released, and how much of it is one person's.
  function released(v) {
    if (v.what === "tables") return `${count(v.k, "cell")} of ${count(v.tables, "table")}`;
    return count(v.k, ...WORDS[v.what]) + (v.what === "means" ? ` over ${count(v.n, "person", "people")}` : "");
  }

  function shareOf(v, given) {
    const one = v.k === 1 || given.m === 1 ? "it" : "each of them";
    const bounds =
      v.rows === undefined
        ? `with values clipped to ${written(v.low)} … ${written(v.high)}`
        : `and changes ${v.what === "tables" ? "that cell" : one} by at most ${written(v.rows)}`;
    if (v.what === "tables")
      return `Each person is in one cell of ${v.tables === 1 ? "the table" : "each table"} ${bounds}.`;
    const every = v.k === 2 ? "both of them" : `all ${v.k} of them`;
    const all = v.what === "means" ? every : `at most ${given.m} of them`;
    return `Each person is in ${v.k === 1 ? "it" : all} ${bounds}.`;
  }

  // The sentence to publish.
  function published(v, given, { noise, reach, sensitivity, promise, accounting, total, words, doubt }) {
    const several = v.k * v.repeats > 1;
    const often = severally(v.repeats, ` ${v.repeats} times`);
    const unknown = doubt.delta > 0 && doubt.n === undefined ? ` ${fewerThan(doubt.delta, "people")}` : "";
    const each = v.repeats > 1 ? ", each time with" : v.k > 1 ? ", each with" : " with";
    return [
      `${DATA} ${PERSON} The release has ${released(v)}${often && `, published${often}`}${each} ${noise}.`,
      `${shareOf(v, given)} ${ENFORCED} Neighbouring data differ by ${neighbours(v)}. ` +
        `The ${sensitivity}${several ? " (for all answers together)" : ""},`,
      `and the release${often && ", all times together,"} is ${promise}.`,
      `${words}${unknown}${v.what === "means" ? ` ${publicNumber(v.n, "people")}` : ""}${cells(v)}${oneOf(v, total)}${warned(doubt)}`,
      `In 95 of 100 answers, the noise is within ±${reach}. ${closing(accounting, v.mechanism)} ${LATER}`,
    ].join(" ");
  }

  const oneOf = (v, total) =>
    severally(
      v.times,
      ` This promise is for one of ${v.times} such releases. For all ${v.times} together, ε is ${total}.`,
    );

  const publicNumber = (n, unit) => `The number of ${unit}, ${written(n)}, is treated as public and is not protected.`;

  // Which cells there are must not depend on the people.
  const cells = (v) =>
    v.what === "histogram" || v.what === "tables"
      ? " The cells were fixed before anybody looked at the data, and empty cells are published too."
      : "";

  function errors(v, deviation, interval) {
    return {
      deviation: [deviation, rounded(deviation)],
      interval: [interval, rounded(interval)],
      relative: [interval / v.typical, v.typical ? `± ${rounded((100 * interval) / v.typical)} %` : ""],
    };
  }

  // ---- beliefs

  const belief = (epsilon, odds = 1) => 1 / (1 + Math.exp(-some(epsilon)) / odds);
  const percent = (x) => (x > 0.9999 ? "more than 99.99 %" : `${Math.ceil(x * 1e4) / 100} %`);
  const beliefs = (shown, but = "") => {
    const [even, ninth] = [belief(Number(shown)), belief(Number(shown), 1 / 9)];
    return { belief: [even, percent(even) + but], tenth: [ninth, percent(ninth) + but] };
  };

  // ---- Laplace noise

  function byLaplace(v, given) {
    const isTarget = v.door === "target";
    const l1 = norm(v, given, "l1");
    const found = isTarget ? answer("laplace", "scale", { l1, epsilon: v.epsilon }) : v.scale;
    const scale = isTarget ? Number(rounded(found)) : found;
    const epsilon = isTarget ? v.epsilon : answer("laplace", "pure", { l1, scale });
    const noise = isTarget ? rounded(found) : written(scale);
    const eps = isTarget ? short(epsilon) : rounded(epsilon);
    const answers = pureAnswers(v, epsilon, eps, answer("laplace", "pure-rho", { epsilon }));
    const doubt = doubtful(v, epsilon, 0, v.times * epsilon);
    const sentence = published(v, given, {
      noise: `Laplace noise of scale b = ${noise}`,
      reach: rounded(Math.log(20) * scale),
      sensitivity: `L1 sensitivity is ${isOrAtMost(l1)}`,
      promise: `ε-DP with ε = ${eps}`,
      accounting: "the Laplace mechanism's exact ε",
      total: answers.total[1],
      words: inPlainWords(epsilon, eps, 0, otherwise(v)),
      doubt,
    });
    const inCode = isTarget ? noise : exactly(scale);
    const call = isTarget ? `pure.scale(${exactly(v.epsilon)}, ${l1})` : `pure.laplace(${inCode}, ${l1})`;
    const rows = {
      main: isTarget ? "scale" : "epsilon",
      ...answers,
      scale: [found, noise],
      instead: isTarget ? withGaussian(v, given) : [NaN, ""],
      sensitivity: [l1, `${rounded(l1)} (L1)${absent(v)}`],
      ...errors(v, Math.SQRT2 * scale, Math.log(20) * scale),
      sentence,
      python: inPython(
        isTarget ? [call, found, noise] : [call, epsilon, eps],
        ...allTimes(v, isTarget ? exactly(v.epsilon) : call, epsilon),
      ),
      opacus: NO_OPACUS,
      "dp-accounting": purePeer(`from_laplace_mechanism(${inCode}, sensitivity=${l1})`, 1, v.times),
    };
    return doubted(rows, doubt);
  }

  // The same target met with the other noise.
  function withLaplace(v, given) {
    const scale = answer("laplace", "scale", { l1: norm(v, given, "l1"), epsilon: v.epsilon });
    return [
      scale,
      `Laplace noise of b = ${rounded(scale)}, within ±${rounded(Math.log(20) * Number(rounded(scale)))}, and no δ is needed`,
    ];
  }

  function withGaussian(v, given) {
    if (v.delta === 0) return [NaN, "Gaussian noise needs a δ above 0; enter one to see how much noise that is"];
    const sigma = answer("gaussian", "sigma", { l2: norm(v, given, "l2"), epsilon: v.epsilon, delta: v.delta });
    const reach = rounded(within(Number(rounded(sigma)), false));
    return [sigma, `Gaussian noise of σ = ${rounded(sigma)}, within ±${reach}, at δ = ${short(v.delta)}`];
  }

  // A row of the accounts that is computed at a δ.
  const accountAt = (delta, name, [where, what, given], kind, more = "") =>
    delta > 0
      ? [`${name} at δ = ${short(delta)}${more}`, answer(where, what, given), "", kind]
      : [`${name}${more}`, NaN, "none", "needs a δ above 0"];

  // An ε-DP release, whichever way its answers move, and its ρ for adding up: that of the answers where they have one.
  function pureAnswers(v, epsilon, shown, rho) {
    const { delta, times } = v;
    const other = answer("coins", "rho-total", { rho, delta, times });
    const mayBePublished = asWritten(delta) < Math.min(LARGE_DELTA, CLOSE_TO_N / (v.n ?? 1)); // without a warning
    const ifFewer = v.n === undefined ? `, if the data are of fewer than ${tooMany(delta)} people` : "";
    const byZcdp =
      mayBePublished && other < times * epsilon
        ? `; or, with δ = ${short(delta)}, ${rounded(other)} by zCDP${ifFewer}`
        : "";
    return {
      epsilon: [epsilon, shown],
      delta: [0, "0"],
      binding: [NaN, "ε-DP: the loss is never more than ε, and no δ is needed"],
      ...beliefs(shown),
      beyond: [0, "0, never"],
      total: [times * epsilon, severally(times, `${rounded(clean(times * epsilon))}${byZcdp}`)],
      accounts: [
        ["ε-DP", epsilon, shown, "exact"],
        accountAt(delta, "(ε, δ)-DP", ["laplace", "pure-tight", { epsilon, delta }], "bound", ", for any ε-DP release"),
        ["zCDP: ρ", rho, "", "bound, for adding up with other releases"],
      ],
    };
  }

  // ---- Gaussian noise

  // The bound on 95 of 100 answers. Discrete noise has the least whole number that suffices: up to σ = 10^5 by summing, and
  // beyond by the integral from -w - 1/2 to w + 1/2, which is then a little less than the sum.
  function within(sigma, discrete) {
    const continuous = 1.959964 * sigma;
    if (!discrete) return continuous;
    if (sigma > 1e5) return Math.ceil(continuous - 0.5);
    const mass = (x) => Math.exp(-0.5 * (x / sigma) ** 2);
    let all = 1;
    for (let x = Math.ceil(10 * sigma); x > 0; x--) all += 2 * mass(x);
    let [w, near] = [0, 1];
    while (near < 0.95 * all * (1 + 1e-12)) near += 2 * mass(++w);
    return w;
  }

  // The numbers of a Gaussian release, of continuous or of discrete noise.
  function gaussianNumbers(v, given) {
    const l2 = norm(v, given, "l2");
    const { delta, times } = v;
    const discrete = v.mechanism === "discrete";
    const isTarget = v.door === "target";
    const search = { epsilon: discrete ? "sigma-discrete" : "sigma", rho: "sigma-rho", mu: "sigma-mu" }[v.goal];
    const found = isTarget ? answer("gaussian", search, { l2, ...v }) : v.sigma;
    const noise = isTarget ? rounded(found) : written(found);
    const at = { l2, sigma: isTarget ? Number(noise) : found, delta, times };
    const reached = answer("gaussian", discrete ? "zcdp-tight" : "exact", at);
    const asked = isTarget && v.goal === "epsilon";
    const epsilon = asked ? v.epsilon : reached;
    const total = answer("gaussian", discrete ? "total-tight" : "total-exact", at);
    return {
      l2,
      delta,
      discrete,
      isTarget,
      found,
      noise,
      at,
      reached,
      asked,
      epsilon,
      total,
      eps: asked ? short(epsilon) : rounded(epsilon),
      beyond: discrete ? NaN : answer("gaussian", asked ? "beyond" : "beyond-least", { ...at, epsilon }),
      together: severally(times, `${rounded(total)} at the same δ`),
    };
  }

  function gaussianAccounts(v, given, { at, discrete, reached }) {
    const [one, cells] = v.what === "tables" ? ["table", 2] : ["answer", 1]; // of one table a person moves two cells or one
    const alone = answer("gaussian", "rho", { ...at, l2: answer("moves", "l2", { ...given, k: cells, m: 1 }) });
    const adds = v.k > 1 && (v.m === v.k || cells > 1);
    return [
      ...(discrete ? [] : [["Gaussian DP", reached, "", "exact"]]),
      [
        "zCDP, tight conversion",
        answer("gaussian", "zcdp-tight", at),
        "",
        discrete && !unequal(v, given) ? "bound; the lines for dp-accounting usually give a smaller ε" : "bound",
      ],
      ["zCDP", answer("gaussian", "zcdp", at), "", "bound"],
      ["zCDP: ρ itself", answer("gaussian", "rho", at), "", "bound, for adding up with other releases"],
      ...(adds
        ? [
            [
              `zCDP: ρ of one ${one} alone`,
              alone,
              "",
              `bound; for all ${one}s, these ρ add up to no more than ρ itself`,
            ],
          ]
        : []),
      ...(discrete
        ? []
        : [
            [
              "Gaussian DP: μ itself",
              answer("gaussian", "mu", at),
              "",
              "exact, for adding up with other Gaussian releases",
            ],
          ]),
      ["ε-DP", NaN, "none", "no guarantee, since the loss of this noise has no bound"],
    ];
  }

  const gaussianPromise = (v, { discrete }) => {
    if (v.goal === "rho")
      return `ρ-zCDP with ρ = ${short(v.rho)}, and${discrete ? " so" : ", because the noise is Gaussian,"} it is `;
    return v.goal === "mu" ? `μ-GDP with μ = ${short(v.mu)}, and so it is ` : "";
  };

  function gaussianCalls(v, given, { l2, found, noise, isTarget, discrete, asked, reached, delta, total }) {
    const inCode = isTarget ? noise : exactly(found);
    const square = Math.round(l2 * l2);
    const size = Number.isInteger(l2) || Math.sqrt(square) !== l2 ? String(l2) : `${square} ** 0.5`;
    const [account, by] = discrete ? ["zcdp.epsilon_tight", "zcdp"] : ["gdp.epsilon", "gdp"];
    const one = `${by}.gaussian(${inCode}, ${size})`;
    const number =
      v.goal === "rho"
        ? [`zcdp.sigma(${exactly(v.rho)}, ${size})`, found, noise]
        : v.goal === "mu"
          ? [`gdp.sigma(${exactly(v.mu)}, ${size})`, found, noise]
          : asked && !discrete
            ? [`approx.sigma_exact(${exactly(v.epsilon)}, ${exactly(delta)}, ${size})`, found, noise]
            : [`${account}(${one}, ${exactly(delta)})`, reached, rounded(reached)];
    const all = [`${account}(${by}.repeat(${one}, ${v.times}), ${exactly(delta)})`, total, rounded(total)];
    return {
      python: inPython(number, ...(v.times > 1 ? [all] : [])),
      opacus: opacus([`${inCode} / ${size}`, "1.0", 1], delta, "RDP: a bound, larger than the exact ε", v.times),
      "dp-accounting": discrete
        ? discretePeer(v, given, inCode)
        : peerPld(`from_gaussian_mechanism(${inCode}, sensitivity=${size})`, delta, LATTICE, { times: v.times }),
    };
  }

  // Of clipped sums a person who is replaced can change some by more than others, which one line of dp-accounting cannot say.
  const unequal = (v, given) => v.rows === undefined && given.replace > 0 && given.m < v.k;

  // Each answer that one person changes has noise of its own.
  function discretePeer(v, given, noise) {
    if (unequal(v, given)) return "# One person changes some of these sums by more than others; use zCDP as above.";
    const l1 = norm(v, given, "l1");
    const most = v.rows ?? l1 / (given.m * v.repeats);
    const call = `from_discrete_gaussian_mechanism(${noise}, sensitivity=${most})`;
    return peerPld(call, v.delta, LATTICE, { uses: Math.round(l1 / most), times: v.times });
  }

  function byGaussian(v, given) {
    const g = gaussianNumbers(v, given);
    const { l2, delta, discrete, noise, eps, beyond, total, together } = g;
    const doubt = doubtful(v, g.epsilon, delta, total);
    const sentence = published(v, given, {
      noise: `${WORDS[v.mechanism]} of σ = ${noise}`,
      reach: rounded(within(g.at.sigma, discrete)),
      sensitivity: `L2 sensitivity is ${isOrAtMost(l2)}`,
      promise: `${gaussianPromise(v, g)}(ε, δ)-DP with ε = ${eps} at δ = ${short(delta)}`,
      accounting: discrete ? "zCDP, tight conversion" : "Gaussian DP, exact",
      total: together,
      words: inPlainWords(g.epsilon, eps, delta, otherwise(v)),
      doubt,
    });
    const inExact = "(ε, δ)-DP, exactly; Gaussian noise is not ε-DP for any ε";
    const rows = {
      main: g.isTarget ? "sigma" : "epsilon",
      sigma: [g.found, noise],
      instead: g.asked && !discrete ? withLaplace(v, given) : [NaN, ""],
      epsilon: [g.epsilon, eps],
      delta: [delta, short(delta)],
      binding: [NaN, discrete ? "(ε, δ)-DP, computed from the ρ of zCDP of the discrete noise" : inExact],
      sensitivity: [l2, `${rounded(l2)} (L2)${absent(v)}`],
      ...errors(v, g.at.sigma, within(g.at.sigma, discrete)),
      ...beliefs(eps, ", except in the cases named below"),
      beyond: [
        beyond,
        discrete
          ? "not computed for discrete noise; do not take δ for this probability"
          : `${rounded(beyond)}; do not take δ = ${short(delta)} for this probability`,
      ],
      total: [total, together],
      accounts: gaussianAccounts(v, given, g),
      sentence,
      ...gaussianCalls(v, given, g),
    };
    return doubted(rows, doubt);
  }

  // ---- polls by randomized response, and choices by the exponential mechanism: an ε for each

  function each(v) {
    const coins = v.mechanism === "coins";
    const isTarget = v.door === "target";
    const uses = v.repeats * (coins ? v.m : v.k);
    const found = isTarget ? clean(v.epsilon / uses) : Number(short(v.epsilon_0)); // as it is published
    const one = isTarget ? rounded(found, true) : short(found);
    const epsilon = isTarget ? v.epsilon : clean(uses * found);
    const shown = isTarget ? short(epsilon) : rounded(epsilon);
    const given = { epsilon_0: isTarget ? Number(one) : found, m: v.repeats * v.m, k: v.repeats * v.k, delta: v.delta };
    const answers = pureAnswers(v, epsilon, shown, answer("coins", coins ? "coins-rho" : "choices-rho", given));
    const account = coins
      ? accountAt(v.delta, "optimal composition", ["coins", "coins", given], "exact")
      : accountAt(v.delta, "zCDP of choices", ["coins", "choices", given], "bound");
    const lie = coins ? answer("coins", "lie", given) : 1;
    if (coins && truthOf(lie).lie >= 0.5) return halfTrue(isTarget ? "epsilon" : "epsilon_0", one);
    const doubt = { ...doubtful(v, epsilon, 0, v.times * epsilon), lie };
    const total = answers.total[1];
    const rows = {
      main: isTarget ? (coins ? "truth" : "epsilon_0") : "epsilon",
      ...answers,
      epsilon_0: [found, one],
      accounts: [answers.accounts[0], account, ...answers.accounts.slice(1)],
      opacus: NO_OPACUS,
      ...(coins
        ? poll(v, { uses, one, epsilon, shown, doubt, total })
        : choices(v, { uses, found, one, epsilon, shown, total, doubt })),
    };
    return doubted(rows, doubt);
  }

  // What a poll says at the field of its ε if the truth is 1/2 in all digits that are written.
  function halfTrue(field, one) {
    const text = `with ε₀ = ${one} for each answer, the probability of a true answer is 0.5 to 13 digits; enter a larger ε`;
    return { problems: { [field]: text } };
  }

  // The probability of the truth, rounded down, with so many digits that both answers keep four of their own.
  function truthOf(lie) {
    const digits = Math.min(13, 3 - Math.floor(Math.log10(Math.min(lie, 1 - 2 * lie))));
    const unit = 10 ** digits;
    const lies = Math.ceil(lie * unit * (1 + 4e-16)); // lie is good to two units of its last place
    return { share: (1 - lies / unit).toFixed(digits), lie: lies / unit };
  }

  // How many people answer a question: all, or, where each answers m of k questions, n m / k on average. Whole, and why.
  function answering({ n, m, k }) {
    if (m === k)
      return [n, n === 1 ? "1 person who answers the question" : `${written(n)} people who all answer the question`];
    const mean = clean((n * m) / k);
    const people = Math.ceil(mean);
    const how = `${written(n)} × ${m} / ${k}${people > mean ? ", rounded up" : ""}`;
    const who = `${count(people, "person who answers", "people who answer")} the question`;
    return [people, `${who}, which is the average over all questions (${how})`];
  }

  // What a target found, or the ε of all answers of a release; and the ε of all times.
  function eachPython(v, target, { uses, one, epsilon, shown }) {
    if (v.door === "target") return inPython(target, ...allTimes(v, exactly(v.epsilon), epsilon));
    const call = `pure.repeat(${one}, ${uses})`;
    return inPython([call, epsilon, shown], ...allTimes(v, call, epsilon));
  }

  function poll(v, { uses, one, epsilon, shown, doubt, total }) {
    const { share, lie } = truthOf(doubt.lie);
    const [people, who] = answering(v);
    const spread = Math.sqrt(people * lie * (1 - lie)) / (1 - 2 * lie);
    const reach = within(spread, false) + 1 / (1 - 2 * lie); // answers are counted in whole numbers
    const most = `${v.repeats > 1 ? "; each time a person" : ", and each person"} answers at most ${v.m} of them`;
    const often = severally(v.repeats, `, ${v.repeats} times`);
    const asked = `${count(v.n, "person is", "people are")} asked ${count(v.k, "question")}${often}${severally(v.k, most)}.`;
    const together = v.m * v.repeats > 1 ? "Each person's answers together are" : "Each person's answer is";
    return {
      truth: [1 - lie, share],
      deviation: [spread, `${rounded(spread)} for an estimated count among ${who}`],
      interval: [reach, rounded(reach)],
      sentence: [
        `${DATA} ${PERSON} ${asked}${v.m < v.k ? ` ${ANSWERS_DROPPED}` : ""} Each yes-or-no answer is given unchanged with probability ${share}`,
        `and is otherwise turned into its opposite, so ε₀ = ${one} per answer. The answer is changed in this way before it reaches the collector.`,
        `${together} ε-DP with ε = ${shown}, whatever the person's data are.`,
        `Which questions a person is asked${v.m < v.k ? ", and which answers are dropped," : ""} does not depend on the person's`,
        "data. Whether a person answers at all is not protected.",
        `${inPlainWords(epsilon, shown, 0, "with any other answers of that person")}${oneOf(v, total)}${warned(doubt)}`,
        closing("the sum of the answers' ε, exact for one answer", v.mechanism),
      ].join(" "),
      python: eachPython(v, [`pure.truth_probability(${one})`, NaN, share, "at_least"], { uses, one, epsilon, shown }),
      "dp-accounting": purePeer(`from_randomized_response(2 * (1 - ${share}), 2)`, uses, v.times),
    };
  }

  function choices(v, { uses, found, one, epsilon, shown, total, doubt }) {
    const often = severally(v.repeats, `, made ${v.repeats} times`);
    const pair = `from_privacy_parameters(common.DifferentialPrivacyParameters(${one}, 0))`;
    return {
      sentence: [
        `${DATA} ${PERSON} The release has ${count(v.k, "choice")} among ${count(v.options, "option")}${often}, by the exponential`,
        `mechanism with ε₀ = ${one}${severally(v.k * v.repeats, " each")}. An option is chosen with a probability proportional to`,
        "exp(ε₀ × score / (2Δ)), where Δ = [the most by which one person can change a score].",
        `Neighbouring data differ by ${neighbours(v)}. ` +
          `${v.k * v.repeats > 1 ? "The choices together are" : "The choice is"} ε-DP with ε = ${shown}.`,
        `${inPlainWords(epsilon, shown, 0, otherwise(v))}${oneOf(v, total)}${warned(doubt)} ${closing("the sum of the choices' ε", v.mechanism)}`,
      ].join(" "),
      python: eachPython(v, [`${exactly(epsilon)} / ${uses}`, found, one, "at_least"], { uses, one, epsilon, shown }),
      "dp-accounting": `from dp_accounting.pld import common\n${purePeer(pair, uses, v.times)}`,
    };
  }

  // ---- "I train a model"

  // The run's steps, and in a shuffled order its whole epochs and the part of one more that an example is drawn into. A
  // program may leave out a last batch that is too short, so an epoch is taken to have as many steps as full batches.
  // A step that has begun counts, except for the rounding of a product.
  function runOf(v, sigma) {
    const q = v.q ?? v.batch / v.n;
    const begun = ((v.epochs * v.n) / v.batch) * (1 - 1e-15);
    const steps = v.span === "epochs" ? Math.ceil(begun) : v.steps;
    const batches = Math.ceil(v.n / v.batch);
    const full = Math.floor(v.n / v.batch);
    const whole = v.span === "epochs" ? Math.floor(v.epochs * (1 + 1e-12)) : Math.floor(v.steps / full);
    const left = v.span === "epochs" ? Math.max(0, Math.ceil(begun - (whole * v.n) / v.batch)) : v.steps - whole * full;
    const part = Math.min(1, left * q);
    const several = v.runs > 1;
    const all = {
      steps: steps * v.runs,
      whole: several ? v.runs * (whole + Math.ceil(part)) : whole,
      part: several ? 0 : part,
    };
    return { sigma, q, delta: v.delta, batches, ...all, epochs: all.whole + Math.ceil(all.part) };
  }

  // The accounts of a run, [name, ε, kind] each, of which the least holds. With another sampler there is no account.
  const ACCOUNTS = {
    poisson: (run) => [
      [
        "privacy loss distributions",
        globalThis.deskLosses.epsilon("poisson", run),
        "bound; the lines of Python give a lower and an upper bound for your run",
      ],
      ["Rényi DP", answer("train", "rdp", run), "bound"],
      [
        "Gaussian DP, every step",
        answer("train", "every-step", run),
        run.q === 1 ? "exact" : "bound, without amplification",
      ],
    ],
    shuffled: (run) => [
      run.part > 0
        ? [
            "Gaussian DP, one batch per epoch, the last epoch in part",
            answer("train", "shuffled-part", run),
            "bound, which you can claim",
          ]
        : ["Gaussian DP, one batch per epoch", answer("train", "shuffled", run), "bound, which you can claim"],
    ],
    fixed: (run) => [
      ["privacy loss distributions", globalThis.deskLosses.epsilon("fixed", run), "bound"],
      ["Gaussian DP, every step", answer("train", "fixed", run), "bound, without amplification"],
    ],
  };
  const SURE = {
    "privacy loss distributions": "privacy loss distributions, an upper bound",
    "Gaussian DP, every step": "Gaussian DP, without amplification",
    "Gaussian DP, one batch per epoch": "Gaussian DP, one batch per epoch, without amplification",
  };

  function spent(v, sigma) {
    const run = runOf(v, sigma);
    const accounts = ACCOUNTS[v.sampler](run);
    const known = accounts.filter(([, value]) => !Number.isNaN(value));
    const [by, epsilon] = known.reduce((least, one) => (one[1] < least[1] ? one : least), ["", Infinity]);
    return { ...run, accounts, by, epsilon };
  }

  // The least noise that keeps the target, to four digits. The logarithm of ε falls almost evenly with that of the noise, so
  // a few steps along the chord between too little and enough suffice; the end that stayed is halved (the Illinois rule).
  function calibrated(v) {
    const excess = (log) => Math.log(Math.max(spent(v, Math.exp(log)).epsilon, 1e-3 * v.epsilon) / v.epsilon);
    let [enough, over] = [Math.log(1.1), excess(Math.log(1.1))];
    let [less, under] = [enough, over];
    const step = (off) => Math.min(0.7, 0.02 + 1.05 * Math.abs(off)); // ε falls at least as fast as the noise grows
    while (over > 0 && enough < Math.log(1e4)) {
      [less, under, enough] = [enough, over, enough + step(over)];
      over = excess(enough);
    }
    while (under <= 0 && less > Math.log(0.3)) {
      [enough, over, less] = [less, under, less - step(under)];
      under = excess(less);
    }
    if (over > 0) return NaN;
    for (let i = 0; i < 30 && under > 0 && over < -2e-4 && enough - less > 2e-4; i++) {
      const log = less + ((enough - less) * under) / (under - over);
      const found = excess(log);
      if (found > 0) [less, under, over] = [log, found, over / 2];
      else [enough, over, under] = [log, found, under / 2];
    }
    const sigma = Math.exp(enough);
    const isEnough = (noise) => spent(v, noise).epsilon <= v.epsilon;
    const above = [1, 1.0005, 1.002, 1.01].map((more) => Number(rounded(more * sigma))); // a grid moves ε a little
    return [Number(rounded(sigma, true)), ...above].find(isEnough) ?? NaN;
  }

  const rateOf = (v, write = exactly) => (v.q === undefined ? `${written(v.batch)} / ${written(v.n)}` : write(v.q));

  function accountsOf(v, run) {
    const rows = run.accounts
      .filter(([name]) => v.sampler !== "poisson" || name !== "Gaussian DP, every step" || run.by === name)
      .filter(([, value]) => value !== Infinity)
      .map(([name, value, kind]) => [name, value, "", kind]);
    if (v.sampler === "poisson") return rows;
    const poisson = spent({ ...v, sampler: "poisson" }, run.sigma).epsilon;
    const which = v.sampler === "shuffled" ? "a shuffled order" : "this sampler";
    return [
      ...rows,
      ["Poisson sampling", poisson, "", `bound, one example added or removed; no guarantee for ${which}`],
    ];
  }

  // The number shown, checked in Python: by the account that gave it, or by one that brackets the truth.
  function trainingPython(v, run, eps) {
    const [sigma, delta] = [exactly(run.sigma), exactly(v.delta)];
    const numbers = `${sigma}, ${rateOf(v)}`;
    const gaussian = (moves, steps) =>
      inPython([`gdp.epsilon(${moves} * ${steps} ** 0.5 / ${sigma}, ${delta})`, run.epsilon, eps]);
    if (v.sampler === "shuffled") return run.part > 0 ? inPart(run, sigma, delta, eps) : gaussian(1, run.epochs);
    if (run.by === "Gaussian DP, every step") return gaussian(v.sampler === "fixed" ? 2 : 1, run.steps);
    const fixed = v.sampler === "fixed";
    const rdp = fixed ? NaN : run.accounts[1][1];
    const call = `dp_sgd.epsilon(${numbers}, ${run.steps}, ${delta})`;
    const form = eps.includes("e") ? '3, "e"' : 4;
    const renyi = Number.isFinite(rdp) ? inPython([call, rdp, rounded(rdp)]) : "";
    if (run.by === "Rényi DP") return renyi;
    return [
      "from dp_lib import say",
      "from dp_lib.pld import PrivacyLoss",
      `loss = PrivacyLoss.subsampled_gaussian(${numbers}${fixed ? ", replaced=True" : ""}).repeat(${run.steps})`,
      `lower, upper = loss.epsilon(${delta})`,
      ...(v.solve === "noise" ? [`# σ = ${sigma} was found by a search on the page, and is checked here.`] : []),
      `verdict = "holds" if upper <= ${eps} else "can hold" if lower <= ${eps} else "is too small"`,
      `print(${eps}, verdict, "- the ${fixed ? "bound" : "truth"} is from", say.at_least(lower, ${form}), "to", say.at_most(upper, ${form}))`,
      renyi.replace("print(", 'print("Rényi DP alone proves", '),
    ].join("\n");
  }

  function inPart(run, sigma, delta, eps) {
    const one = (times, share) => `${share} * gdp.delta(${times} ** 0.5 / ${sigma}, ${eps})`;
    const part = written(run.part);
    const without = run.whole > 0 ? ` + ${one(run.whole, `(1 - ${part})`)}` : "";
    return `from dp_lib import gdp\nprint(${eps}, "holds:", ${one(run.whole + 1, part)}${without} <= ${delta})`;
  }

  function trainingSentence(v, run, eps, doubt) {
    const [, relation, batches] = page.samplers[v.sampler];
    const data =
      v.q === undefined
        ? ` on n = ${count(v.n, "example")}, with ${batches} of ${written(v.batch)}${v.sampler === "poisson" ? " on average" : ""},`
        : ` with ${batches} at a rate of ${rateOf(v, written)},`;
    const epochs = v.span === "epochs" ? ` ${count(v.epochs, "epoch")}${severally(v.runs, " each")}` : "";
    const steps = `${epochs && ","} ${count(run.steps, "step")} in all`;
    const length = epochs && v.sampler === "shuffled" ? epochs : epochs + steps; // it depends on the last batch
    const other = {
      poisson: "with any one example added or removed",
      shuffled: "with any one example replaced by a blank",
    };
    return [
      `${DATA} An example is [say what is one example, and how many of them one person has]. The release has`,
      `${count(v.runs, "run")} of DP-SGD${data}${length}.`,
      "Each example's gradient is clipped by the code to an L2 norm C, and to each sum of gradients",
      `the code adds Gaussian noise of σ = ${written(run.sigma)} C. Neighbouring data differ by ${relation}.`,
      `${v.runs > 1 ? "The runs together are" : "The run is"} (ε, δ)-DP with ε = ${eps} at δ = ${short(v.delta)}.`,
      inPlainWords(run.epsilon, eps, v.delta, other[v.sampler] ?? "with any one example replaced by another"),
      v.q === undefined ? publicNumber(v.n, "examples") : fewerThan(v.delta, "examples"),
      `${warned(doubt).trimStart()} Clipping and sampling are done by [name the program].`.trimStart(),
      closing(SURE[run.by] ?? run.by, "gaussian"),
    ].join(" ");
  }

  const IF_DRAWN = {
    poisson: "if batches are Poisson-sampled",
    shuffled: "for a shuffled order",
    fixed: "for batches of a fixed size, drawn again in each step",
  };

  function peersOfTraining(v, run) {
    if (v.sampler !== "poisson") {
      return {
        opacus: "# Opacus accounts for Poisson sampling; its ε is no guarantee for this sampler.",
        "dp-accounting": "# Its Poisson-sampled accounts are no guarantee for this sampler.",
      };
    }
    const sigma = written(run.sigma);
    const call = `from_gaussian_mechanism(${sigma}, sampling_prob=${rateOf(v)})`;
    return {
      opacus: opacus([sigma, rateOf(v), run.steps], v.delta, "RDP"),
      "dp-accounting": peerPld(call, v.delta, LATTICE, { uses: run.steps }),
    };
  }

  function train(v) {
    const sigma = v.solve === "noise" ? calibrated(v) : v.noise;
    if (Number.isNaN(sigma)) {
      return {
        problems: {
          epsilon: "no noise multiplier from 0.3 to 10,000 is enough for this ε here; allow a larger ε or a larger δ",
        },
      };
    }
    const run = spent(v, sigma);
    const [, relation] = page.samplers[v.sampler];
    const eps = rounded(run.epsilon);
    const doubt = { epsilon: run.epsilon, delta: v.delta, n: v.n, unit: "examples" };
    const tight = run.by === "privacy loss distributions";
    const suffices = v.solve === "noise" && tight ? "; this noise is enough, and a little less may be enough too" : "";
    const isLower = v.sampler === "shuffled" && run.whole > 0;
    const lower = isLower ? answer("train", "shuffled-lower", run) : NaN;
    const rows = {
      main: v.solve === "noise" ? "noise" : "epsilon",
      holds: `${IF_DRAWN[v.sampler]} (${relation})`,
      noise: [sigma, written(sigma)],
      epsilon: [run.epsilon, eps],
      delta: [v.delta, short(v.delta)],
      binding: [NaN, `(ε, δ)-DP for ${relation}${suffices}`],
      steps: v.sampler === "shuffled" && v.span === "epochs" ? [NaN, ""] : [run.steps, String(run.steps)], // by the last batch
      rate: v.sampler === "shuffled" ? [NaN, ""] : [run.q, rounded(run.q)],
      lower: isLower ? [lower, `${rounded(lower, true)} even for a single epoch`] : [NaN, ""],
      ...beliefs(eps, " (a belief about one example), except in rare cases, whose probability can be more than δ"),
      accounts: accountsOf(v, run),
      sentence: trainingSentence(v, run, eps, doubt),
      python: trainingPython(v, run, eps),
      ...peersOfTraining(v, run),
    };
    return doubted(rows, doubt);
  }

  // ---- "I read a claim"

  // What (ε, δ) promises the person whose row it is. More than 2e^ε the odds move with probability 3δ or less: at a
  // loss above ε + ln 2 less than half of its probability is covered by e^ε times the other one's.
  function claim(v) {
    const { epsilon, delta, times, prior } = v;
    const odds = prior / (100 - prior);
    const [own, later] = [belief(epsilon, odds), belief(times * epsilon, odds)];
    const rare = manifold(3, delta);
    const but = delta > 0 ? `, except in the cases that δ = ${short(delta)} allows` : "";
    const all = manifold(times, delta);
    const afterwards = severally(times, afterAll(later, all));
    const after = severally(times, `; after ${times} such releases ${afterwards}`);
    const least = `${Math.floor(1e4 / (1 + Math.exp(epsilon) / odds)) / 100} %`;
    const sum = `ε = ${rounded(clean(times * epsilon))}${delta > 0 ? ` at δ = ${rounded(all)}` : ""}`;
    const most = delta > 0 ? ODDS : NEVER;
    const move = `${most} ${factor(epsilon)}, which is exp(ε)${delta > 0 ? but : WHATEVER}`;
    const doubt = doubts({ epsilon: times * epsilon, delta: all })
      .map(({ text }) => text)
      .join("; ");
    return {
      main: "own",
      headline: `A belief of ${written(prior)} % can become ${limit(own)}${but}${after}`,
      heading: "In one sentence",
      own: [own, `${limit(own)}, and at least ${least}${but}${after}`],
      warning: [NaN, doubt],
      epsilon: [epsilon, short(epsilon)],
      delta: [delta, short(delta)],
      binding: [NaN, move],
      belief: prior === 50 ? [NaN, ""] : [belief(epsilon), percent(belief(epsilon)) + but],
      tenth: [belief(epsilon, 1 / 9), percent(belief(epsilon, 1 / 9)) + but],
      rare: [
        rare,
        delta === 0 ? "" : rare < 3e-7 || rare >= 1e-3 ? rounded(rare) : `${rounded(1e6 * rare)} in a million`,
      ],
      total: [
        times * epsilon,
        severally(times, `${sum} for all ${times}, if nothing more is known about them; ${afterwards}`),
      ],
      accounts: [],
      sentence: claimInWords(v, { own, rare, afterwards, doubt }),
      python: claimPython(v),
    };
  }

  const ODDS = "an attacker's odds change by a factor of at most";
  const NEVER = "an attacker's odds never change by a factor of more than";
  const WHATEVER = ", whatever else the attacker knows";
  const isCertain = (x) => x > 0.9999;
  const limit = (x) => (isCertain(x) ? "as good as certain (more than 99.99 %)" : `at most ${percent(x)}`);

  // What is left of a promise after several releases, of which all together have this δ.
  function afterAll(belief, delta) {
    if (delta >= MOST_DELTA) return `no useful limit is left, since δ is then ${rounded(delta)}`;
    if (isCertain(belief)) return "the belief can be as good as certain, so no useful limit is left";
    const but = delta > 0 ? `, except in the cases that δ = ${rounded(delta)} allows` : "";
    return `the belief can be ${limit(belief)}${but}`;
  }

  function claimInWords({ prior, delta, times }, { own, rare, afterwards, doubt }) {
    const to = isCertain(own) ? "certainty, or nearly (more than 99.99 %)" : `at most ${percent(own)}`;
    const outright =
      `, except in the cases that δ = ${short(delta)} allows, whose probability can be more than δ. ` +
      `Your data can become known outright with probability ${short(delta)} ` +
      `(${inWords(asWritten(delta))}), and with probability at most ${rounded(rare)}, the odds about you change by a factor of more than 2 exp(ε)`;
    return [
      `Your own data can move what an attacker believes about you from ${written(prior)} % to ${to}${delta > 0 ? outright : ""}.`,
      "What can be learned about you without your data is not covered, because a result about everybody is about you too.",
      ...(times > 1 ? [`After ${times} such releases ${afterwards}.`] : []),
      ...(doubt ? [`Warning: ${doubt}.`] : []),
    ].join(" ");
  }

  const MOST_ODDS = 300; // of dp_lib's posterior_odds

  function claimPython({ prior, epsilon, times }) {
    const odds = `${written(prior)} / ${written(100 - prior)}`;
    const lines = (eps) =>
      `least, most = pure.posterior_odds(${odds}, ${eps})\nprint(say.at_most(100 * most / (1 + most), 2), "%")`;
    const all = [epsilon, ...(times > 1 ? [times * epsilon] : [])]
      .filter((one) => one <= MOST_ODDS)
      .map((one) => lines(written(one)));
    if (!all.length) return "";
    return ["from dp_lib import pure, say", ...all].join("\n");
  }

  // ---- the whole answer

  // The answer in one line.
  function headline(found, { times }) {
    const { main, holds = "", total, interval } = found;
    const at = main === "epsilon" && found.delta[0] > 0 ? ` at δ = ${found.delta[1]}` : "";
    const within = ["sigma", "scale"].includes(main) ? `, within ±${interval[1]} in 95 of 100 answers` : "";
    const together = total?.[1] ? `; for all ${times} together, ε = ${total[1]}` : "";
    return `${page.rows[main]} = ${found[main][1]}${at}${within}${holds && `, ${holds}`}${together}`;
  }

  // What remains to be filled in before the sentence is published.
  const blanks = (sentence) => [...new Set(sentence.match(/\[[^\]]+\]/g) ?? [])];

  const WORK = { release, target: release, train, claim };

  const NOISES = { sigma: "σ =", scale: "b =", noise: "a noise multiplier of" };

  // What is said at the field of the noise where ε, or a number on the way to it, is beyond 1.8e308.
  function tooLarge(values) {
    const name = Object.keys(NOISES).find((one) => values[one] !== undefined);
    const noise = `${NOISES[name]} ${written(values[name])}`;
    return { problems: { [name]: `with ${noise}, ε is ${TOO_LARGE}; enter more noise` } };
  }

  // The answer of a task, or { problems } by the name of a field.
  function find(values) {
    const found = WORK[values.door](values);
    if (found.problems) return found;
    if ([found.epsilon, found.total].some((row) => row && !Number.isFinite(row[0]))) return tooLarge(values);
    const isVoid = found.heading === NO_SENTENCE;
    const warning = isVoid ? ". This promises too little to publish" : ". Read the warning";
    const line = found.headline ?? headline(found, values);
    return { ...found, headline: found.warning?.[1] ? line + warning : line, blanks: blanks(found.sentence) };
  }

  return { load, loadTraining, find, rounded };
})();
