"""The grammar of the workbench: one line of Python's own expressions, read and evaluated node by node.

    rho = zcdp.gaussian(sigma)
    zcdp.epsilon(rho * k, delta)
    zcdp.epsilon_tight(rho, delta) <= zcdp.epsilon(rho, delta)

reader.js reads the same lines on a page. What it accepts, this does, and Python does, with the same value; a test
generates lines and compares the three.
"""

import ast
import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from livefigures.declare.parts import FigureError
from livefigures.trace.tracing import UFUNCS, Traced

LONGEST = 1000  # characters of a line
DEEPEST = 50  # brackets, signs and the like within one another
ROUNDING = 1e-9  # relative: numbers so near are equal where a claim is checked
MOST_TERMS = 200  # of a `for` within min, max or sum
_TRUTHS = {"lt", "le", "eq", "ne", "and", "or", "xor", "not", "isnan", "isinf", "isfinite"}
_OPERATORS: dict[type, Callable] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.remainder,
    ast.Pow: np.power,
}
_COMPARED: dict[type, Callable] = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}
_REDUCED: dict[str, Callable] = {"min": np.minimum, "max": np.maximum, "sum": np.add}
_FOREIGN = re.compile(r"[^A-Za-z0-9_+\-*/%().,\[\]<>=!: \t]")
_NO_WORD = re.compile(r"(?<![\w.])(0[0-9]|[0-9]+[A-DF-Zdf-z_a-c]|0[xXoObB])|(?<!\w)_|(?<![\w.])[A-Za-z]\w{30}")


class FormulaError(FigureError):
    """A line that the workbench does not take: what is wrong, and at which character."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message, self.at = message, at


@dataclass(frozen=True)
class Line:
    """One line that was read: the name that it gives ("" if none), and its expression."""

    text: str
    name: str
    node: ast.expr

    @property
    def names(self) -> list[str]:
        """The names that it takes from elsewhere, in reading order: steps and sliders."""
        return list(dict.fromkeys(_free(self.node, frozenset())))


def elementwise() -> dict[str, SimpleNamespace]:
    """NumPy's and SciPy's functions that stand in a formula, as `np` and `special`."""
    found: dict[str, dict[str, Any]] = {"np": {"where": _where, "pi": np.pi, "e": np.e}, "special": {}}
    for full, ufunc in ufuncs().items():
        home, name = full.split(".")
        found[home][name] = ufunc
    return {home: SimpleNamespace(**functions) for home, functions in found.items()}


def ufuncs() -> dict[str, np.ufunc]:
    """The elementwise functions that give numbers, by the names that a formula calls them."""
    found: dict[str, np.ufunc] = {"np.abs": np.absolute}
    for ufunc, name in UFUNCS.items():
        if name not in _TRUTHS:
            home = "np" if getattr(np, ufunc.__name__, None) is ufunc else "special"
            found[f"{home}.{ufunc.__name__}"] = ufunc
    return found


def read(text: str) -> Line:
    """A line as its name and its expression; FormulaError says where the grammar ends.

    >>> read("rho = zcdp.gaussian(sigma)").names
    ['sigma']
    """
    if len(text) > LONGEST:
        raise FormulaError(f"a line has at most {LONGEST} characters", LONGEST)
    if found := _FOREIGN.search(text) or _NO_WORD.search(text):
        raise FormulaError(f"{found[0]!r} has no meaning here", found.start())
    indent = len(text) - len(text.lstrip())
    try:
        body = ast.parse(text.strip()).body
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise FormulaError("this is no formula", indent + (getattr(error, "offset", 1) or 1) - 1) from error
    if len(body) != 1:
        raise FormulaError("one formula a line", 0)
    statement, name = body[0], ""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        name = statement.targets[0].id
    elif not isinstance(statement, ast.Expr):
        raise FormulaError("a line is a formula, or a name = a formula", indent)
    return Line(text, name, statement.value)


def evaluate(line: Line, names: Mapping[str, Any], homes: Mapping[str, Any]) -> Any:
    """The line's value: names stand for numbers, arrays or traced values, homes for the modules of the verbs."""
    return _Evaluation(line.text, homes).value(line.node, dict(names), 0)


