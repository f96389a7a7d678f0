"""What leaves a figure's picture at some setting of its sliders: which part, on which side.

A curve that has numbers and none of them inside, at the defaults or at a setting that the prose links to, is "unseen"
there: the reader is sent to look at it.
"""

import numpy as np
from figures import linked_of

SLACK = 1e-9  # of the picture's side


def shares(values, low, high, log):
    """Where values lie between the two ends of a side, 0 to 1; what a logarithmic side has no place for is below."""
    if not log:
        return (values - low) / (high - low)
    with np.errstate(divide="ignore"):
        return np.log(np.maximum(values, 0) / low) / np.log(high / low)


def sides(figure, coordinate, values):
    """The sides at which values of a coordinate are outside, and whether all of them are."""
    scale, (below, above) = (figure.x, ("left", "right")) if coordinate == "x" else (figure.axis, ("bottom", "top"))
    place = shares(values[~np.isnan(values)], scale.low, scale.high, scale.log)
    too_low, too_high = place < -SLACK, place > 1 + SLACK
    left = {side for side, out in ((below, too_low), (above, too_high)) if out.any()}
    return left, len(place) > 0 and bool((too_low | too_high).all())


def outside(figure, chapter, scenes):
    """{(part, side)} over the scenes of all these settings."""
    found = set()
    looked_at = [figure.defaults, *linked_of(figure, chapter)]
    places = {
        (kind, name): figure.addresses(kind, name) for kind in ("curves", "marks") for name in getattr(figure, kind)
    }
    for values, scene in scenes:
        for (kind, name), addresses in places.items():
            for coordinate, address in addresses.items():
                left, gone = sides(figure, coordinate, scene[address])
                found |= {(name, side) for side in left}
                if gone and kind == "curves" and values in looked_at:
                    found.add((name, "unseen"))
    return found


def undeclared(figure, chapter, scenes):
    """{(part, side)} that leave without a word, and {(part, side)} that are said to leave and do not."""
    found = outside(figure, chapter, scenes)
    said = {(name, side) for name, where in figure.out_of_view.items() for side in where.split()}
    return found - said, said - found
