"""The sheets of the homework as pages of the site, so that a lecturer who only reads it can print them.

The keys are not among them: `make handout` writes a lesson's sheets with their key.
"""

from pathlib import Path

from sphinx.application import Sphinx

from book.handouts import homework, paper


def write(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.format != "html" or "chapters/teaching" not in app.env.found_docs:
        return  # a preview has one chapter and no lessons
    site = Path(app.outdir)
    for number in homework.lessons():
        paper.write(site / "handouts" / f"lesson-{number}", homework.sheets(number, site))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", write, priority=600)  # after the pages are in their last form
    return {"parallel_read_safe": True, "parallel_write_safe": True}
