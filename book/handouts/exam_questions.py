"""The questions of the exam, each with its key. Of the questions of a place, an exam has one, with drawn numbers.

All questions of a place have the same points. A function of a random generator returns the text of a question, which
rubric.read_exercise reads. The answers are computed by dp_lib. A question whose text says “in words” asks for reasons.
"""

import math
from collections.abc import Callable
from functools import cache, partial

from numpy.random import Generator

from book.handouts.numbers import down, number, up
from book.handouts.rubric import enter
from dp_lib import approx, dp_sgd, gdp, pure, rdp, zcdp
from dp_lib.pld import PrivacyLoss

# The place, which begins with the lesson, the title, and the text.
QUESTIONS: list[tuple[str, str, Callable[[Generator], str]]] = []
question = partial(enter, QUESTIONS)


@question("1a", "Sensitivity")
def sensitivity(rng: Generator) -> str:
    oldest, people = int(rng.choice([80, 90, 110, 120])), int(rng.choice([200, 400, 500, 800]))
    mean = oldest / people
    return f"""
        A table holds the sex and the age of {people} people, each age from 0 to {oldest}. Two tables are neighbours
          if one row is replaced. Give the sensitivity of (a) the number of people over 65, (b) the vector of the
          numbers of people below 18, from 18 to 65, and over 65, in the ℓ₁ norm, (c) the mean age, and (d) the vector
          of the numbers of people over 65 and of women, in the ℓ₁ norm.

        2: (a) 1. One row changes the count by at most 1.
        2: (b) 2. A person leaves one cell and enters another.
        2: (c) {oldest}/{people} = {number(mean)}. One age moves by {oldest} at most, and the mean divides by {people}.
        2: (d) 2. One new row can change both numbers by 1.

        2: (c) The sum is not divided by the number of people. → {oldest}
        1: (c) Two rows are replaced and not one. → {2 * mean}
        2: (d) The two numbers are not added up. → 1

        Answers: {mean}, 2
        """


@question("1a", "What an attacker learns")
def belief(rng: Generator) -> str:
    epsilon, prior = float(rng.choice([0.5, 1.0, 1.5])), int(rng.choice([5, 15, 20, 25]))
    odds = math.exp(epsilon) * prior / (100 - prior)
    after = 100 * odds / (1 + odds)
    return f"""
        An attacker thinks it {prior} per cent likely that Anna has a certain illness, whatever the other rows say. A
          statistic with ε = {epsilon:g} is published. How sure can it make the attacker?

        2: The odds before are {prior}:{100 - prior}.
        3: They grow by a factor of at most e^{epsilon:g} = {up(math.exp(epsilon))}.
        3: Odds of {up(odds)}:1 are a probability of {up(after)} per cent at most, rounded up.

        4: The probability is multiplied by e^ε ({number(prior * math.exp(epsilon))} per cent). →
          {prior * math.exp(epsilon) / 100}
        2: The odds are left as the answer ({number(100 * odds)} per cent). → {odds}

        Answers: {after}
        """


@question("1b", "An insurer")
def insurer(rng: Generator) -> str:
    epsilon = float(rng.choice([0.1, 0.2, 0.3]))
    return f"""
        A study finds that smokers fall ill more often. It satisfies ε-DP with ε = {epsilon:g}. An insurer then raises
          the premium of all smokers. Ben smokes and took no part in the study. Eva smokes and took part. Answer in
          words, with a reason each time.
        (a) Did the study break a promise to Ben? (b) Did it break a promise to Eva? (c) From which harm does ε-DP
          protect Eva?

        2: (a) No. The table, and so the study, would be the same whatever Ben had answered. What a study finds out
          about smokers in general is no part of the promise. (One of the two reasons is enough.)
        2: (b) No. If she had answered otherwise, each result would have been almost as likely, by a factor of at most
          e^{epsilon:g} = {up(math.exp(epsilon))}. So the finding hardly depends on her row.
        2: (c) From harm by her own row. No result becomes much more likely by what she answered, so the results hardly
          tell anybody what she answered.

        2: (a) It did, because the study harms Ben.
        1: (a) The only reason is that Ben's name is not published.
        2: (b) It did, because her row was used.
        1: (c) Nobody is said to learn anything about Eva. But what is learned about smokers is about her, too.
        """


