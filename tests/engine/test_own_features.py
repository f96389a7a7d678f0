"""Features that somebody else writes: what is wrong in one is said, and stops neither the figure nor another feature.

And the package's one feature whose script comes at the first press of its button.
"""

from string import ascii_lowercase

import pytest
from small_book import build, environment  # noqa: F401 - a fixture
from test_write_html import READY, interest, move_rate_to_its_end
from waiting import wait_until

from livefigures.page.page import html

NOTES = 'address: { verb: "note", takes: "text", write: () => ["note=interest:me"], read(figure, values, { settings }) '
NOTES += "{ document.title = settings; } }"
WORKS = 'live.feature({ name: "works", button: { text: "Works", action: "works", press() {} }, '
WORKS += "started() { document.body.id = 'started'; } });"


@pytest.fixture
def opened(tmp_path, browser):
    """Open a file of a figure with these scripts; returns the page and what the console has said."""
    pages = []

    def open_(*texts, fragment=""):
        files = [tmp_path / f"own_{i}.js" for i in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text, "utf-8")
        interest().write_html(tmp_path / "interest.html", features=files)
        page, said = browser.new_page(), []
        pages.append(page)
        page.on("pageerror", lambda error: said.append(error.message))
        page.on("console", lambda message: said.append(message.text))
        page.goto((tmp_path / "interest.html").as_uri() + fragment)
        wait_until(page, READY, seconds=5)
        return page, said

    yield open_
    for page in pages:
        page.close()


def feature(fields, name="mine"):
    return f'live.feature({{ name: "{name}", {fields.replace("mine", name)} }});'


def features(all_fields):
    """One feature for each, with a name and a verb of its own: minea, mineb, ..."""
    return [feature(fields, f"mine{letter}") for fields, letter in zip(all_fields, ascii_lowercase, strict=False)]


def broken(what):
    return f'{what} {{ throw new Error("{what} is broken"); }}'


MISTAKES = {
    "redraw() is broken": broken("redraw()"),
    "when() is broken": "button: { text: 'Mine', action: 'mine', " + broken("when()") + " }",
    "stays() is broken": "button: { text: 'Mine', action: 'mine', " + broken("stays()") + " }",
    "write() is broken": "address: { verb: 'mine', takes: 'text', " + broken("write()") + " }",
    "before() is broken": "address: { verb: 'mine', takes: 'text', " + broken("before()") + " }",
    "after() is broken": "address: { verb: 'mine', takes: 'text', " + broken("after()") + " }",
    "gone": "address: { verb: 'mine', takes: 'text', before: async () => { throw new Error('gone'); } }",
}


def test_features_with_mistakes_are_reported_and_stop_no_other(opened):
    no_programmes = ["const broken = {;", "const twice = 1;", "const twice = 2;"]
    page, console = opened(*features(MISTAKES.values()), *no_programmes, WORKS)
    move_rate_to_its_end(page)
    wait_until(page, "location.hash === '#interest:rate=0.1'", seconds=5)
    assert page.locator("#started [data-action=works]").count() == 1
    for said in (*MISTAKES, "Unexpected token ';'", "'twice' has already been declared"):
        assert any(said in one for one in console), said


@pytest.mark.parametrize("before", ["(pieces) => pieces.map((piece) => piece.name)", "async () => {}"])
def test_address_is_restored_whatever_a_feature_does_before(before, opened):
    part = NOTES.replace("write:", f"before: {before}, write:")
    page, console = opened(feature(part), fragment="#interest:rate=0.1;note=interest:you")
    wait_until(page, "document.title === 'you' && document.querySelector('figure').live.values.rate === 0.1", seconds=5)
    assert console == []


def test_settings_of_a_feature_are_no_values_of_sliders(opened):
    part = (
        NOTES.replace('"text"', '"settings"').replace("{ settings }", "{ texts }").replace("settings;", "texts.step;")
    )
    page, console = opened(feature(part), fragment="#note=interest:step=3")
    wait_until(page, "document.title === '3'", seconds=5)
    assert console == []


