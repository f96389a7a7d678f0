"""axe-core finds nothing against WCAG 2.2, levels A and AA, or good practice: any page, light, dark, all unfolded."""

from importlib.resources import files

import pytest
from conftest import SITE
from readers import SKIMMING
from waiting import wait_until

PAGES = sorted(path.relative_to(SITE).as_posix() for path in [*SITE.glob("chapters/**/*.html"), *SITE.glob("*.html")])
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]

# The colour behind an element, and what axe says of a part of the page.
HELPERS = """
() => {
  globalThis.ground = (element) => {
    const colour = getComputedStyle(element).backgroundColor;
    return colour === "rgba(0, 0, 0, 0)" && element.parentElement ? ground(element.parentElement) : colour;
  };
  globalThis.violations = async (part, options) => {
    const { violations } = await axe.run(part, { ...options, resultTypes: ["violations"], preload: false });
    return violations.map(({ id, help, nodes }) =>
      [`${id}: ${help}`, nodes.slice(0, 5).map(({ target, html }) => `${target}: ${html.slice(0, 200)}`)]);
  };
}
"""
UNFOLD = """
() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  const words = new Map(); // one word of each colour of code is enough: a page has thousands
  for (const word of document.querySelectorAll(".highlight pre span")) {
    const colour = `${word.className} ${getComputedStyle(word.closest("pre")).backgroundColor}`;
    words.set(colour, [...(words.get(colour) ?? []), word]);
  }
  for (const [, ...others] of words.values()) for (const word of others) word.replaceWith(...word.childNodes);
  // Of text inside a picture axe cannot measure the contrast: PALE does.
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
# Of the thousands of words of a page, one of each look that has not been seen yet: its colours and size, and the
# classes that may give them.
FAINT = """
async ([seen, values]) => {
  const looks = new Map();
  for (const element of document.querySelectorAll("body *")) {
    const hasWords = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!hasWords || !element.checkVisibility()) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const classes = [element, element.parentElement].map(({ tagName, className }) => `${tagName}.${className}`);
    looks.set([color, ground(element), fontSize, fontWeight, ...classes].join(), element);
  }
  for (const look of seen) looks.delete(look);
  const include = [...looks.values()];
  if (!include.length) return [[], []];
  return [[...looks.keys()], await violations({ include }, { runOnly: { type: "rule", values } })];
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
    page.evaluate(LAID_OUT)
    page.evaluate(AXE)


def faint(page, seen):
    """What axe says of the looks that are not among those seen, which they join."""
    looks, found = page.evaluate(FAINT, [sorted(seen), OF_LOOKS])
    seen.update(looks)
    return found


def has_no_violation(page, seen):
    """Check an unfolded page, which is left dark; looks that were seen on other pages are not looked at again."""
    assert page.evaluate(VIOLATIONS, ["html", LEVELS, OF_LOOKS]) == []
    assert faint(page, seen) == []
    switch(page, "dark")
    assert faint(page, seen) == []


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
    has_no_violation(page, looks_seen)


@pytest.mark.parametrize("address", [page for page in PAGES if page.startswith("chapters/")])
def test_sections_that_are_not_laid_out_yet_lie_over_nothing(address, visited):
    page = visited(address, **SKIMMING)
    page.evaluate(HELPERS)
    page.evaluate(AXE)
    target_size = "violations('html', { runOnly: { type: 'rule', values: ['target-size'] } })"
    assert page.evaluate(target_size) == []


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
    found = page.evaluate(VIOLATIONS, ["html", LEVELS, OF_LOOKS]) + faint(page, set())
    assert [words.split(":")[0] for words, _ in found] == [rule]
