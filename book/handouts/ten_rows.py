"""Three exercises for each lesson that repeat its definition on one table of ten patients."""

import math
from collections.abc import Callable

from scipy.special import ndtr

from book.handouts.numbers import number, up
from book.handouts.rubric import Exercise, Mistake, Rubric
from dp_lib import approx, cdp, pure, rdp, zcdp

PATIENTS = {
    "Anna": (34, True),
    "Ben": (51, False),
    "Carla": (28, True),
    "David": (67, True),
    "Emma": (45, False),
    "Femi": (72, True),
    "Greta": (39, False),
    "Hugo": (58, True),
    "Ida": (23, False),
    "Jan": (61, True),
}
ROWS = len(PATIENTS)
SMOKERS = sum(smokes for _, smokes in PATIENTS.values())
AGES = [age for age, _ in PATIENTS.values()]
LN2, LN3 = math.log(2), math.log(3)
TRUTH = 0.75  # randomized response with two tosses of a fair coin


def table() -> str:
    """Return the table of the patients."""
    head = "<tr><th>patient</th>" + "".join(f"<td>{name}</td>" for name in PATIENTS) + "</tr>"
    ages = "<tr><th>age</th>" + "".join(f"<td>{age}</td>" for age in AGES) + "</tr>"
    told = "".join(f"<td>{'yes' if smokes else 'no'}</td>" for _, smokes in PATIENTS.values())
    return (
        "<p>All exercises are about this table. Its neighbour is the same table with another row of "
        "Anna, in which she "
        f'says no.</p>\n<table class="rows">{head}{ages}<tr><th>smokes</th>{told}</tr></table>'
    )


# -- lesson 1


def two_tables() -> Exercise:
    return Exercise(
        "Two neighbours",
        [
            "(a) How many patients smoke in the table, and how many in its neighbour?",
            "(b) What is the sensitivity of this count? Neighbours differ in one replaced row, anybody's.",
            "(c) What is the sensitivity of the sum of the ages, if an age is a number from 0 to 100?",
        ],
        Rubric(
            [
                (4, f"(a) {SMOKERS} and {SMOKERS - 1}."),
                (3, "(b) 1, because one answer changes the count by at most 1."),
                (3, "(c) 100, because any age from 0 to 100 may be replaced by any other."),
            ],
            [SMOKERS, SMOKERS - 1, 1, 100],
            [
                Mistake(2, "(c) The largest difference between two ages of this table.", max(AGES) - min(AGES)),
                Mistake(2, "(c) Anna's own age, as if only her row could be replaced.", PATIENTS["Anna"][0]),
            ],
        ),
    )


def promise_by_hand() -> Exercise:
    count = SMOKERS
    return Exercise(
        "The promise on four results",
        [
            "The hospital publishes the count of smokers. With probability 1/2 it publishes the true "
            "count, with "
            "probability 1/4 one more, and with probability 1/4 one less.",
            f"(a) Write down the probabilities of the results {count - 2}, {count - 1}, {count} and "
            f"{count + 1} on the "
            "table and on its neighbour.",
            "(b) For each of the four results, divide the larger probability by the smaller one. For "
            "which ε is this "
            "mechanism ε-DP?",
        ],
        Rubric(
            [
                (4, "(a) On the table 0, 1/4, 1/2, 1/4, and on the neighbour 1/4, 1/2, 1/4, 0."),
                (2, f"(b) The ratio is 2 for {count - 1} and for {count}."),
                (2, f"It is infinite for {count - 2} and for {count + 1}, which are possible on one table only."),
                (2, "So the mechanism is ε-DP for no ε."),
            ],
            [2],
            [
                Mistake(4, "ε = ln 2, because the results with a probability of 0 are left out.", LN2),
                Mistake(2, "The neighbour's probabilities are those of the table."),
            ],
        ),
    )


