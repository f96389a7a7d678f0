"""What a page weighs on its first load, and that it holds nothing that no style and no script knows."""

import gzip
import re
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from conftest import SITE
from readers import PHONE

from book.theme.pages import UNSTYLED_CLASSES

PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.glob("chapters/**/*.html"))
OTHERS = ["genindex.html", "search.html"]


def text_of(page):
    return (SITE / page).read_text("utf-8")


def files_of(page, address):
    """Everything that a browser has loaded for a page that it has just opened: the files, each once."""
    asked = [request.url for request in page.requests()]
    last = max(i for i, url in enumerate(asked) if urlsplit(url).path.endswith(f"/{address}"))
    return {url2pathname(urlsplit(url).path) for url in asked[last:] if url.startswith("file:")}


def weight(files):
    """Bytes on the wire from a server that compresses; fonts are compressed already."""
    contents = [Path(file).read_bytes() for file in files]
    return sum(min(len(gzip.compress(content, 9)), len(content)) for content in contents)


# A chapter that outgrows this becomes two. The browser asks for the icon when it likes.
@pytest.mark.parametrize("address", PAGES)
def test_first_load_is_light(address, visited):
    files = files_of(visited(address, **PHONE), address) | {str(SITE / "_static" / "favicon.svg")}
    assert weight(files) <= 170_000, sorted((weight([file]), file) for file in files)
    assert 3 <= len(files) <= 15


def test_second_page_loads_only_its_own_html(witnessed):
    page, loaded = witnessed(SITE.as_uri()).new_page(), []
    for address in ("chapters/rdp.html", "chapters/cdp.html"):
        page.goto(f"{SITE.as_uri()}/{address}", wait_until="networkidle")
        loaded.append(files_of(page, address))
    first, second = loaded
    first.add(str(SITE / "_static" / "favicon.svg"))
    assert second - first == {str(SITE / "chapters/cdp.html")}
    assert weight(second - first) <= 110_000


def test_no_class_of_docutils_is_left():
    assert not [page for page in PAGES if "docutils" in re.sub(r"(?s)<pre.*?</pre>", "", text_of(page))]


def test_no_class_is_left_that_no_style_and_no_script_knows():
    used = {file for page in PAGES for file in re.findall(r"_static/([\w.-]+\.(?:css|js))", text_of(page))}
    known = " ".join((SITE / "_static" / file).read_text("utf-8") for file in used)
    assert not [name for name in UNSTYLED_CLASSES if re.search(rf"\.{name}\b", known)]
    tags = re.compile(r'<[a-z][^<>]* class="([^"]*)"')
    assert not [
        page for page in PAGES for value in tags.findall(text_of(page)) if UNSTYLED_CLASSES & set(value.split())
    ]


def test_code_has_a_colour_for_every_kind_of_word_and_no_element_for_plain_ones():
    sheet = (SITE / "_static" / "book.css").read_text("utf-8")
    coloured = set(re.findall(r"\.highlight \.(\w+)", sheet))
    code = "".join("".join(re.findall(r"<pre>.*?</pre>", text_of(page), re.DOTALL)) for page in PAGES)
    used = set(re.findall(r'<span class="(\w+)">', code))
    assert {"k", "mi", "s2"} <= used <= coloured and not used & {"n", "nn", "p", "w", "o"}
