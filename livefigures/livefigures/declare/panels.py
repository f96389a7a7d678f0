"""Panels: figures that stand with another one, whose shared sliders are drawn once for all of them."""

from collections.abc import Iterator, Sequence
from typing import Any


def faults(figure: Any, kind: type) -> Iterator[str]:
    """Mistakes in the figures that are to stand with this one."""
    form = "panels must be a list of other figures, panels=[lf.Figure(...)]"
    if not isinstance(figure.panels, Sequence) or not all(isinstance(one, kind) for one in figure.panels):
        yield f"{form}, got {figure.panels!r}"
    names = [figure.name, *(one.name for one in figure.panels)]
    if len(set(names)) < len(names):
        yield f"{form}, each with a name of its own, got {', '.join(names)}"
    for one in figure.panels:
        if one.panels:
            yield f"the panel {one.name!r} has panels itself: put all into one list"
        for slider in figure.moved_by_readers:
            twin = one.controls.get(slider.name)
            if twin and not (slider.shared and slider.moves_like(twin) and twin.shared):
                yield (
                    f"the panel {one.name!r} has another slider {slider.name!r}: make it once, with shared=True, and "
                    "give it to both figures"
                )

    one_axis = all(one.x.name == figure.x.name and one.x.moves_like(figure.x) for one in figure.panels)
    if figure.stacked and (len(figure.panels) != 1 or not one_axis):
        yield "stacked=True puts one panel with the same x below the figure: panels=[lf.Figure(x=t, ...)] where x=t"


def drawn_later(figures: Sequence[Any]) -> list[set[str]]:
    """The sliders of each figure that a later one has too, where it stands below them all."""
    shared = [{name for name, slider in one.controls.items() if slider.shared} for one in figures]
    return [names & set().union(*shared[place + 1 :]) for place, names in enumerate(shared)]
