"""One typed line: Python reads it, a list says what a formula may consist of, and Python evaluates it.

    weight = np.exp(-rate * t)
    weight / (1 + weight)
    np.tanh(t) <= t

Python's own tree is rewritten where a formula means NumPy: `a if t < 1 else b` and `0 < t < 1` choose and compare point
by point. reader.js reads the same lines on a page; what it accepts has the same value here, which a test compares.
"""

import ast
import copy
import functools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from livefigures.declare.parts import FigureError
from livefigures.formulas import vocabulary
from livefigures.trace.tracing import UFUNCS, NotTraceable, Traced

LONGEST = 1000  # characters of a line
ROUNDING = 1e-9  # relative: numbers so near are equal where a claim is checked
MOST_TERMS = 200  # of a `for` within min, max or sum
_TRUTHS = {"lt", "le", "eq", "ne", "and", "or", "xor", "not", "isnan", "isinf", "isfinite"}
_COMPARED: dict[str, Callable] = {
    "Lt": np.less,
    "LtE": np.less_equal,
    "Gt": np.greater,
    "GtE": np.greater_equal,
    "Eq": np.equal,
    "NotEq": np.not_equal,
}
# What a line may consist of; all else of Python's language is rejected.
_ALLOWED = """
    Constant Name Load Store BinOp Add Sub Mult Div FloorDiv Mod Pow UnaryOp USub UAdd Not BoolOp And Or
    Compare Lt LtE Gt GtE Eq NotEq IfExp Tuple List Attribute Subscript Call keyword Lambda arguments arg
    GeneratorExp comprehension
"""
_FOREIGN = re.compile(r"[^A-Za-z0-9_+\-*/%().,\[\]<>=!: \t]")
# A number in another base, or that runs into a name or "_"; a name that begins with "_", or is too long.
_NO_WORD = re.compile(
    r"(?<![\w.])(0[0-9_]|0[xXoObB]|[0-9]+(_[0-9]+)*([A-DF-Za-df-z]|_(?![0-9])))"
    r"|(?<!\w)_|(?<![\w.])[A-Za-z]\w{30}"
)


