"""Curves: a line for each trial, through the steps that it recorded."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from warpbench_plots.figures.axes import scale_axes
from warpbench_plots.figures.canvas import Canvas
from warpbench_plots.figures.lines import list_failed, make_room
from warpbench_plots.figures.points import FigureData
from warpbench_plots.figures.style import colour, marker


def draw_curves(data: FigureData, label: str, title: str, notes: tuple[str, ...]) -> Figure:
    del label  # it names the y of other kinds; a curve declares its own
    assert data.spec.curve is not None
    canvas = Canvas(data, width=5.0, height=3.6, numeric=True)
    for facet, axes in canvas.panels.items():
        axes.grid(True, axis="both")
        points = data.of_facet(facet)
        for point in points:
            if not point.steps:
                continue
            index = data.series_order.index(point.series)
            (line,) = axes.plot(
                [x for x, _ in point.steps],
                [y for _, y in point.steps],
                color=colour(index),
                marker=marker(index),
                markersize=3.5,
                linewidth=1.2,
            )
            line.set_gid(point.gid)
            canvas.legend(
                point.series,
                Line2D([], [], color=colour(index), marker=marker(index), markersize=4),
            )
    make_room(canvas, data)
    for facet, axes in canvas.panels.items():
        scale_axes(axes, data.spec.log, data.spec.curve.x_label, data.spec.curve.y_label)
        list_failed(axes, [point for point in data.of_facet(facet) if point.y is None])
    return canvas.finish(title, notes)