@question("1b", "A small ε")
def small(rng: Generator) -> str:
    epsilon, family = float(rng.choice([0.1, 0.2])), int(rng.choice([15, 20, 25]))
    together = epsilon * family
    return f"""
        An office publishes a table under ε-DP and writes: “Our ε is {epsilon:g}, so nothing about you is learned.”
          Answer in words.
        (a) Right or wrong, and why? (b) Write a right sentence in its place, with the factor that belongs to this ε.
          (c) All {family} members of a family are in the data. Either all of them have a certain illness, or none of
          them has it. Is this fact protected as well as the illness of a single stranger? Why?

        2: (a) Wrong. The promise is about your row. What the table shows about everybody, for example that smokers fall
          ill more often, is learned about you, too.
        2: (b) For example: what we publish would have been published almost as often, by a factor of at most
          {up(math.exp(epsilon))}, if you had answered otherwise. One point is for comparing two answers of yours, and
          one for the factor.
        2: (c) No. The two cases differ in {family} rows, so ε is {family} · {epsilon:g} = {together:g}, and the factor
          is e^{together:g} = {up(math.exp(together))}. (The factor need not be given.)

        2: (a) Right, because ε is small.
        1: (a) Wrong, with the only reason that ε is not 0.
        1: (b) The noise is said to hide you, and nothing is compared.
        2: (c) Yes, because each row has the same ε.
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


@question("2", "Noise and sample")
def beside_the_sample(rng: Generator) -> str:
    people, epsilon = int(rng.choice([500, 1000, 2500])), float(rng.choice([0.1, 0.2]))
    noise, sample = math.sqrt(2) / (people * epsilon), 1 / (2 * math.sqrt(people))
    larger = "noise" if noise > sample else "sampling error"
    return f"""
        {people} people are a random sample of a large city. Half of the city smokes. The share of smokers in the sample
          is published with Laplace noise and ε = {epsilon:g}. Neighbours differ in one replaced row.
        (a) Compute the scale and the standard deviation of the noise. (b) Compute the standard deviation of the share
          in the sample, which is its sampling error. (c) Which of the two errors is larger? Which of the two becomes
          smaller faster with more people, and why?

        2: (a) The share has the sensitivity 1/{people}, so the scale is 1/({people} · {epsilon:g}) =
          {up(1 / people / epsilon)}.
        2: (a) The standard deviation is √2 times the scale, {number(noise)}. (Nothing is promised, so {up(noise)} is
          right, too.)
        2: (b) √(0.5 · 0.5/{people}) = {number(sample)}.
        1: (c) The {larger} is larger.
        1: (c) The noise becomes smaller faster, because it is proportional to 1/n, and the sampling error to 1/√n.

        2: (a) The sensitivity of the count, 1, is taken. → {math.sqrt(2) / epsilon}
        1: (a) The √2 is forgotten, so the standard deviation is → {1 / people / epsilon}
        1: (b) The variance is given. → {sample**2}
        1: (c) The sampling error is said to become smaller faster.

        Answers: {noise}, {sample}
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

        2: (a) The worst event is that the report is the true answer, because only there p is above e^{at:g} q.
        3: (a) δ = {number(truth)} − e^{at:g} · {number(1 - truth)}.
        2: (a) This is {up(delta)}, rounded up.
        1: (b) On average {people:,} · {named:g} = {number(records)} people are named.
        2: (b) δ has to be much smaller than 1/n = {number(1 / people)}.

        5: (a) The probability of a loss above {at:g} is taken for δ. → {truth}
        3: (a) The e^{at:g} is forgotten. → {2 * truth - 1}
        1: (b) One person at most is said to be named. → 1
        1: (b) The probability that anybody is named. → {1 - (1 - named) ** people}

        Answers: {delta}, {records}
        """


@question("3", "Noise for one promise")
def calibrated(rng: Generator) -> str:
    k, epsilon, larger = int(rng.choice([5, 10, 20])), float(rng.choice([0.5, 0.8])), int(rng.choice([9, 10, 12]))
    sigma = float(approx.sigma(epsilon, 1e-5, math.sqrt(k)))
    return f"""
        {k} counts are published as one vector with Gaussian noise. One person can change each of them by 1. All of them
          together are to be ({epsilon:g}, 10⁻⁵)-DP.
        (a) Which sensitivity Δ does the vector have? (b) Compute σ by the classic formula. (c) Another office wants
          ε = {larger}, and puts it into the same formula. May it do so? What should it do?

        2: (a) The Euclidean length of the change is √{k} = {number(math.sqrt(k))} at most.
        3: (b) σ = Δ√(2 ln(1.25/δ))/ε.
        2: (b) This is {up(sigma)}, rounded up.
        2: (c) No. The formula is proved only for ε up to 1, and at ε = {larger} its σ is too small. (One of the two
          reasons is enough.)
        1: (c) It should take the exact σ, the smallest at which the definition holds.

        2: (a) The changes are added up, so Δ = k and σ is → {sigma * math.sqrt(k)}
        2: (a) Δ is 1, so σ is → {sigma / math.sqrt(k)}
        2: (b) The logarithm to base 10. → {sigma * math.sqrt(math.log10(1.25e5) / math.log(1.25e5))}
        2: (b) The square root is forgotten. → {math.sqrt(k) * 2 * math.log(1.25e5) / epsilon}
        2: (c) Yes, because a larger ε needs less noise.

        Answers: {sigma}
        """


@question("4a", "A walk of losses")
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
        2: The standard deviation is about {epsilon:g} · √{k} = {number(width)}.
        1: It is the standard deviation that grows like √k.

        2: The square root is forgotten. → {k * epsilon}
        2: The variance is taken for the standard deviation. → {width**2}

        Answers: {width}
        """


