"""matplotlib's SVG made fit for a page: unique ids, colours by class, one path for each moving part."""

import io
import re
import warnings
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

from livefigures.declare.bars import Bars
from livefigures.declare.colours import DASHES, NEUTRAL
from livefigures.declare.parts import Band, Cloud, Curve, Line, Path, Point, Points, Reading
from livefigures.draw.draw import CAP, Drawing, boxes, place, style

SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}"
_COUNTED = re.compile(r"(axes|figure|line2d|matplotlib\.axis|patch|text)_\d+")  # matplotlib's ids for its own artists
_TICK = re.compile(r"[xy]tick_\d+")
NEAR = 0.15  # of the picture's units, which are 720 to its width: nobody sees that a point so near a line is left out


def markup(drawing: Drawing, alt: str) -> str:
    """The figure as an inline SVG element, at the sliders' defaults."""
    hidden = _uncover(drawing)
    root = _parse(drawing)
    _drop_background(root)
    _neutral_colours(root)
    clip = _clip(root)
    for kind, name in drawing.artists:
        group = _find(root, drawing.gid(kind, name))
        if kind == "error":  # a second path of its mark; what is empty is dropped with the scaffold
            group.clear()
            continue
        group.set("class", _classes(drawing, kind, name))
        if (kind, name) in hidden:
            group.set("visibility", "hidden")
            group.set("data-absent", "")
        if kind != "label":
            mark = drawing.figure.marks.get(name)
            whole = kind in ("lead", "dot") or (isinstance(mark, Point | Points | Cloud) and not isinstance(mark, Bars))
            _one_path(group, "" if whole else clip, _looks(drawing, kind, name))
    for name in (name for kind, name in drawing.artists if kind == "error"):
        path = {"d": _bars(drawing, name), **_looks(drawing, "error", name), "clip-path": clip}
        ET.SubElement(_find(root, drawing.gid("mark", name)), f"{SVG}path", path)
    for gid in ("x-label", "y-label"):
        _find(root, gid).set("class", f"live-{gid}")
    for address, path in paths(drawing).items():
        _find(root, address).find(f"{SVG}path").set("d", path)
    _drop_scaffold(root)
    _join_ticks(root)
    _shorten(root)
    _prefix_ids(root, drawing.figure.name)
    return _text(root, drawing.figure.name, alt)


def paths(drawing: Drawing) -> dict[str, str]:
    """Every moving part's path at the defaults: figure.js's, less the points that nobody misses."""
    figure, frame = drawing.figure, drawing.frame
    scene, readings = drawing.scene, drawing.readings
    grid, cursor = figure.x.grid, figure.defaults[figure.x.name]
    found = {"cursor": polyline(frame, np.full(2, cursor), np.array([figure.axis.low, figure.axis.high]))}
    for name in figure.curves:
        found[drawing.gid("curve", name)] = polyline(frame, grid, scene[f"curves/{name}/y"])
        found[drawing.gid("dot", name)] = dots(frame, cursor, readings[f"curves/{name}/y"])
        if ("lead", name) in drawing.artists:
            found[drawing.gid("lead", name)] = _lead(drawing, name)
    for name, mark in figure.marks.items():
        at = {c: scene[a] for c, a in figure.addresses("marks", name).items()}
        found[drawing.gid("mark", name)] = _mark(drawing, mark, at)
    return found


def polyline(frame: Mapping[str, Any], x: NDArray, y: NDArray) -> str:
    """A path past the points, broken where a value is missing. A tenth of a unit is enough for a still picture."""
    points = np.column_stack([place(frame["x"], x), place(frame["y"], y)])
    return "".join(_line(points[run]) for run in _runs(np.isfinite(points).all(axis=1)))


def _runs(known: NDArray) -> list[NDArray]:
    """The indices of each stretch of the grid that is known."""
    runs = np.split(np.arange(len(known)), np.flatnonzero(np.diff(known)) + 1)
    return [run for run in runs if known[run].any()]


