"""Checks of chapters/pure.md."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom, laplace

from claims import answers, at_rest, says
from dp_lib import audit


@answers("pure.md", "Each of 400 answers is off by about σ = 2")
def _():
    rng, patients = np.random.default_rng(3), np.repeat([0, 1], 50)
    right = []
    for _ in range(8):
        groups = rng.integers(2, size=(400, 100))
        found = np.linalg.lstsq(groups, groups @ patients + rng.normal(0, 2, 400))[0] > 0.5
        right.append(np.sum(found == patients))
    mean = np.mean(right)
    return {
        "about 50, as by tossing coins": mean < 60,
        "about 75": 65 < mean < 85,
        "about 98": 97.5 < mean < 99,
    }


@says(
    "pure.md",
    r"That finds each with a standard deviation of about $2\sigma/\sqrt{m - n}$; what comes out above one half is "
    "called a smoker.",
)
def _(names):
    rng, patients = np.random.default_rng(4), np.repeat([0, 1], 50)
    for m, sigma in [(150, 0.5), (400, 5), (1000, 10)]:
        errors, right = [], []
        for _ in range(8):
            groups = rng.integers(2, size=(m, 100))
            found = np.linalg.lstsq(groups, groups @ patients + rng.normal(0, sigma, m))[0]
            errors.append(np.mean((found - patients) ** 2))
            right.append(np.mean((found > 0.5) == patients))
        assert math.sqrt(np.mean(errors)) == pytest.approx(2 * sigma / math.sqrt(m - 100), rel=0.1)
        assert np.mean(right) == pytest.approx(names["read_off"](m, sigma), abs=0.03)


@says(
    "pure.md",
    "A curve from near two thirds to one, a dashed curve along one half, and a dashed horizontal "
    "line near three quarters.",
)
def _():
    c = at_rest("pure.md", "pure-reconstruction")
    assert 0.64 < c["noise σ on each"][0] < 0.67 and c["noise σ on each"][-1] > 0.99
    assert abs(c["ε-DP in all"] - 0.5).max() < 0.005 and abs(np.min(c["limit", "y"]) - 0.73) < 0.01


@answers("pure.md", "The answer on one table is 0, on its neighbour it is Δ")
def _():
    y, inside, edge = np.linspace(-30, 30, 6001), True, True
    for delta, epsilon in [(1, 0.1), (2, 0.7), (4, 1.5)]:
        ratio = laplace(0, delta / epsilon).logpdf(y) - laplace(delta, delta / epsilon).logpdf(y)
        inside &= (abs(ratio) <= epsilon + 1e-9).all()
        edge &= np.allclose(abs(ratio[(y <= 0) | (y >= delta)]), epsilon)
    return {
        "always within a strip of exp(ε) above and below it": inside and edge,
        "within the strip only between 0 and Δ": not inside,
        "outside the strip far out in the tails": not edge,
        "it depends on Δ": not inside,
    }


@answers("pure.md", "The noise is calibrated for one replaced row at ε = 0.5")
def _():
    y = np.linspace(-50, 50, 10_001)
    largest = (laplace(0, 2).logpdf(y) - laplace(3, 2).logpdf(y)).max()
    return {
        "still 0.5": largest < 0.51,
        "about 0.87, since √3 · 0.5 = 0.87": largest < 0.88,
        "1.5": math.isclose(largest, 1.5),
        "there is no bound": largest > 1.51,
    }


@answers("pure.md", "You think it 10 per cent likely")
def _():
    share = 0.1 * math.e / (0.1 * math.e + 0.9)  # Bayes' rule with the largest ratio of likelihoods
    return {
        choice: round(100 * share) == int(choice.split()[0])
        for choice in ("11 per cent", "20 per cent", "23 per cent", "27 per cent")
    }


@answers("pure.md", "A table of 1000 patients is counted by year of birth")
def _():
    one, other = np.zeros(100), np.zeros(100)
    one[3], other[70] = 1, 1
    moved = abs(one - other).sum() / 0.5
    return {choice: moved == int(choice) for choice in ("200", "20", "4", "2")}


@answers("pure.md", "A patient may answer falsely one time in four")
def _():
    least = max(math.log(0.75 / 0.25), math.log(0.25 / 0.75))
    return {
        "ln 4 ≈ 1.39": math.isclose(least, math.log(4)),
        "ln 3 ≈ 1.10": math.isclose(least, math.log(3)),
        "0.75": math.isclose(least, 0.75),
        "0.25": math.isclose(least, 0.25),
    }


@answers("pure.md", "To match the accuracy that a trusted hospital gets")
def _():
    p = math.e / (1 + math.e)
    n = p * (1 - p) / (2 * p - 1) ** 2 / (2 / 1000**2)
    return {
        "1000": n < 2000,
        "10 000": 5000 < n < 20_000,
        "half a million": 400_000 < n < 600_000,
        "10 million": n > 5e6,
    }


@answers("pure.md", "Randomized response at ε₀ = 1, looked at with ε = 0.9")
def _():
    p, q = math.e / (1 + math.e), 1 / (1 + math.e)
    delta = max(0, p - math.exp(0.9) * q) + max(0, q - math.exp(0.9) * p)
    return {choice: round(delta, 2) == float(choice) for choice in ("0.73", "0.27", "0.10", "0.07")}


@answers("pure.md", "Blood values have standard deviation 1")
def _():
    n = np.arange(1, 100_001)
    first = n[laplace(0, 20 / (n * 0.5)).std() <= 1 / np.sqrt(n)][0]
    return {
        f"about {word}": abs(math.log(first / int(word.replace(" ", "")))) < 0.2
        for word in ("30", "300", "3000", "30 000")
    }


@says("pure.md", "A histogram is a vector too, but one row moves only two of its cells.")
def _():
    for before, after in [(0, 1), (5, 7), (3, 3)]:
        cells = [np.histogram([value, 2, 9], range(11))[0] for value in (before, after)]
        assert np.count_nonzero(cells[0] - cells[1]) in (0, 2)


@says("pure.md", "Privacy's falls twice as steeply; to the right of the circle it is the smaller one.")
def _(names):
    n = np.geomspace(10, 1e6, 400)
    for bound, epsilon in [(1, 2), (10, 0.5), (100, 0.05)]:
        noise = names["mean_noise"](n, bound, epsilon)
        assert np.allclose(np.diff(np.log(noise)), -np.diff(np.log(n)))
        assert ((noise < 1 / np.sqrt(n)) == (n > 8 * (bound / epsilon) ** 2)).all()


@says("pure.md", "and a level third that starts where they start and is far below them on the right.")
def _():
    c = at_rest("pure.md", "pure-vector")
    one, other, third = c["k counts, composed"], c["k counts, one vector"], c["histogram, k cells"]
    assert np.allclose(one, other) and c.rises("k counts, composed").all() and np.ptp(third) == 0
    assert math.isclose(np.min(third), one[0]) and one[-1] > 100 * np.min(third)


@says(
    "pure.md",
    "The local line and the sampling line are parallel; the trusted hospital's line is twice as "
    "steep and falls far below both.",
)
def _():
    c = at_rest("pure.md", "pure-local")
    slope = {name: np.diff(np.log(c[name])) for name in ("local", "sampling", "trusted hospital")}
    assert np.allclose(slope["local"], slope["sampling"]) and np.allclose(slope["trusted hospital"], 2 * slope["local"])
    assert c["trusted hospital"][-1] < 0.01 * min(c["local"][-1], c["sampling"][-1])


@says(
    "pure.md",
    "Two falling curves that meet the axis at epsilon-zero; the one for Laplace noise lies below the "
    "one for the worst case.",
)
def _():
    c = at_rest("pure.md", "pure-profile")
    worst, noise, inside = c["any ε₀-DP mechanism"], c["Laplace noise"], c["epsilon"] < 2
    assert (np.diff(worst[inside]) < 0).all() and (np.diff(noise[inside]) < 0).all()
    assert (noise[inside] < worst[inside]).all() and (worst[~inside] == 0).all() and np.allclose(noise[~inside], 0)


@says("pure.md", "Above them a dotted line is level up to epsilon-zero and drops to 0 there.")
def _():
    c = at_rest("pure.md", "pure-profile")
    tail, inside = c["P(L > ε), rand. resp."], c["epsilon"] < 2
    assert (
        np.ptp(tail[inside]) == 0
        and (tail[~inside] == 0).all()
        and (tail[inside] > c["any ε₀-DP mechanism"][inside]).all()
    )


@says(
    "pure.md",
    "The privacy line is the steeper one and the higher one left of the circle. A dashed line "
    "follows the higher of the two and bends at the crossing.",
)
def _():
    c = at_rest("pure.md", "pure-mean")
    noise, sampling, both, left = c["privacy noise"], c["sampling error"], c["both"], c["n"] < 3200
    assert (noise[left] > sampling[left]).all() and (noise[~left] <= sampling[~left] * (1 + 1e-9)).all()
    higher = np.maximum(noise, sampling)
    assert (both >= higher).all() and (both <= math.sqrt(2) * higher * (1 + 1e-9)).all()


@says(
    "pure.md",
    "A curve that is flat at plus epsilon on the left, falls along a straight slope, and is flat at "
    "minus epsilon on the right.",
)
def _():
    c = at_rest("pure.md", "pure-loss")
    loss, y = c["loss of y"], c["y"]
    assert np.allclose(loss[y <= 0], 1) and np.allclose(loss[y >= 1], -1)
    assert np.allclose(loss[(y > 0) & (y < 1)], 1 - 2 * y[(y > 0) & (y < 1)])


@says(
    "pure.md",
    "A lens around the diagonal of the unit square, between a curve that bulges above it and its mirror image below.",
)
def _():
    c = at_rest("pure.md", "pure-odds")
    x, high, low = c["prior"], c["at most"], c["at least"]
    inside = (x > 0) & (x < 1)
    assert (high[inside] > x[inside]).all() and (low[inside] < x[inside]).all() and np.allclose(low, 1 - high[::-1])


@says(
    "pure.md",
    "Always within the strip, and exactly on its edge everywhere outside the interval from 0 to "
    r"$\Delta$.",
)
def _():
    for delta, epsilon in [(1, 0.1), (3, 1), (4, 1.5)]:
        y = np.concatenate([np.linspace(-50, 0, 100), np.linspace(delta, 50, 100)])
        gap = laplace(0, delta / epsilon).logpdf(y) - laplace(delta, delta / epsilon).logpdf(y)
        assert np.allclose(abs(gap), epsilon)


@says("pure.md", "further out it comes as close to 2 as you like, though no single output reaches it.")
def _():
    y = np.linspace(-400, 400, 800_001)

    def density(total, mean):
        return np.exp(-abs(y - mean) - abs(total - y - mean)).sum()

    losses = [math.log(density(-t, 0) / density(-t, 1)) for t in (10, 30, 100)]
    assert losses[0] < losses[1] < losses[2] < 2 and 2 - losses[2] < 0.025


@answers("pure.md", "Two Laplace answers at ε = 1 each are added")
def _():
    def loss(total):
        """By the integral of the two densities' product."""
        y = np.linspace(-400, 400, 1_600_001)
        density = [np.exp(-abs(y - mean) - abs(total - y - mean)).sum() for mean in (0, 1)]
        return math.log(density[0] / density[1])

    seen = [loss(total) for total in (-20, -50, -100, -300)]
    assert np.all(np.diff(seen) > 0) and max(seen) > 1.99
    return {
        "1": max(seen) <= 1,
        "√2 ≈ 1.41": max(seen) <= math.sqrt(2),
        "a number between √2 and 2": max(seen) < 1.95,
        "2": 1.99 < max(seen) <= 2,
    }


