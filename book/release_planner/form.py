"""The release planner: the directive ``desk`` shows the form, and the page that has it loads three scripts as one.

entries.js reads what is typed, answers.js computes and writes the answer, and form.js is the form. What they compute is
dp_lib's: tapes made here of the functions in `accounts`. The tape of training and losses.js, which composes losses, are
a script of their own, loaded when it is needed: browsers let no page that was opened from a disk fetch a file.
"""

import json
import tomllib
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.release_planner.accounts import COINS, GAUSSIAN, LAPLACE, MOVES, SAMPLERS, TRAIN, tape
from livefigures.page import bundle

HERE = Path(__file__).parent
SCRIPTS = ("entries.js", "answers.js", "form.js")  # in the order of loading
TRAINING = ("losses.js",)  # loaded for "I train a model" alone
COUNTED = "counts,histogram,sums,means"
NOISY = f"{COUNTED},tables"
ASKED = "door:release,target"  # when a field of a release or a target is asked for
WITH_NOISE = f"{ASKED};what:{NOISY}"


class Field(NamedTuple):
    """An input of the form: `rule` is one of entries.js, `when` says at which doors and choices it is asked."""

    name: str
    label: str
    value: str
    rule: str
    when: str


class Choice(NamedTuple):
    """A list to choose from: value and words of each."""

    name: str
    label: str
    options: dict[str, str]
    when: str


