"""Colours: the book's palette, any of matplotlib's, a cycle; readable on light and on dark pages, and never lost."""

import re
import warnings
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb
from small_book import build

import livefigures as lf
from livefigures.declare import colours
from livefigures.declare.colours import CYCLE, DARK, NEUTRAL, WHITE, ColourError, contrast
from livefigures.declare.parts import Band
from livefigures.draw import still
from livefigures.figure import FigureWarning
from livefigures.page import bundle, page
from livefigures.sphinx import assets
from livefigures.sphinx.page_facts import PageFacts


@pytest.fixture
def no_palette():
    """A book that names no colours, as every book is at first."""
    before = dict(colours.NAMED), list(colours.WORDS), "".join(colours.OTHERWISE)
    lf.palette()
    yield
    named, words, otherwise = before
    lf.palette(**{n: (c.light, c.dark) for n, c in named.items()}, words=words, otherwise=otherwise)


def figure(name="coloured", marks=(), **curves):
    return lf.Figure(
        name=name,
        x=lf.slider("x", 0, 10, at=5),
        y=("y", 0, 100),
        curves={each: c if isinstance(c, lf.Curve) else lf.Curve(lambda x: x, colour=c) for each, c in curves.items()},
        marks=dict(marks),
        caption="Lines.",
        alt="Lines.",
    )


# -- the book's own


def test_one_colour_per_definition():
    names = {
        "zCDP, tight": "zcdp",
        "RDP at this α": "rdp",
        "CDP": "cdp",
        "exact": "exact",
        "advanced composition": "approx",
        "anything else": "data",
    }
    assert {name: colours.by_name(name).name for name in names} == names
    assert colours.words_of("exact") == ["exact", "gdp"]
    assert len({colour.light for colour in colours.NAMED.values()}) == len(colours.NAMED)


def test_style_has_every_colour_twice_light_and_dark():
    css = bundle.style()
    for colour in colours.known().values():
        assert css.count(f"--live-{colour.name}: light-dark({colour.light}, {colour.dark});") == 1
        assert css.count(f".live-colour-{colour.name} {{ --live-colour: var(--live-{colour.name}); }}") == 1
    assert "--live-rdp: light-dark(#00735c, #3fd0ac);" in css and "--live-data: light-dark(#5b6670, #a8b3bd);" in css


def test_engine_names_no_colour_of_the_book():
    whole = "".join(path.read_text("utf-8") for path in bundle.HERE.parent.rglob("*.css"))
    whole += "".join(path.read_text("utf-8") for path in bundle.HERE.parent.rglob("*.js"))
    assert re.findall(r"--live-(?:pure|approx|cdp|rdp|zcdp|exact|data)\b", whole) == []


# -- readable in both schemes


@pytest.mark.parametrize("colour", [*colours.known().values()], ids=lambda colour: colour.name)
def test_colours_are_readable_as_text_in_both_schemes(colour):
    opacities = re.findall(r"(?:\.live-ghosts\{|stroke-)opacity:([\d.]+)", bundle.style())  # of what is kept, of dots
    share = min(map(float, opacities))
    for value, ground in ((colour.light, WHITE), (colour.dark, DARK)):
        mixed = share * np.array(to_rgb(value)) + (1 - share) * np.array(to_rgb(ground))
        assert contrast(value, ground) >= 4.5 and contrast(to_hex(mixed), ground) >= 3
    assert colours.faint(colour) == ""


# Machado, Oliveira & Fernandes 2009, complete loss, on linear channels; and CIE 1976's L*, a*, b*.
VISION = {
    "all": [(1, 0, 0), (0, 1, 0), (0, 0, 1)],
    "no red": [(0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)],
    "no green": [(0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)],
    "no blue": [(1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)],
}
XYZ = np.array([(0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)])


@pytest.mark.parametrize("kind", VISION)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_cycle_is_told_apart_with_every_kind_of_colour_vision(kind, scheme):
    seen = [lab(np.array(VISION[kind]) @ colours._linear(getattr(colour, scheme))) for colour in CYCLE]
    assert min(np.linalg.norm(one - other) for one, other in combinations(seen, 2)) > 12  # 2.3 is just noticeable


