"""`make walk`: the built book in Firefox and in WebKit, step by step, with a picture of each step.

Every page with a figure opens, its figures draw and its formulas are laid out, without an error. On one page a slider
moves by the keyboard, a question is answered, and a figure is put in front of a class. What fails is told at the end.
Somebody looks at the pictures, which lie in _build/walk: a script sees that a curve moves, and not how it looks.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from drivers import Browser, BrowserError, Firefox, MissingError, WebKit

ROOT = Path(__file__).resolve().parent.parent.parent
SITE = ROOT / "_build" / "html"
PICTURES = ROOT / "_build" / "walk"
PAGE = "chapters/accounting_compared.html"
MAIN = "rdp-vs-zcdp"  # its figure that is moved and presented
ROWS_OF_A_FRACTION = 1.4  # a fraction is at least so many times as high as its numerator, where MathML is laid out

# What is not as it should be, in words.
DRAWN = """return [...document.querySelectorAll("figure.live")].flatMap((figure) => {
    if (!figure.live) return [`${figure.id} is not alive`];
    if (!figure.querySelectorAll("[type=range], [type=radio]").length) return [`${figure.id} has no slider`];
    const curves = [...figure.querySelectorAll(".live-curve path")];
    const empty = curves.length && curves.every((curve) => !curve.getAttribute("d"));
    return empty ? [`${figure.id} has no curve`] : [];
})"""
FORMULAS = f"""const wrong = [...document.querySelectorAll("mfrac")].filter((fraction) => fraction.checkVisibility())
    .filter(({{ firstElementChild: above, lastElementChild: below }}) => {{
        const [upper, lower] = [above.getBoundingClientRect(), below.getBoundingClientRect()];
        return !(upper.height > 2 && lower.top > upper.top + upper.height / {ROWS_OF_A_FRACTION});
    }});
return wrong.map((fraction) => `a fraction is not laid out: ${{fraction.textContent}}`)"""
STATE = """const figure = document.getElementById(arguments[0]);
return { curves: [...figure.querySelectorAll(".live-curve path")].map((one) => one.getAttribute("d")).join(),
    reading: figure.querySelector("[data-curve]").textContent, slider: document.activeElement.name,
    presenting: figure.classList.contains("live-presenting"), step: figure.querySelector(".live-lecture")?.textContent,
    seen: [...figure.querySelectorAll(".live-curve")].filter((one) => getComputedStyle(one).visibility === "visible"
        && !one.matches(".live-secret, .live-waiting")).length }"""
# The address, on the page, of the right choice of the question before a figure.
RIGHT = """const figure = document.getElementById(arguments[0]);
const before = [...document.querySelectorAll(".predict")]
    .filter((one) => one.compareDocumentPosition(figure) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1);
