"""The page's numbers: each kernel in node against NumPy and SciPy, and the player that applies them.

SciPy is the oracle, mpmath where SciPy itself is not good to 1e-12: log Γ near 1 and 2 (SciPy 4e-11) and the incomplete
beta function of large counts (SciPy 2e-12 at 1e8).
"""

import base64
import functools
import json
import re
from pathlib import Path

import mpmath
import numpy as np
import pytest
from in_node import Node
from scipy import special

from livefigures.page import bundle
from livefigures.trace import tracing
from livefigures.trace.by_name import by_name
from livefigures.trace.tracing import Tape, play

SCRIPTS = [Path(bundle.__file__).with_name("core") / name for name in ("arithmetic.js", "trace.js")]
NAMES = "xyzuvw"
TINY = np.finfo(float).tiny  # below it SciPy answers 0 or with few digits
ARITY = {name: ufunc.nin for ufunc, name in tracing.UFUNCS.items()} | {"where": 3}
EXACT = [
    *("add", "sub", "mul", "div", "neg", "abs", "reciprocal", "square", "sqrt", "floor", "ceil", "rint", "sign"),
    *("floordiv", "mod", "min", "max", "lt", "le", "eq", "ne", "and", "or", "xor", "not", "isnan", "isinf", "isfinite"),
    "where",
]
TRUTHS = ["lt", "le", "eq", "ne", "and", "or", "xor", "not", "isnan", "isinf", "isfinite"]
KINDS = {"where": ["truth", "number", "number"], "not": ["truth"]}
KINDS |= {name: ["truth", "truth"] for name in ("and", "or", "xor")}

# Floats travel as their bytes, since JSON has neither NaN nor the infinities.
PLAY = """([operations, inputs, outputs]) => {
  const decode = (text) => new Float64Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  const encode = (values) =>
    btoa(Array.from(new Uint8Array(Float64Array.from(values).buffer), (byte) => String.fromCharCode(byte)).join(""));
  const tape = new live.trace.Player(operations);
  for (const [name, values] of Object.entries(inputs)) {
    const vector = decode(values);
    tape.set(name, vector.length === 1 ? vector[0] : vector);
  }
  return outputs.map((index) => [tape.get(index)].flatMap((v) => encode(typeof v === "number" ? [v] : v))[0]);
}"""


@functools.cache
def node():
    """A node with the page's arithmetic and player."""
    return Node(*SCRIPTS)


def played(operations, inputs, outputs=None):
    """The values of the last operation, or of `outputs`, as the page computes them."""
    inputs = {name: np.atleast_1d(np.asarray(values, dtype=float)) for name, values in inputs.items()}
    texts = {name: base64.b64encode(values.tobytes()).decode() for name, values in inputs.items()}
    wanted = [len(operations) - 1] if outputs is None else outputs
    answers = node().evaluate(PLAY, [operations, texts, wanted])
    arrays = [np.frombuffer(base64.b64decode(answer)) for answer in answers]
    return arrays[0] if outputs is None else arrays


def traced(function, count):
    """(operations, the result's place) of a function of so many numbers, which are called x, y, z, u, v, w."""
    tape = Tape()
    with by_name():
        place = tape.output(function(*map(tape.input, NAMES[:count])))
    operations, [place] = tape.finish([place])
    return json.loads(json.dumps(operations, allow_nan=False)), place


def kernel(name, *arguments):
    inputs = {str(place): values for place, values in enumerate(np.broadcast_arrays(*arguments))}
    return played([*(["in", place] for place in inputs), [name, *range(len(inputs))]], inputs)


def numpy_kernel(name, *arguments):
    inputs = {str(place): values for place, values in enumerate(np.broadcast_arrays(*arguments))}
    return np.asarray(
        play([*(["in", place] for place in inputs), [name, *range(len(inputs))]], inputs)[-1], dtype=float
    )


def errors(shown, expected):
    """Relative errors; 0 where both are the same, NaN and infinities included, inf where only one is NaN."""
    with np.errstate(all="ignore"):
        error = np.abs(shown - expected) / np.maximum(np.abs(expected), TINY)
    both_tiny = (np.abs(shown) < TINY) & (np.abs(expected) < TINY)
    error[(shown == expected) | (np.isnan(shown) & np.isnan(expected)) | both_tiny] = 0
    return np.where(np.isnan(error), np.inf, error)


