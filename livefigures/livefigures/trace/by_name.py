"""Distributions of scipy.stats under their own names, made of operations that a trace has.

Their methods take only numbers. While a function is traced, `by_name` lets them take its stand-ins too, and a stand-in
is all that they treat differently.

    >>> round(float(DISTRIBUTIONS["t"].called("cdf", 2.0, 5.0)), 6)  # as scipy.stats.t.cdf(2, 5)
    0.94903
"""

import functools
import operator
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special


@dataclass(frozen=True)
class Distribution:
    """The functions of a distribution in its standard form, and which of its shapes are allowed.

    The functions get the place and then the shapes, which `shapes` names as SciPy does.
    """

    functions: Mapping[str, Callable]
    shapes: tuple[str, ...] = ()
    allowed: Callable = lambda *shapes: True

    @property
    def whole(self) -> bool:
        """Whether its values are whole numbers: then it has no scale."""
        return "pmf" in self.functions

    def called(self, method: str, *arguments: Any, **keywords: Any) -> Any:
        """Return what SciPy's method of this name gives; NaN where a shape or the scale is not allowed."""
        names = ("place", *self.shapes, "loc", "scale")
        given = {"loc": 0.0, "scale": 1.0} | dict(zip(names, arguments, strict=False))
        given |= {name if name in names else "place": value for name, value in keywords.items()}  # x, k or q
        x, loc, scale = given["place"], given["loc"], given["scale"]
        shapes = [given[name] for name in self.shapes]
        with np.errstate(all="ignore"):
            value = self._scaled(method, x, loc, scale, shapes)
        value = np.where(self.allowed(*shapes) & (scale > 0), value, np.nan)
        return np.where(np.isnan(x), np.nan, value)

    def _scaled(self, method: str, x: Any, loc: Any, scale: Any, shapes: list) -> Any:
        function = self.functions[method]
        if method == "ppf":
            return function(x, *shapes) * scale + loc
        value = function((x - loc) / scale, *shapes)
        return value / scale if method == "pdf" else value


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


def _positive(*shapes: Any) -> Any:
    """Whether all shapes are positive."""
    return functools.reduce(operator.and_, [shape > 0 for shape in shapes])


DISTRIBUTIONS = {
    "norm": Distribution(
        {"pdf": lambda z: np.exp(-(z**2) / 2.0) / np.sqrt(2 * np.pi), "cdf": special.ndtr, "ppf": special.ndtri}
    ),
    "t": Distribution({"pdf": _t_pdf, "cdf": _t_cdf}, ("df",), _positive),
    "f": Distribution({"pdf": _f_pdf, "cdf": _f_cdf}, ("dfn", "dfd"), _positive),
    "gamma": Distribution({"pdf": _gamma_pdf, "cdf": _gamma_cdf}, ("a",), _positive),
    "chi2": Distribution(
        {"pdf": lambda x, df: _gamma_pdf(x / 2, df / 2) / 2, "cdf": lambda x, df: _gamma_cdf(x / 2, df / 2)},
        ("df",),
        _positive,
    ),
    "beta": Distribution({"pdf": _beta_pdf, "cdf": _beta_cdf}, ("a", "b"), _positive),
    "binom": Distribution(
        {"pmf": _binom_pmf, "cdf": _binom_cdf},
        ("n", "p"),
        lambda n, p: (n >= 0) & (n == np.floor(n)) & (p >= 0) & (p <= 1),
    ),
    "poisson": Distribution({"pmf": _poisson_pmf, "cdf": _poisson_cdf}, ("mu",), lambda mu: mu >= 0),
}


@contextmanager
def by_name() -> Iterator[None]:
    """Let the methods of these distributions take stand-ins inside this block, those of stats.t(df) included.

    A function that uses them has imported scipy.stats; where nobody has, there is nothing to do.
    """
    stats = sys.modules.get("scipy.stats")
    with ExitStack() as stack:
        for name, distribution in DISTRIBUTIONS.items() if stats else ():
            stack.enter_context(_taking(type(getattr(stats, name)), distribution))
        yield


@contextmanager
def _taking(kind: type, distribution: Distribution) -> Iterator[None]:
    """Let the methods of a class take stand-ins; classes derived from it keep theirs."""
    before = {name: vars(kind).get(name) for name in distribution.functions}
    for name in before:
        setattr(kind, name, _either(kind, name, getattr(kind, name), distribution))
    try:
        yield
    finally:
        for name, method in before.items():
            if method is None:
                delattr(kind, name)  # the method of the class from which it is derived is back
            else:
                setattr(kind, name, method)


def _either(kind: type, name: str, method: Callable, distribution: Distribution) -> Callable:
    def either(self: Any, *arguments: Any, **keywords: Any) -> Any:
        traced = any(getattr(value, "is_traced", False) for value in [*arguments, *keywords.values()])
        if traced and type(self) is kind:
            return distribution.called(name, *arguments, **keywords)
        return method(self, *arguments, **keywords)

    return either
