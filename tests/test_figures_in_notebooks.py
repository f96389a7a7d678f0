"""Every figure of every chapter as a notebook shows it: each of its sliders moves the picture."""

import pytest
from figures import BY_CHAPTER, figures

pytestmark = pytest.mark.usefixtures("no_build")


def still(figure):
    """The sliders that leave the picture as it was."""
    found = []
    for name, control in figure.controls.items():
        figure.values = figure.needs(name)
        before = figure.view.picture.value
        figure.values = {name: control.low if control.at != control.low else control.high}
        if figure.view.picture.value == before:
            found.append(name)
        figure.view.reset()
    return found


@pytest.mark.parametrize("chapter", BY_CHAPTER)
def test_every_slider_moves_the_picture(chapter):
    assert {figure.name: names for figure in figures(chapter) if (names := still(figure))} == {}
