// The deployment desk: reads what is typed, plays dp_lib's tapes (desk_accounts.py), and writes the answer, rounded to the safe
// side, with the sentence to publish. No formula stands here but sums of counts and searches among a tape's answers.
"use strict";

(() => {
  const desk = document.getElementById("desk");
  const { tapes, samplers, version } = JSON.parse(desk.querySelector(".desk-data").textContent);
  const form = desk.querySelector("form");
  const entries = [...form.querySelectorAll("[data-when]")].map((box) => ({ box, entry: box.querySelector("input, select") }));
  const status = desk.querySelector(".desk-status");
  const doors = [...form.querySelectorAll('[name="door"]')].map((door) => door.value);
  const touched = new Set();
  const USUAL = { delta: { train: "1e-5", other: "1e-6" }, m: { histogram: "1", polls: "1", other: "all" } };
  const { make } = live.dom;
  const { understood } = live.numbers;

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
  const players = Object.fromEntries(Object.entries(tapes).map(([name, tape]) => [name, new Player(tape)]));
  const answer = (where, name, given) => players[where].at(name, given);

  // ---- numbers as people type them, and as they are written

  const RULES = {
    real: [Number.isFinite, "a number"],
    positive: [(x) => x > 0 && x <= 1e12, "a number above 0, at most 10^12"],
    count: [(x) => Number.isInteger(x) && x >= 1 && x <= 1e9, "a whole number from 1 to 10^9"],
    maybe: [(x) => x > 0 && x <= 1e12, "a number above 0, or nothing"],
    percent: [(x) => x > 0 && x < 100, "a number above 0 and below 100"],
    fraction: [(x) => x >= 1e-300 && x < 1, "a number above 0 and below 1, such as 1e-6"],
  };

  // Digits that hold in the safe direction: the next number of four digits, up or down, that x does not pass.
  function rounded(x, down = false, digits = 4) {
    if (!Number.isFinite(x)) return "—";
    if (x === 0) return "0";
    if (Math.abs(x) < 1e6) digits = Math.max(digits, 1 + Math.floor(Math.log10(Math.abs(x))));
    let [mantissa, exponent] = x.toExponential(digits - 1).split("e");
    const passed = down ? Number(`${mantissa}e${exponent}`) > x : Number(`${mantissa}e${exponent}`) < x;
    if (passed) {
      const units = Math.round(Number(mantissa) * 10 ** (digits - 1)) + (down ? -1 : 1);
      [mantissa, exponent] = Number(`${units}e${Number(exponent) - digits + 1}`).toExponential(digits - 1).split("e");
    }
    const value = Number(`${mantissa}e${exponent}`);
    if (value < 1e-3 || value >= 1e6) return `${mantissa}e${exponent.replace("+", "")}`;
    return value.toFixed(Math.max(0, digits - 1 - Number(exponent))).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  }

  function written(x) {
    const [mantissa, exponent] = x.toExponential(11).split("e");
    const small = x !== 0 && Math.abs(x) < 1e-3;
    return small ? `${Number(mantissa)}e${exponent}` : String(Number(x.toPrecision(12)));
  }

  // ---- the form

  const holds = (when, values) =>
    when === "" ||
    when.split("|").some((all) =>
      all.split(";").every((one) => {
        const [name, allowed] = one.split(":");
        return allowed.split(",").includes(values[name]);
      }),
    );

  function complain(name, text) {
    const field = form.elements[name];
    field.setAttribute("aria-invalid", String(text !== ""));
    document.getElementById(`desk--${name}-problem`).textContent = text;
  }

  // What is asked at this door, each read and checked; null if something cannot be read.
  function read() {
    const values = { door: form.elements.door.value };
    let whole = true;
    const refuse = (name, text) => {
      complain(name, text);
      whole = false;
    };
    for (const { box, entry } of entries) {
      if (!touched.has(entry.name) && USUAL[entry.name]) {
        const usual = USUAL[entry.name];
        entry.value = usual[values.door] ?? usual[values.what] ?? usual.other;
      }
      box.hidden = !holds(box.dataset.when, { ...values, ...forced(values) });
      if (box.hidden) continue;
      complain(entry.name, "");
      const { rule } = entry.dataset;
      if (!rule) {
        values[entry.name] = entry.value;
        continue;
      }
      const all = rule === "among" && /^\s*all\s*$/i.test(entry.value);
      const [fits, allowed] = RULES[rule === "among" ? "count" : rule];
      const value = all ? values.k : understood(rule === "percent" ? entry.value.replace("%", "") : entry.value);
      const none = entry.name === "delta" && values.door === "claim" ? value === 0 || /^\s*(none)?\s*$/i.test(entry.value) : undefined;
      if (rule === "maybe" && entry.value.trim() === "") continue;
      if (none) values.delta = 0; // a claim may have no δ
      else if (fits(value)) values[entry.name] = value;
      else refuse(entry.name, `${said(entry)} must be ${allowed}${rule === "among" ? ", or all" : none === undefined ? "" : ", or nothing"}; got “${entry.value}”`);
    }
    Object.assign(values, forced(values));
    for (const [name, wrong, text] of conflicts(values)) if (wrong) refuse(name, text);
    return whole ? values : null;
  }

  const said = (entry) => form.querySelector(`label[for="${entry.id}"]`).textContent;
  const forced = ({ door, what, tables, cells }) =>
    door === "train" || door === "claim" ? {} : what === "tables" ? { k: cells, m: tables } : what === "polls" ? { mechanism: "coins", goal: "epsilon" } : what === "choice" ? { mechanism: "best", goal: "epsilon" } : {};

  const conflicts = (v) => [
    ["cells", v.tables > v.cells, `must be at least the number of tables, ${v.tables}`],
    ["sampler", v.span === "rate" && v.sampler !== "poisson", "a sampling rate is that of Poisson-sampled batches; give batch size and n"],
    ["m", v.m > v.k, `must be at most the number of answers, ${v.k}`],
    ["high", v.low >= v.high, `must be above the least value, ${v.low}`],
    ["neighbours", v.what === "means" && v.neighbours === "remove", "a mean over a public number of people needs “replaced”; for “added or removed” publish a sum and a count"],
    ["m", v.what === "means" && v.m < v.k, "each mean is over all people: all"],
    ["mechanism", v.mechanism === "discrete" && v.what === "means", "discrete noise is for whole numbers; publish a sum, or take Gaussian"],
    ["rows", v.mechanism === "discrete" && !Number.isInteger(v.rows ?? 1), "must be a whole number with discrete noise"],
    ["high", v.mechanism === "discrete" && !Number.isInteger(v.high ?? 1), "must be a whole number with discrete noise"],
    ["low", v.mechanism === "discrete" && !Number.isInteger(v.low ?? 1), "must be a whole number with discrete noise"],
    ["goal", v.mechanism === "laplace" && v.goal && v.goal !== "epsilon", "Laplace noise is calibrated by ε here; take Gaussian noise for ρ or μ"],
    ["goal", v.mechanism === "discrete" && v.goal === "mu", "discrete Gaussian noise has no μ; take ρ or ε"],
    ["batch", v.batch > v.n, `must be at most the number of people, ${v.n}`],
  ];

  // ---- the doors "I release answers" and "I have a target"

  const WORDS = {
    gaussian: "Gaussian noise",
    laplace: "Laplace noise",
    discrete: "discrete Gaussian noise",
    counts: "counts",
    histogram: "cells of a histogram",
    sums: "sums",
    means: "means",
  };

  // A target may be for all the times together: their losses add up as answers do.
  function release(task) {
    const repeats = task.door === "target" && task.spread === "all" ? task.times : 1;
    if (repeats === 1) return once({ ...task, repeats });
    return { ...once({ ...task, repeats, times: 1 }), holds: `each of ${repeats} times` };
  }

  function once(v) {
    if (v.mechanism === "coins" || v.mechanism === "best") return each(v);
    const n = v.what === "means" ? v.n : 1;
    const counted = v.rows !== undefined;
    const low = (counted ? 0 : v.low) / n;
    const high = (counted ? v.rows : v.high) / n;
    const given = { low, high, k: v.k, m: v.m, replace: Number(v.neighbours === "replace"), always: Number(v.what === "means") };
    return v.mechanism === "laplace" ? byLaplace(v, given) : byGaussian(v, given);
  }

  function byLaplace(v, given) {
    const l1 = norm(v, given, "l1");
    const found = v.door === "target" ? answer("laplace", "scale", { l1, epsilon: v.epsilon }) : v.scale;
    const scale = v.door === "target" ? Number(rounded(found)) : found;
    const epsilon = v.door === "target" ? v.epsilon : answer("laplace", "pure", { l1, scale });
    const noise = v.door === "target" ? rounded(found) : written(scale);
    const eps = v.door === "target" ? written(epsilon) : rounded(epsilon);
    const code = String(l1);
    const answers = pureAnswers(v, epsilon, eps);
    return {
      main: v.door === "target" ? "scale" : "epsilon",
      ...answers,
      scale: [found, noise],
      instead: v.door === "target" ? withGaussian(v, given) : [NaN, ""],
      sensitivity: [l1, `${rounded(l1)} (L1)`],
      ...errors(v, Math.SQRT2 * scale, Math.log(20) * scale),
      sentence: published(v, given, `Laplace noise of scale b = ${noise}`, `L1 sensitivity ${rounded(l1)}`, `ε-DP with ε = ${eps}`, "the Laplace mechanism's exact ε", answers.total[1]),
      python: v.door === "target" ? inPython(`pure.scale(${written(v.epsilon)}, ${code})`, noise) : inPython(`pure.laplace(${noise}, ${code})`, eps),
      opacus: "# Opacus accounts for Gaussian noise only.",
      "dp-accounting": peerPld(`from_laplace_mechanism(${noise}, sensitivity=${code})`, 1e-15, "the ε of δ = 0, to its lattice"),
    };
  }

  // The same target met with the other noise.
  const norm = (v, given, name) => (name === "l1" ? v.repeats * answer("moves", "l1", given) : Math.sqrt(v.repeats * answer("moves", "l2", given) ** 2));

  function withLaplace(v, given) {
    const scale = answer("laplace", "scale", { l1: norm(v, given, "l1"), epsilon: v.epsilon });
    return [scale, `Laplace noise of b = ${rounded(scale)}, within ±${rounded(Math.log(20) * Number(rounded(scale)))}, and no δ`];
  }

  function withGaussian(v, given) {
    const sigma = answer("gaussian", "sigma", { l2: norm(v, given, "l2"), epsilon: v.epsilon, delta: v.delta });
    return [sigma, `Gaussian noise of σ = ${rounded(sigma)}, within ±${rounded(1.959964 * Number(rounded(sigma)))}, at δ = ${written(v.delta)}`];
  }

  // An ε-DP release, whichever way its answers move.
  function pureAnswers(v, epsilon, shown) {
    const { delta, times } = v;
    const other = answer("laplace", "pure-total", { epsilon, delta, times });
    const byZcdp = other < times * epsilon ? `; or, with δ = ${written(delta)}, ${rounded(other)} by zCDP` : "";
    return {
      epsilon: [epsilon, shown],
      delta: [0, "0"],
      binding: [NaN, "ε-DP: never more than ε, and no δ"],
      ...beliefs(shown),
      beyond: [0, "0, never"],
      total: [times * epsilon, severally(times, `${rounded(times * epsilon)} for all ${times}${byZcdp}`)],
      accounts: [
        ["ε-DP", epsilon, shown, "exact"],
        [`(ε, δ)-DP at δ = ${written(delta)}, any ε-DP release`, answer("laplace", "pure-tight", { epsilon, delta }), "", "bound"],
        ["zCDP: ρ", answer("laplace", "pure-rho", { epsilon }), "", "bound; for adding up with others"],
      ],
    };
  }

  function byGaussian(v, given) {
    const l2 = norm(v, given, "l2");
    const { delta, times, mechanism } = v;
    const discrete = mechanism === "discrete";
    const search = { epsilon: discrete ? "sigma-discrete" : "sigma", rho: "sigma-rho", mu: "sigma-mu" }[v.goal];
    const found = v.door === "target" ? answer("gaussian", search, { l2, ...v }) : v.sigma;
    const noise = v.door === "target" ? rounded(found) : written(found);
    const at = { l2, sigma: Number(noise), delta, times };
    const name = discrete ? "zcdp-tight" : "exact";
    const reached = answer("gaussian", name, at);
    const asked = v.door === "target" && v.goal === "epsilon";
    const epsilon = asked ? v.epsilon : reached;
    const eps = asked ? written(epsilon) : rounded(epsilon);
    const rho = answer("gaussian", "rho", at);
    const mu = answer("gaussian", "mu", at);
    const [one, cells] = v.what === "tables" ? ["table", 2] : ["answer", 1]; // of one table a person moves two cells or one
    const alone = answer("gaussian", "rho", { ...at, l2: answer("moves", "l2", { ...given, k: cells, m: 1 }) });
    const beyond = discrete ? NaN : answer("gaussian", "beyond", { ...at, epsilon });
    const total = answer("gaussian", discrete ? "total-tight" : "total-exact", at);
    const together = severally(times, `${rounded(total)} for all ${times}, at the same δ`);
    const sure = discrete ? "zCDP, tight conversion" : "Gaussian DP, exact";
    const promise = v.goal === "rho" ? `ρ-zCDP with ρ = ${written(v.rho)}, and${discrete ? " so" : ", the noise being Gaussian,"} ` : v.goal === "mu" ? `μ-GDP with μ = ${written(v.mu)}, and so ` : "";
    const square = Math.round(l2 * l2);
    const size = Number.isInteger(l2) || Math.sqrt(square) !== l2 ? String(l2) : `${square} ** 0.5`;
    const again = discrete ? `zcdp.epsilon_tight(zcdp.gaussian(${noise}, ${size}), ${written(delta)})` : `gdp.epsilon(gdp.gaussian(${noise}, ${size}), ${written(delta)})`;
    const [call, prints] =
      v.goal === "rho" ? [`zcdp.sigma(${written(v.rho)}, ${size})`, noise]
      : v.goal === "mu" ? [`gdp.sigma(${written(v.mu)}, ${size})`, noise]
      : asked && !discrete ? [`approx.sigma_exact(${written(v.epsilon)}, ${written(delta)}, ${size})`, noise]
      : [again, rounded(reached)];
    const exact = ["Gaussian DP", reached, "", discrete ? "of continuous noise only" : "exact"];
    return {
      main: v.door === "target" ? "sigma" : "epsilon",
      sigma: [found, noise],
      instead: asked && !discrete ? withLaplace(v, given) : [NaN, ""],
      epsilon: [epsilon, eps],
      delta: [delta, written(delta)],
      binding: [NaN, discrete ? "(ε, δ)-DP, by ρ-zCDP of whole-number noise" : "(ε, δ)-DP, exactly: Gaussian noise has no ε without a δ"],
      sensitivity: [l2, `${rounded(l2)} (L2)`],
      ...errors(v, Number(noise), 1.959964 * Number(noise)),
      ...beliefs(eps, ", but for the rare cases of the line below"),
      beyond: [beyond, discrete ? "— (not computed for whole-number noise); it is not δ" : `${rounded(beyond)}; this, and not δ = ${written(delta)}`],
      total: [total, together],
      accounts: [
        ...(discrete ? [] : [exact]),
        ["zCDP, tight conversion", answer("gaussian", "zcdp-tight", at), "", "bound"],
        ["zCDP", answer("gaussian", "zcdp", at), "", "bound"],
        ["zCDP: ρ itself", rho, "", "bound; for adding up with others"],
        ...(v.k > 1 && (v.m === v.k || cells > 1) ? [[`zCDP: ρ of one ${one} alone`, alone, "", "bound; they add up to no more than ρ"]] : []),
        ...(discrete ? [] : [["Gaussian DP: μ itself", mu, "", "exact; for adding up with Gaussian releases"]]),
        ["ε-DP", NaN, "none", "no guarantee, since the loss of this noise has no bound"],
      ],
      sentence: published(v, given, `${WORDS[mechanism]} of σ = ${noise}`, `L2 sensitivity ${rounded(l2)}`, `${promise}(ε, δ)-DP with ε = ${eps} at δ = ${written(delta)}`, sure, together),
      python: inPython(call, prints),
      opacus: opacus(`(${noise} / ${size}, 1.0, 1)`, delta, "RDP: a bound, larger than the exact ε"),
      "dp-accounting": !discrete
        ? peerPld(`from_gaussian_mechanism(${noise}, sensitivity=${size})`, delta, "exact to its lattice")
        : given.m === 1 && given.replace === 0
          ? peerPld(`from_discrete_gaussian_mechanism(${noise}, sensitivity=${size})`, delta, "exact to its lattice")
          : "# Its account of discrete Gaussian noise is for one answer; for several, zCDP above.",
    };
  }

  // Polls by coins, and choices by the exponential mechanism: an ε for each.
  function each(v) {
    const coins = v.mechanism === "coins";
    const uses = v.repeats * (coins ? v.m : v.k);
    const found = v.door === "target" ? v.epsilon / uses : v.epsilon_0;
    const one = v.door === "target" ? rounded(found, true) : written(found);
    const epsilon = v.door === "target" ? v.epsilon : uses * found;
    const shown = v.door === "target" ? written(epsilon) : rounded(epsilon);
    const given = { epsilon_0: Number(one), m: v.repeats * v.m, k: v.repeats * v.k, delta: v.delta };
    const truth = coins ? answer("coins", "truth", given) : NaN;
    const answers = pureAnswers(v, epsilon, shown);
    const account = coins
      ? [`optimal composition at δ = ${written(v.delta)}`, answer("coins", "coins", given), "", "exact"]
      : [`zCDP of choices at δ = ${written(v.delta)}`, answer("coins", "choices", given), "", "bound"];
    const spread = coins ? Math.sqrt(v.n * truth * (1 - truth)) / (2 * truth - 1) : NaN;
    const coin = `each person answers truly with probability ${rounded(truth, true)}, else falsely; ε₀ = ${one} an answer`;
    return {
      main: v.door === "target" ? (coins ? "truth" : "epsilon_0") : "epsilon",
      ...answers,
      epsilon_0: [found, one],
      truth: [truth, rounded(truth, true)],
      ...(coins ? { deviation: [spread, `${rounded(spread)} of ${v.n} people, for a count of them`], interval: [1.959964 * spread, rounded(1.959964 * spread)] } : {}),
      accounts: [answers.accounts[0], account, ...answers.accounts.slice(1)],
      sentence: coins
        ? `For each person (whatever the person's data): of ${v.k} questions asked of ${v.n} people, of which each answers at most ${v.m}, ${coin}. Each person's answers together are ε-DP with ε = ${shown}, before they reach the collector. ${closing("the sum of the answers' ε, exact for one")}`
        : `For each person (${neighbours(v)}): ${v.k} choices among ${v.options} options by the exponential mechanism, ε = ${one} each, with probabilities in proportion to exp(ε × score / (2Δ)), Δ how far one person moves a score, are together ε-DP with ε = ${shown}. ${closing("the sum of the choices' ε")}`,
      python: v.door === "target" ? inPython(coins ? `pure.truth_probability(${one})` : `pure.repeat(${one}, ${uses})`, coins ? rounded(truth, true) : rounded(uses * Number(one)), coins) : inPython(`pure.repeat(${one}, ${uses})`, shown),
      opacus: "# Opacus accounts for Gaussian noise only.",
      "dp-accounting": coins
        ? peerPld(`from_randomized_response(2 * (1 - ${rounded(truth, true)}), 2)`, 1e-15, "the ε of δ = 0", uses)
        : `from dp_accounting.pld import common\n${peerPld(`from_privacy_parameters(common.DifferentialPrivacyParameters(${one}, 0))`, 1e-15, "the ε of δ = 0, to its lattice", uses)}`,
    };
  }

  const severally = (times, text) => (times > 1 ? text : "");
  const belief = (epsilon, odds = 1) => 1 / (1 + Math.exp(-epsilon) / odds);
  const beliefs = (shown, but = "") => {
    const [even, ninth] = [belief(Number(shown)), belief(Number(shown), 1 / 9)];
    return { belief: [even, percent(even) + but], tenth: [ninth, percent(ninth) + but] };
  };
  const percent = (x) => (x > 0.9999 ? "more than 99.99 %" : `${Math.ceil(x * 1e4) / 100} %`);

  function errors(v, deviation, interval) {
    return {
      deviation: [deviation, rounded(deviation)],
      interval: [interval, rounded(interval)],
      relative: [interval / v.typical, v.typical ? `± ${rounded((100 * interval) / v.typical)} %` : ""],
    };
  }

  // ---- the sentence, and the calls

  const neighbours = (v) => (v.neighbours === "replace" ? "one person replaced by another" : "one person added or removed");
  const closing = (accounting) =>
    `Accounting: ${accounting}, dp_lib ${version}. Noise drawn by [name the sampler]. Other releases from the same data: [name them, or none].`;

  function published(v, given, noise, sensitivity, promise, accounting, total) {
    const bounds = v.rows === undefined ? `values clipped to ${v.low} … ${v.high}` : `at most ${v.rows} each`;
    const what = v.what === "tables" ? `${v.k} cells of ${v.tables} tables, each person in one cell of each` : `${v.k} ${WORDS[v.what]}${v.what === "means" ? ` over ${v.n} people` : ""}, each person in at most ${given.m} of them`;
    const often = v.repeats > 1 ? `, published ${v.repeats} times` : "";
    const more = v.times > 1 ? ` This is of one of ${v.times} such releases; ε is ${total}.` : "";
    return `For each person (${neighbours(v)}): ${what} (${bounds})${often}, ${sensitivity}${often && " of all together"}, with ${noise} on each, are together ${promise}.${more} ${closing(accounting)}`;
  }

  // A line that prints the number shown, rounded to the same side.
  function inPython(call, shown, down = false) {
    const [room] = call.split(".");
    const rooms = [...new Set(call.match(/\b(approx|dp_sgd|gdp|pure|rdp|zcdp)\b(?=\.)/g))].join(", ") || room;
    const power = shown.includes("e");
    const digits = ((power ? shown.split("e")[0] : shown).split(".")[1] ?? "").length;
    const which = down ? "at_least" : "at_most";
    return `from dp_lib import ${rooms}, say\nprint(say.${which}(${call}, ${digits}${power ? ', "e"' : ""}))`;
  }

  const opacus = (step, delta, note) =>
    `from opacus.accountants import RDPAccountant\naccountant = RDPAccountant()\naccountant.history = [${step}]\nprint(accountant.get_epsilon(${written(delta)}))  # ${note}`;
  const peerPld = (call, delta, note, uses = 1) =>
    `from dp_accounting.pld import privacy_loss_distribution as pld\nloss = pld.${call}${uses > 1 ? `.self_compose(${uses})` : ""}\nprint(loss.get_epsilon_for_delta(${written(delta)}))  # ${note}`;

  // ---- the door "I train a model"

  let training = null;
  const script = document.currentScript.src.replace("desk.js", "desk-train.js");

  function load() {
    training ??= new Promise((loaded, failed) => {
      const element = make("script", { src: script });
      element.addEventListener("load", () => {
        players.train = new Player(globalThis.deskTrain.tape);
        loaded();
      });
      element.addEventListener("error", failed);
      document.head.append(element);
    });
    return training;
  }

  // The table's bound for the run, or Infinity: the cell that holds it (tools/desk_table.py).
  function tabled({ sigma, q, steps, delta }) {
    const { table } = globalThis.deskTrain;
    const ratio = table.rate[1] / table.rate[0];
    const rate = table.rate.findIndex((one) => q <= one);
    const places = [
      table.delta.findIndex((one) => one <= delta),
      table.sigma.findLastIndex((one) => one <= sigma),
      table.epochs.findIndex((one) => q * steps <= one + q),
      rate,
    ];
    if (places.includes(-1) || q <= table.rate[0] / ratio) return Infinity;
    const code = places.reduce((rest, place) => rest[place], table.entries);
    return Math.exp(code * table.unit) * (1 + 1e-9);
  }

  function spent(v, sigma) {
    const q = v.q ?? v.batch / v.n;
    const each = v.span !== "epochs" ? v.steps : Math.ceil((v.epochs * v.n) / v.batch - 1e-9);
    const batches = Math.ceil(v.n / v.batch);
    const epochs = v.span !== "epochs" ? Math.ceil(v.steps / batches) : Math.ceil(v.epochs);
    const run = { sigma, q, steps: each * v.runs, delta: v.delta, epochs: epochs * v.runs, batches };
    if (v.sampler === "fixed") {
      const [alone, sampled] = ["fixed", "fixed-sampled"].map((name) => answer("train", name, run));
      return { ...run, alone, sampled, epsilon: sampled < alone ? sampled : alone };
    }
    if (v.sampler === "shuffled") return { ...run, epsilon: answer("train", "shuffled", run), lower: answer("train", "shuffled-lower", run) };
    if (v.sampler !== "poisson") throw new Error(`no account of batches drawn so: ${v.sampler}`); // and not another's
    const rdp = answer("train", "rdp", run);
    const exact = tabled(run);
    return { ...run, rdp, exact, epsilon: Math.min(exact, Number.isNaN(rdp) ? Infinity : rdp) };
  }

  // The least noise of four digits that keeps the target.
  function calibrated(v) {
    const enough = (sigma) => spent(v, sigma).epsilon <= v.epsilon;
    let [low, high] = [0.3, 1e4];
    if (!enough(high)) return NaN;
    for (let i = 0; i < 40; i++) {
      const middle = Math.sqrt(low * high);
      if (enough(middle)) high = middle;
      else low = middle;
    }
    return [Number(rounded(high, true)), Number(rounded(high))].find(enough) ?? NaN;
  }

  function train(v) {
    const sigma = v.solve === "noise" ? calibrated(v) : v.noise;
    if (Number.isNaN(sigma)) {
      complain("epsilon", "no noise multiplier from 0.3 to 10,000 keeps this ε here; allow more, or a larger δ");
      return null;
    }
    const run = spent(v, sigma);
    const [, relation, batches] = samplers[v.sampler];
    const eps = rounded(run.epsilon);
    const rate = v.q === undefined ? `${written(v.batch)} / ${written(v.n)}` : written(v.q);
    const numbers = `${written(sigma)}, ${rate}`;
    const sure = { poisson: run.exact < run.rdp ? "privacy loss distributions, an upper bound" : "Rényi DP", shuffled: "Gaussian DP, one batch an epoch, without amplification", fixed: run.sampled < run.alone ? "Rényi DP of fixed-size samples" : "Gaussian DP, without amplification" }[v.sampler];
    const rows = {
      poisson: [
        ["privacy loss distributions (a table)", run.exact, run.exact === Infinity ? "outside the table" : "", "bound; the line of Python gives the exact bracket"],
        ["Rényi DP", run.rdp, "", "bound"],
      ],
      shuffled: [
        ["Gaussian DP, one batch an epoch", run.epsilon, "", "bound: what can be claimed"],
        ["Poisson sampling", spent({ ...v, sampler: "poisson" }, sigma).epsilon, "", "bound, one example added or removed; no guarantee for a shuffled order"],
      ],
      fixed: [
        ["Rényi DP of fixed-size samples", run.sampled, "", "bound"],
        ["Gaussian DP, every step", run.alone, "", "bound, without amplification"],
        ["Poisson sampling", spent({ ...v, sampler: "poisson" }, sigma).epsilon, "", "bound, one example added or removed; no guarantee for this sampler"],
      ],
    }[v.sampler];
    const bracket = `from dp_lib import say\nfrom dp_lib.pld import PrivacyLoss\nlower, upper = PrivacyLoss.subsampled_gaussian(${numbers}).repeat(${run.steps}).epsilon(${written(v.delta)})\nprint(${eps}, "holds:", upper <= ${eps}, "- the truth is from", say.at_least(lower, 4), "to", say.at_most(upper, 4))`;
    const single = inPython(`gdp.epsilon(${v.sampler === "fixed" ? 2 : 1} * ${v.sampler === "fixed" ? run.steps : run.epochs} ** 0.5 / ${written(sigma)}, ${written(v.delta)})`, eps);
    const step = `rdp.subsampled(a, lambda order: rdp.gaussian(order, ${written(sigma)}, 2), ${rate})`;
    const sampled = inPython(`min(rdp.epsilon_tight(a, rdp.repeat(${step}, ${run.steps}), ${written(v.delta)}) for a in (${globalThis.deskTrain.orders.join(", ")}))`, eps);
    const renyi = inPython(`dp_sgd.epsilon(${numbers}, ${run.steps}, ${written(v.delta)})`, rounded(run.rdp));
    return {
      main: v.solve === "noise" ? "noise" : "epsilon",
      holds: `${{ poisson: "if batches are Poisson-sampled", shuffled: "for a shuffled order", fixed: "for batches of a fixed size, drawn afresh" }[v.sampler]} (${relation})`,
      noise: [sigma, written(sigma)],
      epsilon: [run.epsilon, eps],
      delta: [v.delta, written(v.delta)],
      binding: [NaN, `(ε, δ)-DP for ${relation}${v.delta >= 1 / v.n ? "; but δ is not below 1/n, and publishing one example outright would keep such a δ" : ""}${v.solve === "noise" && run.exact < run.rdp ? "; this noise suffices, and somewhat less may" : ""}`],
      steps: [run.steps, String(run.steps)],
      ...(v.sampler === "shuffled" ? {} : { rate: [run.q, rounded(run.q)] }),
      ...(run.lower === undefined ? {} : { lower: [run.lower, `${rounded(run.lower, true)} even for one epoch alone`] }),
      ...beliefs(eps, ", but for rare cases, more often than δ"),
      accounts: rows,
      sentence: `For each example (${relation}): ${v.runs} run${v.runs > 1 ? "s" : ""} of DP-SGD${v.q === undefined ? ` on n = ${v.n} examples, ${batches} of ${v.batch},` : `, ${batches} at a rate of ${rate},`} ${v.span === "epochs" ? `${v.epochs} epochs, ` : ""}${run.steps} steps in all, gradients clipped to an L2 norm C, Gaussian noise of σ = ${written(sigma)} C on each sum, ${v.runs > 1 ? "are together" : "is"} (ε, δ)-DP with ε = ${eps} at δ = ${written(v.delta)}. ${closing(sure)}`,
      python: v.sampler === "poisson" ? `${bracket}\n${renyi.replace("print(", 'print("Rényi DP alone proves", ')}` : v.sampler === "fixed" && run.sampled < run.alone ? sampled : single,
      opacus: v.sampler === "poisson" ? opacus(`(${numbers}, ${run.steps})`, v.delta, "RDP") : "# Opacus accounts for Poisson sampling; its ε is no guarantee for this sampler.",
      "dp-accounting": v.sampler === "poisson" ? peerPld(`from_gaussian_mechanism(${written(sigma)}, sampling_prob=${rate})`, v.delta, "exact to its lattice", run.steps) : "# Its Poisson-sampled accounts are no guarantee for this sampler.",
    };
  }

  // ---- the door "I read a claim"

  // What (ε, δ) promises the person whose row it is. More than 2e^ε the odds move with probability 3δ or less: at a
  // loss above ε + ln 2 less than half of its probability is covered by e^ε times the other one's.
  function claim(v) {
    const { epsilon, delta, times, prior } = v;
    const [eps, all] = [written(epsilon), written(times * epsilon)];
    const odds = prior / (100 - prior);
    const own = belief(epsilon, odds);
    const later = belief(times * epsilon, odds);
    const but = delta > 0 ? ", but for rare cases" : "";
    const after = later > 0.9999 ? "can be as good as certain: no useful limit is left" : `can be ${percent(later)} at most`;
    const factor = rounded(Math.exp(epsilon));
    const least = `${Math.floor(1e4 / (1 + Math.exp(epsilon) / odds)) / 100} %`;
    const together = delta > 0 ? `ε = ${rounded(times * epsilon)} at δ = ${rounded(times * delta)}` : `ε = ${rounded(times * epsilon)}`;
    return {
      main: "own",
      headline: `A belief of ${written(prior)} % becomes ${percent(own)} at most${but}${severally(times, `; after ${times} such releases it ${after}`)}`,
      heading: "In one sentence",
      own: [own, `${percent(own)} at most, and ${least} at least${but}${severally(times, `; after ${times} such releases it ${after}`)}`],
      epsilon: [epsilon, eps],
      delta: [delta, written(delta)],
      binding: [NaN, delta > 0 ? `the odds move ${factor} times or less, which is exp(ε)${but}; how rare, (ε, δ) says only in part` : `the odds never move more than ${factor} times, which is exp(ε), whatever else somebody knows`],
      ...(prior === 50 ? {} : { belief: [belief(epsilon), percent(belief(epsilon)) + but] }),
      tenth: [belief(epsilon, 1 / 9), percent(belief(epsilon, 1 / 9)) + but],
      rare: [3 * delta, delta === 0 ? "" : delta < 1e-7 ? rounded(3 * delta) : `${rounded(3e6 * delta)} in a million`],
      total: [times * epsilon, severally(times, `${together} for all ${times}, if nothing more is known of them; the belief ${after}`)],
      accounts: [],
      sentence: `Your own data can move what somebody believes of you from ${written(prior)} % to at most ${percent(own)}${delta > 0 ? ", except in rare cases; how rare, this claim does not fully say" : ""}. What is known of you without your data is not covered: a result about everybody is about you too.${severally(times, ` After ${times} such releases the belief ${after}.`)}`,
      python: `from dp_lib import pure, say\nleast, most = pure.posterior_odds(${written(prior)} / ${written(100 - prior)}, ${eps})\nprint(say.at_most(100 * most / (1 + most), 2), "%")${times > 1 ? `\nleast, most = pure.posterior_odds(${written(prior)} / ${written(100 - prior)}, ${all})\nprint(say.at_most(100 * most / (1 + most), 2), "%")` : ""}`,
    };
  }

  // ---- showing it

  function show(found) {
    for (const output of desk.querySelectorAll("output[data-answer]")) {
      const name = output.dataset.answer;
      const [value, text] = found?.[name] ?? [NaN, ""];
      const row = output.closest("div");
      row.hidden = text === "" || text === "—";
      row.classList.toggle("desk-main", found?.main === name);
      output.value = text;
      output.dataset.value = Number.isNaN(value) ? "" : String(value);
    }
    for (const name of ["sentence", "python", "opacus", "dp-accounting"]) {
      const block = desk.querySelector(`[data-answer="${name}"]`);
      block.textContent = found?.[name] ?? "";
      if (name === "sentence") block.closest(".desk-text").querySelector(".desk-heading").textContent = found?.heading ?? "The sentence to publish";
      block.closest(".desk-text").hidden = !found?.[name];
    }
    const rows = (found?.accounts ?? []).map(([name, value, text, kind]) => {
      const cell = make("td", { "data-value": Number.isFinite(value) ? value : "" }, text || rounded(value));
      return make("tr", {}, make("th", { scope: "row" }, name), cell, make("td", {}, kind));
    });
    desk.querySelector('[data-answer="accounts"]').replaceChildren(...rows);
    desk.querySelector(".desk-scroll").hidden = !rows.length;
    desk.classList.toggle("desk-empty", !found);
    const main = found && desk.querySelector(`[data-answer="${found.main}"]`);
    const at = (found?.main === "epsilon" && found.delta[0] > 0 ? ` at δ = ${found.delta[1]}` : "") + (found?.holds ? `, ${found.holds}` : "");
    const total = found?.total?.[1] && `; ε = ${found.total[1]}`;
    const within = ["sigma", "scale"].includes(found?.main) ? `, within ±${found.interval[1]} in 95 of 100 answers` : "";
    const answer = main && `${main.closest("div").querySelector("dt").textContent} = ${main.value}${at}${within}${total || ""}`;
    const wrong = form.querySelector('[aria-invalid="true"]');
    status.textContent = found?.headline ?? (answer || (wrong ? complaint(wrong) : ""));
  }

  const complaint = (entry) => {
    const [label, problem] = [said(entry), document.getElementById(`desk--${entry.name}-problem`).textContent];
    return problem.startsWith(label) ? problem : `${label}: ${problem}`;
  };

  // The noise that a target needed, for the door that asks what a noise costs.
  let found = null;

  function bring() {
    if (!found) return;
    form.elements[found.name].value = found.value;
    touched.add(found.name);
  }

  function find({ door }) {
    const output = desk.querySelector(".desk-main [data-answer]");
    const name = output?.dataset.answer;
    if (door === "target" && ["sigma", "scale", "epsilon_0"].includes(name)) found = { name, value: output.value };
  }

  let turn = 0;
  async function renew() {
    const mine = ++turn;
    const values = read();
    if (values?.door === "train") await load();
    if (mine !== turn) return;
    const work = { release, target: release, train, claim };
    show(values && work[values.door](values));
    if (values) find(values);
    dispatchEvent(new CustomEvent("desk:shown"));
  }

  // ---- the address: #desk:door=target,k=20

  const whole = (x) => (Number(written(x)) === x ? written(x) : String(x));

  let kept = "";

  // A heading's link takes the place of the settings in the address: its entry of the history has them.
  function leave() {
    if (kept) history.replaceState({ ...history.state, desk: kept }, "");
  }

  function remember() {
    const shown = entries.filter(({ box }) => !box.hidden).map(({ entry }) => entry);
    const number = ({ dataset, value }) => (dataset.rule && Number.isFinite(understood(value)) ? whole(understood(value)) : value);
    const text = (entry) => number(entry) || (entry.name === "delta" ? "0" : ""); // a claim may have no δ
    const pairs = shown.map((entry) => [entry.name, text(entry)]).filter(([, value]) => value);
    kept = [["door", form.elements.door.value], ...pairs].map((pair) => pair.map(encodeURIComponent).join("=")).join(",");
    history.replaceState(null, "", `${location.pathname}${location.search}#desk:${kept}`);
  }

  function restore() {
    const [, settings] = /^#desk:(.{1,3000})$/.exec(location.hash) ?? ["", history.state?.desk];
    for (const pair of settings?.split(",") ?? []) {
      const [name, value = ""] = pair.split("=").map(decoded);
      if (name === "door" && doors.includes(value)) form.elements.door.value = value;
      const field = entries.map(({ entry }) => entry).find((entry) => entry.name === name);
      if (!field || value === "" || (field.options && ![...field.options].some((option) => option.value === value))) continue;
      field.value = value;
      touched.add(name);
    }
    return renew();
  }

  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return "";
    }
  };

  // In front of a class: the answer fills the window.
  const present = desk.querySelector(".desk-present");
  function fill(on) {
    desk.classList.toggle("desk-filling", on);
    present.setAttribute("aria-pressed", String(on));
    present.textContent = on ? "Leave" : "Present";
    if (on) desk.requestFullscreen?.().catch(() => {}); // where it is refused the window is filled all the same
    else if (document.fullscreenElement) document.exitFullscreen();
  }
  present.addEventListener("click", () => fill(!desk.classList.contains("desk-filling")));
  document.addEventListener("fullscreenchange", () => document.fullscreenElement || fill(false));
  addEventListener("keydown", ({ key }) => key === "Escape" && desk.classList.contains("desk-filling") && fill(false));

  form.elements.door.value = "release";
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", async ({ target }) => {
    touched.add(target.name);
    if (target.name === "what") touched.delete("m"); // "all" of a histogram is not "all" of counts
    if (target.name === "door" && target.value === "release") bring();
    if (target.name === found?.name) found = null; // the reader's own
    await renew();
    remember();
  });
  form.addEventListener("focusin", ({ target }) => target.matches("[data-rule]") && target.select());
  addEventListener("hashchange", () => (location.hash.startsWith("#desk:") ? restore() : leave()));
  restore().then(() => desk.dataset.ready = "");
})();
