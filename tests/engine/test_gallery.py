"""The gallery's models: each figure's functions against a computation of its own."""

import inspect
import itertools
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, signal, stats

import livefigures as lf
from livefigures.page import bundle

GALLERY = Path(__file__).parents[2] / "livefigures" / "gallery"
MODELS = sorted(GALLERY.glob("models/*.md"))
CELLS = re.compile(r"```\{code-cell\}[^\n]*\n(.*?)```", re.DOTALL)


@cache
def figures(model):
    """The figures that the cells of a model's page declare, by name."""
    before = dict(lf.figures)
    names = {}
    for cell in CELLS.findall((GALLERY / "models" / f"{model}.md").read_text("utf-8")):
        exec(cell, names)
    return {name: figure for name, figure in lf.figures.items() if before.get(name) is not figure}


def curve(figure, name, **values):
    """A curve along its axis, with the sliders at these values and the others at their defaults."""
    return figure.scene(figure.defaults | values)[f"curves/{name}/y"]


def mark(figure, name, coordinate="y", **values):
    """The coordinate of a point or a line."""
    return float(figure.scene(figure.defaults | values)[f"marks/{name}/{coordinate}"])


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_model_has_caption_description_and_names_on_its_axes(path):
    shown = figures(path.stem)
    assert shown
    for figure in shown.values():
        assert len(figure.caption) > 20 and len(figure.alt) > 40
        assert figure.x.words and figure.axis.label
        assert all(slider.words for slider in figure.sliders)


# -- an epidemic


def sir(t, r0, days, vaccinated):
    """The shares at these times, by SciPy's solver."""

    def change(_, state):
        s, i, _ = state
        return [-r0 / days * s * i, (r0 * s - 1) / days * i, i / days]

    start = [0.999 * (1 - vaccinated), 0.001, 0.999 * vaccinated]
    return integrate.solve_ivp(change, (0, t[-1]), start, t_eval=t, rtol=1e-9, atol=1e-12).y


@pytest.mark.parametrize(
    ("values", "error"),
    [({}, 0.0002), ({"r0": 0.8}, 1e-6), ({"r0": 1.5, "vaccinated": 0.2}, 1e-5), ({"r0": 5, "days": 4}, 0.0005)],
)
def test_epidemic_is_near_an_accurate_solution(values, error):
    figure = figures("epidemic")["epidemic"]
    exact = sir(figure.x.grid, **{"r0": 3, "days": 7, "vaccinated": 0} | values)
    for name, expected in zip(("susceptible", "infected", "recovered"), exact, strict=True):
        assert np.max(abs(curve(figure, name, **values) - expected)) < error
    assert mark(figure, "1/R₀", r0=4) == 0.25


@pytest.mark.parametrize("values", [{}, {"r0": 3.7, "days": 2.2, "beds": 200}, {"r0": 6, "days": 1.5, "beds": 50}])
def test_boarding_school_reads_what_an_accurate_solution_has(values):
    figure = figures("epidemic")["boarding-school"]
    r0, days, beds = ({"r0": 2.5, "days": 2.5, "beds": 150} | values).values()

    def change(_, state):
        s, i = state
        return [-r0 / days * s * i / 763, r0 / days * s * i / 763 - i / days]

    fine = np.linspace(0, 14, 14001)
    exact = integrate.solve_ivp(change, (0, 14), [760, 3], t_eval=fine, rtol=1e-9, atol=1e-9).y[1]
    near = pytest.approx(np.interp(figure.x.grid, fine, exact), abs=0.015 * exact.max())
    assert curve(figure, "model", **values) == near
    assert mark(figure, "peak", **values) == pytest.approx(exact.max(), rel=0.005)
    assert mark(figure, "days above", **values) == pytest.approx(np.mean(exact > beds) * 14, abs=0.15)
    assert mark(figure, "first day", **values) == pytest.approx(fine[np.argmax(exact > beds)], abs=0.1 + 1e-9)


