"""Distributions of scipy.stats under their own names, made of operations that a trace has.

Their methods take only numbers. While a function is traced, `by_name` lets them take its stand-ins too, and a stand-in
is all that they treat differently.

    >>> round(float(FUNCTIONS["t.cdf"](2.0, 5.0)), 6)  # as scipy.stats.t.cdf(2, 5)
    0.94903
"""

import functools
import operator
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
from scipy import special


def _within(low: float, high: float, x: Any, density: Any) -> Any:
    """A density that is 0 outside of a range."""
    return np.where((x >= low) & (x <= high), density, 0.0)


def _at(k: Any, low: Any, high: Any, chance: Any) -> Any:
    """A probability that is 0 but at the whole numbers of a range."""
    return np.where((k == np.floor(k)) & (k >= low) & (k <= high), chance, 0.0)


def _t_pdf(x: Any, df: Any) -> Any:
    front = np.exp(special.gammaln((df + 1) / 2) - special.gammaln(df / 2)) / np.sqrt(df * np.pi)
    return front * np.exp(-(df + 1) / 2 * np.log1p(x**2 / df))


def _t_cdf(x: Any, df: Any) -> Any:
    """Near 0 from the middle, and elsewhere from the tail, so that no digits are lost."""
    middle = 0.5 + 0.5 * np.sign(x) * special.betainc(0.5, df / 2, x**2 / (df + x**2))
    tail = 0.5 * special.betainc(df / 2, 0.5, df / (df + x**2))
    return np.where(x**2 < 1, middle, np.where(x < 0, tail, 1 - tail))


def _f_pdf(x: Any, dfn: Any, dfd: Any) -> Any:
    n, m = dfn / 2, dfd / 2
    constant = special.xlogy(n, dfn) + special.xlogy(m, dfd) - special.betaln(n, m)
    return _within(0, np.inf, x, np.exp(constant + special.xlogy(n - 1, x) - (n + m) * np.log(dfd + dfn * x)))


def _f_cdf(x: Any, dfn: Any, dfd: Any) -> Any:
    x = np.maximum(x, 0.0)
    return special.betainc(dfn / 2, dfd / 2, np.where(x < np.inf, dfn * x / (dfd + dfn * x), 1.0))


def _gamma_pdf(x: Any, a: Any) -> Any:
    return _within(0, np.inf, x, np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a)))


def _gamma_cdf(x: Any, a: Any) -> Any:
    return special.gammainc(a, np.maximum(x, 0.0))


def _gamma_sf(x: Any, a: Any) -> Any:
    return special.gammaincc(a, np.maximum(x, 0.0))


def _lognorm_pdf(x: Any, s: Any) -> Any:
    return np.where(x > 0, np.exp(-((np.log(x) / s) ** 2) / 2) / (x * s * np.sqrt(2 * np.pi)), 0.0)


def _beta_pdf(x: Any, a: Any, b: Any) -> Any:
    return _within(0, 1, x, np.exp(special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b)))


def _beta_cdf(x: Any, a: Any, b: Any) -> Any:
    return special.betainc(a, b, np.clip(x, 0.0, 1.0))


def _binom_pmf(k: Any, n: Any, p: Any) -> Any:
    ways = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return _at(k, 0, n, np.exp(ways + special.xlogy(k, p) + special.xlog1py(n - k, -p)))


def _binom_cdf(k: Any, n: Any, p: Any) -> Any:
    k = np.floor(k)
    inside = special.betainc(n - k, k + 1, 1 - p)
    return np.where(k < 0, 0.0, np.where(k >= n, 1.0, inside))


def _poisson_pmf(k: Any, mu: Any) -> Any:
    return _at(k, 0, np.inf, np.exp(special.xlogy(k, mu) - mu - special.gammaln(k + 1)))


def _poisson_cdf(k: Any, mu: Any) -> Any:
    k = np.floor(k)
    return np.where(k < 0, 0.0, special.gammaincc(k + 1, mu))


def _nbinom_pmf(k: Any, n: Any, p: Any) -> Any:
    ways = special.gammaln(k + n) - special.gammaln(n) - special.gammaln(k + 1)
    return _at(k, 0, np.inf, np.exp(ways + special.xlogy(n, p) + special.xlog1py(k, -p)))


def _nbinom_cdf(k: Any, n: Any, p: Any) -> Any:
    k = np.floor(k)
    return np.where(k < 0, 0.0, special.betainc(n, k + 1, p))