def holds(line: Line, names: Mapping[str, Any], homes: Mapping[str, Any]) -> NDArray:
    """Where a comparison holds: numbers that differ by rounding are equal, and nothing is claimed at a gap."""
    walk = _Evaluation(line.text, homes, ROUNDING)
    truth = walk.value(line.node, dict(names), 0)
    return functools.reduce(np.logical_or, walk.gaps, truth)


def is_truth(value: Any) -> bool:
    """Whether this is what a comparison gives."""
    if isinstance(value, tuple) or callable(value):
        return False
    return (value._dtype if isinstance(value, Traced) else np.asarray(value).dtype) == np.bool_


def kind(node: ast.expr) -> str:
    """What number a line is: "epsilon" of a verb's call or of a budget's part; "" of all that is computed from them."""
    named = node.func if isinstance(node, ast.Call) else node
    return named.attr if isinstance(named, ast.Attribute) else ""


def compares(node: ast.expr) -> bool:
    """Whether an expression is a comparison, or several joined."""
    return isinstance(node, ast.Compare | ast.BoolOp) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )


def sides(line: Line) -> list[Line]:
    """What a comparison compares, a line each, but for numbers and plain names; reader.js has the same rule.

    >>> [side.text for side in sides(read("zcdp.epsilon(rho, delta) <= best"))]
    ['zcdp.epsilon(rho, delta)']
    """
    if line.name or not isinstance(line.node, ast.Compare):
        return []
    nodes = [node for node in (line.node.left, *line.node.comparators) if not isinstance(node, ast.Name)]
    texts = [ast.get_source_segment(line.text.strip(), node) for node in nodes if not _literal(node)]
    return [read(text) for text in texts if text]


def _free(node: ast.AST, bound: frozenset[str]) -> list[str]:
    """Names that the expression does not bind itself; modules and builtins are called, not taken."""
    if isinstance(node, ast.Name):
        return [] if node.id in bound else [node.id]
    if isinstance(node, ast.Lambda):
        return _free(node.body, bound | {argument.arg for argument in node.args.args})
    if isinstance(node, ast.GeneratorExp):
        own = {generator.target.id for generator in node.generators if isinstance(generator.target, ast.Name)}
        outer = [name for generator in node.generators for name in _free(generator.iter, bound)]
        return outer + _free(node.elt, bound | own)
    if isinstance(node, ast.Call):
        head = [] if _is_verb(node.func) else [node.func]
        parts = [*head, *node.args, *(keyword.value for keyword in node.keywords)]
        return [name for part in parts for name in _free(part, bound)]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("np", "special"):
        return []
    return [name for child in ast.iter_child_nodes(node) for name in _free(child, bound)]


def _is_verb(function: ast.AST) -> bool:
    return isinstance(function, ast.Name) or (
        isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)
    )


def _where(condition: Any, a: Any, b: Any) -> Any:
    return np.where(condition, a, b)


