"""The markup of a question, on a page and in a file; features/predict.js brings it to life."""

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from livefigures.declare.figure import Declaration
from livefigures.declare.parts import FigureError
from livefigures.declare.question import Question


def head(name: str, stays: Sequence[str] | None, **data: Any) -> str:
    """Return how a question begins, up to what is asked. `data` is what the script has to know."""
    if stays:
        data["stays"] = json.dumps("all" if list(stays) == ["all"] else list(stays), ensure_ascii=False)
    told = "".join(f' data-{key}="{escape(str(value))}"' for key, value in data.items() if value is not None)
    return f'<div class="predict" id="{name}"{told}>\n<fieldset>\n'


def choice(name: str, number: int) -> str:
    """Return how a choice begins, up to its words."""
    return f'<label><input type="radio" name="{name}" value="{number}"> <span>'


def answer() -> str:
    """Return what stands between the choices and the explanation."""
    return (
        '</fieldset>\n<button type="submit">Commit to this answer</button>\n'
        '<p class="predict-said" role="status" tabindex="-1"></p>\n'
        '<details class="predict-answer">\n<summary>Answer</summary>\n'
    )


def html(question: Question, figure: Declaration) -> str:
    """Return a whole question of a file."""
    if not isinstance(question, Question):
        raise FigureError(f"figure {figure.name!r}: question must be an lf.Question(...), got {question!r}")
    known = [name for one in figure.together for name in (*one.curves, *one.marks)]
    for name in question.stays:
        if name not in known:
            raise FigureError(
                f"figure {figure.name!r}: stays of the question must be among {', '.join(known)}, got {name!r}"
            )
    choices = "".join(
        f"{choice('question', place + 1)}{escape(question.choices[place])}</span></label>\n"
        for place in question.places
    )
    begun = head("question", question.stays, answer=question.answer)
    asked, explained = escape(question.asked), escape(question.explanation)
    return f"{begun}<legend>{asked}</legend>\n{choices}{answer()}<p>{explained}</p>\n</details>\n</div>\n"
