"""The map of the definitions: each arrow is taken at its word, and the picture shows what the list says."""

import re

import numpy as np
import pytest
from scipy.special import logsumexp, ndtr, ndtri

from book.reference.definition_map import ARROWS, COIN, DEFINITIONS, KINDS, picture, table
from book.reference.entries import module, public
from dp_lib import gdp, pure
from dp_lib.divergence import Normal, hockey_stick, privacy_loss, renyi
from dp_lib.pld import PrivacyLoss
from livefigures.sphinx.page_facts import PageFacts

NAMES = {room: module(room) for room in DEFINITIONS} | {"inf": np.inf}
EVERY = [pytest.param(arrow, id=f"{arrow.tail}-{arrow.head}") for arrow in ARROWS]
ORDERS = 1 + np.append(0, np.geomspace(1e-3, 1e3, 400))
ROUNDING = 1e-9  # of sums of a few hundred exponentials


def coin(epsilon):
    """Randomized response."""
    p = pure.truth_probability(epsilon)
    return np.array([p, 1 - p]), np.array([1 - p, p])


def bell(mu):
    """The Gaussian mechanism."""
    return Normal(0, 1), Normal(mu, 1)


def binned_bell(mu, seed):
    """A Gaussian answer of which only a cell is told: post-processing keeps it μ-GDP."""
    cuts = np.sort(np.random.default_rng(seed).normal(mu / 2, 2, 7))
    return tuple(np.diff(ndtr(np.concatenate([[-np.inf], cuts, [np.inf]]) - mean)) for mean in (0, mu))


def any_pair(seed):
    """Two distributions on five outcomes, far apart or near."""
    rng = np.random.default_rng(seed)
    p, tilt = rng.dirichlet(np.ones(5)), np.exp(rng.uniform(0, 2) * rng.normal(size=5))
    return p, p * tilt / np.sum(p * tilt)


def both_ways(measure, pair):
    """The larger of what the two directions need: every neighbour can be either."""
    p, q = pair
    return np.maximum(measure(p, q), measure(q, p))


def standard(p, q):
    """The least subgaussian standard of the loss about its mean: λ = α - 1 for all the orders, -λ, and -1, where a
    coin's is touched."""
    if isinstance(p, Normal):
        return abs(p.mean - q.mean) / p.sigma
    loss, slopes = privacy_loss(p, q) - renyi(p, q, 1), np.concatenate([ORDERS[1:] - 1, 1 - ORDERS[1:], [-1]])
    moments = logsumexp(slopes[:, None] * loss, b=p, axis=1)
    return np.sqrt(2 * max((moments / slopes**2).max(), 0))


def least_epsilon(p, q, delta):
    """The least ε at this δ."""
    if isinstance(p, Normal):
        return gdp.epsilon(abs(p.mean - q.mean) / p.sigma, delta)
    return PrivacyLoss.discrete(p, q).epsilon(delta).upper


def least_mu(p, q):
    """The least μ at which the normal curve is below this pair's errors; both are convex, so at its corners."""
    if isinstance(p, Normal):
        return abs(p.mean - q.mean) / p.sigma
    order = np.argsort(-privacy_loss(p, q))
    one, two = np.cumsum(q[order])[:-1], 1 - np.cumsum(p[order])[:-1]  # of the tests that accuse the first outcomes
    return np.max(ndtri(1 - one) - ndtri(two))


def needs(definition, pair, alpha, delta, mu=None):
    """The least budget of a pair under a definition, in the names that the arrows' calls use."""
    if definition == "pure":
        return {"epsilon": both_ways(lambda p, q: renyi(p, q, np.inf), pair)}
    if definition == "cdp":
        return {"mu": both_ways(lambda p, q: renyi(p, q, 1), pair), "tau": both_ways(standard, pair)}
    if definition == "rdp":
        return {"epsilon_bar": both_ways(lambda p, q: renyi(p, q, alpha), pair)}
    if definition == "zcdp":
        return {"rho": both_ways(lambda p, q: (renyi(p, q, ORDERS) / ORDERS).max(), pair)}
    if definition == "gdp":
        return {"mu": both_ways(least_mu, pair) if mu is None else mu}
    return {"epsilon": both_ways(lambda p, q: least_epsilon(p, q, delta), pair)}


