"""Addresses that were once given away: every place and every setting in addresses_to_keep.txt is found, or leads on.

The list was taken from the built book of November 2026; what is added to the book may be added to it, nothing leaves.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from conftest import SITE
from parity import records
from test_site import READS_ALL, facts_of
from waiting import wait_until

GIVEN = Path(__file__).with_name("addresses_to_keep.txt").read_text("utf-8").split()
# Cursors of figures that are no more: the figure in their place is read along another axis.
GONE = {("approx.html#loss-and-discount", "loss"), ("rdp.html#one-bad-outcome", "p")}
STATES = [address for address in GIVEN if ":" in address]


@cache
def moved(name):
    """Where the places lead that have left a page."""
    page = (SITE / "chapters" / name).read_text("utf-8")
    return dict(re.findall(r'<p class="moved" id="([^"]+)">What stood here is now in <a href="([^"]+)">', page))


def found(address):
    """Where an address leads in the end."""
    name, _, anchor = address.partition("#")
    if anchor in moved(name):
        return found(moved(name)[anchor])
    assert anchor in facts_of(SITE / "chapters" / name).ids, f"{address} leads nowhere"
    return address


@READS_ALL
@pytest.mark.parametrize("name", sorted({address.partition("#")[0] for address in GIVEN}))
def test_every_place_is_found_or_leads_on(name):
    for address in GIVEN:
        if address.startswith(name) and ":" not in address:
            found(address)


@READS_ALL
def test_every_setting_is_one_that_its_figure_still_has():
    figures = records(SITE.parent / "live")
    assert STATES
    for state in STATES:
        address, _, settings = state.partition(":")
        figure = figures[found(address).partition("#")[2]]
        for setting in settings.split(","):
            name, _, value = setting.partition("=")
            if (address, name) in GONE:
                continue
            slider = figure["sliders"].get(name)
            assert slider, f"{state}: {figure['name']} has no {name}"
            reached = value in slider.get("keys", []) or slider["low"] <= float(value) <= slider["high"]
            assert reached, f"{state}: {name} does not reach {value}"


def way(state):
    """Whether the figure of a setting stayed on its page, whether it kept its name, and whether a choice is set."""
    address, _, settings = state.partition(":")
    (left, old), (there, new) = address.split("#"), found(address).split("#")
    return left == there, old == new, any(re.search("=[a-z]", setting) for setting in settings.split(","))


@READS_ALL
def test_a_setting_that_moved_is_followed_to_the_new_page_and_the_new_name(open_page):
    away = [state for state in STATES if state.partition("#")[2].partition(":")[0] in moved(state.split("#")[0])]
    ways = {way(state): state for state in away}  # one of each: that all others are found is asked of the pages' text
    assert len(ways) > 3
    reader, figures = open_page("chapters/index.html"), records(SITE.parent / "live")
    for state in ways.values():
        address, _, settings = state.partition(":")
        reader.goto("about:blank")  # the next address may be of the same page
        reader.goto((SITE / "chapters").as_uri() + "/" + state)
        new = found(address)
        name = new.partition("#")[2]
        reader.locator(f"figure.live#{name}").wait_for(state="attached")
        wait_until(reader, f"Boolean(document.getElementById('{name}').live)")
        values = reader.evaluate(f"document.getElementById('{name}').live.values")
        for key, value in (setting.split("=") for setting in settings.split(",")):
            if (address, key) in GONE:
                continue
            keys = figures[name]["sliders"][key].get("keys", [])  # of a choice, whose value is the place among them
            wanted = keys.index(value) if value in keys else float(value)
            assert values[key] == pytest.approx(wanted, rel=1e-9), state
