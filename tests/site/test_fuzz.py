"""Addresses that nobody meant, in a real browser: figures keep their ranges, and the page its elements."""

import random

import pytest
from test_page_js import figure_of_marks, looked_up_figure, teachers_figure
from waiting import wait_until

from dp_lib import live

MARK = "zqx"  # what the hostile pieces carry: it must be found nowhere on the page
FIGURES = ["teachers", "looked-up", "marked", "chosen"]
HOSTILE = [
    f"<script>{MARK}()</script>",
    f"<img src=x onerror={MARK}()>",
    f"'\"><svg onload={MARK}()>",
    f"javascript:{MARK}()",
    f"%3Cscript%3E{MARK}()%3C/script%3E",
    f"&lt;b&gt;{MARK}",
    f"${{{MARK}}}",
    "__proto__",
    "constructor",
    "prototype",
    "hasOwnProperty",
    "toString",
    "valueOf",
    "length",
    "%E0%A4%A",
    "%",
    "%00",
    "\0",
    "\u202e\u0000\ufeff",
    "정보😀",
    "",
    " ",
    "null",
    "undefined",
]
NUMBERS = ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e-999", "1e308", "5e-324", "-0", "0", "1", "2", "2.5"]
NUMBERS += ["3", "3.0000001", "-3", "+3", "0x10", "0b11", "1_000", "١٢", "1e", "1e5", "--1", ".5", "5.", "1,5", "%33"]
NUMBERS += ["true", "[]", "{}", "laplace", "gaussian", "GAUSSIAN", "1e-5", "40", "301", "9" * 400, " 3", "3 "]
NAMES = ["sigma", "k", "k", "t", "noise", "delta", "x", "Sigma", "σ"]
VERBS = [*[""] * 9, "keep=", "present=", "play=", "figure=", "set=", "#"]


def setting(rng):
    if rng.random() < 0.4:
        return f"{rng.choice(NAMES)}={rng.choice([rng.randrange(1, 50), rng.randrange(1, 6), 'gaussian', '1e-5'])}"
    name, equals = rng.choice(NAMES + HOSTILE[:12]), rng.choice(["=", "=", "=", "==", "", ":"])
    return name + equals + rng.choice(NUMBERS + HOSTILE)


def piece(rng):
    name = rng.choice(FIGURES * 8 + HOSTILE + ["nosuch", "TEACHERS"])
    settings = ",".join(setting(rng) for _ in range(rng.choice([0, 1, 1, 2, 3, 30])))
    return rng.choice(VERBS) + name + rng.choice([*[":"] * 9, "", "::", "="]) + settings


def fragments(count):
    """Mostly near the grammar, where mistakes would be; some far from it; a few enormous."""
    rng = random.Random(2026)
    for number in range(count):
        text = ";".join(piece(rng) for _ in range(rng.choice([1, 1, 2, 5])))
        if number % 4 == 0:  # a valid one, then torn
            text = rng.choice(
                ["teachers:sigma=7,k=30", "chosen:noise=gaussian,delta=1e-4", "marked:t=2;keep=marked:t=1"]
            )
            place = rng.randrange(len(text) + 1)
            text = (
                text[:place]
                + rng.choice([*";:,=#&%", MARK, *HOSTILE, *NUMBERS, ""])
                + text[place + rng.choice([0, 0, 1]) :]
            )
        if number % 10 == 0:
            text = "".join(
                chr(rng.choice([rng.randrange(32, 127), rng.randrange(0xD7FF)])) for _ in range(rng.randrange(80))
            )
        if number % 500 == 0:
            text = rng.choice([";", "teachers:k=3;", ":,=", "teachers:" + "k=1," * 9, MARK]) * 25_000
        yield text.encode("utf-8", "replace").decode()


def chosen_figure():
    """A figure with a choice and a logarithmic slider, whose values have an own form in addresses."""
    return live.Figure(
        name="chosen",
        x=live.k(1, 50, at=10),
        y=("y", 0, 60),
        sliders=[live.choice("noise", ("Laplace", "Gaussian")), live.delta(1e-9, 1e-3, at=1e-5)],
        curves={"line": lambda noise, k, delta: k + noise - delta},
    )


STATE = """
const figures = [...document.querySelectorAll("figure.live")].map((element) => element.live);
const wrong = () => {
  const found = [];
  for (const { data, values } of figures) {
    const names = Object.keys(values).join();
    if (names !== Object.keys(data.sliders).join()) found.push(`${data.name} has ${names}`);
    for (const [name, value] of Object.entries(values)) {
      const { low, high, integer, snaps, stops } = data.sliders[name];
      const fits = typeof value === "number" && value >= low && value <= high && (!integer || Number.isInteger(value));
      if (!fits || (snaps && !stops.includes(value))) found.push(`${data.name}: ${name} = ${value}`);
    }
  }
  const note = document.querySelector(".live-lost"); // it says what of the address is lost, as text
  if (note?.querySelector(":not(p, ul, li, button)")) found.push("the address made an element");
  if ("zqx" in window) found.push("a script of the address ran");
  for (const name in {}) found.push(`every object has a ${name}`);
  return found;
};
const marks = (part) => part?.outerHTML.split("zqx").length ?? 1;
const entered = () =>
  marks(document.documentElement) > marks(document.querySelector(".live-lost")) ? ["the address is in the page"] : [];
// A figure may gain what it keeps; nothing else may come or go, and nothing anywhere that loads or runs.
const census = () =>
  document.querySelectorAll("*:not(figure.live *, .live-lost, .live-lost *)").length +
  document.querySelectorAll("figure.live :is(script, img, image, iframe, object, embed, link, style, a, svg)").length;
"""


@pytest.fixture
def page(show):
    return show(teachers_figure(), looked_up_figure(), figure_of_marks(), chosen_figure())


def test_no_fragment_breaks_a_figure_or_enters_the_page(page):
    script = (
        "(fragments) => {"
        + STATE
        + """
        const before = census();
        const found = [];
        const seen = new Set();
        for (const fragment of fragments) {
          history.replaceState(null, "", "#" + fragment);
          dispatchEvent(new HashChangeEvent("hashchange", { newURL: location.href }));
          const faults = [...wrong(), ...(fragment.includes("zqx") ? entered() : [])];
          if (census() !== before) faults.push(`${census()} elements, not ${before}`);
          if (faults.length) found.push([fragment.slice(0, 200), faults]);
          seen.add(JSON.stringify(figures.map((figure) => figure.values)));
        }
        return [[...found, ...entered()], seen.size];
    }"""
    )
    found, seen = page.evaluate(script, list(fragments(3000)))
    assert found == []
    assert seen > 100, "hardly any fragment set a slider: this is no test of those that do"


def test_no_query_enters_the_page(page):
    start = page.url.split("#")[0]
    addresses = [f"?figure={piece}" for piece in HOSTILE]
    addresses += [
        f"?{MARK}&figure=teachers&figure=<b>{MARK}#teachers:sigma=<i>{MARK}",
        "?figure=teachers#figure=teachers",
    ]
    addresses += ["?" + "figure=nosuch&" * 7000, "#" + "k=1," * 25_000]
    for address in addresses:
        page.goto(start + address)
        wait_until(page, "Boolean(document.querySelector('figure.live').live)")
        assert page.evaluate("() => {" + STATE + "return [...wrong(), ...entered()]; }") == [], address[:200]
