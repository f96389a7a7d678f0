"""The reference page, made from dp_lib's docstrings: the directive ``reference`` lists one module.

    ```{reference} zcdp
    ```

Sphinx's own autodoc reads docstrings as reStructuredText, where |x| and lambda_ mean something else; dp_lib's are plain
text with `code` in it. What they say becomes an entry of Sphinx's Python domain, with an anchor, a place in the search,
and the target of {py:func}`zcdp.epsilon`.
"""

import importlib
import inspect
import re
from functools import partial
from operator import attrgetter
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import dp_lib

# The public modules; test_new_public_module.py compares every other list with them. live is no part of the mathematics.
NAMES = sorted(each.name for each in iter_modules(dp_lib.__path__) if each.name[0] != "_" and each.name != "live")
# What a module shows besides the functions and classes that it defines, or instead of them.
_SHOWN = {
    "domain": ["DomainError"],
    "live": [
        *("Figure", "Figure.values", "Curve", "Band", "Point", "Line", "Cloud", "Claim", "equal", "at_most", "Game"),
        *("Slider", "choice", "workbench", "sigma", "scale", "epsilon", "delta", "alpha", "rho", "mu", "q", "k", "n"),
        *("FigureError", "NotTraceable"),
    ],
}
_NOT_CALLED = ("PrivacyLoss",)  # its class methods make it
_ERRORS = {"DomainError": "domain", "FigureError": "live"}


def module(name: str) -> ModuleType:
    """A module of dp_lib by its short name."""
    return importlib.import_module(f"dp_lib.{name}")


def public(name: str) -> dict[str, Any]:
    """What readers may call in a module, in the order of its source; methods as `Class.method`.

    >>> list(public("domain"))
    ['DomainError']
    >>> list(public("pld"))[:4]
    ['Bracket', 'PrivacyLoss', 'PrivacyLoss.gaussian', 'PrivacyLoss.laplace']
    """
    home = module(name)
    if name in _SHOWN:
        return {each: attrgetter(each)(home) for each in _SHOWN[name]}
    own = {
        each: value
        for each, value in vars(home).items()
        if each[0] != "_"
        and (inspect.isfunction(value) or inspect.isclass(value))
        and (value.__module__ == home.__name__ or each in getattr(home, "__all__", ()))  # a package's front door
    }
    shown = {}
    for each, value in own.items():
        shown |= {each: value} | {f"{each}.{method}": function for method, function in _methods(value).items()}
    return shown


def _methods(value: Any) -> dict[str, Any]:
    """A class's own documented methods; a tuple with names has none."""
    if not inspect.isclass(value) or issubclass(value, tuple):
        return {}
    return {name: getattr(value, name) for name in vars(value) if name[0] != "_" and callable(getattr(value, name))}


def arguments(value: Any) -> str:
    """How it is called, in brackets and without types; empty for what a reader does not call.

    >>> arguments(module("rdp").best)
    '(orders, epsilon_bars, delta, tight=True)'
    """
    if isinstance(value, property) or getattr(value, "__name__", "") in _NOT_CALLED or _is_exception(value):
        return ""
    signature = inspect.signature(value)
    untyped = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    untyped = [parameter for parameter in untyped if parameter.name != "self"]
    text = str(signature.replace(parameters=untyped, return_annotation=inspect.Signature.empty))
    return text.replace("<factory>", "{}")


def _is_exception(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, Exception)


def paragraphs(docstring: str) -> list[list[str]]:
    """A docstring's paragraphs, each a list of lines."""
    return [block.split("\n") for block in re.split(r"\n\s*\n", inspect.cleandoc(docstring))]


def in_myst(lines: list[str]) -> str:
    r"""Lines of a docstring as MyST: what is not in backticks stands for itself.

    >>> in_myst(["|x| of `a_b`,", "times *"])
    '\\|x\\| of `a_b`, times \\*'
    """
    pieces = re.split(r"(`[^`]+`)", " ".join(line.strip() for line in lines))
    return "".join(p if p[:1] == "`" else re.sub(r"([\\*_\[\]<>{}$|~^#+=-])", r"\\\1", p) for p in pieces)


def items(lines: list[str]) -> dict[str, list[str]]:
    """The lines "name : text" of a section, with what is indented below each.

    >>> items(["k : how many,", "    a whole number", "slack : a fraction"])
    {'k': ['how many,', '    a whole number'], 'slack': ['a fraction']}
    """
    found: dict[str, list[str]] = {}
    for line in lines:
        name, colon, text = line.partition(" : ")
        if colon and not line.startswith(" "):
            found[name] = [text]
        elif found:
            found[list(found)[-1]].append(line)
        else:
            raise ValueError(f'expected "name : text", got {line!r}')
    return found


def body(docstring: str) -> str:
    """A docstring as MyST: paragraphs, then its sections as a field list, then its examples."""
    text, fields, examples = [], [], []
    for block in paragraphs(docstring):
        if block[0].startswith(">>>"):
            examples += ["```{code-block} pycon", *block, "```"]
        elif len(block) > 1 and set(block[1]) == {"-"}:
            fields += _field(block[0], block[2:])
        elif all(line.startswith("    ") for line in block):
            text += ["```{code-block} python", *(line[4:] for line in block), "```", ""]
        else:
            text += [in_myst(block), ""]
    return "\n".join([*text, *fields, "", *examples])


def _field(title: str, lines: list[str]) -> list[str]:
    if title == "Parameters":
        return [":Parameters:", *(f"  - `{name}`: {in_myst(text)}" for name, text in items(lines).items())]
    if title == "Raises":
        raised = items(lines).items()
        return [f":Raises: {{py:exc}}`~{_ERRORS[name]}.{name}`: {in_myst(text)}" for name, text in raised]
    return [f":{title}: {in_myst(lines)}"]


def about_slider(ready: partial) -> str:
    """What a ready slider is: a `Slider` with its name and words filled in."""
    words = ready.keywords
    kind = ["whole numbers"] * words.get("integer", False) + ["logarithmic"] * words.get("log", False)
    _, side = words.get("toward", ("", ""))
    end = f"its private end is the {side} one" if side else "no end is the private one"
    return f"The slider {words['symbol']}, {words['words']}: " + "; ".join([*kind, end]) + ". The rest as in `Slider`."


def entry(home: str, name: str, value: Any) -> str:
    """One entry as MyST, a directive of Sphinx's Python domain."""
    text = about_slider(value) if isinstance(value, partial) else body(inspect.getdoc(value))
    return f"`````{{py:{_kind(name, value)}}} {home}.{name}{arguments(value)}\n:no-index-entry:\n\n{text}\n`````\n"


def _kind(name: str, value: Any) -> str:
    if inspect.isclass(value):
        return "exception" if _is_exception(value) else "class"
    return "function" if "." not in name else "property" if isinstance(value, property) else "method"


class Reference(SphinxDirective):
    """The directive ``reference``: the module's own words, then an entry for everything public in it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        home = self.arguments[0]
        text = body(module(home).__doc__) + "\n\n" + "\n".join(entry(home, *each) for each in public(home).items())
        found = nodes.container()
        self.state.nested_parse(text.split("\n"), self.content_offset, found)
        return found.children


def setup(app: Sphinx) -> None:
    app.add_directive("reference", Reference)