def test_boarding_school_has_no_first_day_where_the_beds_suffice():
    figure = figures("epidemic")["boarding-school"]
    assert np.isnan(mark(figure, "first day", beds=400))
    assert mark(figure, "days above", beds=400) == 0


# -- Fourier sums


def test_square_wave_has_the_coefficients_of_the_integral():
    figure = figures("fourier")["square-wave"]
    for n in (1, 2, 7):
        t = figure.x.grid
        terms = [2 * integrate.quad(lambda s, k=k: 2 * np.sin(2 * np.pi * k * s), 0, 0.5)[0] for k in range(2 * n)]
        expected = sum(c * np.sin(2 * np.pi * k * t) for k, c in enumerate(terms))
        np.testing.assert_allclose(curve(figure, "sum of sines", n=n), expected, atol=1e-8)
        near = figure.functions["curves/sum of sines/y"](np.linspace(0, 0.5, 20001), n)
        assert mark(figure, "highest value", n=n) == pytest.approx(near.max(), abs=2e-6)


# -- supply and demand


@pytest.mark.parametrize("values", [{}, {"tax": 0}, {"tax": 6, "d": 3, "s": 0.2}, {"tax": 1.5, "d": 0.5, "s": 3}])
def test_market_clears_at_the_solution_of_the_linear_equations(values):
    figure = figures("market")["market"]
    tax, d, s = ({"tax": 2, "d": 1, "s": 0.8} | values).values()
    price, quantity = np.linalg.solve([[1, d], [1, -s]], [10, 1 + tax])
    assert mark(figure, "buyers pay", "x", **values) == pytest.approx(quantity)
    assert mark(figure, "buyers pay", **values) == pytest.approx(price)
    assert mark(figure, "bakers receive", **values) == pytest.approx(price - tax)
    assert mark(figure, "without tax", tax=tax, d=d, s=s) == pytest.approx(
        np.linalg.solve([[1, d], [1, -s]], [10, 1])[0]
    )


def test_market_band_is_the_revenue_of_the_tax():
    figure = figures("market")["market"]
    drawn = figure.scene(figure.defaults)
    height = drawn["marks/tax revenue/high"] - drawn["marks/tax revenue/low"]
    width = mark(figure, "buyers pay", "x")
    np.testing.assert_allclose(height[figure.x.grid <= width], 2)
    assert np.isnan(height[figure.x.grid > width]).all()


# -- options


def price(kind, spot, sigma, years, r):
    """The expected payoff under the risk-neutral distribution, by integration, discounted."""
    mean, sd = np.log(spot) + (r - sigma**2 / 2) * years, sigma * np.sqrt(years)

    def weighted(log_price):
        payoff = max(kind * (np.exp(log_price) - 100), 0)
        return payoff * stats.norm.pdf(log_price, mean, sd)

    ends = sorted([mean - 12 * sd, np.clip(np.log(100), mean - 12 * sd, mean + 12 * sd), mean + 12 * sd])
    parts = [integrate.quad(weighted, *pair, epsabs=1e-12, limit=200)[0] for pair in itertools.pairwise(ends)]
    return np.exp(-r * years) * sum(parts)


MARKETS = [(100, 0.2, 1, 0.03), (80, 0.4, 0.5, 0.1), (130, 0.1, 2, 0), (95, 0.6, 0.05, 0.05)]


@pytest.mark.parametrize(("spot", "sigma", "years", "r"), MARKETS)
def test_option_prices_are_expected_payoffs(spot, sigma, years, r):
    shown = figures("options")["option-prices"].readings({"S": spot, "sigma": sigma, "T": years, "r": r})
    assert shown["curves/call/y"] == pytest.approx(price(1, spot, sigma, years, r), abs=1e-8)
    assert shown["curves/put/y"] == pytest.approx(price(-1, spot, sigma, years, r), abs=1e-8)


