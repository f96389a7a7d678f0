"""Checks of chapters/labs/train_privately.md."""

import math

import numpy as np
import pytest
from scipy import optimize, stats
from test_lab_examples import printed

from claims import answers, at_rest, claim


@claim("labs/train_privately.md", "all-gradients-are-clipped-at-first", numbers=[1])
def test_all_gradients_are_clipped_at_first(passage):
    """At weights of 0 the gradient is (p - y) times the image, and p - y has the length √(0.81 + 9 · 0.01)."""
    lengths = math.sqrt(0.9) * np.linalg.norm(passage.names["training"][0], axis=1)
    assert len(lengths) == 1200
    assert passage.printed == [f"{lengths.min():.1f}", f"{lengths.max():.1f}"]
    assert lengths.min() > 1


@claim("labs/train_privately.md", "longest-possible-gradient", numbers=[10, 65])
def test_longest_possible_gradient(passage):
    """Of p - y, with the label's place first: the square is convex, so the largest is at a corner of the simplex."""
    corners = np.eye(10) - np.eye(10)[0]
    longest = np.linalg.norm(corners, axis=1).max() * np.linalg.norm(np.ones(65))
    assert passage.printed == [f"{math.ceil(100 * longest) / 100:.2f}"] == ["11.41"]
    images = passage.names["images"]
    assert images.min() >= 0 and images.max() <= 1


@claim("labs/train_privately.md", "noise-of-the-attackers-number", numbers=[4.2, 1.5])
def test_noise_of_the_attackers_number(passage):
    """From weights that are nothing but the noise of eight steps, and from a run in which the canary takes part."""
    names = passage.names
    run = names["ATTACKED"]
    assert run.sigma == 1.5 and f"{math.sqrt(run.steps) * run.sigma:.1f}" == "4.2"

    def number(table, run, rng):
        weights = names["book_train"](table, np.zeros(len(table), dtype=int), run, rng)
        return -run.b / (run.eta * run.norm) * (weights @ names["DIRECTION"])

    rng = np.random.default_rng(1)
    noise = [number(names["BLANK"], run, rng) for _ in range(600)]
    assert np.std(noise) == pytest.approx(4.24, rel=0.1)
    always = run._replace(sigma=0.0, q=1.0)
    assert number(names["WHITE"], always, rng) == pytest.approx(run.steps, rel=0.01)


@claim("labs/train_privately.md", "one-batch-is-not-caught")
def test_one_batch_is_not_caught(passage):
    """The mixture of two normal distributions against one of them, by its profile and a search."""
    names = passage.names
    run, delta = names["ATTACKED"], names["ATTACK_DELTA"]
    assert run.steps == 8
    shift = math.sqrt(8) / run.sigma

    def profile(epsilon):
        """P(Y) - e^ε Q(Y) over the y at which the density with the canary is e^ε times the other."""
        at = optimize.brentq(
            lambda y: math.log(1 - run.q + run.q * math.exp(shift * y - shift**2 / 2)) - epsilon, -50, 50
        )
        with_canary = (1 - run.q) * stats.norm.sf(at) + run.q * stats.norm.sf(at - shift)
        return with_canary - math.exp(epsilon) * stats.norm.sf(at)

    true = optimize.brentq(lambda epsilon: profile(epsilon) - delta, 0.1, 6)
    least, promise = map(float, passage.printed)
    assert true - 0.01 < least <= true
    assert promise < least
    assert promise == names["WHOLE_RUN"]
    loop = names["one_batch_for_all_steps"]

    def seen(table, rng):
        weights = loop(table, np.zeros(len(table), dtype=int), run, rng)
        return -run.b / (run.eta * run.norm) * (weights @ names["DIRECTION"])

    tables = np.zeros((0, 65)), np.ones((1, 65))
    rng = np.random.default_rng(4)
    assert names["check"].private(seen, *tables, promise, delta, rng=rng, trials=5000, seconds=60).caught
    said = printed("labs/train_privately", "judged_train(one_batch_for_all_steps)[1]")
    assert said.startswith("Two attacks did not catch it.") and "Does each step draw a new batch?" in said


