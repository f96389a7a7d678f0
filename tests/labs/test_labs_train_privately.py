"""Lab 6: the checks accept the solution and other right versions, and catch what students write wrong."""

import numpy as np
import pytest
from figures import run
from scipy import stats
from sklearn.datasets import load_digits
from test_lab_examples import printed

from dp_lib import dp_sgd
from dp_lib.check import time_limit

pytestmark = pytest.mark.xdist_group("labs/train_privately")


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


def number_by_number(weights, images, labels):
    """Right, and very slow."""
    rows = np.zeros((len(images), 650))
    scores = images @ weights.reshape(10, 65).T
    for i in range(len(images)):
        p = np.exp(scores[i]) / np.exp(scores[i]).sum()
        for k in range(10):
            for j in range(65):
                rows[i, 65 * k + j] = (p[k] - (labels[i] == k)) * images[i, j]
    return rows


def test_right_gradients_of_other_styles_are_accepted(lab):
    for mine in (lab["gradients"], lab["book_gradients"], by_a_loop, number_by_number):
        right, said = lab["judged_gradients"](mine)
        assert right and said.startswith("The loss changes as your derivatives say, at ")


def test_slow_gradients_are_told_before_the_training(lab, capsys):
    assert lab["fast_enough"](lab["gradients"]) and capsys.readouterr().out == ""
    assert not lab["fast_enough"](number_by_number)
    assert "But it is slow. Step 5 would take about" in capsys.readouterr().out


def without_a_row_index(lab, weights, images, labels):
    """Subtract 1 in the columns of all labels of the batch, in every row."""
    p = lab["probabilities"](weights, images)
    p[:, labels] -= 1
    return (p[:, :, None] * images[:, None, :]).reshape(len(images), 650)


def test_a_wrong_derivative_is_told_with_what_it_is_computed_from(lab):
    right, said = lab["judged_gradients"](lab["without_the_label"])
    assert not right and "At image = 1000, digit = 0, pixel = 50" in said
    p = lab["probabilities"](lab["somewhere"], lab["images"][1000:1001])[0, 0]
    assert f"Image 1000 shows the digit {lab['labels'][1000]}." in said and "In a batch of its own" not in said
    assert f"p = {p:.6g}, y = 1 and x = {lab['images'][1000, 50]:.4g}" in said
    assert (p - 1) * lab["images"][1000, 50] == pytest.approx(-0.824596336)


def test_rows_that_depend_on_the_rest_of_the_batch_are_told(lab):
    right, said = lab["judged_gradients"](lambda *batch: without_a_row_index(lab, *batch))
    assert not right and "In a batch of its own, this image gets the right derivative." in said
    assert "Here images 1701 and 1702 are in the batch too (digits 9 and 8), and they change the row" in said


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda g, *batch: None, "gradients returns None, so there is nothing to check yet. Is there a return?"),
        (lambda g, *batch: ..., "gradients returns Ellipsis, so there is nothing to check yet."),
        (
            lambda g, *batch: g(*batch).mean(axis=0),
            "it must have the shape (3, 650), one row for each image that it gets.",
        ),
        (lambda g, *batch: g(*batch).reshape(-1, 10, 65), "it must have the shape (3, 650)"),
        (lambda g, *batch: g(*batch).tolist(), "an array of shape (3, 650) is needed."),
        (lambda g, *batch: batch[9], "gradients raises IndexError: tuple index out of range"),
        (
            lambda g, *batch: np.full((len(batch[1]), 650), np.nan),
            "gradients returns nan in row 0, column 0, counted from 0",
        ),
        (lambda g, *batch: -g(*batch), "your function returns"),
        (lambda g, *batch: g(*batch) / max(len(batch[1]), 1), "divided by the number of images in the batch."),
        (
            lambda g, *batch: g(*batch).reshape(-1, 10, 65).swapaxes(1, 2).reshape(-1, 650),
            "The 650 numbers of a row are in another order. The 65 of the digit 0 come first.",
        ),
        (lambda g, *batch: g(*batch).astype(str), "gradients returns an array of <U32"),
        (
            lambda g, *batch: g(*batch).reshape(len(batch[1]), -1),
            "cannot reshape array of size 0 into shape (0,newaxis). This is for a batch with no rows.",
        ),
    ],
)
def test_wrong_gradients_are_told(lab, wrong, said):
    right, found = lab["judged_gradients"](lambda *batch: wrong(lab["gradients"], *batch))
    assert not right and said in found


