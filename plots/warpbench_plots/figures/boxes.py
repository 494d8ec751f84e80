"""Boxes: five numbers of a distribution, from the smallest value to the largest, and the mean."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from warpbench_plots.figures.axes import label_axis
from warpbench_plots.figures.canvas import Canvas, name_groups
from warpbench_plots.figures.points import FigureData, Point
from warpbench_plots.figures.style import INK, colour, mark_text
from warpbench_plots.results.records import Scalar

_GROUP = 0.8  # width of a group of boxes


def draw_boxes(data: FigureData, label: str, title: str, notes: tuple[str, ...]) -> Figure:
    series = data.series_order or ("",)
    most = max((len(data.x_of(facet)) for facet in data.facet_order), default=0)
    canvas = Canvas(
        data,
        width=max(4.2, min(13.0, 1.2 + most * max(2.0, 0.5 * len(series)))),
        height=3.5,
    )
    for facet, axes in canvas.panels.items():
        points, groups = data.of_facet(facet), data.x_of(facet)
        bottom = _prepare(axes, data, groups, label, canvas.figure.get_figwidth() / canvas.columns - 0.9)
        for point in points:
            index = series.index(point.series)
            x = groups.index(point.x) + _GROUP * ((index + 0.5) / len(series) - 0.5) if point.x in groups else 0.0
            _box(axes, point, x, 0.8 * _GROUP / len(series), index, bottom)
    for index, name in enumerate(series):
        canvas.legend(name, Patch(facecolor=colour(index), edgecolor=INK, linewidth=0.4))
    canvas.legend(
        "box: quartiles and median; whiskers: least and most",
        Line2D([], [], color=INK, linewidth=1),
    )
    canvas.legend("mean", _mean(0, 0))
    return canvas.finish(title, notes)


def _prepare(axes: Axes, data: FigureData, groups: Sequence[Scalar], label: str, width: float) -> float:
    """Axes for all points; returns where the value axis begins."""
    name_groups(axes, data, groups, width)
    drawn = [value for p in data.points if p.y is not None for value in (p.y, *(v for _, v in p.parts))]
    if not drawn:
        axes.set_ylim(0, 1)
        axes.set_yticks([])
        axes.set_ylabel(label)
        return 0.0
    bottom = 0.0
    if "y" in data.spec.log:
        bottom = min(value for value in drawn if value > 0) / 2
        axes.set_yscale("log")
    axes.set_ylim(bottom, max(drawn) * (2 if "y" in data.spec.log else 1.1))
    label_axis(axes, "y", label)
    return bottom


def _box(axes: Axes, point: Point, x: float, width: float, index: int, bottom: float) -> None:
    if point.y is None:
        mark_text(axes, x, point.failure, point.gid)
        return
    # On a logarithmic axis zeros are drawn at its foot.
    least, first, median, third, most = (max(value, bottom) for _, value in point.parts)
    for part, low, high in (("below", least, first), ("above", third, most)):
        axes.plot([x, x], [low, high], color=INK, linewidth=1, gid=f"{point.gid}.{part}")
    for part, end in (("least", least), ("most", most)):
        axes.plot([x - width / 4, x + width / 4], [end, end], color=INK, linewidth=1, gid=f"{point.gid}.{part}")
    box = Rectangle(
        (x - width / 2, first),
        width,
        third - first,
        facecolor=colour(index),
        edgecolor=INK,
        linewidth=0.4,
    )
    axes.add_patch(box)
    box.set_gid(f"{point.gid}.box")
    axes.plot([x - width / 2, x + width / 2], [median, median], color=INK, linewidth=1.4, gid=f"{point.gid}.median")
    mean = _mean(x, point.y)
    mean.set_gid(point.gid)
    axes.add_line(mean)


def _mean(x: float, y: float) -> Line2D:
    return Line2D(
        [x],
        [y],
        linestyle="",
        marker="D",
        markersize=5,
        markerfacecolor="white",
        markeredgecolor=INK,
    )