class FormulaError(FigureError):
    """A line that is no formula: what is wrong, and at which character."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message, self.at = message, at


@dataclass(frozen=True)
class Line:
    """One line that was read: the name that it gives ("" if none), its expression, and that as a program."""

    text: str
    name: str
    node: ast.expr
    code: CodeType

    @property
    def names(self) -> list[str]:
        """The names that it takes from elsewhere, in reading order: steps and sliders."""
        return list(dict.fromkeys(node.id for node in _free(self.node, frozenset())))


def elementwise() -> dict[str, SimpleNamespace]:
    """Return NumPy's and SciPy's functions that stand in a formula, as `np` and `special`."""
    found: dict[str, dict[str, Any]] = {"np": {"where": np.where, "pi": np.pi, "e": np.e}, "special": {}}
    for full, ufunc in ufuncs().items():
        module, name = full.split(".")
        found[module][name] = ufunc
    return {module: SimpleNamespace(**functions) for module, functions in found.items()}


def ufuncs() -> dict[str, np.ufunc]:
    """Return the elementwise functions that give numbers, by the names that a formula calls them."""
    found: dict[str, np.ufunc] = {"np.abs": np.absolute}
    for ufunc, name in UFUNCS.items():
        if name not in _TRUTHS:
            module = "np" if getattr(np, ufunc.__name__, None) is ufunc else "special"
            found[f"{module}.{ufunc.__name__}"] = ufunc
    return found


def read(text: str) -> Line:
    """Read a line; FormulaError says which character no formula can have there.

    >>> read("weight = np.exp(-rate * t)").names
    ['rate', 't']
    """
    if len(text) > LONGEST:
        raise FormulaError(f"a line has at most {LONGEST} characters", LONGEST)
    if found := _FOREIGN.search(text) or _NO_WORD.search(text):
        raise FormulaError(f"{found[0]!r} has no meaning here", found.start())
    indent = len(text) - len(text.lstrip())
    try:
        body = ast.parse(text.strip()).body
        if len(body) != 1:
            raise FormulaError("one formula a line", 0)
        name, node = _split(body[0], indent)
        _check(node, indent)
        tree = ast.fix_missing_locations(ast.Expression(_Rewritten().visit(copy.deepcopy(node))))
        return Line(text, name, node, compile(tree, "<formula>", "eval"))
    except SyntaxError as error:
        raise FormulaError("this is no formula", indent + (error.offset or 1) - 1) from error
    except (RecursionError, MemoryError) as error:
        raise FormulaError("too many brackets within brackets", 0) from error


def _split(statement: ast.stmt, indent: int) -> tuple[str, ast.expr]:
    """Return the name that a line gives, "" if none, and its expression."""
    if isinstance(statement, ast.Expr):
        return "", statement.value
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id, statement.value
    raise FormulaError("a line is a formula, or a name = a formula", indent)


def _check(root: ast.expr, indent: int) -> None:
    """Reject what is no part of a formula, and a comparison where a number belongs."""
    conditions = [root]  # where a comparison may stand
    for node in ast.walk(root):
        at = indent + getattr(node, "col_offset", 0)
        if type(node).__name__ not in _ALLOWED.split() or getattr(node, "ifs", None):
            raise FormulaError("this is no part of a formula here", at)
        if compares(node) and node not in conditions:
            raise FormulaError("a comparison is no number: write 1 if a < b else 0", at)
        if isinstance(node, ast.Constant) and not (type(node.value) in (int, float) and abs(node.value) < 1e308):
            large = type(node.value) in (int, float)
            raise FormulaError("this number is too large" if large else "this is no number", at)
        if isinstance(node, ast.IfExp):
            conditions += [node.test]
        elif isinstance(node, ast.BoolOp | ast.UnaryOp) and compares(node):
            conditions += ast.iter_child_nodes(node)
        elif isinstance(node, ast.Call):
            conditions += node.args[: ast.unparse(node.func) == "np.where"]
            _check_call(node, at)


def _check_call(node: ast.Call, at: int) -> None:
    """Reject a call of anything but a module's function and Python's own few."""
    if isinstance(node.func, ast.Name):
        if node.func.id not in _BUILTINS:
            raise FormulaError(f"no function is called {node.func.id} here", at)
        if node.func.id == "range" and not all(map(_literal, node.args)):
            raise FormulaError("a plain number belongs here, as in range(2, 65)", at)
    elif not (isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)):
        called = vocabulary.known.example.partition("(")[0]
        raise FormulaError(f"only functions of a module are called, such as {called}(...)", at)


class _Rewritten(ast.NodeTransformer):
    """Python's tree with NumPy's functions for what Python decides once and a curve point by point.

    No name in a line begins with an underscore, so none of these functions can be typed.
    """

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return _call("_number", node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        pairs = zip(node.ops, [node.left, *node.comparators], node.comparators, strict=False)
        return _call("_all", *(_call(f"_{type(sign).__name__}", a, b) for sign, a, b in pairs))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        return _call("_all" if isinstance(node.op, ast.And) else "_any", *node.values)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return _call("_not", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        return _call("_where", node.test, node.body, node.orelse)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        return _call("_part", node.value, ast.Constant(node.attr))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        node.args = [self.visit(given) for given in node.args]
        node.keywords = [self.visit(given) for given in node.keywords]
        return node  # the function's own name stays

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        return _call("_item", node.value, node.slice)


def _call(name: str, *given: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [*given], []), given[0])


def _part(owner: Any, name: str) -> Any:
    """Return a pair's number by its name, or a module's constant, and no other attribute of anything."""
    if not isinstance(owner, ModuleType | SimpleNamespace) and name not in getattr(owner, "_fields", ()):
        raise TypeError(f"this has no {name}")
    return getattr(owner, name)


def _item(pair: Any, index: Any) -> Any:
    if not isinstance(pair, tuple) or isinstance(index, tuple) or index not in range(len(pair)):
        raise TypeError("only a pair has a [0] and a [1]")
    return pair[int(index)]


def _range(*ends: float) -> list[np.float64]:
    places = range(*(int(end) if end == int(end) else end for end in ends))
    if not 1 <= len(places) <= MOST_TERMS:
        raise ValueError(f"from 1 to {MOST_TERMS} terms")
    return [np.float64(place) for place in places]


def _reduced(ufunc: np.ufunc) -> Callable:
    """Return Python's min and its like, by NumPy's rules: NaN in, NaN out."""
    return lambda first, *others: functools.reduce(ufunc, (first, *others) if others else first)


_BUILTINS: dict[str, Callable] = {"abs": np.absolute, "range": _range}
_BUILTINS |= {"min": _reduced(np.minimum), "max": _reduced(np.maximum), "sum": _reduced(np.add)}
_MEANING: dict[str, Any] = {
    "__builtins__": {},
    "_number": np.float64,
    "_all": lambda *truths: functools.reduce(np.logical_and, truths),
    "_any": lambda *truths: functools.reduce(np.logical_or, truths),
    "_not": np.logical_not,
    "_where": lambda test, a, b: np.where(test, a, b)[()],
    "_part": _part,
    "_item": _item,
    **{f"_{sign}": ufunc for sign, ufunc in _COMPARED.items()},
    **_BUILTINS,
}


def evaluate(
    line: Line, names: Mapping[str, Any], modules: Mapping[str, Any], meaning: Mapping[str, Any] = _MEANING
) -> Any:
    """Return the line's value; names stand for numbers, arrays or traced values."""
    indent = len(line.text) - len(line.text.lstrip())
    for message, node in _unknown(line.node, names, modules):
        raise FormulaError(message, indent + node.col_offset)
    try:
        with np.errstate(all="ignore"):
            found = eval(line.code, {**names, **modules, **meaning})
    except NotTraceable:  # its message says what to write instead
        raise
    except (TypeError, ValueError, AttributeError) as error:  # a pair where a number belongs, or the other way round
        raise FormulaError(str(error), indent + _column(error)) from error
    if isinstance(found, tuple | Traced) or callable(found):
        return found
    if _literal(line.node) and not np.isfinite(found):
        raise FormulaError("this gives no number", 0)
    return np.asarray(found)[()]