def laplace_count() -> Exercise:
    b = float(pure.scale(LN2))
    return Exercise(
        "Laplace noise on the count",
        [
            "The count of smokers is published with Laplace noise and ε = ln 2.",
            "(a) Which scale does the noise have?",
            "(b) By which factor can a published number be more likely on the table than on its neighbour, at most?",
            "(c) An attacker knows everybody's answer but Anna's, and thinks her yes and her no equally "
            "likely. How sure of "
            "one of them can the number make the attacker, at most?",
        ],
        Rubric(
            [
                (3, f"(a) b = 1/ln 2 = {up(b)}, rounded up."),
                (3, "(b) The factor is e^ln 2 = 2."),
                (4, "(c) Odds of 1:1 become at most 2:1, which is a probability of 2/3."),
            ],
            [b, 2, 2 / 3],
            [
                Mistake(2, "(a) The scale is ε and not 1/ε.", LN2),
                Mistake(3, "(c) The probability is doubled, which would be certainty.", 1),
                Mistake(2, "(c) The odds are given as the answer.", 2),
            ],
        ),
    )


# -- lesson 2


def two_counts() -> Exercise:
    return Exercise(
        "Two counts",
        [
            "The hospital publishes the count of smokers with ε = ln 2, and the count of patients over "
            "60, also with "
            "ε = ln 2. Anna's whole row may change, so both counts may change.",
            "(a) Which ε do both counts have together?",
            "(b) By which factor can a pair of published numbers be more likely on one of two neighbours, at most?",
            "(c) An attacker thinks two possible rows of Anna equally likely. How sure of one of them "
            "can both numbers make "
            "the attacker, at most?",
        ],
        Rubric(
            [
                (4, f"(a) ln 2 + ln 2 = ln 4 = {up(2 * LN2)}, rounded up."),
                (3, "(b) The factors multiply, so 2 · 2 = 4."),
                (3, "(c) The odds become at most 4:1, which is a probability of 4/5."),
            ],
            [float(pure.compose(LN2, LN2)), 4, 0.8],
            [
                Mistake(2, "(b) The factors are added, which gives 4 by chance, and for three counts it would give", 6),
                Mistake(3, "(c) The two beliefs of 2/3 are multiplied.", 4 / 9),
                Mistake(3, "(a) The larger of the two ε.", LN2),
            ],
        ),
    )


def decades() -> Exercise:
    return Exercise(
        "Counts by age",
        [
            "The table is counted by age: under 40, from 40 to 59, and 60 or more. All three counts are "
            "published with "
            "Laplace noise, and they have ε = 1 together. Anna is replaced by a patient of 65.",
            "(a) Write down the three counts before and after. By how much do they change in all?",
            "(b) Which scale does the noise of each count need?",
            "(c) Which scale is needed for ten groups of age?",
        ],
        Rubric(
            [
                (
                    4,
                    "(a) "
                    + " and ".join(str(_by_age(ages)) for ages in (AGES, [65, *AGES[1:]]))
                    + ". They change by 2.",
                ),
                (3, "(b) The sensitivity is 2, so the scale is 2/1 = 2."),
                (3, "(c) Also 2, because a replaced row changes at most two groups."),
            ],
            [*_by_age(AGES), *_by_age([65, *AGES[1:]]), float(pure.scale(1, 2))],
            [
                Mistake(3, "(b) Each of the three counts is paid for.", 3),
                Mistake(3, "(c) Each of the ten counts is paid for.", 10),
                Mistake(2, "(b) Only one count is said to change.", 1),
            ],
        ),
    )


def _by_age(ages: list[int]) -> list[int]:
    return [sum(low <= age < high for age in ages) for low, high in ((0, 40), (40, 60), (60, 200))]