def assert_close(shown, expected, *arguments, tolerance=1e-12):
    error = errors(shown, expected)
    worst = int(np.argmax(error))
    place = [float(argument.flat[worst]) for argument in np.broadcast_arrays(*arguments)]
    assert error[worst] <= tolerance, f"at {place}: {shown[worst]!r}, expected {expected[worst]!r}"


SPECIAL = np.array(
    [0, -0.0, np.nan, np.inf, -np.inf, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.5, 0.1, 7, 1e300, -1e300]
    + [1e-300, -1e-300, 5e-324, -5e-324, 2**52 + 1, 2**52 - 0.5, -(2**52) + 0.5, 1 - 2**-53, 1 + 2**-52, 745, -745, 30]
)


def everywhere(rng, size=1500):
    """Numbers of every size, crowded where functions turn: 0, 1, 2, 1/2."""
    signs = rng.choice([-1, 1], size)
    around = rng.choice([0, 0.5, 1, 2], size) + signs * 10 ** rng.uniform(-17, 0, size)
    return np.concatenate([signs * 10 ** rng.uniform(-300, 300, size), rng.uniform(-40, 40, size), around, SPECIAL])


def arguments(name):
    """As many samples as the kernel takes: everywhere, and each special value with each."""
    rng = np.random.default_rng(sum(map(ord, name)))
    grid = np.meshgrid(*[SPECIAL if ARITY[name] < 3 else SPECIAL[:11]] * ARITY[name])
    return [np.concatenate([rng.permutation(everywhere(rng)), values.ravel()]) for values in grid]


# -- arithmetic


@pytest.mark.parametrize("name", sorted(EXACT))
def test_an_exact_kernel_agrees_with_numpy_to_the_last_bit(name):
    shown, expected = kernel(name, *arguments(name)), numpy_kernel(name, *arguments(name))
    np.testing.assert_array_equal(shown, expected)
    if name not in ("min", "max"):  # which zero is the smaller differs between machines
        numbers = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(shown[numbers]), np.signbit(expected[numbers]))


@pytest.mark.parametrize("name", sorted(ARITY.keys() - EXACT - {"gammaln", "betainc", "gammainc", "gammaincc"}))
def test_a_kernel_agrees_with_numpy_and_scipy_everywhere(name):
    shown, expected = kernel(name, *arguments(name)), numpy_kernel(name, *arguments(name))
    assert_close(shown, expected, *arguments(name))
    zero = (shown == 0) & (expected == 0)
    np.testing.assert_array_equal(np.signbit(shown[zero]), np.signbit(expected[zero]))


def test_gammaln_agrees_with_scipy_for_positive_arguments():
    x = np.abs(everywhere(np.random.default_rng(0)))
    x = x[(np.abs(x - 1.5) > 0.6) & (x > TINY)]  # near its zeros SciPy is good to 4e-11 only
    assert_close(kernel("gammaln", x), special.gammaln(x), x)


def test_gammaln_agrees_with_mpmath_about_its_zeros():
    rng = np.random.default_rng(1)
    x = rng.choice([1, 2], 600) + rng.choice([-1, 1], 600) * 10 ** rng.uniform(-15, -0.3, 600)
    with mpmath.workdps(40):
        expected = np.array([float(mpmath.loggamma(mpmath.mpf(value))) for value in x])
    assert_close(kernel("gammaln", x), expected, x, tolerance=2e-15)


def test_gammaln_agrees_with_scipy_for_negative_arguments():
    """Relative to 1 where it is smaller: between each two poles lie zeros, which neither side resolves better."""
    x = -np.concatenate([np.random.default_rng(4).uniform(0, 30, 1000), np.arange(5), [np.inf, np.nan, 0.5, 1e20]])
    shown, expected = kernel("gammaln", x), special.gammaln(x)
    small = np.abs(expected) < 1
    assert_close(shown[~small], expected[~small], x[~small])
    assert np.all(np.abs(shown[small] - expected[small]) <= 1e-12)


def beta_arguments(rng, size, low, high):
    """Counts between 10^low and 10^high; x within some standard deviations of the mean."""
    a, b = 10 ** rng.uniform(low, high, (2, size))
    deviation = np.sqrt(a * b / (a + b + 1)) / (a + b)
    x = a / (a + b) + deviation * rng.normal(size=size) * rng.choice([1, 3, 8], size)
    inside = (x > 0) & (x < 1)
    return a[inside], b[inside], x[inside]


