"""The whole book as one PDF: ``make pdf``.

Chromium prints each page of the built site, in the book's order, as its print style and script say: figures at their
defaults, solutions gathered at a chapter's end, links as footnotes. The parts are joined behind a title and contents,
with page numbers and bookmarks. Links between chapters lead to the chapter's first page.
"""

import io
import sys
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from pathlib import Path
from urllib.parse import unquote, urldefrag

import yaml
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from playwright.sync_api import Browser, sync_playwright
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import Link
from pypdf.generic import Fit

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from chromium import FLAGS, ensure  # noqa: E402 - the folder of the tests is no package

PAPER = {"format": "A4", "scale": 0.85, "margin": {"top": "18mm", "bottom": "20mm", "left": "16mm", "right": "16mm"}}
A4 = (8.27, 11.69)  # inches
_CONTENTS = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 12pt/1.7 system-ui, sans-serif; }}
h1 {{ margin: 30vh 0 20vh; font-size: 34pt; font-weight: 500; text-align: center; break-after: page; }}
li {{ display: flex; justify-content: space-between; border-bottom: 1px dotted #999; }}
ol {{ list-style: none; padding: 0; }}
</style>
<h1>{title}</h1><h2>Contents</h2><ol>{lines}</ol></html>
"""


@dataclass
class Part:
    """One printed page of the site: its file, its title, and what Chromium made of it."""

    file: Path
    title: str
    pdf: PdfReader


def files_in_order(site: Path) -> list[Path]:
    """The pages of the built site, in the order of _toc.yml."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    names = [toc["root"], *(chapter["file"] for part in toc["parts"] for chapter in part["chapters"])]
    return [site / f"{name}.html" for name in names]


def printed(browser: Browser, file: Path) -> Part:
    """One page of the site on paper, without numbers yet."""
    page = browser.new_page(color_scheme="light")
    page.goto(file.as_uri(), wait_until="load")
    page.evaluate("() => { document.documentElement.dataset.bound = '' }")  # the whole has page numbers of its own
    title = page.evaluate("document.title.split(/ [\\u2014\\u2013-] /)[0]")
    part = Part(file, title, PdfReader(io.BytesIO(page.pdf(**PAPER))))
    page.close()
    return part


def contents(browser: Browser, title: str, entries: list[tuple[str, int]]) -> PdfReader:
    """Title and table of contents."""
    lines = "".join(f"<li><span>{escape(words)}</span><span>{number}</span></li>" for words, number in entries)
    page = browser.new_page()
    page.set_content(_CONTENTS.format(title=escape(title), lines=lines))
    reader = PdfReader(io.BytesIO(page.pdf(**PAPER)))
    page.close()
    return reader


def footers(labels: list[str]) -> PdfReader:
    """Transparent pages with one line at the foot of each."""
    file = io.BytesIO()
    with PdfPages(file) as pages:
        for label in labels:
            figure = Figure(figsize=A4)
            figure.text(0.5, 0.03, label, ha="center", fontsize=8, color="0.35")
            pages.savefig(figure, transparent=True)
    return PdfReader(file)


def redirect_links(writer: PdfWriter, starts: dict[Path, int]) -> None:
    """Links to pages of the site on this computer's disk become links inside the PDF, or plain text."""
    for number, page in enumerate(writer.pages):
        for reference in list(page.get("/Annots", [])):
            annotation = reference.get_object()
            address = annotation.get("/A", {}).get("/URI", "")
            if not address.startswith("file:"):
                continue
            page["/Annots"].remove(reference)
            target = Path(unquote(urldefrag(address)[0]).removeprefix("file://"))
            if target in starts:
                box = annotation["/Rect"]
                writer.add_annotation(number, Link(rect=box, target_page_index=starts[target], fit=Fit.fit()))


def book(browser: Browser, site: Path, title: str) -> PdfWriter:
    """The whole PDF."""
    parts = []
    for file in files_in_order(site):
        parts.append(printed(browser, file))
        print(f"{parts[-1].title}: {len(parts[-1].pdf.pages)} pages")
    front = len(contents(browser, title, [(part.title, 0) for part in parts]).pages)
    starts = list(accumulate((len(part.pdf.pages) for part in parts[:-1]), initial=front))
    writer = PdfWriter()
    writer.append(
        contents(browser, title, [(part.title, start + 1) for part, start in zip(parts, starts, strict=True)])
    )
    for part in parts:
        writer.append(part.pdf, outline_item=part.title)
    labels = [""] * front + [f"{part.title}  ·  {{}}" for part in parts for _ in part.pdf.pages]
    numbered = [label.format(number) for number, label in enumerate(labels, 1)]
    for page, footer in zip(writer.pages, footers(numbered).pages, strict=True):
        page.merge_page(footer)
        page.compress_content_streams()
    redirect_links(writer, {part.file: start for part, start in zip(parts, starts, strict=True)})
    writer.add_metadata({"/Title": title})
    writer.compress_identical_objects()
    return writer


def main() -> None:
    site, target = ROOT / "_build" / "html", ROOT / "_build" / "pdf" / "differential-privacy.pdf"
    title = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["title"]
    target.parent.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=ensure(), args=FLAGS)
        writer = book(browser, site, title)
        browser.close()
    writer.write(target)
    print(f"{len(writer.pages)} pages: {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
