"""Lines over a parameter or a metric, and scatter plots with the frontier of each series."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from warpbench_plots.fields.field import plain
from warpbench_plots.fields.frontier import frontier
from warpbench_plots.figures.axes import are_powers_of_two, label_axis, make_logarithmic, scale_axes, tick_values
from warpbench_plots.figures.canvas import Canvas
from warpbench_plots.figures.points import ZERO, FigureData, Point
from warpbench_plots.figures.style import FAILED, INK, colour, marker

_BEATEN = "hollow points are dominated: another point of the same colour is at least as good in x and in y"
_MARK_LINES = 8  # marks listed in a panel; the sidecar and the report hold all


def draw_lines(data: FigureData, label: str, title: str, notes: tuple[str, ...]) -> Figure:
    return _draw(data, label, title, notes, frontier_only=False)


def draw_pareto(data: FigureData, label: str, title: str, notes: tuple[str, ...]) -> Figure:
    return _draw(data, label, title, notes, frontier_only=True)


def _draw(
    data: FigureData,
    label: str,
    title: str,
    notes: tuple[str, ...],
    frontier_only: bool,
) -> Figure:
    data = _with_scale(data)
    canvas = Canvas(data, width=5.0, height=3.6, numeric=True)
    is_any_beaten = False
    published = data.published_names()
    for facet, axes in canvas.panels.items():
        axes.grid(True, axis="both")
        points = data.of_facet(facet)
        for index, name in enumerate(data.series_order):
            drawn = [p for p in points if p.series == name and p.y is not None]
            side = canvas.right[facet] if any(p.on_right for p in drawn) else axes
            for point in drawn:
                if point.x is None:
                    _level(side, point, index)
                    _published(side, point, index, published)
            own = [p for p in drawn if p.x is not None]
            linked = sorted(own, key=lambda p: p.x_number or 0)
            if frontier_only:
                linked = frontier(own, lambda p: (_x(p), _y(p)), data.spec.better)
            side.plot(
                [_x(p) for p in linked],
                [_y(p) for p in linked],
                color=colour(index),
                linewidth=1.5,
                zorder=2,
                label=name,
            )
            for point in own:
                _mark(side, point, index, published, strong=point in linked)
            is_any_beaten |= len(linked) < len(own)
            canvas.legend(
                name,
                Line2D([], [], color=colour(index), marker=marker(index), markersize=5),
            )
    make_room(canvas, data)
    for facet, axes in canvas.panels.items():
        points = data.of_facet(facet)
        _scales(axes, data, points, label)
        if facet in canvas.right:
            label_axis(canvas.right[facet], "y", data.spec.right_label)
        list_failed(axes, [p for p in points if p.y is None])
    for name in published.values():
        handle = Line2D(
            [],
            [],
            linestyle="",
            marker="D",
            markerfacecolor="none",
            markeredgecolor=INK,
        )
        canvas.legend(name, handle)
    return canvas.finish(title, (*notes, _BEATEN) if is_any_beaten else notes)


def _with_scale(data: FigureData) -> FigureData:
    """Values of x that are powers of two, at least three, stand on a logarithmic axis unless the spec says `none`; an
    axis with zeros is linear, so that they are seen."""
    values = [float(x) for x in data.x_order if isinstance(x, int | float) and not isinstance(x, bool)]
    if any(value <= 0 for value in values):
        return replace(data, spec=replace(data.spec, log=data.spec.log - {"x"}))
    told = data.spec.raw.get("log", ())
    if data.spec.kind == "pareto" or len(values) < 3 or not are_powers_of_two(values) or "none" in told:
        return data
    return replace(data, spec=replace(data.spec, log=data.spec.log | {"x"}))


def _x(point: Point) -> float:
    assert point.x_number is not None
    return point.x_number


def _y(point: Point) -> float:
    assert point.y is not None
    return point.y


def _mark(axes: Axes, point: Point, index: int, published: Mapping[str, str], strong: bool) -> None:
    x = _x(point)
    if point.low is not None and point.high is not None:
        (whisker,) = axes.plot(
            [x, x],
            [point.low, point.high],
            color=colour(index),
            linewidth=1,
            marker="_",
            zorder=2,
        )
        whisker.set_gid(f"{point.gid}.interval")
    (dot,) = axes.plot(
        [x],
        [_y(point)],
        linestyle="",
        marker=marker(index),
        markersize=5.5,
        color=colour(index),
        # Beaten points stay in sight, hollow.
        markerfacecolor=colour(index) if strong else "none",
        zorder=3,
    )
    dot.set_gid(point.gid)
    _published(axes, point, index, published)


def _published(axes: Axes, point: Point, index: int, published: Mapping[str, str]) -> None:
    """Its colour tells whose series a number is of."""
    for value in point.published:
        if value.x is None and point.x is None:  # for all x, as the point
            drawn = axes.axhline(value.value, color=colour(index), linewidth=1, linestyle=(0, (1, 2)), zorder=2)
        else:
            (drawn,) = axes.plot(
                [_x(point) if value.x is None else value.x],
                [value.value],
                linestyle="",
                marker="D",
                markerfacecolor="none",
                markeredgecolor=colour(index),
                zorder=4,
            )
        drawn.set_label(published[value.label])
        drawn.set_gid(f"{point.gid}.published")


def _level(axes: Axes, point: Point, index: int) -> None:
    """A value for all x, with its interval."""
    if point.low is not None and point.high is not None:
        band = axes.axhspan(point.low, point.high, color=colour(index), alpha=0.15, linewidth=0)
        band.set_gid(f"{point.gid}.interval")
    axes.axhline(_y(point), color=colour(index), linewidth=1.5, zorder=2).set_gid(point.gid)


def _scales(axes: Axes, data: FigureData, points: Sequence[Point], label: str) -> None:
    if not any(p.y is not None for p in points):
        axes.grid(False)
        axes.set(xlabel=data.spec.x_label, ylabel=label)
        axes.tick_params(which="both", bottom=False, left=False, labelbottom=False, labelleft=False)
        return
    scale_axes(axes, data.spec.log, data.spec.x_label, label)
    if data.spec.kind in ("lines", "speedup") and data.x_numeric and not data.spec.x.is_seconds:
        tick_values(axes, [float(x) for x in data.x_order if isinstance(x, int | float)])
    if data.spec.kind == "speedup":
        axes.axhline(1, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))


def make_room(canvas: Canvas, data: FigureData) -> None:
    """Makes the named axes logarithmic, and those of values begin lower where marks are listed at their foot."""
    share = {
        axes: 0.05 + 0.05 * min(len(failure_lines(failed)), _MARK_LINES + 1)
        for facet, axes in canvas.panels.items()
        if (failed := [point for point in data.of_facet(facet) if point.y is None])
    }
    widened: set[Axes] = set()
    for axes in (*canvas.panels.values(), *canvas.right.values()):
        for which in sorted(data.spec.log):
            make_logarithmic(axes, which)
        same = [other for other in canvas.panels.values() if axes.get_shared_y_axes().joined(axes, other)]
        room = max((share.get(other, 0.0) for other in same), default=0.0)
        if room and widened.isdisjoint(same) and any(other.lines for other in same):
            low, high = axes.get_ylim()
            logarithmic = axes.get_yscale() == "log" and low > 0
            bottom = high * (low / high) ** (1 / (1 - room)) if logarithmic else high - (high - low) / (1 - room)
            axes.set_ylim(bottom, high)
        widened.update(same)


def failure_lines(points: Sequence[Point]) -> list[tuple[str, Point]]:
    """What a panel says of its points without a value, with the first point of each: the same is said once."""
    first: dict[str, Point] = {}
    counts: Counter[str] = Counter()
    for point in points:
        at = f" at {plain(point.x)}" if point.x is not None else ""
        text = f"{point.series}{at}: {point.failure.removeprefix('× ')}"
        if point.mark != ZERO:
            text = f"× {text}"
        first.setdefault(text, point)
        counts[text] += 1
    return [(f"{text}, {counts[text]} trials" if counts[text] > 1 else text, point) for text, point in first.items()]


def list_failed(axes: Axes, points: Sequence[Point]) -> None:
    """Lists the marks of a panel at its foot."""
    lines = failure_lines(points)
    for line, (text, point) in enumerate(lines[:_MARK_LINES]):
        axes.text(
            0.02,
            0.03 + 0.05 * line,
            text,
            transform=axes.transAxes,
            fontsize=7,
            color=INK if point.mark == ZERO else FAILED,
            gid=point.gid,
        )
    if len(lines) > _MARK_LINES:
        more = f"× and {len(lines) - _MARK_LINES} more"
        axes.text(
            0.02,
            0.03 + 0.05 * _MARK_LINES,
            more,
            transform=axes.transAxes,
            fontsize=7,
            color=FAILED,
        )
