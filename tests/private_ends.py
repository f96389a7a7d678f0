"""Whether what a slider's private end is about falls (or, if it `rises`, rises) towards that end, at every setting."""

import numpy as np
from figures import at_random, corners, linked_of, moving, scenes, stops

from livefigures.declare import claims

MOST_STOPS = 41  # of the slider, at each setting of the others


def tried(slider, known):
    """The stops at which a slider is tried, its ends among them."""
    return known[np.unique(np.linspace(0, len(known) - 1, min(len(known), MOST_STOPS)).round().astype(int))]


def others(figure, chapter, name):
    """Settings of the other sliders: at rest, linked, every corner, twenty at random."""
    rest = [each for each in moving(figure) if each != name]
    bases = [figure.defaults, *linked_of(figure, chapter), *corners(figure, rest), *at_random(figure, rest, 20)]
    return [base | figure.needs(name) for base in bases]


def profiles(figure, chapter, name, address):
    """(setting of the others, places of the slider, heights at them), the latter a row for each place."""
    slider = figure.controls[name]
    bases = others(figure, chapter, name)
    if name == figure.x.name and figure.on_grid(address):
        for base, scene in scenes(figure, bases, [address]):
            yield base, figure.x.grid, scene[address][:, None]
        return
    places = tried(slider, stops(figure, name))
    every = scenes(figure, [base | {name: float(place)} for base in bases for place in places], [address])
    for base in bases:
        yield base, places, np.array([next(every)[1][address].reshape(-1) for _ in places])


def fault(figure, chapter, name):
    """Where a slider's private end is not what it says, in words; "" if it is."""
    slider = figure.controls[name]
    if not slider.marked_end:
        return ""
    return wrong_way(figure, chapter, name, slider.falls or slider.rises, bool(slider.rises))


def wrong_way(figure, chapter, name, part, rises):
    """The first setting at which a part does not fall (or rise) towards the slider's private end."""
    upwards = (figure.controls[name].marked_end == "low") != rises  # the height grows with the slider
    for base, places, heights in profiles(figure, chapter, name, figure.height(part)):
        before, after = (heights[:-1], heights[1:]) if upwards else (heights[1:], heights[:-1])
        wrong = np.argwhere(~claims.at_most(before, after) & ~np.isnan(before) & ~np.isnan(after))
        if len(wrong):
            row, column = wrong[0]
            at = ", ".join(f"{n} = {value:g}" for n, value in base.items() if n != name)
            return (
                f"figure {figure.name!r}: {part!r} does not {'rise' if rises else 'fall'} towards the private end of "
                f"{name!r}: {heights[row, column]:.9g} at {places[row]:g}, {heights[row + 1, column]:.9g} at "
                f"{places[row + 1]:g}, with {at}"
            )
    return ""
