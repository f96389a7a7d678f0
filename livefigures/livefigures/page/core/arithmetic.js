// The special functions of SciPy that figures use, and NumPy's rules where JavaScript's differ: one number at a time.
// The plain operations, and what plays them, are in trace.js; a function added to `live.trace.functions` is one more.
// Each is held to NumPy, SciPy and mpmath by a test.
"use strict";

(() => {
  const { abs, atanh, exp, floor, log, log1p, min, PI, pow, sign, sin, sqrt, trunc } = Math;
  const SQRT_HALF = Math.SQRT1_2;
  const SQRT_TWO_PI = sqrt(2 * PI);
  const LOG_TWO = Math.LN2;

  // Polynomials, the coefficient of the highest power first.
  const polynomial = (coefficients, x) => {
    let sum = coefficients[0];
    for (let i = 1; i < coefficients.length; i++) sum = sum * x + coefficients[i];
    return sum;
  };

  // ---- arithmetic as NumPy does it

  // JavaScript says NaN for 1 ** NaN and (±1) ** ±inf.
  const power = (x, y) => (x === 1 || (x === -1 && abs(y) === Infinity) ? 1 : pow(x, y));

  // Both keep the divisor's sign in a zero remainder, and round towards minus infinity.
  const remainder = (x, y) => {
    const rest = x % y;
    if (rest === 0) return y < 0 || Object.is(y, -0) ? -0 : 0;
    return rest < 0 === y < 0 ? rest : rest + y;
  };
  const floorDivide = (x, y) => {
    if (y === 0) return x / y;
    const rest = x % y;
    const quotient = (x - rest) / y - (rest !== 0 && rest < 0 !== y < 0 ? 1 : 0);
    if (quotient === 0) return x / y < 0 || Object.is(x / y, -0) ? -0 : 0;
    const whole = floor(quotient);
    return quotient - whole > 0.5 ? whole + 1 : whole;
  };

  // Halves go to the even neighbour: beyond 2 ** 52 a float64 has no fraction left.
  const rint = (x) => {
    const size = abs(x);
    if (!(size < 4503599627370496)) return x;
    const whole = size + 4503599627370496 - 4503599627370496;
    return x < 0 || Object.is(x, -0) ? -whole : whole;
  };

  const logaddexp = (x, y) => {
    if (x === y) return x + LOG_TWO; // infinities too
    return x > y ? x + log1p(exp(y - x)) : x < y ? y + log1p(exp(x - y)) : NaN;
  };

  const xlogy = (x, y) => (x === 0 && y === y ? 0 : x * log(y));
  const xlog1py = (x, y) => (x === 0 && y === y ? 0 : x * log1p(y));

  // ---- the logistic function

  const expit = (x) => (x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)));
  const log_expit = (x) => (x < 0 ? x - log1p(exp(x)) : -log1p(exp(-x)));
  const logit = (p) => (abs(p - 0.5) < 0.25 ? 2 * atanh(2 * p - 1) : log(p / (1 - p)));

  // ---- the error function (Cody 1969, "Rational Chebyshev approximations for the error function")

  const ERF_TOP = [0.18577770618460315, 3.1611237438705655, 113.86415415105016, 377.485237685302, 3209.3775891384694];
  const ERF_BOTTOM = [1, 23.601290952344122, 244.02463793444417, 1282.6165260773723, 2844.236833439171];
  const MIDDLE_TOP = [
    2.1531153547440383e-8, 0.5641884969886701, 8.883149794388377, 66.11919063714163, 298.6351381974001,
    881.952221241769, 1712.0476126340707, 2051.0783778260716, 1230.3393547979972,
  ];
  const MIDDLE_BOTTOM = [
    1, 15.744926110709835, 117.6939508913125, 537.1811018620099, 1621.3895745666903, 3290.7992357334597,
    4362.619090143247, 3439.3676741437216, 1230.3393548037495,
  ];
  const FAR_TOP = [
    0.016315387137302097, 0.30532663496123236, 0.36034489994980445, 0.12578172611122926, 0.016083785148742275,
    6.587491615298378e-4,
  ];
  const FAR_BOTTOM = [
    1, 2.568520192289822, 1.8729528499234673, 0.5279051029514285, 0.06051834131244132, 0.0023352049762686918,
  ];
  const CENTRE = 0.46875;

  // exp(factor x²) to the last digits: the head's square is exact.
  const expOfSquare = (factor, x) => {
    if (abs(x) > 1e3) return factor > 0 ? Infinity : 0;
    const head = trunc(x * 16) / 16;
    return exp(factor * head * head) * exp(factor * (x - head) * (x + head));
  };

  const erfCentre = (x) => (x * polynomial(ERF_TOP, x * x)) / polynomial(ERF_BOTTOM, x * x);

  // exp(x²) erfc(x) for x > CENTRE.
  const scaled = (x) => {
    if (x <= 4) return polynomial(MIDDLE_TOP, x) / polynomial(MIDDLE_BOTTOM, x);
    const t = 1 / (x * x);
    return (1 / sqrt(PI) - (t * polynomial(FAR_TOP, t)) / polynomial(FAR_BOTTOM, t)) / x;
  };

  const erf = (x) => {
    if (abs(x) <= CENTRE) return erfCentre(x);
    return x > 0 ? 1 - erfc(x) : x < 0 ? erfc(-x) - 1 : NaN;
  };
  const erfc = (x) => {
    if (abs(x) <= CENTRE) return 1 - erfCentre(x);
    return x > 0 ? scaled(x) * expOfSquare(-1, x) : x < 0 ? 2 - erfc(-x) : NaN;
  };
  const erfcx = (x) => {
    if (abs(x) <= CENTRE) return exp(x * x) * (1 - erfCentre(x));
    return x > 0 ? scaled(x) : x < 0 ? 2 * expOfSquare(1, x) - erfcx(-x) : NaN;
  };

  // ---- the normal distribution

  // P(Z > x) for x >= 0, from x itself: squaring x / √2 would lose digits far out.
  const tail = (x) => 0.5 * erfcx(x * SQRT_HALF) * expOfSquare(-0.5, x);

  const ndtr = (x) => {
    if (abs(x) < 0.5) return 0.5 + 0.5 * erf(x * SQRT_HALF);
    return x > 0 ? 1 - tail(x) : tail(-x);
  };
  const log_ndtr = (x) => {
    if (x < -1) return log(0.5 * erfcx(-x * SQRT_HALF)) - 0.5 * x * x;
    return x > 0 ? log1p(-tail(x)) : log(0.5) + log1p(-erf(-x * SQRT_HALF));
  };

  // Wichura 1988, algorithm AS 241.
  const QUANTILE_CENTRE = [
    [
      2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
      133.14166789178438, 3.3871328727963665,
    ],
    [
      5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
      687.1870074920579, 42.31333070160091, 1,
    ],
  ];
  const QUANTILE_MIDDLE = [
    [
      7.745450142783414e-4, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
      5.769497221460691, 4.630337846156546, 1.4234371107496835,
    ],
    [
      1.0507500716444169e-9, 5.475938084995345e-4, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
      1.6763848301838038, 2.053191626637759, 1,
    ],
  ];
  const QUANTILE_FAR = [
    [
      2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
      1.7848265399172913, 5.463784911164114, 6.657904643501103,
    ],
    [
      2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 7.868691311456133e-4, 0.014875361290850615,
      0.1369298809227358, 0.599832206555888, 1,
    ],
  ];
  const ratio = ([top, bottom], x) => polynomial(top, x) / polynomial(bottom, x);

  const ndtri = (p) => {
    if (!(p >= 0 && p <= 1)) return NaN;
    if (p === 0 || p === 1) return p === 0 ? -Infinity : Infinity;
    const q = p - 0.5;
    if (abs(q) <= 0.425) return q * ratio(QUANTILE_CENTRE, 0.180625 - q * q);
    const r = sqrt(-log(min(p, 1 - p)));
    return sign(q) * (r <= 5 ? ratio(QUANTILE_MIDDLE, r - 1.6) : ratio(QUANTILE_FAR, r - 5));
  };

  // ---- the gamma function

  // log Γ(2 + z) = z (1 - γ) + Σ (-1)^k (ζ(k) - 1) z^k / k from k = 2: the powers 30 to 1.
  const ABOUT_TWO = [
    3.1044247747322276e-11, -6.4229645638381e-11, 1.330476437424449e-10, -2.7595228851242334e-10, 5.731367241678862e-10,
    -1.1921401405860912e-9, 2.4836745438024785e-9, -5.183475041970047e-9, 1.0838659214896955e-8, -2.2711094608943164e-8,
    4.7698101693639804e-8, -1.0043224823968099e-7, 2.1207184805554665e-7, -4.492469198764566e-7, 9.55141213040742e-7,
    -2.039215753801366e-6, 4.374866789907488e-6, -9.439488275268397e-6, 2.050721277567069e-5, -4.492623673813314e-5,
    9.945751278180853e-5, -2.2315475845357939e-4, 5.096695247430425e-4, -1.192753911703261e-3, 2.8905103307415234e-3,
    -7.385551028673986e-3, 2.0580808427784546e-2, -6.73523010531981e-2, 0.3224670334241132, 0.42278433509846713,
  ];
  // B(2k) / 2k(2k - 1) for k = 8 to 1, in powers of 1 / x².
  const STIRLING = [
    -2.9550653594771242e-2, 6.41025641025641e-3, -1.9175269175269176e-3, 8.417508417508417e-4, -5.952380952380953e-4,
    7.936507936507937e-4, -2.777777777777778e-3, 8.333333333333333e-2,
  ];
  const LOG_SQRT_TWO_PI = log(SQRT_TWO_PI);

  // What Stirling's formula (x - ½) log x - x + log √(2π) lacks of log Γ(x), for x > 0.
  const stirlingRest = (x) => {
    if (x >= 10) return polynomial(STIRLING, 1 / (x * x)) / x;
    return gammaln(x) - (x - 0.5) * log(x) + x - LOG_SQRT_TWO_PI;
  };
  const gammalnAboutTwo = (z) => z * polynomial(ABOUT_TWO, z);

  const gammaln = (x) => {
    if (abs(x) === Infinity) return x;
    if (x <= 0) return x === floor(x) ? Infinity : log(PI / abs(sin(PI * (x - rint(x))))) - gammaln(1 - x);
    if (x >= 10) return (x - 0.5) * log(x) - x + (LOG_SQRT_TWO_PI + stirlingRest(x));
    if (x < 0.5) return gammalnAboutTwo(x) - log1p(x) - log(x);
    if (x < 1.5) return gammalnAboutTwo(x - 1) - log1p(x - 1);
    let factor = 1;
    let near = x;
    while (near > 2.5) factor *= near -= 1;
    return gammalnAboutTwo(near - 2) + log(factor);
  };

  // ---- the incomplete beta function

  // t - log(1 + t), without the cancellation.
  const lessLog1p = (t) => {
    if (t < -0.5 || t > 1) return t - log1p(t);
    const r = t / (t + 2); // log(1 + t) = 2 (r + r³/3 + r⁵/5 + ...)
    const square = r * r;
    let sum = 0;
    for (let k = 35; k > 1; k -= 2) sum = sum * square + 1 / k;
    return r * (t - 2 * square * sum);
  };

  // a - (a + b) x, exactly but for its own rounding: a product's rounding error by Dekker's splitting.
  const distance = (a, b, x) => {
    const n = a + b;
    const [big, small] = a > b ? [a, b] : [b, a];
    const rest = small - (n - big);
    const split = (value) => 134217729 * value - (134217729 * value - value);
    const [n1, x1] = [split(n), split(x)];
    const [n2, x2] = [n - n1, x - x1];
    const product = n * x;
    const error = n2 * x2 - (product - n1 * x1 - n2 * x1 - n1 * x2);
    return a - product - error - rest * x;
  };

  // x^a y^b / B(a, b): exponents as deviances (Loader 2000), so that large a and b lose no digits.
  const betaDensity = (a, b, x, y, away) => {
    const n = a + b;
    const logRatio = (c, z) => (z < 1e-290 ? log(z) + log(n / c) : log((n * z) / c)); // a subnormal z has few digits
    const deviance = (c, t, z) => c * (t < -0.5 ? t - logRatio(c, z) : lessLog1p(t));
    const exponent = deviance(a, -away / a, x) + deviance(b, away / b, y);
    const rest = stirlingRest(n) - stirlingRest(a) - stirlingRest(b);
    return (sqrt((a / n) * b) / SQRT_TWO_PI) * exp(rest - exponent);
  };

  // The lower tail for x at or below the mean, by a continued fraction (DiDonato & Morris 1992); away = a - (a + b) x.
  const betaTail = (a, b, x, y, away) => {
    const front = betaDensity(a, b, x, y, away);
    if (front === 0) return 0;
    let [top, topBefore, bottom, bottomBefore] = [1, 0, (a * (away + 1)) / (a + 1), 1];
    let value = top / bottom;
    for (let m = 1; m < 100000; m++) {
      const odd = a + 2 * m - 1;
      const numerator = ((((a + m - 1) / odd) * (a + b + m - 1)) / odd) * m * (b - m) * x * x;
      const denominator = m + (m * (b - m) * x) / odd + ((a + m) / (odd + 2)) * (away + 1 + m * (2 - x));
      [top, topBefore] = [denominator * top + numerator * topBefore, top];
      [bottom, bottomBefore] = [denominator * bottom + numerator * bottomBefore, bottom];
      const before = value;
      value = top / bottom;
      if (abs(value - before) <= 1e-16 * abs(value)) return front * value;
      [top, topBefore, bottom, bottomBefore] = [value, topBefore / bottom, 1, bottomBefore / bottom];
    }
    return NaN;
  };

  const betainc = (a, b, x) => {
    const valid = a >= 0 && b >= 0 && x >= 0 && x <= 1 && a + b > 0 && min(a, b) < Infinity;
    if (!valid) return NaN;
    if (x === 0 || x === 1) return x;
    if (a === 0 || b === Infinity) return 1;
    if (b === 0 || a === Infinity) return 0;
    const away = distance(a, b, x);
    return away >= 0 ? betaTail(a, b, x, 1 - x, away) : 1 - betaTail(b, a, 1 - x, x, -away);
  };

  // ---- the incomplete gamma function

  // The lower (0) or the upper one (1): a series for the lower below the mean, and above it a continued fraction for the upper.
  const gammaShare = (upper) => (a, x) => {
    const t = (x - a) / a;
    if (!(a >= 0 && x >= 0) || (t !== t && a === x)) return NaN;
    if (x === 0 || a === Infinity) return upper;
    if (a === 0 || x === Infinity) return 1 - upper;
    const exponent = a * (t < -0.5 ? t - log(x / a) : lessLog1p(t)) + stirlingRest(a);
    const front = exp(-exponent) / (SQRT_TWO_PI * sqrt(a)); // x^a e^-x / Γ(a + 1)
    let [sum, term] = [1, 1];
    if (x <= a + 1) {
      for (let n = 1; term > 1e-17 * sum; n++) sum += term *= x / (a + n);
      return abs(upper - front * sum);
    }
    let b = x + 1 - a;
    let [c, d] = [Infinity, 1 / b];
    [sum, term] = [d, 0];
    for (let n = 1; abs(term - 1) > 3e-16; n++) {
      b += 2;
      d = 1 / (n * (a - n) * d + b);
      c = b + (n * (a - n)) / c;
      sum *= term = c * d;
    }
    return abs(1 - upper - front * a * sum);
  };

  const functions = {
    pow: power,
    mod: remainder,
    floordiv: floorDivide,
    rint,
    logaddexp,
    xlogy,
    xlog1py,
    expit,
    log_expit,
    logit,
    erf,
    erfc,
    erfcx,
    ndtr,
    log_ndtr,
    ndtri,
    gammaln,
    betainc,
    gammainc: gammaShare(0),
    gammaincc: gammaShare(1),
  };

  globalThis.live = { trace: { functions } };
})();
