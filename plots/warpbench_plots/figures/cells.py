"""Matrices of cells: the `table` kind, and the verdict matrix of solvers executed functionally (simt)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from warpbench_plots.fields.field import plain
from warpbench_plots.figures.axes import words_for
from warpbench_plots.figures.canvas import Canvas, stacked_name, stand_in_name
from warpbench_plots.figures.grammar import VARIANT
from warpbench_plots.figures.points import GAP, FigureData, Point
from warpbench_plots.figures.style import FAILED, GOOD, GRID, INK, MUTED, PAPER
from warpbench_plots.figures.text import width_of
from warpbench_plots.results.records import Scalar

_ROW = 0.36  # inches
_COLUMN = 1.75
_NARROWEST = 4.2  # inches of a panel: the notes below need them
_LONG = 24  # rows of a panel that are read one by one
_MERGED = "trials whose cells are the same share a row: 8…512 names the least and the greatest of their values"


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
    data, merged = _merged(data, lines)
    if merged:
        notes = (*notes, _MERGED)
    # The panels have rows and columns of their own, and cells of one size.
    rows = {facet: [plain(x) for x in data.x_of(facet)] for facet in data.facet_order}
    columns = {facet: list(data.series_of(facet)) for facet in data.facet_order}
    most_rows, most_columns = (max(map(len, names.values()), default=0) for names in (rows, columns))
    tall = max((len(text) for text in lines.values()), default=1)
    # A row's name takes room.
    names = {stand_in_name(row, data.stand_ins) for own in rows.values() for row in own}
    margin = max([0.8, *(width_of(name, 9) + 0.1 for name in names)])
    heads = {stacked_name(column, data.stand_ins) for own in columns.values() for column in own}
    wide = max([_COLUMN, *(0.09 * len(line) for head in heads for line in head.split("\n"))])
    height = _ROW * (0.45 + 0.55 * tall)
    canvas = Canvas(
        data,
        width=max(_NARROWEST, margin + wide * most_columns),
        height=height * (most_rows + 0.4) + 0.9,
        side=margin,
    )
    for facet, axes in canvas.panels.items():
        axes.set_xlim(0, most_columns)
        axes.set_ylim(most_rows, 0)
        _frame(axes, data, rows[facet], columns[facet])
        gaps = dict.fromkeys(product(range(len(rows[facet])), range(len(columns[facet]))))
        for point in data.of_facet(facet):
            if point.x is not None:
                place = (rows[facet].index(plain(point.x)), columns[facet].index(point.series))
                _cell(axes, *place, point, lines[point.gid] if place in gaps else (), good)
                gaps.pop(place, None)
        for row, column in gaps:
            axes.text(column + 0.5, row + 0.5, GAP, ha="center", va="center", fontsize=9, color=MUTED)
    return canvas.finish(title, notes)


def _merged(data: FigureData, lines: Mapping[str, Sequence[str]]) -> tuple[FigureData, bool]:
    """Of a long table of solvers' variants, those of a solver that have the same cells in all columns share a row,
    which tells the values of the parameters in which they differ. Other tables stay, and so do all points."""
    if data.spec.x.text != VARIANT or max((len(data.x_of(f)) for f in data.facet_order), default=0) <= _LONG:
        return data, False
    said: dict[Scalar, list[tuple[str, str, tuple[str, ...]]]] = {}
    for point in data.points:
        said.setdefault(point.x, []).append((point.facet, point.series, tuple(lines[point.gid])))
    alike: dict[tuple[object, ...], list[Scalar]] = {}
    for x in data.x_order:
        words = plain(x).split(" ")
        kept = tuple(word.partition("=")[0] for word in words)
        alike.setdefault((kept, tuple(sorted(said.get(x, ())))), []).append(x)
    names: dict[Scalar, Scalar] = {x: _shared([plain(one) for one in own]) for own in alike.values() for x in own}
    if len(set(names.values())) < len(alike):  # two rows would have one name
        return data, False
    points = tuple(replace(point, x=names[point.x]) for point in data.points if point.x in names)
    return replace(data, points=points, x_order=tuple(dict.fromkeys(names.values()))), len(alike) < len(data.x_order)


def _shared(names: Sequence[str]) -> str:
    """`a x=1 y=2` and `a x=4 y=2` are `a x=1…4 y=2`."""
    words = []
    for several in zip(*(name.split(" ") for name in names), strict=True):
        key = several[0].partition("=")[0]
        values = list(dict.fromkeys(word.partition("=")[2] for word in several))
        if all(value.isdecimal() for value in values):
            values = [*dict.fromkeys((min(values, key=int), max(values, key=int)))]
            words.append(f"{key}={'…'.join(values)}" if key != several[0] else key)
        else:
            words.append(f"{key}={','.join(values)}" if len(values) > 1 else several[0])
    return " ".join(words)


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
