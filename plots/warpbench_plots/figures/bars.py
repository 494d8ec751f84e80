"""Grouped bars: a group an x, a bar a series, whiskers for the confidence interval."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from warpbench_plots.figures.canvas import Canvas, name_groups, number, plain_numbers
from warpbench_plots.figures.points import FigureData, Point
from warpbench_plots.figures.style import INK, colour, hatch, mark_text
from warpbench_plots.results.records import Scalar

_GROUP = 0.84  # width of a group of bars; the rest is the gap to the next


def draw_bars(data: FigureData, label: str, title: str, notes: tuple[str, ...]) -> Figure:
    series = data.series_order or ("",)
    most = max((len(data.x_of(facet)) for facet in data.facet_order), default=0)
    canvas = Canvas(
        data,
        width=max(4.2, min(13.0, 1.2 + 0.44 * most * (len(series) + 0.6))),
        height=3.5,
    )
    for facet, axes in canvas.panels.items():
        groups = data.x_of(facet)
        _prepare(axes, data, groups, label, canvas.figure.get_figwidth() / canvas.columns)
        for point in data.of_facet(facet):
            if point.x not in groups:
                mark_text(axes, len(groups) - 0.5, f"{point.series} {point.mark}", point.gid)
                continue
            offset = (series.index(point.series) + 0.5) / len(series) - 0.5
            _bar(
                axes,
                data,
                point,
                groups.index(point.x) + _GROUP * offset,
                _GROUP / len(series),
            )
    for index, name in enumerate(series):
        canvas.legend(
            name,
            Patch(
                facecolor=colour(index),
                hatch=hatch(index),
                edgecolor=INK,
                linewidth=0.4,
            ),
        )
    for name in dict.fromkeys(value.label for point in data.points for value in point.published):
        canvas.legend(f"published: {name}", _diamond())
    return canvas.finish(title, notes)


def _prepare(axes: Axes, data: FigureData, groups: Sequence[Scalar], label: str, width: float) -> None:
    name_groups(axes, data, groups, width)
    axes.set_ylabel(label)
    values = [v for p in data.points for v in (p.y, p.low, p.high, *(q.value for q in p.published)) if v]
    if "y" in data.spec.log and values:
        axes.set_yscale("log")
        # Room below the smallest bar, so that it is seen; whole decades would waste the sheet.
        axes.set_ylim(min(values) / 3, max(values) * 2.5)
        plain_numbers(axes, "y")
    elif values:
        axes.set_ylim(0, max(values) * 1.15)
    else:
        axes.set_ylim(0, 1)
        axes.set_yticks([])
    if data.spec.kind == "speedup":
        axes.axhline(1, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))


def _bar(axes: Axes, data: FigureData, point: Point, x: float, width: float) -> None:
    if point.y is None:
        mark_text(axes, x, point.mark or "", point.gid)
        return
    index = data.series_order.index(point.series) if point.series in data.series_order else 0
    (bar,) = axes.bar(
        x,
        point.y,
        width * 0.94,
        color=colour(index),
        hatch=hatch(index),
        edgecolor=INK,
        linewidth=0.4,
    )
    bar.set_gid(point.gid)
    top = point.y
    if point.low is not None and point.high is not None:
        (line,) = axes.plot(
            [x, x],
            [point.low, point.high],
            color=INK,
            linewidth=1.1,
            marker="_",
            markersize=4,
        )
        line.set_gid(f"{point.gid}.interval")
        top = point.high
    axes.annotate(
        number(point.y),
        (x, top),
        xytext=(0, 3),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize=6.5,
    )
    for value in point.published:
        diamond = _diamond()
        diamond.set_data([x], [value.value])
        diamond.set_gid(f"{point.gid}.published")
        axes.add_line(diamond)


def _diamond() -> Line2D:
    return Line2D(
        [],
        [],
        linestyle="",
        marker="D",
        markersize=5,
        markerfacecolor="none",
        markeredgecolor=INK,
    )
