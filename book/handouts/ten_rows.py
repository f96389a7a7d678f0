"""Three exercises for each lesson that repeat its definition on one table of ten patients."""

import math
from collections.abc import Callable
from functools import partial
from statistics import fmean

from scipy.special import ndtr

from book.handouts.numbers import number, up
from book.handouts.rubric import Exercise, enter, read_exercise
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
EXERCISES: list[tuple[str, str, Callable[[], str]]] = []  # lesson, title, text
exercise = partial(enter, EXERCISES)
TRUTH = 0.75  # randomized response with two tosses of a fair coin


def table() -> str:
    """Return the table of the patients."""
    head = "<tr><th>patient</th>" + "".join(f"<td>{name}</td>" for name in PATIENTS) + "</tr>"
    ages = "<tr><th>age</th>" + "".join(f"<td>{age}</td>" for age in AGES) + "</tr>"
    told = "".join(f"<td>{'yes' if smokes else 'no'}</td>" for _, smokes in PATIENTS.values())
    return (
        "<p>All exercises are about this table. Its neighbour is the same table with another row of Anna, in which she "
        f'says no.</p>\n<table class="rows">{head}{ages}<tr><th>smokes</th>{told}</tr></table>'
    )


# -- lesson 1


@exercise("1", "Two neighbours")
def two_tables() -> str:
    return f"""
        (a) How many patients smoke in the table, and how many in its neighbour?
        (b) What is the sensitivity of this count? Neighbours differ in one replaced row, anybody's.
        (c) What is the sensitivity of the sum of the ages, if an age is a number from 0 to 100?

        4: (a) {SMOKERS} and {SMOKERS - 1}.
        3: (b) 1, because one answer changes the count by at most 1.
        3: (c) 100, because any age from 0 to 100 may be replaced by any other.

        2: (c) The largest difference between two ages of this table. → {max(AGES) - min(AGES)}
        2: (c) Anna's own age, as if only her row could be replaced. → {PATIENTS["Anna"][0]}

        Answers: {SMOKERS}, {SMOKERS - 1}, 1, 100
        Rule: sensitivity, the largest change by one replaced row
        """


@exercise("1", "The promise on four results")
def promise_by_hand() -> str:
    count = SMOKERS
    return f"""
        The hospital publishes the count of smokers. With probability 1/2 it publishes the true count, with probability
          1/4 one more, and with probability 1/4 one less.
        (a) Write down the probabilities of the results {count - 2}, {count - 1}, {count} and {count + 1} on the table
          and on its neighbour.
        (b) For each of the four results, divide the larger probability by the smaller one. For which ε is this
          mechanism ε-DP?

        4: (a) On the table 0, 1/4, 1/2, 1/4, and on the neighbour 1/4, 1/2, 1/4, 0.
        2: (b) The ratio is 2 for {count - 1} and for {count}.
        2: It is infinite for {count - 2} and for {count + 1}, which are possible on one table only.
        2: So the mechanism is ε-DP for no ε.

        4: ε = ln 2, because the results with a probability of 0 are left out. → {LN2}
        2: The neighbour's probabilities are those of the table.

        Answers: 2
        Rule: ε-DP bounds the ratio at each result
        """


@exercise("1", "Laplace noise on the count")
def laplace_count() -> str:
    b = float(pure.scale(LN2))
    return f"""
        The count of smokers is published with Laplace noise and ε = ln 2.
        (a) Which scale does the noise have?
        (b) By which factor can a published number be more likely on the table than on its neighbour, at most?
        (c) An attacker knows everybody's answer but Anna's, and thinks her yes and her no equally likely. How sure of
          one of them can the number make the attacker, at most?

        3: (a) b = 1/ln 2 = {up(b)}, rounded up.
        3: (b) The factor is e^(ln 2) = 2.
        4: (c) Odds of 1:1 become at most 2:1, which is a probability of 2/3.

        2: (a) The scale is ε and not 1/ε. → {LN2}
        3: (c) The probability is doubled, which would be certainty. → 1
        2: (c) The odds are given as the answer. → 2

        Answers: {b}, 2, {2 / 3}
        Rule: scale Δ/ε, and odds that are multiplied by e^ε at most
        """