@question("4a", "Basic or advanced composition")
def many_answers(rng: Generator) -> str:
    k, epsilon = int(rng.choice([20, 100, 200, 400])), float(rng.choice([0.05, 0.1]))
    each, rest = int(rng.choice([2, 3])), int(rng.choice([5, 7]))
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


@question("4b", "Pairs and a vector")
def pairs(rng: Generator) -> str:
    k = int(rng.choice([50, 100, 200]))
    return f"""
        {k} counts with Gaussian noise are to be (0.1, 10⁻⁵)-DP together. Analyst A gives each count a pair (ε₀, δ₀)
          with its exact σ, and uses optimal composition. Analyst B takes the counts as one vector with the exact σ. A
          needs more than twice the noise of B. Answer in words.
        (a) Why does A need more noise, although optimal composition is the best theorem about pairs? (b) Name a
          mechanism for which A would lose nothing. (c) What does B keep that a pair does not say? (d) Why do A and B
          need nearly the same noise for a single count?

        3: (a) The pair does not say that the noise is Gaussian. The theorem has to hold for every mechanism with this
          pair, so it computes with the worst one.
        2: (b) Randomized response (with a third result that reveals the row with probability δ₀, if δ₀ > 0).
        2: (c) The whole privacy profile, that is, a δ for each ε. Accept the distribution of the loss, or Δ/σ.
        1: (d) There is nothing to compose. (A needs a little more, because a part of δ is kept for the slack.)

        2: (a) The only reason is that each count gets a small part of δ.
        3: (a) Optimal composition is said to be a loose bound.
        2: (b) Gaussian or Laplace noise is named.
        1: (c) More numbers are named, but not which.
        """


