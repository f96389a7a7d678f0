"""Checks of chapters/many_answers.md."""

import math

import numpy as np

from claims import answers, at_rest, claim


@answers("many_answers.md", "scale-of-a-histogram-cell", numbers=[1000, 100, 0.5], choices=[[200], [20], [4], [2]])
def test_question_scale_of_a_histogram_cell(question):
    one, other = np.zeros(100), np.zeros(100)
    one[3], other[70] = 1, 1
    moved = abs(one - other).sum() / 0.5
    assert question.right == [moved == int(choice) for choice in ("200", "20", "4", "2")]


@claim("many_answers.md", "pure-vector.caption")
def test_caption_pure_vector():
    for before, after in [(0, 1), (5, 7), (3, 3)]:
        cells = [np.histogram([value, 2, 9], range(11))[0] for value in (before, after)]
        assert np.count_nonzero(cells[0] - cells[1]) in (0, 2)


@claim("many_answers.md", "pure-vector.alt")
def test_alt_pure_vector():
    c = at_rest("many_answers.md", "pure-vector")
    one, other, third = c["k counts, composed"], c["k counts, one vector"], c["histogram, k cells"]
    assert np.allclose(one, other) and c.rises("k counts, composed").all() and np.ptp(third) == 0
    assert math.isclose(np.min(third), one[0]) and one[-1] > 100 * np.min(third)
