// The special functions of SciPy that figures use, and NumPy's rules where JavaScript's differ: one number at a time.
// The plain operations, and what plays them, are in tape.js; a function added to `liveTape.functions` is one more.
// Each is held to NumPy, SciPy and mpmath by a test.
"use strict";

(() => {
  const { abs, atanh, exp, expm1, floor, log, log1p, min, PI, pow, sign, sin, sqrt, trunc } = Math;
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
    if (quotient === 0) return 0 * (x / y < 0 || Object.is(x / y, -0) ? -1 : 1);
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

  const ERF_TOP = [
    1.85777706184603153e-1, 3.1611237438705656, 1.13864154151050156e2, 3.77485237685302021e2, 3.20937758913846947e3,
  ];
  const ERF_BOTTOM = [1, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3];
  const MIDDLE_TOP = [
    2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594, 6.61191906371416295e1, 2.986351381974001e2,
    8.8195222124176909e2, 1.71204761263407058e3, 2.05107837782607147e3, 1.23033935479799725e3,
  ];
  const MIDDLE_BOTTOM = [
    1, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3,
    3.29079923573345963e3, 4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3,
  ];
  const FAR_TOP = [
    1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1,
    1.60837851487422766e-2, 6.58749161529837803e-4,
  ];
  const FAR_BOTTOM = [
    1, 2.56852019228982242, 1.87295284992346725, 5.27905102951428412e-1, 6.05183413124413191e-2, 2.33520497626869185e-3,
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
      2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
      1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.387132872796366608,
    ],
    [
      5.226495278852854561e3, 2.8729085735721942674e4, 3.930789580009271061e4, 2.1213794301586595867e4,
      5.3941960214247511077e3, 6.871870074920579083e2, 4.2313330701600911252e1, 1,
    ],
  ];
  const QUANTILE_MIDDLE = [
    [
      7.7454501427834140764e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258,
      3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734,
    ],
    [
      1.05075007164441684324e-9, 5.475938084995344946e-4, 1.51986665636164571966e-2, 1.4810397642748007459e-1,
      6.89767334985100004550e-1, 1.6763848301838038494, 2.05319162663775882187, 1,
    ],
  ];
  const QUANTILE_FAR = [
    [
      2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
      2.96560571828504891230e-1, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772,
    ],
    [
      2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
      1.48753612908506148525e-2, 1.3692988092273580531e-1, 5.9983220655588793769e-1, 1,
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
    -7.385551028673986e-3, 2.0580808427784546e-2, -6.73523010531981e-2, 3.224670334241132e-1, 4.2278433509846713e-1,
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

  globalThis.liveTape = {
    functions: {
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
    },
  };
})();