@question("4b", "A picture with one label")
def picture(rng: Generator) -> str:
    k = int(rng.choice([200, 400, 500]))
    return f"""
        A paper compares two methods for {k} Gaussian counts. Its figure says δ = 10⁻⁵. But the curve of advanced
          composition is drawn for δ₀ = 10⁻⁵ for each count and δ′ = 10⁻⁵, and only the curve of zCDP has δ = 10⁻⁵ in
          total. Answer in words.
        (a) Which total δ does the curve of advanced composition have? (b) Which method does the figure make look
          better than it is, and why? (c) How do you draw a fair figure? (d) This δ is {k + 1} times as large, but ε is
          only about a quarter smaller. Why?

        2: (a) kδ₀ + δ′ = {k + 1} · 10⁻⁵ = {(k + 1) * 1e-5:g}.
        2: (b) Advanced composition, because with a larger δ it promises less, and so its ε is smaller.
        2: (c) Both curves get the same total δ, for example with δ₀ = δ/(2k) and δ′ = δ/2.
        2: (d) ε depends on δ only through logarithms of 1/δ, mostly under a square root. (The logarithm is enough.)

        2: (a) δ₀ is not multiplied by k. → 2e-05
        1: (a) δ′ is forgotten. → {k * 1e-5:g}
        2: (b) zCDP is named.
        2: (c) Only the label is changed.
        1: (d) The only reason is that δ is small.
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


@question("5", "Where CDP fails")
def fails(rng: Generator) -> str:
    tau = int(rng.choice([1, 2, 3]))
    return f"""
        A count has Gaussian noise, and the budget of its loss in CDP has τ = {tau}. A newspaper prints only one bit,
          which says whether the noisy count is below a cut c. For a c far to the left, CDP needs a τ above {tau} for
          this bit. Answer in words.
        (a) Can the bit tell an attacker more than the noisy count? (b) What does the larger τ say about CDP as a
          definition? (c) Where does the larger τ come from? (d) What do RDP and zCDP do in another way, so that this
          cannot happen?

        2: (a) No, because everybody can compute the bit from the noisy count.
        2: (b) τ can grow although nothing becomes less private, so the budgets of CDP do not survive post-processing.
        2: (c) The bit is hardly ever 1, and then its loss is large, because on the neighbour this is rarer still. The
          mean loss is near 0, so the large loss is far from the mean.
        2: (d) They measure the loss from 0 and not from its own mean (1 point), and use positive λ, that is, orders
          above 1, only (1 point).

        2: (a) Yes, because τ is larger.
        2: (b) The promise about the noisy count is said to be false.
        1: (c) The bit is said to be rare, and its loss is not mentioned.
        """


@question("selection", "The winner of a vote")
def winner(rng: Generator) -> str:
    m, lead = int(rng.choice([10, 20, 50])), int(rng.choice([6, 8]))
    wrong, limit = ((m - 1) / (m - 1 + math.exp(lead * rate)) for rate in (0.5, 1))
    return f"""
        Each row of a table is a vote for one of {m} candidates. The best candidate leads each of the others by {lead}
          votes. The winner is published with ε = 1.
        (a) How likely is it that the exponential mechanism publishes another candidate? (b) A colleague looks for a
          mechanism with ε = 1 that is wrong less often, whichever candidate leads. Use {m} tables, each with
          another winner with this lead, of which any two differ in {lead} rows. Show how often every such mechanism is
          wrong on at least one of them.

        2: (a) A vote multiplies the weight by e^(ε/2), so the best candidate has e^{lead / 2:g} times the weight of
          each other one.
        2: (a) The {m - 1} others have {m - 1}/({m - 1} + e^{lead / 2:g}) = {number(wrong)} together.
        2: (b) If the right answer has probability at least p on each table, each of the {m - 1} wrong ones has
          at least e^(−{lead}) p, by group privacy. So p + {m - 1} e^(−{lead}) p ≤ 1.
        2: (b) So on some table it is wrong with a probability of at least {m - 1}/({m - 1} + e^{lead}) =
          {down(limit)}, rounded down.

        2: (a) The half in the exponent is forgotten, so (a) has the number of (b).
        2: (a) Only one other candidate is counted. → {1 / (1 + math.exp(lead / 2))}
        1: (a) The probability of the best candidate is given. → {1 - wrong}
        2: (b) Only two tables are compared. → {1 / (1 + math.exp(lead))}

        Answers: {wrong}, {limit}
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


