"""domain: every rule, in its three ways: an exception, a gap, a line on a tape."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_lib import domain
from livefigures.trace import tracing

# For each check: values it accepts, values it refuses.
RULES = {
    domain.real: ([-5, 0, 1e308], [np.inf, -np.inf]),
    domain.positive: ([5e-324, 1, 1e308], [0, -0.0, -1, np.inf]),
    domain.nonnegative: ([0, 5e-324, 1e308], [-5e-324, -1, np.inf]),
    domain.extended: ([0, 1, np.inf], [-5e-324, -np.inf]),
    domain.fraction: ([5e-324, 0.5, 1 - 1e-16], [0, 1, -1, 2, np.inf]),
    domain.probability: ([0, 0.5, 1], [-5e-324, 1 + 1e-15, np.inf]),
    domain.order: ([1 + 1e-15, 2, np.inf], [1, 0.5, -2]),
    domain.order_or_limit: ([1, 2, np.inf], [1 - 1e-15, 0, -np.inf]),
    domain.count: ([0, 1, 1e300], [-1, 0.5, np.inf]),
    domain.positive_count: ([1, 2, 1e300], [0, -1, 1.5, np.inf]),
}
ACCEPTED = [(check, value) for check, (good, _) in RULES.items() for value in good]
REFUSED = [(check, value) for check, (_, bad) in RULES.items() for value in [*bad, np.nan]]


@pytest.mark.parametrize(("check", "value"), ACCEPTED)
def test_a_good_value_comes_back_as_float64(check, value):
    for form in (value, float(value), np.float64(value), np.array(value), [value, value]):
        found = check("x", form)
        assert np.asarray(found).dtype == np.float64
        np.testing.assert_array_equal(found, np.asarray(form, dtype=float))


@pytest.mark.parametrize(("check", "value"), REFUSED)
def test_a_bad_value_raises_and_leaves_a_gap(check, value):
    for form in (value, np.array(value)):
        with pytest.raises(domain.DomainError, match=r"^x must be .*, got"):
            check("x", form)
        with domain.gaps():
            assert np.isnan(check("x", form))


@pytest.mark.parametrize(("check", "value"), REFUSED)
def test_one_bad_entry_is_found_and_named(check, value):
    good = RULES[check][0][1]
    with pytest.raises(domain.DomainError, match=r"^x\[1, 0\] must be"):
        check("x", [[good, good], [value, good]])
    with domain.gaps():
        assert np.isnan(check("x", [[good, good], [value, good]])).tolist() == [[False, False], [True, False]]


@pytest.mark.parametrize("check", RULES)
def test_a_tape_says_the_same(check):
    tape = tracing.Tape()
    output = tape.output(check("x", tape.input("x")))
    values = np.array([*RULES[check][0], *RULES[check][1], np.nan])
    with domain.gaps():
        np.testing.assert_array_equal(tracing.play(tape.operations, {"x": values})[output], check("x", values))


@pytest.mark.parametrize("check", RULES)
@pytest.mark.parametrize(
    "value",
    [
        "1",
        b"1",
        None,
        True,
        np.True_,
        [1.0, True],
        1 + 0j,
        [1, "2"],
        [[1], [1, 2]],
        [None],
        {1},
        object(),
        np.array([1, None]),
        np.ma.masked_array([1.0, 2.0], [True, False]),
        np.datetime64("2020-01-01"),
        10**400,
    ],
)
def test_what_is_no_number_is_refused_in_a_figure_too(check, value):
    with pytest.raises(domain.DomainError, match="^x must be"):
        check("x", value)
    with domain.gaps(), pytest.raises(domain.DomainError):
        check("x", value)


def test_large_integers_do_not_overflow():
    assert domain.positive("x", 10**30) == 1e30
    assert domain.positive("x", np.array([10**10])) ** 2 == 1e20
    assert domain.positive("x", np.int8(100)) ** 2 == 1e4


def test_a_check_leaves_its_argument_alone():
    given_array = np.array([1.0, 2.0])
    domain.positive("x", given_array)[0] = 7
    assert given_array[0] == 1


def test_gaps_end_with_their_context_also_after_an_error():
    with pytest.raises(RuntimeError), domain.gaps():
        raise RuntimeError
    with pytest.raises(domain.DomainError):
        domain.positive("x", -1)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: domain.positive("sigma", -1), "sigma must be a finite number > 0, got -1.0"),
        (lambda: domain.positive("sigma", -1.0), "sigma must be a finite number > 0, got -1.0"),
        (lambda: domain.positive("sigma", [[1, -2]]), "sigma[0, 1] must be a finite number > 0, got -2.0"),
        (lambda: domain.positive("sigma", "1"), "sigma must be a finite number > 0, got '1' of type str"),
        (lambda: domain.positive("sigma", [1, [2]]), "sigma must be a finite number > 0, got a ragged list: [1, [2]]"),
        (
            lambda: domain.positive("sigma", 10**400),
            "sigma must be a finite number > 0, got an integer too large for a",
        ),
        (lambda: domain.condition("x", np.float64(3), np.False_, "< 1"), "x must be < 1, got 3.0"),
        (lambda: domain.condition("x", np.float64(3), np.False_, "< 1", "use y"), "x must be < 1, got 3.0; use y"),
        (lambda: domain.positive("sigma", -1, "use y"), "sigma must be a finite number > 0, got -1.0; use y"),
        (lambda: domain.pair("budget", 1.5), "budget must be a pair of numbers, got 1.5 of type float"),
    ],
)
def test_a_message_says_name_rule_and_value_and_no_more(call, said):
    with pytest.raises(domain.DomainError) as caught:
        call()
    assert str(caught.value).removesuffix(" float64") == said


def test_a_condition_on_a_tape_is_recorded_also_where_only_one_of_its_two_sides_is_traced():
    tape = tracing.Tape()
    x = tape.input("x")
    never, large = domain.condition("x", x, np.False_, "so"), domain.condition("y", np.float64(7), x > 2, "so")
    operations, outputs = tape.finish([tape.output(never), tape.output(large)])
    played = tracing.play(operations, {"x": np.array([1.0, 3.0])})
    assert np.isnan(played[outputs[0]]).all()
    np.testing.assert_array_equal(played[outputs[1]], [np.nan, 7])


def test_each_check_says_what_it_is_for():
    assert domain.positive.__doc__ == "Check that a value is a finite number > 0: sigma, scale, ..."


def test_a_domain_error_is_a_value_error():
    assert issubclass(domain.DomainError, ValueError)


def test_a_condition_of_two_parameters_broadcasts():
    with domain.gaps():
        found = domain.condition("x", np.array([1.0, 2.0]), np.array([[True, False], [True, True]]), "so")
    np.testing.assert_array_equal(found, [[1, np.nan], [1, 2]])


@given(st.floats() | st.integers(-(10**30), 10**30))
def test_no_check_ever_answers_outside_its_rule(value):
    for check, (good, _) in RULES.items():
        with domain.gaps():
            found = check("x", value)
        assert np.isnan(found) or found == float(value)
        assert check("x", good[1]) == good[1]


@pytest.mark.parametrize("value", [(1.0, 2.0), [1.0, 2.0]])
def test_a_pair_is_two_numbers(value):
    assert domain.pair("budget", value) == (1.0, 2.0)


@pytest.mark.parametrize("value", [1.0, None, "12", (1,), (1, 2, 3), np.array([1.0, 2.0]), {1: 2, 3: 4}])
def test_what_is_no_pair_is_refused(value):
    with pytest.raises(domain.DomainError, match="^budget must be a pair of numbers, got"):
        domain.pair("budget", value)