# -- lesson 2


@exercise("2", "Two counts")
def two_counts() -> str:
    return f"""
        The hospital publishes the count of smokers with ε = ln 2, and the count of patients over 60, also with ε = ln
          2. Anna's whole row may change, so both counts may change.
        (a) Which ε do both counts have together?
        (b) By which factor can a pair of published numbers be more likely on one of two neighbours, at most?
        (c) An attacker thinks two possible rows of Anna equally likely. How sure of one of them can both numbers make
          the attacker, at most?

        4: (a) ln 2 + ln 2 = ln 4 = {up(2 * LN2)}, rounded up.
        3: (b) The factors multiply, so 2 · 2 = 4.
        3: (c) The odds become at most 4:1, which is a probability of 4/5.

        2: (b) The factors are added, which gives 4 by chance, and for three counts it would give → 6
        3: (c) The two beliefs of 2/3 are multiplied. → {4 / 9}
        3: (a) The larger of the two ε. → {LN2}

        Answers: {pure.compose(LN2, LN2)}, 4, 0.8
        Rule: basic composition
        """


@exercise("2", "Counts by age")
def decades() -> str:
    before, after = (
        [sum(low <= age < high for age in ages) for low, high in ((0, 40), (40, 60), (60, 200))]
        for ages in (AGES, [65, *AGES[1:]])
    )
    return f"""
        The table is counted by age: under 40, from 40 to 59, and 60 or more. All three counts are published with
          Laplace noise, and they have ε = 1 together. Anna is replaced by a patient of 65.
        (a) Write down the three counts before and after. By how much do they change in all?
        (b) Which scale does the noise of each count need?
        (c) Which scale is needed for ten groups of age?

        4: (a) {before} and {after}. They change by 2.
        3: (b) The sensitivity is 2, so the scale is 2/1 = 2.
        3: (c) Also 2, because a replaced row changes at most two groups.

        3: (b) Each of the three counts is paid for. → 3
        3: (c) Each of the ten counts is paid for. → 10
        2: (b) Only one count is said to change. → 1

        Answers: {before[0]}, {before[1]}, {before[2]}, {after[0]}, {after[1]}, {after[2]}, {pure.scale(1, 2)}
        Rule: a replaced row changes at most two cells of a histogram, by 1 each
        """


@exercise("2", "A mean of ten ages")
def clipped_mean() -> str:
    bound = 50
    mean, clipped = fmean(AGES), fmean(min(age, bound) for age in AGES)
    kept = fmean(age for age in AGES if age <= bound)
    scales = [float(pure.scale(1, limit / ROWS)) for limit in (100, bound)]
    return f"""
        The mean age of the ten patients is published with Laplace noise and ε = 1. Each age is first clipped to the
          range from 0 to B. The number of patients is known.
        (a) Compute the clipped mean for B = 100 and for B = {bound}.
        (b) Compute the sensitivity and the scale of the noise for both B.
        (c) Which B would you choose for this table? Give the bias and the scale as reasons.

        4: (a) {mean:.1f} and {clipped:.1f}.
        4: (b) The sensitivity is B/10, so the scales are {scales[0]:g} and {scales[1]:g}.
        2: (c) Either choice with its reasons: B = {bound} has a bias of {mean - clipped:.1f} and noise of half the
          scale. A table of ten rows is too small for a good mean with ε = 1.

        3: (b) The sensitivity is not divided by ten. → 100
        2: (a) Ages above B are left out and not set to B. → {kept}
        1: (c) B is chosen after a look at the ages, and nothing is said of what this costs.

        Answers: {mean}, {clipped}, {scales[0]}, {scales[1]}
        Rule: clipping at B gives a mean the sensitivity B/n
        """