@pytest.mark.parametrize(("spot", "sigma", "years", "r"), MARKETS)
def test_greeks_are_derivatives_of_the_price(spot, sigma, years, r):
    shown = figures("options")["greeks"].readings({"S": spot, "sigma": sigma, "T": years, "r": r})
    value = figures("options")["option-prices"].functions["curves/call/y"]
    h = 1e-3
    up, middle, down = (value(spot + d, sigma, years, r) for d in (h, 0, -h))
    assert shown["curves/delta/y"] == pytest.approx((up - down) / (2 * h), abs=1e-6)
    assert shown["curves/10 gamma/y"] == pytest.approx(10 * (up - 2 * middle + down) / h**2, abs=1e-5)
    rise = (value(spot, sigma + 1e-5, years, r) - value(spot, sigma - 1e-5, years, r)) / 2e-5
    assert shown["curves/vega/y"] == pytest.approx(rise / 100, abs=1e-6)


# -- the logistic map


def test_logistic_map_is_the_recurrence():
    figure = figures("logistic_map")["logistic-map"]
    for name, start in (("population", 0.3), ("a millionth more", 0.3 + 1e-6)):
        expected = [start]
        while len(expected) < 61:
            expected.append(3.9 * expected[-1] * (1 - expected[-1]))
        np.testing.assert_array_equal(curve(figure, name), expected)


def test_cobweb_goes_from_the_diagonal_to_the_rule_and_across():
    scene = figures("logistic_map")["cobweb"].scene({"r": 3.7, "start": 0.2, "x_axis": 0})
    x, y = (scene[f"marks/orbit/{coordinate}"] for coordinate in "xy")
    terms = list(itertools.accumulate(range(40), lambda x, _: 3.7 * x * (1 - x), initial=0.2))
    assert x[::2] == pytest.approx(terms[:40]) and y[::2] == pytest.approx(terms[:40])
    assert x[1::2] == pytest.approx(terms[:40]) and y[1::2] == pytest.approx(terms[1:41])


def test_bifurcation_dots_settle_on_the_known_cycles():
    figure = figures("logistic_map")["bifurcation"]
    drawn = figure.scene(figure.defaults | {"years": 200})
    r, x = drawn["marks/populations/x"], drawn["marks/populations/y"]
    one = r < 2.95
    np.testing.assert_allclose(x[one], 1 - 1 / r[one], atol=1e-4)
    two = (r > 3.1) & (r < 3.4)
    root = np.sqrt((r[two] - 3) * (r[two] + 1))
    high, low = (r[two] + 1 + root) / (2 * r[two]), (r[two] + 1 - root) / (2 * r[two])
    assert np.all(np.minimum(abs(x[two] - high), abs(x[two] - low)) < 1e-4)


# -- the central limit theorem


@pytest.mark.parametrize("n", range(1, 7))
def test_density_of_the_mean_is_the_convolution(n):
    figure = figures("central_limit")["central-limit"]
    step = 1 / 2000
    box = np.ones(2000)
    sums = box
    for _ in range(n - 1):
        sums = np.convolve(sums, box) * step
    s = (np.arange(len(sums)) + n / 2) * step  # the middle of n cells
    z = (s - n / 2) / np.sqrt(n / 12)
    shown = figure.functions["curves/exact density/y"](z, n)
    np.testing.assert_allclose(shown, sums * np.sqrt(n / 12), atol=1e-3)
    assert integrate.trapezoid(curve(figure, "exact density", n=n), figure.x.grid) == pytest.approx(1, abs=0.03)


def test_normal_curve_and_cloud_of_means():
    figure = figures("central_limit")["central-limit"]
    np.testing.assert_allclose(curve(figure, "normal"), stats.norm.pdf(figure.x.grid), rtol=1e-12)
    u = np.array([figure.draws[f"u{k}"] for k in range(1, 7)])
    for n in (1, 3, 6):
        shown = figure.scene(figure.defaults | {"n": n})
        np.testing.assert_allclose(shown["marks/means/x"], (u[:n].mean(0) - 0.5) * np.sqrt(12 * n), atol=1e-12)


# -- a Beta posterior


