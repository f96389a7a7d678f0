"""Below a link that asks the class a question, the script has the answer, which is taken from the figure's page.

So a teacher who stands before the vote knows what is right and why, and what to say to those who chose something else.
"""

from collections.abc import Iterator

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform

from book.lessons import codes
from livefigures.sphinx.curve_names import curve_name
from livefigures.sphinx.predict import predict, predict_answer, predict_choice, predict_question, predict_reply
from livefigures.sphinx.presets import set_link


def asks(node: nodes.Node) -> bool:
    """Whether it is a link that opens a figure where its question waits for an answer."""
    return isinstance(node, set_link) and str(node.get("present")).endswith(":step=0")


def html(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def right(question: predict) -> list[nodes.Node]:
    """The right choice behind its letter."""
    lettered = zip("ABCDEFGH", question.findall(predict_choice), strict=False)
    letter, choice = next(each for each in lettered if each[1]["number"] == question["answer"])
    return [nodes.Text(f"{letter}, "), *choice.children]


def box(link: set_link, question: predict) -> Iterator[nodes.Node]:
    """What is folded below a link: the answer in one line, then the question, its choices and the reasons."""
    question = question.deepcopy()
    yield html('<details class="lesson-answer"><summary>Answer to “')
    yield nodes.Text(link.astext())
    yield html("”: ")
    yield from right(question)
    yield html("</summary>\n")
    yield nodes.paragraph("", "", *next(question.findall(predict_question)).children)
    choices = [nodes.paragraph("", "", *choice.deepcopy().children) for choice in question.findall(predict_choice)]
    yield nodes.enumerated_list("", *(nodes.list_item("", choice) for choice in choices), enumtype="upperalpha")
    for part in next(question.findall(predict_answer)).children:
        if isinstance(part, predict_reply):  # hidden by its style until somebody has made this choice
            yield nodes.paragraph("", "", *part.children)
        elif "predict-show" not in part["classes"]:
            yield part
    yield html("</details>\n")


def plain(part: nodes.Node, page: str) -> None:
    """Take from a part what works on its figure's page alone: presets, the look of curves, names of places."""
    for node in list(part.findall(lambda each: isinstance(each, set_link | curve_name))):
        node.replace_self(nodes.Text(node.astext()))
    for node in part.findall(nodes.Element):
        node["ids"], node["names"] = [], []
        if isinstance(node, pending_xref):
            node["refdoc"] = page


class Answers(SphinxPostTransform):
    """Before references are resolved and outputs of {eval} are chosen, so that those of an answer are, too."""

    default_priority = 3
    formats = ("html",)

    def run(self, **_: object) -> None:
        if "/lessons/" not in self.env.docname:
            return
        for link in list(self.document.findall(asks)):
            doctree = self.env.get_doctree(link["there"])
            name = codes.question_of(doctree, link["figure"])
            for question in doctree.findall(predict):
                if question["name"] == name:
                    self.add(link, list(box(link, question)))

    def add(self, link: set_link, parts: list[nodes.Node]) -> None:
        """Put a box behind the paragraph of its link, and behind the boxes of earlier links of this paragraph."""
        folded = nodes.container("", *parts, classes=["lesson-answer-of"])
        plain(folded, self.env.docname)
        paragraph = link.parent
        place = paragraph.parent.index(paragraph) + 1
        while place < len(paragraph.parent) and "lesson-answer-of" in paragraph.parent[place].get("classes", []):
            place += 1
        paragraph.parent.insert(place, folded)
