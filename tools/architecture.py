"""The project's packages as a picture, drawn from the imports of the code: `python tools/architecture.py` writes it.

A frame is a package; a box in it is a file, or a folder with all that is in it. An arrow says "imports". Arrows between
packages stand at the right; inside a package an arrow that others imply is left out, and so is an import inside a
function, made when it is needed. A test fails when images/architecture.svg is no longer what the code says.
"""

import ast
from graphlib import TopologicalSorter
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "images" / "architecture.svg"
# From the top: each package's folder and what it is. dp_lib.live is the one module of dp_lib that draws.
PACKAGES = {
    "book": (ROOT / "book", "book: what only this book has"),
    "dp_lib.live": (ROOT / "dp_lib" / "live", "dp_lib.live: the book's sliders and colours"),
    "livefigures": (ROOT / "livefigures" / "livefigures", "livefigures: figures with sliders, of any model"),
    "dp_lib": (ROOT / "dp_lib", "dp_lib: the mathematics, one module for each definition"),
}
WIDTH, BOX, GAP, ROW, MARGIN = 720, 96, 10, 58, 90


def imported(path: Path) -> set[str]:
    """Return every module that a file imports when it is imported itself, in dotted form."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def package_of(name: str) -> str:
    """Return the package of a module in dotted form; "" if it is none of ours.

    >>> package_of("dp_lib.live"), package_of("dp_lib.rdp"), package_of("numpy")
    ('dp_lib.live', 'dp_lib', '')
    """
    return next((package for package in PACKAGES if name == package or name.startswith(f"{package}.")), "")


def files(package: str) -> list[Path]:
    """Return the Python files of a package, without those of a package inside it and without its __init__."""
    folder = PACKAGES[package][0]
    inside = [other for other, _ in PACKAGES.values() if other != folder and other.is_relative_to(folder)]
    found = [path for path in sorted(folder.rglob("*.py")) if not any(path.is_relative_to(other) for other in inside)]
    return [path for path in found if path.parent != folder or path.stem not in ("__init__", "__main__")]


def packages() -> dict[str, set[str]]:
    """Return each package with those that it imports."""
    uses: dict[str, set[str]] = {}
    for package, (folder, _) in PACKAGES.items():
        names = {name for path in [*files(package), folder / "__init__.py"] for name in imported(path)}
        uses[package] = {package_of(name) for name in names} - {package, ""}
    return uses


def boxes(package: str) -> dict[str, set[str]]:
    """Return each file or folder of a package with those that it imports."""
    folder = PACKAGES[package][0]
    parts = {path: path.relative_to(folder).with_suffix("").parts[0] for path in files(package)}
    uses: dict[str, set[str]] = {box: set() for box in parts.values()}
    for path, box in parts.items():
        own = [name.removeprefix(f"{package}.") for name in imported(path) if package_of(name) == package]
        uses[box] |= {name.split(".")[0] for name in own} & set(uses) - {box}
    return uses


def layers(uses: dict[str, set[str]]) -> list[list[str]]:
    """Return modules in rows: each stands above all that it imports.

    >>> layers({"top": {"middle", "bottom"}, "middle": {"bottom"}, "bottom": set()})
    [['bottom'], ['middle'], ['top']]
    """
    placed, waiting = [], TopologicalSorter(uses)
    waiting.prepare()
    while waiting:
        placed.append(sorted(waiting.get_ready()))
        waiting.done(*placed[-1])
    return placed


def reach(name: str, uses: dict[str, set[str]]) -> set[str]:
    """Return all that a module imports, and what that imports, and so on."""
    return uses[name] | {far for other in uses[name] for far in reach(other, uses)}


def direct(name: str, uses: dict[str, set[str]]) -> list[str]:
    """Return what a module imports and does not reach by another of its imports.

    >>> direct("top", {"top": {"middle", "bottom"}, "middle": {"bottom"}, "bottom": set()})
    ['middle']
    """
    return sorted(uses[name] - {far for other in uses[name] for far in reach(other, uses)})


def draw() -> str:
    """Return the picture as SVG, in the colour of the text around it where it stands inside a page."""
    shapes: list[str] = []
    spans: dict[str, tuple[float, float]] = {}
    y = 8.0
    for package, (_, title) in PACKAGES.items():
        bottom = _frame(shapes, boxes(package), title, y)
        spans[package] = (y, bottom)
        y = bottom + 16
    uses = packages()
    pairs = [(package, other) for package in PACKAGES for other in PACKAGES if other in uses[package]]
    shapes += [_between(spans[one], spans[other], place) for place, (one, other) in enumerate(pairs)]
    return "\n".join([*_head(y), *shapes, "</svg>", ""])


def _head(height: float) -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + MARGIN} {height:g}" font-family="sans-serif" '
        'font-size="12" role="img" aria-labelledby="title">',
        '<title id="title">Which part of the project imports which: book, dp_lib.live, livefigures, dp_lib</title>',
        "<style>svg{color:#222;background:#fff}.box{fill:#dbe4ee}path{fill:none;stroke-opacity:.45}"
        "@media(prefers-color-scheme:dark){svg{color:#ddd;background:#121212}.box{fill:#2b3a4a}}</style>",
        '<defs><marker id="tip" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="6" markerHeight="6" orient="auto">'
        '<path d="M0 0L6 3L0 6Z" style="fill:currentColor"/></marker></defs>',
    ]


def _frame(shapes: list[str], uses: dict[str, set[str]], title: str, top: float) -> float:
    """Draw a package from `top` downwards, the importers above; return where it ends."""
    places: dict[str, tuple[float, float]] = {}
    y = top + 30
    widest = (WIDTH - GAP) // (BOX + GAP)
    for row in reversed(layers(uses)):
        for part in (row[start : start + widest] for start in range(0, len(row), widest)):
            left = (WIDTH - len(part) * (BOX + GAP) + GAP) / 2
            places |= {name: (left + place * (BOX + GAP), y) for place, name in enumerate(part)}
            y += ROW
    bottom = y - (ROW - 40 if uses else -4)
    size = f'width="{WIDTH - 4}" height="{bottom - top:g}"'
    shapes.append(f'<rect x="2" y="{top:g}" {size} rx="8" fill="none" stroke="currentColor"/>')
    shapes.append(f'<text x="14" y="{top + 19:g}" font-weight="bold" fill="currentColor">{escape(title)}</text>')
    shapes += [_arrow(places[name], places[other]) for name in sorted(uses) for other in direct(name, uses)]
    shapes += [_box(name, x, y) for name, (x, y) in sorted(places.items())]
    return bottom


def _box(name: str, x: float, y: float) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{BOX}" height="28" rx="5" class="box" stroke="currentColor"/>'
        f'<text x="{x + BOX / 2:g}" y="{y + 18:g}" text-anchor="middle" font-size="11" fill="currentColor">'
        f"{escape(name)}</text>"
    )


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x, y), (u, v) = (start[0] + BOX / 2, start[1]), (end[0] + BOX / 2, end[1])
    return f'<path stroke="currentColor" marker-end="url(#tip)" d="M{x:g} {y + 28:g}L{u:g} {v:g}"/>'


def _between(one: tuple[float, float], other: tuple[float, float], place: int) -> str:
    """Draw the arrow from one package to another, outside their frames."""
    x, start, end = WIDTH + 16 + 14 * place, sum(one) / 2 + 4 * place - 8, sum(other) / 2 + 4 * place - 8
    return f'<path stroke="currentColor" marker-end="url(#tip)" d="M{WIDTH - 2} {start:g}H{x}V{end:g}H{WIDTH}"/>'


if __name__ == "__main__":
    PICTURE.write_text(draw(), "utf-8")
