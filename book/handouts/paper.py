"""A page to print on A4 or letter: no script, one style, nothing from elsewhere."""

from base64 import b64encode
from html import escape
from json import dumps
from pathlib import Path

from bs4 import BeautifulSoup, Tag

FONT = Path(__file__).resolve().parents[1] / "theme" / "static" / "formulas.woff2"  # its primes can be read on paper
FOLDER = Path(__file__).resolve().parents[2] / "_build" / "handouts"
_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">{robots}
<style>{font}
@page {{
  margin: 18mm 16mm;
  @bottom-left {{ content: {foot}; font-size: 8pt; }}
  @bottom-right {{ content: counter(page) " / " counter(pages); font-size: 8pt; }}
}}
body {{ max-width: 46em; margin: 2em auto; padding: 0 1em; font: 11.5pt/1.5 system-ui, "Liberation Sans", sans-serif; }}
h1 {{ font-size: 1.5em; }}
section {{ margin: 1.4em 0; break-inside: avoid-page; }}
.key section {{ break-inside: auto; }}
h2, h3 {{ break-after: avoid-page; }}
h2 {{ display: flex; justify-content: space-between; gap: 1em; margin: 0 0 .4em; font-size: 1.1em; }}
h2 span {{ flex: none; font-weight: 400; }}
h3 {{ margin: .9em 0 .3em; font-size: 1em; }}
pre {{ overflow-wrap: break-word; white-space: pre-wrap; font-size: .85em; break-inside: avoid-page; }}
ol.choices {{ list-style: upper-alpha; }}
table {{ border-collapse: collapse; margin-bottom: .7em; break-inside: avoid; }}
sup {{ line-height: 0; }}
td, th {{ padding: .1em .8em .1em 0; text-align: left; vertical-align: top; }}
math {{ font-size: 1.15em; font-family: Formulas, math, "Latin Modern Math", "STIX Two Math", serif; }}
div.formula, div.math {{ margin: .6em 0; text-align: center; }}
.name {{ display: flex; border-bottom: 1px solid; margin: 1.5em 0; padding-bottom: .2em; }}
.name span {{ flex: 0 0 30%; margin-left: auto; }}
@media screen {{ table, div.formula, div.math {{ display: block; overflow-x: auto; }} }}
@media (max-width: 30em) {{ h2, h2 span {{ display: block; }} }}
@media print {{ body {{ margin: 0; max-width: none; padding: 0; }} }}
</style></head>
<body><h1>{title}</h1>
{body}
</body></html>
"""


def page(title: str, body: str, listed: bool = True) -> str:
    """Return a whole page; `body` is HTML. Search engines leave out a page that is not `listed`."""
    robots = "" if listed else '\n<meta name="robots" content="noindex">'
    foot = dumps(title, ensure_ascii=False).replace("<", "\\3c ")
    font = _font() if "<math" in body else ""
    return _PAGE.format(title=escape(title), foot=foot, body=body, font=font, robots=robots)


def _font() -> str:
    """Return the rule for the book's font of formulas, which is in the page itself."""
    data = b64encode(FONT.read_bytes()).decode()
    return f'\n@font-face {{ font-family: Formulas; src: url("data:font/woff2;base64,{data}") format("woff2"); }}'


def part(title: str, points: str, body: str) -> str:
    """Return one question of a page with its points, such as "10 points"; `body` is HTML."""
    return f"<section><h2>{escape(title)} <span>{points}</span></h2>\n{body}\n</section>"


def write(place: Path, pages: dict[str, str]) -> Path:
    """Write the pages into that folder and return it."""
    place.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (place / name).write_text(text, "utf-8")
    return place


def inside(part: Tag) -> str:
    """Return what stands inside a part of a page, on paper."""
    return BeautifulSoup(on_paper(part), "html.parser").find(part.name).decode_contents()


def on_paper(part: Tag, code: bool = True) -> str:
    """Return the words of a part of a page, without its title and without links, which lead nowhere on paper."""
    copy = BeautifulSoup(str(part), "html.parser")
    not_on_paper = ".admonition-title, summary, figure.live, script, button, .headerlink"
    for drawn in copy.select(not_on_paper if code else f"{not_on_paper}, .cell_input"):
        drawn.decompose()
    for folded in copy.find_all("details"):
        folded.name = "div"
    for link in copy.find_all("a"):
        link.unwrap()
    for element in copy.find_all(True):
        element.attrs = {name: value for name, value in element.attrs.items() if name != "id"}
    return str(copy)
