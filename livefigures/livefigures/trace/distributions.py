"""Formulas for the distributions of scipy.stats that authors use most, since SciPy's own methods ask for values.

>>> formula("y = stats.expon.pdf(t, scale=3)")
('expon.pdf', 'np.where(x < 0, 0.0, np.exp(-x)), with (x - loc) / scale for x, and the density divided by scale')
"""

import re

_CHOOSE = "special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)"
_T = "np.exp(special.gammaln((df + 1) / 2) - special.gammaln(df / 2)) / np.sqrt(df * np.pi)"
# In the standard form of each, with the names of SciPy's arguments, at whole k.
FORMULAS: dict[str, str] = {
    "beta.pdf": "np.exp(special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b)), for 0 < x < 1",
    "beta.cdf": "special.betainc(a, b, x), for 0 < x < 1",
    "binom.pmf": f"np.exp({_CHOOSE} + special.xlogy(k, p) + special.xlog1py(n - k, -p)), for 0 <= k <= n",
    "binom.cdf": "special.betainc(n - k, k + 1, 1 - p), for 0 <= k < n",
    "expon.pdf": "np.where(x < 0, 0.0, np.exp(-x))",
    "expon.cdf": "np.where(x < 0, 0.0, -np.expm1(-x))",
    "gamma.pdf": "np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a)), for x > 0",
    "lognorm.pdf": "np.exp(-((np.log(x) / s) ** 2) / 2) / (x * s * np.sqrt(2 * np.pi)), for x > 0",
    "lognorm.cdf": "special.ndtr(np.log(x) / s), for x > 0",
    "norm.sf": "special.ndtr(-x)",
    "norm.isf": "-special.ndtri(q)",
    "norm.logcdf": "special.log_ndtr(x)",
    "norm.logpdf": "-(x**2) / 2 - np.log(2 * np.pi) / 2",
    "poisson.pmf": "np.exp(special.xlogy(k, mu) - mu - special.gammaln(k + 1)), for k >= 0",
    "t.pdf": f"{_T} * (1 + x**2 / df) ** (-(df + 1) / 2)",
    "uniform.pdf": "np.where((x >= 0) & (x <= 1), 1.0, 0.0)",
    "uniform.cdf": "np.clip(x, 0, 1)",
}
_CALL = re.compile(r"\b([a-z]+)(?=(?:\([^()]*\))?\.([a-z]+)\()")


def formula(line: str) -> tuple[str, str] | None:
    """Return the distribution's function that this line calls, and what to write instead; None if it calls none."""
    called = next((name for call in _CALL.findall(line) if (name := ".".join(call)) in FORMULAS), None)
    if called is None:
        return None
    if "loc=" not in line and "scale=" not in line:
        return called, FORMULAS[called]
    divided = ", and the density divided by scale" if called.endswith(".pdf") else ""
    return called, f"{FORMULAS[called]}, with (x - loc) / scale for x{divided}"
