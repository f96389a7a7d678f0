"""An exam of twelve questions over the eight lessons, with its key. A seed chooses the numbers: `make exam SEED=2027`.

The text of a question, which a function of a random generator returns, is read by rubric.read_exercise. The answers
are computed by dp_lib. The site has the exam of the seed SAMPLE, for practice.
"""

import math
import sys
from collections.abc import Callable
from functools import cache, partial

from numpy.random import Generator, default_rng

from book.handouts import paper
from book.handouts.numbers import number, up
from book.handouts.rubric import Exercise, enter, html, paragraphs, read_exercise, rules
from dp_lib import approx, dp_sgd, gdp, pure, rdp, zcdp
from dp_lib.pld import PrivacyLoss

MINUTES = 90
SAMPLE = 7  # the seed of the exam that is in the site, for practice
HEAD = (
    "<p>{minutes} minutes, {total} points. A calculator is allowed, and one sheet of paper with your own notes. "
    "Write how you found each number, because numbers alone get half of the points. Give numbers to three digits. "
    "Round an ε, a δ, a σ, a scale or an upper bound on a probability up, but round a lower bound down, and say "
    "so.</p>"
)
BOUNDS = " The same holds for a bound on a probability."
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

        2: (c) The sum is not divided by the number of people. → {oldest}
        1: (c) Two rows are replaced and not one. → {2 * mean}

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

        4: The probability is multiplied by e^ε. → {prior * math.exp(epsilon)}
        2: The odds are left as the answer. → {100 * odds}

        Answers: {after}
        """


@question("2", "A table, a count and a newspaper")
def releases(rng: Generator) -> str:
    cells = int(rng.choice([20, 50, 60, 80]))
    first, second = float(rng.choice([0.2, 0.25, 0.4])), float(rng.choice([0.5, 0.6, 0.7]))
    scale, total = float(pure.scale(first, 2)), float(pure.compose(first, second))
    return f"""
        A hospital counts its patients by year of birth in {cells} cells, with ε = {first:g} for all cells together. It
          also publishes the number of diabetics, with ε = {second:g}. A newspaper prints the sum of two published
          cells. Neighbours differ in one replaced row.
        (a) Which scale does the Laplace noise of a cell need, and why does the number of cells not matter? (b) Which ε
          does everything together satisfy? Which theorem do you use for the newspaper?

        2: (a) A replaced row changes two cells by 1 each, so the ℓ₁ sensitivity is 2, however many cells there are.
        2: (a) The scale is 2/{first:g} = {up(scale)}.
        2: (b) The table and the count compose to {first:g} + {second:g} = {number(total)}.
        2: (b) The newspaper computes from what is published. By post-processing this costs nothing.

        3: (a) Each cell is paid for. → {cells / first}
        2: (a) Only one cell is said to change. → {1 / first}
        2: (b) The newspaper's sum is paid for again. → {total + first}
        2: (b) The larger of the two ε is taken. → {second}

        Answers: {scale}, {total}
        """


@question("3", "What δ allows")
def two_deltas(rng: Generator) -> str:
    own, at = float(rng.choice([1.0, 1.5, 2.0])), float(rng.choice([0.25, 0.5, 0.75]))
    people, named = int(rng.choice([20_000, 50_000, 80_000])), float(rng.choice([1e-4, 2e-4]))
    truth = math.exp(own) / (1 + math.exp(own))
    delta, records = (math.exp(own) - math.exp(at)) / (1 + math.exp(own)), people * named
    return f"""
        (a) A bit is reported by randomized response with ε = {own:g}, so the true answer has the probability
          e^ε/(1 + e^ε) = {number(truth)}. What is the smallest δ for which the report is ({at:g}, δ)-DP? Name the event
          that is the worst.
        (b) A program looks at each of {people:,} records and publishes it, with the name, with probability δ =
          {named:g}. This is (0, δ)-DP. How many people are named on average? What do you conclude for the choice of δ?

        2: (a) The worst event is that the report is the true answer, because only there p is above e^ε q.
        3: (a) δ = {number(truth)} − e^{at:g} · {number(1 - truth)}.
        2: (a) This is {up(delta)}, rounded up.
        1: (b) On average {people:,} · {named:g} = {number(records)} people are named.
        2: (b) δ has to be much smaller than 1/n = {number(1 / people)}.

        5: (a) The probability of a loss above ε is taken for δ. → {truth}
        3: (a) The e^ε is forgotten. → {2 * truth - 1}
        1: (b) One person at most is said to be named. → 1
        1: (b) The probability that anybody is named. → {1 - (1 - named) ** people}

        Answers: {delta}, {records}
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

        2: The square root is forgotten. → {k * epsilon}
        2: The variance is taken for the standard deviation. → {width**2}

        Answers: {width}
        """


@question("4", "Basic or advanced composition")
def many_answers(rng: Generator) -> str:
    k, epsilon = int(rng.choice([20, 100, 200, 400])), float(rng.choice([0.05, 0.1]))
    each, rest = int(rng.choice([2, 3])), int(rng.choice([2, 4]))
    delta, slack = each / 10**7, rest / 10**5
    deviation, mean = epsilon * math.sqrt(2 * k * math.log(1 / slack)), k * epsilon * math.expm1(epsilon)
    together, total = map(float, approx.advanced(epsilon, delta, k, slack))
    basic = float(approx.repeat((epsilon, 0), k).epsilon)
    which = "smaller" if together < basic else "larger"
    return f"""
        Each of {k} answers about the same people satisfies (ε₀, δ₀)-DP with ε₀ = {epsilon:g} and δ₀ = {each} ·
          10⁻⁷, and their noise is independent.
        (a) Compute ε′ of all of them by advanced composition with δ′ = {rest} · 10⁻⁵, first its term for the deviation
          and then its term for the mean. (b) Which δ do they have in total? (c) Is ε′ smaller or larger here than the ε
          of basic composition?

        3: (a) The term for the deviation is ε₀√(2k ln(1/δ′)) = {number(deviation)}.
        2: (a) The term for the mean is kε₀(e^ε₀ − 1) = {number(mean)}, so ε′ = {up(together)}, rounded up.
        2: (b) The total δ is kδ₀ + δ′ = {number(total)}.
        1: (c) Basic composition has kε₀ = {number(basic)}, so ε′ is {which} here.

        2: (a) The term for the mean is forgotten. → {deviation}
        2: (a) The logarithm to base 10. → {epsilon * math.sqrt(2 * k * math.log10(1 / slack)) + mean}
        2: (a) The square root is forgotten. → {epsilon * 2 * k * math.log(1 / slack) + mean}
        1: (a) The term for the mean without its −1. → {deviation + k * epsilon * math.exp(epsilon)}
        2: (b) δ′ alone is given. → {slack}
        2: (b) δ₀ is added once and not k times. → {delta + slack}
        2: (b) δ′ is forgotten. → {k * delta}

        Answers: {together}, {total}
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

        2: e^(−t²), without the half. → {bound**2}
        2: e^(−t), without the square. → {math.exp(-widths)}

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

        2: The logarithm is divided by α. → {budget + math.log(1e5) / alpha}
        4: Only one count is taken. → {budget / k + math.log(1e5) / (alpha - 1)}
        4: Each count is converted on its own, and the ε are added. → {k * (budget / k + math.log(1e5) / (alpha - 1))}

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

        4: Each count is converted on its own, and the ε are added. → {k * alone}
        2: ρ is neglected beside the root. → {2 * math.sqrt(rho * math.log(1e6))}

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

        3: σ is taken in proportion to 1/ρ, without the root. → {narrow * times}
        4: Each count gets the whole budget. → {1 / math.sqrt(2 * rho)}

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

        5: A blind guess, which ignores the published number. → {1 - alarms}
        4: e^ε times the false alarms are taken for the misses. → {math.exp(epsilon) * alarms}

        Answers: {misses}
        """


@cache
def run_by_losses(sigma: float, q: float, steps: int) -> float:
    """Return the upper bound on ε of a training run, at δ = 10⁻⁵, by its privacy loss distribution."""
    return float(PrivacyLoss.subsampled_gaussian(sigma, q).repeat(steps).epsilon(1e-5).upper)


@question("8", "Five accounts of a training run")
def accounts(rng: Generator) -> str:
    sigma, q, steps = float(rng.choice([0.8, 1, 1.25])), float(rng.choice([0.01, 0.02])), int(rng.choice([1000, 2000]))
    rho = zcdp.repeat(zcdp.gaussian(sigma), steps)
    by_orders, by_losses = dp_sgd.epsilon(sigma, q, steps, 1e-5), run_by_losses(sigma, q, steps)
    everybody, proved, smallest = (
        float(up(float(epsilon))) for epsilon in (zcdp.epsilon(rho, 1e-5), by_orders, by_losses)
    )
    estimate = float(number(float(gdp.epsilon(dp_sgd.limit(sigma, q, steps), 1e-5))))
    return f"""
        A model is trained in {steps} steps with the noise multiplier σ = {sigma:g}. In each step, each row is drawn
          with probability {q:g}, independently. Neighbours differ in one row, added or removed. Five accounts of the
          run have these ε at δ = 10⁻⁵, of which A, B, C and E are rounded up.
        | A | zCDP with the classic conversion, as if each step used all rows | {everybody:g}
        | B | RDP with the classic conversion at the best order, as if each step used all rows | {everybody:g}
        | C | RDP with the sampling, at the best of many orders | {proved:g}
        | D | the normal limit, that is, the μ of Gaussian DP for many steps with the sampling | {estimate:g}
        | E | the privacy loss distribution with the sampling, its upper bound | {smallest:g}
        (a) Which of the five may you publish as an ε of this run, and why? Which of these do you publish? (b) Why do A
          and B have the same ε? (c) A ignores the sampling. How many times as large is its ε as the ε
          that you publish?

        2: (a) A, B, C and E, because each is proved to be an upper bound. D is an estimate and no bound.
        2: (a) Publish E, ε = {smallest:g}, which is the smallest of the four.
        3: (b) The RDP curve of Gaussian noise is the line ρα, so zCDP keeps all of it, and both use the same order.
        1: (c) It is {everybody:g}/{smallest:g} = {number(everybody / smallest)} times as large.

        4: (a) D is published, because it is the smallest number. → {estimate}
        2: (a) A or B is published, because the largest ε is taken to be the safest. → {everybody}
        1: (a) E is taken for an estimate, because a computer adds up a distribution. → {proved}
        1: (c) The difference is given and not a ratio. → {everybody - smallest}

        Answers: {smallest}, {everybody / smallest}
        """


def questions(seed: int) -> list[Exercise]:
    """Return the questions of a seed, a whole number from 0; each has its own stream of random numbers."""
    return [
        read_exercise(lesson, title, text(default_rng([seed, place])))
        for place, (lesson, title, text) in enumerate(QUESTIONS)
    ]


def pages(seed: int) -> dict[str, str]:
    """Return the exam and its key as pages."""
    asked = questions(seed)
    total = sum(question.rubric.total for question in asked)
    exam = '<p class="name">Name:</p>' + HEAD.format(minutes=MINUTES, total=total)
    key = "".join(f"<p>{rule}</p>" for rule in rules("question", "in the exam", BOUNDS))
    for place, question in enumerate(asked, 1):
        title, rule, words = f"{place}. {question.title}", question.rubric, paragraphs(question.asked)
        exam += paper.part(title, rule.points, words)
        key += paper.part(f"{title} (lesson {question.lesson})", rule.points, words + html(rule))
    name = f"sample exam, seed {seed}" if seed == SAMPLE else f"exam {seed}"
    return {
        "exam.html": paper.page(f"Differential privacy: {name}", exam),
        "key.html": paper.page(f"Differential privacy: key to {name}", f'<div class="key">{key}</div>', listed=False),
    }


def main(seed: str) -> int:
    try:
        if int(seed) == SAMPLE:
            print(f"SEED must not be {SAMPLE}, since the book has this exam and its key as a sample", file=sys.stderr)
            return 1
        place = paper.write(paper.FOLDER / f"exam-{seed}", pages(int(seed)))
    except ValueError:
        print(f"SEED must be a whole number from 0, got {seed!r}, for example: make exam SEED=2027", file=sys.stderr)
        return 1
    print(f"Exam and key: {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
