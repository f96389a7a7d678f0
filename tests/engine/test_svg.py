"""The SVG that goes on the page: unique ids, no style of its own, the same paths as matplotlib's."""

import math
import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from svg_paths import from_path, points_of

from dp_lib import live
from livefigures.draw import svg
from livefigures.draw.draw import FAR, draw


def figure():
    return live.Figure(
        name="first",
        x=live.k(1, 100, at=30),
        y=("ε", 0, 2),
        sliders=[live.sigma(1, 10, at=5)],
        curves={"zCDP": lambda sigma, k: k / (10 * sigma), "half": lambda k: np.where(k > 50, k / 100, np.nan)},
        marks={
            "spot": live.Point(x=lambda sigma: 10 * sigma, y=lambda: 1.0),
            "away": live.Point(x=lambda: 1000.0, y=lambda: 1.0),
            "between": live.Band(lambda k: k / 200, lambda k: k / 100),
            "cloud": live.Cloud(x=lambda z: 50 + 5 * z, y=lambda u: u, size=20),
            "wall": live.Line(x=lambda sigma: 2 * sigma),
        },
        out_of_view={"away": "right"},
    )


MARKUP = svg.markup(draw(figure()), "a description")


def test_ids_are_prefixed_and_every_reference_leads_somewhere():
    ids = re.findall(r'id="([^"]+)"', MARKUP)
    assert len(ids) == len(set(ids))
    assert all(i.startswith("first--") for i in ids)
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', MARKUP)) <= set(ids)


def test_groups_that_say_nothing_are_gone_and_what_they_held_is_not():
    drawn = draw(figure())
    theirs = [len(list(svg._parse(drawn).iter(f"{svg.SVG}{tag}"))) for tag in ("text", "clipPath")]
    assert [MARKUP.count(f"<{tag}") for tag in ("text", "clipPath")] == theirs
    assert "<g>" not in MARKUP and "line2d" not in MARKUP
    assert re.search(
        r'<g class="live-x-ticks" [^>]*text-anchor="middle"[^>]*>\s*<text x="[\d.]+" y="[\d.]+">20<', MARKUP
    )


def test_what_every_picture_has_anyway_is_not_said():
    assert 'stroke-linejoin="miter"' not in MARKUP
    assert not re.search(r"<defs>\s*</defs>|<defs ?/>", MARKUP) and "<clipPath" in MARKUP


def test_text_stays_text_and_takes_the_pages_colour():
    assert ">k, number of answers<" in MARKUP
    assert "<style" not in MARKUP
    assert "metadata" not in MARKUP
    assert "#000000" not in MARKUP
    assert "font-family" not in MARKUP
    assert re.search(r'<text[^>]*fill="currentColor"', MARKUP)


def test_description_is_the_pictures_name():
    assert 'role="img" aria-labelledby="first--alt"' in MARKUP
    assert '<desc id="first--alt">a description</desc>' in MARKUP


def test_own_path_is_matplotlibs_path():
    """svg.py writes the moving paths anew; matplotlib's own points must lie on them."""
    drawn = draw(figure())
    root = svg._parse(drawn)
    theirs, ours = svg._find(root, "curve-0").find(f"{svg.SVG}path").get("d"), svg.paths(drawn)["curve-0"]
    assert (
        max(from_path(point, points_of(ours)) for point in points_of(theirs)) < 0.0501
    )  # half the last digit we write
    assert re.fullmatch(r"M\S+ \S+l\S+ \S+", ours) and theirs.count("L") > 50  # a straight line has two ends


FRAME = {"x": [66, 486, 0, 1, False], "y": [400, 20, -1, 1, False]}
HEIGHTS = st.one_of(st.floats(-2, 2), st.sampled_from([math.nan, math.inf, -math.inf, 1e300, -1e6, 0.0, 0.001]))
CURVES = st.one_of(
    st.lists(HEIGHTS, min_size=1, max_size=40),
    st.tuples(st.integers(3, 200), st.floats(-3, 3), st.floats(0, 40), st.floats(-1, 1)).map(
        lambda bend: [bend[1] * math.sin(bend[2] * i / bend[0]) + bend[3] for i in range(bend[0])]
    ),
)


