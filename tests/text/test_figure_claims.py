"""What the book's figures claim of all their settings, run at: the defaults, every setting that the prose links to,
every corner of the sliders' box, every stop of each slider with the others at rest, and 200 settings at random.

One chapter: pytest tests/text/test_figure_claims.py -k comparing
"""

import re

import numpy as np
import pytest
from figures import BY_CHAPTER, TEXTS, everywhere, figures, scenes, settings

import livefigures as lf
from dp_lib import live
from livefigures.declare import claims


def failures(figure, seen_at):
    """The faults of a figure's claims, each claim once, and the claims that speak of no setting at all."""
    faults, spoke = {}, set()
    for values, scene in seen_at if figure.claims else ():
        seen = claims.Seen(figure, values, scene)
        for claim in figure.claims:
            verdict = claims.judge(claim, seen)
            if verdict.fault:
                faults.setdefault(claim.words, verdict.fault)
            if verdict.spoke:
                spoke.add(claim.words)
    silent = [claim.words for claim in figure.claims if claim.words not in spoke]
    return [*faults.values(), *(f"figure {figure.name!r}: the claim {words!r} speaks nowhere" for words in silent)]


@pytest.mark.parametrize("chapter", BY_CHAPTER)
def test_every_claim_holds_wherever_the_sliders_stand(chapter):
    faults = [fault for shown, seen_at in everywhere(chapter) for fault in failures(shown, seen_at)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("chapter", BY_CHAPTER)
def test_no_other_chapter_has_a_figure_of_this_name(chapter):
    """Its name is the figure's address in links."""
    names = [figure.name for figure in figures(chapter)]
    found = [
        f"chapters/{chapter}.md: {name!r} is a figure of chapters/{other}.md too; choose another name"
        for other, text in TEXTS.items()
        for name in names
        if other != chapter and re.search(rf'(?m)^ +name="{name}",$', text)
    ]
    assert not found, "\n".join(found)


def figure(**changes):
    parts = {
        "name": "claiming",
        "x": live.k(1, 100, at=50),
        "y": ("ε", 0, 100),
        "sliders": [live.sigma(1, 10, at=2), live.choice("noise", ("Laplace", "two words"))],
        "curves": {"low": lambda sigma, k: k / sigma, "gap": lambda k: np.where(k > 50, k, np.nan)},
        "marks": {
            "spot": live.Point(x=lambda sigma: sigma, y=lambda: 1.0),
            "line": live.Line(y=lambda sigma: 2 * sigma),
            "band": live.Band(low=lambda k: 0 * k, high=lambda k: k),
        },
    }
    return live.Figure(**parts | changes)


def faults(**changes):
    shown = figure(**changes)
    return failures(shown, scenes(shown, settings(shown, "nowhere")))


def test_a_claim_that_holds_at_rest_and_fails_at_another_stop_is_found():
    claim = {"It stays below 60.": lambda c: c["low"] <= 60}
    assert claims.failures(figure(claims=claim), [figure().defaults]) == []
    (fault,) = faults(claims=claim)
    assert fault == (
        "figure 'claiming': the claim 'It stays below 60.' fails at sigma = 1, noise = Laplace, k = 61: low = 61"
    )


def test_a_fault_names_both_values():
    (fault,) = faults(claims={"The mark is below.": lambda c: c["spot", "x"] < c["line"] - 1})
    assert fault.endswith("fails at sigma = 1, noise = Laplace, k = 50: spot x = 1, line = 2")


def test_a_fault_of_a_rise_or_a_fall_names_the_value_before():
    (fault,) = faults(claims={"It falls.": lambda c: c.falls("low") & (c["line"] > 0)})
    assert fault.endswith("at sigma = 2, noise = Laplace, k = 2: low = 1 (0.5 at the point before), line = 4")


@pytest.mark.parametrize("error", [1e-14, 1e-4])
def test_values_that_are_near_are_told_as_rounding_or_a_solvers_error(error):
    band = {"band": live.Band(low=lambda k: k, high=lambda k: k * (1 - error))}
    (fault,) = faults(marks=band, claims={"It holds.": lambda c: c["band", "low"] <= c["band", "high"]})
    assert fault.endswith("; this may be rounding or the error of a solver: lf.at_most(a, b), or a <= b + 0.001")


def test_a_fault_in_a_figure_without_a_cursor_names_no_place():
    shown = figure(
        x=("k", 0, 100),
        sliders=[live.sigma(1, 10, at=2)],
        curves={},
        marks={"bars": lf.Bars([1, 2], lambda sigma: [sigma, 1])},
        claims={"It holds.": lambda c: c["bars", "y"].sum() > 5},
    )
    (fault,) = claims.failures(shown, [shown.defaults])
    assert fault.endswith("fails at sigma = 2")


@pytest.mark.parametrize(
    "check",
    [
        lambda c: c["low"] == c["k"] / c["sigma"],
        lambda c: c.rises("low") & c.falls(("band", "low")),
        lambda c: c["band", "high"] >= c["low"],
        lambda c: c["gap"] > 50,  # a claim is silent about a gap
        lambda c: c["spot", "y"] == 1 and c["line"] == 2 * c["sigma"],
        lambda c: c.chosen("noise") == ("Laplace", "two words")[int(c["noise"])],
        lambda c: c.cursor == 50,
        lambda c: live.at_most(c["low"], c["low"] * (1 - 1e-14)) & live.equal(c["low"] + 0.1 - 0.1, c["low"]),
    ],
)
def test_a_check_gets_everything_by_name(check):
    assert faults(claims={"It holds.": check}) == []


def test_a_scope_is_kept_to():
    scoped = live.Claim("Beyond k = 60 it is above 6.", lambda c: c["low"] > 6, where=lambda c: c["k"] > 60)
    assert faults(claims=[scoped]) == []
    assert len(faults(claims=[live.Claim("It is above 6.", scoped.check)])) == 1


def test_a_claim_that_never_speaks_is_a_fault():
    (fault,) = faults(claims=[live.Claim("Never.", lambda c: c["low"] < 0, where=lambda c: c["k"] > 1e9)])
    assert "speaks nowhere" in fault


def test_gaps_do_not_stop_a_rise():
    broken = {"gap": lambda k: np.where((k > 30) & (k < 40), np.nan, k)}
    assert faults(curves=broken, claims={"It rises.": lambda c: c.rises("gap")}) == []
    assert len(faults(curves=broken, claims={"It falls.": lambda c: c.falls("gap")})) == 1


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (lambda c: c["lo"] > 0, "a claim asks for 'lo', which is none of low, gap, spot, line, band, sigma, noise, k"),
        (lambda c: c["spot"] > 0, "asks for ('spot', ''); write c['spot', 'x'] or c['spot', 'y']"),
        (lambda c: c["low"], "must give True, or 100 truths along the grid, got float64"),
        (lambda c: np.diff(c["low"]) >= 0, "got bool of shape (99,); write np.all(...) for one truth"),
    ],
)
def test_a_check_that_asks_amiss_is_told_so(check, said):
    with pytest.raises(live.FigureError) as raised:
        faults(claims={"It holds.": check})
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"claims": 3}, "claims must be"),
        ({"claims": ["It holds."]}, "must be a Claim, got 'It holds.'"),
        ({"claims": {"": lambda c: True}}, "a claim's words"),
        ({"claims": {"It holds.": True}}, "must be functions"),
        ({"out_of_view": ["low"]}, "out_of_view must be a dictionary"),
        ({"out_of_view": {"lo": "top"}}, "out_of_view names 'lo'"),
        ({"out_of_view": {"low": "up"}}, "top, bottom, left, right, got 'up'"),
    ],
)
def test_bad_declarations_are_said_in_words(changes, said):
    with pytest.raises(live.FigureError, match=said):
        figure(**changes)


def test_what_the_page_plays_is_what_is_judged():
    shown = figure()
    tried = settings(shown, "nowhere")
    for values, scene in list(scenes(shown, tried))[::17]:
        expected = shown.scene(values)
        assert all(np.allclose(scene[a], expected[a], rtol=1e-12, atol=0, equal_nan=True) for a in expected)
