"""What those who carry the book on rely on: the version, the commands of the documents."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "MAINTAINING.md", "PUBLISHING.md"]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def test_version_is_the_same_wherever_it_stands():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)[1]
    assert citation["version"] == newest == VERSION


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_command_of_make_in_a_document_exists(name):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE))
    named = re.findall(r"^    make ([a-z-]+)|`make ([a-z-]+)", (ROOT / name).read_text("utf-8"), flags=re.MULTILINE)
    assert {one or other for one, other in named} <= targets


def sections(name):
    """The anchors that GitHub gives to the headings of a document."""
    titles = re.findall(r"^#+ (.*)", (ROOT / name).read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", [*DOCUMENTS, "CHANGELOG.md"])
def test_every_file_and_section_that_a_document_links_to_exists(name):
    text = (ROOT / name).read_text("utf-8")
    for address, place in re.findall(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)", text):
        assert (ROOT / address).exists(), address
        assert not place or place in sections(address or name), f"{address}#{place}"


def test_actions_of_the_workflow_are_pinned():
    workflow = (ROOT / ".github/workflows/pages.yml").read_text("utf-8")
    uses = re.findall(r"uses: (\S+)", workflow)
    assert uses and all(re.fullmatch(r"[\w/-]+@v\d+(\.\d+)*", action) for action in uses)