@question("6", "Order 2 of many reports")
def order_two(rng: Generator) -> str:
    truth, k = float(rng.choice([0.6, 0.7, 0.75])), int(rng.choice([20, 100]))
    lie = 1 - truth
    power = truth**2 / lie + lie**2 / truth
    budget, basic = float(rdp.randomized_response(2, truth)), k * math.log(truth / lie)
    epsilon = k * budget + math.log(1e5)
    return f"""
        One person answers {k} questions with yes or no, each by randomized response. Each report is true with
          probability {truth:g}, independently.
        Compute the Rényi divergence of order 2 of one report, the budget of all reports at this order, and the ε that
          it proves at δ = 10⁻⁵ by the classic conversion. Is the ε of basic composition smaller?

        3: D₂ = ln({truth:g}²/{lie:g} + {lie:g}²/{truth:g}) = {up(budget)}.
        2: All reports have {k} times this budget, {up(k * budget)}.
        3: ε = {up(k * budget)} + ln(10⁵)/(2 − 1) = {up(epsilon)}, rounded up.
        2: Basic composition gives {k} · ln({truth:g}/{lie:g}) = {up(basic)}, so its ε is
          {"smaller" if basic < epsilon else "larger"}.

        2: D₂ without the logarithm, so ε is → {k * power + math.log(1e5)}
        4: Only one report is taken. → {budget + math.log(1e5)}
        4: Each report is converted on its own, and the ε are added. → {k * (budget + math.log(1e5))}
        3: The conversion is left out. → {k * budget}

        Answers: {epsilon}, {basic}
        """


@question("7a", "The best order")
def best_order(rng: Generator) -> str:
    sigma, k = int(rng.choice([20, 30, 40])), int(rng.choice([100, 200, 300]))
    rho = float(zcdp.repeat(zcdp.gaussian(sigma), k))
    epsilon, alone = float(zcdp.epsilon(rho, 1e-6)), float(zcdp.epsilon(rho / k, 1e-6))
    order = 1 + math.sqrt(math.log(1e6) / rho)
    return f"""
        {k} counts are published with Gaussian noise of σ = {sigma}, and one person can change each of them by 1.
        Compute ρ. Derive the order that gives the smallest ε of the classic conversion, and this ε, at δ = 10⁻⁶.

        3: ρ = {k}/(2 · {sigma}²) = {up(rho)}.
        2: The derivative of ρα + ln(1/δ)/(α − 1) is ρ − ln(1/δ)/(α − 1)².
        2: It is 0 at α = 1 + √(ln(1/δ)/ρ), which is {number(order)}.
        3: ε = ρ + 2√(ρ ln(1/δ)) = {up(epsilon)}, rounded up.

        2: The formula of the order is written down and not derived.
        4: Each count is converted on its own, and the ε are added. → {k * alone}
        2: ρ is neglected beside the root. → {2 * math.sqrt(rho * math.log(1e6))}

        Answers: {epsilon}
        """