# The place and then the shapes, in the order of SciPy; each is the standard form, without loc and scale.
FUNCTIONS: dict[str, Callable] = {
    "norm.pdf": lambda z: np.exp(-(z**2) / 2.0) / np.sqrt(2 * np.pi),
    "norm.logpdf": lambda z: -(z**2) / 2.0 - np.log(2 * np.pi) / 2,
    "norm.cdf": special.ndtr,
    "norm.logcdf": special.log_ndtr,
    "norm.sf": lambda z: special.ndtr(-z),
    "norm.logsf": lambda z: special.log_ndtr(-z),
    "norm.ppf": special.ndtri,
    "norm.isf": lambda q: -special.ndtri(q),
    "t.pdf": _t_pdf,
    "t.cdf": _t_cdf,
    "f.pdf": _f_pdf,
    "f.cdf": _f_cdf,
    "gamma.pdf": _gamma_pdf,
    "gamma.cdf": _gamma_cdf,
    "gamma.sf": _gamma_sf,
    "chi2.pdf": lambda x, df: _gamma_pdf(x / 2, df / 2) / 2,
    "chi2.cdf": lambda x, df: _gamma_cdf(x / 2, df / 2),
    "chi2.sf": lambda x, df: _gamma_sf(x / 2, df / 2),
    "beta.pdf": _beta_pdf,
    "beta.cdf": _beta_cdf,
    "binom.pmf": _binom_pmf,
    "binom.cdf": _binom_cdf,
    "poisson.pmf": _poisson_pmf,
    "poisson.cdf": _poisson_cdf,
    "nbinom.pmf": _nbinom_pmf,
    "nbinom.cdf": _nbinom_cdf,
    "cauchy.pdf": lambda x: 1 / (np.pi * (1 + x**2)),
    "cauchy.cdf": lambda x: 0.5 + np.arctan(x) / np.pi,
    "expon.pdf": lambda x: _within(0, np.inf, x, np.exp(-x)),
    "expon.cdf": lambda x: -np.expm1(-np.maximum(x, 0.0)),
    "expon.sf": lambda x: np.exp(-np.maximum(x, 0.0)),
    "lognorm.pdf": _lognorm_pdf,
    "lognorm.cdf": lambda x, s: special.ndtr(np.log(np.maximum(x, 0.0)) / s),
    "lognorm.ppf": lambda q, s: np.exp(s * special.ndtri(q)),
    "maxwell.pdf": lambda x: _within(0, np.inf, x, np.sqrt(2 / np.pi) * x**2 * np.exp(-(x**2) / 2)),
    "maxwell.cdf": lambda x: special.gammainc(1.5, np.maximum(x, 0.0) ** 2 / 2),
    "pareto.pdf": lambda x, b: _within(1, np.inf, x, b / x ** (b + 1)),
    "pareto.cdf": lambda x, b: 1 - np.maximum(x, 1.0) ** (-b),
    "rayleigh.pdf": lambda x: _within(0, np.inf, x, x * np.exp(-(x**2) / 2)),
    "rayleigh.cdf": lambda x: -np.expm1(-(np.maximum(x, 0.0) ** 2) / 2),
    "rayleigh.ppf": lambda q: np.sqrt(-2 * np.log1p(-q)),
    "weibull_min.pdf": lambda x, c: _within(0, np.inf, x, c * x ** (c - 1) * np.exp(-(x**c))),
    "weibull_min.cdf": lambda x, c: -np.expm1(-(np.maximum(x, 0.0) ** c)),
    "weibull_min.ppf": lambda q, c: np.where(q >= 0, (-np.log1p(-q)) ** (1 / c), np.nan),
    "uniform.pdf": lambda x: _within(0, 1, x, 1.0),
    "uniform.cdf": lambda x: np.clip(x, 0.0, 1.0),
}
# Which shapes a distribution has, where these need not just be positive.
ALLOWED: dict[str, Callable] = {
    "binom": lambda n, p: (n >= 0) & (n == np.floor(n)) & (p >= 0) & (p <= 1),
    "nbinom": lambda n, p: (n > 0) & (p > 0) & (p <= 1),
    "poisson": lambda mu: mu >= 0,
}


@contextmanager
def by_name() -> Iterator[None]:
    """Let the methods of these distributions take stand-ins inside this block, those of stats.t(df) included.

    A function that uses them has imported scipy.stats; where nobody has, there is nothing to do.
    """
    stats = sys.modules.get("scipy.stats")
    with ExitStack() as stack:
        for called, function in FUNCTIONS.items() if stats else ():
            name, method = called.split(".")
            stack.enter_context(_taking(type(getattr(stats, name)), method, function))
        yield


@contextmanager
def _taking(kind: type, method: str, function: Callable) -> Iterator[None]:
    """Let a method of a class take stand-ins; classes derived from it keep theirs."""
    own, before = vars(kind).get(method), getattr(kind, method)

    def either(self: Any, *arguments: Any, **keywords: Any) -> Any:
        traced = any(getattr(value, "is_traced", False) for value in [*arguments, *keywords.values()])
        if traced and type(self) is kind:
            return _value(self, method, function, arguments, keywords)
        return before(self, *arguments, **keywords)

    setattr(kind, method, either)
    try:
        yield
    finally:
        if own is None:
            delattr(kind, method)  # the method of the class from which it is derived is back
        else:
            setattr(kind, method, own)


def _value(distribution: Any, method: str, function: Callable, arguments: Sequence, keywords: Mapping[str, Any]) -> Any:
    """What SciPy's method gives; NaN where a shape or the scale is not allowed."""
    names = distribution.shapes.split(", ") if distribution.shapes else []
    order = ("place", *names, "loc", "scale")
    given = {"loc": 0.0, "scale": 1.0} | dict(zip(order, arguments, strict=False))
    given |= {name if name in order else "place": value for name, value in keywords.items()}  # x, k or q
    x, loc, scale = given["place"], given["loc"], given["scale"]
    shapes = [given[name] for name in names]
    inverse = method in ("ppf", "isf")
    with np.errstate(all="ignore"):
        value = function(x if inverse else (x - loc) / scale, *shapes)
        if inverse:
            value = value * scale + loc
        if method == "pdf":
            value = value / scale
        if method == "logpdf":
            value = value - np.log(scale)
    rule = ALLOWED.get(distribution.name)
    allowed = [rule(*shapes)] if rule else [shape > 0 for shape in shapes]
    value = np.where(functools.reduce(operator.and_, allowed, scale > 0), value, np.nan)
    return np.where(np.isnan(x), np.nan, value)