def exact_betainc(a, b, x):
    """The tail below the mean by its series in positive terms, at 30 digits: DLMF 8.17.8."""
    a, b, x = mpmath.mpf(float(a)), mpmath.mpf(float(b)), mpmath.mpf(float(x))
    if x * (a + b) > a:
        return 1 - exact_betainc_tail(b, a, 1 - x, x)
    return exact_betainc_tail(a, b, x, 1 - x)


def exact_betainc_tail(a, b, x, y):
    term = total = mpmath.mpf(1)
    k = 0
    while term > total * mpmath.mpf("1e-25"):
        term *= (a + b + k) * x / (a + 1 + k)
        total += term
        k += 1
    logs = a * mpmath.log(x) + b * mpmath.log(y) + mpmath.loggamma(a + b) - mpmath.loggamma(a) - mpmath.loggamma(b)
    return mpmath.exp(logs) / a * total


@pytest.mark.parametrize(("low", "high"), [(-3, 0), (0, 2), (2, 4), (-2, 4)])
def test_betainc_agrees_with_scipy(low, high):
    a, b, x = beta_arguments(np.random.default_rng(5), 1000, low, high)
    assert_close(kernel("betainc", a, b, x), special.betainc(a, b, x), a, b, x)


@pytest.mark.parametrize(("low", "high", "size"), [(4, 6, 4), (6, 7, 2)])
def test_betainc_agrees_with_mpmath_for_large_counts(low, high, size):
    a, b, x = beta_arguments(np.random.default_rng(6), size, low, high)
    with mpmath.workdps(40):
        expected = np.array([float(exact_betainc(*values)) for values in zip(a, b, x, strict=True)])
    assert_close(kernel("betainc", a, b, x), expected, a, b, x)


@pytest.mark.parametrize(("low", "high"), [(-8, -2), (-2, 1), (1, 3)])
def test_gammainc_agrees_with_mpmath(low, high):
    rng = np.random.default_rng(7)
    a = 10 ** rng.uniform(low, high, 60)
    x = a * np.exp(rng.choice([-1, 1], 60) * 10 ** rng.uniform(-6, 0.8, 60))
    with mpmath.workdps(40):
        expected = np.array([float(mpmath.gammainc(*each, regularized=True)) for each in zip(a, 0 * a, x, strict=True)])
    shown = kernel("gammainc", a, x)
    kept = expected > 1e-290
    assert_close(shown[kept], expected[kept], a[kept], x[kept])
    assert np.all(shown[~kept] <= 1e-289)


def test_gammainc_agrees_with_scipy_for_large_parameters():
    """Within four standard deviations of the mean: further off, SciPy stops after 2000 terms, which are too few."""
    rng = np.random.default_rng(8)
    a = 10 ** rng.uniform(3, 7, 300)
    x = a + np.clip(rng.normal(0, 3, 300), -4, 4) * np.sqrt(a)
    assert_close(kernel("gammainc", a, x), special.gammainc(a, x), a, x)


@pytest.mark.parametrize("name", ["gammainc", "gammaincc"])
def test_gammainc_agrees_with_scipy_at_the_ends(name):
    a, x = (values.ravel() for values in np.meshgrid([0, 1, 0.5, np.inf, -1, np.nan], [0, 1, np.inf, -1, np.nan]))
    np.testing.assert_allclose(kernel(name, a, x), getattr(special, name)(a, x), rtol=1e-12)


def test_gammaincc_agrees_with_mpmath():
    rng = np.random.default_rng(9)
    a = 10 ** rng.uniform(-1, 3, 200)
    x = a * np.exp(rng.choice([-1, 1], 200) * 10 ** rng.uniform(-6, 0.8, 200))
    with mpmath.workdps(40):
        expected = np.array([float(mpmath.gammainc(*each, regularized=True)) for each in zip(a, x, strict=True)])
    kept = expected > 1e-290
    assert_close(kernel("gammaincc", a, x)[kept], expected[kept], a[kept], x[kept])


def test_betainc_is_the_binomial_tail_of_the_optimal_composition():
    k, chance = 500, np.exp(0.1) / (1 + np.exp(0.1))
    l = np.arange(k)
    a, b, x = np.broadcast_arrays(l + 1.0, k - l, chance)
    expected = special.bdtrc(l, k, chance)
    assert_close(kernel("betainc", a, b, x), expected, a, b, x)


def test_betainc_agrees_with_scipy_at_the_edges():
    counts, x = [0, 0.5, 1, 2, np.inf, np.nan, -1, 30], [0, 0.3, 1, np.nan, -0.1, 1.1, 1e-300, 1e-17]
    a, b, x = (values.ravel() for values in np.meshgrid(counts, counts, x))
    assert_close(kernel("betainc", a, b, x), special.betainc(a, b, x), a, b, x)