def clipped_mean() -> Exercise:
    bound = 50
    mean, clipped = sum(AGES) / ROWS, sum(min(age, bound) for age in AGES) / ROWS
    scales = [float(pure.scale(1, limit / ROWS)) for limit in (100, bound)]
    return Exercise(
        "A mean of ten ages",
        [
            "The mean age of the ten patients is published with Laplace noise and ε = 1. Each age is "
            "first clipped to the "
            "range from 0 to B. The number of patients is known.",
            f"(a) Compute the clipped mean for B = 100 and for B = {bound}.",
            "(b) Compute the sensitivity and the scale of the noise for both B.",
            "(c) Which B would you choose for this table? Give the bias and the scale as reasons.",
        ],
        Rubric(
            [
                (4, f"(a) {mean:.1f} and {clipped:.1f}."),
                (4, f"(b) The sensitivity is B/10, so the scales are {scales[0]:g} and {scales[1]:g}."),
                (
                    2,
                    f"(c) Either choice with its reasons: B = {bound} has a bias of {mean - clipped:.1f} and "
                    "noise of half the "
                    "scale. A table of ten rows is too small for a good mean with ε = 1.",
                ),
            ],
            [mean, clipped, *scales],
            [
                Mistake(3, "(b) The sensitivity is not divided by ten.", 100),
                Mistake(2, "(a) Ages above B are left out and not set to B.", _mean([a for a in AGES if a <= bound])),
                Mistake(1, "(c) B is chosen after a look at the ages, and nothing is said of what this costs."),
            ],
        ),
    )


def _mean(ages: list[int]) -> float:
    return sum(ages) / len(ages)


# -- lesson 3

P, Q = (0.5, 0.3, 0.2), (0.2, 0.3, 0.5)  # on the table and on its neighbour


def delta_of_three_results() -> Exercise:
    delta = sum(max(p - 2 * q, 0) for p, q in zip(P, Q, strict=True))
    return Exercise(
        "δ of three results",
        [
            "A mechanism has three results, a, b and c. On the table they have the probabilities 0.5, "
            "0.3 and 0.2, and on "
            "its neighbour 0.2, 0.3 and 0.5. Take ε = ln 2, so e^ε = 2.",
            "(a) Compute P − 2Q for each of the three results.",
            "(b) Which set of results makes P(S) − 2Q(S) as large as possible? How large must δ be?",
            "(c) For which ε is δ = 0 enough?",
        ],
        Rubric(
            [
                (3, "(a) 0.1, −0.3 and −0.8."),
                (
                    4,
                    f"(b) The set with a alone, so δ = {delta:g}. The other way round, the set with c alone "
                    "gives the same.",
                ),
                (3, f"(c) The largest ratio is 2.5, so for ε of at least ln 2.5 = {up(math.log(2.5))}, rounded up."),
            ],
            [delta, math.log(2.5)],
            [
                Mistake(3, "(b) The probability of a result whose ratio is above 2.", 0.5),
                Mistake(2, "(b) All three differences are added, which is negative.", -1),
                Mistake(2, "(c) The ratio without its logarithm.", 2.5),
            ],
        ),
    )


def one_of_ten() -> Exercise:
    return Exercise(
        "One record of ten",
        [
            "A mechanism chooses one of the ten patients at random and publishes the whole row, with the name.",
            "(a) With which probability is Anna's row published?",
            "(b) For which δ is the mechanism (0, δ)-DP?",
            "(c) For how many patients would the same mechanism have δ = 10⁻⁵, and how many rows would it publish?",
        ],
        Rubric(
            [
                (3, "(a) 1/10."),
                (
                    4,
                    "(b) For δ of at least 1/10, because the two tables give the same result unless Anna's row "
                    "is chosen.",
                ),
                (
                    3,
                    "(c) For 100 000 patients, and it still publishes one whole row. So δ must be much smaller "
                    "than 1/n.",
                ),
            ],
            [0.1, 100_000],
            [
                Mistake(3, "(b) δ = 1, because Anna's row may be published.", 1),
                Mistake(2, "(c) No row is said to be published, because δ is small."),
            ],
        ),
    )


