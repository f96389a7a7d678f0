"""An exam of twelve questions over the eight lessons, with its key. A seed chooses the numbers: `make exam SEED=2027`.

A question is a function of a random generator. It returns the question's words, the steps of its solution with their
points, and what the usual mistakes give instead. The answers are computed by dp_lib.
"""

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from numpy.random import Generator, default_rng

from book.handouts import paper
from book.handouts.numbers import number, up
from dp_lib import pure, rdp, zcdp

MINUTES = 90
RULES = (
    "Each step gets its points if it is written down. A usual mistake costs the points of the step in which it is "
    "made, and later steps that use the wrong number correctly get their points. A slip of arithmetic costs 1 point, "
    "and so does a number that is rounded the wrong way."
)


@dataclass(frozen=True)
class Question:
    """A question with its solution.

    Attributes
    ----------
    lesson : the lesson that it is about
    title : what it is called
    asked : its sentences, one a paragraph
    steps : the solution, a pair (points, sentence) for each step
    answer : the number asked for, or the last of them
    mistakes : what a usual mistake gives for this number, by the mistake
    """

    lesson: int
    title: str
    asked: Sequence[str]
    steps: Sequence[tuple[int, str]]
    answer: float
    mistakes: dict[str, float]

    @property
    def points(self) -> int:
        return sum(points for points, _ in self.steps)


def sensitivity(rng: Generator) -> Question:
    oldest, people = int(rng.choice([80, 90, 110, 120])), int(rng.choice([200, 400, 500, 800]))
    mean = oldest / people
    return Question(
        1,
        "Sensitivity",
        [
            f"A table holds the ages of {people} people, each from 0 to {oldest}. Two tables are neighbours if one "
            "row is "
            "replaced. Give the sensitivity of (a) the number of people over 65, (b) the vector of the numbers of "
            "people "
            "below 18, from 18 to 65, and over 65, in the ℓ₁ norm, and (c) the mean age."
        ],
        [
            (2, "(a) 1. One row changes the count by at most 1."),
            (2, "(b) 2. A person leaves one cell and enters another."),
            (
                2,
                f"(c) {oldest}/{people} = {number(mean)}. One age moves by {oldest} at most, and the mean divides "
                f"by {people}.",
            ),
        ],
        mean,
        {"(c) without the division": float(oldest), "(c) two rows in place of one": 2 * mean},
    )


def belief(rng: Generator) -> Question:
    epsilon, prior = float(rng.choice([0.5, 1.0, 1.5])), int(rng.choice([5, 15, 20, 25]))
    odds = math.exp(epsilon) * prior / (100 - prior)
    after = 100 * odds / (1 + odds)
    return Question(
        1,
        "What an attacker learns",
        [
            f"An attacker thinks it {prior} per cent likely that Anna has a certain illness, whatever the other "
            "rows say. "
            f"A statistic with ε = {epsilon:g} is published. How sure can it make the attacker?"
        ],
        [
            (2, f"The odds before are {prior}:{100 - prior}."),
            (3, f"They grow by a factor of at most e^{epsilon:g} = {number(math.exp(epsilon))}."),
            (3, f"Odds of {number(odds)}:1 are a probability of {up(after)} per cent at most, rounded up."),
        ],
        after,
        {"the probability times e^ε": prior * math.exp(epsilon), "the odds taken for a probability": 100 * odds},
    )


def three_releases(rng: Generator) -> Question:
    first, second = (int(10 * each) / 10 for each in (rng.choice([0.2, 0.3, 0.4]), rng.choice([0.5, 0.6, 0.7])))
    total = first + second
    return Question(
        2,
        "Three publications",
        [
            f"A hospital publishes a count of smokers with ε = {first:g} and a count of diabetics with ε = {second:g}. "
            "A newspaper prints the sum of the two published numbers.",
            "Which ε does everything together satisfy? Which theorem do you use for the newspaper?",
        ],
        [
            (4, f"The two counts compose to {first:g} + {second:g} = {total:g}."),
            (4, "The newspaper computes from what is published. By post-processing this costs nothing."),
        ],
        total,
        {"the sum is paid for again": 2 * total, "the larger of the two": second},
    )


