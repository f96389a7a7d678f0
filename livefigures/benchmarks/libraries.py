"""The three figures as the users of each library would put them on a static page, as `page(name)` and `part(name)`.

`page` is a whole page with the library's scripts inside; `part` is what one more figure adds to such a page.
"""

import json
import subprocess
import tarfile
import tempfile
from functools import cache
from pathlib import Path

import altair as alt
import anywidget
import ipywidgets.embed
import plotly.graph_objects as go
import traitlets
from bokeh.embed import components, file_html
from bokeh.layouts import column
from bokeh.models import ColumnDataSource, CustomJS
from bokeh.models import Slider as BokehSlider
from bokeh.plotting import figure as bokeh_figure
from bokeh.resources import INLINE
from models import IN_JAVASCRIPT, MODELS

import livefigures as lf
from livefigures.page import bundle
from livefigures.page.page import html

PAGE = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>One figure</title>{head}</head>'
    "<body>{body}</body></html>"
)
# The page's part of ipywidgets is in no Python package.
FILES = (("requirejs", "require.js"), ("jupyter-widgets-html-manager", "dist/embed-amd.js"))
FROM_NPM = ("requirejs@2.3.8", "@jupyter-widgets/html-manager@1.0.14")


class Livefigures:
    """The declaration; the page replays it."""

    thumb, track, sliders = "input[type=range]", "input[type=range]", "all"

    @staticmethod
    @cache
    def part(name: str) -> str:
        model = MODELS[name]
        sliders = [lf.slider(s, low, high, at=at, step=step) for s, (low, high, step, at) in model.sliders.items()]
        x = lf.slider(*model.x)
        return html(lf.Figure(name=name, x=x, y=model.y, sliders=sliders, curves=model.curves, alt="Curves."))

    @staticmethod
    def page(name: str) -> str:
        head = f"<style>{bundle.style()}</style>"
        return PAGE.format(head=head, body=f"{Livefigures.part(name)}<script>{bundle.script()}</script>")


class Anywidget:
    """A widget in JavaScript, formula and drawing, in the page that ipywidgets exports."""

    thumb, track, sliders = "input[type=range]", "input[type=range]", "all"

    @staticmethod
    @cache
    def part(name: str) -> str:
        model = MODELS[name]
        script = Path(__file__).with_name("widget.js").read_text("utf-8")
        formula = f"function formula(t, {', '.join(model.sliders)}) {{{IN_JAVASCRIPT[name]}}}"

        class Widget(anywidget.AnyWidget):
            _esm = f"{formula}\n{script}"
            values = traitlets.Dict().tag(sync=True)
            model = traitlets.Dict().tag(sync=True)

        told = {"x": model.x, "y": model.y, "sliders": model.sliders, "curves": list(model.curves)}
        widget = Widget(model=told, values={s: at for s, (*_, at) in model.sliders.items()})
        kept = ipywidgets.embed.dependency_state([widget], drop_defaults=False)  # its script is a default
        data = ipywidgets.embed.embed_data(views=[widget], state=kept)
        state, view = (
            json.dumps(part).replace("</", "<\\/") for part in (data["manager_state"], data["view_specs"][0])
        )
        return (
            f'<script type="application/vnd.jupyter.widget-state+json">{state}</script>'
            f'<script type="application/vnd.jupyter.widget-view+json">{view}</script>'
        )

    @staticmethod
    def page(name: str) -> str:
        module = (Path(anywidget.__file__).parent / "nbextension" / "index.js").read_text("utf-8")
        module = module.replace('define(["@jupyter', 'define("anywidget", ["@jupyter')  # has a name: it is not fetched
        scripts = [script.replace("</script", r"<\/script") for script in (*from_npm(), module)]
        head = "".join(f"<script>{script}</script>" for script in scripts)
        return PAGE.format(head=head, body=Anywidget.part(name))


class Bokeh:
    """Sliders with CustomJS, which has the formula again in JavaScript."""

    thumb, track, sliders = ".noUi-handle", ".noUi-base", "all"

    @staticmethod
    def layout(name: str) -> object:
        model = MODELS[name]
        source = ColumnDataSource({"t": model.grid, **model.at(model.sliders[model.first][3])})
        plot = bokeh_figure(width=700, height=400, x_range=model.x[1:], y_range=model.y[1:])
        for colour, curve in zip(("navy", "firebrick", "olive"), model.curves, strict=False):
            plot.line("t", curve, source=source, color=colour, legend_label=curve)
        sliders = {
            s: BokehSlider(start=low, end=high, step=step, value=at, title=s)
            for s, (low, high, step, at) in model.sliders.items()
        }
        code = f"""
const f = (t, {", ".join(sliders)}) => {{{IN_JAVASCRIPT[name]}}};
const values = [{", ".join(f"{s}.value" for s in sliders)}];
const rows = Array.from(source.data.t, (t) => f(t, ...values));
const data = {{ t: source.data.t }};
for (const name of {json.dumps(list(model.curves))}) data[name] = rows.map((row) => row[name]);
source.data = data;
"""
        for slider in sliders.values():
            slider.js_on_change("value", CustomJS(args={"source": source, **sliders}, code=code))
        return column(plot, *sliders.values())

    @staticmethod
    def part(name: str) -> str:
        return "".join(components(Bokeh.layout(name)))

    @staticmethod
    def page(name: str) -> str:
        return file_html(Bokeh.layout(name), INLINE)