def gaussian_losses() -> Exercise:
    sigma = float(approx.sigma(0.5, 1e-5))
    middle = SMOKERS - 0.5
    loss = (8 - middle) / 4
    return Exercise(
        "Gaussian noise on the count",
        [
            f"The count of smokers is published with Gaussian noise. It is {SMOKERS} on the table and "
            f"{SMOKERS - 1} on its "
            "neighbour.",
            "(a) At which result y are both densities equal?",
            f"(b) The loss of y is (y − {middle:g})/σ². Which results have a loss above 1 if σ = 2?",
            "(c) Which σ does the classic formula give for ε = 0.5 and δ = 10⁻⁵?",
        ],
        Rubric(
            [
                (3, f"(a) At {middle:g}, in the middle of the two counts."),
                (3, f"(b) Those above {middle + 4:g}."),
                (4, f"(c) √(2 ln(1.25/10⁻⁵))/0.5 = {up(sigma)}, rounded up."),
            ],
            [middle, middle + 4, sigma],
            [
                Mistake(2, "(b) σ is not squared.", middle + 2),
                Mistake(2, "(c) The 2 under the root is forgotten.", sigma / math.sqrt(2)),
                Mistake(1, f"(b) A single loss is computed, for example that of y = 8, which is {loss:g}."),
            ],
        ),
    )


# -- lesson 4


def four_questions() -> Exercise:
    return Exercise(
        "Four questions about ten patients",
        [
            "The hospital answers four questions about the table, each with ε = 0.5 and δ = 10⁻⁶.",
            "(a) Which (ε, δ) do all four answers satisfy by basic composition?",
            "(b) All four together are to be (1, 10⁻⁶)-DP by basic composition. Which share of ε and of "
            "δ does each get?",
            "(c) A fifth table is computed from the four published numbers. What does it cost?",
        ],
        Rubric(
            [
                (4, "(a) (2, 4 · 10⁻⁶) in total."),
                (4, "(b) ε = 0.25 and δ = 2.5 · 10⁻⁷ each."),
                (2, "(c) Nothing, because it is post-processing."),
            ],
            [4 * 0.5, 4e-6, 0.25, 2.5e-7],
            [
                Mistake(2, "(a) δ is not added up.", 1e-6),
                Mistake(2, "(b) δ is not divided.", 1e-6),
                Mistake(2, "(c) A fifth ε of 0.5 is added.", 2.5),
            ],
        ),
    )


def two_losses() -> Exercise:
    mean = float(rdp.randomized_response(1, TRUTH))
    return Exercise(
        "Two losses",
        [
            "Anna answers two different questions by randomized response, each time with the truth with "
            "probability 3/4. "
            "On a neighbour, the truth of both answers is the other one. One report has the loss +ln 3 "
            "if it is true, and "
            "−ln 3 if it is false.",
            "(a) List the sums of the two losses that are possible, with their probabilities.",
            "(b) What is the sum on average?",
            "(c) How often is it as large as basic composition has to assume?",
        ],
        Rubric(
            [
                (4, "(a) 2 ln 3 with probability 9/16, 0 with 6/16, and −2 ln 3 with 1/16."),
                (3, f"(b) (9/16 − 1/16) · 2 ln 3 = ln 3 = {number(2 * mean)}."),
                (3, "(c) In 9 of 16 cases."),
            ],
            [2 * mean, 9 / 16],
            [
                Mistake(
                    2, "(a) The sum 0 is counted once and not in both orders, so it has the probability 3/16.", 3 / 16
                ),
                Mistake(2, "(b) The mean of one answer.", mean),
                Mistake(2, "(c) The probability of one true report.", 0.75),
            ],
        ),
    )


