"""What makes a browser guess at a page: errors of its HTML, an id that names two places. test_static_pages.py asks."""

import re
from collections import Counter

import html5lib
import pytest

MATHS = "http://www.w3.org/1998/Math/MathML"
PAGE = "<!DOCTYPE html><html><head><title>A page</title></head><body>{}</body></html>"


def faults(text):
    """Parse errors with their lines, ids that are used twice, labels of nothing."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    tree = parser.parse(text)
    found = [f"line {line}: {code} {data}" for (line, _), code, data in parser.errors]
    ids = Counter(element.get("id") for element in tree.iter() if element.get("id") is not None)
    found += [f"id {name!r} is used {count} times" for name, count in ids.items() if count > 1]
    named = [(element.tag, key, element.get(key)) for element in tree.iter() for key in ("for", "aria-labelledby")]
    found += [f"{tag} {key}={name!r}: no such id" for tag, key, name in named if name is not None and name not in ids]
    # A bracket of its own size with an exponent at it alone stands lower than its partner: braces around both mend it.
    scripts = [element for tag in ("msub", "msup", "msubsup") for element in tree.iter(f"{{{MATHS}}}{tag}")]
    found += ["a sized bracket alone has an exponent" for element in scripts if element[0].get("minsize")]
    # A browser that offers to fill in forms lays out each section that holds one as soon as it has read the page, which
    # takes a phone four times as long as all of the page's scripts. A figure's boxes become fields when it comes near.
    for part, field in ((".//div[@class='predict']", "form"), (".//div[@class='live-slider']", "input[@type='text']")):
        found += [f"the browser lays out {field} at once" for _ in tree.findall(f"{part}//{field}")]
    found += [f"{number} for a number" for number in re.findall(r"np\.\w*(?:int|float)\d+\(", "".join(tree.itertext()))]
    return found


@pytest.mark.parametrize(
    ("injected", "fault"),
    [
        ("<p>one</div>", "end-tag-too-early"),
        ("<span>never closed", "expected-one-end-tag"),
        ('<p class="a" class="b">twice</p>', "duplicate-attribute"),
        ("<table><p>in a table</p></table>", "table-voodoo"),
        ('<i id="a"></i><b id="a"></b>', "id 'a' is used 2 times"),
        ('<label for="nothing">a word</label>', "no such id"),
        ('<div class="live-slider"><input type="text"></div>', "the browser lays out input"),
        ('<div class="predict"><form></form></div>', "the browser lays out form"),
        ("<p>np.int64(28)</p>", "np.int64( for a number"),
        ('<math><msup><mo minsize="1.2em">)</mo><mn>2</mn></msup></math>', "a sized bracket alone"),
    ],
)
def test_injected_fault_is_found(injected, fault):
    assert any(fault in found for found in faults(PAGE.format(injected)))


def test_sound_page_has_no_fault():
    assert faults(PAGE.format('<label for="a">a word</label><input id="a">')) == []
