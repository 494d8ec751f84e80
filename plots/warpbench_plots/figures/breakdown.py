"""Stacked phases: the parts of each trial's time."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from warpbench_plots.fields.field import plain
from warpbench_plots.figures.axes import label_axis, seconds
from warpbench_plots.figures.canvas import Canvas, stand_in_name
from warpbench_plots.figures.points import FigureData, Point
from warpbench_plots.figures.style import FAILED, GRID, INK, colour
from warpbench_plots.figures.text import width_of


def draw_breakdown(data: FigureData, label: str, title: str, notes: tuple[str, ...]) -> Figure:
    phases = list(dict.fromkeys(name for point in data.points for name, _ in point.parts))
    rows = max((len(data.of_facet(facet)) for facet in data.facet_order), default=1)
    # Beside the names, bars have four inches.
    widest = max((width_of(stand_in_name(plain(p.x), data.stand_ins), 9) for p in data.points), default=0.0)
    canvas = Canvas(data, width=max(6.2, widest + 4.0), height=0.9 + 0.34 * rows, side=widest + 0.2)
    colours = {name: GRID if name == "other" else colour(index) for index, name in enumerate(phases)}
    for facet, axes in canvas.panels.items():
        points = data.of_facet(facet)
        axes.grid(True, axis="x")
        axes.grid(False, axis="y")
        names = [stand_in_name(plain(point.x), data.stand_ins) for point in points]
        axes.set_yticks(range(len(points)), names)
        axes.set_ylim(len(points) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        longest = max((_end(point) for point in points), default=0.0) or 1.0
        axes.set_xlim(0, longest * 1.25)
        label_axis(axes, "x", "time (s): median of each phase")
        for row, point in enumerate(points):
            _bar(axes, row, point, colours)
    for name in phases:
        canvas.legend(name, Patch(facecolor=colours[name], edgecolor=INK, linewidth=0.4))
    if any(point.y is not None and _length(point) > 1.05 * point.y for point in data.points):  # medians need not add up
        notes = (*notes, "phases that ran at the same time make a bar longer than the time, which the number gives")
    return canvas.finish(title, notes)


def _bar(axes: Axes, row: int, point: Point, colours: dict[str, str]) -> None:
    if point.y is None:
        axes.text(0, row, point.failure, va="center", fontsize=8, color=FAILED, gid=point.gid)
        return
    left = 0.0
    for name, length in point.parts:
        (part,) = axes.barh(
            row,
            length,
            0.7,
            left=left,
            color=colours[name],
            edgecolor=INK,
            linewidth=0.4,
        )
        part.set_gid(f"{point.gid}.{name}")
        left += length
    if point.low is not None and point.high is not None:
        (line,) = axes.plot(
            [point.low, point.high],
            [row, row],
            color=INK,
            linewidth=1.1,
            marker="|",
            markersize=5,
        )
        line.set_gid(f"{point.gid}.interval")
    place: dict[str, Any] = {
        "xytext": (6, 0),
        "textcoords": "offset points",
        "va": "center",
    }
    axes.annotate(seconds(point.y), (_end(point), row), fontsize=8, gid=point.gid, **place)


def _length(point: Point) -> float:
    """Of the bar: all phases in a row."""
    return sum(length for _, length in point.parts)


def _end(point: Point) -> float:
    """Where the bar and its interval end."""
    return 0.0 if point.y is None else max(_length(point), point.y, point.high or 0.0)
