"""Checks of chapters/meaning_of_delta.md."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from scipy.stats import norm

from claims import answers, at_rest, claim
from claims.test_approx import plain
from dp_lib import approx, gdp


@claim("meaning_of_delta.md", "one-letter-two-mechanisms", numbers=[0.505, 0.495, 0.01])
def test_one_letter_two_mechanisms(passage):
    """Both mechanisms on three rows, of which one is replaced, output by output."""

    def answered(rows):
        for said in itertools.product((0, 1), repeat=len(rows)):
            yield said, math.prod(0.505 if a == b else 0.495 for a, b in zip(said, rows, strict=True))

    def shamed(rows):
        for shown in itertools.product((0, 1), repeat=len(rows)):
            seen = tuple(row if each else None for row, each in zip(rows, shown, strict=True))
            yield seen, math.prod(0.01 if each else 0.99 for each in shown)

    for mechanism, here, there in ((answered, (1, 0, 1), (0, 0, 1)), (shamed, "abc", "xbc")):
        p, q = dict(mechanism(here)), dict(mechanism(there))
        assert sum(max(often - q.get(seen, 0), 0) for seen, often in p.items()) == pytest.approx(0.01)


@claim("meaning_of_delta.md", "records-of-ten-patients", numbers=[0.01, 0.99])
def test_records_of_ten_patients(passage):
    """About every tenth release shows a record."""
    shown = sum(math.comb(10, k) * 0.01**k * 0.99 ** (10 - k) for k in range(1, 11))
    assert passage.printed == [f"{1 - shown:.3f}", f"{100 * shown:.1f}"] and 9 < 1 / shown < 11


@answers(
    "meaning_of_delta.md",
    "how-often-loss-exceeds-epsilon",
    numbers=[3.75, 1, 1e-05, 1],
    choices=[[100000], [19000], [11000], [6700]],
)
def test_question_how_often_loss_exceeds_epsilon(question):
    often = norm.sf(1, 1 / (2 * 3.75**2), 1 / 3.75)
    delta = often - math.e * norm.sf(1, -1 / (2 * 3.75**2), 1 / 3.75)
    assert delta <= 1e-5  # as the question says
    assert question.right == [abs(1 / often / offered - 1) < 0.01 for offered in (100_000, 19_000, 11_000, 6700)]
    mistaken = [norm.sf(1, mean, 1 / 3.75) for mean in (-1 / (2 * 3.75**2), 0)]  # which the replies name
    assert [1 / each for each in mistaken] == pytest.approx([19_000, 11_000], rel=0.03)


@answers(
    "meaning_of_delta.md", "which-also-satisfy-a-stricter-pair", numbers=[1, 1e-05, 3, 1e-10], choices=[[3], [], []]
)
def test_question_which_also_satisfy_a_stricter_pair(question):
    gaussian = mpmath.ncdf(0.5 / question.names["first_sigma"] - 3 * question.names["first_sigma"]) <= 1e-10
    shame = 1e-5 - math.exp(3) * 0 <= 1e-10  # the event that the old row is seen
    assert question.right == [gaussian and shame, gaussian and not shame, not gaussian]


@claim("meaning_of_delta.md", "only-the-gaussian-is-stricter", numbers=[3, 3])
def test_only_the_gaussian_is_stricter(passage):
    sigma = mpmath.mpf(float(passage.names["first_sigma"]))
    half = 1 / (2 * sigma)
    gaussian = mpmath.ncdf(half - 3 * sigma) - mpmath.exp(3) * mpmath.ncdf(-half - 3 * sigma)
    digits, power = passage.printed[0].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")).split("·10")
    assert f"{float(gaussian):.1e}" == f"{float(digits) * 10.0 ** int(power):.1e}" and gaussian <= 1e-10

    def shamed(rows):
        """The published rows, each by itself with probability 1e-5, and how often."""
        for kept in itertools.product((False, True), repeat=len(rows)):
            shown = tuple(row if keep else None for row, keep in zip(rows, kept, strict=True))
            yield shown, math.prod(1e-5 if keep else 1 - 1e-5 for keep in kept)

    def lost(rows):
        yield from ((rows, 1e-5), (None, 1 - 1e-5))

    for mechanism in (shamed, lost):
        p, q = dict(mechanism("abc")), dict(mechanism("abx"))
        p, q = ({tuple(shown or ()): often for shown, often in each.items()} for each in (p, q))
        delta = sum(max(often - math.exp(3) * q.get(shown, 0), 0) for shown, often in p.items())
        assert math.isclose(delta, 1e-5)


@claim("meaning_of_delta.md", "delta-stays-for-published-records")
def test_delta_stays_for_published_records():
    for epsilon in (0, 1, 10, 100):
        assert max(1e-5 - math.exp(epsilon) * 0, 0) == 1e-5


@answers(
    "meaning_of_delta.md",
    "name-and-shame-with-delta-one-over-n",
    numbers=[10000, 1],
    choices=[[1, 10000], [10], [37], [63]],
)
def test_question_name_and_shame_with_delta_one_over_n(question):
    often = 1 - math.comb(10_000, 0) * (1 - 1e-4) ** 10_000
    assert question.right == [abs(often - offered) < 0.005 for offered in (1e-4, 0.10, 0.37, 0.63)]
    assert abs((1 - often) - 0.37) < 0.005  # what a reply says


@claim("meaning_of_delta.md", "three-profiles.alt")
def test_alt_three_profiles():
    c = at_rest("meaning_of_delta.md", "three-profiles")
    gaussian, x = c["Gaussian of this (ε, δ)"], c["claimed"]
    assert (np.diff(gaussian) < 0).all() and math.isclose(gaussian[abs(x - 1).argmin()], 1e-5, rel_tol=1e-6)
    assert gaussian[-1] < 1e-10 and (c["name-and-shame"] == 1e-5).all() and (c["catastrophe"] == 1e-5).all()


@claim("meaning_of_delta.md", "records-published.caption", numbers=[63, 1])
def test_caption_records_published():
    c = at_rest("meaning_of_delta.md", "records-published")
    assert np.ptp(c["every record"]) == 0 and np.min(c["every record"]) == 1e-5
    for delta in (1e-7, 1e-5, 1e-2):
        assert 1 - (1 - delta) ** (5 / delta) > 0.99
        assert 1 - (1 - delta) ** (1 / delta) == pytest.approx(0.63, abs=0.005)


@claim("meaning_of_delta.md", "records-published.alt", numbers=[1])
def test_alt_records_published():
    c = at_rest("meaning_of_delta.md", "records-published")
    line, n = c["somebody's record"], c["n"]
    slope = np.diff(np.log(line)) / np.diff(np.log(n))
    assert np.allclose(slope[n[1:] < 1e3], 1, atol=0.01) and (line[n > 5e5] > 0.99).all()
    assert np.min(c["n = 1/δ", "x"]) == pytest.approx(1e5)


@claim("meaning_of_delta.md", "tail-against-delta.alt", numbers=[0.5])
def test_alt_tail_against_delta():
    c = at_rest("meaning_of_delta.md", "tail-against-delta")
    apart = np.log10(c["P(L > ε)"] / c["δ(ε), exact"])
    assert abs(c["P(L > ε)"][0] - 0.5) < 0.06 and (apart > 0).all() and (np.diff(apart) > 0).all() and apart[-1] > 1


@claim("meaning_of_delta.md", "three-profiles.caption")
def test_caption_three_profiles_pass_through_ringed():
    for epsilon, delta in [(0.1, 1e-5), (1, 1e-9), (3, 1e-2)]:
        assert gdp.delta(gdp.gaussian(approx.sigma_exact(epsilon, delta)), epsilon) == pytest.approx(delta, rel=1e-9)


@claim("meaning_of_delta.md", "tail-against-delta.claims")
def test_claims_tail_against_delta():
    for sigma in (1, 3.75, 8):
        ratios = []
        for epsilon in mpmath.linspace(0, 2, 41):
            above = epsilon * sigma + mpmath.mpf(1) / (2 * sigma)  # in units of σ, from the smaller count
            tail, other = mpmath.ncdf(1 / mpmath.mpf(sigma) - above), mpmath.ncdf(-above)
            ratios.append(tail / (tail - mpmath.exp(epsilon) * other))
        assert ratios[0] > 1 and (np.diff(ratios) > 0).all()


@claim("meaning_of_delta.md", "factor-of-the-tail", numbers=[0.7, 2])
def test_factor_of_the_tail():
    assert 1 / (1 - math.exp(-0.7)) == pytest.approx(2, abs=0.02)


@claim("meaning_of_delta.md", "tail-times-delta", numbers=[1, 3.6, 1e-05])
def test_tail_times_delta(passage):
    tail = norm.sf(1, 1 / (2 * 3.75**2), 1 / 3.75)
    distance, often, times = passage.printed
    assert float(distance) == 3.6 == round(norm.isf(tail), 1)
    assert plain(often) == pytest.approx(tail, rel=0.05) and int(times) == round(tail / 1e-5)


@claim("meaning_of_delta.md", "first-sentence-fails", numbers=[1, 1e-05])
def test_first_sentence_fails(passage):
    sigma = float(passage.names["first_sigma"])
    tail = norm.sf(5.5 + sigma**2, 6, sigma)
    assert plain(passage.printed[0]) == pytest.approx(tail, rel=0.05) and int(passage.printed[1]) == round(tail / 1e-5)


@claim("meaning_of_delta.md", "delta-for-a-million-rows", numbers=[0.01, 1_000_000])
def test_delta_for_a_million_rows(passage):
    with mpmath.workdps(40):
        largest = 1 - mpmath.mpf("0.99") ** (mpmath.mpf(1) / 10**6)
    assert passage.printed == [f"{float(largest) * 1e8:.3f}"] and largest > 0.01 / 10**6


@claim("meaning_of_delta.md", "record-of-twenty-thousand")
def test_record_of_twenty_thousand(passage):
    assert passage.printed == [f"{1 - math.exp(20_000 * math.log1p(-1 / 20_000)):.2f}"]


@claim("meaning_of_delta.md", "ten-releases-of-the-office", numbers=[5])
def test_ten_releases_of_the_office(passage):
    assert passage.printed == [f"{10 / 20_000:.4f}"] and 10 * 0.5 == 5


@claim("meaning_of_delta.md", "loss-above-five", numbers=[1, 1e-5, 5])
def test_loss_above_five(passage):
    sigma = float(passage.names["first_sigma"])
    assert plain(passage.printed[0]) == pytest.approx(norm.sf(5.5 + 5 * sigma**2, 6, sigma), rel=0.05)
