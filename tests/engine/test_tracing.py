"""The tracer: what a tape holds is what NumPy computes, and what it cannot hold is refused by name."""

import copy
import functools
import inspect
import json
import math
import operator
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from dp_lib import domain
from livefigures.trace.tracing import UFUNCS, NotTraceable, Tape, operands, play

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 3.0, 1e-300, 1e300, 5e-324, math.inf, -math.inf, math.nan]
NUMBERS = st.sampled_from(SPECIAL) | st.floats(-50, 50) | st.floats()
TINY = np.finfo(float).tiny
LOGIC = [np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert]


def traced(function, **values):
    """The function's value by way of a tape, which has also been text, as on the page."""
    tape = Tape()
    output = tape.output(function(**{name: tape.input(name) for name in values}))
    operations, [output] = tape.finish([output])
    return play(json.loads(json.dumps(operations, allow_nan=False)), values)[output]


def agree(function, **values):
    """Whether tape and direct call give the same numbers, NaN and the sign of zero included.

    The last digit is left free, and what is too small to be normal: NumPy has two powers, SciPy its own expm1.
    """
    with np.errstate(all="ignore"):
        expected = np.asarray(function(**{n: np.asarray(v, dtype=float)[()] for n, v in values.items()}), dtype=float)
    shown = traced(function, **values)
    np.testing.assert_allclose(shown, expected, rtol=1e-15, atol=TINY)
    assert np.all(np.isnan(shown) | (np.signbit(shown) == np.signbit(expected)))
    return True


def samples(*names):
    """Special numbers and some at random, each with each."""
    rng = np.random.default_rng(1)
    size = 60 if len(names) < 3 else 10
    numbers = np.concatenate(
        [SPECIAL, rng.uniform(-50, 50, size), rng.normal(size=size) * 10.0 ** rng.integers(-300, 300, size)]
    )
    return dict(zip(names, map(np.ravel, np.meshgrid(*[numbers] * len(names))), strict=True))


def operations_of(function):
    tape = Tape()
    output = tape.output(function(*(tape.input(name) for name in inspect.signature(function).parameters)))
    return tape.finish([output])[0]


# -- what is allowed


@pytest.mark.parametrize(
    "ufunc", [*UFUNCS, np.greater, np.greater_equal, np.positive], ids=lambda ufunc: ufunc.__name__
)
def test_every_allowed_ufunc_plays_as_it_computes(ufunc):
    values = samples(*"xyz"[: ufunc.nin])
    if ufunc in LOGIC:
        assert agree(lambda **v: ufunc(*(value > 0 for value in v.values())), **values)
    else:
        assert agree(lambda **v: ufunc(*v.values()), **values)


@given(x=NUMBERS, y=NUMBERS, constant=st.sampled_from(SPECIAL))
def test_operators_with_numbers_on_either_side_play_as_they_compute(x, y, constant):
    # The bases are positive: of -0 and -inf to the power 0.5 NumPy's operator takes pow(), its ufunc sqrt().
    for function in (
        lambda x, y: (x + constant) * (constant - y) / (x - 2) + (+x) - (-y) + abs(x),
        lambda x, y: constant // x + y % constant + x // y,
        lambda x, y: abs(x) ** y,
        lambda x, y: abs(constant) ** x * x**2,
        lambda x, y: x**3 / 2**y,
        lambda x, y: np.where((x < y) & ~(x <= constant) | (y > 3) ^ (x >= 0), x, np.where(x == y, 1, x != constant)),
        lambda x, y: np.float64(constant) * x + np.float32(1.5) * y - np.array(2) * x,
    ):
        assert agree(function, x=x, y=y)


@given(x=NUMBERS, y=NUMBERS)
def test_where_clip_and_select_play_as_they_compute(x, y):
    for function in (
        lambda x, y: np.where(x, y, -1.0),
        lambda x, y: np.where(x > y, np.nan, -0.0),
        lambda x, y: np.clip(x, -1, 1),
        # + 0.0: between 0 and -0 np.clip keeps the first, np.maximum the second.
        lambda x, y: np.clip(x, y, None) + 0.0,
        lambda x, y: np.clip(x, min=-3.0, max=y) + 0.0,
        lambda x, y: np.select([x > 1, y > 1, x > y], [x, y, 7.0], default=np.nan),
        lambda x, y: np.select([x > 1], [2]),
    ):
        assert agree(function, x=x, y=y)


