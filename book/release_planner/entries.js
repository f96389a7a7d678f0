// From what is typed to the values of a task: each text is read as meant, asked about, or refused in words. Nothing here
// knows a document: a field is its name, label, rule or options, and when it is asked.
"use strict";

globalThis.deskEntries = (() => {
  const { readings, typed } = live.numbers;

  const RULES = {
    real: [(x) => Math.abs(x) <= 1e12, "a number, at most 10¹² in size"],
    positive: [(x) => x > 0 && x <= 1e12, "a number above 0, at most 10¹²"],
    epsilon: [(x) => x > 0 && x < 1000, "a number above 0 and below 1000"],
    count: [(x) => Number.isInteger(x) && x >= 1 && x <= 1e9, "a whole number from 1 to 10⁹"],
    among: [(x) => Number.isInteger(x) && x >= 1 && x <= 1e9, "a whole number from 1 to 10⁹, or all"],
    maybe: [(x) => x > 0 && x <= 1e12, "a number above 0, or nothing"],
    percent: [(x) => x > 0 && x < 100, "a number above 0 and below 100"],
    fraction: [(x) => x >= 1e-300 && x < 1, "a number below 1 and at least 1e-300, such as 1e-6"],
    rate: [(x) => x >= 1e-300 && x <= 1, "a number of at most 1 and at least 1e-300, such as 0.01"],
  };
  const USUAL = { delta: { train: "1e-5", other: "1e-6" }, m: { histogram: "1", other: "all" } };

  // Here 9.975, as the page writes it, is taken for what it is to the page: were 9975 meant, the answer would ask for more
  // noise or claim less, or would say nothing of privacy. Elsewhere the smaller number could claim too much.
  const POINT_IS_SAFE = ["sigma", "scale", "noise", "rho", "mu", "typical"];

  const usual = (name, { door, what }) => USUAL[name][door] ?? USUAL[name][what] ?? USUAL[name].other;

  // Whether a field is asked: "door:train;span:rate|door:claim" is one list of conditions, or the other.
  const holds = (when, values) =>
    when === "" ||
    when.split("|").some((all) =>
      all.split(";").every((one) => {
        const [name, allowed] = one.split(":");
        return allowed.split(",").includes(values[name]);
      }),
    );

  // What a choice decides of other fields.
  function forced({ door, what, tables, cells }) {
    if (door === "train" || door === "claim") return {};
    if (what === "tables") return { k: cells, m: tables };
    if (what === "polls") return { mechanism: "coins", goal: "epsilon" };
    return what === "choice" ? { mechanism: "best", goal: "epsilon" } : {};
  }

  const isWhole = (x) => x === undefined || Number.isInteger(x);
  const FOR_WHOLE_NUMBERS = "discrete noise needs whole numbers; take Gaussian noise";
  const NEEDS_WHOLE = "must be a whole number with discrete noise";

  // Entries that do not go together, each with what would be said at each of them.
  // prettier-ignore
  const conflicts = (v) => [
    [
      v.tables > v.cells,
      { cells: `must be at least the number of tables, ${v.tables}`, tables: `must be at most the number of cells, ${v.cells}` },
    ],
    [
      v.span === "rate" && v.sampler !== "poisson",
      {
        sampler: "a sampling rate belongs to Poisson-sampled batches; give the batch size and the number of examples",
        span: "a sampling rate belongs to Poisson-sampled batches, and other batches are chosen below",
      },
    ],
    [v.m > v.k, { m: `must be at most the number of answers, ${v.k}`, k: `must be at least the number of answers that one person is in, ${v.m}` }],
    [v.low >= v.high, { high: `must be above the smallest value, ${v.low}`, low: `must be below the largest value, ${v.high}` }],
    [
      v.what === "means" && v.neighbours === "remove",
      {
        neighbours: "for a mean over a public number of people, choose “replaced”; for “added or removed”, publish a sum and a count",
        what: "for a mean over a public number of people, neighbours are “replaced”; for “added or removed”, publish a sum and a count",
      },
    ],
    [
      v.what === "means" && v.m < v.k,
      {
        m: "each mean is over all people, so enter “all” here",
        what: "each mean is over all people, but you have entered that one person is in fewer answers",
      },
    ],
    [
      v.mechanism === "discrete" && v.what === "means",
      { mechanism: "discrete noise is for whole numbers; publish a sum, or take Gaussian noise", what: "a mean is not a whole number" },
    ],
    ...["rows", "high", "low"].map((name) => [
      v.mechanism === "discrete" && !isWhole(v[name]),
      { [name]: NEEDS_WHOLE, mechanism: FOR_WHOLE_NUMBERS },
    ]),
    [
      v.mechanism === "laplace" && v.goal !== undefined && v.goal !== "epsilon",
      {
        goal: "Laplace noise is calibrated by ε here; take Gaussian noise for ρ or μ",
        mechanism: "Laplace noise is calibrated by ε here, not by ρ or μ",
      },
    ],
    [
      v.mechanism === "discrete" && v.goal === "mu",
      { goal: "μ is not computed for discrete Gaussian noise; take ρ or ε", mechanism: "μ is not computed for discrete Gaussian noise" },
    ],
    [v.batch > v.n, { batch: `must be at most the number of people, ${v.n}`, n: `must be at least the batch size, ${v.batch}` }],
  ];

  // Of two entries that do not go together, the one that was changed last is told; one that nobody touched never is.
  function disagreements(values, touched) {
    return conflicts(values)
      .filter(([wrong]) => wrong)
      .map(([, texts]) => {
        const named = Object.keys(texts);
        const name = touched.findLast((one) => named.includes(one)) ?? named[0];
        return [name, texts[name]];
      });
  }

  const FUNCTIONS = { ln: Math.log, sqrt: Math.sqrt };

  // What a text can mean: a number in any spelling, or the natural logarithm or the root of one, ln 3 or sqrt(20).
  function readingsOf(text) {
    const [, name, inside] =
      /^\s*(ln|sqrt)(?:\s*\(([^()]*)\)|\s*([^()]*))\s*$/i.exec(text)?.filter((part) => part !== undefined) ?? [];
    if (inside === undefined) return readings(text);
    return readings(inside)
      .filter(({ value }) => value > 0)
      .map(({ value, plain }) => ({
        value: FUNCTIONS[name.toLowerCase()](value),
        plain: `${name.toLowerCase()} ${plain}`,
      }));
  }

  // A claim, and noise whose ε holds with δ = 0, may have no δ. Polls and choices have no field for their noise.
  const needsDelta = ({ door, mechanism }) => door === "train" || mechanism === "gaussian" || mechanism === "discrete";

  const isNothing = (text) =>
    /^\s*(none)?\s*$/i.test(text) || (readings(text)[0]?.value === 0 && readings(text).length === 1);

  // Why a text that looks like a number is none here.
  function unreadable(text) {
    const size = Number(text.trim().replace(",", "."));
    if (size === 0 && /^[^e]*[1-9]/i.test(text))
      return ", which is too small to be represented; the smallest is about 1e-308";
    return Math.abs(size) === Infinity && /\d/.test(text)
      ? ", which is too large to be represented; the largest is about 1e308"
      : "";
  }

  // In a field of per cent, 1/2 can be half of one per cent, or of all.
  const ofQuotient = (text) =>
    readingsOf(text)
      .flatMap(({ value }) => [100 * value, value])
      .map((value) => ({ value, plain: `${typed(value)} %` }));

  // What a text can mean in a field: the readings that its rule allows. In a field of per cent "50 %" is 50.
  function meanings({ name, rule }, text, settled) {
    const own = text.trim();
    const [fits] = RULES[rule];
    if (settled?.text === own && fits(settled.value)) return [{ value: settled.value, plain: own }];
    const plain = { value: Number(own), plain: own };
    if (POINT_IS_SAFE.includes(name) && typed(plain.value) === own && fits(plain.value)) return [plain];
    const scale = rule === "percent" && /[%٪％‰؉]/.test(own) ? 100 : 1;
    if (rule === "percent" && scale === 1 && /[/÷∕⁄／]/.test(own))
      return ofQuotient(own).filter(({ value }) => fits(value));
    return readingsOf(own)
      .map(({ value, plain: one }) => ({
        value: scale === 1 ? value : Number((value * scale).toPrecision(15)),
        plain: one,
      }))
      .filter(({ value }) => fits(value));
  }

  // A number as an echo says it, in a few digits.
  function short(value) {
    const all = typed(value);
    return all.length <= 9 ? all : `about ${typed(Number(value.toPrecision(6)))}`;
  }

  const quoted = (text) => `“${text.trim()}”`;

  function refusal({ label, rule, name }, text, values) {
    const [, allowed] = RULES[rule];
    const none = name === "delta" && !needsDelta(values) ? ", or nothing" : "";
    const read = readingsOf(text).map(({ value }) => short(value));
    const how = read.length ? `, read as ${read.join(" or as ")}` : unreadable(text);
    return `${label} must be ${allowed}${none}; got ${quoted(text)}${how}`;
  }

  // A field's text into `found`: its value with an echo, a question, or a problem.
  function readNumber(field, found, settled) {
    const { name, rule } = field;
    const text = found.texts[name];
    if (rule === "maybe" && text.trim() === "") return;
    if (rule === "among" && /^\s*all\s*$/i.test(text)) {
      if (found.values.k !== undefined) found.values[name] = found.values.k; // else what is wrong is said at k
      return;
    }
    if (name === "delta" && !needsDelta(found.values) && isNothing(text)) {
      found.values.delta = 0;
      return;
    }
    const meant = meanings(field, text, settled);
    if (meant.length === 0) found.problems[name] = refusal(field, text, found.values);
    else if (meant.length > 1)
      found.asks[name] = {
        question: `${quoted(text)} can be read in ${meant.length} ways. Which do you mean?`,
        choices: meant,
      };
    else {
      const [{ value }] = meant;
      found.values[name] = found.numbers[name] = value;
      if (typed(value) !== text.trim()) found.echoes[name] = `read as ${short(value)}${rule === "percent" ? " %" : ""}`;
    }
  }

  // All that is asked with these texts. `touched` are the fields that the reader changed, the last one last; `settled` are
  // texts whose value is known, since the reader chose it or the page wrote it.
  function read(fields, texts, { touched = [], settled = {} } = {}) {
    const found = {
      values: { door: texts.door },
      texts: { ...texts },
      numbers: {},
      shown: [],
      problems: {},
      asks: {},
      echoes: {},
    };
    for (const field of fields) {
      const { name } = field;
      if (!touched.includes(name) && USUAL[name]) found.texts[name] = usual(name, found.values);
      if (!holds(field.when, { ...found.values, ...forced(found.values) })) continue;
      found.shown.push(name);
      if (field.options) found.values[name] = found.texts[name];
      else readNumber(field, found, settled[name]);
    }
    Object.assign(found.values, forced(found.values));
    for (const [name, text] of disagreements(found.values, touched)) found.problems[name] ??= text;
    found.whole = Object.keys(found.problems).length + Object.keys(found.asks).length === 0;
    return found;
  }

  return { read };
})();