DOORS = {
    "release": "I release answers",
    "train": "I train a model",
    "target": "I have a target for answers",
    "claim": "I read a claim",
}
FIELDS = [
    Choice(
        "what",
        "What is released",
        {
            "counts": "counts",
            "histogram": "histogram",
            "tables": "tables (each person in one cell of each)",
            "sums": "sums of clipped values",
            "means": "means of clipped values",
            "polls": "yes-or-no poll by randomized response",
            "choice": "best of some options",
        },
        ASKED,
    ),
    Choice(
        "mechanism",
        "Noise",
        {"gaussian": "Gaussian", "laplace": "Laplace", "discrete": "discrete Gaussian"},
        WITH_NOISE,
    ),
    Choice(
        "neighbours",
        "Neighbours: one person is",
        {"replace": "replaced by another", "remove": "added or removed"},
        f"{ASKED};what:{NOISY},choice",
    ),
    Field("tables", "Number of tables", "3", "count", f"{ASKED};what:tables"),
    Field("cells", "Number of cells in all tables together", "42", "count", f"{ASKED};what:tables"),
    Field("k", "Number of answers (cells, questions)", "20", "count", f"{ASKED};what:{COUNTED},polls,choice"),
    Field("m", "How many of them one person can be in", "all", "among", f"{ASKED};what:{COUNTED},polls"),
    Field("rows", "Largest change of an answer by one person", "1", "count", f"{ASKED};what:counts,histogram,tables"),
    Field("low", "Smallest value of a person", "0", "real", f"{ASKED};what:sums,means"),
    Field("high", "Largest value of a person", "1", "real", f"{ASKED};what:sums,means"),
    Choice(
        "span",
        "The run is given by",
        {"epochs": "batches and epochs", "steps": "batches and steps", "rate": "a sampling rate and steps"},
        "door:train",
    ),
    Field("options", "Options to choose from", "10", "count", f"{ASKED};what:choice"),
    Field(
        "n",
        "Number of people (examples) in the data",
        "60000",
        "count",
        f"{ASKED};what:means,polls|door:train;span:epochs,steps",
    ),
    Field("batch", "Batch size", "256", "count", "door:train;span:epochs,steps"),
    Field("q", "Sampling rate", "0.01", "rate", "door:train;span:rate"),
    Field("epochs", "Epochs", "30", "positive", "door:train;span:epochs"),
    Field("steps", "Steps", "7000", "count", "door:train;span:steps,rate"),
    Choice("solve", "Find", {"epsilon": "ε from the noise", "noise": "the noise for an ε"}, "door:train"),
    Field("noise", "Noise multiplier", "1.1", "positive", "door:train;solve:epsilon"),
    Choice(
        "sampler",
        "How batches are really drawn",
        {name: asked for name, (asked, _, _) in SAMPLERS.items()},
        "door:train",
    ),
    Field("runs", "Runs on the same data, tuning included", "1", "count", "door:train"),
    Field(
        "sigma", "σ, standard deviation of the noise", "18.9", "positive", "door:release;mechanism:gaussian,discrete"
    ),
    Field("scale", "b, scale of the noise", "20", "positive", "door:release;mechanism:laplace"),
    Field("epsilon_0", "ε of each answer", "0.5", "epsilon", "door:release;what:polls,choice"),
    Choice(
        "goal",
        "The target is",
        {"epsilon": "ε, with a δ where one is needed", "rho": "ρ of zCDP", "mu": "μ of Gaussian DP"},
        f"door:target;what:{NOISY}",
    ),
    Field("epsilon", "ε (epsilon)", "1", "epsilon", "door:target;goal:epsilon|door:train;solve:noise|door:claim"),
    Field("rho", "ρ", "0.05", "positive", "door:target;goal:rho"),
    Field("mu", "μ", "0.25", "positive", "door:target;goal:mu"),
    Field("delta", "δ (delta)", "1e-6", "fraction", ""),
    Field("prior", "An attacker's belief about you beforehand, in %", "50", "percent", "door:claim"),
    Field("typical", "Size of a typical answer (optional)", "", "maybe", WITH_NOISE),
    Field("times", "How often in all (years, releases)", "1", "count", "door:release,target,claim"),
    Choice("spread", "The target is for", {"all": "all times together", "each": "each time"}, "door:target"),
]
ROWS = {
    "warning": "Warning",
    "sigma": "Noise σ",
    "scale": "Noise scale b",
    "instead": "With the other kind of noise",
    "truth": "True answer with probability",
    "epsilon_0": "ε of each answer",
    "noise": "Noise multiplier",
    "epsilon": "ε",
    "delta": "δ",
    "binding": "What holds",
    "sensitivity": "Sensitivity of all answers together",
    "steps": "Steps",
    "rate": "Sampling rate",
    "lower": "No proof can claim less than ε =",
    "deviation": "Standard deviation of an answer",
    "interval": "In 95 of 100 answers, the noise is within ±",
    "relative": "As a share of a typical answer",
    "own": "The belief that you entered can become",
    "belief": "A belief of 50 % can become",
    "tenth": "A belief of 10 % can become",
    "rare": "The odds change by a factor of more than 2 exp(ε) with probability at most",
    "beyond": "An attacker's odds change by a factor of more than exp(ε) with probability",
    "total": "ε of all times together",
}


BLANKS = '<p class="desk-blanks" data-answer="blanks"></p>'


def _field(field: Field | Choice) -> str:
    ident = f"desk--{field.name}"
    label = f'<label for="{ident}">{escape(field.label)}</label>'
    told = f"{ident}-problem {ident}-echo"
    rest = f'id="{ident}" name="{field.name}" autocomplete="off" aria-describedby="{told}"'
    if isinstance(field, Choice):
        options = "".join(f'<option value="{name}">{escape(words)}</option>' for name, words in field.options.items())
        entry = f"<select {rest}>{options}</select>"
    else:
        # The whole keyboard: 1/1000, ln 3, 1e-6, 2.5 % and 20 000 are understood.
        entry = f'<input type="text" {rest} value="{field.value}" data-rule="{field.rule}" spellcheck="false">'
    notes = f'<span class="desk-problem" id="{ident}-problem"></span><span class="desk-echo" id="{ident}-echo"></span>'
    ask = f'<div class="desk-ask" role="group" aria-labelledby="{ident}-problem"></div>'
    return f'<div class="desk-field" data-field="{field.name}">{label}{entry}{notes}{ask}</div>'


