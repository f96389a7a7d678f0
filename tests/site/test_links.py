"""Links restore a figure, or say in the page what of them could not be restored."""

import pytest
from test_book import PAGES_WITH_FIGURES
from test_figure_tools import LIVE, figure, values
from waiting import wait_until

from dp_lib import live

NOTE = ".live-lost"


def opened(page, fragment):
    """What is said of a link, and where the sliders stand then."""
    page.evaluate(
        "fragment => { history.replaceState(null, '', location.pathname); location.hash = fragment; }", fragment
    )
    page.evaluate("new Promise((done) => setTimeout(done, 50))")
    said = page.locator(f"{NOTE} li").all_inner_texts()
    found = values(page)
    page.evaluate(f"{LIVE}.reset()")
    return said, found


def with_choice():
    options = live.choice("noise", ("Laplace", "rounded normal"))
    return live.Figure(
        name="chosen",
        x=live.k(1, 9),
        y=("ε", 0, 9),
        sliders=[options],
        curves={"a": lambda k, noise: k + noise},
        alt="A.",
    )


def test_a_link_is_restored_or_says_what_it_lost(show):
    page = show(figure(), with_choice(), after="<h2 id='a-heading'>A heading</h2>")
    rest = {"sigma": 2, "delta": 1e-3, "k": 4}
    said = {
        "tools:sigma=3,k=7": ([], {"sigma": 3, "k": 7}),
        "tools%3Asigma%3D3%2Ck%3D7": ([], {"sigma": 3, "k": 7}),  # as a mailer writes it
        "tools:sigma=3%3Bkeep=tools:sigma%3D4": ([], {"sigma": 3}),
        "a-heading": ([], {}),
        "": ([], {}),
        "tools:sigma=9,k=7": (["σ must be a number from 1 to 5; the link has “sigma=9”."], {"k": 7}),
        "tools:k=2.5": (["k must be a whole number from 1 to 11; the link has “k=2.5”."], {}),
        "tools:delta=tiny": (["δ must be a number from 1e-6 to 0.01; the link has “delta=tiny”."], {}),
        "tools:sigma=3.4": (["“sigma=3.4” is not computed here: the nearest, 3.4, is shown."], {"sigma": 3.4}),
        "tools:rho=1,k=7": (["The figure “tools” has no slider “rho”."], {"k": 7}),
        "tools:k": (["“k” is no setting of a slider."], {}),
        "gone:k=7": (["This page has no figure “gone”."], {}),
        "present=gone": (["This page has no figure “gone”."], {}),
        "tools:k=7;2:x=3": (["“2:x=3” is no setting of a figure."], {"k": 7}),
        "keep=tools:sigma=9": (["σ must be a number from 1 to 5; the link has “sigma=9”."], {}),
        "chosen:noise=pink": (["noise must be one of laplace, rounded-normal; the link has “noise=pink”."], {}),
        "tools:k=7;" + "tools:k=7;" * 600: (["The link is too long."], {}),
    }
    stops = page.evaluate(f"{LIVE}.data.sliders.sigma.stops")
    for fragment, (lost, set_) in said.items():
        if "3.4" in fragment and 3.4 in stops:
            lost = []
        assert opened(page, fragment) == (lost, rest | set_), fragment
    page.evaluate("location.hash = 'tools:sigma=3;chosen:k=7'")
    wait_until(page, f"{LIVE}.values.sigma === 3 && document.getElementById('chosen').live.values.k === 7")


def test_an_address_that_is_written_over_before_it_is_read_is_restored(show):
    page = show(figure())
    page.evaluate("location.hash = 'tools:sigma=3'; history.replaceState(null, '', '#tools:sigma=2')")
    wait_until(page, f"{LIVE}.values.sigma === 3")


def test_the_note_stands_above_everything_moves_nothing_and_can_be_closed(show):
    page = show(figure(), after="<p id='prose'>Prose</p>", viewport={"width": 390, "height": 844})
    before = page.locator("#prose").bounding_box()
    page.evaluate("location.hash = 'tools:rho=<b>1</b>;present=tools'")
    wait_until(page, f"document.querySelector('{NOTE}') !== null")
    box = page.locator(NOTE).bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["y"] + box["height"] <= 844
    assert page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).closest('.live-lost') !== null", [box["x"] + 20, box["y"] + 20]
    )
    page.locator(f"{NOTE} button").click()
    page.keyboard.press("Escape")
    assert page.locator(NOTE).count() == 0
    assert page.locator("#prose").bounding_box()["x"] == before["x"]


def test_a_frame_of_a_figure_that_is_gone_says_so(show):
    page = show(figure())
    page.goto(page.url + "?figure=gone")
    assert page.locator(f"{NOTE} li").all_inner_texts() == ["This page has no figure “gone”."]


# Each preset link of the page, as a link and percent-encoded, read by the figure that it names.
FAULTS = """() => [...document.querySelectorAll("a.live-set")].flatMap((link) => {
    const figure = document.getElementById(link.dataset.figure)?.live;
    if (!figure) return [];
    const texts = Object.entries(JSON.parse(link.dataset.values)).map((pair) => pair.join("="));
    const fragment = `${link.dataset.figure}:${texts.join()}`;
    return [fragment, encodeURIComponent(fragment)].flatMap((written) => {
        const { pieces, lost } = live.address.read(written);
        return [...lost, ...(pieces.length === 1 ? live.address.faults(figure, pieces[0].texts) : [written])];
    });
})"""


@pytest.mark.parametrize("address", PAGES_WITH_FIGURES)
def test_every_preset_of_the_book_is_a_link_that_restores(visited, address):
    assert visited(address).evaluate(FAULTS) == []