@says(
    "pure.md",
    "Its left end is a little above the lower one, the loss of a single answer, and towards the right it approaches "
    "the upper one, twice as high.",
)
def _():
    c = at_rest("pure.md", "pure-average")
    both, one, only = c["both answers"], c["one answer"], c["only their sum"]
    assert np.allclose(both, 2 * one) and 1 < only[0] / np.min(one) < 1.4
    assert c.rises("only their sum").all() and np.min(both) - only[-1] < 0.001


@says(
    "pure.md",
    r"({prf:ref}`thm-pure-response` takes the people as given and counts the coins' variance only, $\frac{3}{4n}$; "
    r"drawing the people adds the open survey's $\frac{1}{4n}$.)",
)
def _():
    n, p = 400, 0.75
    yes = np.arange(n + 1)
    estimate = (yes / n - (1 - p)) / (2 * p - 1)
    drawn = binom(n, 0.5).pmf(yes)
    assert math.isclose(drawn @ (estimate - 0.5) ** 2, 4 / (4 * n), rel_tol=1e-9)
    given = np.convolve(binom(n // 2, p).pmf(yes[: n // 2 + 1]), binom(n // 2, 1 - p).pmf(yes[: n // 2 + 1]))
    assert math.isclose(given @ (estimate - 0.5) ** 2, 3 / (4 * n), rel_tol=1e-9)


@answers("pure.md", "A mechanism keeps ε = 1. In how many of 100 rounds")
def _():
    a, b = np.meshgrid(np.linspace(0, 1, 1001), np.linspace(0, 1, 1001))
    possible = (a <= math.e * (1 - b)) & (b <= math.e * (1 - a))
    best = 100 * ((a + b) / 2)[possible].max()
    return {
        "50": best < 51,
        "63": 62 < best < 64,
        "73": 72 < best < 74,
        "100": best > 99,
    }


# In 100 rounds: what the best attacker gets right, by adding up the larger density.
def right(density, other):
    return 100 * sum(np.maximum(density, other)) / 2


def laplace_right(scale):
    y, step = np.linspace(-60, 61, 1_210_001, retstep=True)
    return right(laplace(1, scale).pdf(y) * step, laplace(0, scale).pdf(y) * step)


@says("pure.md", "the best attacker is right in {...} of 100 rounds in the long run.")
def _(said):
    assert float(said[0]) == round(laplace_right(1.0))


@says(
    "pure.md",
    "Randomized response <attack: mechanism=randomized-response, noise=as-claimed, epsilon=1>` lets her reach the "
    "limit.",
)
def _():
    truth = math.e / (1 + math.e)
    assert right([truth, 1 - truth], [1 - truth, truth]) == pytest.approx(100 * truth)


@says(
    "pure.md",
    "she is right in {...}. 100 such guesses catch it in {...} of 100 games; a thousand miss it in {...} of a million "
    "games.",
)
def _(said):
    assert float(said[0]) == round(laplace_right(0.5))
    chances = []
    for trials in (100, 1000):
        hits = np.arange(trials + 1)
        proves = audit.epsilon(hits, trials) > 1
        chances.append(math.fsum(binom.pmf(hits[proves], trials, 1 - math.exp(-1) / 2)))
        failing = math.fsum(binom.pmf(hits[~proves], trials, 1 - math.exp(-1) / 2))
    assert float(said[1]) == round(100 * chances[0])
    assert float(said[2]) == pytest.approx(1e6 * failing, abs=0.05)


@says(
    "pure.md",
    "Whoever looks after each guess, and stops at the first bound above $\\varepsilon = 1$, accuses an honest "
    "randomized response within 1000 guesses in {...} of 100 games.",
)
def _(said):
    rng, games, trials = np.random.default_rng(11), 20_000, np.arange(1, 1001)
    fewest = binom.isf(0.05, trials, math.e / (1 + math.e)) + 1
    accused = 0
    for _ in range(20):
        hits = np.cumsum(rng.random((games // 20, 1000)) < math.e / (1 + math.e), axis=1)
        accused += (hits >= fewest).any(axis=1).sum()
    assert float(said[0]) == pytest.approx(100 * accused / games, abs=1.5)


@says(
    "pure.md",
    "Two tents of equal shape, side by side, a solid one with its peak at 1 and a dashed one with its peak at 0.",
)
def _():
    c = at_rest("pure.md", "attack")
    y = np.linspace(-6, 7, 201)
    assert abs(y[c["in"].argmax()] - 1) < 0.07 and abs(y[c["out"].argmax()]) < 0.07
    assert np.allclose(c["in"], c["out"][::-1], atol=1e-6)


@says(
    "pure.md",
    "In {...}, by {prf:ref}`thm-pure-guess`. Where this book states it as a bound, it is rounded up to {...}.",
)
def _(said):
    truth = 100 * math.e / (1 + math.e)
    assert float(said[0]) == round(truth, 1) and truth <= float(said[1]) < truth + 0.1


@says(
    "pure.md",
    r"By {prf:ref}`thm-pure-guess` that $p$ needs $\varepsilon = \ln\frac{p}{1-p}$, and for 1 it takes $n > \ln 0.05 / "
    r"\ln\frac{e}{1+e}$.",
)
def _(names):
    """At the printed ε ten hits have no more than 5 per cent, at 0.001 more they have."""
    chance = [
        (math.exp(epsilon) / (1 + math.exp(epsilon))) ** 10 for epsilon in np.array([0, 0.001]) + float(names["proved"])
    ]
    assert names["needed"] == 10 and chance[0] <= 0.05 < chance[1]


def belief_after(weights, chances):
    """The belief that row 0 is 1, before and after an output that a table has with so high a chance."""
    before = sum(weight for rows, weight in weights.items() if rows[0])
    seen = {rows: weight * chances[sum(rows)] for rows, weight in weights.items()}
    return before, sum(weight for rows, weight in seen.items() if rows[0]) / sum(seen.values())


@says(
    "pure.md",
    "If the statement is independent of what you believe about the other rows, your belief stays within the band.",
)
def _():
    """Three rows, a 0.5-DP count of them by discrete noise: within the band if independent, outside it in a family."""
    epsilon, counts = 0.5, np.arange(4)
    chances = math.tanh(epsilon / 2) * np.exp(-epsilon * abs(counts - 40))  # an output far above all the counts
    rows = list(product([0, 1], repeat=3))
    apart = {each: math.prod((0.7, 0.3)[bit] for bit in each) for each in rows}
    family = {(0, 0, 0): 0.7, (1, 1, 1): 0.3}
    edge = 0.3 * math.exp(epsilon) / (0.7 + 0.3 * math.exp(epsilon))
    (before, independent), (_, together) = belief_after(apart, chances), belief_after(family, chances)
    assert before == pytest.approx(0.3) and before < independent <= edge + 1e-12 < together


@says(
    "pure.md",
    "A locally private protocol is $\\varepsilon$-DP on the table too, because a replaced row changes one report and "
    "the reports are drawn independently.",
)
def _():
    """With a bit in common each report says nothing about its row, and two of them say whether the rows differ."""
    shared = {x: {tuple(row ^ bit for row in x): 0.5 for bit in (0, 1)} for x in product([0, 1], repeat=2)}
    alone = [{x: sum(p for report, p in law.items() if report[i]) for x, law in shared.items()} for i in (0, 1)]
    assert all(chance == 0.5 for law in alone for chance in law.values())
    assert not set(shared[0, 0]) & set(shared[0, 1])  # no output in common: an infinite loss


@says("pure.md", "At $\\varepsilon = 1$ the two conclusions can still differ by {...} percentage points.")
def _(said):
    """Two hypotheses: your row multiplies the likelihood of one by e and divides that of the other by e."""
    prior = np.linspace(0.001, 0.999, 999)
    with_row = prior * math.e / (prior * math.e + (1 - prior) / math.e)
    assert float(said[0]) == round(100 * (with_row - prior).max())


@says("pure.md", "A strict ε flattens the line and widens the scatter, so more of the truth is hidden.")
def _():
    truth = np.exp(np.arange(0.05, 5.01, 0.05))
    p = truth / (1 + truth)
    assert (np.diff(2 * p - 1) > 0).all() and (np.diff(np.sqrt(p * (1 - p))) < 0).all()


@says("pure.md", "From two rows on, only the mean needs less noise when the table grows.")
def _(names):
    ages = names["ages_tried"]
    queries = {
        "count": lambda t: (t > 65).sum(),
        "histogram": lambda t: np.histogram(t, [0, 18, 65, 121])[0],
        "mean": np.mean,
        "ends": lambda t: (t.min(), t.max()),
    }
    moved = {name: [names["widest"](query, rows, ages) for rows in (1, 2, 3, 4)] for name, query in queries.items()}
    assert {name for name, by in moved.items() if by[3] < by[2] < by[1]} == {"mean"}
    assert {name for name, by in moved.items() if by[1] < by[0]} == {"mean", "ends"}
