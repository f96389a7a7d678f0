"""The notebook renderer: real ipywidgets, real pixels."""

import copy
import io
from pathlib import Path

import IPython.display
import ipywidgets as widgets
import nbformat
import numpy as np
import project_copy
import pytest
from interactive_client import AttendedClient
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from PIL import Image
from waiting import wait_until

import livefigures as lf
from dp_lib import live
from livefigures.notebook import output


def figure():
    return live.Figure(
        name="kernel",
        x=live.k(1, 100, at=50),
        y=("ε", 0, 2),
        sliders=[live.sigma(1, 10, at=5), live.delta(1e-9, 1e-3, at=1e-5)],
        curves={"zCDP": lambda sigma, k: k / (10 * sigma)},
        marks={"cloud": live.Cloud(x=lambda z: 50 + 5 * z, y=lambda u, delta: u - np.log10(delta) / 10)},
        caption="A caption.",
    )


def pixels(view):
    return np.asarray(Image.open(io.BytesIO(view.picture.value)))


def test_sliders_are_widgets_with_the_declared_ranges():
    sliders = figure().view.sliders
    assert isinstance(sliders["k"], widgets.IntSlider)
    assert (sliders["sigma"].min, sliders["sigma"].max, sliders["sigma"].value) == (1, 10, 5)
    assert sliders["delta"].value == 1e-5


@pytest.mark.parametrize(("at", "kind"), [(0.5, widgets.FloatSlider), (1 / 3, widgets.SelectionSlider)])
def test_a_slider_rests_exactly_on_its_default(at, kind):
    """A slider moves by steps from its low end: one that does not lead to the default would snap away from it."""
    shown = live.Figure(
        name="rests",
        x=live.k(1, 9),
        y=("y", 0, 90),
        sliders=[live.slider("t", 0.05, 3, at=at, words="time")],
        curves={"line": lambda t, k: t * k},
    )
    control = shown.view.sliders["t"]
    assert isinstance(control, kind)
    assert shown.values["t"] == control.value == at
    if kind is widgets.FloatSlider:
        steps = (at - control.min) / control.step
        assert steps == pytest.approx(round(steps), abs=1e-9)
    else:
        assert control.index == [stop for _, stop in control.options].index(at)
    assert control.description == "t time"
    if kind is widgets.FloatSlider:
        control.value = 0.1 + 2 * 0.1  # what a step leaves
        assert shown.values["t"] == 0.3


def test_a_mark_has_its_label_and_its_place_as_on_the_page():
    shown = live.Figure(
        name="labelled",
        x=live.k(1, 9, at=3),
        y=("ε, loss", 0, 9),
        curves={"line": lambda k: k},
        marks={"touch-response": live.Point(x=lambda: 2.0, y=lambda k: k, label="where they touch")},
    )
    assert "where they touch" in shown.view.readings.value
    assert "touch-response<" not in shown.view.readings.value
    assert "k\u00a0=\u00a02, ε\u00a0=\u00a03.000" in shown.view.readings.value


def test_data_and_a_reading_are_rows_and_only_data_are_drawn():
    made = {"x": live.k(1, 9, at=3), "y": ("y", 0, 9), "curves": {"line": lambda k: k}}
    plain = live.Figure(name="rows", **made)
    reading = live.Figure(name="rows", **made, marks={"cost": lf.Reading(lambda k: 2 * k)})
    data = live.Figure(name="rows", **made, marks={"cases": lf.Points([2, 5], [4, 8])})
    assert ">cost</th><td data-mark=" in reading.view.readings.value and ">6.000<" in reading.view.readings.value
    assert (pixels(reading.view) == pixels(plain.view)).all()
    assert ">cases</th><td>2\u00a0points</td>" in data.view.readings.value
    assert (pixels(data.view) != pixels(plain.view)).any()
    assert [button.description for button in data.view.widget.children[2].children] == ["Reset"]


@pytest.mark.parametrize(("name", "value"), [("sigma", 2.0), ("k", 80), ("delta", 1e-9)])
def test_moving_a_slider_redraws_the_picture(name, value):
    view = figure().view
    before = pixels(view)
    view.sliders[name].value = value
    assert (pixels(view) != before).any()
    assert figure().view.values != view.values


def test_reset_restores_the_very_pixels():
    view = figure().view
    before = view.picture.value
    view.values = {"sigma": 2, "k": 90}
    view.reset()
    assert view.picture.value == before