return `#${before.id} input[value="${before.dataset.answer}"]`;"""
FRAMES = "requestAnimationFrame(() => requestAnimationFrame(() => (window.drawn = true)))"


class FaultError(AssertionError):
    """A step did not do what it should."""


class Walk:
    """The steps in one browser."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.faults: list[str] = []

    def open(self, page: str) -> None:
        """Open a page, and wait until its scripts have begun."""
        self.browser.open(f"{SITE.as_uri()}/{page}")
        self.settle()

    def settle(self) -> None:
        """Wait until what has been asked for is drawn."""
        self.browser.ask(f"window.drawn = false; {FRAMES}")
        for _ in range(1000):
            if self.browser.ask("return window.drawn === true"):
                return
        raise FaultError("no frame was drawn")

    def state(self) -> dict:
        """Say how the page's main figure stands."""
        return self.browser.ask(STATE, MAIN)

    def show(self, selector: str) -> None:
        """Scroll to an element and give it the focus."""
        script = (
            "const one = document.querySelector(arguments[0]); one.focus(); one.scrollIntoView({ block: 'center' })"
        )
        self.browser.ask(script, selector)
        self.settle()

    def keep(self, step: str) -> None:
        """Keep a picture of the window."""
        self.settle()
        self.browser.picture(PICTURES / f"{self.browser.name}_{step}.png")

    def step(self, name: str, act: Callable[[], None]) -> None:
        """Do one step, and tell what came of it."""
        faults = []
        try:
            act()
        except (FaultError, BrowserError) as error:
            faults.append(str(error))
        faults += self.browser.complaints()
        print(f"{self.browser.name}: {name}: {'ok' if not faults else 'FAILED'}", flush=True)
        self.faults += [f"{self.browser.name}: {name}: {fault}" for fault in faults]

    # -- the steps

    def pages(self) -> None:
        """Every page with a figure draws, and lays its formulas out."""
        pages = [path.relative_to(SITE).as_posix() for path in sorted(SITE.glob("chapters/**/*.html"))]
        for page in pages:
            if 'class="live"' in (SITE / page).read_text("utf-8"):
                self.step(page, lambda page=page: self.page(page))

    def page(self, page: str) -> None:
        self.open(page)
        expect(*self.browser.ask(DRAWN), *self.browser.ask(FORMULAS))
        if page == PAGE:
            self.keep("page")

    def question(self) -> None:
        """A question is answered by the keyboard, and then its figure shows the curves that have waited."""
        self.open(PAGE)
        right = self.browser.ask(RIGHT, MAIN)
        before = self.state()["seen"]
        self.show(right)
        self.keep("question")
        self.browser.press("Space", "Enter")
        said = self.browser.ask("return document.querySelector(arguments[0]).closest('.predict').innerText", right)
        expect(*([] if "That is right." in said else ["the right answer got no reply that says so"]))
        after = self.state()["seen"]
        expect(*([] if after > before else [f"{after} curves are seen after the answer, and {before} before it"]))
        self.keep("answer")

    def keyboard(self) -> None:
        """Arrow keys on a slider move the curves and the readings; the page stands as the question has left it."""
        self.show(f"#{MAIN} [type=range][name=sigma]")
        before = self.state()
        self.browser.press("Right", "Right", "Right")
        self.settle()
        after = self.state()
        same = [part for part in ("curves", "reading") if before[part] == after[part]]
        expect(*(f"three arrow keys left the {part} as they were" for part in same))
        self.keep("keyboard")

    def present(self) -> None:
        """A key puts the figure in front of a class, at its question; Page Down goes on, and Escape comes back."""
        self.browser.ask("document.documentElement.requestFullscreen = undefined")  # it needs a manager of windows
        self.browser.press("f")
        self.settle()
        first = self.state()
        expect(*([] if first["presenting"] else ["the key F does not put the figure in front of a class"]))
        self.keep("present_first_step")
        self.browser.press("PageDown", "PageDown")
        self.settle()
        later = self.state()
        expect(*([] if first["step"] != later["step"] else ["Page Down does not go on"]))
        self.keep("present_third_step")
        self.browser.press("Escape")
        self.settle()
        expect(*(["Escape does not come back"] if self.state()["presenting"] else []))

    def all(self) -> list[str]:
        """Do every step, and return what failed."""
        self.pages()
        for name in ("question", "keyboard", "present"):
            self.step(name, getattr(self, name))
        return self.faults


def expect(*faults: str) -> None:
    """Fail with these faults, if there are any."""
    if faults:
        raise FaultError("; ".join(faults))


def main(names: list[str]) -> int:
    """Walk in these browsers, or in all; the exit status is 1 where something failed."""
    browsers = {kind.name: kind for kind in (Firefox, WebKit)}
    if unknown := [name for name in names if name not in browsers]:
        print(f"BROWSER must be one of {', '.join(browsers)}, got {' '.join(unknown)}", file=sys.stderr)
        return 2
    if not (SITE / PAGE).exists():
        print("the book is not built: run `make book` first", file=sys.stderr)
        return 2
    PICTURES.mkdir(parents=True, exist_ok=True)
    faults = []
    for name in names or browsers:
        try:
            with browsers[name]() as browser:
                print(f"{name} {browser.version}", flush=True)
                faults += Walk(browser).all()
        except (MissingError, BrowserError) as error:
            faults.append(f"{name}: {error}")
    print(*faults, f"Look at the pictures in {PICTURES.relative_to(ROOT)}.", sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
