"""Turns records into points: their place in the figure, and their number or the mark in its stead."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field

from warpbench_plots.errors import Refused
from warpbench_plots.fields.curve import Steps, steps_of
from warpbench_plots.fields.field import Field, plain
from warpbench_plots.fields.selectors import aliases, dataset_is
from warpbench_plots.figures.grammar import VARIANT, FigureSpec
from warpbench_plots.figures.published import PublishedValue, published_for
from warpbench_plots.results.records import Record, Scalar
from warpbench_plots.results.run import Experiment

MISSING = "missing"
ZERO = "0"  # a value that a logarithmic axis has no place for
NOT_RUN = "not run"  # in place of a property of a dataset that no record tells
POINTS = {"document": "as published", "best": "ours"}


@dataclass(frozen=True)
class Point:
    """One cell of a figure. Where `y` is None, `mark` says why. `steps` are those of a curve.

    Of lines, a point without `x` is a trial whose solver lacks the parameter: its value holds at every x.
    """

    gid: str
    x: Scalar
    series: str
    facet: str
    record: Record | None
    y: float | None = None
    low: float | None = None
    high: float | None = None
    mark: str | None = None
    parts: tuple[tuple[str, float], ...] = ()
    steps: Steps = ()
    published: tuple[PublishedValue, ...] = ()

    @property
    def is_cut(self) -> bool:
        """Whether it is of a stand-in of another size than the document's: one that its name tells, unless that is what
        stands for the document's dataset."""
        if self.record is None or not self.record.dataset.stand_in or "(" not in self.record.dataset.name:
            return False
        return not any(self.record.dataset.name in names for names in aliases().values())

    @property
    def failure(self) -> str:
        """The mark as figures write it."""
        return ZERO if self.mark == ZERO else f"× {(self.mark or '').replace('_', ' ')}"

    @property
    def x_number(self) -> float | None:
        return float(self.x) if isinstance(self.x, int | float) and not isinstance(self.x, bool) else None


@dataclass(frozen=True)
class FigureData:
    """A figure's points with the order in which its categories appear."""

    spec: FigureSpec
    title: str
    points: tuple[Point, ...]
    x_order: tuple[Scalar, ...]
    series_order: tuple[str, ...]
    facet_order: tuple[str, ...]
    stand_ins: tuple[str, ...]
    notes: tuple[str, ...] = dataclass_field(default=())

    def of_facet(self, facet: str) -> list[Point]:
        return [point for point in self.points if point.facet == facet]

    def published_names(self) -> dict[str, str]:
        """Label → name of the published numbers; where ours are of a part of the data, the name says so."""
        shown = [(value.label, point.is_cut) for point in self.points for value in point.published]
        cut = {label for label, is_cut in shown if is_cut}
        return {label: f"published: {label}{' (full data)' if label in cut else ''}" for label, _ in shown}

    def x_of(self, facet: str) -> tuple[Scalar, ...]:
        """The places on the axis that the panel of this facet needs, in their order."""
        own = {point.x for point in self.of_facet(facet)}
        return tuple(x for x in self.x_order if x in own)

    def series_of(self, facet: str) -> tuple[str, ...]:
        """The series that have a point in the panel of this facet, in their order."""
        own = {point.series for point in self.of_facet(facet)}
        return tuple(series for series in self.series_order if series in own)

    @property
    def x_numeric(self) -> bool:
        return bool(self.points) and all(p.x_number is not None for p in self.points if p.x is not None)


class Namer:
    """Names of a record in a figure: its variant, series, facet and x."""

    def __init__(self, spec: FigureSpec, records: Sequence[Record]) -> None:
        self._spec = spec
        used = {f.text.removeprefix("solver.parameters.") for f in (spec.x, spec.series, spec.facet) if f is not None}
        self._point_on_axis = "solver.point" in used
        values: dict[str, dict[str, set[Scalar]]] = {}
        for record in records:
            for key, value in record.solver.parameters.items():
                # repr keeps true apart from 1 and 1 from "1".
                values.setdefault(record.solver.shown, {}).setdefault(key, set()).add(repr(value))
        self._varying = {
            solver: [key for key, seen in parameters.items() if len(seen) > 1 and key not in used]
            for solver, parameters in values.items()
        }

    def variant(self, record: Record) -> str:
        group = _group(self._spec, record)
        if group is not None:
            return group
        parts = [self._solver(record)]
        for key in self._varying.get(record.solver.shown, ()):
            if key in record.solver.parameters:
                parts.append(f"{key}={plain(record.solver.parameters[key])}")
        return " ".join(parts)

    def text(self, which: Field | None, record: Record) -> str:
        if which is None:
            return ""
        name = plain(which.value(record))
        if which.text == VARIANT:
            name = self.variant(record)
        elif which.text == "solver.name":
            name = self._solver(record)
        elif which.text == "solver.point":
            name = POINTS.get(name, name)
        return self._spec.labels.get(name, name)

    def _solver(self, record: Record) -> str:
        return record.solver.name if self._point_on_axis else record.solver.shown

    def x(self, record: Record) -> Scalar:
        which = self._spec.x
        value = which.value(record)
        if which.text == VARIANT or not isinstance(value, int | float) or isinstance(value, bool):
            return self.text(which, record) if value is not None or which.text == VARIANT else None
        return value


