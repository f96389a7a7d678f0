"""Formulas of figures: they give the very readings, their symbols light sliders and curves, the numbers follow."""

import math
from xml.etree import ElementTree

import figures
import pytest

from book.theme.mathml import CHARACTERS, drawn
from dp_lib import live
from livefigures.page.formula import mathml
from livefigures.page.page import html

FUNCTIONS = {"ln": "log", "tanh": "tanh", "exp": "exp"}
SIGNS = {"−": "-", "+": "+", "/": "/", "(": "(", ")": ")", "⋅": "*"}
LIVE = "document.querySelector('figure.live').live"


def arithmetic(element):
    """A formula's right-hand side as Python, read from its MathML alone."""
    children = list(element)
    if element.tag == "math":
        equals = next(i for i, child in enumerate(children) if child.text == "=")
        return product(children[equals + 1 :])
    if element.tag == "mfrac":
        return "(({})/({}))".format(*map(arithmetic, children))
    if element.tag == "msup":
        return "(({})**({}))".format(*map(arithmetic, children))
    if element.tag == "msqrt":
        return f"sqrt({product(children)})"
    return product(children) if children else (element.text or "").strip()


def product(children):
    """Neighbours in a row; two factors beside each other are multiplied."""
    parts = []
    for child in children:
        text = SIGNS.get(child.text, "") if child.tag == "mo" else FUNCTIONS.get(arithmetic(child), arithmetic(child))
        if text and parts and child.tag != "mo" and parts[-1] not in ["+", "-", "*", "/", "(", *FUNCTIONS.values()]:
            parts.append("*")
        if text == "(" and parts and (parts[-1].isalpha() and parts[-1] not in FUNCTIONS.values() or parts[-1] == ")"):
            parts.append("*")
        parts += [f"({text})" if child.tag == "mrow" and text not in FUNCTIONS.values() else text] if text else []
    return "".join(parts)


def value(figure, name, values):
    symbols = {slider.symbol or slider.name: values[slider.name] for slider in figure.controls.values()}
    known = {"sqrt": math.sqrt, "log": math.log, "tanh": math.tanh, "e": math.e, **symbols}
    return eval(arithmetic(mathml(figure.formulas[name])), {"__builtins__": {}}, known)


@pytest.mark.parametrize("chapter", figures.BY_CHAPTER)
def test_every_formula_of_the_book_gives_the_reading_of_its_curve(chapter):
    shown = [figure for figure in figures.figures(chapter) if figure.formulas]
    for figure in shown:
        corners = [figure.defaults, *(figure.defaults | {n: s.low} for n, s in figure.controls.items())]
        for values in corners:
            for name in figure.formulas:
                reading = figure.readings(values)[f"curves/{name}/y"]
                assert value(figure, name, values) == pytest.approx(reading, rel=1e-9), (figure.name, name, values)
        for tex in figure.formulas.values():
            assert drawn(mathml(tex)) <= CHARACTERS, figure.name
    if chapter in ("many_answers", "approx", "cdp_limits", "rdp", "zcdp_guarantees", "accounting_compared"):
        assert shown, "a chapter of a definition shows at least one"


def figure(**changes):
    parts = {
        "name": "answering",
        "x": live.k(1, 11, at=4),
        "y": ("ε, loss", 0, 30),
        "sliders": [live.sigma(1, 5, at=2), live.delta(1e-6, 1e-2, at=1e-5)],
        "curves": {"zCDP": lambda sigma, k, delta: k / sigma**2 - delta, "level": lambda sigma: sigma + 3},
        "formulas": {"zCDP": r"\varepsilon = \frac{k}{\sigma^2} - \delta", "level": r"\varepsilon = \sigma + 3"},
        "alt": "Two lines.",
    }
    return live.Figure(**parts | changes)


@pytest.mark.parametrize(
    ("formulas", "complaint"),
    [
        ({"nothing": "k"}, "formulas names 'nothing', which is none of its curves: zCDP, level"),
        ({"zCDP": ""}, "the formula of 'zCDP' must be TeX, got ''"),
        ({"zCDP": r"\nothing"}, "figure 'answering': the formula of 'zCDP': "),
        ({"zCDP": "x = y"}, "no symbol in the formula of 'zCDP' is one of"),
        ({"zCDP": r"\varepsilon = \sigma_0 + k_1"}, "no symbol in the formula of 'zCDP' is one of"),
    ],
)
def test_a_formula_that_cannot_answer_is_refused(formulas, complaint):
    with pytest.raises(live.FigureError, match=complaint.replace("(", r"\(")):
        html(figure(formulas=formulas))


def test_a_symbol_lights_its_slider_and_the_curves_that_follow_it(show):
    page = show(figure())
    page.locator(".live-formulas summary").click()
    page.locator("[data-formula=zCDP] math:not(.live-numbers) [data-for=k]").hover()
    assert page.locator(".live-slider.live-lit [type=range]").get_attribute("name") == "k"
    assert page.evaluate("[...document.querySelectorAll('.live-curve.live-lit')].map((curve) => curve.id)") == [
        "answering--curve-0"
    ]
    page.locator("[data-formula=level] > span").hover()
    assert page.evaluate("document.querySelector('.live-curve.live-lit').id") == "answering--curve-1"
    page.mouse.move(0, 0)
    assert page.locator(".live-lit").count() == 0
    page.locator("[data-formula=zCDP] math:not(.live-numbers) [data-for=sigma]").click()
    assert page.evaluate("document.activeElement.name") == "sigma"
    assert page.locator(".live-formulas .live-lit").count() == 2


def test_the_numbers_stand_in_the_formula_and_follow(show):
    page = show(figure(formulas={"zCDP": r"\varepsilon = 2k\sigma^2 - k(\delta + 1)\delta^2"}))
    page.locator(".live-formulas summary").click()
    numbers = page.locator(".live-numbers")
    assert "".join(numbers.text_content().split()) == "ε=2⋅4⋅22−4⋅(10−5+1)⋅(10−5)2=1.0000"
    page.evaluate(f"{LIVE}.set({{ k: 5 }})")
    assert "".join(numbers.text_content().split()).startswith("ε=2⋅5⋅22−5⋅(")
    assert numbers.locator("msup").first.evaluate("one => one.firstElementChild.textContent") == "2"


def test_a_symbol_with_an_index_is_another_symbol(show):
    drawn = figure(
        sliders=[live.sigma(1, 5, at=2), live.slider("start", 1, 9, at=2, symbol="k₀")],
        curves={"zCDP": lambda sigma, start, k: (start**2 - sigma) ** 2 + k},
        formulas={"zCDP": r"\varepsilon = (k_0 k_0 - \sigma)^2 + k"},
    )
    page = show(drawn)
    page.locator(".live-formulas summary").click()
    assert "".join(page.locator(".live-numbers").text_content().split()) == "ε=(2⋅2−2)2+4=8.000"
    assert page.locator(".live-formulas [data-for=k]").count() == 1


def test_without_javascript_a_formula_can_be_read(show):
    page = show(figure(), java_script_enabled=False)
    page.locator(".live-formulas summary").click()
    assert page.locator("[data-formula=zCDP] math").is_visible()


def test_markup_of_a_formula_has_no_style():
    assert "style" not in ElementTree.tostring(mathml(r"\varepsilon = \sqrt{k\ln(1/\delta)}"), encoding="unicode")
