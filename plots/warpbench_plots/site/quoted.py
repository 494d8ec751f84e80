"""Numbers that a document's text gives of a figure, beside ours."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from warpbench_plots.fields.selectors import dataset_is
from warpbench_plots.figures.axes import words_for
from warpbench_plots.figures.build import BuiltFigure
from warpbench_plots.figures.points import Point
from warpbench_plots.site.tables import Cell, Table, Worded, without_empty

_IN_LABEL = {"s": "(s)", "queries/s": "queries per second"}  # unit of a quoted number → what the label of ours has


def beside(figure: BuiltFigure, entries: Sequence[str | Mapping[str, Any]], records: str) -> Table | None:
    """A row a quoted number of the figure: it, and ours at the same place; `records` is the page that ours link to.

    Of a figure with a front (recall against throughput), ours is the best trial that reaches the quoted x; of lines,
    the one with that x. None where none of ours is at the place of a quoted number.
    """
    if figure.functional or figure.data.spec.kind not in ("lines", "pareto"):
        return None
    rows = [row for entry in entries if isinstance(entry, Mapping) for row in _rows(figure, entry, records)]
    label = figure.data.spec.y_label
    head = ["dataset", figure.data.spec.x_label, "series", "published", "ours", f"ours at {figure.data.spec.x_label}"]
    ours = head.index("ours")
    if not any(row[ours] is not None for row in rows):
        return None
    return without_empty([f"{one}: {label}" if one in ("published", "ours") else one for one in (*head, "trial")], rows)


def _rows(figure: BuiltFigure, entry: Mapping[str, Any], records: str) -> list[list[Cell]]:
    place, unit = entry.get("at", {}), str(entry.get("unit", ""))
    dataset, others = place.get("dataset"), [value for key, value in place.items() if key != "dataset"]
    if not (isinstance(dataset, str) and len(others) == 1 and isinstance(others[0], int | float)):
        return []
    if _IN_LABEL.get(unit, unit) not in figure.data.spec.y_label:
        return []
    x, show = others[0], partial(words_for, figure.data.spec.y_label)
    rows: list[list[Cell]] = []
    for series, number in entry.items():
        if series in ("at", "unit") or not isinstance(number, int | float):
            continue
        point = _ours(figure, dataset, series, x)
        theirs: list[Cell] = [dataset, Worded(str(x), x), series, Worded(f"{number} {unit}".strip(), number)]
        if point is None or point.y is None or point.record is None:
            rows.append([*theirs, None, None, None])
            continue
        link = f"{records}#{point.record.trial}"
        at = Worded("any") if point.x is None else point.x
        rows.append([*theirs, Worded(show(point.y), point.y), at, Worded(point.record.trial, None, link)])
    return rows


def _ours(figure: BuiltFigure, dataset: str, series: str, x: float) -> Point | None:
    own = [
        point
        for point in figure.data.points
        if point.record is not None
        and point.y is not None
        and dataset_is(point.record.dataset.name, dataset)
        and point.series.lower() == series.lower()
    ]
    if figure.data.spec.kind == "pareto":
        reach = [point for point in own if point.x_number is not None and point.x_number >= x]
        return max(reach, key=lambda point: point.y or 0.0, default=None)
    return next((point for point in own if point.x is None or point.x_number == x), None)