@question("7a", "From a promise to the noise")
def planned(rng: Generator) -> str:
    epsilon, k = int(rng.choice([2, 3, 4])), int(rng.choice([20, 40, 60]))
    log_term = math.log(1e6)
    root = math.sqrt(log_term + epsilon) - math.sqrt(log_term)
    sigma = math.sqrt(k / 2) / root
    return f"""
        {k} counts are published with Gaussian noise of the same σ, and one person can change each of them by 1. All of
          them together are to be ({epsilon}, 10⁻⁶)-DP.
        Which ρ do you have by the classic conversion? Which σ does each count need?

        3: ε = ρ + 2√(ρ ln(1/δ)), which is (√ρ + √ln(1/δ))² − ln(1/δ).
        3: So √ρ = √(ln(1/δ) + ε) − √ln(1/δ), and ρ = {down(root**2)}, rounded down.
        2: Each count has the share ρ/{k}.
        2: σ = √({k}/(2ρ)) = {up(sigma)}, rounded up.

        2: ρ is neglected beside the root, so ρ = ε²/(4 ln(1/δ)). → {math.sqrt(2 * k * log_term) / epsilon}
        3: The budget is not divided, so σ is that of one count. → {sigma / math.sqrt(k)}
        4: ε is divided among the counts and not ρ. →
          {1 / (math.sqrt(2) * (math.sqrt(log_term + epsilon / k) - math.sqrt(log_term)))}

        Answers: {sigma}
        """


@question("7b", "Shares of a budget")
def shares(rng: Generator) -> str:
    times, rho = int(rng.choice([4, 9, 16])), float(rng.choice([0.1, 0.2, 0.5]))
    small = rho / (times + 1)
    wide, narrow = (float(zcdp.sigma(each)) for each in (small, times * small))
    return f"""
        An office has ρ = {rho:g} for two counts. The first is to get {times} times the share of the second.
        Which σ does each of them need, if one person can change each count by 1? How do the two σ compare?

        2: The shares are {number(times * small)} and {number(small)}.
        2: σ = 1/√(2ρ), so the first needs {up(narrow)}, rounded up.
        2: The second needs {up(wide)}, rounded up.
        2: The second is √{times} = {math.isqrt(times)} times as large.

        3: σ is taken in proportion to 1/ρ, without the root. → {narrow * times}
        4: Each count gets the whole budget. → {1 / math.sqrt(2 * rho)}

        Answers: {wide}
        """


@question("7b", "Two budgets")
def two_budgets(rng: Generator) -> str:
    first, second = float(rng.choice([0.1, 0.2])), float(rng.choice([0.3, 0.5]))
    together, *apart = (float(zcdp.epsilon(rho, 1e-6)) for rho in (first + second, first, second))
    return f"""
        An office publishes a table of persons with ρ = {first:g}, and a table of homes with ρ = {second:g}, both for
          the same neighbours. Take δ = 10⁻⁶ and the classic conversion.
        (a) Which ε do both tables have together? (b) Convert each table on its own, and add the two ε. (c) Why is one
          of the two results larger? At which δ does each of them hold?

        2: (a) ρ adds up to {first + second:g}.
        2: (a) ε = ρ + 2√(ρ ln(1/δ)) = {up(together)}, rounded up.
        2: (b) The two are {up(apart[0])} and {up(apart[1])}, and their sum is {up(sum(apart))}, rounded up.
        1: (c) The sum of two roots is larger than the root of the sum. Two large losses at once are not that likely.
          (One of the two reasons is enough.)
        1: (c) The result of (a) holds at δ, and that of (b) only at 2δ.

        2: (a) ρ is neglected beside the root. → {2 * math.sqrt((first + second) * math.log(1e6))}
        2: (a) The 2 before the root is forgotten. → {first + second + math.sqrt((first + second) * math.log(1e6))}
        1: (c) The result of (b) is said to hold at δ.

        Answers: {together}, {sum(apart)}
        """


