"""Each page as it lies on the disk: its HTML, what it says of itself, what it loads, its folds, its formulas."""

import re
import unicodedata
from html.parser import HTMLParser

import pytest
from conftest import SITE
from test_html import faults
from test_site import PAGES

from book.theme.mathml import CHARACTERS
from book.theme.pages import POLICY


class Tokens(HTMLParser):
    """(element, its attributes, its text) of each part of a page's formulas that holds text; and all their elements."""

    def __init__(self, page):
        super().__init__()
        self.found, self.elements, self._inside, self._open = [], [], False, None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self._inside |= tag == "math"
        if self._inside:
            self._open = (tag, dict(attrs))
            self.elements.append(self._open)

    def handle_endtag(self, tag):
        self._inside &= tag != "math"

    def handle_data(self, data):
        if self._inside:
            self.found.append((*self._open, data))


def italic(letter):
    """The form in which a browser draws a variable of one letter."""
    name = re.sub(
        r"(?:LATIN|GREEK) (SMALL |CAPITAL |)(?:LETTER )?", r"MATHEMATICAL ITALIC \1", unicodedata.name(letter)
    )
    try:
        return unicodedata.lookup({"MATHEMATICAL ITALIC SMALL H": "PLANCK CONSTANT"}.get(name, name))
    except KeyError:
        return letter


def wrong_about_itself(text):
    """Language, title, one viewport, one description of a sentence or two, the policy before anything that it rules."""
    if '<html lang="en"' not in text or not re.search(r"<title>([^<]+ – )?Differential Privacy</title>", text):
        yield "no language, or no title"
    if text.count('name="viewport"') != 1:
        yield "not one viewport"
    tags = re.findall(r'<meta [^>]*name="description"[^>]*>', text)
    told = [re.search(r'content="([^"]*)"', tag)[1] for tag in tags]
    if len(told) != 1 or not 40 <= len(told[0]) <= 175 or "\\" in told[0] or "$" in told[0]:
        yield f"descriptions: {told}"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    before, found, _ = text.split("</head>")[0].partition(policy)
    if not found or "<script" in before or "<link" in before:
        yield "the policy is missing or comes too late"


def wrong_files(text):
    """Only the book's script and the formulas' font come before the page is drawn; every file has its version."""
    scripts = re.findall(r"<script[^>]*\bsrc=[^>]*>", text)
    first = [re.search(r"[\w-]+\.js", script)[0] for script in scripts if "defer" not in script]
    if first != ["book.js", *(["formulas-font.js"] if "<math" in text else [])]:
        yield f"before the page is drawn come {first}"
    files = re.findall(r'(?:src|href)="([^"]*\.(?:css|js)\b[^"]*)"', text)
    if len(files) < 2:
        yield "no style sheet"
    yield from (f"{file} has no version" for file in files if "?v=" not in file)


def wrong_folds(text):
    """A fold's title opens it and leads nowhere."""
    for title in re.findall(r"<summary[^>]*>(.*?)</summary>", text, re.DOTALL):
        if "<a " in title or not re.sub("<[^>]*>", "", title).strip():
            yield f"a fold's title: {title}"


def wrong_formulas(text):
    """Every character is in the font, what stands at a formula stays with it, no TeX, no error and no style is left."""
    tokens = Tokens(text)
    for tag, attributes, letters in tokens.found:
        variable = tag == "mi" and len(letters) == 1 and "mathvariant" not in attributes
        lacking = {italic(letters) if variable else letter for letter in letters} - CHARACTERS
        yield from (f"the formulas' font lacks {letter}" for letter in lacking)
    yield from (f"in a formula: {one}" for one in tokens.elements if one[0] == "merror" or "style" in one[1])
    if r"\(" in text or r"\[" in text:
        yield "TeX"
    after = re.findall(r"</math>(?:</\w+>)*([^\s<]+)(</span>|)", text)
    yield from (f"{words} may leave its formula" for words, end in after if end != "</span>")
    headers = re.findall(r"(?s)(<th\b[^>]*>)((?:(?!</th>).)*)", text)
    for tag, inside in headers:
        if "<math" in inside and not re.search(r' aria-label="[^"<]+"', tag):
            yield f"a header with a formula has no name that says it: {inside}"


def wrong(text):
    """What is wrong with a page of the book; sheets for a class have no more of it than their HTML."""
    checks = (wrong_about_itself, wrong_files, wrong_folds, wrong_formulas)
    return [fault for check in checks for fault in check(text)]


@pytest.mark.parametrize("address", PAGES)
def test_page_has_no_fault(address):
    text = (SITE / address).read_text("utf-8")
    assert faults(text) + ([] if address.startswith("handouts/") else wrong(text)) == []


# One of each, put in place of a part of a page.
INJECTED = [
    ('<html lang="en"', "<html", "no language"),
    ('name="viewport"', 'name="view"', "not one viewport"),
    ('name="description"', 'name="described"', "descriptions: []"),
    ("<head>", "<head><script></script>", "the policy is missing or comes too late"),
    ("defer", "async", "before the page is drawn come"),
    ("?v=", "?", "has no version"),
    ("<summary>", "<summary><a href='#'>#</a>", "a fold's title"),
    ("<mi>ε</mi>", "<mi>Ж</mi>", "the formulas' font lacks Ж"),
    ("<math>", '<math style="color: red">', "in a formula"),
    ("<p>", r"<p>\(x\)", "TeX"),
    ("</math>", "</math>x", "x may leave its formula"),
    ("<thead>", "<thead><tr><th><math></math></th></tr>", "a header with a formula"),
]


@pytest.mark.parametrize(("part", "injected", "fault"), INJECTED)
def test_injected_fault_of_a_page_is_found(part, injected, fault):
    text = (SITE / "chapters/zcdp.html").read_text("utf-8")
    assert part in text and any(fault in found for found in wrong(text.replace(part, injected)))