def form() -> str:
    """The planner as HTML; it is seen when its script has filled it."""
    doors = "".join(
        f'<label><input type="radio" name="door" value="{name}" autocomplete="off"> {words}</label>'
        for name, words in DOORS.items()
    )
    rows = "".join(
        f'<div hidden><dt>{escape(label)}</dt><dd data-answer="{name}"></dd></div>' for name, label in ROWS.items()
    )
    texts = "".join(
        f'<div class="desk-text"><h3 class="desk-heading" id="desk--{name}">{title}</h3>'
        f'<div class="highlight"><pre tabindex="0" role="group" aria-labelledby="desk--{name}" data-answer="{name}">'
        "</pre></div>"
        f"{BLANKS if name == 'sentence' else ''}</div>"
        for name, title in {
            "sentence": "The sentence to publish",
            "python": "The same in Python",
            "opacus": "In Opacus",
            "dp-accounting": "In dp-accounting",
        }.items()
    )
    return (
        f'<div id="desk"><form><fieldset class="desk-doors"><legend>Where do you begin?</legend>{doors}'
        '</fieldset><p class="desk-status"></p><p class="desk-said" role="status"></p>'
        f'<div class="desk-fields">{"".join(map(_field, FIELDS))}</div></form>'
        '<div class="desk-answers" role="region" aria-labelledby="desk--result"><h2 id="desk--result">Your result</h2>'
        '<button type="button" class="desk-present">Present</button>'
        f"<dl>{rows}</dl>"
        '<div class="desk-scroll"><table><caption>Other accounts of the same release</caption><thead><tr>'
        "<th>account</th><th>value</th><th>what it is</th></tr></thead>"
        f'<tbody data-answer="accounts"></tbody></table></div>{texts}</div>'
        f'<script type="application/json" class="desk-data">{_json(page_data())}</script></div>'
    )


def page_data() -> dict[str, Any]:
    """Return what the page's scripts are told: tapes, fields, labels of the answer's rows, samplers and version."""
    project = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    tapes = {"moves": tape(MOVES), "gaussian": tape(GAUSSIAN), "laplace": tape(LAPLACE), "coins": tape(COINS)}
    fields = [field._asdict() for field in FIELDS]
    return {"tapes": tapes, "samplers": SAMPLERS, "version": project["version"], "fields": fields, "rows": ROWS}


def _json(content: Any) -> str:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("&", "\\u0026")


class Desk(SphinxDirective):
    """The directive ``desk``."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(__file__)
        return [nodes.raw("", form(), format="html")]


def script(names: tuple[str, ...] = SCRIPTS) -> str:
    """Return scripts of the planner as one, as they are: jsmin takes blanks out of templates within templates."""
    sources = [(HERE / name).read_text("utf-8") for name in names]
    return bundle.STRICT + "\n".join(source.replace(bundle.STRICT, "") for source in sources)


def write(app: Sphinx) -> None:
    """Write the planner's script and style, and the script of "I train a model", with its tape."""
    if app.builder.format == "html":
        folder = Path(app.outdir, "_static")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "desk.js").write_text(script(), "utf-8")
        (folder / "desk.css").write_text(bundle.style_of([HERE / "form.css"]), "utf-8")
        training = f"{script(TRAINING)}\nglobalThis.deskTrain = {_json(tape(TRAIN))};\n"
        (folder / "desk-train.js").write_text(training, "utf-8")


def add_to_page(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """The player of tapes, then the planner's own script and style, on the page that has the form."""
    if app.builder.format == "html" and '<div id="desk"' in context.get("body", ""):
        app.add_css_file("desk.css")
        app.add_js_file("live.js", loading_method="defer")
        app.add_js_file("desk.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("desk", Desk)
    app.connect("builder-inited", write)
    app.connect("html-page-context", add_to_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
