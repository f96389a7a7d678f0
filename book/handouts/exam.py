"""An exam of twelve questions over the eight lessons, with its key. A seed chooses the numbers: `make exam SEED=2027`.

The text of a question, which a function of a random generator returns, is read by rubric.read_exercise. Its mistakes
cost no points of their own. The answers are computed by dp_lib.
"""

import math
import sys
from collections.abc import Callable
from functools import partial
from html import escape

from numpy.random import Generator, default_rng

from book.handouts import paper
from book.handouts.numbers import number, up
from book.handouts.rubric import Exercise, Rubric, enter, paragraphs, read_exercise, steps
from dp_lib import pure, rdp, zcdp

MINUTES = 90
RULES = (
    "Each step gets its points if it is written down. A usual mistake costs the points of the step in which it is "
    "made, and later steps that use the wrong number correctly get their points. A slip of arithmetic costs 1 point, "
    "and so does a number that is rounded the wrong way."
)
QUESTIONS: list[tuple[str, str, Callable[[Generator], str]]] = []  # lesson, title, text
question = partial(enter, QUESTIONS)


@question("1", "Sensitivity")
def sensitivity(rng: Generator) -> str:
    oldest, people = int(rng.choice([80, 90, 110, 120])), int(rng.choice([200, 400, 500, 800]))
    mean = oldest / people
    return f"""
        A table holds the ages of {people} people, each from 0 to {oldest}. Two tables are neighbours if one row is
          replaced. Give the sensitivity of (a) the number of people over 65, (b) the vector of the numbers of people
          below 18, from 18 to 65, and over 65, in the ℓ₁ norm, and (c) the mean age.

        2: (a) 1. One row changes the count by at most 1.
        2: (b) 2. A person leaves one cell and enters another.
        2: (c) {oldest}/{people} = {number(mean)}. One age moves by {oldest} at most, and the mean divides by {people}.

        (c) without the division → {oldest}
        (c) two rows in place of one → {2 * mean}

        Answers: {mean}
        """


@question("1", "What an attacker learns")
def belief(rng: Generator) -> str:
    epsilon, prior = float(rng.choice([0.5, 1.0, 1.5])), int(rng.choice([5, 15, 20, 25]))
    odds = math.exp(epsilon) * prior / (100 - prior)
    after = 100 * odds / (1 + odds)
    return f"""
        An attacker thinks it {prior} per cent likely that Anna has a certain illness, whatever the other rows say. A
          statistic with ε = {epsilon:g} is published. How sure can it make the attacker?

        2: The odds before are {prior}:{100 - prior}.
        3: They grow by a factor of at most e^{epsilon:g} = {number(math.exp(epsilon))}.
        3: Odds of {number(odds)}:1 are a probability of {up(after)} per cent at most, rounded up.

        the probability times e^ε → {prior * math.exp(epsilon)}
        the odds taken for a probability → {100 * odds}

        Answers: {after}
        """


@question("2", "Three publications")
def three_releases(rng: Generator) -> str:
    first, second = (int(10 * each) / 10 for each in (rng.choice([0.2, 0.3, 0.4]), rng.choice([0.5, 0.6, 0.7])))
    total = first + second
    return f"""
        A hospital publishes a count of smokers with ε = {first:g} and a count of diabetics with ε = {second:g}. A
          newspaper prints the sum of the two published numbers.
        Which ε does everything together satisfy? Which theorem do you use for the newspaper?

        4: The two counts compose to {first:g} + {second:g} = {total:g}.
        4: The newspaper computes from what is published. By post-processing this costs nothing.

        the sum is paid for again → {2 * total}
        the larger of the two → {second}

        Answers: {total}
        """


@question("2", "A histogram")
def histogram(rng: Generator) -> str:
    cells, epsilon = int(rng.choice([20, 50, 60, 80])), float(rng.choice([0.2, 0.25, 0.4, 0.5]))
    scale = float(pure.scale(epsilon, 2))
    return f"""
        A table of people is counted by year of birth in {cells} cells, with ε = {epsilon:g} for the whole table.
          Neighbours differ in one replaced row. Which scale does the Laplace noise of a cell need, and why does the
          number of cells not matter?

        4: A replaced row changes two cells by 1 each, so the ℓ₁ sensitivity is 2, however many cells there are.
        4: The scale is 2/{epsilon:g} = {number(scale)}.

        every cell paid for → {cells / epsilon}
        one cell changes → {1 / epsilon}

        Answers: {scale}
        """