@given(sigma=NUMBERS, order=NUMBERS)
def test_a_minimum_over_a_list_of_orders_plays_as_it_computes(sigma, order):
    orders = [1.5, 2, 4, 8, 16]
    assert agree(
        lambda sigma, order: functools.reduce(np.minimum, [alpha / sigma + order / (alpha - 1) for alpha in orders]),
        sigma=sigma,
        order=order,
    )


CHECKS = [
    domain.real, domain.positive, domain.nonnegative, domain.extended, domain.fraction, domain.probability,
    domain.order, domain.order_or_limit, domain.count, domain.positive_count,
]  # fmt: skip


@pytest.mark.parametrize("check", CHECKS)
def test_a_domain_check_leaves_the_same_gap_on_the_tape(check):
    with domain.gaps():
        assert agree(lambda x: check("x", x), **samples("x"))


def test_a_rule_that_ties_two_values_leaves_a_gap():
    def function(x, y):
        return domain.condition("x", x, x < y, "less than y")

    assert traced(function, x=1.0, y=2.0) == 1
    assert math.isnan(traced(function, x=3.0, y=2.0))


def test_nan_in_is_nan_out_through_a_bisection():
    def root(target):
        low, high = 0 * target, 0 * target + 10
        for _ in range(30):
            middle = (low + high) / 2
            enough = middle**2 >= target
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return high

    assert traced(root, target=2.0) == pytest.approx(math.sqrt(2), rel=1e-7)
    assert math.isnan(traced(root, target=math.nan))


@given(x=NUMBERS)
def test_truth_values_count_as_numpy_counts_them(x):
    for function in (lambda x: (x > 0) + 1.0, lambda x: 2 * (x > 0), lambda x: np.where(x > 0, 1, 0) - 3):
        assert agree(function, x=x)
    for function in (lambda x: (x > 0) == (x > 1), lambda x: np.maximum(x > 0, x > 1), lambda x: x > (x > 0)):
        assert agree(function, x=x)


def test_a_name_is_bound_again_by_an_operator_in_place():
    def tax(x, y):
        total, before = 0.0, x + 0.0
        for low, high, rate in ((0, 10, 0.1), (10, 40, 0.2), (40, 90, 0.4)):
            total += rate * np.clip(x - low, 0, high - low)
        total -= y
        total *= 2
        total /= 3
        total //= 0.1
        total %= 7
        total **= 2
        above = x > 10
        above &= y > 0
        above |= x > 20
        above ^= y > 2
        x += 1
        return np.where(above, total, before) + x

    for x, y in ((5.0, 1.0), (25.0, 3.0), (70.0, -2.0), (math.nan, 1.0)):
        assert agree(tax, x=x, y=y)


def test_a_tape_plays_on_arrays():
    shown = traced(lambda k, sigma: k / sigma, k=np.arange(3), sigma=2.0)
    np.testing.assert_array_equal(shown, [0, 0.5, 1])


# -- the tape


def test_equal_steps_are_written_once():
    assert operations_of(lambda x, y: np.exp(x + y) / np.exp(y + x)) == [
        ["in", "x"],
        ["in", "y"],
        ["add", 0, 1],
        ["exp", 2],
        ["div", 3, 3],
    ]


def test_zero_and_minus_zero_are_two_constants():
    assert traced(lambda x: 1 / (x * 0.0), x=1.0) == math.inf
    assert traced(lambda x: 1 / (x * 0.0) - 1 / (x * -0.0), x=1.0) == math.inf


def test_min_and_max_keep_the_order_of_their_operands():
    assert len(operations_of(lambda x, y: np.minimum(x, y) - np.minimum(y, x))) == 5