def histogram(rng: Generator) -> Question:
    cells, epsilon = int(rng.choice([20, 50, 60, 80])), float(rng.choice([0.2, 0.25, 0.4, 0.5]))
    scale = float(pure.scale(epsilon, 2))
    return Question(
        2,
        "A histogram",
        [
            f"A table of people is counted by year of birth in {cells} cells, with ε = {epsilon:g} for the whole "
            "table. "
            "Neighbours differ in one replaced row. Which scale does the Laplace noise of a cell need, and why "
            "does the "
            "number of cells not matter?"
        ],
        [
            (
                4,
                "A replaced row changes two cells by 1 each, so the ℓ₁ sensitivity is 2, however many cells there are.",
            ),
            (4, f"The scale is 2/{epsilon:g} = {number(scale)}."),
        ],
        scale,
        {"every cell paid for": cells / epsilon, "one cell changes": 1 / epsilon},
    )


def response_profile(rng: Generator) -> Question:
    own, at = float(rng.choice([1.0, 1.5, 2.0])), float(rng.choice([0.25, 0.5, 0.75]))
    truth = math.exp(own) / (1 + math.exp(own))
    delta = (math.exp(own) - math.exp(at)) / (1 + math.exp(own))
    return Question(
        3,
        "δ of a coin",
        [
            f"A bit is reported by randomized response with ε = {own:g}, so the true answer has the probability "
            f"e^ε/(1 + e^ε) = {number(truth)}.",
            f"What is the smallest δ for which the report is ({at:g}, δ)-DP? Name the event that is the worst.",
        ],
        [
            (3, "The worst event is that the report is the true answer, because only there p is above e^ε q."),
            (4, f"δ = {number(truth)} − e^{at:g} · {number(1 - truth)}."),
            (3, f"This is {up(delta)}, rounded up."),
        ],
        delta,
        {"the probability of a loss above ε": truth, "without e^ε": 2 * truth - 1},
    )


def how_small(rng: Generator) -> Question:
    people, delta = int(rng.choice([20_000, 50_000, 80_000])), float(rng.choice([1e-4, 2e-4]))
    records = people * delta
    return Question(
        3,
        "How small δ has to be",
        [
            f"A program looks at each of {people:,} records and publishes it, with the name, with probability "
            f"δ = {delta:g}. Otherwise it publishes nothing.",
            "Show that this is (0, δ)-DP. How many people are named on average? What do you conclude for the "
            "choice of δ?",
        ],
        [
            (3, "The two tables differ in one row, and all that depends on it happens with probability δ."),
            (3, f"On average {people:,} · {delta:g} = {number(records)} people are named."),
            (2, f"δ has to be much smaller than 1/n = {number(1 / people)}."),
        ],
        records,
        {"one person at most": 1.0, "the probability that anybody is named": 1 - (1 - delta) ** people},
    )


def walk(rng: Generator) -> Question:
    k, epsilon = int(rng.choice([400, 900, 1600])), 0.1
    mean = epsilon * math.tanh(epsilon / 2)
    width = math.sqrt(k * (epsilon**2 - mean**2))
    return Question(
        4,
        "A walk of losses",
        [
            f"Each of {k} independent answers has the loss +{epsilon:g} or −{epsilon:g}, and +{epsilon:g} is "
            f"e^{epsilon:g} "
            "times as likely as the other.",
            "What is the largest sum of the losses, what is their sum on average, and what is the standard "
            "deviation of the "
            "sum? Which of the three grows like the square root of the number of answers?",
        ],
        [
            (2, f"At most {k} · {epsilon:g} = {number(k * epsilon)}."),
            (3, f"On average {k} · {epsilon:g} · (e^{epsilon:g} − 1)/(e^{epsilon:g} + 1) = {number(k * mean)}."),
            (
                3,
                f"The standard deviation is about {epsilon:g} · √{k} = {number(width)}. It is the one that grows "
                "like √k.",
            ),
        ],
        width,
        {"no square root": k * epsilon, "the variance": width**2},
    )


