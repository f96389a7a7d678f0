// How a number is written: the page's half of numbers.py. A test compares the two.
"use strict";

globalThis.liveNumbers = (() => {
  const SUPERSCRIPTS = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

  const powerOfTen = (exponent) => "10" + String(exponent).replace(/[-0-9]/g, (digit) => SUPERSCRIPTS[digit]);

  // A reading in four digits; a dash where there is none. An upper bound is rounded up, `way` = 1 or true, so that it is
  // no less than the value, and a lower bound down, `way` = -1.
  function shown(value, way = 0) {
    if (!Number.isFinite(value)) return value === Infinity ? "∞" : "—";
    const size = Math.abs(value);
    const plain = value === 0 || (size >= 1e-3 && size < 1e6);
    const near = (number) => (plain ? number.toFixed(digits) : number.toExponential(3));
    const power = plain ? Math.floor(Math.log10(size)) : value.toExponential().split("e")[1];
    const digits = value && (plain ? Math.max(0, 3 - power) : 3 - power);
    // On the wrong side of the value it is what is nearest to a little more than half a digit on.
    const wrong = (near(value) - value) * way < 0;
    const [mantissa, exponent] = near(wrong ? value + way * 0.6 * 10 ** -digits : value).split("e");
    return exponent ? `${mantissa} × ${powerOfTen(Number(exponent))}` : mantissa;
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

  return { shown, typed, said, held, understood };
})();
