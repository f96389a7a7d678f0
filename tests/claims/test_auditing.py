"""Checks of chapters/auditing.md."""

import math
import re

import numpy as np
import pytest
from passages import source
from scipy import optimize, stats

from claims import answers, at_rest, claim
from claims.test_gdp_composition import curve, normal_epsilon, revealed
from dp_lib import audit


@claim("auditing.md", "all-four-bounds-are-reached", numbers=[4])
def test_all_four_bounds_are_reached():
    a = np.append(np.geomspace(1e-9, 0.5, 4000), np.linspace(0.5, 1, 4001))
    for epsilon, delta in [(0, 0), (0, 0.1), (1, 1e-5), (3, 0.2), (0.5, 1)]:
        hits = 1 - curve(*revealed(epsilon, delta), a)
        grown, flat = math.exp(epsilon) * a + delta, 1 - math.exp(-epsilon) * (1 - delta - a)
        assert hits == pytest.approx(np.minimum(np.minimum(grown, flat), 1), abs=1e-12)
        corner = (math.exp(epsilon) - 1 + 2 * delta) / (math.exp(epsilon) + 1)
        assert (hits - a).max() == pytest.approx(corner, abs=1e-3) and (hits - a).max() <= corner + 1e-12
    for mu in (0.1, 1, 4):
        t = np.linspace(-8, 12, 200_001)
        hits, alarms = stats.norm.sf(t - mu), stats.norm.sf(t)
        assert (hits - alarms).max() == pytest.approx(2 * stats.norm.cdf(mu / 2) - 1, abs=1e-9)
        assert hits == pytest.approx(stats.norm.cdf(stats.norm.ppf(alarms) + mu), abs=1e-6)


@answers("auditing.md", "rows-named-at-few-false-alarms", numbers=[1, 38, 1000], choices=[[0.1], [2], [20], [38]])
def test_question_rows_named_at_few_false_alarms(question):
    t = optimize.brentq(lambda t: stats.norm.sf(t) - 0.001, 0, 10)
    named = 100 * stats.norm.sf(t - 1)
    assert question.right == [named < 0.15, abs(named - 2) < 0.3, named > 15, named > 30]


@claim("auditing.md", "one-false-alarm-in-a-million", numbers=[1, 1, 1e-4])
def test_one_false_alarm_in_a_million(passage):
    gaussian = stats.norm.sf(stats.norm.isf(1e-6) - 1) / 1e-6
    pure, smooth, approximate, from_delta = map(float, passage.printed)
    assert math.e <= pure < math.e + 0.01 and gaussian <= smooth < gaussian + 1
    assert math.e + 100 <= approximate < math.e + 101 and from_delta == 100


@claim("auditing.md", "advantage-and-hits-of-the-hospital", numbers=[1000, 1000])
def test_advantage_and_hits_of_the_hospital(passage):
    y, mu = np.linspace(-12, 12, 240_001), math.sqrt(500) / 200
    apart = np.trapezoid(np.abs(stats.norm.pdf(y, mu) - stats.norm.pdf(y)), y) / 2
    assert mu <= float(passage.printed[0]) < mu + 1e-3
    assert passage.printed[1:] == [f"{100 * apart:.1f}", f"{1000 * stats.norm.sf(stats.norm.isf(0.001) - mu):.2f}"]


def proving(rate, trials):
    """Chance that so many guesses prove more than ε = 1, summed over all counts of hits."""
    hits = np.arange(trials + 1)
    proves = audit.epsilon(hits, trials) > 1
    return math.fsum(stats.binom.pmf(hits[proves], trials, rate))


def coin_right(epsilon):
    return math.exp(epsilon) / (1 + math.exp(epsilon))


def laplace_right(scale):
    """Share of right guesses against Laplace noise: "in" above the middle."""
    return float(stats.laplace(1, scale).sf(0.5))


@claim("auditing.md", "audit-of-randomized-response", numbers=[100, 1, 1000])
def test_audit_of_randomized_response(passage):
    assert [float(x) for x in passage.printed[:2]] == [round(100 * coin_right(epsilon), 1) for epsilon in (1.25, 1)]
    assert 100 * coin_right(1) <= float(passage.printed[2]) < 100 * coin_right(1) + 0.1
    assert float(passage.printed[3]) == pytest.approx(proving(coin_right(1.25), 1000), abs=0.005)


