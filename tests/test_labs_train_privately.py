"""Lab 6: the checks accept the solution and other right versions, and catch what students write wrong."""

import numpy as np
import pytest
from figures import run
from sklearn.datasets import load_digits

from dp_lib import dp_sgd

pytestmark = pytest.mark.xdist_group("labs/train_privately")


@pytest.fixture(scope="module")
def lab():
    """What the cells of the page define, with the solutions."""
    return run("labs/train_privately").names


def test_images_are_the_digits_of_the_package(lab):
    digits, images = load_digits(), lab["images"]
    assert (images[:, 64] == 1).all() and len(images) == 1797
    assert sorted(map(tuple, 16 * images[:, :64])) == sorted(map(tuple, digits.data))
    assert "different 13\nto the test set" in digits.DESCR  # the people who wrote them
    assert "BSD" not in digits.DESCR and "CC" not in digits.DESCR  # the data have no licence of their own there


# -- the gradients


def by_a_loop(weights, images, labels):
    rows = np.zeros((len(images), 650))
    for i, (image, label) in enumerate(zip(images, labels, strict=True)):
        scores = weights.reshape(10, 65) @ image
        p = np.exp(scores) / np.exp(scores).sum()
        p[label] -= 1
        rows[i] = np.outer(p, image).ravel()
    return rows


def test_gradients_agree_with_finite_differences(lab):
    """By differences of the loss, where the page's own check nudges by an imaginary number."""
    weights, image, label = lab["somewhere"], lab["images"][:1], lab["labels"][:1]

    def loss(weights):
        return -np.log(lab["probabilities"](weights, image)[0, label[0]])

    steps = 1e-6 * np.eye(650)
    differences = [(loss(weights + step) - loss(weights - step)) / 2e-6 for step in steps]
    assert lab["gradients"](weights, image, label)[0] == pytest.approx(differences, abs=1e-8)
    assert lab["book_gradients"](weights, image, label)[0] == pytest.approx(differences, abs=1e-8)


def test_right_gradients_of_other_styles_are_accepted(lab):
    for mine in (lab["gradients"], lab["book_gradients"], by_a_loop):
        right, said = lab["judged_gradients"](mine)
        assert right and said.startswith("Your function agrees with the book's function")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda g, *batch: None, "gradients returns None, so there is nothing to check yet. Is there a return?"),
        (lambda g, *batch: ..., "gradients returns Ellipsis, so there is nothing to check yet."),
        (lambda g, *batch: g(*batch).mean(axis=0), "it must have the shape (3, 650), one row for each image."),
        (lambda g, *batch: g(*batch).reshape(-1, 10, 65), "it must have the shape (3, 650)"),
        (lambda g, *batch: g(*batch).tolist(), "an array of shape (3, 650) is needed."),
        (lambda g, *batch: batch[9], "gradients raises IndexError: tuple index out of range"),
        (lambda g, *batch: np.full((len(batch[1]), 650), np.nan), "something else than finite numbers"),
        (lambda g, *batch: -g(*batch), "your function returns"),
        (lambda g, *batch: g(*batch) / max(len(batch[1]), 1), "Your value is 1/2 of the right one everywhere"),
        (lambda g, *batch: g(*batch).reshape(-1, 10, 65).swapaxes(1, 2).reshape(-1, 650), "your function returns"),
    ],
)
def test_wrong_gradients_are_told(lab, wrong, said):
    right, found = lab["judged_gradients"](lambda *batch: wrong(lab["gradients"], *batch))
    assert not right and said in found


# -- clipping


def by_a_condition(rows, norm):
    rows = rows.copy()
    lengths = np.sqrt((rows**2).sum(axis=1))
    rows[lengths > norm] *= norm / lengths[lengths > norm][:, None]
    return rows


def with_nan_at_zero(rows, norm):
    with np.errstate(invalid="ignore", divide="ignore"):
        return rows * np.minimum(1, norm / np.linalg.norm(rows, axis=1, keepdims=True) * 1.0 + 0 * rows / rows)


def test_right_clips_of_other_styles_are_accepted(lab):
    for mine in (lab["clip"], dp_sgd.clip, by_a_condition):
        assert lab["judged_clip"](mine)[0]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda rows, norm: None, "clip returns None, so there is nothing to check yet."),
        (lambda rows, norm: np.clip(rows, -norm, norm), "At row = "),
        (lambda rows, norm: rows * norm / np.maximum(np.linalg.norm(rows, axis=1)[:, None], 1e-12), "At row = 4"),
        (lambda rows, norm: rows * min(1, norm / max(np.linalg.norm(rows), 1e-12)), "At row = "),
        (lambda rows, norm: rows / np.maximum(1, abs(rows).sum(axis=1)[:, None] / norm), "At row = "),
        (lambda rows, norm: dp_sgd.clip(rows, norm).sum(axis=0), "one row for each row"),
        (with_nan_at_zero, "something else than finite numbers"),
    ],
)
def test_wrong_clips_are_told(lab, wrong, said):
    right, found = lab["judged_clip"](wrong)
    assert not right and said in found