# -- clipping


def with_a_warning(rows, norm):
    with np.errstate(divide="ignore"):
        return rows * np.minimum(1, norm / np.linalg.norm(rows, axis=1, keepdims=True))


def by_a_condition(rows, norm):
    rows = rows.copy()
    lengths = np.sqrt((rows**2).sum(axis=1))
    rows[lengths > norm] *= norm / lengths[lengths > norm][:, None]
    return rows


def with_nan_at_zero(rows, norm):
    with np.errstate(invalid="ignore", divide="ignore"):
        return rows * np.minimum(1, norm / np.linalg.norm(rows, axis=1, keepdims=True) * 1.0 + 0 * rows / rows)


def a_little_shorter(rows, norm):
    """Clip as Opacus does, so that nothing is divided by 0."""
    return rows * np.minimum(1, norm / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6))


def in_place(rows, norm):
    for i in range(len(rows)):
        length = np.linalg.norm(rows[i])
        if length > norm:
            rows[i] *= norm / length
    return rows


def test_right_clips_of_other_styles_are_accepted(lab):
    for mine in (lab["clip"], dp_sgd.clip, by_a_condition, with_a_warning, a_little_shorter):
        right, said = lab["judged_clip"](mine)
        assert right and "changes the rows" not in said


def test_a_clip_that_changes_its_rows_is_accepted_and_told(lab):
    right, said = lab["judged_clip"](in_place)
    assert right and said.endswith("Begin with rows = rows.copy().")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda rows, norm: None, "clip returns None, so there is nothing to check yet."),
        (lambda rows, norm: rows * norm / np.maximum(np.linalg.norm(rows, axis=1)[:, None], 1e-12), "At row = 4"),
        (lambda rows, norm: rows / np.maximum(1, abs(rows).sum(axis=1)[:, None] / norm), "At row = "),
        (lambda rows, norm: dp_sgd.clip(rows, norm).sum(axis=0), "one row for each row that it gets"),
        (lambda rows, norm: 0.9999 * dp_sgd.clip(rows, norm), "At row = "),
        (lambda rows, norm: 1.0001 * dp_sgd.clip(rows, norm), "At row = "),
        (lambda rows, norm: np.clip(rows, -norm, norm), "Row 0 clipped alone is wrong too."),
        (lambda rows, norm: rows * min(1, norm / max(np.linalg.norm(rows), 1e-12)), "clipped alone is right, so the"),
        (with_nan_at_zero, "clip returns nan in row 0, column 2, counted from 0"),
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


def clipped_by(clip, noise=lambda norm, sigma, rng, rows: rng.normal(0, sigma * norm, 20)):
    """Return a noisy sum with another way to clip, or other noise."""
    return lambda rows, norm, sigma, rng: clip(rows, norm).sum(axis=0) + noise(norm, sigma, rng, rows)


def with_noise(noise):
    return clipped_by(dp_sgd.clip, noise)


def test_right_sums_of_other_styles_are_accepted(lab):
    others = with_standard_normal, in_two_halves, clipped_by(a_little_shorter), clipped_by(in_place)
    for mine in (dp_sgd.noisy_sum, *others):
        right, said = lab["judged_sum"](mine)
        assert right and "Not caught" in said


def test_noise_of_another_source_is_accepted_and_told(lab):
    other = np.random.default_rng(9)
    right, said = lab["judged_sum"](with_noise(lambda norm, sigma, rng, rows: other.normal(0, sigma * norm, 20)))
    assert right and "your mechanism draws from another source than rng" in said