def test_address_that_no_link_can_have_is_refused(opened):
    parts = ["verb: 'full-width', takes: 'text'", "verb: 'mine'", "verb: 'mine', takes: 'all'"]
    _, console = opened(*features(f"address: {{ {part} }}" for part in parts), WORKS)
    wanted = "its address must have a verb of letters a to z, and takes, one of sliders, settings, text"
    assert [one.partition("; got ")[0].partition("live.feature ")[2] for one in console] == [
        f"“mine{letter}”: {wanted}" for letter in "abc"
    ]


def test_a_name_or_a_verb_that_is_taken_is_refused(opened):
    taken = ["live.feature({ name: 'pin', made() {} });", feature("address: { verb: 'keep', takes: 'sliders' }")]
    _, console = opened(*taken, WORKS)
    assert len(console) == 2 and all("name or verb is taken" in one for one in console)


NOTHING_DONE = {
    "colour: 1": "feature has no field “colour”, but name, button, keys, address, share, offers, made, values, draw, "
    "redraw, moved, asked, motion, state, reset, lines, replacing, room, fit, present, preset, announced, "
    "alone, started, back, kind, move, words",
    "button: { text: 'Mine', action: 'mine', pushed() {} }": "button has no field “pushed”, but text, action, press, "
    "when, stays, items",
    "keys: [{ key: 'g', name: 'G', says: 'go' }, { key: 'b', name: 'B', says: 'back' }]": "keys has no field “says”, "
    "but key, name, does, press, on",
    "address: { verb: 'mine', takes: 'text', writes: () => [] }": "address has no field “writes”, but verb, takes, "
    "first, write, before, read, after, last",
    "share: [{ value: 'mine', text: 'Mine', target: () => '' }]": "share has no field “target”, but value, text, "
    "chosen, address",
    "keys: [{ key: 'G', name: 'G', does: 'go' }]": "the key “G” never comes: take a small letter, but not h",
    "keys: [{ key: 'h', name: 'H', does: 'hide' }]": "the key “h” never comes: take a small letter, but not h",
    "keys: [{ key: 'k', name: 'K', does: 'go' }]": "the key “k” stays with “pin”, which has it already",
    "keys: [{ key: 'w', name: 'W', does: 'go' }]": "the key “w” stays with “wide”, which has it already",
    "keys: [{ key: 'Enter', name: 'Enter', does: 'go' }]": "",  # that of “typed_value” is a slider's
}


def test_what_would_do_nothing_is_said(opened):
    wide = 'live.feature({ name: "wide", keys: [{ key: "w", name: "W", does: "wide", press() {} }] });'
    _, console = opened(wide, *features(NOTHING_DONE))
    warnings = zip(NOTHING_DONE.values(), ascii_lowercase, strict=False)
    assert console == [f"live.feature “mine{letter}”: {warning}" for warning, letter in warnings if warning]


# -- the script of what a reader saves


def test_script_that_saves_comes_at_the_first_press(tmp_path, browser):
    output, status, warnings = build(tmp_path, {"index": f"# Page\n\n```{{raw}} html\n{html(interest())}\n```\n"})
    assert (status, warnings) == (0, "")
    page, requested = browser.new_page(), []
    page.on("request", lambda request: requested.append(request.url.rpartition("/")[2].partition("?")[0]))
    page.route("**/live-save.js*", lambda route: route.abort(), times=1)
    page.goto((output / "index.html").as_uri(), wait_until="networkidle")
    wait_until(page, READY)
    assert "live.js" in requested and "live-save.js" not in requested

    def save():
        page.locator(".live-menu summary").click()
        page.get_by_role("button", name="Save as CSV").click()

    save()
    page.get_by_role("alert").get_by_text("Without a connection this does not work.").wait_for()
    for _ in range(2):
        with page.expect_download() as saved:
            save()
        assert saved.value.suggested_filename == "interest_rate=0.03_paid=yearly_t=20.csv"
    assert requested.count("live-save.js") == 2 and page.locator("script[src*=save]").count() == 0
    page.close()
