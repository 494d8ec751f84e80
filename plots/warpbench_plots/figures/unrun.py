"""The trials that an experiment asks for and no run has, as marks in their places of a figure.

A plan has each point of each solver on each dataset and task. So what was measured of one solver is asked for on every
dataset and task of its run, and any other combination on the axes of a figure is not. Of datasets and solvers without
any record, the spec tells the names and the solvers' parameters. Of a solver that ran, values of a sweep that no record
has stay unknown: a plan leaves out combinations that make no sense.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from warpbench_plots.fields.field import Field
from warpbench_plots.fields.selectors import dataset_is
from warpbench_plots.figures.grammar import VARIANT, FigureSpec
from warpbench_plots.figures.points import NOT_RUN, Namer, Point, group_of
from warpbench_plots.results.records import Dataset, Record, Scalar, Solver
from warpbench_plots.results.run import Experiment, Run

_MEASURED = ("judgement", "time", "phases_s", "prepare", "memory", "work", "counters", "ceiling", "nvml", "facts")
_DATASETS = ("dataset.name",)  # axes that name a dataset
_SOLVERS = ("solver.name", VARIANT)  # ... and a solver
_BEST = "best"  # in place of parameters: the solver's own best point


@dataclass(frozen=True)
class _Trial:
    """A trial without a record: dataset and task are those of `on`, the solver is that of `by`."""

    on: Record
    by: Record
    dataset_known: bool
    solver_known: bool

    @property
    def record(self) -> Record:
        """What a record would say before the trial is run."""
        raw = {**self.on.raw, "solver": self.by.raw["solver"], **dict.fromkeys(_MEASURED)}
        return replace(self.on, solver=self.by.solver, judgement=None, time=None, phases_s={}, raw=raw)

    def place(self, which: Field, shown: Scalar) -> Scalar:
        """Where it stands on an axis of this field; `shown` is what its record says."""
        is_of_unknown_dataset = not self.dataset_known and which.is_of_dataset(self.by)
        is_of_unknown_solver = not self.solver_known and which.value(self.record) is None
        unknown = which.text not in (*_DATASETS, *_SOLVERS) and (is_of_unknown_dataset or is_of_unknown_solver)
        return NOT_RUN if unknown else shown

    def has_place(self, axes: Sequence[Field]) -> bool:
        """Whether its place is known before it is run. Of what has no record, an axis must have the name."""
        names = {which.text for which in axes}
        if not self.dataset_known and names.isdisjoint(_DATASETS):
            return False
        if not self.solver_known and names.isdisjoint(_SOLVERS):
            return False
        return not (self.dataset_known and self.solver_known and any(map(self._is_measured, axes)))

    def _is_measured(self, which: Field) -> bool:
        return which.value(self.record) is None and None not in (which.value(self.on), which.value(self.by))


def not_run(
    spec: FigureSpec, namer: Namer, experiment: Experiment, records: Sequence[Record], points: Sequence[Point]
) -> list[Point]:
    """A point for each place in which none of the figure's `points` stands, although trials are asked for there."""
    axes = {"x": spec.x, "series": spec.series, "facet": spec.facet}
    if _is_of_measurements(spec, records):
        del axes["x"]
    taken = {tuple(getattr(point, axis) for axis in axes) for point in points}
    is_functional = {record.functional for record in records}
    found: dict[tuple[Scalar, ...], Point] = {}
    for trial in _trials(experiment):
        record = trial.record
        if not spec.where.matches(record) or (spec.groups and group_of(spec, record) is None):
            continue
        if trial.solver_known and record.functional not in is_functional:
            continue  # the other of the two figures has it
        if not trial.has_place([which for which in axes.values() if which is not None]):
            continue
        place = {axis: _place(spec, namer, trial, axis, which) for axis, which in axes.items()}
        cell = tuple(place.values())
        if cell not in taken:
            found.setdefault(cell, _point(place))
    return list(found.values())