def _line(points: NDArray) -> str:
    """A path through so many of the points that no other is further than NEAR from it (Douglas and Peucker's way)."""
    drawn = np.round(points, 1)
    kept, spans = {0, len(points) - 1}, [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        away = _distance(points[first : last + 1], drawn[first], drawn[last])
        if away.max() > NEAR:
            furthest = first + int(away.argmax())
            kept.add(furthest)
            spans += [(first, furthest), (furthest, last)]
    return _steps(drawn[sorted(kept)])


def _steps(points: NDArray) -> str:
    """A path as a place and the steps from there on, which are shorter than places; in tenths they add up exactly."""
    (start, *_), steps = points, np.diff(points, axis=0)
    return f"M{_tenths(start[0])} {_tenths(start[1])}" + "".join(
        f"{' ' if i else 'l'}{_tenths(dx)} {_tenths(dy)}" for i, (dx, dy) in enumerate(steps)
    )


def _tenths(number: float) -> str:
    """A number in the shortest way that SVG reads.

    >>> _tenths(2.0), _tenths(-0.3), _tenths(-0.04)
    ('2', '-.3', '0')
    """
    text = re.sub(r"^(-?)0\.", r"\1.", f"{number:.1f}".removesuffix(".0"))
    return "0" if text in ("-0", "-.0") else text


def _distance(points: NDArray, start: NDArray, end: NDArray) -> NDArray:
    """From each point to the line from `start` to `end`, which has two ends."""
    along = end - start
    share = np.clip((points - start) @ along / max(along @ along, 1e-9), 0, 1)
    return np.linalg.norm(points - start - np.outer(share, along), axis=1)


def dots(frame: Mapping[str, Any], x: Any, y: Any) -> str:
    """Dots as strokes of no length: their round caps are drawn. Those outside the picture are left out."""
    (left, right, *_), (bottom, top, *_) = frame["x"], frame["y"]
    points = zip(np.atleast_1d(place(frame["x"], x)), np.atleast_1d(place(frame["y"], y)), strict=True)
    inside = [(px, py) for px, py in points if left <= px <= right and top <= py <= bottom]
    return "".join(f"M{_tenths(px)} {_tenths(py)}h0" for px, py in inside)


def _lead(drawing: Drawing, name: str) -> str:
    artist = drawing.artists["lead", name]
    x, y = artist.get_data()
    height = drawing.frame["height"]
    ends = [f"{_tenths(px)} {_tenths(height - py)}" for px, py in zip(x, y, strict=True)]
    return "M" + "L".join(ends) if np.isfinite(y).all() else ""


def _mark(drawing: Drawing, mark: Any, at: Mapping[str, NDArray]) -> str:
    figure, frame = drawing.figure, drawing.frame
    if isinstance(mark, Band):
        return band(frame, figure.x.grid, at["low"], at["high"])
    if isinstance(mark, Line):
        x, y = (figure.x.low, figure.x.high), (figure.axis.low, figure.axis.high)
        return polyline(
            frame, np.full(2, at["x"]) if mark.x else np.array(x), np.full(2, at["y"]) if mark.y else np.array(y)
        )
    if isinstance(mark, Path):
        return polyline(frame, at["x"], at["y"])
    if isinstance(mark, Bars):
        return _boxes(drawing, mark, at["x"], at["y"])
    return dots(frame, at["x"], at["y"])


def _boxes(drawing: Drawing, mark: Bars, x: NDArray, y: NDArray) -> str:
    """Bars from their base to their heights; one without a height is left out."""
    frame, found = drawing.frame, np.array(boxes(mark, x, y, drawing.figure.axis.log))
    left, right = (place(frame["x"], end) for end in found[:2])
    low, high = (place(frame["y"], end) for end in found[2:])
    ends = [[*map(_tenths, each)] for each in zip(left, low, high, right, strict=True) if np.isfinite(each).all()]
    return "".join(f"M{a} {b}V{c}H{d}V{b}Z" for a, b, c, d in ends)


def _bars(drawing: Drawing, name: str) -> str:
    """Error bars with their caps; one without a height is left out."""
    frame = drawing.frame
    x, *ends = drawing.error_bars(name)
    found = [*zip(place(frame["x"], x), *(place(frame["y"], end) for end in ends), strict=True)]
    return "".join(_bar(*map(_tenths, (at, at - CAP, low, high))) for at, low, high in found if np.isfinite(low + high))


def _bar(x: str, left: str, low: str, high: str) -> str:
    return f"M{x} {low}V{high}" + "".join(f"M{left} {end}h{2 * CAP}" for end in (low, high))


def band(frame: Mapping[str, Any], x: NDArray, low: NDArray, high: NDArray) -> str:
    """A closed path for each stretch on which both edges are numbers."""
    edges = np.isfinite(place(frame["y"], low)) & np.isfinite(place(frame["y"], high))
    return "".join(
        polyline(frame, np.append(x[run], x[run][::-1]), np.append(high[run], low[run][::-1])) + "Z"
        for run in _runs(edges)
        if len(run) > 1
    )


def _uncover(drawing: Drawing) -> set[tuple[str, str]]:
    """Make every part visible, since matplotlib leaves the others out of an SVG; the parts that were not."""
    hidden = {key for key, artist in drawing.artists.items() if not artist.get_visible()}
    for key in hidden:
        drawing.artists[key].set_visible(True)
    return hidden


def _parse(drawing: Drawing) -> ET.Element:
    buffer = io.BytesIO()
    empty = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with style(drawing.figure.name), warnings.catch_warnings():
        # The page's text stays text, in the reader's fonts: what matplotlib's own font lacks (한, 中) is no fault.
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        drawing.canvas.savefig(buffer, format="svg", metadata=empty)
    return ET.fromstring(buffer.getvalue())


def _drop_background(root: ET.Element) -> None:
    """The page's own background shows through; the global style would restyle the rest of the page."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{SVG}style", f"{SVG}metadata") or child.get("id") in ("patch_1", "patch_2"):
                parent.remove(child)


def _neutral_colours(root: ET.Element) -> None:
    """Black strokes and text take the page's text colour, so that a dark page recolours them."""
    for element in root.iter():
        declared = element.attrib.pop("style", "")
        for rule in filter(None, map(str.strip, declared.split(";"))):
            key, value = (part.strip() for part in rule.split(":", 1))
            if key == "font":  # a size and a family: the page has its own family
                key, value = "font-size", re.search(r"[\d.]+px", value).group()
            element.set(key, "currentColor" if value in ("#000000", "black") else value)
        if element.tag == f"{SVG}text" and "fill" not in element.attrib:
            element.set("fill", "currentColor")
        element.attrib.pop("font-family", None)


def _clip(root: ET.Element) -> str:
    """What hides the part of a curve outside the axes, under a name that is short: it stands on every curve."""
    (clip,) = root.iter(f"{SVG}clipPath")
    long = clip.get("id", "")
    for element in root.iter():
        for key, value in element.items():
            element.set(key, value.replace(long, "clip"))
    return "url(#clip)"


def _find(root: ET.Element, gid: str) -> ET.Element:
    return next(group for group in root.iter(f"{SVG}g") if group.get("id") == gid)


def _classes(drawing: Drawing, kind: str, name: str) -> str:
    figure = drawing.figure
    if kind == "cursor":
        return "live-cursor-line"
    owner = figure.marks[name] if kind == "mark" else figure.curves[name]
    if isinstance(owner, Reading):
        return "live-reading"
    shape = type(owner).__name__.lower() if kind == "mark" else kind
    look = figure.looks[name]
    given = look.dash if kind == "curve" or isinstance(owner, Path) else getattr(owner, "dash", "")
    asked = given if kind in ("curve", "mark") else ""
    dash = f" live-dash-{asked}" if asked else ""
    return f"live-{shape} live-colour-{look.colour.name}{dash}"


def _one_path(group: ET.Element, clip: str, looks: Mapping[str, str]) -> None:
    """matplotlib draws markers as copies and hides what is empty; a moving part is always exactly one path."""
    first = next(group.iter(f"{SVG}path"), None)
    d = "" if first is None else first.get("d")
    for child in list(group):
        group.remove(child)
    ET.SubElement(group, f"{SVG}path", {"d": d, **looks, **({"clip-path": clip} if clip else {})})


def _looks(drawing: Drawing, kind: str, name: str) -> dict[str, str]:
    """How a moving path looks without the page's style sheet: in an exported notebook, say."""
    figure, round_cap = drawing.figure, {"stroke-linecap": "round"}
    if kind == "cursor":
        return {"fill": "none", "stroke": NEUTRAL.light}
    owner = figure.marks[name] if kind in ("mark", "error") else figure.curves[name]
    look = figure.looks[name]
    colour = look.colour.light
    if kind == "error":
        return {"fill": "none", "stroke": colour, "stroke-width": "1.4", "stroke-opacity": "0.8", "class": "live-error"}
    if isinstance(owner, Bars):
        return {"fill": colour, "fill-opacity": "0.45", "stroke": colour}
    if isinstance(owner, Band):
        return {"fill": colour, "fill-opacity": "0.17"}
    if isinstance(owner, Path):
        return {"fill": "none", "stroke": colour, "stroke-width": str(owner.width), **_dashes(look.dash)}
    if isinstance(owner, Curve) and kind == "curve":
        return {"fill": "none", "stroke": colour, "stroke-width": "2.2", **_dashes(look.dash)}
    if isinstance(owner, Line):
        dashes = _dashes(owner.dash) if owner.dash else {"stroke-dasharray": "6 4"}
        return {"fill": "none", "stroke": colour, "stroke-width": "1.4", **dashes}
    if kind == "lead":
        return {"fill": "none", "stroke": colour}
    dot = {"fill": "none", "stroke": colour, **round_cap}
    if isinstance(owner, Curve):
        return dot | {"stroke-width": "7"}
    size, opacity = {Point: ("14", "0.72"), Points: ("6", "0.8")}.get(type(owner), ("4", "0.7"))
    return dot | {"stroke-width": size, "stroke-opacity": opacity}


def _dashes(dash: str) -> dict[str, str]:
    known = DASHES[dash]
    return {} if isinstance(known, str) else {"stroke-dasharray": " ".join(map(str, known[1]))}


def _drop_scaffold(element: ET.Element) -> None:
    """Without the groups that only say what matplotlib made: two elements of five."""
    children: list[ET.Element] = []
    for child in element:
        _drop_scaffold(child)
        if _COUNTED.fullmatch(child.get("id", "")):
            del child.attrib["id"]
        children += [child] if child.attrib or child.tag != f"{SVG}g" else list(child)
    element[:] = children


def _join_ticks(root: ET.Element) -> None:
    """One path for the lines of the grid and one for each kind of mark: a logarithmic axis has dozens of ticks."""
    ticks = [child for child in root if _TICK.fullmatch(child.get("id", ""))]
    lines = [path for tick in ticks for path in tick.findall(f"{SVG}path")]
    marks = [mark for tick in ticks for mark in tick.findall(f"{SVG}use")]
    shapes = {f"#{path.get('id')}": path for path in root.iter(f"{SVG}path")}
    joined = [lines[0].attrib | {"d": "".join(line.get("d") for line in lines)}] if lines else []
    for shape in dict.fromkeys(mark.get(f"{XLINK}href") for mark in marks):
        end = re.search(r"L *(.*)", shapes[shape].get("d")).group(1)  # it starts at 0 0
        places = [(mark.get("x"), mark.get("y")) for mark in marks if mark.get(f"{XLINK}href") == shape]
        look = {key: value for key, value in shapes[shape].attrib.items() if key != "id"}
        joined.append(look | {"d": "".join(f"M{x} {y}l{end}" for x, y in places)})
    numbers = [_numbers(axis, [tick for tick in ticks if tick.get("id").startswith(axis)]) for axis in "xy"]
    first = next((place for place, child in enumerate(root) if child in ticks), 0)
    kept = [child for child in root[first:] if child not in ticks]
    root[first:] = [*(ET.Element(f"{SVG}path", path) for path in joined), *numbers, *kept]


def _numbers(axis: str, ticks: list[ET.Element]) -> ET.Element:
    """The numbers of one axis in a group, which says for all of them how they look."""
    texts = [text for tick in ticks for text in tick.findall(f"{SVG}text")]
    look = {key: value for key, value in texts[0].attrib.items() if key not in ("x", "y", "transform")} if texts else {}
    group = ET.Element(f"{SVG}g", {"class": f"live-{axis}-ticks", **look})
    for text in texts:
        group.append(text)
        for key in look:
            del text.attrib[key]
    return group


def _shorten(root: ET.Element) -> None:
    """Without what says nothing, and in tenths of a unit: a reader sees no smaller step, and a page has thousands."""
    for defs in [child for child in root.findall(f"{SVG}defs") if not len(child)]:
        root.remove(defs)
    for element in root.iter():
        if element.get("stroke-linejoin") == "miter":  # as in every picture that does not say otherwise
            del element.attrib["stroke-linejoin"]
        if element.get("transform", "").startswith("rotate(-0 "):
            del element.attrib["transform"]
        for key in [key for key in ("x", "y", "d", "transform") if key in element.attrib]:
            rounded = re.sub(r"\d+\.\d{2,}", lambda number: _tenths(float(number.group())), element.get(key))
            element.set(key, re.sub(" *([MLlZ]) *", r"\1", rounded).strip() if key == "d" else rounded)


def _prefix_ids(root: ET.Element, name: str) -> None:
    """Two figures of a page would share most of matplotlib's ids."""
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key == "id":
                element.set(key, f"{name}--{value}")
            elif key == f"{XLINK}href":
                element.attrib.pop(key)
                element.set("href", value.replace("#", f"#{name}--", 1))
            elif "url(#" in value:
                element.set(key, value.replace("url(#", f"url(#{name}--"))


def _text(root: ET.Element, name: str, alt: str) -> str:
    ET.register_namespace("", SVG.strip("{}"))
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}--alt")
    title = ET.Element(f"{SVG}desc", {"id": f"{name}--alt"})
    title.text = alt
    root.insert(0, title)
    ET.indent(root, "")
    return ET.tostring(root, encoding="unicode")