def delta_of_a_sum() -> Exercise:
    delta = 9 / 16 - 3 * 1 / 16
    single = float(approx.delta((LN3, 0), 0))
    return Exercise(
        "δ of two answers",
        [
            "Take the two reports of the exercise before. On the table, the pair is true twice with "
            "probability 9/16, "
            "true once with 6/16, and never with 1/16. On the neighbour, these are 1/16, 6/16 and 9/16.",
            "(a) Compute P − e^ε Q for the three cases at ε = ln 3.",
            "(b) What is the smallest δ for which both reports together are (ln 3, δ)-DP?",
            "(c) From which ε on is δ = 0 enough?",
        ],
        Rubric(
            [
                (4, "(a) 6/16, −12/16 and −26/16."),
                (3, f"(b) Only the first is positive, so δ = 6/16 = {delta:g}."),
                (3, f"(c) From 2 ln 3 = {up(2 * LN3)} on, rounded up, which is basic composition."),
            ],
            [delta, 2 * LN3],
            [
                Mistake(3, "(b) The probability that both reports are true.", 9 / 16),
                Mistake(2, "(c) The ε of one answer.", LN3),
                Mistake(2, "(b) P − Q without e^ε. For one answer this would be", single),
            ],
        ),
    )


# -- lesson 5


def loss_of_one_report() -> Exercise:
    mean = float(rdp.randomized_response(1, TRUTH))
    deviation = LN3 * math.sqrt(4 * TRUTH * (1 - TRUTH))
    return Exercise(
        "The loss of one report",
        [
            "Anna reports her answer by randomized response, with the truth with probability 3/4.",
            "(a) Which two values can the privacy loss have, and with which probabilities?",
            "(b) What is its mean?",
            "(c) What is its standard deviation?",
        ],
        Rubric(
            [
                (4, "(a) +ln 3 with probability 3/4 and −ln 3 with probability 1/4."),
                (3, f"(b) (3/4 − 1/4) ln 3 = {number(mean)}."),
                (3, f"(c) The mean square is (ln 3)², so it is ln 3 · √(1 − 1/4) = {number(deviation)}."),
            ],
            [mean, deviation],
            [
                Mistake(2, "(b) Both values are taken as equally likely.", 0),
                Mistake(2, "(c) The mean is not subtracted.", LN3),
                Mistake(2, "(c) The variance is given.", deviation**2),
            ],
        ),
    )


def loss_of_one_count() -> Exercise:
    budget = cdp.gaussian(2)
    return Exercise(
        "The loss of one count",
        [
            "The count of smokers is published with Gaussian noise of σ = 2. Its loss on the table is normal.",
            "(a) What is the standard deviation τ of the loss?",
            "(b) What is the mean μ of the loss?",
            "(c) With which probability is the loss negative, so that the result speaks for the wrong table?",
        ],
        Rubric(
            [
                (3, "(a) τ = Δ/σ = 1/2."),
                (4, "(b) μ = τ²/2 = 1/8."),
                (
                    3,
                    "(c) The loss is negative if it is μ/τ = 1/4 deviations below its mean, so with "
                    f"{number(float(ndtr(-0.25)))}.",
                ),
            ],
            [float(budget.tau), float(budget.mu), float(ndtr(-0.25))],
            [
                Mistake(2, "(a) τ is said to be the σ of the noise.", 2),
                Mistake(3, "(b) The mean is said to be 0.", 0),
                Mistake(2, "(c) One half, as if the mean were 0.", 0.5),
            ],
        ),
    )


def ten_counts() -> Exercise:
    total = cdp.repeat(cdp.gaussian(2), ROWS)
    bound = math.exp(-2)
    return Exercise(
        "Ten counts",
        [
            "Ten different counts about the table are published, each with Gaussian noise of σ = 2. Anna "
            "can change each "
            "by 1.",
            "(a) What is the mean of the sum of the ten losses?",
            "(b) What is its τ?",
            "(c) Bound the probability that the sum is at least 2τ above its mean. Use the bound of the lesson.",
        ],
        Rubric(
            [
                (3, f"(a) The means add up to 10 · 1/8 = {float(total.mu):g}."),
                (4, f"(b) The squares add up to 10 · 1/4, so τ = √2.5 = {up(float(total.tau))}, rounded up."),
                (3, f"(c) e^(−t²/2) with t = 2 is e⁻² = {up(bound)}, rounded up."),
            ],
            [float(total.mu), float(total.tau), bound],
            [
                Mistake(3, "(b) τ itself is added up.", 5),
                Mistake(2, "(b) The sum of the squares, without the root.", 2.5),
                Mistake(2, "(c) The square of t is forgotten.", math.exp(-1)),
            ],
        ),
    )


