"""What the checks at the end of a build look at: the finished pages, and what stands in their sources."""

from collections.abc import Callable, Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from livefigures.sphinx.page_facts import PageFacts, facts_of


def pages(app: Sphinx, exception: Exception | None) -> dict[str, PageFacts]:
    """Return the facts of every page by its name; of none if the build has failed or made no HTML."""
    if exception or app.builder.name != "html":
        return {}
    files = {page: Path(app.outdir, f"{page}.html") for page in sorted(app.env.found_docs)}
    return {page: facts_of(file.read_text("utf-8")) for page, file in files.items() if file.exists()}


def keep(kind: type[nodes.Element]) -> Callable[[Sphinx, nodes.document], None]:
    """Return a handler that keeps the attributes of a page's nodes of a kind in Sphinx's metadata of the page."""

    def note(app: Sphinx, doctree: nodes.document) -> None:
        app.env.metadata[app.env.docname][kind.__name__] = [node.attributes for node in doctree.findall(kind)]

    return note


def written(app: Sphinx, facts: dict[str, PageFacts], kind: type[nodes.Element]) -> Iterator[tuple[str, dict]]:
    """Yield the attributes of each node of a kind with its page, also of those pages that an earlier build has read."""
    for page in facts:
        for attributes in app.env.metadata[page].get(kind.__name__, []):
            yield page, attributes