@answers(
    "labs/train_privately.md", "accuracy-at-epsilon-one", numbers=[96, 100, 1, 1200], choices=[[30], [60], [73], [88]]
)
def test_question_accuracy_at_epsilon_one(question):
    names = question.names
    right = np.mean(names["private"][1200, 1])
    assert round(names["plain"][1200]) == 96
    assert question.right == [abs(right - choice) < 2 for choice in (30, 60, 73, 88)]
    assert abs(np.mean(names["private"][600, 1]) - 73) < 2  # what a reply says
    # In one step the noise is longer than the sum; over the run, the gradients grow faster than the noise.
    assert 5 < names["sigmas"][1] * math.sqrt(650) / names["pull"](1) < 9
    assert names["pull"](100) / names["pull"](1) > 3 * math.sqrt(100)
    # The noise of each step, added after the last one, with another seed. Of both means the standard error is 0.7.
    quiet = names["run_with"](0.0, names["TRAINING"])
    weights = names["book_train"](*names["training"], quiet, np.random.default_rng(0))
    scale = names["sigmas"][1] * quiet.norm * quiet.eta / quiet.b
    steps = np.random.default_rng(7).normal(0, scale, (200, quiet.steps, 650))
    late = np.mean([names["accuracy"](weights + noises.sum(axis=0)) for noises in steps])
    assert abs(float(question.printed[-1]) - late) < 3 and late < right - 20


@claim("labs/train_privately.md", "lab-train-accuracy.caption")
@claim("labs/train_privately.md", "lab-train-accuracy.alt")
def test_accuracy_figure():
    seen = at_rest("labs/train_privately.md", "lab-train-accuracy")
    low, mean, high = seen["worst seed"], seen["mean of five"], seen["best seed"]
    assert (low <= mean).all() and (mean <= high).all() and (high < seen["without privacy"]).all()
    assert (np.diff(mean) > -0.2).all()
    gains = np.diff(mean)
    assert gains[0] > gains[-1]
    assert np.ptp(seen["without privacy"]) == 0
    assert (high - low)[0] > (high - low)[-1]


@claim("labs/train_privately.md", "more-images-help", numbers=[300, 1200])
def test_more_images_help(passage):
    private = passage.names["private"]
    assert passage.printed == [f"{np.mean(private[size, 1]):.0f}" for size in (300, 1200)]
    for epsilon in range(1, 9):
        means = [np.mean(private[size, epsilon]) for size in (300, 600, 900, 1200)]
        assert means == sorted(means)
        gaps = [passage.names["plain"][size] - np.mean(private[size, epsilon]) for size in (300, 1200)]
        assert gaps[1] < gaps[0]


@claim("labs/train_privately.md", "forgotten-clip-looks-better")
def test_forgotten_clip_looks_better(passage):
    names = passage.names
    better = np.mean(names["forgotten"]) - np.mean(names["private"][1200, 1])
    assert better > 0
    assert passage.printed == [f"{better:.1f}"]


@claim("labs/train_privately.md", "attack-in-short", numbers=[60, 85, 100, 27, 100, 1, 15, 100])
def test_attack_in_short(passage):
    """The shares of the whole attack; the claim attack-on-three-models tries the private models with other seeds."""
    names = passage.names
    assert [round(100 * rate) for rate in names["rates"](names["book_guess"], "plain")] == [85, 27]
    assert abs(np.subtract(*names["rates"](names["book_guess"], 1))) < 0.15


@claim("labs/train_privately.md", "advantage-at-ln-three", numbers=[0.5])
def test_advantage_at_ln_three():
    """The corner of all pairs of rates that satisfy both inequalities, on a fine grid."""
    t, f = np.meshgrid(*[np.linspace(0, 1, 1001)] * 2)
    allowed = (t <= 3 * f + 1e-12) & (1 - f <= 3 * (1 - t) + 1e-12)
    assert (t - f)[allowed].max() == pytest.approx(0.5)


@claim("labs/train_privately.md", "bounds-at-three-budgets", numbers=[1e-5, 1, 3, 8])
def test_bounds_at_three_budgets(passage):
    """A linear program: the largest t - f that the inequalities allow in both directions."""
    for shown, epsilon, digits in zip(passage.printed, (1, 3, 8), (4, 4, 4), strict=True):
        factor, delta = math.exp(epsilon), 1e-5
        found = optimize.linprog(
            [-1, 1], A_ub=[[1, -factor], [factor, -1]], b_ub=[delta, factor - 1 + delta], bounds=[(0, 1)] * 2
        )
        assert -found.fun <= float(shown) + 1e-9 < -found.fun + 10**-digits + 2e-9