def promised(arrow, call, have, alpha, delta):
    """What the call answers for the budget of the tail, as a list of numbers."""
    found = eval(call, {"__builtins__": {}}, {**NAMES, **have, "alpha": alpha, "delta": delta})
    return np.ravel(found).tolist()


def witnesses(arrow):
    """Pairs for the tail of an arrow, each with its μ where it is a Gaussian's."""
    for mu in (0.1, 0.7, 2.5):
        yield from ((binned_bell(mu, seed), mu) for seed in range(5))
    if arrow.tail != "gdp":
        yield from ((any_pair(seed), None) for seed in range(25))
        yield from ((coin(epsilon), None) for epsilon in (0.05, 1, 4))
    if (arrow.tail, arrow.head) != ("rdp", "pure") and arrow.tail != "pure":  # a Gaussian is pure for no ε
        yield from ((bell(mu), mu) for mu in (0.1, 0.7, 2.5))


def settings(arrow):
    """Orders and δ at which an arrow is looked at, where it has any. RDP gives ε-DP at the order ∞ only."""
    ends = arrow.tail, arrow.head
    orders = [ORDERS[150], ORDERS[250], ORDERS[330]] if "rdp" in ends else [None]
    deltas = [1e-6, 0.02, 0.3] if "approx" in ends else [1e-6]
    return [(alpha, delta) for alpha in ([np.inf] if ends == ("rdp", "pure") else orders) for delta in deltas]


@pytest.mark.long
@pytest.mark.parametrize("arrow", EVERY)
def test_whoever_has_the_tail_has_the_head(arrow):
    for pair, mu in witnesses(arrow):
        for alpha, delta in settings(arrow):
            have = needs(arrow.tail, pair, alpha, delta, mu)
            need = needs(arrow.head, pair, alpha, delta).values()
            for call in filter(None, (arrow.call, arrow.smaller)):
                for enough, least in zip(promised(arrow, call, have, alpha, delta), need, strict=True):
                    assert least <= enough * (1 + ROUNDING) + 1e-12, (call, have, alpha, delta)


@pytest.mark.parametrize("arrow", [each for each in EVERY if each.values[0].attained])
def test_the_named_mechanism_needs_all_of_it(arrow):
    pair = coin(1.3) if arrow.attained.startswith(COIN) else bell(0.7)
    for alpha, delta in settings(arrow):
        have = needs(arrow.tail, pair, alpha, delta, 0.7)
        enough = promised(arrow, arrow.call, have, alpha, delta)
        need = list(needs(arrow.head, pair, alpha, delta).values())
        assert enough == pytest.approx(need, rel=ROUNDING)


@pytest.mark.parametrize("arrow", [each for each in EVERY if each.values[0].smaller])
def test_the_smaller_bound_is_smaller(arrow):
    for alpha, delta in settings(arrow):
        have = needs(arrow.tail, bell(0.7), alpha, delta)
        assert promised(arrow, arrow.smaller, have, alpha, delta) < promised(arrow, arrow.call, have, alpha, delta)


@pytest.mark.parametrize("arrow", [each for each in EVERY if not each.values[0].attained])
def test_a_dashed_arrow_promises_less_than_is_true(arrow):
    for pair in (coin(1.3), bell(0.7), any_pair(1)):
        for alpha, delta in settings(arrow):
            have = needs(arrow.tail, pair, alpha, delta)
            need = np.array(list(needs(arrow.head, pair, alpha, delta).values()))
            assert np.any(need < (1 - 1e-6) * np.array(promised(arrow, arrow.call, have, alpha, delta)))


def test_gaussian_dp_has_not_the_cdp_of_a_gaussian_for_a_reason():
    tail = np.array([ndtr(-2), ndtr(2)]), np.array([ndtr(-4), ndtr(4)])  # only 1[y < -2] of N(0, 1) or N(2, 1) is told
    assert both_ways(standard, tail) > 2.3  # as post-processing it is 2-GDP; a Gaussian of μ = 2 has τ = 2