def test_greater_is_less_turned_round():
    assert operations_of(lambda x, y: (x > y) & (y < x))[2] == ["lt", 1, 0]
    assert operations_of(lambda x, y: x >= y)[-1] == ["le", 1, 0]


def test_constants_without_a_json_number_are_texts():
    operations = operations_of(lambda x: np.where(x > math.inf, math.nan, -math.inf))
    assert [entry[1] for entry in operations if entry[0] == "num"] == ["Infinity", "NaN", "-Infinity"]


def test_finish_keeps_only_what_the_outputs_need_and_their_order():
    tape = Tape()
    x, y = tape.input("x"), tape.input("y")
    kept, _, other = (tape.output(value) for value in (np.log(y), np.exp(x) + 5, np.log(y) * 3))
    operations, outputs = tape.finish([other, kept, other])
    assert operations == [["in", "y"], ["log", 0], ["num", 3.0], ["mul", 1, 2]]
    assert outputs == [3, 1, 3]
    assert all(index < place for place, entry in enumerate(operations) for index in operands(entry))


@pytest.mark.parametrize("constant", [2.5, 3, True, np.float64(2.5), np.int64(3), np.array(2.5), math.nan, -0.0])
def test_a_function_may_return_a_plain_number(constant):
    shown = traced(lambda x: constant, x=1.0)
    np.testing.assert_array_equal(shown, float(constant))
    assert np.signbit(shown) == np.signbit(float(constant))


@pytest.mark.parametrize("result", [None, "2", [1.0], np.arange(3), np.ones(1), 1j, (1.0, 2.0)])
def test_a_function_may_return_nothing_but_a_number(result):
    with pytest.raises(NotTraceable, match="a function's result"):
        Tape().output(result)


# -- what is refused


def changed_under_two_names(x):
    y = x
    y += 1
    return x * y


def branch(x):
    return 1.0 if x > 0 else 2.0