# -- the noisy sum


def with_standard_normal(rows, norm, sigma, rng):
    return dp_sgd.clip(rows, norm).sum(axis=0) + sigma * norm * rng.standard_normal(rows.shape[1])


def in_two_halves(rows, norm, sigma, rng):
    total = np.zeros(rows.shape[1])
    for row in rows:
        total = total + row / max(1, np.sqrt(row @ row) / norm)
    return total + sum(rng.normal(0, sigma * norm / np.sqrt(2), len(total)) for _ in range(2))


def test_right_sums_of_other_styles_are_accepted(lab):
    for mine in (lab["noisy_sum"], dp_sgd.noisy_sum, with_standard_normal, in_two_halves):
        right, said = lab["judged_sum"](mine)
        assert right and "Not caught" in said


def noise_only_if_there_are_rows(rows, norm, sigma, rng):
    return dp_sgd.noisy_sum(rows, norm, sigma if len(rows) else 0, rng)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda rows, norm, sigma, rng: None, "noisy_sum returns None"),
        (lambda rows, norm, sigma, rng: dp_sgd.clip(rows, norm) + rng.normal(0, sigma * norm, 20), "it must have"),
        (lambda rows, norm, sigma, rng: rows.sum(axis=0) + rng.normal(0, sigma * norm, 20), "Without noise: At column"),
        (lambda rows, norm, sigma, rng: dp_sgd.clip(rows.sum(axis=0)[None], norm)[0], "Without noise: At column"),
        (lambda rows, norm, sigma, rng: dp_sgd.noisy_sum(rows, norm, sigma / norm, rng), "the promise is false"),
        (
            lambda rows, norm, sigma, rng: dp_sgd.noisy_sum(rows, norm, 0, rng) + rng.normal(0, sigma * norm),
            "entry [1] minus entry [0]",
        ),
        (lambda rows, norm, sigma, rng: dp_sgd.noisy_sum(rows, norm, np.sqrt(sigma), rng), "too little"),
        (lambda rows, norm, sigma, rng: dp_sgd.noisy_sum(rows, norm, sigma * norm, rng), "more than the promise needs"),
        (lambda rows, norm, sigma, rng: dp_sgd.noisy_sum(rows, norm, sigma, np.random.default_rng(0)), "too little"),
        (noise_only_if_there_are_rows, "and no rows the noise has the standard deviation 0.00"),
    ],
)
def test_wrong_sums_are_told(lab, wrong, said):
    right, found = lab["judged_sum"](wrong)
    assert not right and said in found


# -- the loop


def backwards_with_a_generator(images, labels, settings, rng):
    """A loop of another style: indices, a mean, momentum of 0."""
    weights, at_rest = np.zeros(650), np.zeros(650)
    for _ in range(settings.steps, 0, -1):
        (batch,) = np.nonzero(rng.random(len(labels)) <= settings.q)
        rows = by_a_loop(weights, images[batch], labels[batch])
        weights -= settings.eta * (
            with_standard_normal(rows, settings.norm, settings.sigma, rng) / settings.b + at_rest
        )
    return weights


def test_right_loops_of_other_styles_are_accepted(lab):
    for mine in (lab["train"], lab["book_train"], backwards_with_a_generator):
        right, said = lab["judged_train"](mine)
        assert right and "weights agree with the book's" in said


def batches_of_one_size(images, labels, settings, rng):
    """Draw a batch of fixed size, for which the promise of Poisson sampling does not hold."""
    weights = np.zeros(650)
    for _ in range(settings.steps):
        batch = rng.choice(len(images), int(settings.q * len(images)), replace=False)
        rows = by_a_loop(weights, images[batch], labels[batch])
        weights -= settings.eta / settings.b * dp_sgd.noisy_sum(rows, settings.norm, settings.sigma, rng)
    return weights


def batches_in_turn(images, labels, settings, rng):
    """Take the images in turn, as programs for training without privacy do."""
    weights, turns = np.zeros(650), round(1 / settings.q)
    for step in range(settings.steps):
        batch = np.arange(len(images)) % turns == step % turns
        rows = by_a_loop(weights, images[batch], labels[batch])
        weights -= settings.eta / settings.b * dp_sgd.noisy_sum(rows, settings.norm, settings.sigma, rng)
    return weights