def stretches(heights):
    """Where each known point is in the picture, a list for each stretch without a gap."""
    found = [[]]
    for i, height in enumerate(heights):
        if math.isnan(height):
            found.append([])
        else:
            x = 66 + 420 * i / max(len(heights) - 1, 1)
            found[-1].append(complex(x, min(max(400 - 190 * (height + 1), -FAR), FAR)))
    return [stretch for stretch in found if stretch]


def assert_near(pieces, found):
    assert len(pieces) == len(found)
    for piece, points in zip(pieces, found, strict=True):
        corners = points_of(piece)
        assert max(from_path(point, corners) for point in points) <= 0.15 + 1e-6
        left = iter(points)  # corners are points, in their order, to half the last digit
        assert all(any(abs(point - corner) < 0.0708 for point in left) for corner in corners)


@given(CURVES)
def test_no_point_of_a_curve_is_far_from_what_is_drawn(heights):
    path = svg.polyline(FRAME, np.linspace(0, 1, len(heights)), np.array(heights))
    assert_near(path.split("M")[1:], stretches(heights))


@given(CURVES, st.floats(0, 1))
def test_no_edge_of_a_band_is_far_from_what_is_drawn(heights, width):
    lower = [height - width for height in heights]
    path = svg.band(FRAME, np.linspace(0, 1, len(heights)), np.array(lower), np.array(heights))
    both = zip(stretches(heights), stretches(lower), strict=True)
    assert_near(path.split("Z")[:-1], [high + low[::-1] for high, low in both if len(high) > 1])


def test_a_spike_is_drawn_where_points_lie_close():
    """It is near the line that goes on for ever, and far from the part of it between its neighbours."""
    path = svg.polyline(FRAME, 0.5 + np.array([0, 1e-5, 2e-5]), np.array([0.0, -1.0, 1.0]))
    assert path == "M276 210l0 190 0 -380"


def test_a_smooth_curve_needs_few_points():
    x = np.linspace(0, 1, 200)
    assert len(points_of(svg.polyline(FRAME, x, x**2))) < 30
    assert svg.polyline(FRAME, x, np.full(200, 0.5)) == "M66 115l420 0"


def test_a_gap_lifts_the_pen_and_a_point_outside_is_not_drawn():
    paths = svg.paths(draw(figure()))
    assert paths["curve-1"].count("M") == 1
    assert paths["curve-1"].startswith("M")
    assert float(paths["curve-1"][1:].split()[0]) > 66 + 0.4 * (draw(figure()).right - 66)
    assert paths["mark-1"] == ""
    assert paths["mark-0"].endswith("h0")
    assert paths["mark-3"].count("h0") == len(re.findall("M", paths["mark-3"])) > 10


def test_band_is_closed_once_a_stretch():
    frame = {"x": [0, 4, 0, 4, False], "y": [10, 0, 0, 10, False]}
    x = np.arange(5.0)
    low, high = np.array([0, 0, np.nan, 0, 0]), np.full(5, 5.0)
    assert svg.band(frame, x, low, high) == "M0 5l1 0 0 5 -1 0ZM3 5l1 0 0 5 -1 0Z"


def test_same_figure_gives_the_same_bytes():
    assert svg.markup(draw(figure()), "a description") == MARKUP


def test_a_curve_without_a_label_has_none_and_its_neighbours_keep_theirs():
    shown = live.Figure(
        name="quiet",
        x=live.k(1, 100),
        y=("y", 0, 2),
        curves={"named": lambda k: k / 100, "unnamed": live.Curve(lambda k: k / 60, inside=True)},
    )
    drawn = draw(shown)
    text = svg.markup(drawn, "")
    assert ">named<" in text
    assert "unnamed" not in text
    assert [name for kind, name in drawn.artists if kind in ("label", "lead")] == ["named", "named"]


def test_a_curve_that_leaves_the_picture_has_a_label_and_no_lead():
    shown = live.Figure(
        name="steep", x=live.k(1, 100), y=("y", 0, 2), curves={"out": lambda k: k / 10, "in": lambda k: k / 100}
    )
    paths = svg.paths(draw(shown))
    assert paths["lead-0"] == ""
    assert paths["lead-1"].startswith("M")