@claim("auditing.md", "audit-of-too-little-noise", numbers=[20, 1000, 1000000])
def test_audit_of_too_little_noise(passage):
    rate = laplace_right(0.8)
    wrong, *printed = passage.printed
    assert float(wrong) == round(1 - rate, 3)
    assert float(printed[0]) == round(100 * rate, 2)
    assert 0 <= float(printed[1]) - 100 * coin_right(1) < 0.01
    assert float(printed[2]) == pytest.approx(proving(rate, 1000), abs=0.005)
    hits = np.random.default_rng(5).binomial(10**6, rate, 4000)
    assert float(printed[3]) == pytest.approx((audit.epsilon(hits, 10**6) > 1).mean(), abs=0.02)


@claim("auditing.md", "audit-misses-rare-failures", numbers=[100, 1e-05])
def test_audit_misses_rare_failures(passage):
    sigma = 1 / optimize.brentq(lambda mu: normal_epsilon(mu, 1e-5) - 1, 0.05, 1)
    rate = stats.norm(1, 0.8 * sigma).sf(0.5)
    assert passage.printed[1:3] == [f"{0.8 * sigma:.0f}", f"{100 * rate:.1f}"]
    assert float(passage.printed[3]) == round(100 * (math.e + 1e-5) / (math.e + 1), 1)
    assert rate < (math.e + 1e-5) / (math.e + 1)


@claim("auditing.md", "audit.alt", numbers=[1, 0])
def test_alt_audit():
    c = at_rest("auditing.md", "audit")
    y = np.linspace(-8, 9, 201)
    assert abs(y[c["in"].argmax()] - 1) < 0.09 and abs(y[c["out"].argmax()]) < 0.09
    assert np.allclose(c["in"], c["out"][::-1], atol=1e-6)


@claim("auditing.md", "audit-misses-rare-failures", numbers=[1000000, 1000, 1e-06])
def test_mechanism_publishes_table_million_runs_passes(passage):
    assert float(passage.printed[0]) == pytest.approx(stats.binom.pmf(0, 1000, 1e-6), abs=0.0005)


@claim("auditing.md", "audit-misses-rare-failures", numbers=[1e-06])
def test_keeps_epsilon_delta_below():
    """Published with probability 10⁻⁶ is (0, 10⁻⁶)-DP: only a smaller δ rules every ε out."""
    shown, hidden = 1e-6, 0.0  # of the event that the row is published, with and without it
    assert all(shown <= math.exp(epsilon) * hidden + 1e-6 for epsilon in (0, 1, 50))
    assert not any(shown <= math.exp(epsilon) * hidden + 0.99e-6 for epsilon in (0, 1, 50))


def tables_of_runs():
    """Return the two tables of ten runs: the friend who has seen the numbers, and the second friend."""
    lines = re.findall(r"(?m)^\| (run|Jan's row|published|guess) \| (.*) \|$", source("auditing.md"))
    rows = [(row, cells.split(" | ")) for row, cells in lines]
    return dict(rows[:4]), dict(rows[4:])


@claim("auditing.md", "ten-runs-all-right")
def test_ten_runs_all_right():
    """The table of the opening: the friend guesses by the number, and each guess is Jan's row."""
    rows = tables_of_runs()[0]
    assert rows["run"] == [str(n) for n in range(1, 11)]
    assert rows["guess"] == ["yes" if float(y) > 5.5 else "no" for y in rows["published"]] == rows["Jan's row"]
    assert len(rows["guess"]) == 10


@claim("auditing.md", "ten-runs-of-the-second-friend")
@claim("auditing.md", "seven-of-ten-runs")
def test_ten_runs_of_the_second_friend():
    runs = tables_of_runs()[1]
    cases = list(zip(runs["Jan's row"], runs["guess"], strict=True))
    assert [row for row, _ in cases].count("yes") == 5 and len(cases) == len(runs["run"]) == 10
    assert cases.count(("yes", "yes")) == 4 and cases.count(("no", "yes")) == 2
    assert sum(row == guess for row, guess in cases) == 7 == 10 * (1 + 4 / 5 - 2 / 5) / 2