def lab(linear):
    share = XYZ @ np.clip(linear, 0, 1) / [0.95047, 1, 1.08883]
    x, y, z = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("asked", ["red", "#1f5fbf", "C0", (0.1, 0.5, 0.2), "black", "navy", "0.3", [0, 0.4, 0]])
def test_single_colour_gets_a_twin_for_dark_pages(asked):
    colour = colours.own(asked)
    assert contrast(colour.dark, DARK) >= 4.5
    assert colour.name == f"own-{colour.light[1:]}-{colour.dark[1:]}"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("yellow", r"'a', #ffff00 has a contrast of 1.07 with a light page.* needs 4.5; #\w{6} has it"),
        (("#1f5fbf", "#000080"), r"'a', #000080 has a contrast of 1.\d+ with a dark page.* needs 4.5; #\w{6} has it"),
    ],
)
def test_colour_that_can_hardly_be_read_is_drawn_with_a_warning_that_names_a_better_one(asked, told):
    with pytest.warns(FigureWarning, match=told) as heard:
        made = figure(a=asked)
    assert made.looks["a"].colour == colours.own(asked)
    better = re.search(r"; (#\w{6}) has it", str(heard[0].message))[1]
    with warnings.catch_warnings(action="error"):
        figure(a=better if asked == "yellow" else ("#1f5fbf", better))


def test_colour_that_can_hardly_be_read_is_logged_by_a_build_and_not_shown_on_the_page(monkeypatch):
    monkeypatch.setenv(page.BUILDING, "1")
    with warnings.catch_warnings(action="error"):
        made = figure(a="yellow")
    assert re.search(
        r"'coloured': the colour of 'a', #ffff00 has a contrast", PageFacts(page.html(made)).failing("coloured")[0]
    )


def test_area_may_be_light_since_no_name_has_its_colour():
    with warnings.catch_warnings(action="error"):
        figure(a="navy", marks={"area": Band(lambda x: 0 * x, lambda x: x, colour="lightgrey")})


# -- colours of one's own


@pytest.mark.parametrize(
    ("asked", "light"),
    [("C0", "#1f77b4"), ("#1f5fbf", "#1f5fbf"), ((0, 0, 1), "#0000ff"), (("#00735c", "#3fd0ac"), "#00735c")],
)
def test_any_colour_of_matplotlib_reaches_picture_table_and_page(asked, light):
    made = figure(a=asked)
    html = page.html(made)
    name = made.looks["a"].colour.name
    assert f'stroke="{light}"' in html and f'stroke="{light}"' in still.still(made)
    assert f'class="live-curve live-colour-{name} live-dash-solid"' in html
    assert assets.own_colours(html) == {made.looks["a"].colour}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("mauve-ish", r"pure, .*, or a colour of matplotlib such as \"C0\".*got 'mauve-ish'"),
        ((1, 2), r"got \(1, 2\)"),
        (("red", 0.5), r"that one cannot see through, got \('red', 0.5\)"),
        (None, "got None"),
    ],
)
def test_what_is_no_colour_is_refused_by_name(asked, told):
    with pytest.raises(
        lf.FigureError, match="figure 'coloured': colour of 'a' must be .*" + told.removeprefix("must be ")
    ):
        figure(a=asked)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"text": "red"}, "none of .*'text'"),
        ({"Big": "red"}, "lower-case letters and digits .*got 'Big'"),
        ({"a": "reddish"}, "got 'reddish'"),
        ({"a": "red", "words": [("b", "b")]}, "the palette has no colour 'b'; it has a"),
        ({"a": "red", "otherwise": "grey"}, "the palette has no colour 'grey'; it has a"),
    ],
)
def test_palette_that_cannot_be_is_refused_and_the_one_before_stays(given, told):
    before = dict(colours.NAMED)
    with pytest.raises(ColourError, match=told):
        lf.palette(**given)
    assert before == colours.NAMED


def test_palette_gives_names_words_and_a_colour_for_the_rest(no_palette):
    lf.palette(profit="green", loss=("#a00000", "#ff9090"), rest="grey", words=[("Gain", "profit")], otherwise="rest")
    made = figure(a="loss", **{"all gains": "", "b": ""})
    assert [look.colour.name for look in made.looks.values()] == ["loss", "profit", "rest"]
    assert "--live-loss: light-dark(#a00000, #ff9090);" in bundle.style()
    assert figure(a=lf.Curve(lambda x: x)).looks["a"].colour.name == "rest"


