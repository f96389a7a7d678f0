// How a number is written: the page's half of numbers.py. A test compares the two.
"use strict";

globalThis.liveNumbers = (() => {
  const SUPERSCRIPTS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

  const powerOfTen = (exponent) => "10" + String(exponent).replace(/[-0-9]/g, (digit) => SUPERSCRIPTS[digit]);

  // Whether a number was written on the wrong side of the value: below it (`up`), or above it (`down`).
  const beyond = (written, value, { up, down }) => (up && written < value) || (down && written > value);

  // The next number of four digits above `nearest`, or below it: below 1.000 is 9.999 of the next lower power.
  function neighbour(nearest, power, up) {
    const moved = nearest + (up ? 1e-3 : -1e-3);
    if (Math.abs(moved) < 1) return `${Math.sign(moved) * 9.999}e${power - 1}`;
    return Number(`${moved.toFixed(3)}e${power}`).toExponential(3);
  }

  // A reading in four digits; a dash where there is none. An upper bound is rounded `up` and a lower bound `down`.
  function shown(value, up = false, down = false) {
    if (!Number.isFinite(value)) return value === Infinity ? "∞" : "—";
    const size = Math.abs(value);
    if (value !== 0 && (size < 1e-3 || size >= 1e6)) {
      const [nearest, power] = value.toExponential(3).split("e");
      const wrong = beyond(Number(`${nearest}e${power}`), value, { up, down });
      const [mantissa, exponent] = (wrong ? neighbour(Number(nearest), power, up) : `${nearest}e${power}`).split("e");
      return `${mantissa} × ${powerOfTen(Number(exponent))}`;
    }
    const digits = value === 0 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(size)));
    const nearest = value.toFixed(digits);
    if (!beyond(Number(nearest), value, { up, down })) return nearest;
    return (Number(nearest) + (up ? 1 : -1) * 10 ** -digits).toFixed(digits);
  }

  // A share in per cent with one decimal, `up` if it is an upper bound.
  function percent(share, up = false) {
    const nearest = (100 * share).toFixed(1);
    const written = up && Number(`${nearest}e-2`) < share ? (Number(nearest) + 0.1).toFixed(1) : nearest;
    return `${written}\u00a0%`;
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
    if (!base) return typed(value);
    if (base < 1) return said(-value, Math.round(1 / base));
    if (!Number.isInteger(value)) return typed(Number((base ** value).toPrecision(4)));
    if (base === 10 && !(value >= -2 && value <= 4)) return powerOfTen(value);
    if (value >= 0) return String(base ** value);
    return base === 10 ? typed(10 ** value) : `1/${base ** -value}`;
  }

  // What a slider holds when its box says `number`: itself, or the exponent.
  const held = (number, base) => (base ? Number((Math.log10(number) / Math.log10(base)).toPrecision(12)) : number);

  // A number as people type it, 20,000 or 10^-6 or 1/1000 or 3·10⁻⁵ or 2.5 %; NaN for anything else.
  const GROUPED = /^([+-]?[1-9]\d{0,2})(?:([, '\u00a0\u2009\u202f])\d{3})(?:\2\d{3})*(?:\.\d+)?$/;
  const POWER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:\^\(?([+-]?\d+(?:\.\d+)?)\)?)?$/i;

  function understood(text) {
    let plain = text.trim().replaceAll("−", "-");
    if (GROUPED.test(plain)) plain = plain.replace(/[^-+.\d]/g, "");
    plain = plain.replace(/[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (raised) => "^" + [...raised].map(lowered).join(""));
    plain = plain.replaceAll("**", "^").replace(/\s+/g, "").replace(/^([^,.]*\d),(\d+)$/, "$1.$2");
    const share = plain.endsWith("%") ? 100 : 1;
    const [over, under = "1", ...rest] = plain.replace(/%$/, "").split("/");
    const result = product(over) / product(under) / share;
    if (rest.length || !Number.isFinite(result)) return NaN;
    return POWER.exec(plain)?.[2] === undefined && POWER.test(plain) ? result : Number(result.toPrecision(15)); // dust
  }

  const lowered = (sign) => Object.keys(SUPERSCRIPTS).find((digit) => SUPERSCRIPTS[digit] === sign);
  const product = (text) => text.split(/[*·×]/).map(power).reduce((all, factor) => all * factor);

  function power(text) {
    const [, number = NaN, exponent] = POWER.exec(text) ?? [];
    if (exponent === undefined) return Number(number);
    return number === "10" && /^[+-]?\d+$/.test(exponent) ? Number(`1e${exponent}`) : number ** exponent;
  }

  return { shown, percent, typed, said, held, understood };
})();