@pytest.mark.parametrize(
    ("successes", "failures", "a", "b"), [(7, 3, 2, 2), (0, 0, 1, 1), (100, 90, 20, 3), (0, 40, 1, 5)]
)
def test_beta_posterior_and_its_interval_are_scipys(successes, failures, a, b):
    figure = figures("beta_posterior")["beta-posterior"]
    at = {"successes": successes, "failures": failures, "a": a, "b": b}
    posterior = stats.beta(a + successes, b + failures)
    np.testing.assert_allclose(curve(figure, "posterior", **at), posterior.pdf(figure.x.grid), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(curve(figure, "prior", **at), stats.beta(a, b).pdf(figure.x.grid), rtol=1e-9, atol=1e-12)
    assert mark(figure, "lower end", "x", **at) == pytest.approx(posterior.ppf(0.025), rel=1e-9)
    assert mark(figure, "upper end", "x", **at) == pytest.approx(posterior.ppf(0.975), rel=1e-9)
    assert mark(figure, "posterior mean", "x", **at) == pytest.approx(posterior.mean())


def test_beta_interval_holds_95_percent():
    figure = figures("beta_posterior")["beta-posterior"]
    p = np.linspace(0, 1, 20001)
    inside = figure.functions["marks/95 % interval/high"](p, 2, 2, 7, 3)
    assert integrate.trapezoid(np.nan_to_num(inside), p) == pytest.approx(0.95, abs=1e-3)


# -- an oscillator


@pytest.mark.parametrize("zeta", [0.02, 0.1, 0.98, 1, 1.02, 2])
def test_oscillator_solves_its_equation(zeta):
    figure = figures("oscillator")["oscillator"]
    omega = 2 * np.pi
    solved = integrate.solve_ivp(
        lambda _, state: [state[1], -2 * zeta * omega * state[1] - omega**2 * state[0]],
        (0, 6),
        [1, 0],
        t_eval=figure.x.grid,
        rtol=1e-10,
        atol=1e-12,
    )
    np.testing.assert_allclose(curve(figure, "position", zeta=zeta), solved.y[0], atol=1e-7)
    envelope = curve(figure, "upper envelope", zeta=zeta)
    assert np.isnan(envelope).all() if zeta >= 1 else np.all(abs(solved.y[0]) <= envelope + 1e-7)


@pytest.mark.parametrize("zeta", [0.02, 0.1, 0.98, 1, 1.02, 2])
def test_phase_portrait_has_the_slope_of_the_position_as_its_speed(zeta):
    figure, t = figures("oscillator")["phase"], np.linspace(0, 3, 201)
    scene, step = figure.scene(figure.defaults | {"zeta": zeta, "t": 0.5}), 1e-6
    position = figure.marks["now"].x
    with np.errstate(all="ignore"):  # of the cases that are not chosen
        places, after, before = (position(t + shift, zeta) for shift in (0, step, -step))
    np.testing.assert_allclose(scene["marks/three seconds/x"], places, atol=1e-12)
    slope = (after - before) / (2 * step)
    np.testing.assert_allclose(scene["marks/three seconds/y"], slope, atol=1e-6)
    assert scene["marks/now/y"] == pytest.approx(np.interp(0.5, t, scene["marks/three seconds/y"]), abs=0.02)


@pytest.mark.parametrize("zeta", [0.02, 1, 2])
def test_arrow_of_the_phase_portrait_points_where_the_weight_goes(zeta):
    scene = figures("oscillator")["phase"].scene({"zeta": zeta, "t": 0, "x_axis": 0})
    tail, tip = (np.column_stack([scene[f"marks/where it goes/{c}"][i::6] for c in "xy"]) for i in (0, 1))
    (x, v), way = (tail + tip).T / 2, tip - tail
    np.testing.assert_allclose(way[:, 1] / way[:, 0], -((2 * np.pi) ** 2 * x + 4 * np.pi * zeta * v) / v, rtol=1e-9)
    assert (way[:, 0] * v > 0).all()


@pytest.mark.parametrize("zeta", [0.05, 0.1, 0.5, 0.7])
def test_resonance_is_the_response_of_the_linear_system(zeta):
    figure = figures("oscillator")["resonance"]
    ratios = figure.x.grid[1:]
    response = signal.freqs([1], [1, 2 * zeta, 1], ratios)[1]
    np.testing.assert_allclose(curve(figure, "amplitude", zeta=zeta)[1:], abs(response), rtol=1e-10)
    fine = np.linspace(0.01, 2, 200001)
    best = fine[np.argmax(abs(signal.freqs([1], [1, 2 * zeta, 1], fine)[1]))]
    assert mark(figure, "peak", "x", zeta=zeta) == pytest.approx(best, abs=2e-5)


def test_resonance_has_no_peak_beyond_its_last_damping():
    assert np.isnan(mark(figures("oscillator")["resonance"], "peak", zeta=0.71))


@pytest.mark.parametrize("zeta", [0.05, 0.1, 0.5, 1])
def test_lag_is_the_phase_of_the_linear_system(zeta):
    figure = figures("oscillator")["lag"]
    ratios = figure.x.grid[1:]
    phase = np.angle(signal.freqs([1], [1, 2 * zeta, 1], ratios)[1], deg=True)
    np.testing.assert_allclose(curve(figure, "lag", zeta=zeta)[1:], -phase, rtol=1e-10)


# -- a PID controller


def cart(t, kp, ki, kd, wind):
    """The position at these times, by SciPy's solver."""

    def change(_, state):
        place, speed, total = state
        return [speed, kp * (1 - place) + ki * total - kd * speed - wind - speed, 1 - place]

    return integrate.solve_ivp(change, (0, t[-1]), [0, 0, 0], t_eval=t, rtol=1e-9, atol=1e-11).y[0]


@pytest.mark.parametrize(
    ("values", "error"),
    [({}, 0.01), ({"ki": 0}, 0.02), ({"kp": 4, "kd": 3}, 0.03), ({"wind": 0, "ki": 0, "kd": 0}, 0.03)],
)
def test_pid_is_near_an_accurate_solution(values, error):
    figure = figures("pid")["pid"]
    exact = cart(figure.x.grid, **{"kp": 2, "ki": 0.5, "kd": 0.5, "wind": 0.5} | values)
    assert np.max(abs(curve(figure, "position", **values) - exact)) < error


# -- least squares


@pytest.mark.parametrize(("place", "height"), [(9.5, 1), (0, 0), (0, 10), (5, 10), (3.3, 7)])
def test_least_squares_is_numpys_fit(place, height):
    shown = figures("least_squares")
    drawn = shown["outlier"].scene(shown["outlier"].defaults | {"place": place, "height": height})
    x, y = (drawn[f"marks/measured/{c}"] for c in "xy")
    slope, intercept = np.polyfit([*x, place], [*y, height], 1)
    line = intercept + slope * drawn["marks/fit to all points/x"]
    np.testing.assert_allclose(drawn["marks/fit to all points/y"], line, atol=1e-10)
    np.testing.assert_allclose(
        drawn["curves/without the outlier/y"], np.polyval(np.polyfit(x, y, 1), shown["outlier"].x.grid)
    )
    readings = shown["slope"].readings({"place": place, "height": height})
    assert readings["curves/with the outlier/y"] == pytest.approx(slope)
    assert readings["curves/without the outlier/y"] == pytest.approx(np.polyfit(x, y, 1)[0])


def test_market_triangle_is_the_deadweight_loss():
    figure = figures("market")["market"]
    q = np.linspace(0, 10, 100001)
    low = figure.functions["marks/deadweight loss/low"](q=q, tax=2, d=1, s=0.8)
    high = figure.functions["marks/deadweight loss/high"](q=q, d=1, s=0.8)
    assert integrate.trapezoid(np.nan_to_num(high - low), q) == pytest.approx(2 * (2 / 1.8) / 2, abs=1e-3)


# -- documentation


def listed(page, heading):
    """The names in backticks in the first column and in the text of a section of a page of the documentation."""
    text = (GALLERY / "docs" / f"{page}.md").read_text("utf-8")
    section = re.split(r"^## ", text, flags=re.MULTILINE)
    return set(re.findall(r"`(\w+)", next(part for part in section if part.startswith(heading))))


@pytest.mark.parametrize(
    ("parts", "heading"),
    [
        ([lf.Figure], "The figure"),
        ([lf.Curve, lf.Band, lf.Point, lf.Line, lf.Points, lf.Bars], "Curves"),
        ([lf.Path, lf.Arrows, lf.Ensemble, lf.Cloud, lf.Reading], "Curves"),
        ([lf.Slider], "Sliders"),
    ],
)
def test_documentation_lists_every_option(parts, heading):
    options = {name for part in parts for name in inspect.signature(part).parameters}
    assert options - listed("parts_and_options", heading) == set()


def test_documentation_lists_the_keys_of_present_mode():
    script = (bundle.HERE / "features" / "lecture.js").read_text("utf-8")
    known = re.findall(r'\["([^"]+)", "', script[script.index("const KEYS") : script.index("];")])
    text = (GALLERY / "docs" / "parts_and_options.md").read_text("utf-8").partition("- *Present*")[2]
    rows = " ".join(re.findall(r"^  \| (.*?) \|", text, re.MULTILINE))
    keys = {key for row in known for key in re.findall(r"[^\s,…]+", row)}
    spelled = {"PgDn": "Page Down", "PgUp": "Page Up"}
    assert len(keys) > 15 and [key for key in keys if spelled.get(key, key) not in rows + " Shift"] == []


def test_example_of_what_can_be_traced_can_be_traced():
    [code, oscillator, changing, rate, _] = re.findall(  # the last is tried in test_remedies.py
        r"```python\n(.*?)```", (GALLERY / "docs" / "what_can_be_traced.md").read_text("utf-8"), re.DOTALL
    )
    names = {"np": np, "now": np.array([0, 3, 7]), "step": 1, "day": 3.5, "cut": 0.4}
    exec(code + rate, names)
    assert names["rate"] == pytest.approx([1, 0.8, 0.6])
    exec(changing, epidemic := {"lf": lf, "np": np})
    t = np.linspace(0, 40, 201)

    def slope(t, y):
        infected = 3 * (1 - 0.7 * (t > 2.3)) * y[0] * y[1]
        return -infected, infected - y[1]

    expected = integrate.solve_ivp(slope, (0, 40), (0.999, 0.001), t_eval=t, max_step=0.01).y[1]
    assert epidemic["infectious"](t, 3.0, 0.7, 2.3) == pytest.approx(expected, abs=0.01 * expected.max())
    swinging = {"lf": lf, "damping": 0.0, "t": np.pi}
    exec(oscillator, swinging)
    assert (swinging["position"], swinging["speed"]) == pytest.approx((-1, 0), abs=1e-5)
    figure = lf.Figure(
        name="waiting",
        x=lf.slider("arrivals", 0, 2, at=0.5),
        y=("minutes", 0, 10),
        sliders=[lf.slider("served", 0.5, 2, at=1)],
        curves={"waiting": names["waiting"]},
    )
    assert figure.readings({"arrivals": 0.5, "served": 1})["curves/waiting/y"] == 2
    np.testing.assert_array_equal(np.isnan(curve(figure, "waiting")), figure.x.grid >= 1)


@pytest.mark.parametrize("last", [0.3, 1, 4])
def test_weighted_fit_is_numpys(last):
    shown, x = figures("least_squares")["weights"], np.arange(1, 10)
    y, errors = [1.8, 2.1, 3.2, 3.0, 4.1, 4.2, 5.3, 5.2, 3.0], np.array([0.3] * 8 + [last])
    slope, intercept = np.polyfit(x, y, 1, w=1 / errors)
    np.testing.assert_allclose(curve(shown, "weighted fit", last=last), intercept + slope * shown.x.grid)
    assert shown.scene(shown.defaults | {"last": last})["marks/measured/yerr"].tolist() == errors.tolist()
