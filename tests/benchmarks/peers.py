"""dp_lib beside other accountants: the same task, in the same run. How to run it: requirements-peers.txt.

A ratio is the fastest peer's time over dp_lib's, each the best of several. A missed goal makes the run fail.
"""

import importlib.util
import logging
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np

logging.disable(logging.WARNING)  # the peers' notes on themselves
warnings.simplefilter("ignore")

from autodp import converter, dp_bank, rdp_bank  # noqa: E402
from dp_accounting import gaussian_mechanism  # noqa: E402
from dp_accounting.pld import privacy_loss_distribution as pld  # noqa: E402
from dp_accounting.rdp import rdp_privacy_accountant  # noqa: E402
from prv_accountant import LaplaceMechanism, PoissonSubsampledGaussianMechanism, PRVAccountant  # noqa: E402

from dp_lib import gdp, rdp  # noqa: E402
from dp_lib.pld import PrivacyLoss  # noqa: E402

K, LONG = np.arange(1, 101), np.arange(1, 501)
WHOLE, FRACTIONAL = np.arange(2.0, 257), np.arange(1.25, 11, 0.25)
PESSIMISTIC = {"value_discretization_interval": 1e-3, "use_connect_dots": True}
OPTIMISTIC = {"value_discretization_interval": 1e-3, "pessimistic_estimate": False}


def opacus_rdp() -> ModuleType | None:
    """opacus' RDP module by file, without opacus (which needs torch); None where it is not installed."""
    package = importlib.util.find_spec("opacus")
    if package is None:
        return None
    path = Path(package.submodule_search_locations[0]) / "accountants" / "analysis" / "rdp.py"
    spec = importlib.util.spec_from_file_location("opacus_rdp", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


OPACUS = opacus_rdp()


def curve_peers(orders: np.ndarray) -> dict[str, Callable]:
    peers = {
        "dp-accounting": lambda: rdp_privacy_accountant._compute_rdp_poisson_subsampled_gaussian(0.01, 1.0, orders)
    }
    if OPACUS:
        peers["opacus"] = lambda: OPACUS.compute_rdp(q=0.01, noise_multiplier=1.0, steps=1, orders=orders)
    return peers


def continuous(k: float) -> float:
    return converter.rdp_to_approxdp(lambda alpha: k * rdp_bank.RDP_gaussian({"sigma": 200}, alpha))(1e-5)


def prv(mechanism: object, k: int, delta: float) -> tuple[float, float]:
    accountant = PRVAccountant(prvs=mechanism, max_self_compositions=k, eps_error=0.1, delta_error=1e-10)
    low, _, high = accountant.compute_epsilon(delta=delta, num_self_compositions=[k])
    return low, high


def both(make: Callable, k: int, delta: float) -> tuple[float, float]:
    """dp-accounting's bracket: once pessimistic, once optimistic."""
    low, high = (make(**how).self_compose(k).get_epsilon_for_delta(delta) for how in (OPTIMISTIC, PESSIMISTIC))
    return low, high


SAMPLED = PrivacyLoss.subsampled_gaussian(1, 0.01).repeat(10000)
LAPLACE = PrivacyLoss.laplace(10).repeat(1000)
# task: goal, how to write the answer, dp_lib, peers
TASKS: dict[str, tuple[float, str, Callable, dict[str, Callable]]] = {
    "exact Gaussian epsilon, 100 values of k": (
        30,
        "value",
        lambda: gdp.epsilon(gdp.repeat(gdp.gaussian(200), K), 1e-5),
        {
            "dp-accounting": lambda: [gaussian_mechanism.get_epsilon_gaussian(200 / np.sqrt(k), 1e-5) for k in K],
            "autodp": lambda: [dp_bank.get_eps_ana_gaussian(200 / np.sqrt(k), 1e-5) for k in K],
        },
    ),
    "sampled Gaussian, RDP at orders 2..256": (
        5,
        "value",
        lambda: rdp.subsampled_gaussian(WHOLE, 1, 0.01),
        curve_peers(WHOLE),
    ),
    "sampled Gaussian, RDP at orders 1.25..10.75": (
        3,
        "value",
        lambda: rdp.subsampled_gaussian(FRACTIONAL, 1, 0.01),
        curve_peers(FRACTIONAL),
    ),
    "best RDP over continuous orders, 500 values of k": (
        10,
        "value",
        lambda: rdp.optimum(lambda alpha: rdp.repeat(rdp.gaussian(alpha, 200), LONG), np.full(500, 1e-5))[0],
        {"autodp": lambda: [continuous(k) for k in LONG]},
    ),
    "sampled Gaussian, 10000 steps, between bounds": (
        1,
        "width",
        lambda: SAMPLED.epsilon(1e-5),
        {
            "dp-accounting": lambda: both(
                lambda **how: pld.from_gaussian_mechanism(1.0, sampling_prob=0.01, **how), 10000, 1e-5
            ),
            "prv-accountant": lambda: prv(PoissonSubsampledGaussianMechanism(0.01, 1.0), 10000, 1e-5),
        },
    ),
    "Laplace, 1000 answers, between bounds": (
        1,
        "width",
        lambda: LAPLACE.epsilon(1e-6),
        {
            "dp-accounting": lambda: both(lambda **how: pld.from_laplace_mechanism(10.0, **how), 1000, 1e-6),
            "prv-accountant": lambda: prv(LaplaceMechanism(0.1), 1000, 1e-6),
        },
    ),
}


def fastest(function: Callable, seconds: float = 1.0) -> tuple[float, object]:
    """The best time of a second's worth of calls, three at least, and the answer."""
    times: list[float] = []
    while len(times) < 3 or sum(times) < seconds:
        start = time.perf_counter()
        answer = function()
        times.append(time.perf_counter() - start)
    return min(times), answer


def told(kind: str, answer: object) -> str:
    answer = np.asarray(answer, float)
    return f"last {answer[-1]:.9g}" if kind == "value" else f"[{answer[0]:.5f}, {answer[1]:.5f}]"


def run(name: str) -> bool:
    """Measure one task, print it, and say whether its goal is met."""
    goal, kind, own, peers = TASKS[name]
    print(f"\n{name}")
    mine, answer = fastest(own)
    print(f"  {'dp_lib':15}{1e3 * mine:10.3f} ms   {told(kind, answer)}")
    times, narrower = [], True
    for peer, function in peers.items():
        seconds, other = fastest(function)
        times.append(seconds)
        narrower &= kind == "value" or np.diff(answer)[0] < np.diff(other)[0]
        print(f"  {peer:15}{1e3 * seconds:10.3f} ms   {told(kind, other)}")
    ratio = min(times) / mine
    met = ratio >= goal and narrower
    goal = f"{goal}" if kind == "value" else f"{goal}, narrower"
    print(f"  {'ratio':15}{ratio:10.1f}      goal {goal}: {'met' if met else 'MISSED'}")
    return bool(met)


if __name__ == "__main__":
    if OPACUS is None:
        print("opacus is not installed and left out")
    met = [run(name) for name in TASKS]
    sys.exit(not all(met))