def best_of_groups(spec: FigureSpec, records: Sequence[Record]) -> list[Record]:
    """Of the trials of each group, the best on each dataset and task: with the least time, or the least time of those
    phases that the figure shows. A group whose trials all failed keeps one of them. Trials of no group are left out."""
    if not spec.groups:
        return list(records)
    best: dict[str, dict[tuple[str, str], Record]] = {name: {} for name in spec.groups}
    for record in records:
        group = _group(spec, record)
        if group is not None:
            own, place = best[group], (record.dataset.name, str(sorted(record.raw["task"].items())))
            own[place] = min(own.get(place, record), record, key=lambda one: _cost(spec, one))
    return [record for own in best.values() for record in own.values()]


def _group(spec: FigureSpec, record: Record) -> str | None:
    """The group that a record belongs to."""
    return next((name for name, own in spec.groups.items() if any(one.matches(record) for one in own)), None)


def _cost(spec: FigureSpec, record: Record) -> float:
    """What makes a trial better than others of its group where it is less; infinite where there is no time."""
    phases = spec.y.number(record) if spec.y.is_of_phases else None
    if not record.timed or record.time is None or record.incomplete:
        return math.inf
    return record.time.median_s if phases is None else phases


def collect(spec: FigureSpec, experiment: Experiment, records: Sequence[Record]) -> FigureData:
    """The figure's points from the records selected for it (functional ones already taken out)."""
    namer = Namer(spec, records)
    points = [_point(spec, namer, record) for record in records]
    if spec.kind != "pareto":
        _refuse_overlaps(spec, points)
    points += _missing(spec, experiment, records, points)
    names = dict.fromkeys(r.dataset.name for r in records if r.dataset.stand_in)
    return FigureData(
        spec=spec,
        title=spec.title,
        points=tuple(points),
        x_order=_order(p.x for p in points),
        series_order=tuple(dict.fromkeys(p.series for p in points)),
        facet_order=tuple(dict.fromkeys(p.facet for p in points)),
        stand_ins=tuple(names),
    )


def _point(spec: FigureSpec, namer: Namer, record: Record) -> Point:
    point = Point(
        record.trial,
        namer.x(record),
        namer.text(spec.series, record),
        namer.text(spec.facet, record),
        record,
    )
    timed = spec.y.timed or spec.x.timed or spec.kind in ("breakdown", "speedup")
    if record.solved_nothing and spec.y.timed and not spec.y.is_time:
        return replace(point, y=spec.y.number(record), mark=None)  # how much was left unsolved
    if record.status != "ok" or (timed and not record.timed):
        return replace(point, mark=record.status)
    if record.incomplete and not _is_comparable(spec, record):
        return replace(point, mark=str(record.solved))
    y = spec.y.number(record)
    if y is None:
        return replace(point, mark=f"no {spec.y.text}")
    level = spec.kind == "lines" and point.x is None
    if spec.kind in ("lines", "pareto") and point.x_number is None and not level:
        return replace(point, mark=f"no number for {spec.x.text}")
    if spec.log & {"y"} and y <= 0:
        return replace(point, mark=ZERO if y == 0 else "below zero on a log axis")
    if spec.kind == "boxes" and len(_parts(spec, record)) < len(spec.box):
        return replace(
            point,
            mark=f"no {' or '.join(f.text for f in spec.box if f.number(record) is None)}",
        )
    steps = steps_of(spec.curve, record) if spec.curve else ()
    if spec.curve and not steps:
        return replace(point, mark=f"no {spec.curve.name}")
    low, high = spec.y.interval(record) or (None, None)
    printed = () if spec.kind == "speedup" else published_for(spec.published, spec.y.text, record)
    return replace(point, y=y, low=low, high=high, parts=_parts(spec, record), steps=steps, published=printed)


def _is_comparable(spec: FigureSpec, record: Record) -> bool:
    """Phases are not: they are those of the solved parts and of what was tried of the others."""
    return spec.kind != "breakdown" and all(f.is_comparable(record) for f in (spec.x, spec.y, *spec.box))


def _parts(spec: FigureSpec, record: Record) -> tuple[tuple[str, float], ...]:
    """The phases of a breakdown, with `other` for the rest of the median time; the five numbers of a box."""
    if spec.kind == "boxes":
        return tuple((f.text, number) for f in spec.box if (number := f.number(record)) is not None)
    if spec.kind != "breakdown" or record.time is None:
        return ()
    chosen = spec.phases or tuple(record.phases_s)
    parts = [(name, record.phases_s[name]) for name in chosen if name in record.phases_s]
    rest = record.time.median_s - sum(seconds for _, seconds in parts)
    # Medians of phases need not add up to the median of the whole: a rest below 1 % is no phase.
    if rest > 0.01 * record.time.median_s:
        parts.append(("other", rest))
    return tuple(parts)