class Altair:
    """Parameters bound to sliders, and Vega's expressions; what these cannot say comes as data, for one slider."""

    thumb, track, sliders = "input[type=range]", "input[type=range]", "all; epidemic: first"

    @staticmethod
    def chart(name: str) -> alt.Chart:
        model = MODELS[name]
        moved = model.first
        low, high, step, at = model.sliders[moved]
        param = alt.param(name=moved, value=at, bind=alt.binding_range(min=low, max=high, step=step, name=moved))
        x = alt.X("t:Q", scale=alt.Scale(domain=model.x[1:]))
        y = alt.Y("value:Q", scale=alt.Scale(domain=model.y[1:]), title=model.y[0])
        if name == "epidemic":
            rows = [
                {"t": float(t), moved: float(stop), **dict(zip(model.curves, map(float, values), strict=True))}
                for stop in model.stops
                for t, *values in zip(model.grid, *model.at(stop).values(), strict=True)
            ]
            chart = alt.Chart(alt.Data(values=rows)).transform_filter(f"abs(datum.{moved} - {moved}) < {step / 2}")
        else:
            chart = alt.Chart(alt.sequence(model.x[1], model.x[2] * 1.0001, (model.x[2] - model.x[1]) / 200, as_="t"))
            chart = chart.transform_calculate(**expressions(name))
        chart = chart.transform_fold(list(model.curves), as_=["curve", "value"]).mark_line(clip=True)
        return chart.encode(x=x, y=y, color="curve:N").add_params(param).properties(width=600, height=350)

    @staticmethod
    def part(name: str) -> str:
        return Altair.chart(name).to_json(indent=None)

    @staticmethod
    def page(name: str) -> str:
        return Altair.chart(name).to_html(inline=True)


class Plotly:
    """A frame for each stop of one slider: two sliders of frames cannot be combined."""

    thumb, track, sliders = ".slider-grip-rect", ".slider-rail-rect", "first"

    @staticmethod
    def figure(name: str) -> go.Figure:
        model = MODELS[name]

        def lines(stop: float) -> list[go.Scatter]:
            return [go.Scatter(x=model.grid, y=y, name=curve, mode="lines") for curve, y in model.at(stop).items()]

        how = {"mode": "immediate", "frame": {"duration": 0, "redraw": False}, "transition": {"duration": 0}}
        stops = [f"{stop:g}" for stop in model.stops]
        steps = [{"label": stop, "method": "animate", "args": [[stop], how]} for stop in stops]
        at = stops.index(f"{model.sliders[model.first][3]:g}")
        frames = [go.Frame(data=[{"y": line.y} for line in lines(float(stop))], name=stop) for stop in stops]
        figure = go.Figure(data=lines(model.sliders[model.first][3]), frames=frames)
        return figure.update_layout(
            width=700,
            height=500,
            xaxis={"range": model.x[1:]},
            yaxis={"range": model.y[1:]},
            sliders=[{"steps": steps, "active": at, "currentvalue": {"prefix": f"{model.first}: "}}],
        )

    @staticmethod
    def part(name: str) -> str:
        return Plotly.figure(name).to_html(include_plotlyjs=False, full_html=False, auto_play=False)

    @staticmethod
    def page(name: str) -> str:
        return Plotly.figure(name).to_html(include_plotlyjs=True, auto_play=False)


LIBRARIES = {
    "livefigures": Livefigures,
    "anywidget": Anywidget,
    "Altair": Altair,
    "Bokeh": Bokeh,
    "Plotly": Plotly,
}


def expressions(name: str) -> dict[str, str]:
    """Return the curves in Vega's expression language."""
    if name == "growth":
        return {"compound": "10 * exp(rate * datum.t)", "simple": "10 * (1 + rate * datum.t)"}
    terms = [f"(n >= {k} ? {4 / (2 * k - 1)} / PI * sin({2 * (2 * k - 1)} * PI * datum.t) : 0)" for k in range(1, 41)]
    return {"sum": " + ".join(terms)}


@cache
def from_npm() -> list[str]:
    """Return the scripts of a page with ipywidgets; npm fetches them, since no Python package has them."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", *FROM_NPM], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return [packed(folder, *file) for file in FILES]


def packed(folder: str, package: str, path: str) -> str:
    """Return a file of a package that npm has fetched."""
    with tarfile.open(next(Path(folder).glob(f"{package}-*.tgz"))) as archive:
        return archive.extractfile(f"package/{path}").read().decode()
