"""Shared sliders: figures of a page, of a file or of a notebook whose sliders move together."""

import warnings

import numpy as np
import pytest
from waiting import wait_until

import livefigures as lf
from livefigures.declare.parts import FigureError

RATE = lf.slider("rate", 0, 0.4, at=0.2, shared=True)
YEARS = lf.slider("t", 0, 10, at=4, shared=True)


@pytest.fixture(autouse=True)
def no_other_figures(monkeypatch):
    """The figures of other tests are forgotten: on a page or in a notebook there are none."""
    monkeypatch.setattr("livefigures.figure.figures", type(lf.figures)())


def figure(name, function, sliders=(RATE,), x=YEARS):
    return lf.Figure(
        name=name,
        x=x,
        y=("y", 0, 600),
        sliders=sliders,
        curves={"curve": function},
        caption="A caption.",
        alt="A curve.",
    )


def capital(**changes):
    return figure("capital", lambda rate, t: 10 * np.exp(rate * t), **changes)


def growth(**changes):
    return figure("growth", lambda rate, t: 10 * rate * np.exp(rate * t), **changes)


def values(page, name):
    return page.evaluate(f"document.getElementById('{name}').live.values")


def test_slider_of_the_other_figure_follows_at_once(show):
    page = show(capital(), growth())
    page.focus("#capital input[name=rate]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert values(page, "growth") == values(page, "capital") == {"rate": 0.21, "t": 4}
    assert page.input_value("#growth input[name=rate]") == "0.21"
    page.focus("#growth input[name=t]")
    page.keyboard.press("End")
    assert values(page, "capital") == {"rate": 0.21, "t": 10}
    wait_until(page, "document.querySelector('#capital td[data-curve]').textContent === '81.66'")  # 10 exp(2.1)


def test_link_to_one_figure_sets_both(show):
    page = show(capital(), growth())
    page.evaluate("location.hash = 'growth:rate=0.3'")
    wait_until(page, "document.getElementById('capital').live.values.rate === 0.3")
    page.locator("#growth").get_by_role("button", name="Reset").click()
    assert values(page, "capital") == values(page, "growth") == {"rate": 0.2, "t": 4}


def test_only_shared_sliders_follow_and_only_as_far_as_they_go(show):
    own = lf.slider("rate", 0, 0.4, at=0.2)
    page = show(capital(), growth(sliders=[own]))
    page.evaluate("document.getElementById('capital').live.set({ rate: 0.3, t: 5 })")
    assert values(page, "growth") == {"rate": 0.2, "t": 5}
    shorter = lf.slider("rate", 0, 0.25, at=0.2, shared=True)
    with pytest.warns(UserWarning, match="slider 'rate' is shared with 'capital', where it has another range"):
        page = show(capital(), growth(sliders=[shorter]))
    page.evaluate("document.getElementById('capital').live.set({ rate: 0.3 })")
    assert values(page, "growth") == {"rate": 0.2, "t": 4}


def test_readers_who_listen_hear_of_the_figure_that_they_move(show):
    page = show(capital(), growth())
    page.focus("#capital input[name=rate]")
    page.keyboard.press("End")
    wait_until(page, "document.querySelector('#capital .live-status').textContent !== ''")
    assert page.text_content("#growth .live-status") == ""


def test_widgets_of_a_notebook_follow_too():
    first, second = capital(), growth()
    first.values = {"rate": 0.3}  # the other one has no widgets yet
    assert second.values == {"rate": 0.2, "t": 4}
    first.view.sliders["t"].value = 7
    assert second.values == {"rate": 0.3, "t": 7}
    second.values = {"t": 2}
    assert first.values == {"rate": 0.3, "t": 2}


def test_figures_share_without_a_warning_what_is_made_once():
    with warnings.catch_warnings(action="error"):
        capital(), growth()


def test_file_of_two_figures_moves_both(tmp_path, read):
    capital().write_html(tmp_path / "both.html", below=[growth()])
    page = read(tmp_path.as_uri() + "/", "both.html")
    page.focus("#growth input[name=rate]")
    page.keyboard.press("Home")
    assert values(page, "capital")["rate"] == 0
    with pytest.raises(FigureError, match="it stands in the file already"):
        capital().write_html(tmp_path / "twice.html", below=[capital()])