def too_late(rows, norm, sigma, rng):
    """Raise an error in the runs of the attack alone, which are with sigma = 1."""
    assert sigma != 1, "not with this sigma"
    return dp_sgd.noisy_sum(rows, norm, sigma, rng)


def test_a_sum_that_fails_in_the_attack_is_told(lab):
    right, said = lab["judged_sum"](too_late)
    assert not right and said.startswith("A run of the attack fails. noisy_sum raised AssertionError")


def laplace_of_the_right_spread(rows, norm, sigma, rng):
    return dp_sgd.noisy_sum(rows, norm, 0, rng) + rng.laplace(0, sigma * norm / np.sqrt(2), rows.shape[1])


def one_number_for_all_columns(rows, norm, sigma, rng):
    return dp_sgd.noisy_sum(rows, norm, 0, rng) + rng.normal(0, sigma * norm)


def of_the_longest_row(norm, sigma, rng, rows):
    """Return noise for the longest row of the table in place of the longest possible row."""
    lengths = np.linalg.norm(dp_sgd.clip(rows, norm), axis=1)
    return rng.normal(0, sigma * lengths.max(initial=0) if len(rows) else sigma * norm, 20)


def noise_in_each_row(rows, norm, sigma, rng):
    return (dp_sgd.clip(rows, norm) + rng.normal(0, sigma * norm, rows.shape)).sum(axis=0)


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
            one_number_for_all_columns,
            "the noise in column 0 and the noise in column 1 (counted from 0) depend",
        ),
        (
            with_noise(lambda norm, sigma, rng, rows: np.append(rng.normal(0, sigma * norm, 19), 0)),
            "the noise in column 19 (counted from 0) has the standard deviation 0.00, and in most columns it is 4.",
        ),
        (
            with_noise(lambda norm, sigma, rng, rows: rng.normal(0, 2 * sigma, 20)),
            "the noise has the standard deviation 2.99",
        ),
        (with_noise(lambda norm, sigma, rng, rows: rng.normal(0, sigma, 20)), "Is norm forgotten?"),
        (with_noise(lambda norm, sigma, rng, rows: rng.normal(0, sigma * norm**2, 20)), "Is norm there twice?"),
        (
            noise_in_each_row,
            "Does every row get noise of its own?",
        ),
        (
            with_noise(of_the_longest_row),
            "With norm = 2, sigma = 0.5 and five short rows, the noise has the standard deviation 0.",
        ),
        (
            lambda rows, norm, sigma, rng: dp_sgd.clip(rows, norm)[0] + dp_sgd.noisy_sum(rows[1:], norm, sigma, rng),
            "This is for a batch with no rows.",
        ),
        (
            with_noise(lambda norm, sigma, rng, rows: sigma * norm * np.clip(rng.standard_normal(20), -2.5, 2.5)),
            "none of 40,000 numbers of the noise is farther from 0 than 3.5 standard deviations",
        ),
        (laplace_of_the_right_spread, "the noise has the right standard deviation, but it is not Gaussian."),
        (lambda rows, norm, sigma, rng: dp_sgd.noisy_sum(rows, norm, np.sqrt(sigma), rng), "too little"),
        (lambda rows, norm, sigma, rng: dp_sgd.noisy_sum(rows, norm, sigma * norm, rng), "more than the promise needs"),
        (lambda rows, norm, sigma, rng: dp_sgd.noisy_sum(rows, norm, sigma, np.random.default_rng(0)), "too little"),
        (noise_only_if_there_are_rows, "and no rows, the noise has the standard deviation 0.00"),
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


def the_last(weights, images, labels):
    return weights[-1]