def two_numbers(rng: Generator) -> Question:
    sigma, k, widths = int(rng.choice([10, 20, 25])), int(rng.choice([25, 50])), int(rng.choice([3, 4, 5]))
    mean, width = k / (2 * sigma**2), math.sqrt(k) / sigma
    bound = math.exp(-(widths**2) / 2)
    return Question(
        5,
        "A loss by two numbers",
        [
            f"{k} counts are published with Gaussian noise of σ = {sigma}. One person can change each of them by 1.",
            f"Give the mean and the standard deviation of the sum L of their losses. Bound the "
            f"probability that L is more than {widths} standard deviations above its mean, by Markov's inequality for "
            "e^(sL) with the best s.",
        ],
        [
            (3, f"One loss has the mean 1/(2σ²), so {k} have {number(mean)}."),
            (2, f"The variances 1/σ² add up, so the standard deviation is √{k}/{sigma} = {number(width)}."),
            (3, f"e^(−t²/2) = {up(bound)}, rounded up."),
        ],
        bound,
        {"e^(−t²)": bound**2, "e^(−t)": math.exp(-widths)},
    )


def one_order(rng: Generator) -> Question:
    sigma, k, alpha = int(rng.choice([10, 12, 15])), int(rng.choice([20, 30, 50])), int(rng.choice([5, 9, 11]))
    budget = float(k * rdp.gaussian(alpha, sigma))
    epsilon = budget + math.log(1e5) / (alpha - 1)
    return Question(
        6,
        "One order",
        [
            f"{k} counts about the same people are published with Gaussian noise of σ = {sigma}. One person can "
            "change each "
            "count by 1.",
            f"Compute the Rényi budget of all of them at the order α = {alpha}, and the ε that it proves at δ = "
            "10⁻⁵ by the "
            "classic conversion.",
        ],
        [
            (4, f"One count has the budget α/(2σ²), and {k} counts have {k} · {alpha}/(2 · {sigma}²) = {up(budget)}."),
            (4, f"ε = {up(budget)} + ln(10⁵)/({alpha} − 1)."),
            (2, f"This is {up(epsilon)}, rounded up."),
        ],
        epsilon,
        {
            "divided by α": budget + math.log(1e5) / alpha,
            "one count only": budget / k + math.log(1e5) / (alpha - 1),
            "each count converted": k * (budget / k + math.log(1e5) / (alpha - 1)),
        },
    )


def best_order(rng: Generator) -> Question:
    sigma, k = int(rng.choice([20, 30, 40])), int(rng.choice([100, 200, 300]))
    rho = float(zcdp.repeat(zcdp.gaussian(sigma), k))
    epsilon, alone = float(zcdp.epsilon(rho, 1e-6)), float(zcdp.epsilon(rho / k, 1e-6))
    order = 1 + math.sqrt(math.log(1e6) / rho)
    return Question(
        7,
        "The best order",
        [
            f"{k} counts are published with Gaussian noise of σ = {sigma}, and one person can change each of them "
            "by 1.",
            "Compute ρ. Derive the order that gives the smallest ε of the classic conversion, and this ε, at δ = 10⁻⁶.",
        ],
        [
            (3, f"ρ = {k}/(2 · {sigma}²) = {up(rho)}."),
            (
                4,
                f"The derivative of ρα + ln(1/δ)/(α − 1) is 0 at α = 1 + √(ln(1/δ)/ρ), which is {number(order)}.",
            ),
            (3, f"ε = ρ + 2√(ρ ln(1/δ)) = {up(epsilon)}, rounded up."),
        ],
        epsilon,
        {"ε of each count, added up": k * alone, "without ρ itself": 2 * math.sqrt(rho * math.log(1e6))},
    )