def _is_of_measurements(spec: FigureSpec, records: Sequence[Record]) -> bool:
    """Whether x is measured, so that no trial can be asked for at an x."""
    name = spec.x.text.removeprefix("solver.parameters.")
    is_parameter = any(name in record.solver.parameters for record in records)
    return spec.kind in ("pareto", "curves") or (spec.kind == "lines" and not is_parameter)


def _place(spec: FigureSpec, namer: Namer, trial: _Trial, axis: str, which: Field | None) -> Scalar:
    if which is None:
        return ""
    if axis != "x":
        return trial.place(which, namer.text(which, trial.record))
    x = trial.place(which, namer.x(trial.record))
    return None if x == NOT_RUN and spec.kind == "lines" else x


def _point(place: Mapping[str, Scalar]) -> Point:
    gid = "not-run." + ".".join(str(place[axis]) for axis in ("facet", "x", "series") if place.get(axis))
    series, facet = str(place["series"]), str(place["facet"])
    return Point(gid.replace(" ", "_"), place.get("x"), series, facet, None, mark=NOT_RUN)


def _trials(experiment: Experiment) -> Iterator[_Trial]:
    """The product of datasets and tasks with points of solvers, of each run by itself, less what any run has."""
    has = {(_on(record), _by(record)) for record in experiment.records}
    for run in experiment.runs:
        if not run.records:
            continue
        known_on = {_on(record): record for record in run.records}
        known_by = {_by(record): record for record in run.records}
        absent_on = {_on(record): record for record in _absent_datasets(run, experiment, known_on.values())}
        absent_by = {_by(record): record for record in _absent_solvers(run, experiment)}
        for (on, o), (by, b) in product({**known_on, **absent_on}.items(), {**known_by, **absent_by}.items()):
            if (on, by) not in has:
                yield _Trial(o, b, on in known_on, by in known_by)


def _on(record: Record) -> tuple[str, str]:
    return record.dataset.name, str(sorted(record.raw["task"].items()))


def _by(record: Record) -> tuple[str, str]:
    return record.solver.shown, str(sorted(record.solver.parameters.items()))


def _absent_datasets(run: Run, experiment: Experiment, known: Iterable[Record]) -> Iterator[Record]:
    """The datasets that the spec names and no record has, under each task of the others."""
    names = {record.dataset.name for record in experiment.records}
    for name in run.spec.datasets:
        if not any(dataset_is(one, name) for one in names):
            for record in known:
                dataset: dict[str, Any] = {"name": name, "digest": None, "stand_in": False, "properties": {}}
                yield replace(record, dataset=Dataset(name, None, False, {}), raw={**record.raw, "dataset": dataset})


def _absent_solvers(run: Run, experiment: Experiment) -> Iterator[Record]:
    """The solvers that the spec names and no record has, at the points that it gives them."""
    ran = {record.solver.name for record in experiment.records}
    for entry in run.spec.raw.get("solvers") or ():
        ((name, given),) = entry.items() if isinstance(entry, dict) else ((entry, {}),)
        if name not in ran:
            point = _BEST if _BEST in (given, given.get("point") if isinstance(given, dict) else None) else None
            for parameters in _sweep(given if isinstance(given, dict) else {}):
                solver = {"name": name, "parameters": parameters, "point": point}
                yield replace(
                    run.records[0],
                    solver=Solver(name, "", "", parameters, point),
                    raw={**run.records[0].raw, "solver": solver},
                )


def _sweep(given: Mapping[str, Any]) -> Iterator[dict[str, Scalar]]:
    """The product of the values that are listed; a range counts as not told."""
    listed = {key: value if isinstance(value, list) else [value] for key, value in given.items() if key != "point"}
    told = {key: values for key, values in listed.items() if not any(isinstance(value, dict) for value in values)}
    for values in product(*told.values()):
        yield dict(zip(told, values, strict=True))
