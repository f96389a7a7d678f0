"""A figure's HTML and its record: what stands there before any script has run."""

import json
import math
from html.parser import HTMLParser

import numpy as np
import pytest

from dp_lib import live
from livefigures.draw.still import bars, still
from livefigures.page import page, record
from livefigures.page.claimed import LINKED
from livefigures.page.page import BUILDING
from livefigures.page.record import PARITY_SETTINGS, RECORDS, parity
from livefigures.sphinx.page_facts import PageFacts


def figure(**changes):
    parts = {
        "name": "paged",
        "x": live.k(1, 500, at=500),
        "y": ("ε, loss", 0, 10),
        "sliders": [live.sigma(50, 400, at=200), live.delta(1e-9, 1e-3, at=1e-5)],
        "curves": {'a "quoted" <curve>': lambda sigma, k: k / sigma, "gap": lambda k: np.where(k < 400, 1.0, np.nan)},
        "marks": {"spot": live.Point(x=lambda sigma: sigma, y=lambda: 1.0, label="the spot")},
        "caption": "A caption with <angle> & ampersand.",
        "alt": "Two lines.",
    }
    return live.Figure(**parts | changes)


class Elements(HTMLParser):
    """All start tags with their attributes, and the text inside elements of class live-data."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.data, self._inside = [], "", False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        self._inside = attrs.get("class") == "live-data"

    def handle_endtag(self, tag):
        self._inside = False

    def handle_data(self, data):
        if self._inside:
            self.data += data

    def find(self, tag, **wanted):
        named = {key.replace("_", "-"): value for key, value in wanted.items()}
        return [a for t, a in self.tags if t == tag and all(a.get(k) == v for k, v in named.items())]


def test_markup_that_teachers_rely_on():
    found = Elements(page.html(figure()))
    assert found.find("figure", **{"class": "live"}, id="paged")
    assert {a["name"] for a in found.find("input", type="range")} == {"sigma", "delta", "k"}
    assert found.find("td", data_curve='a "quoted" <curve>')[0]["data-value"] == "2.5"
    assert found.find("td", data_curve="gap")[0]["data-value"] == "NaN"
    assert found.find("td", data_mark="spot")[0]["data-x"] == "200.0"


def test_each_slider_has_a_visible_label_and_its_value_in_words():
    found = Elements(page.html(figure()))
    labels = {a["for"] for a in found.find("label")}
    for slider in found.find("input", type="range"):
        assert slider["id"] in labels
        assert slider["name"] not in slider["aria-valuetext"]  # a Python name says nothing to a listener
    assert found.find("input", name="sigma")[0]["aria-valuetext"] == "200"


def test_linear_slider_carries_its_value_and_log_slider_its_stop():
    found = Elements(page.html(figure()))
    (sigma,), (delta,) = found.find("input", name="sigma"), found.find("input", name="delta")
    assert (sigma["min"], sigma["max"], sigma["step"], sigma["value"]) == ("50", "400", "1", "200")
    assert (delta["min"], delta["max"], delta["value"], delta["aria-valuetext"]) == ("0", "60", "40", "1e-5")


def test_data_is_json_that_cannot_close_its_script():
    text = page.html(figure())
    inside = text.split('class="live-data">')[1].split("</script>")[0]
    assert "<" not in inside
    data = json.loads(inside)
    assert data["outputs"].keys() == {'curves/a "quoted" <curve>/y', "curves/gap/y", "marks/spot/x", "marks/spot/y"}
    assert data["sliders"]["delta"]["stops"][40] == 1e-5
    assert set(data["sliders"]["sigma"]) == {"low", "high", "at", "symbol"}  # it is no integer, and has no stops


def test_no_handler_no_inline_script_no_outside_address():
    found = Elements(page.html(figure()))
    assert all(not key.startswith("on") for _, attrs in found.tags for key in attrs)
    assert all(attrs.get("type") == "application/json" for attrs in found.find("script"))
    assert "http" not in page.html(figure()).replace("http://www.w3.org/", "")


def test_record_holds_sliders_and_dp_libs_values(tmp_path, monkeypatch):
    monkeypatch.setenv(BUILDING, "1")
    monkeypatch.setenv(RECORDS, str(tmp_path))
    shown = figure()
    bundle = shown._repr_mimebundle_()
    assert bundle["text/html"] == page.html(shown)
    assert set(bundle) == {"text/html", "text/plain"}
    left = json.loads((tmp_path / "paged.json").read_text("utf-8"))
    assert left["sliders"]["sigma"] == {"low": 50, "high": 400, "integer": False, "at": 200.0}
    assert len(left["parity"]) == PARITY_SETTINGS
    for setting in left["parity"]:
        sigma, k = setting["values"]["sigma"], setting["values"]["k"]
        assert setting["readings"]['curves/a "quoted" <curve>/y'] == k / sigma
        assert setting["readings"]["curves/gap/y"] == (1.0 if k < 400 else "NaN")


def test_parity_covers_defaults_both_ends_and_random_places():
    values = [setting["values"] for setting in parity(figure())]
    assert values[0] == figure().defaults
    assert values[1] == pytest.approx({"sigma": 50, "delta": 1e-9, "k": 1})
    assert values[2] == pytest.approx({"sigma": 400, "delta": 1e-3, "k": 500})
    assert len({value["sigma"] for value in values}) > 30


@pytest.mark.parametrize(
    ("values", "shares"),
    [
        ([1.0, 2.0], [0.5, 1.0]),
        ([1.0, 10.0, np.nan], [0.1, 1.0, 0.0]),
        ([0.0, 3.0], [0.0, 1.0]),
        ([np.inf, 4.0], [np.inf, 1.0]),
        ([np.nan], [0.0]),
        ([0.0], [0.0]),
    ],
)
def test_bars_are_shares_of_the_longest(values, shares):
    assert bars(values) == shares


def test_a_bar_stands_beside_its_number_and_is_no_number_itself():
    found = Elements(page.html(figure(bars=True)))
    bars = [attrs for tag, attrs in found.tags if tag == "svg" and attrs.get("class", "").startswith("live-bar")]
    assert [bar["width"] for bar in bars] == ["100%", "0%"]
    assert all(bar["aria-hidden"] == "true" for bar in bars)
    assert not any("live-bar" in attrs.get("class", "") for _, attrs in Elements(page.html(figure())).tags)


def test_still_picture_has_no_controls():
    text = still(figure())
    assert "<svg" in text
    assert "<input" not in text
    assert "<script" not in text


def test_a_book_takes_no_figure_without_a_description(monkeypatch):
    monkeypatch.setenv(BUILDING, "1")
    with pytest.raises(live.FigureError, match="figure 'paged': a page needs alt=..."):
        figure(alt="")._repr_mimebundle_()


def test_names_in_any_script_are_drawn_without_a_warning():
    assert "정보 손실" in page.html(figure(curves={"정보 손실": lambda k: k / 500}))


def test_a_book_that_asks_for_no_records_gets_none(tmp_path, monkeypatch):
    monkeypatch.setenv(BUILDING, "1")
    monkeypatch.setenv(RECORDS, "")
    monkeypatch.chdir(tmp_path)
    assert "live-data" in figure()._repr_mimebundle_()["text/html"]
    assert list(tmp_path.iterdir()) == []


def test_record_counts_operations(tmp_path, monkeypatch):
    monkeypatch.setenv(RECORDS, str(tmp_path))
    curves = {"asked": live.Curve(lambda k: math.sqrt(k), lookup=True), "traced": lambda k: np.sqrt(k) + 1}
    record.write(figure(name="counted", x=live.k(1, 20), curves=curves, marks={}))
    left = json.loads((tmp_path / "counted.json").read_text("utf-8"))
    assert left["operations"] == 4


def test_still_picture_shows_bars_and_reasons_without_a_style_sheet():
    gap = live.Curve(lambda k: k * np.nan, gap="no such ε")
    text = still(
        figure(bars=True, y=("ε", 0, 300), curves={"zCDP": lambda sigma: sigma, "pure": gap, "ε-DP": lambda k: 9 * k})
    )
    assert '<span class="live-gap">no such ε</span>' in text
    assert 'fill="#8a5a00"' in text
    assert 'width="100%"' in text and text.count("live-tear") == 0
    known = live.Curve(lambda k: k * 1.0, gap="no such ε")
    assert '<span class="live-gap" hidden>no such ε</span>' in still(figure(curves={"pure": known}))


def test_a_figure_without_a_caption_is_told():
    assert not any("caption" in said for said in page.shortcomings(figure()))
    assert "figure 'paged': a page needs caption=..., what is drawn" in page.shortcomings(figure(caption=""))[0]


@pytest.mark.parametrize(
    ("name", "words", "shown"),
    [
        ("cut", "cut-off of the test", "cut</span> cut-off of the test<"),
        ("tax", "tax, € per litre", "tax</span>, € per litre<"),
        ("rate", "rate of interest", "rate</span> of interest<"),
        ("r", "years", "r</span> years<"),
    ],
)
def test_the_words_of_a_slider_repeat_no_name(name, words, shown):
    moved = {"sliders": [live.slider(name, 0, 1, words=words)], "marks": {}}
    moved["curves"] = {"a": eval(f"lambda {name}, k: {name} * k")}
    assert f'<span class="live-symbol">{shown}' in page.html(figure(**moved))


def test_claims_stand_under_the_caption():
    claims = {"It <never> falls.": lambda c: c.rises('a "quoted" <curve>')}
    text = page.html(figure(claims=claims))
    below = text.partition("&amp; ampersand.")[2].partition("</figcaption>")[0]
    assert "<li>It &lt;never&gt; falls.</li>" in below
    assert below.strip().startswith('<ul class="live-claims">')
    assert "live-claims" not in page.html(figure())
    assert "<li>It &lt;never&gt; falls.</li>" in still(figure(claims=claims))


def test_a_page_says_which_claims_fail_at_rest_at_an_end_or_at_a_linked_setting(tmp_path, monkeypatch):
    claims = {"σ is not 100.": lambda c: c["sigma"] != 100, "σ is above 50.": lambda c: c["sigma"] > 50}
    shown = figure(claims=claims, curves={"line": lambda sigma, delta, k: k / sigma + delta})
    end = "figure 'paged': the claim 'σ is above 50.' fails at sigma = 50, delta = 1e-05, k = 500"
    failing = PageFacts(page.html(shown)).failing
    assert failing("paged") == [end]
    settings = [{"sigma": 100, "k": 3}, {"sigma": 1e9}, {"nobody": 3}]  # impossible ones are the preset check's
    (tmp_path / "linked.json").write_text(json.dumps({"paged": settings, "other": [{"sigma": 50}]}), "utf-8")
    monkeypatch.setenv(LINKED, str(tmp_path / "linked.json"))
    failing = PageFacts(page.html(shown)).failing
    linked = "figure 'paged': the claim 'σ is not 100.' fails at sigma = 100, delta = 1e-05, k = 3"
    assert failing("paged") == [linked, end]


def test_a_peak_that_is_cut_off_at_a_linked_setting_is_told(tmp_path, monkeypatch):
    made = {"curves": {"line": lambda sigma, k: 90 * np.exp(-(((sigma - 70) / 5) ** 2) - ((k - 100) / 4) ** 2)}}
    assert not [said for said in PageFacts(page.html(figure(**made))).failing("paged") if "cuts off" in said]
    (tmp_path / "linked.json").write_text(json.dumps({"paged": [{"sigma": 70}]}), "utf-8")
    monkeypatch.setenv(LINKED, str(tmp_path / "linked.json"))
    (said,) = [said for said in PageFacts(page.html(figure(**made))).failing("paged") if "cuts off" in said]
    assert "the top of the picture cuts off the peak of the curve 'line' at sigma = 70" in said


def test_a_table_that_leaves_the_picture_at_the_defaults_is_told():
    looked_up = live.Curve(lambda k: k / 40, lookup=True)
    told = PageFacts(page.html(figure(curves={"line": looked_up}))).failing("paged")
    assert [each for each in told if "the curve 'line' leaves the picture; widen y" in each]


def test_a_peak_or_a_part_that_is_outside_at_a_corner_of_the_sliders_is_told():
    def at_corner(height, width):
        def line(sigma, delta, k):
            return 1 + height * (sigma > 390) * (delta > 9e-4) * np.exp(-(((k - 100) / width) ** 2))

        (told,) = PageFacts(page.html(figure(curves={"line": line}))).failing("paged")
        return told

    assert "cuts off the peak of the curve 'line' at sigma = 400, delta = 0.001" in at_corner(90, 2)
    assert "the curve 'line' is partly outside the picture at sigma = 400, delta = 0.001" in at_corner(90, 20)
    assert "the curve 'line' is mostly outside the picture at sigma = 400, delta = 0.001" in at_corner(90, 200)


@pytest.mark.parametrize(
    "check", [lambda c: 0 <= c["line"] <= 1, lambda c: c["line"] >= 0 and c["line"] <= 1, lambda c: not c["line"] < 0]
)
def test_a_claim_with_one_truth_for_many_values_says_what_to_write(check):
    shown = figure(claims={"It is a share.": check}, curves={"line": lambda sigma, delta, k: k / sigma + delta})
    with pytest.raises(live.FigureError, match=r"the claim 'It is a share.' .* use \(a >= 0\) & \(b >= 0\) for and"):
        page.html(shown)


def test_a_claim_sees_the_x_axis_as_a_whole_and_fails_inside_a_range():
    claims = {"It rises.": lambda c: c["line"] * 1e3 >= c.values["k"], "No.": lambda c: abs(c["sigma"] - 125) > 40}
    shown = figure(claims=claims, curves={"line": lambda sigma, delta, k: k / sigma + delta})
    (found,) = PageFacts(page.html(shown)).failing("paged")
    assert "the claim 'No.' fails at sigma = 1" in found


def by_euler(**options):
    """Exponential decay by 250 steps of Euler's method, which are too long where x and the rate are large."""

    def decay(rate, t):
        y = 1.0
        for _ in range(250):
            y = y - rate * y * t / 250
        return y

    return live.Figure(
        name="euler",
        x=live.slider("t", 0, 1000, at=1),
        y=("y", 0, 1),
        sliders=[live.slider("rate", 0.01, 500, at=0.1)],
        curves={"decay": live.Curve(decay, **options)},
        out_of_view={"decay": "top bottom"},
        caption="Decay.",
        alt="A curve falls.",
    )


def test_a_curve_that_overflows_at_an_end_of_a_slider_is_a_warning():
    (warning,) = PageFacts(page.html(by_euler())).failing("euler")
    assert warning.startswith("figure 'euler': the curve 'decay' overflows and has no value somewhere at rate = 500;")


def test_a_curve_that_says_why_it_has_no_value_may_overflow():
    assert PageFacts(page.html(by_euler(gap="too fast"))).failing("euler") == []
