"""What each function of a lab is worth, and the cell that decides. The cells run at the end of the lab's notebook.

A cell uses the names that the cells of the lab define, and the lab's own checks where these are enough. It fails with
an error whose message says in words what is wrong, and a function gets its points if the cell raises nothing.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """A function that the student writes.

    Attributes
    ----------
    name : the name of the function
    points : what it is worth
    test : code that raises an error unless the function is right
    """

    name: str
    points: int
    test: str


def said(call: str, begins: str) -> str:
    """Return a test of a check that answers in words.

    >>> print(said("judged(mine)", "Right"))
    said = judged(mine)
    assert said.startswith('Right'), said
    """
    return f"said = {call}\nassert said.startswith({begins!r}), said"


def judged(*calls: str) -> str:
    """Return a test of checks that return whether a function is right, and a sentence.

    >>> print(judged("tried(mine)"))
    right, said = tried(mine)
    assert right, said
    """
    return "\n".join(f"right, said = {call}\nassert right, said" for call in calls)


def matches(mine: str, reference: str, ranges: str) -> str:
    """Return a test that compares a function with a correct one.

    >>> print(matches("mine", "book", "sigma=(1, 9)"))
    match = check.matches(mine, book, sigma=(1, 9))
    assert match, match
    """
    return f"match = check.matches({mine}, {reference}, {ranges})\nassert match, match"


_LEAST_SIGMA = f"""\
{matches("least_sigma", "book_sigma", "**any_promise")}
said = judged(least_sigma)
assert "with at most 0.1% more noise" in said, said"""
_MEASURE = f"""\
{said("compared(measure, EQUAL)", "The code spends")}
{said("compared(measure, UNEVEN)", "The code spends")}"""
_SPLIT = """\
said = judged(my_split)
assert said.startswith("The error"), said
assert predicted(my_split(RHO)) <= 1.01 * predicted(REFERENCE), said"""
_ACCOUNTANT = """\
said = judged(accountant)
assert said.startswith("Never below") and "wasteful" not in said, said"""

TASKS = {
    "break_and_defend": (
        Task("has_quit", 3, said("try_differencing(has_quit)", "All ")),
        Task("reconstruct", 3, 'said = try_reconstruction(reconstruct)\nassert said.endswith("is found."), said'),
        Task("defended", 4, judged("tried_defence(defended, 1)", "tried_defence(defended, 0.5)")),
    ),
    "look_private": (
        Task("histogram", 2, judged("attack_histogram(histogram)", "noise_of_histogram(histogram)")),
        Task("winner", 2, judged("attack_winner(winner)", "names_of_winner(winner)")),
        Task("median", 3, judged("attack_median(median)", "typical_number(median)")),
        Task("response", 1, judged("attack_response(response)", "lies_in_reports(response)")),
        Task("estimate", 1, matches("estimate", "book_estimate", "reported_share=(0.0, 1.0), epsilon=(0.1, 8.0)")),
        Task("standard_error", 1, matches("standard_error", "book_error", "n=(10, 100_000), epsilon=(0.1, 8.0)")),
    ),
    "what_delta_buys": (
        Task("true_delta", 2, matches("true_delta", "book_delta", "**EXTREME")),
        Task("least_sigma", 2, _LEAST_SIGMA),
        Task("classic_sigma", 1, matches("classic_sigma", "book_classic", "**any_epsilon")),
        Task("first_false", 2, matches("first_false", "book_first_false", "**any_delta")),
        Task("release_laplace", 1, judged("tried(release_laplace, EPSILON)")),
        Task("release_gaussian", 1, judged("tried(release_gaussian, EPSILON, DELTA)")),
        Task("least_answers", 1, matches("least_answers", "book_answers", "**any_pair")),
    ),
    "accountant": (
        Task("gaussian_curve", 1, matches("gaussian_curve", "rdp.gaussian", "sigma=(0.5, 100.0), **orders")),
        Task("laplace_curve", 1, matches("laplace_curve", "rdp.laplace", "scale=(0.5, 100.0), **orders")),
        Task("total", 1, matches("of_two_rows(total)", "of_two_rows(book_total)", "**two_rows")),
        Task("classic", 1, matches("classic", "rdp.epsilon", "**any_order")),
        Task("tight", 1, matches("tight", "rdp.epsilon_tight", "**any_order")),
        Task("accountant", 2, _ACCOUNTANT),
        Task("rho_of", 1, matches("rho_of_two_rows(rho_of)", "rho_of_two_rows(book_rho)", "**few")),
        Task("epsilon_of", 1, matches("epsilon_of", "zcdp.epsilon", "rho=(1e-6, 10.0), delta=(1e-12, 0.1)")),
        Task("ledger_of_release", 1, said("compared(ledger_of_release())", "The ledger agrees")),
    ),
    "publish_a_table": (
        Task("count", 1, 'assert same("count", count, book_count, (age, school, stopped)), "count is not right"'),
        Task("margin", 1, 'assert margins_right, "margin is not right"'),
        Task("measure", 2, _MEASURE),
        Task("my_split", 1, _SPLIT),
        Task("consistent", 2, said("projected(consistent)", "The tables agree")),
        Task("deviations", 2, said("covered(deviations, chosen)", "In ")),
        Task("promise", 1, said("sentence(promise(), measure_used, chosen)", "The counts contain")),
    ),
    "train_privately": (
        Task("gradients", 2, judged("judged_gradients(gradients)")),
        Task("clip", 1, judged("judged_clip(clip)")),
        Task("noisy_sum", 2, judged("judged_sum(noisy_sum)")),
        Task("train", 3, judged("judged_train(train)")),
        Task(
            "largest_advantage",
            1,
            "match = judged_bound(largest_advantage)\nassert match, match",
        ),
        Task("guess", 1, judged("judged_guess(guess)")),
    ),
    "read_a_claim": (
        Task("census", 2, said('assessed("census", census())', "Complete")),
        Task("total", 2, said("judged_total(total)", "Your conversion")),
        Task("in_common", 2, said("judged_common(in_common)", "Your ε agrees")),
        Task("apple", 1, said('assessed("apple", apple())', "Complete")),
        Task("wikimedia", 1, said('assessed("wikimedia", wikimedia())', "Complete")),
        Task("better", 2, said("sentence(better())", "We protect")),
    ),
}
