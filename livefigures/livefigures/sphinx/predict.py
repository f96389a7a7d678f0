"""Questions to predict: the reader commits to an answer, and only then sees ours.

    ```{predict} Where does the line touch the curve?
    :label: where-the-line-touches
    :choices: about 30 | about 265 | nowhere
    :answer: 2
    :replies: That is where the lines cross. | - | Slide α: they touch at every order.
    :show: growth: rate=0.1, t=5

    Why it is so; formulas, computed numbers and presets work here.
    ```

A reply belongs to a choice (a dash is none), and ``show`` is where the figure shows the answer. ``label`` is a name for
tests, and is not shown. Choices that are no growing numbers are shuffled on the page, unless ``:order: kept`` says that
they have an order: earlier | at the same time | later.

The figure that follows waits for the answer, with its curves, numbers and caption; ``:figure:`` names another one.
``:stays: simple | compound`` names curves and marks that it shows all the same. ``:stays: all`` is for a figure that
stands at another setting than the one asked about, so that only its caption waits. ``:waits: thm-growth a-section``
names further parts of the page, by their labels, that wait too. Without JavaScript nothing waits, and the answer is a
folded block.
"""

import re

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from livefigures.declare.question import shown_order
from livefigures.page import question
from livefigures.sphinx.checks import is_excused
from livefigures.sphinx.errors import line_of, place
from livefigures.sphinx.finished import pages
from livefigures.sphinx.markup import writes
from livefigures.sphinx.presets import linked, parse_preset, set_link

LOGGER = logging.getLogger(__name__)
NO_REPLY = "-"


# Each part is also what it would be on paper, so that a builder without HTML prints it as that.
class predict(nodes.container):  # noqa: N801 - Sphinx finds a node's visitor by its class name
    """The whole question."""


class predict_question(nodes.paragraph):  # noqa: N801
    """What is asked."""


class predict_choice(nodes.paragraph):  # noqa: N801
    """One possible answer."""


class predict_answer(nodes.container):  # noqa: N801
    """The explanation."""


class predict_reply(nodes.paragraph):  # noqa: N801
    """What is said to who chose one of the choices."""


def split_choices(text: str) -> list[str]:
    r"""Return the choices, separated by a bar between blanks; a bar inside a formula stands without them.

    >>> split_choices("about 30 | $|x|$ | nowhere")
    ['about 30', '$|x|$', 'nowhere']
    """
    return [choice.strip() for choice in re.split(r"\s\|\s", text)]


class _WrongError(Exception):
    """What keeps a question from being answered."""