def shares(rng: Generator) -> Question:
    times, rho = int(rng.choice([4, 9, 16])), float(rng.choice([0.1, 0.2, 0.5]))
    small = rho / (times + 1)
    wide, narrow = (float(zcdp.sigma(each)) for each in (small, times * small))
    return Question(
        7,
        "Shares of a budget",
        [
            f"An office has ρ = {rho:g} for two counts. The first is to get {times} times the share of the second.",
            "Which σ does each of them need, if one person can change each count by 1? How do the two σ compare?",
        ],
        [
            (2, f"The shares are {number(times * small)} and {number(small)}."),
            (4, f"σ = 1/√(2ρ), so the first needs {up(narrow)} and the second {up(wide)}, both rounded up."),
            (2, f"The second is √{times} = {math.isqrt(times)} times as large."),
        ],
        wide,
        {"noise in proportion to 1/ρ": narrow * times, "the whole budget for each": 1 / math.sqrt(2 * rho)},
    )


def two_errors(rng: Generator) -> Question:
    epsilon, alarms = float(rng.choice([0.5, 1.0])), float(rng.choice([0.05, 0.1]))
    delta = 1e-5
    misses = max(1 - delta - math.exp(epsilon) * alarms, math.exp(-epsilon) * (1 - delta - alarms))
    return Question(
        8,
        "Two errors",
        [
            f"A mechanism is ({epsilon:g}, 10⁻⁵)-DP. An attacker guesses Anna's answer from the published number "
            "and accepts "
            f"{100 * alarms:g} per cent false alarms.",
            "How often must the attacker miss, at least? Which line of the trade-off curve decides?",
        ],
        [
            (3, "1 − b ≤ e^ε a + δ, for false alarms a and misses b."),
            (
                3,
                f"So b ≥ 1 − 10⁻⁵ − e^{epsilon:g} · {alarms:g} = {math.floor(1000 * misses) / 1000:.3f}, rounded down.",
            ),
            (2, "The steep line decides, because a is to the left of the corner. The other line gives less."),
        ],
        misses,
        {"a blind guess": 1 - alarms, "e^ε times as many": math.exp(epsilon) * alarms},
    )


QUESTIONS: tuple[Callable[[Generator], Question], ...] = (
    *(sensitivity, belief, three_releases, histogram, response_profile, how_small),
    *(walk, two_numbers, one_order, best_order, shares, two_errors),
)


def questions(seed: int) -> list[Question]:
    """Return the questions of a seed, a whole number from 0; each has its own stream of random numbers."""
    if seed < 0:
        raise ValueError(f"SEED must be a whole number from 0, got {seed}")
    return [question(default_rng([seed, place])) for place, question in enumerate(QUESTIONS)]


def paragraphs(lines: Sequence[str]) -> str:
    return "\n".join(f"<p>{escape(line)}</p>" for line in lines)


def solution(question: Question) -> str:
    """Return the steps with their points, and the mistakes with what they give."""
    steps = "".join(f"<tr><td>{points}</td><td>{escape(step)}</td></tr>" for points, step in question.steps)
    wrong = "; ".join(f"{escape(mistake)}: {number(value)}" for mistake, value in question.mistakes.items())
    return f"<table><tr><th>points</th><th>step</th></tr>{steps}</table>\n<p>Usual mistakes: {wrong}.</p>"


def pages(seed: int) -> dict[str, str]:
    """Return the exam and its key as pages."""
    asked = questions(seed)
    total = sum(question.points for question in asked)
    head = (
        f"<p>{MINUTES} minutes, {total} points. A calculator is allowed, and one sheet of paper with your own "
        "notes. Give numbers to three digits. Round up what must not be understated, namely an ε, a δ, a σ or a "
        "probability that is at most so large, and say so.</p>"
    )
    titles = [f"{place}. {question.title}" for place, question in enumerate(asked, 1)]
    each = list(zip(titles, asked, strict=True))
    exam = "".join(
        paper.part(title, f"{question.points} points", paragraphs(question.asked)) for title, question in each
    )
    key = "".join(
        paper.part(
            f"{title} (lesson {question.lesson})",
            f"{question.points} points",
            paragraphs(question.asked) + solution(question),
        )
        for title, question in each
    )
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
