"""Grouped bars: a group an x, a bar a series, whiskers for the confidence interval."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from warpbench_plots.figures.axes import label_axis, words_for
from warpbench_plots.figures.canvas import Canvas, name_groups, room_for_names
from warpbench_plots.figures.points import FigureData, Point
from warpbench_plots.figures.style import INK, colour, hatch, mark_text
from warpbench_plots.results.records import Scalar

_GROUP = 0.84  # width of a group of bars; the rest is the gap to the next
_LETTER = 0.057  # inches that a letter of a bar's number takes
_LINE = 0.1  # ... and its height
_PANEL = 2.3  # height of a panel's axes
_SIDE = 0.9  # inches of a panel beside its axes
_WIDEST = 7.4  # two such panels stand side by side


@dataclass(frozen=True)
class _Numbers:
    """How the numbers above bars are written, so that none touches another."""

    label: str
    turned: bool
    hidden: bool
    pitch: float  # inches from one bar to the next

    def words(self, value: float) -> str:
        return words_for(self.label, value)

    def height(self, value: float) -> float:
        """The share of the panel that a number takes above its bar."""
        return ((_LETTER * len(self.words(value)) if self.turned else _LINE) + 0.08) / _PANEL


def _numbers(data: FigureData, label: str, width: float, bars: int) -> _Numbers:
    """For panels of a width in inches, the widest of which has so many bars; these are as narrow in all of them."""
    pitch = _GROUP * (width - 0.9) / max(bars, 1)
    longest = max((len(words_for(label, p.y)) for p in data.points if p.y is not None), default=0)
    return _Numbers(label, _LETTER * (longest + 1) > pitch, pitch < _LINE, pitch)


def draw_bars(data: FigureData, label: str, title: str, notes: tuple[str, ...]) -> Figure:
    series = data.series_order or ("",)
    most = max((len(data.x_of(facet)) for facet in data.facet_order), default=0)
    canvas = Canvas(
        data,
        width=max(_width(data), min(13.0, 1.2 + 0.44 * most * (len(series) + 0.6))),
        height=3.5,
    )
    width = canvas.figure.get_figwidth() / canvas.columns
    numbers = _numbers(data, label, width, most * len(series))
    if numbers.hidden:
        notes = (*notes, "bars are too narrow for numbers above them: the figure's JSON has them")
    for facet, axes in canvas.panels.items():
        groups = data.x_of(facet)
        _prepare(axes, data, groups, numbers, width)
        for point in data.of_facet(facet):
            if point.x not in groups:
                mark_text(axes, len(groups) - 0.5, f"{point.failure}: {point.series}", point.gid)
                continue
            offset = (series.index(point.series) + 0.5) / len(series) - 0.5
            _bar(
                axes,
                data,
                point,
                groups.index(point.x) + _GROUP * offset,
                _GROUP / len(series),
                numbers,
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
    for name in data.published_names().values():
        canvas.legend(name, _diamond())
    return canvas.finish(title, notes)


def _width(data: FigureData) -> float:
    """The inches of a panel in which the names of its groups have room, within reason."""
    names = max((room_for_names(data, data.x_of(facet)) for facet in data.facet_order), default=0.0)
    return max(4.2, min(_WIDEST, names + _SIDE))


def _prepare(axes: Axes, data: FigureData, groups: Sequence[Scalar], numbers: _Numbers, width: float) -> None:
    name_groups(axes, data, groups, width - _SIDE)
    values = [v for p in data.points for v in (p.y, p.low, p.high, *(q.value for q in p.published)) if v]
    # Room for the number above the highest bar.
    room = 1 - max((numbers.height(p.y) for p in data.points if p.y is not None), default=0.0)
    if "y" in data.spec.log and values:
        axes.set_yscale("log")
        # Room below the smallest bar, so that it is seen; whole decades would waste the sheet.
        bottom = min(values) / 3
        axes.set_ylim(bottom, bottom * (max(values) * 1.1 / bottom) ** (1 / room))
        label_axis(axes, "y", numbers.label)
    elif values:
        axes.set_ylim(0, max(values) * 1.03 / room)
        label_axis(axes, "y", numbers.label)
    else:
        axes.set_ylim(0, 1)
        axes.set_yticks([])
        axes.set_ylabel(numbers.label)
    if data.spec.kind == "speedup":
        axes.axhline(1, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))


def _bar(axes: Axes, data: FigureData, point: Point, x: float, width: float, numbers: _Numbers) -> None:
    if point.y is None:
        mark_text(axes, x, point.failure, point.gid, min(7.5, 65 * numbers.pitch))
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
    if not numbers.hidden:
        _write(axes, point, x, top, numbers)
    names = data.published_names() if point.published else {}
    for value in point.published:
        diamond = _diamond()
        diamond.set_label(names[value.label])
        diamond.set_data([x], [value.value])
        diamond.set_gid(f"{point.gid}.published")
        axes.add_line(diamond)


def _write(axes: Axes, point: Point, x: float, top: float, numbers: _Numbers) -> None:
    """Writes the number above the bar, and above published ones that it would cover."""
    assert point.y is not None
    base = top
    for value in sorted(q.value for q in point.published):
        above = _height(axes, value) - _height(axes, base)
        if value >= top and above < numbers.height(point.y):
            base = value
    axes.annotate(
        numbers.words(point.y),
        (x, base),
        xytext=(0, 3 if base == top else 6),
        textcoords="offset points",
        ha="center",
        va="bottom",
        rotation=90 if numbers.turned else 0,
        fontsize=6.5,
    )


def _height(axes: Axes, value: float) -> float:
    """Where on the axis the value is: 0 at its foot, 1 at its top."""
    transform = axes.transData + axes.transAxes.inverted()
    return float(transform.transform((0, max(value, axes.get_ylim()[0])))[1])


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