def holds(line: Line, names: Mapping[str, Any], modules: Mapping[str, Any]) -> NDArray:
    """Return where a comparison holds: numbers that differ by rounding are equal, and nothing is claimed at a gap."""
    gaps: list[NDArray] = []

    def nearly(sign: str) -> Callable:
        def compare(a: Any, b: Any) -> NDArray:
            gaps.extend([np.isnan(a), np.isnan(b)])
            near = np.isclose(a, b, rtol=ROUNDING, atol=0)
            return np.where(near, sign in ("LtE", "GtE", "Eq"), _COMPARED[sign](a, b))

        return compare

    truth = evaluate(line, names, modules, {**_MEANING, **{f"_{sign}": nearly(sign) for sign in _COMPARED}})
    return functools.reduce(np.logical_or, gaps, truth)


def _unknown(root: ast.expr, names: Mapping[str, Any], modules: Mapping[str, Any]) -> Iterator[tuple[str, ast.expr]]:
    """What a line names and nobody has."""
    for name in _free(root, frozenset()):
        if name.id not in names:
            known = name.id in modules
            yield f"{name.id} is a module" if known else f"nothing here is called {name.id}", name
    called = [node.func for node in ast.walk(root) if isinstance(node, ast.Call)]
    for node in ast.walk(root):
        own = node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else getattr(node, "arg", None)
        if own in modules and not isinstance(node, ast.keyword):
            yield f"{own} is a module", node
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module, function = node.value.id, node in called
            if function and module not in modules:
                yield f"no module is called {module} here", node
            found = getattr(modules.get(module), node.attr, None)
            if module in modules and not (_is_function(found) if function else isinstance(found, float)):
                yield f"{module} has no {node.attr}" if function else f"{module}.{node.attr} is no number", node


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, type)


def _column(error: BaseException) -> int:
    """Return where in the line Python gave up."""
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename != "<formula>":
        trace = trace.tb_next
    return [*trace.tb_frame.f_code.co_positions()][trace.tb_lasti // 2][2] or 0 if trace else 0


def is_truth(value: Any) -> bool:
    """Return whether this is what a comparison gives."""
    if isinstance(value, tuple) or callable(value):
        return False
    return (value._dtype if isinstance(value, Traced) else np.asarray(value).dtype) == np.bool_


def kind(node: ast.expr) -> str:
    """Return what number a line is: the called function's or the part's name; "" of all that is computed from them."""
    named = node.func if isinstance(node, ast.Call) else node
    return named.attr if isinstance(named, ast.Attribute) else ""


def compares(node: ast.AST) -> bool:
    """Return whether an expression is a comparison, or several joined."""
    return isinstance(node, ast.Compare | ast.BoolOp) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )


def sides(line: Line) -> list[Line]:
    """Return what a comparison compares, a line each, but for numbers and plain names; reader.js has the same rule.

    >>> [side.text for side in sides(read("np.tanh(t) <= best"))]
    ['np.tanh(t)']
    """
    if line.name or not isinstance(line.node, ast.Compare):
        return []
    nodes = [node for node in (line.node.left, *line.node.comparators) if not isinstance(node, ast.Name)]
    texts = [ast.get_source_segment(line.text.strip(), node) for node in nodes if not _literal(node)]
    return [read(text) for text in texts if text]


def _free(node: ast.AST, bound: frozenset[str]) -> Iterator[ast.Name]:
    """The names that the expression does not bind itself; modules and builtins are called, not taken."""
    if isinstance(node, ast.Name):
        yield from [] if node.id in bound else [node]
    elif isinstance(node, ast.Lambda):
        yield from _free(node.body, bound | {argument.arg for argument in node.args.args})
    elif isinstance(node, ast.GeneratorExp):
        own = {each.id for part in node.generators for each in ast.walk(part.target) if isinstance(each, ast.Name)}
        yield from (name for part in node.generators for name in _free(part.iter, bound))
        yield from _free(node.elt, bound | own)
    elif isinstance(node, ast.Call):
        for part in (*node.args, *(keyword.value for keyword in node.keywords)):
            yield from _free(part, bound)
    elif not (
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("np", "special")
    ):
        for child in ast.iter_child_nodes(node):
            yield from _free(child, bound)


def _literal(node: ast.AST) -> bool:
    """Return whether only numbers stand here."""
    if isinstance(node, ast.BinOp):
        return _literal(node.left) and _literal(node.right)
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and _literal(node.operand)
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)
