"""How the homework of the lessons is graded, by the labels of its exercises."""

from book.handouts.rubric import RUBRICS
from book.handouts.rubrics import lessons_1_and_2, lessons_3_and_4, lessons_5_and_6, lessons_7_and_8  # noqa: F401

__all__ = ["RUBRICS"]
