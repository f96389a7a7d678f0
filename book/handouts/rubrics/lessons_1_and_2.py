"""The rubrics of the exercises of lessons 1 and 2, by their labels."""

import math

import numpy as np
from numpy.typing import NDArray

from book.handouts.numbers import number, up
from book.handouts.rubric import of
from dp_lib import audit, pure


@of("ex-pure-sensitivity")
def sensitivities() -> str:
    return """
        1: (a) 1, because one row changes the count by at most 1.
        2: (b) 2, because a person leaves one cell and enters another.
        2: (c) 120/n, because the sum of the ages moves by at most 120.
        2: (d) 120 for two or more rows. One point is for 120, and one for the reason why the two ends cannot both move
          by 120.
        1: (d) 240 for a single row, which is minimum and maximum at once.
        2: (e) Only the mean needs less noise when the table grows. (A table that grows from one row is not meant.)

        2: (b) Only one cell is counted. → 1
        2: (b) All three cells are said to change. → 3
        2: (c) The sum is not divided by n. → 120
        2: (d) Both ends move by 120, for every n. → 240
        1: (d) 120 for every n. The single row is forgotten. → 120
        1: (e) The mean and one more of the four are said to need less noise.

        Answers: 1, 2, 120, 240
        Rule: sensitivity, the largest change by one replaced row
        """


@of("ex-pure-belief")
def belief_kept_down() -> str:
    exact = math.log(3)
    belief = [odds / (1 + odds) for odds in (pure.posterior_odds(1 / 9, epsilon)[1] for epsilon in (1.05, 1.10))]
    return f"""
        3: By the slider, ε = 1.05. At π = 0.1 the curve “at most” is at {belief[0]:.4f} there, and at {belief[1]:.4f}
          at the next stop, 1.10. The number of the slider is enough.
        4: The odds may grow from 1:9 to 1:3, which is a factor of 3.
        3: By formula, ε = ln 3 = {exact:.4f}, or 1.09. (A largest allowed ε is rounded down.) It is larger than 1.05,
          and smaller than the next stop, 1.10.

        4: The factor is taken between the probabilities, ln(25/10). → {math.log(2.5)}
        2: The next stop of the slider, 1.10, where the belief is above 25 per cent. (Whoever writes ln 3 = 1.10 has
          rounded up, and loses 1 point by the rules.)
        3: The factor without its logarithm. → 3

        Answers: 1.05, {exact}
        Rule: Bayes' rule in odds, which are multiplied by e^ε at most
        """


@of("ex-pure-family")
def family() -> str:
    odds = [float(pure.posterior_odds(1, epsilon)[1]) for epsilon in (pure.group(0.1, 20), 0.1)]
    together, stranger = (each / (1 + each) for each in odds)
    return f"""
        3: The two cases differ in 20 rows, so the loss is at most 20 · 0.1 = 2.
        3: Even odds become at most e² = {up(odds[0])} to 1, which is a probability of {up(together)} (both rounded up).
        2: For one stranger, the odds become at most e^0.1 to 1, which is a probability of {up(stranger)} (rounded up).
        2: The reason: the statement about the family is about 20 rows, and the one about a stranger is about one row.

        5: The family is treated as one row. → {stranger}
        4: The strangers are treated as one group. → {together}
        3: The probability is multiplied by e², and is larger than 1. → {0.5 * math.exp(2)}
        1: The odds are left as the answer. → {odds[0]}

        Answers: {together}, {stranger}
        Rule: group privacy, kε for k rows
        """


@of("ex-pure-audit")
def never_wrong() -> str:
    right = float(audit.hit_rate(2))
    needed = math.ceil(math.log(0.05) / math.log(right))
    return f"""
        3: If a guess is right with probability p, all n are right with probability pⁿ.
        3: At the 95 per cent level, p is at least 0.05^(1/n), so ε is at least ln(p/(1 − p)) with this p.
        2: A mechanism with ε = 2 allows p = e²/(1 + e²) = {number(right)} at most.
        2: n is at least ln 0.05 / ln {number(right)}, so n = {needed}.

        2: The logarithm is not rounded up to a whole number. → {math.floor(math.log(0.05) / math.log(right))}
        3: The level is taken as 0.95 and not as 0.05. → {math.ceil(math.log(0.95) / math.log(right))}
        2: p is taken as 1 − e^(−2). → {math.ceil(math.log(0.05) / math.log(1 - math.exp(-2)))}
        3: It is the number for ε = 1, from the section. → {math.ceil(math.log(0.05) / math.log(audit.hit_rate(1)))}

        Answers: {needed}
        Rule: the limit on right guesses, e^ε/(1 + e^ε)
        """


