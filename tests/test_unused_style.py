"""What the theme's sheets lose: rules that match nothing, and no other."""

from importlib.resources import files

import pytest
import tinycss2
from assets import version
from unused_style import MADE_BY_SCRIPTS, SHEETS, names_in, sheets, without_unused

NAMES = {"a", "b", "b-c", "a:b"}
ORIGINALS = [
    files("pydata_sphinx_theme") / "theme/pydata_sphinx_theme/static/styles/pydata-sphinx-theme.css",
    files("sphinx_book_theme") / "theme/sphinx_book_theme/static/styles/sphinx-book-theme.css",
    files("myst_nb") / "static/mystnb.css",
]


@pytest.mark.parametrize(
    "rule",
    [
        ".a{top:0}",
        "p,#x,[class*=gone],::before{top:0}",
        ".a>.b-c~p:hover::after{top:0}",
        "p:not(.gone){top:0}",
        ".a:is(.gone,p){top:0}",
        r".a\:b{top:0}",
        ".bs-tooltip-auto .a{top:0}",
        "@font-face{src:url(x.gone.woff)}",
        "@keyframes turn{0.5%{top:0}to{top:1px}}",
        "@media (min-width:1.5em){.a{top:0}}",
        "/*! .gone */",
        ':root{--x:url("data:image/svg+xml,%3csvg class=.gone/%3e")}',
    ],
)
def test_rule_that_can_match_is_kept_as_it_was(rule):
    assert without_unused(rule, NAMES) == rule


@pytest.mark.parametrize(
    "rule",
    [
        ".gone{top:0}",
        ".a.gone{top:0}",
        ".a .gone:not(.b){top:0}",
        "p>.gone+.a,.b-c.gone::before{top:0}",
        "@media print{.gone{top:0}.a.gone{top:0}}",
        "@supports (top:0){@media print{.gone{top:0}}}",
    ],
)
def test_rule_that_can_not_match_is_dropped(rule):
    assert without_unused(f".a{{top:0}}{rule}.b{{top:0}}", NAMES) == ".a{top:0}.b{top:0}"


@pytest.mark.parametrize(
    ("selectors", "used"),
    [("p,.gone", "p"), (".gone,p", "p"), (".gone,p,.gone,.a b", "p,.a b"), ("p, .gone i, .a", "p, .a")],
)
def test_list_keeps_the_selectors_that_can_match(selectors, used):
    assert without_unused(f"{selectors}{{top:0}}", NAMES) == f"{used}{{top:0}}"


def test_sheet_of_the_theme_keeps_every_rule_where_all_classes_are_known():
    sheet = ORIGINALS[0].read_text("utf-8")
    assert without_unused(sheet, names_in([], [sheet])) == tinycss2.serialize(tinycss2.parse_stylesheet(sheet))


# -- in the site

RECORDS_CLASSES = """
    window.classesSeen = new Set();
    const note = (one) => one.classList?.forEach((name) => classesSeen.add(name));
    const noteAll = (one) => { note(one); one.querySelectorAll?.("*").forEach(note); };
    new MutationObserver((records) => records.forEach((record) => {
        record.type === "attributes" ? note(record.target) : record.addedNodes.forEach(noteAll);
    })).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
"""


def use_the_front_page(page):
    """A button of the header is pointed at, the search is opened, the colours are changed."""
    page.locator(".theme-switch-button:visible").first.hover()
    page.wait_for_selector(".tooltip.show")
    page.locator(".theme-switch-button:visible").first.click()
    page.locator(".dropdown-download-buttons > button").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.press("Escape")


def use_a_chapter(page):
    """A solution is unfolded, code is copied, a figure is shown large."""
    page.locator(".toggle-button").first.click()
    page.locator(".copybtn").first.evaluate("button => button.click()")
    page.locator("[data-action=present]").first.click()
    page.keyboard.press("Escape")


def use_a_phone(page):
    """Both side bars are opened."""
    for name in ("primary", "secondary"):
        page.locator(f".{name}-toggle:visible").first.click()
        page.keyboard.press("Escape")


def wait_for_results(page):
    page.wait_for_selector("#search-results li a")


@pytest.mark.parametrize(
    ("address", "use", "width"),
    [
        ("chapters/index.html", use_the_front_page, 1280),
        ("chapters/comparing.html", use_a_chapter, 1280),
        ("chapters/cdp.html", use_a_phone, 390),
        ("search.html?q=gaussian", wait_for_results, 1280),
    ],
)
def test_no_class_that_a_script_gives_has_lost_its_style(address, use, width, witnessed, site):
    page = witnessed(site.as_uri(), viewport={"width": width, "height": 800}).new_page()
    page.add_init_script(RECORDS_CLASSES)
    page.goto(f"{site.as_uri()}/{address}")
    use(page)
    seen = set(page.evaluate("[...classesSeen]"))
    assert len(seen) > 50
    known = names_in(texts(site.rglob("*.html")), texts(site.rglob("_static/**/*.js")))
    unknown = [name for name in seen - known if not MADE_BY_SCRIPTS.match(name)]
    assert not [name for name in unknown if any(f".{name}" in sheet for sheet in texts(ORIGINALS))]


def texts(paths):
    return [path.read_text("utf-8") for path in paths]


def test_sheets_of_the_site_are_a_third_of_what_they_were(site):
    sizes = [file.stat().st_size for file in sheets(site)]
    assert len(sizes) == len(SHEETS)
    assert sum(sizes) < 150_000


def test_addresses_of_the_sheets_change_with_their_text(site):
    pages = "".join(texts(site.glob("chapters/*.html")))
    for file in sheets(site):
        assert f'href="../{file.relative_to(site).as_posix()}?v={version(file)}"' in pages