SLIPS = {
    "without_clip": "CAUGHT with nine blank images. You promise ε = 0.835",
    "without_sampling": "CAUGHT with nine blank images.",
    "without_empty_batches": "CAUGHT with nobody else.",
    "by_the_actual_size": "CAUGHT with nine blank images.",
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_loop_that_breaks_its_promise_is_caught(lab, name):
    right, said = lab["judged_train"](lab[name])
    assert not right and said.startswith(SLIPS[name])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda train, *table, run, rng: None, "A run with nine blank images fails. train returns None"),
        (lambda train, *table, run, rng: train(*table, run, rng).reshape(10, 65), "must have the shape (650,)"),
        (
            lambda train, *table, run, rng: table[0][0, 0] + train(*table, run, rng),
            "with nobody else fails. train raises",
        ),
        (lambda train, *table, run, rng: -train(*table, run, rng), "the cosine of the angle between the two is -1.00"),
        (lambda train, *table, run, rng: train(*table, run._replace(b=1), rng), "times as long"),
        (lambda train, *table, run, rng: train(*table, run._replace(steps=1), rng), "times as long"),
        (lambda train, *table, run, rng: batches_of_one_size(*table, run, rng), "between 10 and 10 images take part"),
        (lambda train, *table, run, rng: batches_in_turn(*table, run, rng), "between 10 and 10 images take part"),
    ],
)
def test_other_wrong_loops_are_told(lab, wrong, said):
    def mine(images, labels, run, rng):
        return wrong(lab["book_train"], images, labels, run=run, rng=rng)

    right, found = lab["judged_train"](mine)
    assert not right and said in found


def test_a_right_loop_raises_no_alarm_over_seeds(lab):
    alarms = sum(
        lab["check"]
        .private(
            lambda table, rng: (
                lab["ATTACKED"].b
                * lab["book_train"](table, np.zeros(len(table), dtype=int), lab["ATTACKED"], rng)[:65].sum()
            ),
            lab["BLANK"][:0],
            lab["WHITE"],
            lab["WHOLE_RUN"],
            lab["ATTACK_DELTA"],
            rng=np.random.default_rng(seed),
            trials=200,
        )
        .caught
        for seed in range(5)
    )
    assert alarms == 0


@pytest.mark.parametrize("epsilon", [1, 3, 8])
def test_sigma_keeps_the_promise_and_a_hundredth_less_does_not(lab, epsilon):
    sigma = lab["sigmas"][epsilon]
    assert lab["exact"](lab["run_with"](sigma, 1), lab["DELTA"]) <= epsilon
    assert lab["exact"](lab["run_with"](sigma - 0.01, 1), lab["DELTA"]) > epsilon
    assert sigma <= dp_sgd.sigma(epsilon, lab["DELTA"], lab["Q"], lab["STEPS"])


# -- the bound and the attack


def test_wrong_bounds_are_told(lab):
    assert lab["judged_bound"](lab["largest_advantage"])
    for wrong in (lab["by_one_inequality"], lab["without_delta"], lambda epsilon, delta: None):
        assert not lab["judged_bound"](wrong)
    assert "NoneType" in str(lab["judged_bound"](lambda epsilon, delta: None)) or "None" in str(
        lab["judged_bound"](lambda epsilon, delta: None)
    )


def by_likelihoods(shadow_used, shadow_seen, seen):
    """The attack of Carlini et al. with one spread for all images."""
    inside = np.ma.masked_array(shadow_seen, ~shadow_used)
    outside = np.ma.masked_array(shadow_seen, shadow_used)
    spread = [(part - part.mean(axis=0)).std() for part in (inside, outside)]
    scores = [
        -np.log(width) - ((seen - part.mean(axis=0).data) / width) ** 2 / 2
        for part, width in zip((inside, outside), spread, strict=True)
    ]
    return scores[0] > scores[1]


def by_a_loop_over_images(shadow_used, shadow_seen, seen):
    said = np.zeros(seen.shape, dtype=bool)
    for i in range(seen.shape[1]):
        middle = (shadow_seen[shadow_used[:, i], i].mean() + shadow_seen[~shadow_used[:, i], i].mean()) / 2
        said[:, i] = seen[:, i] > middle
    return said


def test_right_attacks_of_other_styles_are_accepted(lab):
    for mine in (lab["guess"], lab["book_guess"], by_likelihoods, by_a_loop_over_images):
        right, said = lab["judged_guess"](mine)
        assert right and said.endswith("This is as good as the book's attack.")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda used, shadow, seen: None, "guess returns None"),
        (lambda used, shadow, seen: seen, "it must return True or False."),
        (lambda used, shadow, seen: (seen > 5).any(axis=0), "it must have the shape (40, 120)"),
        (lambda used, shadow, seen: seen < 5, "turn the comparison round."),
        (lambda used, shadow, seen: seen > 0, "With a threshold for each image"),
        (lambda used, shadow, seen: seen > shadow.mean(), "With a threshold for each image"),
        (lambda used, shadow, seen: np.ones(seen.shape, dtype=bool), "Its advantage is 0.00."),
    ],
)
def test_wrong_attacks_are_told(lab, wrong, said):
    right, found = lab["judged_guess"](wrong)
    assert not right and said in found


def test_private_models_stay_below_their_bound(lab):
    for epsilon in range(1, 9):
        for attack in (lab["guess"], lab["one_threshold"], by_likelihoods):
            assert lab["advantage"](attack, epsilon) < lab["book_advantage"](epsilon, lab["DELTA"])