# -- lesson 6


def order_two() -> Exercise:
    p, q = TRUTH, 1 - TRUTH
    second = float(rdp.randomized_response(2, TRUTH))
    return Exercise(
        "Order 2 by hand",
        [
            "Anna reports her answer by randomized response, with the truth with probability 3/4.",
            "(a) e^L is 3 or 1/3. With which probabilities?",
            "(b) What is the mean of e^L?",
            "(c) What is D₂, which is the logarithm of this mean? Compare it with the largest loss.",
        ],
        Rubric(
            [
                (3, "(a) 3 with probability 3/4, and 1/3 with probability 1/4."),
                (4, f"(b) 9/4 + 1/12 = 7/3 = {number(7 / 3)}."),
                (3, f"(c) D₂ = ln(7/3) = {number(second)}, and the largest loss is ln 3 = {number(LN3)}."),
            ],
            [7 / 3, second],
            [
                Mistake(3, "(b) The mean with the neighbour's probabilities, which is always", 1),
                Mistake(2, "(c) The mean of the loss itself, which is D₁.", (p - q) * LN3),
                Mistake(2, "(c) The logarithm is forgotten.", 7 / 3),
            ],
        ),
    )


def budgets_at_five() -> Exercise:
    one = float(rdp.gaussian(5, 2))
    return Exercise(
        "A budget at order 5",
        [
            "The count of smokers is published with Gaussian noise of σ = 2.",
            "(a) What is its Rényi budget at the order α = 5? And at α = 9?",
            "(b) Ten such counts are published. What is their budget at α = 5?",
            "(c) A student adds the budget of five counts at α = 5 and the budget of the other five at α "
            "= 9. What is wrong?",
        ],
        Rubric(
            [
                (4, f"(a) α/(2σ²) = 5/8 = {one:g}, and 9/8 = {float(rdp.gaussian(9, 2)):g}."),
                (3, f"(b) 10 · 5/8 = {10 * one:g}."),
                (3, "(c) Budgets add up at the same order only. The sum is a budget at neither order."),
            ],
            [one, float(rdp.gaussian(9, 2)), 10 * one],
            [
                Mistake(2, "(a) σ is not squared.", 5 / 4),
                Mistake(2, "(a) The 2 is forgotten.", 5 / 4),
                Mistake(2, "(b) The root of ten in place of ten.", math.sqrt(10) * one),
            ],
        ),
    )


def to_epsilon() -> Exercise:
    budgets = {alpha: float(rdp.gaussian(alpha, 2)) for alpha in (5, 9)}
    found = {alpha: float(rdp.epsilon(alpha, budget, 1e-5)) for alpha, budget in budgets.items()}
    return Exercise(
        "From an order to ε",
        [
            "Take one count with Gaussian noise of σ = 2, whose budget at the order α is α/8. Let δ = 10⁻⁵.",
            "(a) Which ε does the order 5 prove by the classic conversion?",
            "(b) Which ε does the order 9 prove?",
            "(c) Which of the two may you publish, and why?",
        ],
        Rubric(
            [
                (4, f"(a) 5/8 + ln(10⁵)/4 = {up(found[5])}, rounded up."),
                (3, f"(b) 9/8 + ln(10⁵)/8 = {up(found[9])}, rounded up."),
                (3, "(c) Both are true, so the smaller one, that of order 9."),
            ],
            [found[5], found[9]],
            [
                Mistake(2, "(a) The logarithm is divided by α and not by α − 1.", budgets[5] + math.log(1e5) / 5),
                Mistake(2, "(a) The logarithm to base 10.", budgets[5] + 5 / 4),
                Mistake(2, "(c) The larger one is said to be the safe one, although both are true."),
            ],
        ),
    )