@question("3", "δ of a coin")
def response_profile(rng: Generator) -> str:
    own, at = float(rng.choice([1.0, 1.5, 2.0])), float(rng.choice([0.25, 0.5, 0.75]))
    truth = math.exp(own) / (1 + math.exp(own))
    delta = (math.exp(own) - math.exp(at)) / (1 + math.exp(own))
    return f"""
        A bit is reported by randomized response with ε = {own:g}, so the true answer has the probability e^ε/(1 + e^ε)
          = {number(truth)}.
        What is the smallest δ for which the report is ({at:g}, δ)-DP? Name the event that is the worst.

        3: The worst event is that the report is the true answer, because only there p is above e^ε q.
        4: δ = {number(truth)} − e^{at:g} · {number(1 - truth)}.
        3: This is {up(delta)}, rounded up.

        the probability of a loss above ε → {truth}
        without e^ε → {2 * truth - 1}

        Answers: {delta}
        """


@question("3", "How small δ has to be")
def how_small(rng: Generator) -> str:
    people, delta = int(rng.choice([20_000, 50_000, 80_000])), float(rng.choice([1e-4, 2e-4]))
    records = people * delta
    return f"""
        A program looks at each of {people:,} records and publishes it, with the name, with probability δ = {delta:g}.
          Otherwise it publishes nothing.
        Show that this is (0, δ)-DP. How many people are named on average? What do you conclude for the choice of δ?

        3: The two tables differ in one row, and all that depends on it happens with probability δ.
        3: On average {people:,} · {delta:g} = {number(records)} people are named.
        2: δ has to be much smaller than 1/n = {number(1 / people)}.

        one person at most → 1.0
        the probability that anybody is named → {1 - (1 - delta) ** people}

        Answers: {records}
        """


@question("4", "A walk of losses")
def walk(rng: Generator) -> str:
    k, epsilon = int(rng.choice([400, 900, 1600])), 0.1
    mean = epsilon * math.tanh(epsilon / 2)
    width = math.sqrt(k * (epsilon**2 - mean**2))
    return f"""
        Each of {k} independent answers has the loss +{epsilon:g} or −{epsilon:g}, and +{epsilon:g} is e^{epsilon:g}
          times as likely as the other.
        What is the largest sum of the losses, what is their sum on average, and what is the standard deviation of the
          sum? Which of the three grows like the square root of the number of answers?

        2: At most {k} · {epsilon:g} = {number(k * epsilon)}.
        3: On average {k} · {epsilon:g} · (e^{epsilon:g} − 1)/(e^{epsilon:g} + 1) = {number(k * mean)}.
        3: The standard deviation is about {epsilon:g} · √{k} = {number(width)}. It is the one that grows like √k.

        no square root → {k * epsilon}
        the variance → {width**2}

        Answers: {width}
        """


@question("5", "A loss by two numbers")
def two_numbers(rng: Generator) -> str:
    sigma, k, widths = int(rng.choice([10, 20, 25])), int(rng.choice([25, 50])), int(rng.choice([3, 4, 5]))
    mean, width = k / (2 * sigma**2), math.sqrt(k) / sigma
    bound = math.exp(-(widths**2) / 2)
    return f"""
        {k} counts are published with Gaussian noise of σ = {sigma}. One person can change each of them by 1.
        Give the mean and the standard deviation of the sum L of their losses. Bound the probability that L is more than
          {widths} standard deviations above its mean, by Markov's inequality for e^(sL) with the best s.

        3: One loss has the mean 1/(2σ²), so {k} have {number(mean)}.
        2: The variances 1/σ² add up, so the standard deviation is √{k}/{sigma} = {number(width)}.
        3: e^(−t²/2) = {up(bound)}, rounded up.

        e^(−t²) → {bound**2}
        e^(−t) → {math.exp(-widths)}

        Answers: {bound}
        """


@question("6", "One order")
def one_order(rng: Generator) -> str:
    sigma, k, alpha = int(rng.choice([10, 12, 15])), int(rng.choice([20, 30, 50])), int(rng.choice([5, 9, 11]))
    budget = float(k * rdp.gaussian(alpha, sigma))
    epsilon = budget + math.log(1e5) / (alpha - 1)
    return f"""
        {k} counts about the same people are published with Gaussian noise of σ = {sigma}. One person can change each
          count by 1.
        Compute the Rényi budget of all of them at the order α = {alpha}, and the ε that it proves at δ = 10⁻⁵ by the
          classic conversion.

        4: One count has the budget α/(2σ²), and {k} counts have {k} · {alpha}/(2 · {sigma}²) = {up(budget)}.
        4: ε = {up(budget)} + ln(10⁵)/({alpha} − 1).
        2: This is {up(epsilon)}, rounded up.

        divided by α → {budget + math.log(1e5) / alpha}
        one count only → {budget / k + math.log(1e5) / (alpha - 1)}
        each count converted → {k * (budget / k + math.log(1e5) / (alpha - 1))}

        Answers: {epsilon}
        """