def a_loop(batch_of, noise_of=None, norm_of=lambda norm: norm, clip=dp_sgd.clip, chosen=the_last, last_noise=None):
    """Return a loop with another way to draw the batch, to add noise, to choose C, to clip, or to end."""

    def mine(images, labels, settings, rng):
        weights, state = [np.zeros(650)], {}
        for step in range(settings.steps):
            batch = batch_of(len(images), settings.q, rng, step, state)
            rows = lab_rows(weights[-1], images[batch], labels[batch])
            total = clip(rows, norm_of(settings.norm)).sum(axis=0) + noise_of(settings, rng, state)
            weights.append(weights[-1] - settings.eta / settings.b * total)
        if last_noise:
            weights.append(weights[-1] + settings.eta / settings.b * last_noise(settings, rng))
        return chosen(weights[1:], images, labels)

    noise_of = noise_of or (lambda settings, rng, state: rng.normal(0, settings.sigma * norm_of(settings.norm), 650))
    return mine


def lab_rows(weights, images, labels):
    scores = images @ weights.reshape(10, 65).T
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    errors = powers / powers.sum(axis=1, keepdims=True) - np.eye(10)[labels]
    return np.einsum("nk,nj->nkj", errors, images).reshape(-1, 650)


def poisson(n, q, rng, step, state):
    return rng.random(n) < q


RIGHT = "Its weights, its noise and its batches are right wherever they were tried."


def test_right_loops_of_other_styles_are_accepted(lab):
    for mine in (backwards_with_a_generator, *(a_loop(poisson, clip=clip) for clip in (a_little_shorter, in_place))):
        right, said = lab["judged_train"](mine)
        assert right and said.startswith(RIGHT) and "another source" not in said


def test_another_source_of_randomness_is_accepted_and_told_once(lab):
    other = np.random.default_rng(9)

    def from_elsewhere(n, q, rng, step, state):
        return other.random(n) < q

    def noise_from_elsewhere(settings, rng, state):
        return other.normal(0, settings.sigma * settings.norm, 650)

    for mine in (a_loop(from_elsewhere), a_loop(poisson, noise_from_elsewhere)):
        right, said = lab["judged_train"](mine)
        assert right and said.count("draws from another source than rng") == 1


def scaled(factor):
    return lambda settings, rng, state: rng.normal(0, factor * settings.sigma * settings.norm, 650)


def noise_drawn_once(settings, rng, state):
    return state.setdefault("noise", rng.normal(0, settings.sigma * settings.norm, 650))


@pytest.mark.parametrize(
    ("noise", "deviation"),
    [
        (scaled(0.5), 2.25),
        (noise_drawn_once, 9.0),
        (lambda settings, rng, state: rng.normal(0, 3 * settings.sigma, 650), 12.0),  # right in the first run tried
    ],
)
def test_wrong_noise_in_a_loop_is_told(lab, noise, deviation):
    right, found = lab["judged_train"](a_loop(poisson, noise))
    assert not right and "the noise has the standard deviation" in found
    told = float(found.split("standard deviation ")[1].split(",")[0])
    assert told == pytest.approx(deviation, rel=0.03)


def test_a_column_without_noise_is_told_in_a_loop(lab):
    def noise(settings, rng, state):
        return np.append(rng.normal(0, settings.sigma * settings.norm, 649), 0)

    right, found = lab["judged_train"](a_loop(poisson, noise))
    assert not right and "the noise in column 649 (counted from 0) has the standard deviation 0.00" in found


def none(settings, rng, state):
    return 0


def all_at_once(settings, rng, *state):
    return rng.normal(0, settings.sigma * settings.norm * np.sqrt(settings.steps), 650)


def test_noise_of_all_steps_in_one_step_is_told(lab):
    def all_in_the_first_step(settings, rng, state):
        first = "drawn" not in state
        state["drawn"] = True
        return all_at_once(settings, rng) if first else 0

    for mine in (a_loop(poisson, none, last_noise=all_at_once), a_loop(poisson, all_in_the_first_step)):
        right, found = lab["judged_train"](mine)
        assert not right and "Is all noise added in one step?" in found


def share_read(weights, images, labels):
    return np.mean((images @ weights.reshape(10, 65).T).argmax(axis=1) == labels) if len(labels) else 0.0


def best_by_accuracy(weights, images, labels):
    return max(reversed(weights), key=lambda each: share_read(each, images, labels))