@question("8a", "Two errors")
def two_errors(rng: Generator) -> str:
    epsilon, alarms = float(rng.choice([0.5, 1.0])), float(rng.choice([0.05, 0.1]))
    delta = 1e-5
    misses = max(1 - delta - math.exp(epsilon) * alarms, math.exp(-epsilon) * (1 - delta - alarms))
    return f"""
        A mechanism is ({epsilon:g}, 10⁻⁵)-DP. An attacker guesses Anna's answer from the published number and accepts
          {100 * alarms:g} per cent false alarms.
        How often must the attacker miss, at least? Which line of the trade-off curve decides?

        3: 1 − b ≤ e^ε a + δ, for false alarms a and misses b.
        3: So b ≥ 1 − 10⁻⁵ − e^{epsilon:g} · {alarms:g} = {down(misses)}, rounded down.
        2: The steep line decides, because a is to the left of the corner. The other line gives less. (One
          of the two reasons is enough.)

        3: The other line is taken. → {math.exp(-epsilon) * (1 - delta - alarms)}
        5: A blind guess, which ignores the published number. → {1 - alarms}
        4: e^ε times the false alarms are taken for the misses. → {math.exp(epsilon) * alarms}

        Answers: {misses}
        """


@question("8a", "A claim about a model")
def claimed(rng: Generator) -> str:
    epsilon = int(rng.choice([2, 3, 8]))
    return f"""
        A firm writes: “Our model was trained with differential privacy, with ε = {epsilon}.” Answer in words. Name four
          things that you have to know before you can compare this ε with that of another firm, and say why each of
          them matters.

        2: The δ. With a large δ, a small ε promises little, for example if each row is published with probability δ.
          (Here and below, one point is for the thing and one for the reason.)
        2: The neighbours. One row can be all data of a person or one of many, and it can be added, removed or replaced.
          (A student can name these as two of the four things, and the sampling as one, too.)
        2: What the ε is about, one run or all that was tried and published. The losses add up.
        2: How it was computed. An estimate, such as the normal limit, is no bound, and a bound holds only for the
          sampling that it assumes. (The number of steps, the clipping norm or the size of the data count here only
          if the student says what they change.)

        2: The accuracy of the model is named as one of the four.
        2: The kind of noise is named as one of the four, and nothing of how ε was computed.
        """


@cache
def run_by_losses(sigma: float, q: float, steps: int) -> float:
    """Return the upper bound on ε of a training run, at δ = 10⁻⁵, by its privacy loss distribution."""
    return float(PrivacyLoss.subsampled_gaussian(sigma, q).repeat(steps).epsilon(1e-5).upper)


@question("8b", "Five accounts of a training run")
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
        | A | zCDP with the classic conversion, as if each step used all rows | {number(everybody)}
        | B | RDP with the classic conversion at the best order, as if each step used all rows | {number(everybody)}
        | C | RDP with the sampling, at the best of many orders | {number(proved)}
        | D | the normal limit, that is, the μ of Gaussian DP for many steps with the sampling | {number(estimate)}
        | E | the privacy loss distribution with the sampling, its upper bound | {number(smallest)}
        (a) Which of the five may you publish as an ε of this run, and why? Which of these do you publish? (b) Why do A
          and B have the same ε? (c) A ignores the sampling. How many times as large is its ε as the ε
          that you publish?

        2: (a) A, B, C and E, because each is proved to be an upper bound. D is an estimate and no bound.
        2: (a) Publish E, ε = {number(smallest)}, which is the smallest of the four.
        3: (b) The RDP curve of Gaussian noise is the line ρα, so zCDP keeps all of it (2 points), and both use the
          same order (1 point).
        1: (c) It is {number(everybody)}/{number(smallest)} = {number(everybody / smallest)} times as large.

        4: (a) D is published, because it is the smallest number. → {estimate}
        2: (a) A or B is published, because the largest ε is taken to be the safest. → {everybody}
        1: (a) E is taken for an estimate, because a computer adds up a distribution. → {proved}
        1: (c) The difference is given and not a ratio. → {everybody - smallest}

        Answers: {smallest}, {everybody / smallest}
        """
