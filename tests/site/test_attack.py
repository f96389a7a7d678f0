"""You are the attacker: the game, played on the pages that have it and with widgets, against dp_lib.audit."""

import gzip
import json
import re

import numpy as np
import pytest
from test_axe import AXE, HELPERS, LEVELS, VIOLATIONS
from waiting import wait_until

from book.attack_game import Game
from book.attack_game import page as on_page
from book.attack_game.notebook import GameView
from dp_lib import audit, live
from livefigures.declare import numbers
from livefigures.declare.parts import FigureError
from livefigures.trace import tracing

PURE, AUDITING = ("chapters/attackers.html", "attack"), ("chapters/auditing.html", "audit")
GAME = "live.page.figures.get(document.querySelector('.live-game').dataset.figure).of('attack_game').game"
SCORE = """() => {
    const cells = [...document.querySelectorAll("[data-score]")];
    return Object.fromEntries(cells.map(({ dataset }) => [dataset.score, dataset.value]));
}"""


def score(page):
    values = page.evaluate(SCORE)
    return {name: float(value) for name, value in values.items()} | {"trials": page.evaluate(f"{GAME}.state.trials")}


def click(page, action):
    page.locator(f".live-guess [data-action={action}]").click()


def assert_bounds_are_safe(page):
    """What is proved is shown rounded down, and what is allowed rounded up."""
    shown = page.evaluate("""() => [...document.querySelectorAll("[data-score]")]
        .map(({ dataset, textContent }) => [dataset.score, dataset.value, textContent])""")
    texts = {name: (float(value), text) for name, value, text in shown}
    proved, limit = texts["proved"], texts["limit"]
    assert proved[1] == numbers.shown(proved[0], down=True) and float(proved[1]) <= proved[0]
    assert limit[1] == numbers.percent(limit[0], up=True) and float(limit[1].removesuffix("\u00a0%")) >= 100 * limit[0]


def agrees(seen, claimed=1.0, delta=0.0):
    """What the page says is what dp_lib says of the same guesses."""
    assert seen["proved"] == pytest.approx(audit.epsilon(seen["right"], seen["trials"], delta), rel=1e-9, abs=1e-12)
    assert seen["limit"] == pytest.approx(audit.hit_rate(claimed, delta), rel=1e-9)
    assert seen["promise"] == claimed


def game(**changes):
    parts = {
        "draws": {"z": "normal"},
        "answer": lambda secret, z, sigma: secret + sigma * z,
        "best": lambda y: np.where(y > 0.5, 1.0, 0.0),
        "limit": lambda: audit.hit_rate(1.0),
        "proved": lambda hits, trials: audit.epsilon(hits, trials),
        "promise": lambda: 1.0,
    }
    figure = live.Figure(
        name="drawn",
        x=live.slider("y", -5, 6, at=0, step=0.01),
        y=("density", 0, 1),
        sliders=[live.sigma(0.2, 5, at=2)],
        curves={"in": lambda y, sigma: np.exp(-0.5 * ((y - 1) / sigma) ** 2) / (2.5066 * sigma)},
        alt="A bell.",
    )
    return Game(figure, **parts | changes)


def judged(side, secret, answer):
    """Return what the game says to a guess about a count: the best attacker takes the nearer of 0 and 1."""
    mine, best = ("right" if guess == secret else "wrong" for guess in (side, int(answer > 0.5)))
    guess, truth = ("smokes" if one else "does not smoke" for one in (side, secret))
    return f"The guess “{guess}” was {mine}. The patient {truth}. The best attacker was {best}."