# -- lesson 3

P, Q = (0.5, 0.3, 0.2), (0.2, 0.3, 0.5)  # on the table and on its neighbour


@exercise("3", "δ of three results")
def delta_of_three_results() -> str:
    delta = sum(max(p - 2 * q, 0) for p, q in zip(P, Q, strict=True))
    return f"""
        A mechanism has three results, a, b and c. On the table they have the probabilities 0.5, 0.3 and 0.2, and on its
          neighbour 0.2, 0.3 and 0.5. Take ε = ln 2, so e^ε = 2.
        (a) Compute P − 2Q for each of the three results.
        (b) Which set of results makes P(S) − 2Q(S) as large as possible? How large must δ be?
        (c) For which ε is δ = 0 enough?

        3: (a) 0.1, −0.3 and −0.8.
        4: (b) The set with a alone, so δ = {delta:g}. The other way round, the set with c alone gives the same.
        3: (c) The largest ratio is 2.5, so for ε of at least ln 2.5 = {up(math.log(2.5))}, rounded up.

        3: (b) The probability of a result whose ratio is above 2. → 0.5
        2: (b) All three differences are added, which is negative. → -1
        2: (c) The ratio without its logarithm. → 2.5

        Answers: {delta}, {math.log(2.5)}
        Rule: δ(ε) = Σ(p − e^ε q)₊
        """


@exercise("3", "One record of ten")
def one_of_ten() -> str:
    return """
        A mechanism chooses one of the ten patients at random and publishes the whole row, with the name.
        (a) With which probability is Anna's row published?
        (b) For which δ is the mechanism (0, δ)-DP?
        (c) For how many patients would the same mechanism have δ = 10⁻⁵, and how many rows would it publish?

        3: (a) 1/10.
        4: (b) For δ of at least 1/10, because the two tables give the same result unless Anna's row is chosen.
        3: (c) For 100 000 patients, and it still publishes one whole row. So δ must be much smaller than 1/n.

        3: (b) δ = 1, because Anna's row may be published. → 1
        2: (c) No row is said to be published, because δ is small.

        Answers: 0.1, 100000
        Rule: δ as the probability that a whole row is published
        """


@exercise("3", "Gaussian noise on the count")
def gaussian_losses() -> str:
    sigma = float(approx.sigma(0.5, 1e-5))
    middle = SMOKERS - 0.5
    loss = (8 - middle) / 4
    return f"""
        The count of smokers is published with Gaussian noise. It is {SMOKERS} on the table and {SMOKERS - 1} on its
          neighbour.
        (a) At which result y are both densities equal?
        (b) The loss of y is (y − {middle:g})/σ². Which results have a loss above 1 if σ = 2?
        (c) Which σ does the classic formula give for ε = 0.5 and δ = 10⁻⁵?

        3: (a) At {middle:g}, in the middle of the two counts.
        3: (b) Those above {middle + 4:g}.
        4: (c) √(2 ln(1.25/10⁻⁵))/0.5 = {up(sigma)}, rounded up.

        2: (b) σ is not squared. → {middle + 2}
        2: (c) The 2 under the root is forgotten. → {sigma / math.sqrt(2)}
        1: (b) A single loss is computed, for example that of y = 8, which is {loss:g}.

        Answers: {middle}, {middle + 4}, {sigma}
        Rule: the loss is linear in the answer, and the classic σ
        """


# -- lesson 4


