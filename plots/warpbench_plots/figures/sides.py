"""Figures of one experiment on several machines, or at several revisions, side by side: asked for by name, each side
labelled. No claim is evaluated on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from warpbench_plots.errors import InputError, PlotsError, Refused
from warpbench_plots.figures.build import (
    BuiltFigure,
    Drawn,
    SkippedFigure,
    drawn_figure,
    timed_and_functional,
    timed_data,
)
from warpbench_plots.figures.grammar import FigureSpec, figure_name, parse_figure
from warpbench_plots.figures.points import FigureData, Point
from warpbench_plots.guards import one_source
from warpbench_plots.results.run import Experiment

T = TypeVar("T")


@dataclass(frozen=True)
class Side:
    """The experiments of one machine and revision, under the name that figures give it."""

    name: str
    experiments: Sequence[Experiment]
    wanted: frozenset[str] | None = None  # names of figures; None: all


def build_sides(sides: Sequence[Side]) -> Drawn:
    """The figures of the experiments that all sides have; what cannot be drawn is skipped with its reason."""
    if len(sides) < 2:
        raise InputError("expected two machines or more, found one: repeat --machine NAME=DIR")
    if len({side.name for side in sides}) < len(sides):
        raise InputError(f"expected a name of its own for each machine, found {', '.join(s.name for s in sides)}")
    by_name = [{experiment.spec.experiment: experiment for experiment in side.experiments} for side in sides]
    common = [name for name in by_name[0] if all(name in own for own in by_name)]
    if not common:
        raise Refused(f"no experiment was run on all of {', '.join(side.name for side in sides)}")
    drawn = Drawn([], [])
    for name in common:
        try:
            _draw([(side.name, own[name]) for side, own in zip(sides, by_name, strict=True)], sides[0].wanted, drawn)
        except Refused as reason:
            drawn.skipped.append(SkippedFigure(name, reason, name))
    return drawn


def _draw(sides: Sequence[tuple[str, Experiment]], wanted: frozenset[str] | None, drawn: Drawn) -> None:
    first = sides[0][1]
    trials = [{record.trial for record in experiment.records} for _, experiment in sides]
    for name, experiment in sides:
        one_source(experiment.records, f"figure of {experiment.spec.experiment} on {name}")
    if not set.intersection(*trials):
        names = " and ".join(name for name, _ in sides)
        raise Refused(f"{first.spec.experiment}: no trial was run on {names}: their specs ask for other trials")
    for number, raw in enumerate(first.spec.figures):
        name = str(figure_name(raw, first.spec.experiment, number))
        if wanted is not None and name not in wanted:
            continue
        try:
            spec = parse_figure(raw, first.spec.experiment, first.spec.title, number)
            drawn.figures.append(_figure(spec, sides))
        except PlotsError as error:
            drawn.skipped.append(SkippedFigure(name, error, first.spec.experiment))


def _figure(spec: FigureSpec, sides: Sequence[tuple[str, Experiment]]) -> BuiltFigure:
    parts = []
    for name, experiment in sides:
        timed, _ = timed_and_functional(spec, experiment)
        if not timed:
            raise Refused(f"figure {spec.name}: no time was measured on {name}")
        parts.append(_named(name, timed_data(spec, experiment, timed)))
    experiments = [experiment for _, experiment in sides]
    whole = replace(
        parts[0],
        points=tuple(point for part in parts for point in part.points),
        x_order=_merged([part.x_order for part in parts]),
        series_order=_merged([part.series_order for part in parts]),
        facet_order=_merged([part.facet_order for part in parts]),
        stand_ins=_merged([part.stand_ins for part in parts]),
        notes=_notes({name: part.notes for (name, _), part in zip(sides, parts, strict=True)}),
    )
    joined = Experiment(
        experiments[0].spec,
        tuple(run for experiment in experiments for run in experiment.runs),
        tuple(record for experiment in experiments for record in experiment.records),
    )
    return drawn_figure(whole, joined)


def _named(name: str, data: FigureData) -> FigureData:
    """The points of one side, its series under its name. Published numbers are of no side."""

    def series(of: str) -> str:
        return f"{of}, {name}" if of else name

    def point(of: Point) -> Point:
        return replace(of, gid=f"{of.gid}.{name}", series=series(of.series), published=())

    return replace(
        data,
        points=tuple(point(one) for one in data.points),
        series_order=tuple(series(one) for one in data.series_order),
    )


def _notes(notes: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """What is true of all sides, then what is true of each, under its name."""
    common = [note for note in next(iter(notes.values())) if all(note in own for own in notes.values())]
    named = [f"{name}: {note}" for name, own in notes.items() for note in own if note not in common]
    return (*common, *named)


def _merged(orders: Sequence[Sequence[T]]) -> tuple[T, ...]:
    """All entries once: the first of each order, then the second of each."""
    longest = max(map(len, orders))
    return tuple(dict.fromkeys(order[i] for i in range(longest) for order in orders if i < len(order)))