def test_guesses_by_key_and_by_click_are_counted(open_page):
    page = open_page(PURE[0])
    assert page.locator("#attack [data-action=side-1]").is_hidden()
    click(page, "begin")
    right = 0
    for turn in range(8):
        secret = page.evaluate(f"{GAME}.secret")
        asked = page.locator(".live-asked").inner_text()
        answer = page.evaluate(f"{GAME}.answer")
        assert f"is {answer:.2f}".replace("-0.00", "0.00").replace("-", "−") in asked
        cursor = page.evaluate("document.getElementById('attack').live.values.y")
        assert cursor == pytest.approx(np.clip(answer, -6, 7), abs=0.0051)
        if turn % 2:
            page.keyboard.press("sd"[turn % 4 // 2])
            side = 1 - turn % 4 // 2
        else:
            side = secret
            click(page, f"side-{side}")
        right += side == secret
        seen = score(page)
        assert (seen["right"], seen["trials"]) == (right, turn + 1)
        agrees(seen)
        said = page.locator(".live-said").inner_text()
        assert said.startswith(judged(side, secret, answer))


def test_a_guess_is_announced_once(open_page):
    page = open_page(PURE[0])
    click(page, "begin")
    page.evaluate("""() => {
        globalThis.heard = [];
        const listen = (part) => {
            const told = new MutationObserver(() => heard.push(part.textContent));
            told.observe(part, { childList: true, characterData: true, subtree: true });
        };
        document.querySelectorAll("#attack [role=status], #attack [aria-live]").forEach(listen);
    }""")
    page.keyboard.press("s")
    page.wait_for_timeout(1000)  # a figure speaks when its sliders have rested for 700 ms
    assert len(page.evaluate("heard")) == 1


def test_an_answer_is_drawn_without_the_densities_that_wait_for_the_question(open_page):
    page = open_page(PURE[0])
    click(page, "begin")
    said = page.locator(".live-said")
    assert re.fullmatch(r"The answer is \S+\d\.", said.inner_text())
    page.locator("#attack [data-action=unwait]").click()
    click(page, "side-1")
    assert re.search(r"The next answer is \S+: smokes [\d.e-]+, does not smoke", said.inner_text())


@pytest.mark.parametrize("noise", ["as-claimed", "half-of-it"])
@pytest.mark.parametrize("mechanism", ["laplace-noise", "randomized-response"])
def test_a_thousand_guesses_catch_half_the_noise_and_a_link_restores_it(open_page, mechanism, noise):
    page = open_page(f"{PURE[0]}#attack:mechanism={mechanism},noise={noise},epsilon=1.2")
    click(page, "many")
    seen = score(page)
    assert seen["trials"] == 1000
    agrees(seen, claimed=1.2)
    real = 1.2 if noise == "as-claimed" else 2.4
    rate = 1 - np.exp(-real / 2) / 2 if mechanism == "laplace-noise" else 1 / (1 + np.exp(-real))
    assert abs(seen["right"] / 1000 - rate) < 5 * np.sqrt(rate * (1 - rate) / 1000)
    verdict = page.locator(".live-verdict").text_content()
    assert verdict.startswith("Caught, if it was fixed in advance to guess 1000 times.") == (seen["proved"] > 1.2)
    if noise == "half-of-it":
        assert seen["proved"] > 1.2


def test_counted_guesses_and_what_they_prove(open_page):
    page = open_page(PURE[0])
    page.evaluate(f"{GAME}.count(Float64Array.from({{ length: 40 }}, (_, i) => Number(i !== 2)))")
    assert page.evaluate(f"{GAME}.state") == {"asked": False, "hits": 39, "trials": 40}
    page.evaluate(f"{GAME}.show()")
    assert_bounds_are_safe(page)
    proved = numbers.shown(audit.epsilon(39, 40), down=True)
    assert page.evaluate(f"{GAME}.sum()").startswith(f"39 of 40 right; ε is at least {proved}.")


def test_in_front_of_a_class_the_letters_are_those_of_the_game(open_page):
    page = open_page(f"{PURE[0]}#present=attack", viewport={"width": 1280, "height": 720})
    page.get_by_role("button", name="Draw an answer").click()
    page.evaluate("document.activeElement.blur()")  # a key of the teacher's script comes from nowhere, too
    for letter in "sds":
        page.keyboard.press(letter)
    assert page.evaluate(f"{GAME}.votes") == [1, 2]  # a class votes
    assert page.locator(".live-panelled").count() == 0  # S opens the settings of a figure that has no game


@pytest.mark.parametrize("act", ["restart", "reset", "slider"])
def test_another_setting_a_reset_and_start_again_start_the_count_again(open_page, act):
    page = open_page(f"{PURE[0]}#attack:epsilon=1")  # past the question that hides the button
    click(page, "many")
    if act == "slider":
        page.evaluate("document.getElementById('attack').live.set({ epsilon: 0.5 })")
    else:
        page.locator(f"#attack [data-action={act}]").click()
    wait_until(page, f"{GAME}.state.trials === 0")
    seen = page.evaluate(SCORE)
    assert (seen["right"], seen["proved"]) == ("0", "NaN")


def test_a_thousand_rounds_are_those_of_the_setting_to_which_the_sliders_glide(open_page):
    page = open_page(f"{PURE[0]}#attack:epsilon=0.5;present=attack", viewport={"width": 1280, "height": 720})
    page.keyboard.press("2")
    page.keyboard.press("t")
    wait_until(page, "live.presented.figure.values.epsilon === 1 && !live.presented.figure.motion.gliding")
    wait_until(page, f"{GAME}.state.trials === 1000", seconds=2)
    agrees(score(page))


def test_a_thousand_rounds_wait_for_the_question_that_they_would_answer(open_page):
    page = open_page(PURE[0])
    click(page, "begin")
    page.keyboard.press("t")
    assert page.evaluate(f"{GAME}.state.trials") == 0
    assert page.locator("#attack [data-action=many]").is_hidden()


def test_in_front_of_a_class_the_score_waits_for_the_answer(open_page):
    page = open_page(f"{PURE[0]}#present=attack:step=0", viewport={"width": 1280, "height": 720})
    page.wait_for_selector(".live-presenting .live-title")
    assert page.locator("#attack .live-guess dl").is_hidden()
    page.keyboard.press("a")
    assert page.locator("#attack .live-guess dl").is_visible()


def test_gaussian_noise_is_judged_with_its_delta(open_page):
    page = open_page(f"{AUDITING[0]}#audit:mechanism=gaussian-noise,noise=half-of-it,epsilon=1,delta=0.1")
    click(page, "many")
    agrees(score(page), delta=0.1)


def test_a_class_votes_and_the_majority_guesses(open_page):
    page = open_page(PURE[0], viewport={"width": 1280, "height": 720})
    page.locator("#attack [data-action=present]").click()
    page.keyboard.press("a")
    click(page, "begin")
    assert page.evaluate("document.activeElement.dataset.action") == "reveal"  # no side looks chosen
    for key in "ssd":
        page.keyboard.press(key)
    assert page.locator(".live-votes").all_inner_texts() == ["2", "1"]
    assert score(page)["trials"] == 0
    secret = page.evaluate(f"{GAME}.secret")
    page.keyboard.press("v")
    assert (score(page)["right"], score(page)["trials"]) == (secret, 1)
    result = page.locator(".live-asked")
    assert result.inner_text() == judged(1, secret, page.evaluate(f"{GAME}.answer"))
    page.keyboard.press("v")  # the next answer
    assert result.inner_text().endswith("Which is it?") and score(page)["trials"] == 1
    page.keyboard.press("s")
    page.keyboard.press("d")
    page.keyboard.press("v")
    assert score(page)["trials"] == 1
    assert "tie" in page.locator(".live-said").text_content()
    page.keyboard.press("t")
    assert score(page)["trials"] == 1001
    height = page.locator("#attack [data-action=side-1]").bounding_box()["height"]
    assert height > 45


@pytest.mark.parametrize("keys", ["", "v", "vs", "vsv", "vsvv", "t"])
def test_a_clicker_leads_out_of_the_game_at_any_time(keys, open_page):
    lesson = open_page("chapters/lessons/lesson_1.html")
    steps = lesson.evaluate("globalThis.lessons[1]")
    place = next(i for i, step in enumerate(steps) if ";present=attack:step=0" in step)
    page = open_page(steps[place], viewport={"width": 1280, "height": 720})
    page.wait_for_selector(".lesson-begun .live-presenting .live-title", state="attached")
    for key in f"a{keys}":
        page.keyboard.press(key)
    page.keyboard.press("PageDown")
    following = next(i for i in range(place + 1, len(steps)) if "&optional" not in steps[i])
    page.wait_for_url(f"**lesson=1.{following}*")


def test_the_games_title_says_nothing_of_half_the_noise_before_the_class_has_seen_it(open_page):
    page = open_page("chapters/attackers.html#attack:mechanism=laplace-noise,noise=as-claimed,epsilon=1;present=attack")
    title = page.locator(".live-title").inner_text()
    assert "exp(ε)" in title and "half" not in title and "2ε" not in title


def test_on_a_phone_nothing_sticks_out_and_fingers_find_the_buttons(open_page):
    page = open_page(PURE[0], viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.locator(".live-guess [data-action=begin]").tap()
    boxes = [button.bounding_box() for button in page.locator(".live-guess button:visible").all()]
    assert boxes and all(box["height"] >= 44 and box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(("address", "name"), [PURE, AUDITING])
def test_axe_finds_nothing_in_a_running_game(open_page, address, name):
    page = open_page(f"{address}#{name}:epsilon=1")
    click(page, "many")
    click(page, "begin")
    page.evaluate(AXE)
    page.evaluate(HELPERS)
    assert page.evaluate(VIOLATIONS, [f"#{name}", LEVELS, ["color-contrast"]]) == []


def test_without_scripts_a_recorded_game_stands_there(open_page):
    page = open_page(PURE[0], java_script_enabled=False)
    rows = [row.locator("th, td").all_inner_texts() for row in page.locator(".live-recorded tbody tr").all()]
    last = [row for row in rows if row[0] == "1000"]
    assert len(last) == 2
    proved = [audit.epsilon(int(row[4]), 1000) for row in last]
    assert proved[0] < 1 < proved[1]
    assert [float(row[5]) for row in last] == [pytest.approx(value, abs=1e-3) for value in proved]


def test_recorded_game_rounds_what_is_allowed_up_and_what_is_proved_down():
    text = on_page.recorded(game())
    assert "Promised: ε = 1, in the long run right in 73.2\u00a0% at most." in text  # e/(1+e) = 0.7310586
    shown = re.findall(r'<td data-value="([^"]+)">([^<]+)</td>', text)
    assert len(shown) == len(on_page.ROWS)
    assert all(float(written) <= float(value) for value, written in shown)
    assert any(written != numbers.shown(float(value)) for value, written in shown)  # rounding to the nearest differs


def test_notebook_rounds_what_is_allowed_up_and_what_is_proved_down():
    view = GameView(game(), np.random.default_rng(3))
    view.count(np.arange(10) != 2)
    view.show()
    proved = audit.epsilon(9, 10)
    assert "<td>allowed in the long run</td><td><b>73.2\u00a0%</b></td>" in view.score.value
    assert f"<b>{numbers.shown(proved, down=True)}</b>" in view.score.value
    assert float(numbers.shown(proved, down=True)) <= proved


def test_the_script_is_small_and_on_pages_with_a_game_alone(site):
    assert len(gzip.compress((site / "_static" / "live-game.js").read_text("utf-8").encode(), 9)) <= 3000
    loads = {path.stem: "live-game.js" in path.read_text("utf-8") for path in site.glob("chapters/**/*.html")}
    assert {name for name, there in loads.items() if there} == {"attackers", "auditing"}


def test_the_tape_computes_what_the_functions_do(monkeypatch):
    monkeypatch.setattr(on_page, "packed", list)
    played = game()
    content = on_page.data(played)
    inputs = {"secret": 1.0, "z": np.linspace(-3, 3, 7), "sigma": 2.0, "y": np.linspace(-1, 2, 7)}
    inputs |= {"hits": np.arange(1.0, 8), "trials": 9.0}
    values = tracing.play(content["operations"], inputs)
    for name in played.functions:
        assert values[content["outputs"][name]] == pytest.approx(played.evaluate(name, inputs), rel=1e-12)
    assert "</" not in json.dumps(content["sides"])


def test_a_notebook_says_what_was_guessed_and_what_is_true():
    view = GameView(game(), np.random.default_rng(3))
    for _ in range(10):
        secret, best = view.secret, int(view.answer > 0.5)
        view.guess(1 - secret)
        verdict = "The best attacker was right." if best == secret else "The best attacker was wrong."
        words = ["out", "in"]
        assert view.said == f"The guess “{words[1 - secret]}” was wrong. She is {words[secret]}. {verdict}"


def test_a_notebook_plays_the_same_game():
    view = GameView(game(), np.random.default_rng(3))
    for _ in range(20):
        view.guess(view.secret)
    assert (view.hits, view.trials) == (20, 20) and view.proved(20, 20) == audit.epsilon(20, 20)
    assert "Caught" in view.score.value and numbers.shown(audit.epsilon(20, 20), down=True) in view.score.value
    view.play()
    assert view.trials == 1020
    view.game.figure.values = {"sigma": 3.0}
    assert view.trials == 0  # another mechanism, another count


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer": lambda secret, w: secret + w}, "answer asks for 'w'; it may ask for secret, z, sigma"),
        ({"draws": {"z": "cauchy"}}, "draws must be normal, uniform, laplace, got 'cauchy'"),
        ({"sides": ("out",)}, "sides must be two words"),
    ],
)
def test_a_game_that_cannot_be_played_is_refused(changes, message):
    with pytest.raises(FigureError, match=message):
        game(**changes)