@exercise("4", "Four questions about ten patients")
def four_questions() -> str:
    return """
        The hospital answers four questions about the table, each with ε = 0.5 and δ = 10⁻⁶.
        (a) Which (ε, δ) do all four answers satisfy by basic composition?
        (b) All four together are to be (1, 10⁻⁶)-DP by basic composition. Which share of ε and of δ does each get?
        (c) A fifth number is computed from the four published numbers alone. What does it cost?

        4: (a) (2, 4 · 10⁻⁶) in total.
        4: (b) ε = 0.25 and δ = 2.5 · 10⁻⁷ each.
        2: (c) Nothing, because it is post-processing.

        2: (a) δ is not added up. → 1e-6
        2: (b) δ is not divided. → 1e-6
        2: (c) A fifth ε of 0.5 is added. → 2.5

        Answers: 2, 4e-6, 0.25, 2.5e-7
        Rule: basic composition, and post-processing
        """


@exercise("4", "Two losses")
def two_losses() -> str:
    mean = float(rdp.randomized_response(1, TRUTH))
    return f"""
        Anna answers two different questions by randomized response, each time with the truth with probability 3/4. On a
          neighbour, the truth of both answers is the other one. One report has the loss +ln 3 if it is true, and −ln 3
          if it is false.
        (a) List the sums of the two losses that are possible, with their probabilities.
        (b) What is the sum on average?
        (c) How often is it as large as basic composition has to assume?

        4: (a) 2 ln 3 with probability 9/16, 0 with 6/16, and −2 ln 3 with 1/16.
        3: (b) (9/16 − 1/16) · 2 ln 3 = ln 3 = {number(2 * mean)}.
        3: (c) In 9 of 16 cases.

        2: (a) The sum 0 is counted once and not in both orders, so it has the probability 3/16. → {3 / 16}
        2: (b) The mean of one answer. → {mean}
        2: (c) The probability of one true report. → 0.75

        Answers: {2 * mean}, {9 / 16}
        Rule: losses of independent answers add up
        """


@exercise("4", "δ of two answers")
def delta_of_a_sum() -> str:
    delta = 9 / 16 - 3 * 1 / 16
    single = float(approx.delta((LN3, 0), 0))
    return f"""
        Take the two reports of the exercise before. On the table, the pair is true twice with probability 9/16, true
          once with 6/16, and never with 1/16. On the neighbour, these are 1/16, 6/16 and 9/16.
        (a) Compute P − e^ε Q for the three cases at ε = ln 3.
        (b) What is the smallest δ for which both reports together are (ln 3, δ)-DP?
        (c) From which ε on is δ = 0 enough?

        4: (a) 6/16, −12/16 and −26/16.
        3: (b) Only the first is positive, so δ = 6/16 = {delta:g}.
        3: (c) From 2 ln 3 = {up(2 * LN3)} on, rounded up, which is basic composition.

        3: (b) The probability that both reports are true. → {9 / 16}
        2: (c) The ε of one answer. → {LN3}
        2: (b) P − Q without e^ε. For one answer this would be → {single}

        Answers: {delta}, {2 * LN3}
        Rule: δ(ε) = Σ(p − e^ε q)₊ for both answers together
        """


# -- lesson 5


@exercise("5", "The loss of one report")
def loss_of_one_report() -> str:
    mean = float(rdp.randomized_response(1, TRUTH))
    deviation = LN3 * math.sqrt(4 * TRUTH * (1 - TRUTH))
    return f"""
        Anna reports her answer by randomized response, with the truth with probability 3/4.
        (a) Which two values can the privacy loss have, and with which probabilities?
        (b) What is its mean?
        (c) What is its standard deviation?

        4: (a) +ln 3 with probability 3/4 and −ln 3 with probability 1/4.
        3: (b) (3/4 − 1/4) ln 3 = {number(mean)}.
        3: (c) The mean square is (ln 3)², so it is ln 3 · √(1 − 1/4) = {number(deviation)}.

        2: (b) Both values are taken as equally likely. → 0
        2: (c) The mean is not subtracted. → {LN3}
        2: (c) The variance is given. → {deviation**2}

        Answers: {mean}, {deviation}
        Rule: mean and standard deviation of a loss
        """