# -- the cycle


def test_curves_that_name_no_colour_take_the_cycle(no_palette):
    made = figure(**dict.fromkeys(["S", "I", "R"], ""))
    assert [look.colour for look in made.looks.values()] == CYCLE[:3]
    drawn = re.findall(r"live-curve live-colour-(\S+) live-dash-(\w+)", page.html(made))
    assert drawn == [("cycle-1", "solid"), ("cycle-2", "solid"), ("cycle-3", "solid")]


def test_no_two_curves_that_leave_it_open_look_alike(no_palette):
    lf.palette(mine="teal", words=[("m", "mine")])
    made = figure(**{f"{letter}{i}": "" for letter in "mc" for i in range(10)})
    looks = [(look.colour.light, look.dash) for look in made.looks.values()]
    assert len(set(looks)) == 20
    assert looks[:4] == [("#008080", dash) for dash in colours.LINES]


def test_cycle_leaves_out_what_another_curve_asks_for(no_palette):
    made = figure(a="", b=CYCLE[0].light, c=lf.Curve(lambda x: x, dash="dotted"))
    assert made.looks["a"].colour == CYCLE[1]
    assert (made.looks["c"].colour, made.looks["c"].dash) == (CYCLE[2], "dotted")


# -- on a page


def test_page_of_another_book_loads_its_own_colours_as_a_file(tmp_path):
    made = page.html(figure(a="#8b0000", b="rdp"))
    text = f"# Page\n\n```{{raw}} html\n{made}\n```\n"
    output, status, warned = build(tmp_path, {"index": text, "other": "# Other\n"}, extensions=["livefigures.sphinx"])
    assert (status, warned) == (0, "")
    sheets = re.findall(r"live-colours-\w+\.css", (output / "index.html").read_text("utf-8"))
    assert len(sheets) == 1 and "live-colours" not in (output / "other.html").read_text("utf-8")
    own = colours.own("#8b0000")
    assert (output / "_static" / sheets[0]).read_text("utf-8") == bundle.colours_of([own])
    assert "style=" not in made


def test_book_needs_no_file_for_its_own_colours():
    made = figure(a="rdp", zCDP="", x="")
    assert assets.own_colours(page.html(made)) == set()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_own_colour_is_shown_in_the_pages_scheme_and_kept_in_a_saved_picture(show, scheme):
    made = figure(a="#8b0000")
    open_page = show(made, color_scheme=scheme)
    open_page.add_style_tag(content=bundle.colours_of([made.looks["a"].colour]))
    open_page.evaluate(f"document.documentElement.dataset.theme = '{scheme}'")
    look = made.looks["a"].colour
    wanted = "rgb({}, {}, {})".format(*(int(getattr(look, scheme)[i : i + 2], 16) for i in (1, 3, 5)))
    stroke = "getComputedStyle(document.querySelector('.live-curve path')).stroke"
    assert open_page.evaluate(stroke) == wanted
    assert wanted in open_page.evaluate("live.use('save').picture(document.querySelector('figure.live').live)")


def test_mark_takes_the_colour_of_the_curve_that_it_names(no_palette):
    marks = {
        "dot": lf.Point(0, 1, colour="falling"),
        "data": lf.Points([0], [1], colour="spiral"),
        "spiral": lf.Path(lambda u: u, lambda u: u),
        "level": lf.Line(y=1),
    }
    looks = figure(marks=marks, rising="", falling="").looks
    assert looks["dot"].colour == looks["falling"].colour != looks["rising"].colour
    assert looks["data"].colour == looks["spiral"].colour
    assert looks["level"].colour == NEUTRAL
    assert looks["falling"].dash == "solid"
    with pytest.raises(lf.FigureError, match="colour of 'dot' must be .*got 'faling'"):
        figure(marks={"dot": lf.Point(0, 1, colour="faling")}, falling="")


def test_colour_of_the_palette_comes_before_a_curve_of_this_name(no_palette):
    lf.palette(falling="navy")
    looks = figure(marks={"dot": lf.Point(0, 1, colour="falling")}, falling="teal").looks
    assert looks["dot"].colour.light == "#000080"