def test_a_redraw_leaves_no_trace_of_the_settings_before():
    """Only the moving parts are redrawn: what they were before must be gone."""
    wandered, straight = figure().view, figure().view
    wandered.values = {"sigma": 9, "k": 3}
    for view in (wandered, straight):
        view.values = {"sigma": 2.5, "k": 77}
    assert wandered.picture.value == straight.picture.value


def test_values_are_read_and_set_from_code():
    shown = figure()
    shown.values = {"sigma": 2}
    assert shown.values == {"sigma": 2.0, "delta": 1e-5, "k": 50.0}
    shown.values = {"delta": 3.3e-7}  # between two stops
    assert shown.values["delta"] == 3.3e-7
    with pytest.raises(live.FigureError, match="sigma must be a number from 1 to 10, got 99"):
        shown.values = {"sigma": 99}


def test_readings_follow_the_sliders():
    view = figure().view
    view.values = {"sigma": 2, "k": 10}
    assert "0.5000" in view.readings.value
    assert 'at k = <span class="live-cursor">10</span>' in view.readings.value


def test_draw_again_gives_new_draws():
    view = figure().view
    before = pixels(view)
    view.draw_again()
    assert (pixels(view) != before).any()


@pytest.fixture
def attended(monkeypatch):
    """Somebody sits at the front end."""
    monkeypatch.setattr(output, "attended", lambda: True)


def test_a_choice_is_a_row_of_buttons_and_wakes_its_own_sliders():
    shown = live.Figure(
        name="chosen",
        x=live.k(1, 9, at=5),
        y=("ε", 0, 9),
        sliders=[
            live.choice("noise", ("Laplace", "Gaussian")),
            live.scale(1, 9, at=2, when=("noise", "Laplace")),
            live.sigma(1, 9, at=3, when=("noise", "Gaussian")),
        ],
        curves={
            "pure": live.Curve(lambda noise, k: np.where(noise == 0, k, np.nan), gap="no such ε"),
            "zCDP": lambda scale, sigma: scale / sigma,
        },
        bars=True,
    )
    sliders = shown.view.sliders
    assert isinstance(sliders["noise"], widgets.ToggleButtons)
    assert (sliders["scale"].layout.display, sliders["sigma"].layout.display) == (None, "none")
    assert '<span class="live-gap" hidden>no such ε</span>' in shown.view.readings.value
    assert 'width="13.33%"' in shown.view.readings.value  # two thirds beside five
    shown.values = {"noise": "Gaussian"}
    assert shown.values["noise"] == 1.0
    assert (sliders["scale"].layout.display, sliders["sigma"].layout.display) == ("none", None)
    assert '<span class="live-gap">no such ε</span>' in shown.view.readings.value
    with pytest.raises(live.FigureError, match="noise must be one of Laplace, Gaussian, got 'Cauchy'"):
        shown.values = {"noise": "Cauchy"}


def test_figure_shows_its_widget_and_a_still_picture_apart(monkeypatch, attended):
    """A notebook exported with its widgets' state keeps of an output with a widget the widget alone."""
    shown = []
    monkeypatch.setattr(output, "display", lambda bundle, raw: shown.append(bundle))
    declared = figure()
    declared._ipython_display_()
    widget, still = shown
    assert "text/html" not in widget
    assert "application/vnd.jupyter.widget-view+json" not in still
    assert "<svg" in still["text/html"]


def test_still_picture_gives_way_to_the_widget_of_the_same_figure():
    bundle, view = figure()._repr_mimebundle_(), figure().view
    assert "live-view-kernel" in view.widget._dom_classes
    assert "body:has(.live-view-kernel:not(.jupyter-widgets-disconnected)) .live-still-kernel" in bundle["text/html"]


def test_where_nobody_can_move_a_slider_there_is_a_still_picture_that_says_what_to_do(monkeypatch):
    declared = figure()
    shown = []
    monkeypatch.setattr(output, "display", lambda data, raw: shown.append(data))
    declared._ipython_display_()
    bundle = declared._repr_mimebundle_()
    assert shown == [bundle] and set(bundle) == {"text/html", "text/plain"}
    assert output.HINT in bundle["text/html"]
    assert "view" not in vars(declared)  # and no widget was made for it


def test_figure_of_a_page_shows_nothing_but_its_bundle(monkeypatch):
    monkeypatch.setenv("LIVEFIGURES_BUILDING", "1")
    declared, shown = figure(), []
    declared.alt = "A rising curve."
    monkeypatch.setattr(output, "display", lambda data, raw: shown.append(data))
    declared._ipython_display_()
    assert [set(data) for data in shown] == [{"text/html", "text/plain"}] and 'class="live-data"' in shown[0][
        "text/html"
    ]