# -- lesson 7


def rho_of_counts() -> Exercise:
    one = float(zcdp.gaussian(2))
    return Exercise(
        "ρ of four counts",
        [
            "The count of smokers is published with Gaussian noise of σ = 2.",
            "(a) What is its ρ?",
            "(b) Three more counts are published in the same way. What is the ρ of all four?",
            "(c) What is the budget of all four at the order α = 5?",
        ],
        Rubric(
            [
                (4, f"(a) 1/(2σ²) = {one:g}."),
                (3, f"(b) 4 · 1/8 = {4 * one:g}."),
                (3, f"(c) ρα = {20 * one:g}."),
            ],
            [one, 4 * one, 20 * one],
            [
                Mistake(2, "(a) σ is not squared.", 1 / 4),
                Mistake(2, "(b) The root of four in place of four.", 2 * one),
                Mistake(1, "(c) The budget of one count.", 5 * one),
            ],
        ),
    )


def rho_to_epsilon() -> Exercise:
    rho = 0.5
    order, epsilon = 1 + math.sqrt(math.log(1e5) / rho), float(zcdp.epsilon(rho, 1e-5))
    return Exercise(
        "From ρ to ε",
        [
            "The four counts of the exercise before have ρ = 1/2 together. Let δ = 10⁻⁵.",
            "(a) Compute ε = ρ + 2√(ρ ln(1/δ)).",
            "(b) At which order α = 1 + √(ln(1/δ)/ρ) does this conversion happen?",
            "(c) Compute the ε that the order 5 proves, which is 5ρ + ln(1/δ)/4. Compare it with (a).",
        ],
        Rubric(
            [
                (4, f"(a) ε = {up(epsilon)}, rounded up."),
                (3, f"(b) α = {number(order)}."),
                (
                    3,
                    f"(c) {up(float(rdp.epsilon(5, 2.5, 1e-5)))}, rounded up. It is larger, because 5 is not the "
                    "best order.",
                ),
            ],
            [epsilon, order, float(rdp.epsilon(5, 2.5, 1e-5))],
            [
                Mistake(2, "(a) The 2 before the root is forgotten.", rho + math.sqrt(rho * math.log(1e5))),
                Mistake(2, "(a) ρ before the root is forgotten.", 2 * math.sqrt(rho * math.log(1e5))),
                Mistake(1, "(b) The 1 is forgotten.", order - 1),
            ],
        ),
    )


def two_shares() -> Exercise:
    small, large = (float(zcdp.sigma(each)) for each in (0.1, 0.4))
    return Exercise(
        "Two shares",
        [
            "There is ρ = 1/2 for two counts about the table. The count of smokers gets 0.4, and the "
            "count of patients over "
            "60 gets the rest.",
            "(a) Which ρ does the second count get?",
            "(b) Compute σ = 1/√(2ρ) for both.",
            "(c) The share of the first is four times that of the second. How do the two σ compare?",
        ],
        Rubric(
            [
                (2, "(a) 0.1."),
                (5, f"(b) {up(large)} and {up(small)}, rounded up."),
                (3, "(c) The first σ is half of the second, because σ is proportional to 1/√ρ."),
            ],
            [0.1, large, small],
            [
                Mistake(2, "(b) The root is forgotten. The first count then has", 1 / 0.8),
                Mistake(3, "(c) A quarter in place of a half.", 0.25),
            ],
        ),
    )


# -- lesson 8