@of("ex-pure-coins")
def two_tosses() -> str:
    epsilon = float(pure.randomized_response(0.75))
    return f"""
        2: The answer is true with probability 1/2 + 1/4 = 3/4.
        3: ε = ln(p/(1 − p)) = ln 3 = {up(epsilon)}, rounded up.
        3: The share of yes moves by 2p − 1 = 1/2 if the true share moves by 1, so the estimate's variance is divided by
          1/4.
        2: With the same variance of an answer in both surveys, the private survey needs 4 times as many people.

        5: p = 1/2, because the answers of the second toss that happen to be true are forgotten. ε is then → 0
        1: The logarithm is forgotten. → 3
        2: The standard deviation is taken for the variance. → 2
        2: Only the random answers of fixed people are counted (variance 3/4n), and not the drawing of the people. → 3

        Answers: {epsilon}, 4
        Rule: randomized response, ε = ln(p/(1 − p))
        """


@of("ex-pure-witness")
def watched() -> str:
    mean = 5 * (0.4 + math.exp(-0.4) - 1)
    spread = 4 * math.sqrt(2**-5 * (1 - 2**-5) / 1e5)
    low, high = 2**-5 - spread, 2**-5 + spread
    return f"""
        3: The code draws five noises a run, and adds up the five losses of the run.
        2: The largest loss is 5 · 0.4 = 2.
        3: Its share is about 2⁻⁵ = {number(2**-5)}. Accept what lies between {low:.4f} and {high:.4f}.
        2: The mean loss is about {number(mean)}. Accept what is at most 0.01 away.

        4: All five counts of a run get the same noise. The share is then → 0.5
        3: The losses of a run are not added up. The largest is then → 0.4
        1: The runs are counted by == 2 and some are missed, because sums of decimals are not exact.
        2: The mean of the absolute values, which is larger than the mean.

        Answers: 2, {2**-5}, {mean}
        Rule: losses of independent answers add up
        """


def clipping_errors(c: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Return the squared bias, the variance of the noise and that of the sample, for stays clipped at c days."""
    noise = 2 * pure.scale(0.2, c / 1000) ** 2
    sample = (25 - 10 * c * np.exp(-c / 5) - 25 * np.exp(-2 * c / 5)) / 1000
    return 25 * np.exp(-2 * c / 5), noise, sample


@of("ex-pure-clipping")
def clipping() -> str:
    c = np.arange(1.0, 101.0)
    bias, noise, sample = clipping_errors(c)
    total = bias + noise + sample

    def least(error: NDArray) -> float:
        return float(c[error.argmin()])

    return f"""
        2: The bias is 5e^(−c/5).
        3: The noise has scale c/(0.2 n), so its variance is 2(c/(0.2 n))².
        2: The sampling variance is computed or simulated. An answer that says why it hardly depends on c near the best
          c gets the points too.
        3: The error is least at c = {least(total):.0f}, where it is {number(math.sqrt(total.min()))}. A simulation may
          be off by 1.

        3: The bias is left out. → {least(noise + sample)}
        3: The noise is left out. → {least(bias + sample)}
        2: The variance of the noise without its factor 2. → {least(bias + noise / 2 + sample)}
        2: The errors are added and not their squares. → {least(np.sqrt(bias) + np.sqrt(noise) + np.sqrt(sample))}
        2: The sensitivity is 2c/n, as in the lesson, but here no stay is negative. → {least(bias + 4 * noise + sample)}

        Answers: {least(total)}, {math.sqrt(total.min())}
        Rule: mean squared error, bias² and the variances
        """


@of("ex-pure-two")
def two_candidates() -> str:
    laplace, gumbel, exponential = math.exp(-2), 1 / (1 + math.exp(2)), math.exp(-2) / 2
    return f"""
        2: The noise has scale 2, so the lead is t = 2 in units of the scale.
        2: Laplace noise: ¼e⁻²(2 + 2) = e⁻² = {number(laplace)}.
        3: Gumbel noise: 1/(1 + e²) = {number(gumbel)}, the exponential mechanism's probability.
        3: Exponential noise: half of the time the worse one is looked at first, and it is accepted with e⁻². So
          {number(exponential)}.

        3: The scale is taken as 1, so t = 4. With Laplace noise this gives → {math.exp(-4) * 6 / 4}
        2: The order of looking is forgotten, so the half is missing. → {laplace}

        Answers: {laplace}, {gumbel}, {exponential}
        Rule: report noisy max with three kinds of noise
        """
