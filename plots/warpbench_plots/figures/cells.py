"""Matrices of cells: the `table` kind, and the verdict matrix of solvers executed functionally (simt)."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from warpbench_plots.fields.field import plain
from warpbench_plots.figures.axes import words_for
from warpbench_plots.figures.canvas import Canvas, stacked_name, stand_in_name
from warpbench_plots.figures.points import GAP, FigureData, Point
from warpbench_plots.figures.style import FAILED, GOOD, GRID, INK, MUTED, PAPER

_ROW = 0.36  # inches
_COLUMN = 1.75


def draw_table(data: FigureData, label: str, title: str, notes: tuple[str, ...]) -> Figure:
    """Rows × columns; a cell has the value, its interval and the published number."""
    return _matrix(
        data,
        title,
        (f"cells: {label.replace(' (s)', '')}", *notes),
        {p.gid: _value_lines(data, p) for p in data.points},
    )


def draw_verdicts(data: FigureData, title: str, notes: tuple[str, ...]) -> Figure:
    """Solvers × datasets with verdicts in place of times."""
    lines: dict[str, tuple[str, ...]] = {}
    for point in data.points:
        judged = point.record.judgement if point.record else None
        if point.mark is None and judged is not None:
            lines[point.gid] = (
                f"verified {judged.verdict}",
                f"{judged.verified} of {judged.samples} samples",
                *_unsolved(point),
            )
        else:
            lines[point.gid] = (point.failure,)
    return _matrix(data, title, notes, lines, good=GOOD)


def _value_lines(data: FigureData, point: Point) -> tuple[str, ...]:
    if point.y is None:
        return (point.failure,)
    show = partial(words_for, data.spec.y.label)
    lines = [show(point.y)]
    if point.low is not None and point.high is not None:
        lines.append(f"[{show(point.low)}, {show(point.high)}]")
    lines += [f"published {show(value.value)}{' (full data)' if point.is_cut else ''}" for value in point.published]
    return (*lines, *_unsolved(point))


def _unsolved(point: Point) -> tuple[str, ...]:
    """`12 of 20 solved` where something was given up."""
    return (str(point.record.solved),) if point.record is not None and point.record.incomplete else ()


def _matrix(
    data: FigureData,
    title: str,
    notes: tuple[str, ...],
    lines: Mapping[str, Sequence[str]],
    good: str = INK,
) -> Figure:
    # The panels have rows and columns of their own, and cells of one size.
    rows = {facet: [plain(x) for x in data.x_of(facet)] for facet in data.facet_order}
    columns = {facet: list(data.series_of(facet)) for facet in data.facet_order}
    most_rows, most_columns = (max(map(len, names.values()), default=0) for names in (rows, columns))
    tall = max((len(text) for text in lines.values()), default=1)
    # A row's name takes room in proportion to its length; 0.085 inch a letter at this size.
    names = {stand_in_name(row, data.stand_ins) for own in rows.values() for row in own}
    margin = max([0.8, *(0.085 * len(name) for name in names)])
    heads = {stacked_name(column, data.stand_ins) for own in columns.values() for column in own}
    wide = max([_COLUMN, *(0.09 * len(line) for head in heads for line in head.split("\n"))])
    height = _ROW * (0.45 + 0.55 * tall)
    canvas = Canvas(
        data,
        width=margin + wide * most_columns,
        height=height * (most_rows + 0.4) + 0.9,
    )
    for facet, axes in canvas.panels.items():
        axes.set_xlim(0, most_columns)
        axes.set_ylim(most_rows, 0)
        _frame(axes, data, rows[facet], columns[facet])
        gaps = dict.fromkeys(product(range(len(rows[facet])), range(len(columns[facet]))))
        for point in data.of_facet(facet):
            if point.x is not None:
                place = (rows[facet].index(plain(point.x)), columns[facet].index(point.series))
                _cell(axes, *place, point, lines[point.gid], good)
                gaps.pop(place)
        for row, column in gaps:
            axes.text(column + 0.5, row + 0.5, GAP, ha="center", va="center", fontsize=9, color=MUTED)
    return canvas.finish(title, notes)


def _frame(axes: Axes, data: FigureData, rows: Sequence[str], columns: Sequence[str]) -> None:
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    if data.x_numeric:
        axes.set_ylabel(data.spec.x.label)
    axes.set_xticks(
        [i + 0.5 for i in range(len(columns))],
        [stacked_name(c, data.stand_ins) for c in columns],
    )
    axes.set_yticks(
        [i + 0.5 for i in range(len(rows))],
        [stand_in_name(r, data.stand_ins) for r in rows],
    )


def _cell(axes: Axes, row: int, column: int, point: Point, lines: Sequence[str], good: str) -> None:
    box = Rectangle(
        (column + 0.02, row + 0.04),
        0.96,
        0.92,
        facecolor=PAPER,
        edgecolor=GRID,
        linewidth=0.8,
    )
    box.set_gid(point.gid)
    axes.add_patch(box)
    ink = FAILED if point.mark else good
    for index, text in enumerate(lines):
        axes.text(
            column + 0.5,
            row + (index + 1) / (len(lines) + 1),
            text,
            ha="center",
            va="center",
            fontsize=9 if index == 0 else 7,
            color=ink if index == 0 else MUTED,
        )