@claim("labs/train_privately.md", "where-one-inequality-says-nothing", numbers=[0.7, 1])
def test_where_one_inequality_says_nothing():
    assert math.expm1(0.7) > 1 > math.expm1(0.69)


@claim("labs/train_privately.md", "confidence-of-two-probabilities", numbers=[4.6, 0.99, 9.2, 0.9999])
def test_confidence_of_two_probabilities():
    for confidence, p in ((0, 0.5), (4.6, 0.99), (9.2, 0.9999)):
        assert math.log(p / (1 - p)) == pytest.approx(confidence, abs=0.05)


@claim("labs/train_privately.md", "attack-on-plain-models", numbers=[1])
def test_attack_on_plain_models(passage):
    names = passage.names
    used, seen = names["targets"]["plain"]
    shadow_used, shadow_seen = names["shadows"]["plain"]
    said = np.zeros_like(used)
    for image in range(used.shape[1]):  # one image after the other
        column, was = shadow_seen[:, image], shadow_used[:, image]
        said[:, image] = seen[:, image] > (column[was].mean() + column[~was].mean()) / 2
    true, false = said[used].mean(), said[~used].mean()
    assert names["rates"](names["book_guess"], "plain") == pytest.approx((true, false), abs=0.01)
    # The advantage exceeds what ε = 1 allows by more than the chance of forty models explains.
    each = [row[was].mean() - row[~was].mean() for row, was in zip(said, used, strict=True)]
    assert np.mean(each) - 4 * np.std(each) / math.sqrt(len(each)) > (math.e - 1 + 2e-5) / (math.e + 1)


@claim("labs/train_privately.md", "attack-on-three-models", numbers=[1, 0.15, 8])
def test_attack_on_three_models(passage):
    names = passage.names
    used, seen = names["targets"][1]
    said = names["guess"](*names["shadows"][1], seen)
    each = [row[was].mean() - row[~was].mean() for row, was in zip(said, used, strict=True)]
    chance = 2 * stats.sem(each)
    true, false = names["rates"](names["book_guess"], "plain")
    assert passage.printed == [f"{chance:.2f}"]
    trained = {}
    for epsilon in (1, 8):  # with other random numbers than those of the page, such as a reader's loop draws
        trainer = names["at"](epsilon)
        was, confidences = names["models"](trainer, range(8000, 8040))
        trained[epsilon] = was, names["models"](trainer, range(7000, 7040)), confidences
    for attack in (names["guess"], names["book_guess"]):
        found = []
        for was, shadows, confidences in trained.values():
            guess = attack(*shadows, confidences)
            found.append(guess[was].mean() - guess[~was].mean())
        assert abs(found[0]) < 0.15 and found[0] < found[1] < (true - false) / 2


@claim("labs/train_privately.md", "lab-train-attack.caption", numbers=[60])
def test_models_of_the_attack_have_about_sixty_images(passage):
    used, _ = passage.names["targets"]["plain"]
    assert used.sum(axis=1).mean() == pytest.approx(60, abs=3)


@claim("labs/train_privately.md", "lab-train-attack.alt")
def test_alt_of_the_attack_figure():
    seen = at_rest("labs/train_privately.md", "lab-train-attack")
    bound, found, line = seen["bound"], seen["your attack"], float(seen["plain model", "y"])
    assert bound[0] < 0.5 and bound[-1] > 0.99 and (np.diff(bound) > 0).all()
    assert (found < bound).all() and (bound - found > 0.3).all()
    assert found[-1] > found[0] and (np.diff(found) > -0.03).all()
    assert bound[0] < line < bound[-1] and (found < line).all()
    assert line == pytest.approx(0.6, abs=0.05)


@claim("labs/train_privately.md", "sixty-images-are-few", numbers=[60, 8, 1, 10])
def test_sixty_images_are_few(passage):
    plain, eight, one = map(float, passage.printed)
    assert one < eight < plain
    assert one < 25
