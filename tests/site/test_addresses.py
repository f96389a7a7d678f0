"""Addresses that were once given away: every place and every setting in addresses_to_keep.txt is found, or leads on.

The list was taken from the built book of November 2026, before the chapters were divided. Nothing leaves it, and a new
heading, figure or slider is not added to it. What moves has a line in chapters/moved.txt, which becomes a link.
It has a line for each page, with the page's places, and one for each figure that links set; an indented line goes on.
Of a slider's values it has the smallest, the largest, and each choice, since all between two numbers are the slider's.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from conftest import SITE
from parity import records
from test_site import READS_ALL, facts_of
from waiting import wait_until

TEXT = Path(__file__).with_name("addresses_to_keep.txt").read_text("utf-8").replace("\n  ", " ")
GIVEN = {}
for line in TEXT.splitlines():
    head, words = line.split(": ")
    GIVEN.setdefault(head, []).extend(words.split())
SETTINGS = [(head, *word.split("=")) for head, words in GIVEN.items() if "#" in head for word in words]
# Cursors of figures that are no more: the figure in their place is read along another axis.
GONE = {("approx.html#loss-and-discount", "loss"), ("rdp.html#one-bad-outcome", "p")}


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
@pytest.mark.parametrize("name", [head for head in GIVEN if "#" not in head])
def test_every_place_is_found_or_leads_on(name):
    for place in GIVEN[name]:
        found(f"{name}#{place}")


@READS_ALL
def test_every_setting_is_one_that_its_figure_still_has():
    figures = records(SITE.parent / "live")
    assert SETTINGS
    for address, name, value in SETTINGS:
        figure = figures[found(address).partition("#")[2]]
        if (address, name) in GONE:
            continue
        slider = figure["sliders"].get(name)
        assert slider, f"{address}: {figure['name']} has no {name}"
        reached = value in slider.get("keys", []) or slider["low"] <= float(value) <= slider["high"]
        assert reached, f"{address}: {name} does not reach {value}"


def way(address):
    """Whether a figure stayed on its page, whether it kept its name, and whether links set a choice of it."""
    (left, old), (there, new) = address.split("#"), found(address).split("#")
    return left == there, old == new, any(re.search("=[a-z]", word) for word in GIVEN[address])


@READS_ALL
def test_a_setting_that_moved_is_followed_to_the_new_page_and_the_new_name(open_page):
    away = [head for head in GIVEN if "#" in head and head.partition("#")[2] in moved(head.partition("#")[0])]
    ways = {way(address): address for address in away}  # one of each: that all are found is asked of the pages' text
    assert len(ways) > 3
    reader, figures = open_page("chapters/index.html"), records(SITE.parent / "live")
    for address in ways.values():
        settings = dict(word.split("=") for word in GIVEN[address])  # the last value of each slider
        link = f"{address}:{','.join(map('='.join, settings.items()))}"
        reader.goto("about:blank")  # the next address may be of the same page
        reader.goto((SITE / "chapters").as_uri() + "/" + link)
        name = found(address).partition("#")[2]
        reader.locator(f"figure.live#{name}").wait_for(state="attached")
        wait_until(reader, f"Boolean(document.getElementById('{name}').live)")
        values = reader.evaluate(f"document.getElementById('{name}').live.values")
        for key, value in settings.items():
            if (address, key) in GONE:
                continue
            keys = figures[name]["sliders"][key].get("keys", [])  # of a choice, whose value is the place among them
            wanted = keys.index(value) if value in keys else float(value)
            assert values[key] == pytest.approx(wanted, rel=1e-9), link
