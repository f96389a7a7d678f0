"""axe-core finds nothing against WCAG 2.2, levels A and AA, or good practice: any page, light, dark, all unfolded."""

from importlib.resources import files

import pytest
from conftest import SITE
from waiting import wait_until

PAGES = sorted(path.relative_to(SITE).as_posix() for path in [*SITE.glob("chapters/**/*.html"), *SITE.glob("*.html")])
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]

# The colour behind an element, the look of its words (colours and size, and the classes that may give them), and what
# axe says of a part of the page.
HELPERS = """
() => {
  globalThis.ground = (element) => {
    const colour = getComputedStyle(element).backgroundColor;
    return colour === "rgba(0, 0, 0, 0)" && element.parentElement ? ground(element.parentElement) : colour;
  };
  globalThis.worded = (elements) => [...elements].filter(({ childNodes }) =>
    [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()));
  globalThis.look = (element) => {
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const classes = [element, element.parentElement].map(({ tagName, className }) => `${tagName}.${className}`);
    return [color, ground(element), fontSize, fontWeight, ...classes].join();
  };
  globalThis.violations = async (part, options) => {
    const { violations } = await axe.run(part, { ...options, resultTypes: ["violations"], preload: false });
    return violations.map(({ id, help, nodes }) =>
      [`${id}: ${help}`, nodes.slice(0, 5).map(({ target, html }) => `${target}: ${html.slice(0, 200)}`)]);
  };
}
"""
# One code word and one formula of each look are enough: they are two thirds of a page's elements.
THIN_OUT = """
() => {
  const seen = new Set();
  const alike = [...document.querySelectorAll(".highlight pre span, math")].filter((part) => {
    const looks = worded([part, ...part.querySelectorAll("*")]).map(look);
    return looks.filter((one) => !seen.has(one) && seen.add(one)).length === 0;
  });
  for (const part of alike) part.replaceWith(part.textContent);
}
"""
# Of text inside a picture axe cannot measure the contrast: PALE does.
UNFOLD = """
() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (const part of document.querySelectorAll("figure.live svg > :not(title, desc)")) part.style.display = "none";
}
"""
# The words in pictures whose contrast with the ground behind them is under 4.5.
PALE = """
() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((c) => (c <= 10.3 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  return [...document.querySelectorAll("figure.live svg text")]
    .filter((text) => contrast(luminance(getComputedStyle(text).fill), luminance(ground(text))) < 4.5)
    .map((text) => text.textContent);
}
"""
# Every rule but those of looks: they take longer than the others together.
OF_LOOKS = ["color-contrast", "link-in-text-block"]
VIOLATIONS = """
([selector, values, without]) => {
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  return violations(selector, { runOnly: { type: "tag", values }, rules });
}
"""
# Of the thousands of words of a page, one of each look that has not been seen yet.
LOOKS = """
(seen) => {
  const looks = new Map();
  for (const element of worded(document.querySelectorAll("body *"))) {
    if (element.checkVisibility()) looks.set(look(element), element);
  }
  for (const one of seen) looks.delete(one);
  (globalThis.unseen ??= []).push([...looks.values()]);
  return [...looks.keys()];
}
"""
# Of the text, leaves these words alone, what they stand in and beside: the rest costs axe seconds.
LEAVE = """
() => {
  const left = new Set();
  for (const word of unseen.flat()) {
    for (const beside of word.parentElement.children) left.add(beside);
    for (let around = word; around; around = around.parentElement) left.add(around);
  }
  for (const element of document.querySelectorAll("article :is(p, li, dt, dd, pre, table, .math):not(figure.live *)")) {
    if (!left.has(element)) element.remove();
  }
}
"""
FAINT = """
(values) => {
  const include = unseen.shift();
  return include.length ? violations({ include }, { runOnly: { type: "rule", values } }) : [];
}
"""


# A theme that keeps a record of the scheme learns of it by an event, which may come after the media query matches.
SWITCHED = """
(scheme) =>
  matchMedia(`(prefers-color-scheme: ${scheme})`).matches &&
  [undefined, scheme].includes(document.documentElement.dataset.theme) &&
  !document.getAnimations().length
"""


def switch(page, scheme):
    """Light or dark, with no colour still on its way."""
    page.emulate_media(color_scheme=scheme)
    wait_until(page, SWITCHED, arg=scheme)


# Every box knows whether it scrolls.
LAID_OUT = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))"


def unfold(page):
    """Open all that is folded on a light page, after a look at its paint in both schemes."""
    page.evaluate(HELPERS)
    for scheme in ("dark", "light"):
        switch(page, scheme)
        assert page.evaluate(PALE) == [], scheme
    page.evaluate(UNFOLD)
    page.evaluate(THIN_OUT)
    page.evaluate(LAID_OUT)
    page.evaluate(AXE)


def found_in(page, seen):
    """What axe finds on an unfolded page, of which little is left; looks that are among those seen are passed over."""
    found = page.evaluate(VIOLATIONS, ["html", LEVELS, OF_LOOKS])
    for scheme in ("light", "dark"):
        switch(page, scheme)
        seen.update(page.evaluate(LOOKS, sorted(seen)))
    page.evaluate(LEAVE)
    for scheme in ("light", "dark"):
        switch(page, scheme)
        found += page.evaluate(FAINT, OF_LOOKS)
    return found


@pytest.fixture(scope="session")
def looks_seen():
    """The looks of the book's words that axe has seen in this process."""
    return set()


@pytest.fixture
def unfolded(open_page):
    """Opens a page, and all that is folded on it."""

    def open_(address):
        page = open_page(address, color_scheme="light")
        unfold(page)
        return page

    return open_


@pytest.mark.spoils
@pytest.mark.parametrize("address", [page for page in PAGES if page != "index.html"])
def test_page_has_no_violation_in_light_and_dark_with_everything_open(address, visited, looks_seen):
    page = visited(address)
    unfold(page)
    assert found_in(page, looks_seen) == []


@pytest.mark.parametrize(
    ("injected", "rule"),
    [
        ("<button></button>", "button-name"),
        ('<p data-style="color: #aaa; background: #fff">pale words</p>', "color-contrast"),
        ('<img src="data:,">', "image-alt"),
    ],
)
def test_injected_violation_is_found(injected, rule, unfolded):
    page = unfolded("search.html")
    page.evaluate("html => document.querySelector('article, main').insertAdjacentHTML('afterbegin', html)", injected)
    page.evaluate("for (const one of document.querySelectorAll('[data-style]')) one.style.cssText = one.dataset.style")
    assert {words.split(":")[0] for words, _ in found_in(page, set())} == {rule}