class _Evaluation:
    """One walk over one line."""

    def __init__(self, text: str, homes: Mapping[str, Any], rounding: float = 0.0) -> None:
        self.text, self.homes, self.rounding = text, homes, rounding
        self.gaps: list[NDArray] = []  # where a number that was compared is none

    def refuse(self, message: str, node: ast.AST) -> NoReturn:
        indent = len(self.text) - len(self.text.lstrip())
        raise FormulaError(message, indent + getattr(node, "col_offset", 0))

    def value(self, node: ast.AST, names: Mapping[str, Any], depth: int) -> Any:
        if depth > DEEPEST:
            self.refuse("too many brackets within brackets", node)
        reader = getattr(self, f"_{type(node).__name__.lower()}", None)
        if reader is None:
            self.refuse("this is no part of a formula here", node)
        return reader(node, names, depth + 1)

    def number(self, node: ast.AST, names: Mapping[str, Any], depth: int) -> Any:
        found = self.value(node, names, depth)
        if isinstance(found, tuple):
            self.refuse("two numbers stand here: say which, [0] or [1]", node)
        if callable(found):
            self.refuse("a function stands here, not a number", node)
        if is_truth(found):
            self.refuse("a comparison is no number: write 1 if a < b else 0", node)
        return found

    def truth(self, node: ast.AST, names: Mapping[str, Any], depth: int) -> Any:
        found = self.value(node, names, depth)
        if not is_truth(found):
            self.refuse("a comparison belongs here, such as a < b", node)
        return found

    def _constant(self, node: ast.Constant, names: Mapping[str, Any], depth: int) -> Any:
        if type(node.value) not in (int, float) or not abs(node.value) < 1e308:
            self.refuse("this is no number", node)
        return np.float64(node.value)

    def _name(self, node: ast.Name, names: Mapping[str, Any], depth: int) -> Any:
        if node.id in self.homes:
            self.refuse(f"{node.id} is a module: write {node.id}.verb(...)", node)
        if node.id not in names:
            self.refuse(f"nothing here is called {node.id}", node)
        return names[node.id]

    def _binop(self, node: ast.BinOp, names: Mapping[str, Any], depth: int) -> Any:
        chain: list[ast.BinOp] = []  # a + b + c + ... is long, not deep
        first: ast.expr = node
        while isinstance(first, ast.BinOp):
            chain.append(first)
            first = first.left
        found = self.number(first, names, depth)
        for step in reversed(chain):
            if type(step.op) not in _OPERATORS:
                self.refuse("this operator is not known here", step)
            other = self.number(step.right, names, depth)
            with np.errstate(all="ignore"):
                found = _OPERATORS[type(step.op)](found, other)
            if not isinstance(found, Traced) and not np.all(np.isfinite(found)) and _literal(step):
                self.refuse("this gives no number", step)
        return found

    def _unaryop(self, node: ast.UnaryOp, names: Mapping[str, Any], depth: int) -> Any:
        if isinstance(node.op, ast.Not):
            return np.logical_not(self.truth(node.operand, names, depth))
        if isinstance(node.op, ast.Invert):
            self.refuse("this operator is not known here", node)
        found = self.number(node.operand, names, depth)
        return -found if isinstance(node.op, ast.USub) else found

    def _boolop(self, node: ast.BoolOp, names: Mapping[str, Any], depth: int) -> Any:
        both = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
        return functools.reduce(both, [self.truth(value, names, depth) for value in node.values])

    def _compare(self, node: ast.Compare, names: Mapping[str, Any], depth: int) -> Any:
        if any(type(operator) not in _COMPARED for operator in node.ops):
            self.refuse("this comparison is not known here", node)
        sides = [self.number(side, names, depth) for side in (node.left, *node.comparators)]
        with np.errstate(all="ignore"):
            pairs = zip(node.ops, sides, sides[1:], strict=False)
            truths = [_COMPARED[type(operator)](a, b) for operator, a, b in pairs]
            if self.rounding:
                self.gaps += [np.isnan(side) for side in sides]
                truths = [self.nearly(*each) for each in zip(truths, node.ops, sides, sides[1:], strict=False)]
            return functools.reduce(np.logical_and, truths)

    def nearly(self, truth: NDArray, operator: ast.cmpop, a: Any, b: Any) -> NDArray:
        near = np.isclose(a, b, rtol=self.rounding, atol=0)
        return np.where(near, isinstance(operator, ast.LtE | ast.GtE | ast.Eq), truth)

    def _ifexp(self, node: ast.IfExp, names: Mapping[str, Any], depth: int) -> Any:
        condition = self.truth(node.test, names, depth)
        return _where(condition, *(self.number(side, names, depth) for side in (node.body, node.orelse)))[()]

    def _tuple(self, node: ast.Tuple, names: Mapping[str, Any], depth: int) -> Any:
        if len(node.elts) != 2:
            self.refuse("a budget has two numbers", node)
        return tuple(self.number(element, names, depth) for element in node.elts)

    def _attribute(self, node: ast.Attribute, names: Mapping[str, Any], depth: int) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id in self.homes and node.value.id not in names:
            constant = getattr(self.homes[node.value.id], node.attr, None)
            if not isinstance(constant, float):
                self.refuse(f"{node.value.id}.{node.attr} is called with brackets", node)
            return np.float64(constant)
        found = self.value(node.value, names, depth)
        if not isinstance(found, tuple) or node.attr not in getattr(found, "_fields", ()):
            self.refuse(f"this has no {node.attr}", node)
        return getattr(found, node.attr)

    def _subscript(self, node: ast.Subscript, names: Mapping[str, Any], depth: int) -> Any:
        found, index = self.value(node.value, names, depth), node.slice
        if not isinstance(found, tuple):
            self.refuse("only two numbers have a [0] and a [1]", node)
        if not (isinstance(index, ast.Constant) and type(index.value) is int and 0 <= index.value < len(found)):
            self.refuse("write [0] or [1]", node)
        return found[index.value]

    def _lambda(self, node: ast.Lambda, names: Mapping[str, Any], depth: int) -> Any:
        plain = node.args
        others = (plain.defaults, plain.vararg, plain.kwarg, plain.kwonlyargs, plain.posonlyargs)
        if len(plain.args) != 1 or any(others):
            self.refuse("a lambda has one argument here", node)
        return lambda value: self.number(node.body, {**names, plain.args[0].arg: value}, depth)

    def _call(self, node: ast.Call, names: Mapping[str, Any], depth: int) -> Any:
        if isinstance(node.func, ast.Name):
            return self._builtin(node, node.func.id, names, depth)
        verb = self._verb(node.func)
        if any(isinstance(argument, ast.Starred) for argument in node.args) or None in [k.arg for k in node.keywords]:
            self.refuse("write each argument by itself", node)
        first_truth = verb is _where
        given = [
            (self.truth if first_truth and not place else self.value)(argument, names, depth)
            for place, argument in enumerate(node.args)
        ]
        named = {str(k.arg): self.value(k.value, names, depth) for k in node.keywords}
        for argument, value in zip(node.args[first_truth:], given[first_truth:], strict=True):
            if is_truth(value):
                self.refuse("a comparison is no number: write 1 if a < b else 0", argument)
        try:
            with np.errstate(all="ignore"):
                found = verb(*given, **named)
        except (TypeError, ValueError) as error:  # a pair where a number belongs, or the other way round
            self.refuse(f"{ast.unparse(node.func)}: {error}", node)
        return found if isinstance(found, tuple | Traced) else np.asarray(found)[()]

    def _verb(self, function: ast.AST) -> Callable:
        if not (isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)):
            self.refuse("only verbs are called, such as zcdp.epsilon(...)", function)
        home, name = function.value.id, function.attr
        if home not in self.homes:
            self.refuse(f"no module is called {home} here", function)
        verb = None if name.startswith("_") else getattr(self.homes[home], name, None)
        if not callable(verb):
            self.refuse(f"{home} has no {name}", function)
        return verb

    def _builtin(self, node: ast.Call, name: str, names: Mapping[str, Any], depth: int) -> Any:
        if name == "abs" and len(node.args) == 1 and not node.keywords:
            return np.absolute(self.number(node.args[0], names, depth))
        if name not in _REDUCED or node.keywords:
            self.refuse(f"no function is called {name} here", node)
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            values = self._terms(node.args[0], names, depth)
        elif len(node.args) > 1 and name != "sum":
            values = [self.number(argument, names, depth) for argument in node.args]
        else:
            self.refuse(f"write {name}(... for alpha in range(2, 65))", node)
        return functools.reduce(_REDUCED[name], values)

    def _terms(self, node: ast.GeneratorExp, names: Mapping[str, Any], depth: int) -> list:
        first = node.generators[0]
        if len(node.generators) != 1 or first.ifs or first.is_async or not isinstance(first.target, ast.Name):
            self.refuse("one name, and one for, without if", node)
        places = self._places(first.iter, names, depth)
        return [self.number(node.elt, {**names, first.target.id: np.float64(place)}, depth) for place in places]

    def _places(self, node: ast.expr, names: Mapping[str, Any], depth: int) -> Sequence[float]:
        if isinstance(node, ast.Tuple | ast.List):
            places: Sequence[float] = [self._plain(element, names, depth) for element in node.elts]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
            ends = [self._plain(end, names, depth) for end in node.args]
            if not 1 <= len(ends) <= 3 or node.keywords or ends[2:] == [0] or any(end != int(end) for end in ends):
                self.refuse("write range(2, 65), with whole numbers", node)
            places = range(*map(int, ends))
        else:
            self.refuse("write range(2, 65), or (2, 4, 8)", node)
        if not 1 <= len(places) <= MOST_TERMS:
            self.refuse(f"from 1 to {MOST_TERMS} terms", node)
        return places

    def _plain(self, node: ast.expr, names: Mapping[str, Any], depth: int) -> float:
        if not _literal(node):
            self.refuse("a plain number belongs here", node)
        return float(self.number(node, names, depth))


def _literal(node: ast.AST) -> bool:
    """Whether only numbers stand here."""
    if isinstance(node, ast.BinOp):
        return _literal(node.left) and _literal(node.right)
    return _literal(node.operand) if isinstance(node, ast.UnaryOp) else isinstance(node, ast.Constant)