@answers(
    "auditing.md", "ten-right-guesses-under-the-claim", numbers=[1], choices=[[1, 1000], [4, 100], [27, 100], [73, 100]]
)
def test_question_ten_right_guesses_under_the_claim(question):
    """The largest share of right guesses against ε = 1, by a search over all pairs of error rates."""
    rates = np.linspace(0, 1, 2001)
    alarms, misses = np.meshgrid(rates, rates)
    allowed = (1 - misses <= math.e * alarms + 1e-12) & (1 - alarms <= math.e * misses + 1e-12)
    single = ((1 - misses + 1 - alarms) / 2)[allowed].max()
    ten = coin_right(1) ** 10
    assert single == pytest.approx(coin_right(1), abs=1e-3)
    assert question.right == [ten < 0.002, 0.035 < ten < 0.05, ten > 0.2, ten > 0.5]
    assert float(question.printed[0]) == round(coin_right(1), 3) and ten <= float(question.printed[1]) < ten + 1e-3
    assert round(1000 * 0.5**10) == 1 and round(100 * (1 - coin_right(1))) == 27  # what the replies say


def tail(hits, trials, rate):
    """Chance of so many right guesses or more, term by term."""
    return math.fsum(math.comb(trials, h) * rate**h * (1 - rate) ** (trials - h) for h in range(hits, trials + 1))


@claim("auditing.md", "nine-or-more-of-ten")
def test_nine_or_more_of_ten(passage):
    assert passage.printed == [f"{tail(9, 10, rate):.3f}" for rate in (0.5, 0.6, 0.61, 0.7)]


@claim("auditing.md", "bounds-of-ten-guesses", numbers=[5, 0.6, 0.61])
def test_bounds_of_ten_guesses(passage):
    """The bounds of ten and of nine right guesses, from where the tails are 5%."""
    bound = {}
    for hits in (9, 10):
        p = optimize.brentq(lambda p, hits=hits: tail(hits, 10, p) - 0.05, 0.1, 0.99)
        bound[hits] = math.log(p / (1 - p))
    assert tail(9, 10, 0.6) < 0.05 < tail(9, 10, 0.61) and bound[9] < 1 < bound[10]
    p, *bounds = map(float, passage.printed)
    assert p == round(1 / (1 + math.exp(-bound[9])), 4)
    for shown, hits in zip(bounds, (9, 10, 9), strict=True):
        assert shown <= bound[hits] < shown + 0.01


@claim("auditing.md", "eight-of-ten-prove-nothing", numbers=[10, 5])
def test_eight_of_ten_prove_nothing(passage):
    assert passage.printed == [f"{100 * 56 / 1024:.1f}"] and 56 / 1024 > 0.05  # 45 + 10 + 1 of 1024


@claim("auditing.md", "ninety-of-a-hundred", numbers=[90, 100, 0, 0.05])
def test_ninety_of_a_hundred(passage):
    p = stats.beta.ppf(0.05, 90, 11)
    shown = list(map(float, passage.printed))
    assert shown[0] == round(p, 4)
    for bound, delta in zip(shown[1:], (0, 0.05), strict=True):
        assert bound <= math.log((p - delta) / (1 - p)) < bound + 0.01


@claim("auditing.md", "passes-most-audits")
def test_passes_most_audits():
    """The table is published in none of a thousand runs, so an audit has nothing to see, in nearly all audits."""
    assert (1 - 1e-6) ** 1000 > 0.99


@claim("auditing.md", "accused-by-looking-often", numbers=[100, 1, 5])
def test_accused_by_looking_often(passage):
    rng, audits = np.random.default_rng(13), 40_000
    hits = np.cumsum(rng.random((audits, 100)) < coin_right(1), axis=1)
    fewest = np.array(
        [
            next((h for h in range(n + 1) if stats.binom.sf(h - 1, n, coin_right(1)) < 0.05), n + 1)
            for n in range(1, 101)
        ]
    )
    share = (hits >= fewest).any(axis=1).mean()
    assert float(passage.printed[0]) == pytest.approx(share, abs=0.012) and share > 0.1


@claim("auditing.md", "deltas-that-85-guesses-disprove", numbers=[85, 80])
def test_deltas_that_85_guesses_disprove(passage):
    """The δ at which the limit on right guesses meets the lower end, by the beta distribution and a search."""

    def lower_end(hits):
        return stats.beta.ppf(0.05, hits, 101 - hits)

    limit = optimize.brentq(lambda delta: (math.e + delta) / (math.e + 1) - lower_end(85), 0, 1)
    assert passage.printed == [f"{lower_end(85):.3f}", f"{limit:.3f}", f"{lower_end(80):.3f}"]
    assert lower_end(80) < coin_right(1)  # which even δ = 0 allows