def test_a_step_that_is_chosen_by_the_images_is_told(lab):
    right, found = lab["judged_train"](a_loop(poisson, chosen=best_by_accuracy))
    assert not right and "Is an earlier step chosen by looking at the images?" in found


def labels_of_all_images(images, labels, settings, rng):
    """Take the labels of the first images of the table for those of the batch."""
    weights = np.zeros(650)
    for _ in range(settings.steps):
        batch = rng.random(len(images)) < settings.q
        rows = lab_rows(weights, images[batch], labels[: batch.sum()])
        weights -= settings.eta / settings.b * dp_sgd.noisy_sum(rows, settings.norm, settings.sigma, rng)
    return weights


def test_labels_of_other_images_are_told(lab):
    right, found = lab["judged_train"](labels_of_all_images)
    assert not right and "Are the labels those of the batch?" in found


def test_clipping_to_another_norm_is_told(lab):
    """C of the run is forgotten, in clipping and noise alike: the promise holds, and the function is still wrong."""
    right, found = lab["judged_train"](a_loop(poisson, norm_of=lambda norm: 1.0))
    assert not right and "are right for norm = 1, but the run has norm = 3.5." in found


def test_gradients_of_one_length_are_told(lab):
    """Each gradient is brought to the length C, longer or not."""

    def mine(images, labels, settings, rng):
        weights = np.zeros(650)
        for _ in range(settings.steps):
            batch = rng.random(len(images)) < settings.q
            rows = lab_rows(weights, images[batch], labels[batch])
            rows *= settings.norm / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
            noise = rng.normal(0, settings.sigma * settings.norm, 650)
            weights = weights - settings.eta / settings.b * (rows.sum(axis=0) + noise)
        return weights

    right, found = lab["judged_train"](mine)
    assert not right


def first_images(n, q, rng, step, state):
    return np.arange(rng.binomial(n, q))


def with_replacement(n, q, rng, step, state):
    return rng.choice(n, int(q * n), replace=True) if n else np.arange(0)


def one_batch(n, q, rng, step, state):
    return state.setdefault("batch", rng.random(n) < q) if q < 1 else np.ones(n, dtype=bool)


@pytest.mark.parametrize(
    ("batch_of", "said"),
    [
        (first_images, "image 0 (counted from 0) takes part 4.00 times per run"),
        (with_replacement, "differ from run to run, although each image must take part once in each step."),
        (one_batch, "Does each step draw a new batch?"),
    ],
)
def test_wrong_batches_are_told(lab, batch_of, said):
    right, found = lab["judged_train"](a_loop(batch_of))
    assert not right and said in found


def test_a_loop_that_fails_in_some_runs_is_told(lab):
    def fails_on_large_batches(n, q, rng, step, state):
        batch = rng.random(n) < q
        assert batch.sum() < 6 or n > 10, "a large batch"
        return batch

    right, found = lab["judged_train"](a_loop(fails_on_large_batches))
    assert not right and "A run of the attack on nine blank images fails. train raised AssertionError" in found


def test_batches_that_are_drawn_again_while_they_are_empty_are_told(lab, monkeypatch):
    """The loop never ends on the empty table, which is told after a second here in place of five."""
    assert time_limit.PATIENCE == 5
    monkeypatch.setattr(time_limit, "PATIENCE", 1.0)

    def again_while_empty(n, q, rng, step, state):
        batch = rng.random(n) < q
        while not batch.any():
            batch = rng.random(n) < q
        return batch

    right, found = lab["judged_train"](a_loop(again_while_empty))
    assert not right and found.startswith("A run on the empty table fails. train must return, and call 1 has lasted")
    assert found.endswith("An empty batch is allowed, so do not draw again.")


def zeros_and_ones(n, q, rng, step, state):
    return rng.binomial(1, q, n)


def test_an_index_of_zeros_and_ones_is_told(lab):
    right, found = lab["judged_train"](a_loop(zeros_and_ones))
    assert not right and "picks rows 0 and 1. Compare with < to get True and False." in found