@exercise("5", "The loss of one count")
def loss_of_one_count() -> str:
    budget = cdp.gaussian(2)
    return f"""
        The count of smokers is published with Gaussian noise of σ = 2. Its loss on the table is normal.
        (a) What is the standard deviation τ of the loss?
        (b) What is the mean μ of the loss?
        (c) With which probability is the loss negative, so that the result speaks for the wrong table?

        3: (a) τ = Δ/σ = 1/2.
        4: (b) μ = τ²/2 = 1/8.
        3: (c) The loss is negative if it is μ/τ = 1/4 deviations below its mean, so with {number(float(ndtr(-0.25)))}.

        2: (a) τ is said to be the σ of the noise. → 2
        3: (b) The mean is said to be 0. → 0
        2: (c) One half, as if the mean were 0. → 0.5

        Answers: {budget.tau}, {budget.mu}, {ndtr(-0.25)}
        Rule: a normal loss has μ = τ²/2, with τ = Δ/σ
        """


@exercise("5", "Ten counts")
def ten_counts() -> str:
    total = cdp.repeat(cdp.gaussian(2), ROWS)
    bound = math.exp(-2)
    return f"""
        Ten different counts about the table are published, each with Gaussian noise of σ = 2. Anna can change each by
          1.
        (a) What is the mean of the sum of the ten losses?
        (b) What is its τ?
        (c) Bound the probability that the sum is at least 2τ above its mean. Use the bound of the lesson.

        3: (a) The means add up to 10 · 1/8 = {float(total.mu):g}.
        4: (b) The squares add up to 10 · 1/4, so τ = √2.5 = {up(float(total.tau))}, rounded up.
        3: (c) e^(−t²/2) with t = 2 is e⁻² = {up(bound)}, rounded up.

        3: (b) τ itself is added up. → 5
        2: (b) The sum of the squares, without the root. → 2.5
        2: (c) The square of t is forgotten. → {math.exp(-1)}

        Answers: {total.mu}, {total.tau}, {bound}
        Rule: μ and τ² add up, and the tail is at most e^(−t²/2)
        """


# -- lesson 6


@exercise("6", "Order 2 by hand")
def order_two() -> str:
    p, q = TRUTH, 1 - TRUTH
    second = float(rdp.randomized_response(2, TRUTH))
    return f"""
        Anna reports her answer by randomized response, with the truth with probability 3/4.
        (a) e^L is 3 or 1/3. With which probabilities?
        (b) What is the mean of e^L?
        (c) What is D₂, which is the logarithm of this mean? Compare it with the largest loss.

        3: (a) 3 with probability 3/4, and 1/3 with probability 1/4.
        4: (b) 9/4 + 1/12 = 7/3 = {number(7 / 3)}.
        3: (c) D₂ = ln(7/3) = {number(second)}, and the largest loss is ln 3 = {number(LN3)}.

        3: (b) The mean with the neighbour's probabilities, which is always → 1
        2: (c) The mean of the loss itself, which is D₁. → {(p - q) * LN3}
        2: (c) The logarithm is forgotten. → {7 / 3}

        Answers: {7 / 3}, {second}
        Rule: Rényi divergence of order 2
        """


@exercise("6", "A budget at order 5")
def budgets_at_five() -> str:
    one = float(rdp.gaussian(5, 2))
    return f"""
        The count of smokers is published with Gaussian noise of σ = 2.
        (a) What is its Rényi budget at the order α = 5? And at α = 9?
        (b) Ten such counts are published. What is their budget at α = 5?
        (c) A student adds the budget of five counts at α = 5 and the budget of the other five at α = 9. What is wrong?

        4: (a) α/(2σ²) = 5/8 = {one:g}, and 9/8 = {float(rdp.gaussian(9, 2)):g}.
        3: (b) 10 · 5/8 = {10 * one:g}.
        3: (c) Budgets add up at the same order only. The sum is a budget at neither order.

        2: (a) σ is not squared. → {5 / 4}
        2: (a) The 2 is forgotten. → {5 / 4}
        2: (b) The root of ten in place of ten. → {math.sqrt(10) * one}

        Answers: {one}, {rdp.gaussian(9, 2)}, {10 * one}
        Rule: Gaussian RDP budget α/(2σ²), which adds up at one order
        """