def test_no_arrow_leads_from_approximate_dp_for_a_reason():
    shame = np.array([0, 0.999, 0.001]), np.array([0.001, 0.999, 0])
    assert hockey_stick(*shame, 0) == pytest.approx(0.001)
    assert np.isinf(renyi(*shame, ORDERS[1:])).all()


@pytest.mark.parametrize("arrow", EVERY)
def test_every_call_is_one_of_dp_libs(arrow):
    for room, verb in re.findall(r"([a-z]+)\.([a-z_]+)\(", arrow.call + arrow.smaller):
        assert verb in public(room)


@pytest.mark.parametrize("kind", KINDS)
def test_picture_draws_every_box_and_arrow_once_and_dashes_what_nothing_attains(kind):
    drawn = picture(kind, {name: f"{name}.html" for name in DEFINITIONS})
    arrows = re.findall(r'<path class="map-arrow( map-loose)?" id="\w+-(\w+-\w+)"', drawn)
    assert arrows == [(" map-loose" * (not arrow.attained), f"{arrow.tail}-{arrow.head}") for arrow in ARROWS]
    assert drawn.count('<text class="map-label"') == len(ARROWS)
    assert PageFacts(drawn).links == [f"{name}.html" for name in DEFINITIONS]


@pytest.mark.parametrize("kind", KINDS)
def test_picture_arrows_run_between_the_boxes_that_they_name(kind):
    drawn = picture(kind, {name: name for name in DEFINITIONS})
    numbers = {
        name: [float(number) for number in re.findall(r'(?:x|y|width|height)="([\d.]+)"', rect)]
        for name, rect in re.findall(r'<a class="map-box[^>]*href="(\w+)"><rect ([^>]*)rx', drawn)
    }
    for tail, head, path in re.findall(r'id="\w+-(\w+)-(\w+)" d="([^"]*)"', drawn):
        x, y, *_, u, v = map(float, re.findall(r"-?[\d.]+", path))
        for end, (a, b) in ((tail, (x, y)), (head, (u, v))):
            left, top, width, height = numbers[end]
            assert left - 3 <= a <= left + width + 3 and top - 3 <= b <= top + height + 3, (kind, tail, head)


def test_table_has_a_row_for_every_arrow():
    assert len([line for line in table().splitlines() if line.startswith("| [")]) == len(ARROWS)


# -- in the built book

on_symbols = pytest.mark.parametrize("address", ["chapters/symbols.html"])


def boxes_of(page, selector):
    """The visible rectangles of these elements, a hair smaller."""
    script = """selector => [...document.querySelectorAll(selector)].map((e) => e.getBoundingClientRect())
        .filter((r) => r.width).map((r) => [r.left + 1, r.top + 1, r.right - 1, r.bottom - 1])"""
    return page.evaluate(script, selector)


@on_symbols
@pytest.mark.parametrize("width", [1280, 768, 390])
def test_labels_of_the_map_stand_clear_of_each_other_and_can_be_read(width, address, visited):
    page = visited(address, viewport={"width": width, "height": 800})
    places = boxes_of(page, ".map-label") + boxes_of(page, ".map-box rect")
    assert len(places) == len(ARROWS) + len(DEFINITIONS)  # one layout at a time
    clashes = [
        (one, other)
        for i, one in enumerate(places)
        for other in places[:i]
        if one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
    ]
    assert not clashes
    assert min(bottom - top for _, top, _, bottom in boxes_of(page, ".map-label")) >= 10


def test_boxes_of_the_map_lead_to_their_chapters_by_keyboard(open_page):
    page = open_page("chapters/symbols.html")
    page.locator(".map-wide a").nth(4).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/chapters/zcdp.html")


@on_symbols
def test_map_is_in_the_page_without_javascript(address, visited):
    page = visited(address, java_script_enabled=False)
    assert page.locator(".map-wide a:visible").count() == len(DEFINITIONS)
