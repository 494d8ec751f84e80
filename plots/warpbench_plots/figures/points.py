"""The points of a figure, the names of their places, and the records that groups choose."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from warpbench_plots.fields.curve import Steps
from warpbench_plots.fields.field import Field, plain
from warpbench_plots.fields.selectors import aliases
from warpbench_plots.figures.grammar import VARIANT, FigureSpec
from warpbench_plots.figures.published import PublishedValue
from warpbench_plots.results.records import Record, Scalar
from warpbench_plots.solver_texts import word_of

NOT_RUN = "not run"  # a trial that is asked for without a record, and what only its record would tell
ZERO = "0"  # a value that a logarithmic axis has no place for
GAP = "–"  # the cell of a table for which no trial is asked
POINTS = {"document": "as published", "best": "ours"}


@dataclass(frozen=True)
class Point:
    """One cell of a figure. Where `y` is None, `mark` says why. `steps` are those of a curve.

    A value between two trials is of `record`, which reaches the wanted number, and of `below`, which does not.
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
    below: Record | None = None
    on_right: bool = False  # on the axis at the right
    machine: str = ""  # the user's name of it, in a figure of several

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
        """The series that the panel of this facet has, in their order."""
        own = {point.series for point in self.of_facet(facet)}
        return tuple(series for series in self.series_order if series in own)

    @property
    def has_gaps(self) -> bool:
        """Whether a panel has a place on both axes for which no trial is asked."""
        return any(
            len({(p.x, p.series) for p in self.of_facet(facet)}) < len(self.x_of(facet)) * len(self.series_of(facet))
            for facet in self.facet_order
        )

    @property
    def x_numeric(self) -> bool:
        return bool(self.points) and all(p.x_number is not None for p in self.points if p.x is not None)


class Namer:
    """Names of a record in a figure: its variant, series, facet and x."""

    def __init__(self, spec: FigureSpec, records: Sequence[Record]) -> None:
        self._spec, self._records = spec, records
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

    def of(self, spec: FigureSpec) -> "Namer":
        """That of a part of the figure."""
        return Namer(spec, self._records)

    def variant(self, record: Record, worded: bool = True) -> str:
        """Its values are worded as the solver does, such as `all` for 0 threads, or as the record has them."""
        group = group_of(self._spec, record)
        if group is not None:
            return group
        parts = [self._solver(record)]
        for key in self._varying.get(record.solver.shown, ()):
            if key in record.solver.parameters:
                value = plain(record.solver.parameters[key])
                word = word_of(record.problem, record.solver.name, key, value) if worded else value
                parts.append(f"{key}={word}")
        return " ".join(parts)

    def text(self, which: Field | None, record: Record) -> str:
        if which is None:
            return ""
        name = plain(which.value(record))
        if which.text == VARIANT:
            name = self.variant(record)
            if name not in self._spec.labels and (older := self.variant(record, worded=False)) in self._spec.labels:
                name = older  # older specs have the values
        elif which.text == "solver.name":
            name = self._solver(record)
        elif which.text == "solver.point":
            name = POINTS.get(name, name)
        return self._spec.labels.get(name, name)

    def _solver(self, record: Record) -> str:
        return record.solver.name if self._point_on_axis else record.solver.shown

    def x(self, record: Record) -> Scalar:
        """None where the record has no value, except in tables: there it has a row."""
        which = self._spec.x
        value = which.value(record)
        if value is None and which.text != VARIANT and self._spec.kind != "table":
            return None
        if which.text == VARIANT or not isinstance(value, int | float) or isinstance(value, bool):
            return self.text(which, record)
        return value


def case_of(record: Record) -> tuple[str, str]:
    """The dataset and the task, which trials have in common that can be compared."""
    return record.dataset.name, str(sorted(record.raw["task"].items()))


def best_of_groups(spec: FigureSpec, records: Sequence[Record]) -> list[Record]:
    """Of the trials of each group, the best on each dataset and task: with the least time, or the least time of those
    phases that the figure shows. A group whose trials all failed keeps one of them. Trials of no group are left out."""
    if not spec.groups:
        return list(records)
    best: dict[str, dict[tuple[str, str], Record]] = {name: {} for name in spec.groups}
    for record in records:
        group = group_of(spec, record)
        if group is not None:
            own, place = best[group], (record.dataset.name, str(sorted(record.raw["task"].items())))
            own[place] = min(own.get(place, record), record, key=lambda one: _cost(spec, one))
    return [record for own in best.values() for record in own.values()]


def group_of(spec: FigureSpec, record: Record) -> str | None:
    """The group that a record belongs to."""
    return next((name for name, own in spec.groups.items() if any(one.matches(record) for one in own)), None)


def _cost(spec: FigureSpec, record: Record) -> float:
    """What makes a trial better than others of its group where it is less; infinite where there is no time."""
    phases = spec.y.number(record) if spec.y.is_of_phases else None
    if not record.timed or record.time is None or record.incomplete:
        return math.inf
    return record.time.median_s if phases is None else phases