@exercise("6", "From an order to ε")
def to_epsilon() -> str:
    budgets = {alpha: float(rdp.gaussian(alpha, 2)) for alpha in (5, 9)}
    found = {alpha: float(rdp.epsilon(alpha, budget, 1e-5)) for alpha, budget in budgets.items()}
    return f"""
        Take one count with Gaussian noise of σ = 2, whose budget at the order α is α/8. Let δ = 10⁻⁵.
        (a) Which ε does the order 5 prove by the classic conversion?
        (b) Which ε does the order 9 prove?
        (c) Which of the two may you publish, and why?

        4: (a) 5/8 + ln(10⁵)/4 = {up(found[5])}, rounded up.
        3: (b) 9/8 + ln(10⁵)/8 = {up(found[9])}, rounded up.
        3: (c) Both are true, so the smaller one, that of order 9.

        2: (a) The logarithm is divided by α and not by α − 1. → {budgets[5] + math.log(1e5) / 5}
        2: (a) The logarithm to base 10. → {budgets[5] + 5 / 4}
        2: (c) The larger one is said to be the safe one, although both are true.

        Answers: {found[5]}, {found[9]}
        Rule: ε = budget + ln(1/δ)/(α − 1)
        """


# -- lesson 7


@exercise("7", "ρ of four counts")
def rho_of_counts() -> str:
    one = float(zcdp.gaussian(2))
    return f"""
        The count of smokers is published with Gaussian noise of σ = 2.
        (a) What is its ρ?
        (b) Three more counts are published in the same way. What is the ρ of all four?
        (c) What is the budget of all four at the order α = 5?

        4: (a) 1/(2σ²) = {one:g}.
        3: (b) 4 · 1/8 = {4 * one:g}.
        3: (c) ρα = {20 * one:g}.

        2: (a) σ is not squared. → {1 / 4}
        2: (b) The root of four in place of four. → {2 * one}
        1: (c) The budget of one count. → {5 * one}

        Answers: {one}, {4 * one}, {20 * one}
        Rule: ρ = 1/(2σ²), which adds up
        """


@exercise("7", "From ρ to ε")
def rho_to_epsilon() -> str:
    rho = 0.5
    order, epsilon = 1 + math.sqrt(math.log(1e5) / rho), float(zcdp.epsilon(rho, 1e-5))
    return f"""
        The four counts of the exercise before have ρ = 1/2 together. Let δ = 10⁻⁵.
        (a) Compute ε = ρ + 2√(ρ ln(1/δ)).
        (b) At which order α = 1 + √(ln(1/δ)/ρ) does this conversion happen?
        (c) Compute the ε that the order 5 proves, which is 5ρ + ln(1/δ)/4. Compare it with (a).

        4: (a) ε = {up(epsilon)}, rounded up.
        3: (b) α = {number(order)}.
        3: (c) {up(float(rdp.epsilon(5, 2.5, 1e-5)))}, rounded up. It is larger, because 5 is not the best order.

        2: (a) The 2 before the root is forgotten. → {rho + math.sqrt(rho * math.log(1e5))}
        2: (a) ρ before the root is forgotten. → {2 * math.sqrt(rho * math.log(1e5))}
        1: (b) The 1 is forgotten. → {order - 1}

        Answers: {epsilon}, {order}, {rdp.epsilon(5, 2.5, 1e-5)}
        Rule: ε = ρ + 2√(ρ ln(1/δ))
        """