def test_figures_are_found_by_name_the_latest_of_each():
    first, second = figure(), figure()
    assert live.figures["kernel"] is second is not first


def test_a_curve_that_fails_under_a_slider_says_so_in_place_of_its_readings():
    shown = live.Figure(
        name="fails",
        x=live.k(1, 50, at=10),
        y=("y", 0, 60),
        sliders=[live.sigma(1, 10, at=2)],
        curves={"line": live.Curve(lambda sigma, k: k if sigma != 7 else missing_name, lookup=True)},  # noqa: F821
    )
    shown.view.sliders["sigma"].value = 7
    assert "figure &#x27;fails&#x27;: curves/line/y raised NameError" in shown.view.readings.value
    shown.view.sliders["sigma"].value = 3
    assert "10.00" in shown.view.readings.value
    with pytest.raises(live.FigureError, match="'fails': curves/line/y raised NameError"):
        shown.values = {"sigma": 7}


# -- exported notebooks

CELL = """
from dp_lib import live
live.Figure(
    name="exported", x=live.k(1, 9, at=5), y=("y", 0, 9), curves={"a straight line": lambda k: k}, alt="It rises."
)
"""


@pytest.fixture(scope="module")
def executed():
    """A notebook that was run, with the state of its widgets."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    environment = project_copy.environment(Path(__file__).parents[2])
    environment.pop("LIVEFIGURES_BUILDING", None)
    AttendedClient(notebook, timeout=120, kernel_name="python3").execute(env=environment)
    assert notebook.metadata.widgets
    return notebook


@pytest.mark.parametrize("with_state", [True, False], ids=["with the widgets' state", "without it"])
def test_exported_notebook_shows_the_figure_without_a_network(with_state, executed, browser, tmp_path):
    exported = copy.deepcopy(executed)
    if not with_state:
        del exported.metadata["widgets"]
    html, _ = HTMLExporter().from_notebook_node(exported)
    (tmp_path / "exported.html").write_text(html, "utf-8")
    page = browser.new_context(offline=True).new_page()
    page.goto((tmp_path / "exported.html").as_uri())
    assert page.get_by_role("img", name="It rises.").is_visible()
    assert page.locator("svg text", has_text="a straight line").is_visible()
    assert page.locator("td", has_text="5.000").is_visible()
    page.context.close()


SHOWN_AS_HTML = """
import livefigures as lf

figure = lf.Figure(
    name="line",
    x=lf.slider("t", 0, 9, at=5),
    y=("y", 0, 9),
    curves={"straight": lambda t: t},
    caption="A line.",
    alt="It rises.",
)
figure.show_html()
"""


@pytest.mark.parametrize("client", [NotebookClient, AttendedClient], ids=["run by nbconvert", "run in JupyterLab"])
def test_exported_notebook_has_a_figure_that_can_be_moved(client, browser, tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SHOWN_AS_HTML)])
    environment = project_copy.environment(Path(__file__).parents[2])
    client(notebook, timeout=120, kernel_name="python3").execute(env=environment)
    assert [set(output.data) for output in notebook.cells[0].outputs] == [
        {"text/html", "text/plain"}
    ]  # not shown twice
    html, _ = HTMLExporter().from_notebook_node(notebook)
    (tmp_path / "exported.html").write_text(html, "utf-8")
    page = browser.new_context(offline=True).new_page()
    page.goto((tmp_path / "exported.html").as_uri(), wait_until="load")
    frame = page.frames[1]
    wait_until(frame, "document.querySelector('figure.live')?.live !== undefined")
    frame.locator("input[type=range][name=t]").press("End")
    assert frame.locator("[data-curve=straight]").inner_text() == "9.000"
    assert frame.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.context.close()


def test_figure_shown_as_html_is_an_ordinary_one_on_the_page_of_a_book(monkeypatch):
    monkeypatch.setenv("LIVEFIGURES_BUILDING", "1")
    declared, shown = figure(), []
    declared.alt = "A rising curve."
    monkeypatch.setattr(IPython.display, "display", lambda data, raw: shown.append(data))
    declared.show_html()
    assert shown == [declared._repr_mimebundle_()]


@pytest.mark.parametrize("height", [0, 199, "tall", 700.5])
def test_height_of_a_frame_is_checked(height):
    declared = figure()
    declared.alt = "A rising curve."
    with pytest.raises(live.FigureError, match=f"'kernel': height must be a whole number of pixels.*got {height!r}"):
        declared.show_html(height)