@pytest.mark.parametrize(
    ("name", "oracle", "low", "high"),
    [
        ("erf", mpmath.erf, -6, 6),
        ("erfc", mpmath.erfc, -6, 26),
        ("erfcx", lambda x: mpmath.exp(x * x) * mpmath.erfc(x), -26, 60),
        ("ndtr", mpmath.ncdf, -37, 9),
        ("log_ndtr", lambda x: mpmath.log1p(-mpmath.ncdf(-x)) if x > 0 else mpmath.log(mpmath.ncdf(x)), -60, 37),
        ("expit", lambda x: 1 / (1 + mpmath.exp(-x)), -700, 40),
        ("log_expit", lambda x: -mpmath.log1p(mpmath.exp(-x)), -700, 700),
        ("gammaln", mpmath.loggamma, 1e-9, 30),
        ("logit", lambda p: mpmath.log(p / (1 - p)), 1e-9, 1),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_kernel_is_good_to_a_few_units_in_the_last_digit(name, oracle, low, high):
    x = np.random.default_rng(7).uniform(low, high, 250)
    with mpmath.workdps(40):
        expected = np.array([float(oracle(mpmath.mpf(value))) for value in x])
    assert_close(kernel(name, x), expected, x, tolerance=2e-15)


def test_ndtri_is_good_to_a_few_units_in_the_last_digit():
    rng = np.random.default_rng(8)
    p = np.concatenate([10 ** rng.uniform(-300, 0, 150), rng.uniform(0, 1, 150), 1 - 10.0 ** -np.arange(1, 16)])
    with mpmath.workdps(40):
        expected = np.array([float(exact_ndtri(mpmath.mpf(value))) for value in p])
    assert_close(kernel("ndtri", p), expected, p, tolerance=2e-15)


def exact_ndtri(p):
    """Two Newton steps from SciPy's answer, on the logarithm of the smaller tail."""
    if p > 0.5:
        return -exact_ndtri(1 - p)
    z = mpmath.mpf(float(special.ndtri(float(p))))
    for _ in range(2):
        z -= mpmath.log(mpmath.ncdf(z) / p) * mpmath.ncdf(z) / mpmath.npdf(z)
    return z


# -- the player


def test_a_traced_function_plays_as_numpy_computes_it():
    tape = Tape()
    sigma, k, delta = (tape.input(name) for name in ("sigma", "k", "delta"))
    rho = np.where(sigma > 0, k / (2 * sigma**2), np.nan)
    bounds = [rho + 2 * np.sqrt(rho * np.log(1 / delta)), k / sigma * 2, np.clip(special.log_ndtr(-k / sigma), -9, 0)]
    results = [
        *bounds,
        np.minimum(bounds[0], bounds[1]),
        np.select([k > 5, k > 2], [rho, -rho], 0.0),
        special.ndtri(delta),
    ]
    operations, outputs = tape.finish([tape.output(result) for result in results])
    inputs = {"sigma": 3.0, "k": np.arange(-3.0, 198), "delta": 1e-5}
    expected = play(operations, inputs)
    for index, shown in zip(outputs, played(operations, inputs, outputs), strict=True):
        assert_close(shown, np.atleast_1d(expected[index]), np.arange(shown.size))


@pytest.mark.parametrize("seed", range(3))
def test_a_random_tape_of_exact_operations_is_equal_to_the_last_bit(seed):
    rng = np.random.default_rng(seed)
    inputs = {"x": rng.normal(size=17), "y": rng.normal(size=17) * 1e3, "s": 0.75, "t": -2.0}
    operations = [*(["in", name] for name in inputs), ["num", 2.5], ["num", "NaN"], ["num", -0.0]]
    names = [name for name in EXACT if name not in ("min", "max")]  # see above: which zero they take
    places = {"number": list(range(len(operations))), "truth": []}
    while len(operations) < 800:
        name = str(rng.choice(names if places["truth"] else ["lt"]))
        kinds = KINDS.get(name, ["number"] * ARITY[name])
        operands = [int(rng.choice(places[kind][-30:])) for kind in kinds]
        places["truth" if name in TRUTHS else "number"].append(len(operations))
        operations.append([name, *operands])
    outputs = list(range(len(operations)))
    expected = play(operations, inputs)
    for index, shown in zip(outputs, played(operations, inputs, outputs), strict=True):
        np.testing.assert_array_equal(shown, np.atleast_1d(expected[index]).astype(float), str(operations[index]))


def test_only_what_changed_and_is_asked_for_is_computed_again():
    counts = node().evaluate("""() => {
      let calls = 0;
      live.trace.functions.counted = (x) => { calls += 1; return x; };
      const tape = new live.trace.Player([
        ["in", "x"], ["in", "s"], ["counted", 0], ["counted", 1], ["add", 2, 3], ["counted", 4],
      ]);
      const after = (act) => { calls = 0; act(); return calls; };
      tape.set("x", Float64Array.of(1, 2, 3));
      tape.set("s", 5);
      const counts = [
        after(() => tape.get(3)),
        after(() => tape.get(5)),
        after(() => tape.get(5)),
        after(() => { tape.set("s", 5); tape.get(5); }),
        after(() => { tape.set("s", 6); tape.get(5); }),
        after(() => { tape.set("x", Float64Array.of(1, 2, 4)); tape.get(5); }),
        after(() => { tape.set("unknown", 1); tape.get(5); }),
        after(() => { tape.set("s", 7); tape.get(2); }),
      ];
      delete live.trace.functions.counted;
      return counts;
    }""")
    assert counts == [1, 6, 0, 0, 4, 6, 0, 0]


def test_a_change_in_any_operand_reaches_the_result():
    shown = node().evaluate("""() => {
      const tape = new live.trace.Player([["in", "c"], ["in", "x"], ["in", "y"], ["where", 0, 1, 2], ["neg", 3]]);
      const settings = [{ c: 1, x: 2, y: 3 }, { c: 0 }, { y: 4 }, { c: 1 }, { x: 5 }];
      return settings.map((setting) => {
        for (const [name, value] of Object.entries(setting)) tape.set(name, value);
        return tape.get(4);
      });
    }""")
    assert shown == [-2, -3, -4, -2, -5]


def test_scalars_are_numbers_and_vectors_may_change_their_length():
    shown = node().evaluate("""() => {
      const tape = new live.trace.Player([["in", "x"], ["num", 2], ["mul", 0, 1]]);
      const text = (value) => typeof value === "number" ? value : `${value.constructor.name} ${value.join()}`;
      const values = [3, Float64Array.of(1, 2), [4], Float64Array.of(5, 6, 7), 8];
      return values.map((value) => { tape.set("x", value); return text(tape.get(2)); });
    }""")
    assert shown == [6, "Float64Array 2,4", "Float64Array 8", "Float64Array 10,12,14", 16]


def test_a_caller_may_reuse_the_vector_that_it_gave():
    shown = node().evaluate("""() => {
      const tape = new live.trace.Player([["in", "x"], ["in", "s"], ["mul", 0, 1]]);
      const vector = Float64Array.of(1, 2);
      tape.set("x", vector);
      tape.set("s", 2);
      vector[0] = 100;
      return Array.from(tape.get(2));
    }""")
    assert shown == [2, 4]


def test_vectors_of_unlike_lengths_serve_side_by_side_but_do_not_mix():
    shown = node().evaluate("""() => {
      const tape = new live.trace.Player([["in", "x"], ["in", "z"], ["neg", 0], ["neg", 1], ["add", 0, 1], ["neg", 4]]);
      tape.set("x", [1, 2]);
      tape.set("z", [1, 2, 3]);
      const message = (index) => { try { tape.get(index); } catch (error) { return error.message; } };
      return [tape.get(2).length, tape.get(3).length, message(4), message(5)];
    }""")
    assert shown == [2, 3, *['live.trace: "add" of vectors of unlike lengths'] * 2]


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("new live.trace.Player([['in', 'x']]).get(0)", 'the input "x" has no value yet'),
        ("new live.trace.Player([['in', 'x'], ['nothing', 0]])", 'no arithmetic for the operation "nothing"'),
        ("new live.trace.Player([['in', 'x'], ['toString', 0]])", 'no arithmetic for the operation "toString"'),
        ("new live.trace.Player([['in', 'x']]).set('x', [])", 'an empty vector for the input "x"'),
    ],
)
def test_a_mistake_is_an_error_with_a_name(script, message):
    assert (
        node().evaluate(f"() => {{ try {{ {script}; }} catch (error) {{ return error.message; }} }}")
        == f"live.trace: {message}"
    )


def test_no_code_is_made_from_text():
    for script in SCRIPTS:
        assert not re.search(r"\beval\b|\bFunction\b", script.read_text("utf-8"))