def test_a_return_inside_the_loop_is_told(lab):
    right, found = lab["judged_train"](a_loop(poisson, chosen=lambda weights, *table: weights[0]))
    assert not right and "are right for steps = 1, but the run has steps = 4. Is `return` indented too far" in found


def batches_of_one_size(images, labels, settings, rng):
    """Draw a batch of fixed size, for which the promise of Poisson sampling does not hold."""
    weights = np.zeros(650)
    for _ in range(settings.steps):
        batch = rng.choice(len(images), int(settings.q * len(images)), replace=False)
        rows = lab_rows(weights, images[batch], labels[batch])
        weights -= settings.eta / settings.b * dp_sgd.noisy_sum(rows, settings.norm, settings.sigma, rng)
    return weights


SLIPS = {
    "without_sampling": ("nine blank images", "image 0 (counted from 0) takes part 4.00 times per run"),
    "without_empty_batches": ("the empty table", "On the empty table, with norm = 3 and sigma = 1.5, the noise has"),
    "by_the_actual_size": ("nine blank images", "of 30 images are right for b = 30, but the run has b = 25."),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_loop_that_breaks_its_promise_is_caught(name):
    said = printed("labs/train_privately", f"judged_train({name})[1]")
    table, where = SLIPS[name]
    assert said.startswith(f"CAUGHT on {table}. You promise ε = 0.835")
    assert where in said.split(" WHERE TO LOOK: ")[1]


def test_a_loop_that_does_not_clip_is_caught():
    said = run("labs/train_privately").said.partition("without_clip: ")[2].splitlines()[0]
    assert said.startswith("CAUGHT on nine blank images. You promise ε = 0.835")
    where = said.split(" WHERE TO LOOK: ")[1]
    assert "with q = 1, the weights are those of a run that does not clip." in where


def test_a_loop_that_divides_by_the_number_of_images_is_told_where(lab):
    """The attack's own words are about a score, which points to no line of the code."""

    def mine(images, labels, run, rng):
        return lab["book_train"](images, labels, run._replace(b=run.q * max(1, len(images))), rng)

    right, said = lab["judged_train"](mine)
    assert not right and "right for b = 30, but the run has b = 25." in said


def with_a_list_of_indices(train, images, labels, run, rng):
    """Collect the batch in a list, which is no list of whole numbers if it is empty."""
    batch = np.array([i for i in range(len(images)) if rng.random() < run.q])
    return train(images[batch], labels[batch], run._replace(q=1.0), rng)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda train, *table, run, rng: None, "A run on the empty table fails. train returns None"),
        (lambda train, *table, run, rng: train(*table, run, rng).reshape(10, 65), "must have the shape (650,)"),
        (
            lambda train, *table, run, rng: table[0][0, 0] + train(*table, run, rng),
            "A run on the empty table fails. train raises",
        ),
        (lambda train, *table, run, rng: -train(*table, run, rng), "times as long. Look at the sign"),
        (
            lambda train, *table, run, rng: train(*table, run._replace(b=1), rng),
            "are right for b = 1, but the run has b = 25.",
        ),
        (lambda train, *table, run, rng: train(*table, run._replace(steps=run.steps + 1), rng), "right for steps = 5"),
        (
            lambda train, *table, run, rng: with_a_list_of_indices(train, *table, run, rng),
            "arrays used as indices must be of integer (or boolean) type. This is for a batch with no rows.",
        ),
        (lambda train, *table, run, rng: 1.1 * train(*table, run, rng), "1.10 times as long. Look at the clipping"),
        (lambda train, *table, run, rng: batches_of_one_size(*table, run, rng), "Is the size of a batch fixed?"),
    ],
)
def test_other_wrong_loops_are_told(lab, wrong, said):
    def mine(images, labels, run, rng):
        return wrong(lab["book_train"], images, labels, run=run, rng=rng)

    right, found = lab["judged_train"](mine)
    assert not right and said in found


