// How a number is written: the page's half of numbers.py. A test compares the two.
"use strict";

live.numbers = (() => {
  const SUPERSCRIPTS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

  const powerOfTen = (exponent) => "10" + String(exponent).replace(/[-0-9]/g, (digit) => SUPERSCRIPTS[digit]);

  // Readers see a minus sign; what is typed and what an address has keep the hyphen, which every keyboard has.
  const minus = (text) => text.replace(/^-/, "−");

  // A reading in four digits, or as a format of Python says, "$ {:,.2f}"; a dash where there is none. An upper bound is
  // rounded up, `way` = 1 or true, so that it is no less than the value, and a lower bound down, `way` = -1. A value
  // half-way between two, such as 0.3125 in three digits, is rounded away from zero, 0.313, as in numbers.py. An f-string
  // of Python, which a text may use, takes the even digit, 0.312.
  function shown(value, way = 0, format = "{:.4g}") {
    if (!Number.isFinite(value)) return value === Infinity ? "∞" : "—";
    const [, before, comma, places, kind, after] = /(.*){:(,?).(.)(.)}(.*)/s.exec(format);
    const [all, share] = [kind === "g", kind === "%"];
    if (share) value *= 100;
    if (way) value = Number(value.toPrecision(14)); // 3 * 0.1 = 0.30000000000000004, and its bound is 0.3
    const size = Math.abs(value);
    const most = all ? places - 1 : 3;
    const plain = value === 0 || (all ? size >= 1e-3 && size < 1e6 : size < 1e15);
    const near = (number) => (plain ? number.toFixed(digits) : number.toExponential(most));
    const power = plain ? Math.floor(Math.log10(size)) : value.toExponential().split("e")[1];
    const digits = plain && !all ? Number(places) : value && (plain ? Math.max(0, most - power) : most - power);
    // On the wrong side of the value it is what is nearest to a little more than half a digit on: less than 0.55 of it,
    // since below a power of ten digits are a tenth as large.
    const wrong = (near(value) - value) * way < 0;
    const [signed, exponent] = near(wrong ? value + way * 0.51 * 10 ** -digits : value).split("e");
    let mantissa = Number(signed) ? signed : signed.replace("-", "");
    if (comma && !exponent) mantissa = mantissa.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, comma);
    const words = minus(exponent ? `${mantissa} × ${powerOfTen(Number(exponent))}` : mantissa);
    return before + words + (share ? kind : "") + after;
  }

  // A slider's value as one would type it.
  function typed(value) {
    const size = Math.abs(value);
    if (value !== 0 && (size < 1e-3 || size >= 1e7)) {
      const [mantissa, exponent] = value.toExponential(11).split("e");
      return `${Number(mantissa)}e${Number(exponent)}`;
    }
    return String(Number(value.toPrecision(12)));
  }

  // A slider's value as a reader reads it: one that moves over exponents of `base` shows the power.
  function said(value, base) {
    if (!base) return minus(typed(value));
    if (base < 1) return said(-value, Math.round(1 / base));
    if (!Number.isInteger(value)) return typed(Number((base ** value).toPrecision(4)));
    if (base === 10 && !(value >= -2 && value <= 4)) return powerOfTen(value);
    if (value >= 0) return String(base ** value);
    return base === 10 ? typed(10 ** value) : `1/${base ** -value}`;
  }

  // 2.5e-7 as a text shows it.
  const typeset = (said) =>
    said.replace(
      /^(.+)e(-?\d+)$/,
      (_, mantissa, exponent) => (mantissa === "1" ? "" : `${mantissa} × `) + powerOfTen(exponent),
    );

  // What a slider holds when its box says `number`: itself, or the exponent.
  const held = (number, base) => (base ? Number((Math.log10(number) / Math.log10(base)).toPrecision(12)) : number);

  // ---- what people type: 20 000, 10^-6, 1/60'000, 3·10⁻⁵, 2,5 %

  const RAISED = /[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/g;
  const lowered = (sign) =>
    sign === "⁺" ? "+" : Object.keys(SUPERSCRIPTS).find((digit) => SUPERSCRIPTS[digit] === sign);

  // The digit of any script: Unicode keeps each script's ten digits together, from zero on.
  function digit(character) {
    const code = character.codePointAt(0);
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  }

  // One spelling for each sign, whatever keyboard or page it came from.
  const SPELLINGS = [
    [/\p{Cf}/gu, ""],
    [/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0)],
    [RAISED, (raised) => `^${[...raised].map(lowered).join("")}`],
    [/\p{Nd}/gu, digit],
    [/[\p{Zs}\t]+/gu, " "],
    [/[−–‒‐‑﹣]/g, "-"],
    [/[’‘ʼ′´\u0060٬]/g, "'"],
    [/،/g, ","],
    [/[÷∕⁄]/g, "/"],
    [/\*\*/g, "^"],
    [/[×⋅∙]/g, "*"],
    [/٪/g, "%"],
    [/؉/g, "‰"],
    [/ ?([*·/^%‰()]) ?/g, "$1"],
    [/ ?x ?(?=10\^)/gi, "*"],
    [/(\d) ?e ?([-+]?) ?(?=\d)/gi, "$1e$2"],
    [/^([-+]) /, "$1"],
  ];

  const respelled = (text) => SPELLINGS.reduce((now, [signs, plain]) => now.replace(signs, plain), text.trim());

  // A numeral with this decimal sign and this sign between groups; spaces, apostrophes and underscores group in both.
  const numeral = (point, comma) => {
    const groups = `[1-9]\\d{0,2}(?:([${comma} '_])\\d{3})(?:\\2\\d{3})*`;
    const lakhs = comma === "," ? "|[1-9]\\d?(?:,\\d\\d)+,\\d{3}" : "";
    const decimals = "\\d*|\\d{3}(?: \\d{3})*(?: \\d{1,2})?";
    return new RegExp(`^[-+]?(\\d*|${groups}${lakhs})(?:[${point}](${decimals}))?(?:e([-+]?\\d+))?$`);
  };
  const NUMERALS = { ".": numeral(".", ","), ",": numeral(",", ".") };

  // A numeral as JavaScript writes it; null where it is none.
  function unified(text, point) {
    const [, whole = "", , decimals = "", exponent] = NUMERALS[point].exec(text) ?? [];
    if (exponent && /[.,]/.test(whole)) return null; // 1.665e-10 has a decimal sign: no group stands before an exponent
    const digits = [whole, decimals].map((part) => part.replace(/\D/g, ""));
    if (!digits.join("")) return null;
    const sign = text.startsWith("-") ? "-" : "";
    const fraction = digits[1] && "." + digits[1];
    return sign + (digits[0] || "0") + fraction + (exponent ? "e" + exponent : "");
  }

  function power(text, point) {
    const [base, exponent = "1", ...more] = text.split("^");
    const bare = /^\((.*)\)$/.exec(exponent)?.[1] ?? exponent;
    const [number, raised] = [unified(base, point), unified(bare, point)];
    if (number === null || raised === null || more.length) return NaN;
    if (number === "10" && /^-?\d+$/.test(raised)) return Number(`1e${raised}`);
    return raised === "1" ? Number(number) : Number(number) ** Number(raised);
  }

  const product = (text, point) =>
    text
      .split("*")
      .map((factor) => power(factor, point))
      .reduce((all, one) => all * one);

  // Both orders of 1/2*10^6 are in use; with parentheses, and without a product, there is one.
  function quotients(text, point) {
    const [over, under, ...rest] = text.split("/");
    if (rest.length) return [];
    if (under === undefined) return [product(over, point)];
    const inside = /^\(([^()]*)\)$/.exec(under)?.[1] ?? under;
    const all = [product(over, point) / product(inside, point)];
    const [first, ...others] = inside.split("*");
    if (inside === under && others.length)
      all.push((product(over, point) / power(first, point)) * product(others.join("*"), point));
    return all;
  }

  // The text's values under one convention; "5·2" is a product, or as once in Britain a decimal.
  function valuesOf(text, point) {
    const [, sign, rest, mark] = /^([-+]?)(.*?)([%‰]?)$/.exec(text);
    if (/^[-+]/.test(rest)) return [];
    const share = { "%": 100, "‰": 1000 }[mark] ?? 1;
    const exact = mark === "" && !/[*^·]/.test(rest);
    return quotients(rest.replaceAll("·", "*"), point)
      .map((value) => ((sign === "-" ? -1 : 1) * value) / share)
      .filter((value) => Number.isFinite(value) && (value !== 0 || !/[1-9]/.test(rest))) // neither too large nor too small
      .map((value) => (exact ? value : Number(value.toPrecision(15))) + 0); // without dust, and without -0
  }

  // The text under one convention without its groups: what a reader would have typed who knows this page.
  const cleaned = (text, point) =>
    text.replace(
      /[\d.,'_ ]*\d[\d.,'_ ]*/g,
      (part) =>
        unified(part, point)
          ?.replace(/(\.\d*?)0+$/, "$1")
          .replace(/\.$/, "") ?? part,
    );

  // All that a text can mean, each as its value and as a plain text: none, one, or more where a point or a comma is a
  // decimal sign in one half of the world and parts groups in the other.
  function readings(text) {
    const spelled = respelled(text);
    const certain = spelled.includes("٫"); // the Arabic decimal sign is nothing else
    const dotted = /^[-+]?\d+·\d+[%‰]?$/.test(spelled) ? [[spelled.replace("·", "."), "."]] : [];
    const both = [[spelled.replaceAll("٫", "."), "."], ...(certain ? [] : [[spelled, ","]]), ...dotted];
    const found = both.flatMap(([one, point]) => {
      const values = valuesOf(one, point);
      return values.map((value) => ({
        value,
        plain: values.length === 1 && /[/^*%‰]/.test(one) ? cleaned(one, point) : typed(value),
      }));
    });
    return found.filter(({ value }, place) => found.findIndex((other) => other.value === value) === place);
  }

  // What a text means if it can mean one thing only; what the page itself writes, 9.975, is meant so. NaN for all else.
  function understood(text) {
    const own = text.trim().replace(/^−/, "-");
    if (typed(Number(own)) === own) return Number(own);
    const all = readings(text);
    return all.length === 1 ? all[0].value : NaN;
  }

  return { minus, shown, typed, said, typeset, held, readings, understood };
})();
