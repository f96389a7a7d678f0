"""Every figure of every chapter as a notebook shows it: each of its sliders moves the picture."""

import pytest
from figures import BY_CHAPTER, figures


def picture(figure, values):
    """The picture at these values, the other sliders at rest."""
    figure.values = figure.defaults | values
    return figure.view.picture.value


def still(figure):
    """The sliders that leave the picture as it was; a slider that waits for a choice has it."""
    found, rest = [], picture(figure, {})
    for name, control in figure.controls.items():
        needs, end = figure.needs(name), control.low if control.at != control.low else control.high
        before = picture(figure, needs) if needs else rest
        if picture(figure, needs | {name: end}) == before:
            found.append(name)
    figure.view.reset()
    return found


@pytest.mark.parametrize("chapter", BY_CHAPTER)
def test_every_slider_moves_the_picture(chapter):
    assert {figure.name: names for figure in figures(chapter) if (names := still(figure))} == {}