def test_a_right_loop_raises_no_alarm_over_seeds(lab):
    """The attacker's number is how often the canary took part, plus the noise of the steps."""
    run = lab["ATTACKED"]

    def seen(table, rng):
        return rng.normal(0, run.sigma * np.sqrt(run.steps)) + (rng.binomial(run.steps, run.q) if table else 0)

    shown = [
        lab["check"]
        .private(seen, [], [1], lab["WHOLE_RUN"], lab["ATTACK_DELTA"], rng=np.random.default_rng(seed), trials=1000)
        .epsilon
        for seed in range(20)
    ]
    assert max(shown) < lab["WHOLE_RUN"] / 2


@pytest.mark.parametrize(("runs", "columns"), [(2000, 20), (200, 650)])
def test_right_noise_is_within_the_bounds(lab, runs, columns):
    freedom = (runs - 1) * columns
    assert stats.chi2.cdf(freedom * 0.97**2, freedom) + stats.chi2.sf(freedom * 1.03**2, freedom) < 1e-10
    # Each column by itself, next to the median of all columns, which is within 2 per cent of the true deviation.
    slack = 6 / np.sqrt(2 * runs)
    low, high = ((runs - 1) * ((1 + sign * slack) * (1 - sign * 0.02)) ** 2 for sign in (-1, 1))
    assert columns * (stats.chi2.cdf(low, runs - 1) + stats.chi2.sf(high, runs - 1)) < 1e-4
    # The correlation r of independent columns: r √(n - 2) / √(1 - r²) has Student's distribution.
    r = 8 / np.sqrt(runs)
    assert columns**2 * stats.t.sf(r * np.sqrt((runs - 2) / (1 - r**2)), runs - 2) < 1e-6
    # The fourth moment of so many Gaussian numbers has the standard error √(24/n), an eighth of what is allowed.
    assert 8 * np.sqrt(24 / (runs * columns)) < 0.31
    # Numbers beyond 3.5 standard deviations,.
    assert stats.binom(freedom, 2 * stats.norm.sf(3.5)).pmf(0) < 1e-7
    for seed in range(20):
        assert not lab["wrong_noise"](np.random.default_rng(seed).normal(0, 3, (runs, columns)), 2, 1.5)


def test_a_right_tug_of_war_is_within_six_standard_deviations_of_its_bounds(lab):
    found = [lab["tug_of_war"](lab["book_train"], np.random.default_rng(seed)) / lab["DRAW"] for seed in range(6)]
    assert abs(np.mean(found) - 1) + 6 * np.std(found) < 0.25


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


def among_the_attacked(shadow_used, shadow_seen, seen):
    """Attack well, with a threshold that moves a little with the other attacked models."""
    return by_a_loop_over_images(shadow_used, shadow_seen, seen - 0.1 * (seen.mean(axis=0) - shadow_seen.mean(axis=0)))


def by_the_least_confident_user(shadow_used, shadow_seen, seen):
    return seen >= np.where(shadow_used, shadow_seen, np.inf).min(axis=0)


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
        (lambda used, shadow, seen: seen > shadow.mean(), "For example, in image "),
        (lambda used, shadow, seen: np.ones(seen.shape, dtype=bool), "Its advantage is 0.00."),
        (lambda used, shadow, seen: seen > shadow.mean(axis=0), "It must look at shadow_used"),
        (lambda used, shadow, seen: seen > np.median(shadow, axis=0), "It must look at shadow_used"),
        (lambda used, shadow, seen: seen > seen.mean(axis=0), "on made-up tables"),
        (among_the_attacked, "and not with the other rows of seen."),
        (by_the_least_confident_user, "on made-up tables"),
    ],
)
def test_wrong_attacks_are_told(lab, wrong, said):
    right, found = lab["judged_guess"](wrong)
    assert not right and said in found


def test_private_models_stay_below_their_bound(lab):
    for epsilon in range(1, 9):
        for attack in (lab["guess"], lab["one_threshold"], by_likelihoods):
            assert lab["advantage"](attack, epsilon) < lab["book_advantage"](epsilon, lab["DELTA"])