@exercise("7", "Two shares")
def two_shares() -> str:
    small, large = (float(zcdp.sigma(each)) for each in (0.1, 0.4))
    return f"""
        There is ρ = 1/2 for two counts about the table. The count of smokers gets 0.4, and the count of patients over
          60 gets the rest.
        (a) Which ρ does the second count get?
        (b) Compute σ = 1/√(2ρ) for both.
        (c) The share of the first is four times that of the second. How do the two σ compare?

        2: (a) 0.1.
        5: (b) {up(large)} and {up(small)}, rounded up.
        3: (c) The first σ is half of the second, because σ is proportional to 1/√ρ.

        2: (b) The root is forgotten. The first count then has → {1 / 0.8}
        3: (c) A quarter in place of a half. → 0.25

        Answers: 0.1, {large}, {small}
        Rule: shares of ρ, with σ = 1/√(2ρ)
        """


# -- lesson 8


@exercise("8", "Two errors of a guess")
def errors_of_a_report() -> str:
    return f"""
        Anna reports by randomized response, with the truth with probability 3/4, so ε = ln 3. The attacker says “Anna
          said yes” if the report is yes.
        (a) How often does the attacker say yes although her answer is no? This is the rate a of false alarms.
        (b) How often does the attacker say no although her answer is yes? This is the rate b of misses.
        (c) Check that 1 − b ≤ e^ε a. Is there room?

        3: (a) a = 1/4.
        3: (b) b = 1/4.
        4: (c) 1 − b = 3/4, and e^ε a = 3 · 1/4 = 3/4. They are equal, so there is no room.

        3: (a) Half of 1/4, because her two answers are taken as equally likely. → 0.125
        2: (c) ε is used in place of e^ε. → {LN3 / 4}

        Answers: 0.25, 0.25, {math.exp(pure.randomized_response(TRUTH)) / 4}
        Rule: 1 − b is at most e^ε a
        """


@exercise("8", "A guess about a count")
def threshold_guess() -> str:
    middle = SMOKERS - 0.5
    error = float(ndtr(-0.5))
    return f"""
        The count of smokers is published with Gaussian noise of σ = 1. It is {SMOKERS} if Anna said yes, and
          {SMOKERS - 1} if she said no. The attacker says yes if the published number is above {middle:g}.
        (a) How often is this a false alarm? Use a table of the normal distribution.
        (b) How often does the attacker miss?
        (c) The attacker moves the threshold to {SMOKERS}. What happens to the two errors?

        4: (a) The noise must be above 1/2, so {number(error)}.
        3: (b) The noise must be below −1/2, so {number(error)} as well.
        3: (c) False alarms fall to {number(float(ndtr(-1)))}, and misses rise to 1/2.

        2: (a) The noise must be above 1, the distance of the counts. → {ndtr(-1)}
        2: (c) Both errors are said to fall.

        Answers: {error}, {error}, {ndtr(-1)}, 0.5
        Rule: errors of a guess by a threshold
        """


@exercise("8", "A sample in each step")
def sampled_steps() -> str:
    epsilon = math.log1p(0.1 * math.expm1(1))
    never = 0.9**20
    return f"""
        A model is trained on the ten patients in 20 steps. In each step, each patient is taken with probability 1/10,
          independently.
        (a) In how many steps is Anna's row used, on average?
        (b) With which probability is it used in none?
        (c) One step is 1-DP for the patients who are taken. Which ε does it have for the whole table, ln(1 + q(e^ε −
          1)), where neighbours differ by one row added or removed?

        3: (a) In 20 · 1/10 = 2.
        3: (b) 0.9²⁰ = {number(never)}.
        4: (c) ln(1 + (e − 1)/10) = {up(epsilon)}, rounded up.

        2: (b) 1 − 20 · 0.1, which is negative. → -1
        3: (c) q · ε, which is smaller than the true ε. → 0.1

        Answers: 2, {never}, {epsilon}
        Rule: amplification by sampling, ln(1 + q(e^ε − 1))
        """


def exercises(lesson: str) -> list[Exercise]:
    """Return the three exercises of a lesson."""
    return [read_exercise(found, title, text()) for found, title, text in EXERCISES if found == lesson]
