"""Replays a figure's record in the browser: the page's numbers against dp_lib's, setting by setting."""

import json
import math
from pathlib import Path

TOLERANCE = 1e-9

REPLAY = """
([name, settings]) => {
  const figure = document.getElementById(name).live;
  const text = (value) => (Number.isFinite(value) ? value : String(value));
  const pick = (values, at) => (typeof values === "number" ? at.map(() => values) : at.map((i) => values[i]));
  return settings.map(({ values, readings, at, along, marks = {} }) => {
    const taken = figure.set(values);
    if (figure.pending.size) figure.draw();
    const cells = {};
    for (const cell of figure.element.querySelectorAll("[data-curve]")) {
      cells[`curves/${cell.dataset.curve}/y`] = cell.dataset.value;
    }
    for (const cell of figure.element.querySelectorAll("[data-mark]")) {
      for (const c of ["x", "y"]) if (c in cell.dataset) cells[`marks/${cell.dataset.mark}/${c}`] = cell.dataset[c];
    }
    const drawn = Object.keys(along).map((address) => [address, pick(figure.along(address), at).map(text)]);
    const standing = Object.entries(marks).map(([address, { length }]) => {
      const everywhere = Array.from({ length }, (_, i) => i);
      return [address, pick(figure.at(address), everywhere).map(text)];
    });
    return { taken: taken.length, cells, along: Object.fromEntries(drawn), marks: Object.fromEntries(standing) };
  });
}
"""


def records(folder: Path) -> dict[str, dict]:
    """Every figure's record, by the figure's name."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}


def same(shown, expected) -> bool:
    """Equal to 1e-9, relative; a gap is a gap on both sides and infinity keeps its sign."""
    shown, expected = float(shown), float(expected)
    if math.isnan(shown) or math.isnan(expected):
        return math.isnan(shown) and math.isnan(expected)
    return shown == expected or abs(shown - expected) <= TOLERANCE * abs(expected)


def differences(page, record: dict) -> list[str]:
    """What the page shows otherwise than dp_lib computed it; empty if all agree."""
    found = []
    answers = page.evaluate(REPLAY, [record["name"], record["parity"]])
    for setting, answer in zip(record["parity"], answers, strict=True):
        if answer["taken"] != len(setting["values"]):
            found.append(f"{record['name']}: the page did not take {setting['values']}")
        pairs = [(address, answer["cells"].get(address), value) for address, value in setting["readings"].items()]
        for address, values in setting["along"].items():
            pairs += [(f"{address} along x", *pair) for pair in zip(answer["along"][address], values, strict=True)]
        for address, values in setting.get("marks", {}).items():
            pairs += [(address, *pair) for pair in zip(answer["marks"][address], values, strict=True)]
        for address, shown, expected in pairs:
            if shown is None or not same(shown, expected):
                found.append(f"{record['name']}, {address} at {setting['values']}: {shown}, dp_lib {expected}")
    return found