class Predict(SphinxDirective):
    """The directive ``predict``."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {
        "label": directives.unchanged_required,
        "choices": split_choices,
        "answer": directives.unchanged_required,
        "replies": split_choices,
        "order": lambda text: directives.choice(text, ("kept",)),
        "show": directives.unchanged_required,
        "figure": directives.unchanged_required,
        "stays": split_choices,
        "waits": str.split,
    }

    def run(self) -> list[nodes.Node]:
        source, counted = self.get_source_info()
        self.lineno = line_of(source, counted, f"{{predict}} {self.arguments[0]}")
        try:
            return [self.asked()]
        except _WrongError as error:
            self.env.note_reread()  # so that the next build says it again
            return [self.state.document.reporter.warning(f"predict: {error}", line=self.lineno)]

    def asked(self) -> predict:
        """Return the question as a part of the page."""
        self.check()
        name = f"predict-{self.env.new_serialno('predict') + 1}"
        told = {key: self.options.get(key) for key in ("figure", "stays", "waits")}
        node = predict(name=name, answer=int(self.options["answer"]), **told)
        node += predict_question("", "", *self.inline(self.arguments[0]))
        choices = self.options["choices"]
        kept = "order" in self.options
        for shown in range(len(choices)) if kept else shown_order(self.arguments[0], choices):
            node += predict_choice("", "", *self.inline(choices[shown]), name=name, number=shown + 1)
        answer = predict_answer()
        for number, (choice, reply) in enumerate(zip(choices, self.options.get("replies", []), strict=False), 1):
            if reply != NO_REPLY:
                lead = nodes.inline("", "", nodes.Text("If you chose “"), *self.inline(choice), nodes.Text("”: "))
                answer += predict_reply("", "", lead, *self.inline(reply), number=number)
        self.state.nested_parse(self.content, self.content_offset, answer)
        if "show" in self.options:
            answer += nodes.paragraph("", "", self.shown(), classes=["predict-show"])
        node += answer
        self.set_source_info(node)
        return node

    def check(self) -> None:
        """Refuse a question that could not be answered."""
        choices, answer, replies = (self.options.get(key) for key in ("choices", "answer", "replies"))
        if not self.content:
            raise _WrongError("write the explanation in the body")
        if choices is None or len(choices) < 2 or not all(choices):
            raise _WrongError(
                f":choices: needs two or more, separated by ' | ', got {' | '.join(choices or ['nothing'])}"
            )
        if answer not in map(str, range(1, len(choices) + 1)):
            known = f"1 to {len(choices)}"
            raise _WrongError(f":answer: must be the number of the right choice, {known}, got {answer or 'nothing'}")
        if replies is not None and len(replies) != len(choices):
            raise _WrongError(
                f":replies: needs one for each of the {len(choices)} choices, separated by ' | ' (a dash is none), "
                f"got {len(replies)}"
            )

    def shown(self) -> set_link:
        """The link that moves the figure to where it shows the answer."""
        try:
            return linked(self, self.options["show"], *parse_preset(f"Show it in the figure <{self.options['show']}>"))
        except ValueError as error:
            raise _WrongError(f":show: {error}") from None

    def inline(self, text: str) -> list[nodes.Node]:
        parsed, messages = self.state.inline_text(text, self.lineno)
        return parsed + messages


def visit_predict(self: HTML5Translator, node: predict) -> None:
    told = {"answer": node["answer"], "figure": node["figure"]}
    if node["waits"]:  # a part's first name is the one that its element has
        known = {name: part["ids"][0] for part in self.document.findall(nodes.Element) for name in part["ids"]}
        for name in [name for name in node["waits"] if name not in known]:
            LOGGER.warning("predict: :waits: names %r, which is no label of this page", name, location=node)
        told["waits"] = " ".join(known[name] for name in node["waits"] if name in known)
    self.body.append(question.head(node["name"], node["stays"], **told))


def visit_predict_choice(self: HTML5Translator, node: predict_choice) -> None:
    self.body.append(question.choice(node["name"], node["number"]))


def visit_predict_answer(self: HTML5Translator, node: predict_answer) -> None:
    self.body.append(question.answer())


def visit_predict_reply(self: HTML5Translator, node: predict_reply) -> None:
    self.body.append(f'<p class="predict-reply" data-choice="{node["number"]}">')


def check_figures(app: Sphinx, exception: Exception | None) -> None:
    """The figures and curves that questions name, against the finished pages."""
    for page, facts in pages(app, exception).items():
        for figure, curve, number in facts.questions:
            known = [name for one in facts.together(figure) for name in facts.curves(one)]
            where = place(app.env, page, number, lambda node: isinstance(node, predict))
            if figure not in facts.figures:
                if not is_excused(facts, figure, app.env, page):
                    LOGGER.warning(f"predict: no live figure {figure!r} is on this page", location=where)
            elif curve and curve not in known:
                bar = "; the option stays has a bar between names, a | b" if "," in curve else ""
                LOGGER.warning(
                    f"predict: {figure!r} has no curve {curve!r}; it has: {', '.join(known)}{bar}", location=where
                )


def setup(app: Sphinx) -> None:
    app.add_directive("predict", Predict)
    app.add_node(predict, html=(visit_predict, writes("</div>\n")))
    app.add_node(predict_question, html=(writes("<legend>"), writes("</legend>\n")))
    app.add_node(predict_choice, html=(visit_predict_choice, writes("</span></label>\n")))
    app.add_node(predict_reply, html=(visit_predict_reply, writes("</p>\n")))
    app.add_node(predict_answer, html=(visit_predict_answer, writes("</details>\n")))
    app.connect("build-finished", check_figures, priority=650)
