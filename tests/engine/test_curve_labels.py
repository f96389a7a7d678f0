"""On a phone a curve's name stands in the picture, and keeps off the data points where there is room."""

import numpy as np
import pytest
from test_write_html import READY, interest
from waiting import wait_until

import livefigures as lf

COVERED = """() => [...document.querySelectorAll(".live-label:not([data-absent]) text")].map((text) => {
  const box = text.getBoundingClientRect();
  const { x, y, width, height } = document.querySelector(".live-points path").getBoundingClientRect();
  const matrix = text.ownerSVGElement.getScreenCTM();
  const dots = [...document.querySelector(".live-points path").getAttribute("d").matchAll(/M(\\S+) (\\S+?)h0/g)];
  const places = dots.map(([, px, py]) => new DOMPoint(px, py).matrixTransform(matrix));
  const inside = ({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom;
  return [text.textContent, places.filter(inside).length];
})"""
NAME = "compound interest"


def measured(first, last):
    years = np.arange(first, last, 0.5)
    return interest(
        sliders=[lf.slider("rate", 0, 0.1, at=0.03)],
        curves={NAME: lambda rate, t: 10 * (1 + rate) ** t},
        marks={"measured": lf.Points(years, 10 * 1.03**years + 6 * np.sin(5 * years))},
    )


@pytest.mark.parametrize(("first", "covered"), [(24, False), (0, True)])
def test_name_covers_points_on_a_phone_only_where_they_are_everywhere(first, covered, show):
    page = show(measured(first, 40), viewport={"width": 390, "height": 844})
    wait_until(page, READY)
    ((name, points),) = page.evaluate(COVERED)
    assert name == NAME and (points > 0) == covered
