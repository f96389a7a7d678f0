"""Style without a use: the theme's sheets are made for every book, and hold rules for much that this one has not.

A selector that asks for a class matches nothing where no page has that class and no script can give it. Such selectors
are dropped, and with them the rules and the groups of rules that have no other. What is left reads as before.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import tinycss2
from assets import version
from tinycss2.ast import AtRule, Node, QualifiedRule

# The sheets that hold most of it, in the site's `_static`; each page loads them before it is drawn. The last two are
# copied so late that a first build gave them no version, and a second one did.
SHEETS = (
    "styles/pydata-sphinx-theme.css",
    "styles/sphinx-book-theme.css",
    "basic.css",
    "mystnb.*.css",
    "proof.css",
    "exercise.css",
)
_CLASSES = re.compile(r'\bclass="([^"]*)"')
_WORD = re.compile(r"[A-Za-z_][\w-]*")
MADE_BY_SCRIPTS = re.compile(r"bs-(tooltip|popover)-")  # Bootstrap's script puts these names together
_GROUPS = {"media", "supports"}
[_COMMA] = tinycss2.parse_component_value_list(",")


def names_in(pages: Iterable[str], scripts: Iterable[str]) -> set[str]:
    """Every class of the pages, and every word of the scripts: any of them may become a class.

    >>> sorted(names_in(['<p class="a b-c">text</p>'], ['x.classList.add("seen")']))
    ['a', 'add', 'b-c', 'classList', 'seen', 'x']
    """
    classes = {name for page in pages for given in _CLASSES.findall(page) for name in given.split()}
    return classes | {word for script in scripts for word in _WORD.findall(script)}


def without_unused(sheet: str, names: set[str]) -> str:
    """The sheet without the rules that match nothing where these are all the classes.

    >>> without_unused(".card,.note p{margin:0}.card>.a{top:0}", {"note", "a"})
    '.note p{margin:0}'
    """
    return tinycss2.serialize(_used(tinycss2.parse_stylesheet(sheet, skip_comments=False), names))


def sheets(site: Path) -> Iterator[Path]:
    """The files of SHEETS in a site."""
    return (file for pattern in SHEETS for file in (site / "_static").glob(pattern))


def drop_unused_style(site: Path, pages: Iterable[str]) -> dict[str, str]:
    """Lighten the sheets of a site that has these pages; gives each sheet's name its new address."""
    names = names_in(pages, (file.read_text("utf-8") for file in (site / "_static").rglob("*.js")))
    addresses = {}
    for file in sheets(site):
        file.write_text(without_unused(file.read_text("utf-8"), names), "utf-8")
        name = file.relative_to(site).as_posix()
        addresses[name] = f"{name}?v={version(file)}"
    return addresses


def readdressed(page: str, addresses: dict[str, str]) -> str:
    """The page with these addresses for its sheets.

    >>> readdressed('<link href="../_static/basic.css?v=1">', {"_static/basic.css": "_static/basic.css?v=2"})
    '<link href="../_static/basic.css?v=2">'
    """
    for name, address in addresses.items():
        page = re.sub(rf'{re.escape(name)}[^"]*"', f'{address}"', page)
    return page


def _used(rules: Iterable[Node], names: set[str]) -> list[Node]:
    kept = []
    for rule in rules:
        if isinstance(rule, QualifiedRule):
            rule.prelude = _used_selectors(rule.prelude, names)
            gone = not rule.prelude
        elif isinstance(rule, AtRule) and rule.at_keyword in _GROUPS:
            rule.content = _used(tinycss2.parse_rule_list(rule.content), names)
            gone = all(part.type == "whitespace" for part in rule.content)
        else:
            gone = False
        if not gone:
            kept.append(rule)
    return kept


def _used_selectors(prelude: list[Node], names: set[str]) -> list[Node]:
    """The selectors of a list that can match, joined by commas again."""
    selectors: list[list[Node]] = [[]]
    for token in prelude:
        if token == ",":
            selectors.append([])
        else:
            selectors[-1].append(token)
    used = [selector for selector in selectors if _is_used(selector, names)]
    return [token for selector in used for token in (_COMMA, *selector)][1:]


def _is_used(selector: list[Node], names: set[str]) -> bool:
    """Whether every class that the selector asks for is known; what stands in brackets, as `:not(.a)`, asks nothing."""
    pairs = zip(selector, selector[1:], strict=False)
    asked = [after.value for before, after in pairs if before == "." and after.type == "ident"]
    return all(name in names or MADE_BY_SCRIPTS.match(name) for name in asked)