def errors_of_a_report() -> Exercise:
    return Exercise(
        "Two errors of a guess",
        [
            "Anna reports by randomized response, with the truth with probability 3/4, so ε = ln 3. The "
            "attacker says “Anna "
            "said yes” if the report is yes.",
            "(a) How often does the attacker say yes although her answer is no? This is the rate a of false alarms.",
            "(b) How often does the attacker say no although her answer is yes? This is the rate b of misses.",
            "(c) Check that 1 − b ≤ e^ε a. Is there room?",
        ],
        Rubric(
            [
                (3, "(a) a = 1/4."),
                (3, "(b) b = 1/4."),
                (4, "(c) 1 − b = 3/4, and e^ε a = 3 · 1/4 = 3/4. They are equal, so there is no room."),
            ],
            [0.25, 0.25, float(math.exp(pure.randomized_response(TRUTH)) / 4)],
            [
                Mistake(3, "(a) Half of 1/4, because her two answers are taken as equally likely.", 0.125),
                Mistake(2, "(c) ε is used in place of e^ε.", LN3 / 4),
            ],
        ),
    )


def threshold_guess() -> Exercise:
    middle = SMOKERS - 0.5
    error = float(ndtr(-0.5))
    return Exercise(
        "A guess about a count",
        [
            f"The count of smokers is published with Gaussian noise of σ = 1. It is {SMOKERS} if Anna "
            "said yes, and "
            f"{SMOKERS - 1} if she said no. The attacker says yes if the published number is above {middle:g}.",
            "(a) How often is this a false alarm? Use a table of the normal distribution.",
            "(b) How often does the attacker miss?",
            f"(c) The attacker moves the threshold to {SMOKERS}. What happens to the two errors?",
        ],
        Rubric(
            [
                (4, f"(a) The noise must be above 1/2, so {number(error)}."),
                (3, f"(b) The noise must be below −1/2, so {number(error)} as well."),
                (3, f"(c) False alarms fall to {number(float(ndtr(-1)))}, and misses rise to 1/2."),
            ],
            [error, error, float(ndtr(-1)), 0.5],
            [
                Mistake(2, "(a) The noise must be above 1, the distance of the counts.", float(ndtr(-1))),
                Mistake(2, "(c) Both errors are said to fall."),
            ],
        ),
    )


def sampled_steps() -> Exercise:
    epsilon = math.log1p(0.1 * math.expm1(1))
    never = 0.9**20
    return Exercise(
        "A sample in each step",
        [
            "A model is trained on the ten patients in 20 steps. In each step, each patient is taken "
            "with probability 1/10, "
            "independently.",
            "(a) In how many steps is Anna's row used, on average?",
            "(b) With which probability is it used in none?",
            "(c) One step is 1-DP for the patients who are taken. Which ε does it have for the whole table, "
            "ln(1 + q(e^ε − 1)), where neighbours differ by one row added or removed?",
        ],
        Rubric(
            [
                (3, "(a) In 20 · 1/10 = 2."),
                (3, f"(b) 0.9²⁰ = {number(never)}."),
                (4, f"(c) ln(1 + (e − 1)/10) = {up(epsilon)}, rounded up."),
            ],
            [2, never, epsilon],
            [
                Mistake(2, "(b) 1 − 20 · 0.1, which is negative.", -1),
                Mistake(3, "(c) q · ε, which is smaller than the true ε.", 0.1),
            ],
        ),
    )


LESSONS: dict[str, tuple[Callable[[], Exercise], ...]] = {
    "1": (two_tables, promise_by_hand, laplace_count),
    "2": (two_counts, decades, clipped_mean),
    "3": (delta_of_three_results, one_of_ten, gaussian_losses),
    "4": (four_questions, two_losses, delta_of_a_sum),
    "5": (loss_of_one_report, loss_of_one_count, ten_counts),
    "6": (order_two, budgets_at_five, to_epsilon),
    "7": (rho_of_counts, rho_to_epsilon, two_shares),
    "8": (errors_of_a_report, threshold_guess, sampled_steps),
}


def exercises(lesson: str) -> list[Exercise]:
    """Return the three exercises of a lesson."""
    return [exercise() for exercise in LESSONS[lesson]]