@question("7", "The best order")
def best_order(rng: Generator) -> str:
    sigma, k = int(rng.choice([20, 30, 40])), int(rng.choice([100, 200, 300]))
    rho = float(zcdp.repeat(zcdp.gaussian(sigma), k))
    epsilon, alone = float(zcdp.epsilon(rho, 1e-6)), float(zcdp.epsilon(rho / k, 1e-6))
    order = 1 + math.sqrt(math.log(1e6) / rho)
    return f"""
        {k} counts are published with Gaussian noise of σ = {sigma}, and one person can change each of them by 1.
        Compute ρ. Derive the order that gives the smallest ε of the classic conversion, and this ε, at δ = 10⁻⁶.

        3: ρ = {k}/(2 · {sigma}²) = {up(rho)}.
        4: The derivative of ρα + ln(1/δ)/(α − 1) is 0 at α = 1 + √(ln(1/δ)/ρ), which is {number(order)}.
        3: ε = ρ + 2√(ρ ln(1/δ)) = {up(epsilon)}, rounded up.

        ε of each count, added up → {k * alone}
        without ρ itself → {2 * math.sqrt(rho * math.log(1e6))}

        Answers: {epsilon}
        """


@question("7", "Shares of a budget")
def shares(rng: Generator) -> str:
    times, rho = int(rng.choice([4, 9, 16])), float(rng.choice([0.1, 0.2, 0.5]))
    small = rho / (times + 1)
    wide, narrow = (float(zcdp.sigma(each)) for each in (small, times * small))
    return f"""
        An office has ρ = {rho:g} for two counts. The first is to get {times} times the share of the second.
        Which σ does each of them need, if one person can change each count by 1? How do the two σ compare?

        2: The shares are {number(times * small)} and {number(small)}.
        4: σ = 1/√(2ρ), so the first needs {up(narrow)} and the second {up(wide)}, both rounded up.
        2: The second is √{times} = {math.isqrt(times)} times as large.

        noise in proportion to 1/ρ → {narrow * times}
        the whole budget for each → {1 / math.sqrt(2 * rho)}

        Answers: {wide}
        """


@question("8", "Two errors")
def two_errors(rng: Generator) -> str:
    epsilon, alarms = float(rng.choice([0.5, 1.0])), float(rng.choice([0.05, 0.1]))
    delta = 1e-5
    misses = max(1 - delta - math.exp(epsilon) * alarms, math.exp(-epsilon) * (1 - delta - alarms))
    return f"""
        A mechanism is ({epsilon:g}, 10⁻⁵)-DP. An attacker guesses Anna's answer from the published number and accepts
          {100 * alarms:g} per cent false alarms.
        How often must the attacker miss, at least? Which line of the trade-off curve decides?

        3: 1 − b ≤ e^ε a + δ, for false alarms a and misses b.
        3: So b ≥ 1 − 10⁻⁵ − e^{epsilon:g} · {alarms:g} = {math.floor(1000 * misses) / 1000:.3f}, rounded down.
        2: The steep line decides, because a is to the left of the corner. The other line gives less.

        a blind guess → {1 - alarms}
        e^ε times as many → {math.exp(epsilon) * alarms}

        Answers: {misses}
        """


def questions(seed: int) -> list[Exercise]:
    """Return the questions of a seed, a whole number from 0; each has its own stream of random numbers."""
    return [
        read_exercise(lesson, title, text(default_rng([seed, place])))
        for place, (lesson, title, text) in enumerate(QUESTIONS)
    ]


def solution(rule: Rubric) -> str:
    """Return the steps with their points, and the mistakes with what they give."""
    wrong = "; ".join(f"{escape(each.words)}: {number(each.gives)}" for each in rule.mistakes)
    return f"<table><tr><th>points</th><th>step</th></tr>{steps(rule)}</table>\n<p>Usual mistakes: {wrong}.</p>"


def pages(seed: int) -> dict[str, str]:
    """Return the exam and its key as pages."""
    asked = questions(seed)
    total = sum(question.rubric.total for question in asked)
    head = (
        f"<p>{MINUTES} minutes, {total} points. A calculator is allowed, and one sheet of paper with your own "
        "notes. Give numbers to three digits. Round up what must not be understated, namely an ε, a δ, a σ or a "
        "probability that is at most so large, and say so.</p>"
    )
    exam = key = ""
    for place, question in enumerate(asked, 1):
        title, rule, words = f"{place}. {question.title}", question.rubric, paragraphs(question.asked)
        exam += paper.part(title, rule.points, words)
        key += paper.part(f"{title} (lesson {question.lesson})", rule.points, words + solution(rule))
    return {
        "exam.html": paper.page(f"Differential privacy: exam {seed}", f'<p class="name">Name:</p>{head}{exam}'),
        "key.html": paper.page(f"Differential privacy: key to exam {seed}", f"<p>{RULES}</p>{key}"),
    }


def main(seed: str) -> int:
    try:
        place = paper.write(paper.FOLDER / f"exam-{seed}", pages(int(seed)))
    except ValueError:
        print(f"SEED must be a whole number from 0, got {seed!r}, for example: make exam SEED=2027", file=sys.stderr)
        return 1
    print(f"Exam and key: {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
