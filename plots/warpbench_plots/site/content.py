"""Tables of figures, of an experiment's records and of published numbers, as plain values."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from warpbench_plots.fields.comparable import comparable_time
from warpbench_plots.fields.field import plain
from warpbench_plots.figures.axes import words_for
from warpbench_plots.figures.build import BuiltFigure
from warpbench_plots.figures.points import GAP, ZERO, Point
from warpbench_plots.files import read_yaml
from warpbench_plots.locations import DATA
from warpbench_plots.report.markup import Markup
from warpbench_plots.results.records import Judgement, Record
from warpbench_plots.results.run import Experiment
from warpbench_plots.site.choosers import Choice
from warpbench_plots.site.history import TrialHistory
from warpbench_plots.site.names import document_of, figure_numbers, slug
from warpbench_plots.site.tables import Cell, Table, Worded, sort_value, without_empty

TRIAL = "trial"  # the column whose cells link to the records


def figure_data(figure: BuiltFigure) -> Table:
    """A row a point, and a row a step of a curve, with the published numbers beside ours."""
    spec = figure.data.spec
    value_label = "speed-up" if spec.kind == "speedup" else spec.y_label
    value_label = " or ".join(filter(None, (value_label, spec.right_label)))
    head = ["panel", "series", spec.x_label, value_label, "low", "high", "mark", "published", "parts", "step", TRIAL]
    rows: list[list[Cell]] = []
    for point in figure.data.points:
        parts = "; ".join(f"{name} {value}" for name, value in point.parts)
        trial = point.record.trial if point.record else None
        mark = None if point.mark == ZERO else point.mark
        y = 0.0 if point.mark == ZERO else point.y
        shown: list[tuple[Cell, Cell, Cell]] = [(point.x, y, None)]
        if point.steps:
            shown = [(step[0], step[1], number) for number, step in enumerate(point.steps, 1)]
        before: list[Cell] = [point.facet, point.series]
        for x, value, number in shown:
            after: list[Cell] = [point.low, point.high, mark, _published_cell(point), parts, number, trial]
            rows.append([*before, x, value, *after])
    return without_empty(head, rows)


def shown_json(figure: BuiltFigure) -> Markup | None:
    """What the figure shows, for a `<script>` of data in a page: its text must not end that element."""
    if figure.shown is None:
        return None
    return Markup(json.dumps(figure.shown, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c"))


def figure_matrices(figure: BuiltFigure) -> dict[str, Table]:
    """Of the kind `table` and of verdicts: panel → rows × columns, as the document prints it; none of other figures."""
    if figure.data.spec.kind != "table" and not figure.functional:
        return {}
    data = figure.data
    tables = {}
    for facet in data.facet_order:
        points = {(point.x, point.series): point for point in data.of_facet(facet)}
        columns = data.series_of(facet)
        rows = [
            (Worded(plain(x), sort_value(x)), *(_cell(figure, points.get((x, name))) for name in columns))
            for x in data.x_of(facet)
        ]
        tables[facet] = Table((data.spec.x.text.rpartition(".")[2], *columns), tuple(rows))
    return tables


def _cell(figure: BuiltFigure, point: Point | None) -> Cell:
    if point is None:
        return GAP
    if figure.functional and point.mark is None and point.record and point.record.judgement:
        return f"verified {point.record.judgement.verdict}"
    if point.y is None:
        return point.failure
    show = partial(words_for, figure.data.spec.y_label)
    published = _published(point, show)
    return Worded(f"{show(point.y)} (published {published})" if published else show(point.y), point.y)


def _published_cell(point: Point) -> Cell:
    """All numbers that the document gives, sorted by the first."""
    return Worded(_published(point), point.published[0].value) if point.published else None


def _published(point: Point, show: Callable[[float], str] = "{:.6g}".format) -> str:
    full = " (full data)" if point.is_cut else ""
    shown = [f"{show(value.value)}" + (f" at {value.x:g}" if value.x is not None else "") for value in point.published]
    return ", ".join(f"{one}{full}" for one in shown)


def records(experiment: Experiment) -> Table:
    """Every trial with its numbers."""
    head = ["dataset", "solver", "point", "parameters", "time (s)", "low (s)", "high (s)", "prepare (s)"]
    head += ["device memory (B)", "verified", "status", "reason", TRIAL, "record"]
    return without_empty(head, [_record(record) for record in experiment.records])


def parameters(values: Mapping[str, Any]) -> str:
    """`threads=28, range_filter=true`."""
    return ", ".join(f"{key}={plain(value)}" for key, value in values.items())


def _record(record: Record) -> list[Cell]:
    time = comparable_time(record)
    return [
        record.dataset.name,
        record.solver.name,
        record.solver.point,
        parameters(record.solver.parameters),
        *(time or (None, None, None)),
        record.prepare_s if record.timed else None,
        record.device_peak_bytes,
        _verified(record.judgement),
        with_solved("functional" if record.functional and record.status == "ok" else record.status, record),
        record.reason,
        record.trial,
        f"{record.place.path.parent.name}/{record.place.path.name}:{record.place.line}",
    ]


def with_solved(status: str, record: Record) -> str:
    """`ok, 9 of 10 solved`; the status alone where nothing is unsolved."""
    return f"{status}, {record.solved}" if record.incomplete else status


def _verified(judgement: Judgement | None) -> Cell:
    return Worded(f"{judgement.verified} of {judgement.samples}", judgement.verified) if judgement else None


def history(trials: Sequence[TrialHistory]) -> Table:
    """A row a trial: its times, the oldest first, each with its revision."""
    head = ["mark", "last over the one before", "experiment", "dataset", "solver", "parameters", "times", "machine"]
    rows: list[list[Cell]] = []
    for one in trials:
        times = ", ".join(f"{time.median_s:.3g} s ({time.revision[:7]}{time.remark})" for time in one.times)
        values, sorted_by = parameters(one.parameters), one.times[-1].median_s
        place: list[Cell] = [one.experiment, one.dataset, one.solver, values]
        rows.append([one.mark, one.change, *place, Worded(times, sorted_by), one.machine])
    return without_empty(head, rows)


def choices(found: Sequence[Choice], row: Callable[[Record], str]) -> Table:
    """A row a choice; trials lead to their records."""
    head = ["problem", "experiment", "dataset", "task", "chooser", "chose", "choice is timed", "time (s)"]
    head += ["fastest", "its parameters", "its time (s)", "chooser over fastest", "machine", "revision"]
    rows: list[list[Cell]] = []
    for one in found:
        chooser, fastest = one.chooser, one.fastest
        place: list[Cell] = [chooser.problem, chooser.experiment, chooser.dataset.name, parameters(chooser.raw["task"])]
        own: list[Cell] = [Worded(chooser.solver.name, link=row(chooser)), one.chosen, one.is_timed, one.seconds]
        best: list[Cell] = [Worded(fastest.solver.shown, link=row(fastest)), parameters(fastest.solver.parameters)]
        rows.append([*place, *own, *best, one.fastest_seconds, one.regret, chooser.machine, chooser.revision[:12]])
    return without_empty(head, rows)


def published_figures(experiment: str) -> list[tuple[str, list[str]]]:
    """Of the document's figures that the experiment repeats: the caption, and the numbers that its text gives."""
    return [(caption, [_quoted(entry) for entry in entries]) for caption, entries in quoted_figures(experiment)]


