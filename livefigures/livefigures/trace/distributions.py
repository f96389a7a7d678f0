"""Formulas for the distributions of scipy.stats that authors use most, since SciPy's own methods ask for values.

>>> formula("y = stats.norm.isf(q)")
('norm.isf', '-special.ndtri(q); with loc and scale, times scale and plus loc')
"""

import re
import sys
from collections.abc import Iterable
from types import FrameType

from livefigures.trace.by_name import DISTRIBUTIONS

# In the standard form of each, with the names of SciPy's arguments, at whole k.
FORMULAS: dict[str, str] = {
    "cauchy.pdf": "1 / (np.pi * (1 + x**2))",
    "cauchy.cdf": "0.5 + np.arctan(x) / np.pi",
    "expon.pdf": "np.where(x < 0, 0.0, np.exp(-x))",
    "expon.sf": "np.where(x < 0, 1.0, np.exp(-x))",
    "expon.cdf": "np.where(x < 0, 0.0, -np.expm1(-x))",
    "chi2.sf": "special.gammaincc(df / 2, x / 2), for x >= 0",
    "gamma.sf": "special.gammaincc(a, x), for x >= 0",
    "lognorm.pdf": "np.exp(-((np.log(x) / s) ** 2) / 2) / (x * s * np.sqrt(2 * np.pi)), for x > 0",
    "lognorm.cdf": "special.ndtr(np.log(x) / s), for x > 0",
    "lognorm.ppf": "np.exp(s * special.ndtri(q))",
    "maxwell.pdf": "np.sqrt(2 / np.pi) * x**2 * np.exp(-(x**2) / 2), for x >= 0",
    "maxwell.cdf": "special.gammainc(1.5, x**2 / 2), for x >= 0",
    "nbinom.pmf": (
        "np.exp(special.gammaln(k + n) - special.gammaln(n) - special.gammaln(k + 1) + special.xlogy(n, p) "
        "+ special.xlog1py(k, -p)), for k >= 0"
    ),
    "nbinom.cdf": "special.betainc(n, k + 1, p), for k >= 0",
    "norm.sf": "special.ndtr(-x)",
    "norm.isf": "-special.ndtri(q)",
    "norm.logcdf": "special.log_ndtr(x)",
    "norm.logpdf": "-(x**2) / 2 - np.log(2 * np.pi) / 2",
    "pareto.pdf": "b / x ** (b + 1), for x >= 1",
    "pareto.cdf": "1 - x ** (-b), for x >= 1",
    "rayleigh.pdf": "x * np.exp(-(x**2) / 2), for x >= 0",
    "rayleigh.cdf": "-np.expm1(-(x**2) / 2), for x >= 0",
    "rayleigh.ppf": "np.sqrt(-2 * np.log1p(-q))",
    "weibull_min.pdf": "c * x ** (c - 1) * np.exp(-(x**c)), for x > 0",
    "weibull_min.cdf": "-np.expm1(-(x**c)), for x > 0",
    "weibull_min.ppf": "(-np.log1p(-q)) ** (1 / c)",
    "uniform.pdf": "np.where((x >= 0) & (x <= 1), 1.0, 0.0)",
    "uniform.cdf": "np.clip(x, 0, 1)",
}
_TRACED = [f"{name}.{method}" for name, one in DISTRIBUTIONS.items() for method in one.functions]
_METHODS = ("pdf", "logpdf", "pmf", "logpmf", "cdf", "logcdf", "sf", "ppf", "isf")
_CALL = re.compile(r"\b([A-Za-z_0-9]+)(?=(?:\([^()]*\))?\.([a-z]+)\()")


def formula(line: str, frames: Iterable[tuple[FrameType, int]] = ()) -> tuple[str, str] | None:
    """Return the distribution's function that this line calls, and what to write instead; None if it calls none.

    What is called in `frames` says which distribution a name such as `d` in d.cdf(x) stands for.
    """
    called = next((f"{name}.{method}" for name, method in _CALL.findall(line) if method in _METHODS), None)
    if called is None or called in _TRACED:
        return None
    name, _, method = called.rpartition(".")
    if called not in FORMULAS and not hasattr(sys.modules.get("scipy.stats"), name):
        name = _frozen(frames)
    if not name or f"{name}.{method}" in _TRACED:
        return None
    if f"{name}.{method}" not in FORMULAS:
        inverse = method in ("ppf", "isf")  # most have none
        instead = "halving an interval in a loop" if inverse else "its formula, written with np and scipy.special"
        return f"{name}.{method}", instead
    return f"{name}.{method}", FORMULAS[f"{name}.{method}"] + _scaled(method)


def _frozen(frames: Iterable[tuple[FrameType, int]]) -> str:
    """The name of the distribution whose method was called, which had its parameters; "" if none was."""
    owners = (frame.f_locals.get("self") for frame, _ in frames if frame.f_code.co_name in _METHODS)
    return next((one.dist.name for one in owners if "dist" in getattr(one, "__dict__", {})), "")


def _scaled(method: str) -> str:
    """What SciPy's loc and scale change."""
    if method == "pmf":
        return ""
    if method in ("ppf", "isf"):
        return "; with loc and scale, times scale and plus loc"
    density = {"pdf": ", and the density divided by scale", "logpdf": ", and minus np.log(scale)"}
    return "; with loc and scale, (x - loc) / scale for x" + density.get(method, "")