def _refuse_overlaps(spec: FigureSpec, points: Iterable[Point]) -> None:
    seen: dict[tuple[Scalar, str, str], Point] = {}
    for point in points:
        key = (point.x, point.series, point.facet)
        if key in seen and point.record is not None:
            raise Refused(
                f"figure {spec.name}: trials {seen[key].gid} and {point.gid} ({point.record.place}) fall on one place "
                f"({', '.join(plain(part) for part in key if part)}): split them by series, facet or where"
            )
        seen[key] = point


def _missing(
    spec: FigureSpec,
    experiment: Experiment,
    records: Sequence[Record],
    points: Sequence[Point],
) -> list[Point]:
    """Marks for the datasets and solvers that the experiment names but no record has.

    Only datasets are crossed with the other axes, because a solver's parameters need not apply to other solvers. An
    axis that is a property of datasets, such as their distribution, asks of each dataset only for its own value.
    """
    crossed = _crossed_axes(spec, records)
    cells = dict.fromkeys(tuple(getattr(p, axis) for axis in crossed) for p in points)
    wanted: dict[tuple[Scalar, ...], None] = {}
    for at, axis in enumerate(crossed):
        expected = _expected(spec, experiment, axis, points)
        bound = _bound_to_dataset(spec, axis, crossed, records)
        own: dict[Scalar, dict[tuple[Scalar, ...], None]] = {}
        for cell in cells:
            own.setdefault(cell[at], {})[tuple(cell[i] for i in bound)] = None
        unknown = dict.fromkeys([(NOT_RUN,) * len(bound)])
        for cell in cells:
            for value in expected:
                for properties in own.get(value, unknown):
                    changed = {at: value, **dict(zip(bound, properties, strict=True))}
                    wanted[tuple(changed.get(i, part) for i, part in enumerate(cell))] = None
    return [_missing_point(dict(zip(crossed, cell, strict=True))) for cell in wanted if cell not in cells]


def _bound_to_dataset(spec: FigureSpec, axis: str, crossed: Sequence[str], records: Sequence[Record]) -> list[int]:
    """Which other axes hold a property of the dataset on this axis."""
    fields = {"x": spec.x, "series": spec.series, "facet": spec.facet}
    if (which := fields[axis]) is None or which.text != "dataset.name":
        return []
    others = ((at, fields[other]) for at, other in enumerate(crossed) if other not in (axis, "x"))
    return [at for at, other in others if other is not None and other.is_of_dataset(records[0])]


def _expected(spec: FigureSpec, experiment: Experiment, axis: str, points: Sequence[Point]) -> list[str]:
    """The values that the experiment lets expect on an axis of datasets or of solvers, if `where` leaves it whole."""
    which = {"x": spec.x, "series": spec.series, "facet": spec.facet}[axis]
    text = which.text if which is not None else ""
    filtered = {f.text for f, _ in spec.where.conditions}
    if text == "dataset.name" and text not in filtered:
        present = list(dict.fromkeys(str(getattr(p, axis)) for p in points))
        asked = [name for name in experiment.spec.datasets if not any(dataset_is(p, name) for p in present)]
        absent = [spec.labels.get(name, name) for name in asked]
        return [*present, *(name for name in absent if name not in present)]
    if text in ("solver.name", VARIANT) and not filtered:
        ran = {record.solver.name for record in experiment.records}
        return [spec.labels.get(name, name) for name in experiment.spec.solvers if name not in ran]
    return []


def _missing_point(place: Mapping[str, Scalar]) -> Point:
    gid = "missing." + ".".join(str(place[axis]) for axis in ("facet", "x", "series") if place.get(axis))
    series, facet = str(place["series"]), str(place["facet"])
    return Point(gid.replace(" ", "_"), place.get("x"), series, facet, None, mark=MISSING)


def _crossed_axes(spec: FigureSpec, records: Sequence[Record]) -> list[str]:
    """The axes that divide a figure into cells; an axis of measured numbers does not."""
    name = spec.x.text.removeprefix("solver.parameters.")
    parameter = any(name in record.solver.parameters for record in records)
    measured = spec.kind in ("pareto", "curves") or (spec.kind == "lines" and not parameter)
    return ["series", "facet"] if measured else ["x", "series", "facet"]


def _order(values: Iterable[Scalar]) -> tuple[Scalar, ...]:
    found = tuple(dict.fromkeys(v for v in values if v is not None))
    if all(isinstance(v, int | float) and not isinstance(v, bool) for v in found):
        return tuple(sorted(found, key=lambda v: float(v)))
    return found