def quoted_figures(experiment: str) -> list[tuple[str, list[str | Mapping[str, Any]]]]:
    """As `published_figures`, with the numbers as they are stored."""
    short = experiment.partition("/")[2]
    found = []
    for figure in _figures():
        name = figure["figure"]
        _, colon, title = name.partition(": ")  # `backup slide: Scalability`
        repeats = slug(title).lower() == short if colon else name in figure_numbers(experiment)
        repeats = repeats or experiment in figure.get("experiments", ())
        if figure["document"] == document_of(experiment) and repeats and figure.get("quoted"):
            caption = f"{name if colon else f'Figure {name}'} as published: {figure['title']}"
            found.append((caption, figure["quoted"]))
    return found


@cache
def _figures() -> list[dict[str, Any]]:
    figures: list[dict[str, Any]] = read_yaml(DATA / "figures.yaml")["figures"]
    return figures


def _quoted(entry: str | Mapping[str, Any]) -> str:
    """`dataset R1, gpu workers 32: HSGD* 30, CPU-Only 33 s`."""
    if isinstance(entry, str):
        return entry

    def words(values: Mapping[str, Any], between: str) -> str:
        texts = {
            key: between.join(map(str, value)) if isinstance(value, list) else value for key, value in values.items()
        }
        return ", ".join(f"{key.replace('_', ' ')} {text}" for key, text in texts.items())

    values = words({key: value for key, value in entry.items() if key not in ("at", "unit")}, " to ")
    place = words(entry.get("at", {}), ", ")
    return " ".join(filter(None, (f"{place}:" if place else "", values, str(entry.get("unit", "")))))