REFUSED = {
    # a truth value is asked for
    "if": (branch, "np.where(condition, a, b) for if"),
    "min": (lambda x, y: min(x, y), "np.minimum / np.maximum for min / max"),
    "chained": (lambda x: 0 < x < 1, "(0 < x) & (x < 1)"),
    "and": (lambda x, y: x > 0 and y > 0, "& | ~ for and / or / not"),
    "not": (lambda x: not x, "& | ~ for and / or / not"),
    "membership": (lambda x, y: x in [y], "np.where"),
    "sorted": (lambda x, y: sorted([x, y]), "np.where"),
    "any": (lambda x, y: any([x > 0, y > 0]), "np.where"),
    # a plain number is asked for
    "math.log": (lambda x: math.log(x), "np.log for math.log"),
    "math.isnan": (lambda x: math.isnan(x), "NumPy's function of the same name"),
    "int": (lambda x: int(x), "np.floor for int"),
    "round": (lambda x: round(x, 2), "np.rint"),
    "math.floor": (lambda x: math.floor(x), "np.floor"),
    "np.float64": (lambda x: np.float64(x), "plain numbers"),
    "format": (lambda x: f"{x:.3f}", "arithmetic in place of a text, since a value has no digits while it is traced"),
    # a list or an array
    "np.array": (lambda x: np.array([x]), "functools.reduce(np.minimum, [...])"),
    "np.asarray": (lambda x: np.asarray(x), "plain numbers in place of np.asarray"),
    "np.minimum.reduce": (lambda x, y: np.minimum.reduce([x, y]), "functools.reduce(np.minimum, [...])"),
    "np.min": (lambda x, y: np.min([x, y]), "functools.reduce(np.minimum, [...])"),
    "array on the right": (lambda x: x * np.arange(3), "numbers, since every argument is one number here"),
    "array on the left": (lambda x: np.arange(3) * x, "numbers, since every argument is one number here"),
    "array of one": (lambda x: x + np.ones(1), "numbers, since every argument is one number here"),
    "index": (lambda x: x[0], "np.where"),
    "assignment": (lambda x: x.__setitem__(0, 1.0), "np.where"),
    "loop": (lambda x: list(x), "without the loop (for, len, enumerate), since every argument is one number here"),
    "contains": (lambda x: 1.0 in x, "without the loop (for, len, enumerate), since every argument is one number here"),
    "stack": (lambda x, y: np.stack([x, y]), "np.where"),
    "vectorize": (lambda x: np.vectorize(abs)(x), "functools.reduce"),
    # ufuncs in another way
    "reduce": (lambda x: np.minimum.reduce(x), "functools.reduce(np.minimum, [...])"),
    "+= of another name": (changed_under_two_names, "x = x + 1 in place of x += 1"),
    "+= of an array": (lambda x: operator.iadd(np.zeros(3), x), "a new name: y = y + x"),
    "out=": (lambda x: np.exp(x, out=np.empty(())), "a new name"),
    "where=": (lambda x: np.exp(x, where=True), "plain np.exp, and np.where"),
    "dtype=": (lambda x: np.exp(x, dtype=np.float64), "plain np.exp"),
    "casting=": (lambda x: np.exp(x, casting="unsafe"), "plain np.exp"),
    "clip with out=": (lambda x: np.clip(x, 0, 1, out=np.empty(())), "np.clip(x, low, high)"),
    "where with one argument": (lambda x: np.where(x > 0), "np.where(condition, a, b)"),
    "select on numbers": (lambda x: np.select([x], [x]), "comparisons"),
    # ufuncs and functions without a kernel
    "fmin": (lambda x, y: np.fmin(x, y), "np.minimum, which lets NaN through"),
    "fmax": (lambda x, y: np.fmax(x, y), "np.maximum, which lets NaN through"),
    "nanmin": (lambda x: np.nanmin(x), "functools.reduce(np.minimum, [...])"),
    "divmod": (lambda x: divmod(x, 2), "// and %"),
    "modf": (lambda x: np.modf(x), "np.floor(x)"),
    "frexp": (lambda x: np.frexp(x), "the elementwise functions that help(lf.NotTraceable) lists"),
    "matmul": (lambda x, y: x @ y, "sum(a * b for a, b in zip(first, second))"),
    "shift": (lambda x: x << 1, "the elementwise functions that help(lf.NotTraceable) lists"),
    "isclose": (lambda x: np.isclose(x, 1), "abs(x - y) <= tolerance"),
    "interp of stand-ins": (lambda x: np.interp(0.5, [0, 1], [0, x]), "plain numbers for xs and a list for ys"),
    "interp with a stand-in at an end": (lambda x: np.interp(x, [0, 1], [0, 1], left=x), "plain numbers for xs"),
    "interp with a period": (lambda x: np.interp(x, [0, 1], [0, 1], period=1), "plain numbers in xs"),
    "interp of falling points": (lambda x: np.interp(x, [1, 0], [0, 1]), "those in xs increasing"),
    "interp of too few points": (lambda x: np.interp(x, [0, 1], [0]), "as many plain numbers in xs as in ys"),
    "cumprod": (lambda x, y: np.cumprod([x, y]), "itertools.accumulate([...], np.multiply)"),
    "nan_to_num": (lambda x: np.nan_to_num(x), "np.where(np.isnan(x), ..., x)"),
    "shape": (lambda x: np.shape(x), "arithmetic"),
    "special.gamma": (lambda x: special.gamma(x), "np.exp(special.gammaln(x))"),
    "logsumexp of a list": (lambda x, y: special.logsumexp([x, y]), "functools.reduce(np.logaddexp, [...])"),
    "stats.norm.cdf": (lambda x: stats.norm.cdf(x), "the distribution's formula"),
    # attributes
    ".min": (lambda x: x.min(), "np.minimum(a, b), or functools.reduce(np.minimum, [...])"),
    ".shape": (lambda x: x.shape, "arithmetic"),
    ".astype": (lambda x: x.astype(float), "every traced number is a float64"),
    # other types
    "None": (lambda x: x == None, "real numbers"),  # noqa: E711
    "text": (lambda x: x + "1", "real numbers"),
    "complex number": (lambda x: x * 1j, "real numbers"),
    "huge integer": (lambda x: x * 10**400, "real numbers"),
    "float128": (lambda x: x * np.longdouble(2), "arithmetic on floats only"),
    # truth values and integers that NumPy treats otherwise than float64
    "& of numbers": (lambda x: x & 1, "& | ~ on comparisons only"),
    "~ of a number": (lambda x: ~x, "& | ~ on comparisons only"),
    "sum of truths": (lambda x: (x > 0) + (x > 1), "np.where(x > 0, 1.0, 0.0)"),
    "minus a truth": (lambda x: -(x > 0), "np.where(x > 0, 1.0, 0.0)"),
    "exp of a truth": (lambda x: np.exp(x > 0), "np.where(x > 0, 1.0, 0.0)"),
    "reciprocal of an integer": (lambda x: np.reciprocal(np.where(x > 0, 2, 4)), "arithmetic on floats only"),
    "power of an integer": (lambda x: np.where(x > 0, 2, 4) ** -1, "arithmetic on floats only"),
    "floor division of integers": (lambda x: np.where(x > 0, 2, 4) // 0, "arithmetic on floats only"),
    # keys
    "dict": (lambda x: {x: 1}, "np.where, or np.interp(choice,"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_a_tape_cannot_hold_is_refused_with_what_to_use_instead(case):
    function, instead = REFUSED[case]
    with pytest.raises(NotTraceable) as refusal:
        operations_of(function)
    assert instead in str(refusal.value)
    assert refusal.value.filename == __file__
    assert inspect.getsource(function).find(refusal.value.line[:100]) >= 0
    lines, first = inspect.getsourcelines(function)
    assert first <= refusal.value.lineno < first + len(lines)


def test_a_refusal_names_operation_line_and_remedy():
    with pytest.raises(NotTraceable) as refusal:
        operations_of(lambda x, y: np.fmin(x, y))
    line = "operations_of(lambda x, y: np.fmin(x, y))"
    assert str(refusal.value) == (
        f"np.fmin cannot be traced ({__file__}:{refusal.value.lineno}: `{line}`); "
        "use np.minimum, which lets NaN through"
    )


def test_two_tapes_do_not_mix():
    x, y = Tape().input("x"), Tape().input("y")
    for mix in (lambda: x + y, lambda: np.where(x > 0, y, 1.0)):
        with pytest.raises(NotTraceable, match="two tapes"):
            mix()
    with pytest.raises(NotTraceable, match="two tapes"):
        Tape().output(x)


def test_a_traced_value_is_an_ordinary_object_otherwise():
    x = Tape().input("x")
    assert domain.is_traced(x)
    assert not hasattr(x, "min")
    assert not hasattr(x, "__array_interface__")
    assert not hasattr(x, "_private")
    assert x[()] is x
    assert repr(x) == "Traced(['in', 'x'])"
    for twin in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert repr(twin) == repr(x)
    with pytest.raises(AttributeError):
        x.new = 1


def counted(x):
    n = 0
    while n < x:
        n += 1
    return n


@pytest.mark.parametrize(
    ("function", "told", "untold"),
    [
        (branch, "np.where(condition, a, b) for if, & | ~", "np.minimum"),
        (counted, "a loop over range(n) with as many steps", "np.where"),
        (lambda x, y: max(x, y), "np.minimum / np.maximum for min / max", "np.where"),
        (lambda x, y: max(x, y) if x else y, "np.where(condition, a, b) for if, np.minimum", "in place of a break"),
    ],
)
def test_message_says_what_to_write_for_what_stands_in_the_line(function, told, untold):
    with pytest.raises(NotTraceable) as refusal:
        operations_of(function)
    instead = str(refusal.value).rpartition("); use ")[2]
    assert instead.startswith(told) and untold not in instead


def test_a_truth_value_is_never_taken_for_a_number_by_numpy():
    """The silent failures that a tracer without refusals falls into: each of these would be an object array."""
    x = Tape().input("x")
    for silent in (lambda: np.array([x, 1.0]), lambda: np.minimum.reduce([x, 1.0]), lambda: np.sort([x, 1.0])):
        with pytest.raises(NotTraceable):
            silent()
