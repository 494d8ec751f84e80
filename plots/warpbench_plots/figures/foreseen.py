"""Faults of a figure that its plan tells: selectors that select none, and trials that fall on one place."""

from collections.abc import Iterator, Sequence

from warpbench_plots.errors import nearest
from warpbench_plots.fields.field import Field, plain
from warpbench_plots.fields.known import NameKind, NamesOfTrials
from warpbench_plots.fields.selectors import Selector
from warpbench_plots.figures.grammar import FigureSpec
from warpbench_plots.figures.planned import Plan, could_select, is_decided
from warpbench_plots.figures.points import Namer, best_of_groups, case_of
from warpbench_plots.results.records import Record

_SOLVER = "solver.name"


def unfit_trials(figure: FigureSpec, plan: Plan, names: NamesOfTrials) -> Iterator[str]:
    """The faults, a sentence each, that keep the plan's trials from being drawn. The figure's names must be known."""
    if figure.sweeps:
        for one in figure.of_sweeps.values():
            yield from unfit_trials(one, plan, names)
        return
    faults = [*_unknown_solvers(figure, plan)] or [*_empty_selectors(figure, plan, names)]
    yield from faults
    if not faults and figure.kind != "pareto":
        if figure.at is None:
            yield from _one_place(figure, plan, names)
        yield from _several_baselines(figure, plan, names)


def _selectors(figure: FigureSpec) -> Iterator[tuple[str, Selector]]:
    yield "where", figure.where
    for name, several in figure.groups.items():
        for one in several:
            yield f"groups: {name}", one
    if figure.baseline is not None:
        yield "baseline", figure.baseline


def _unknown_solvers(figure: FigureSpec, plan: Plan) -> Iterator[str]:
    """Solvers that selectors name and the spec has not, as it is or as it is written in its file."""
    written = plan.written.solvers if plan.written is not None else ()
    known = {*written, *plan.spec.solvers, *(trial.solver.name for trial in plan.trials)}
    for key, selector in _selectors(figure):
        for which, wanted in selector.conditions:
            if which.text != _SOLVER:
                continue
            if isinstance(wanted, dict):
                wanted = wanted.get("not", [])
            for name in wanted if isinstance(wanted, list) else [wanted]:
                if name not in known:
                    yield f"{key}: the spec has no solver {name!r}{nearest(name, known)}"


def _empty_selectors(figure: FigureSpec, plan: Plan, names: NamesOfTrials) -> Iterator[str]:
    """Selectors that select no trial. Where a suite or `--set` leaves trials out, a selector may be of those."""
    if not plan.trials or not plan.is_as_written:
        return
    chosen = could_select(figure.where, plan.trials, names)
    if not chosen:
        yield f"where: no trial has {figure.where}"
        return
    for name, several in figure.groups.items():
        if not any(could_select(one, chosen, names) for one in several):
            yield f"groups: {name}: no trial has {' or '.join(map(str, several))}"
    if figure.baseline is not None and not could_select(figure.baseline, plan.trials, names):
        yield f"baseline: no trial has {figure.baseline}"


def _one_place(figure: FigureSpec, plan: Plan, names: NamesOfTrials) -> Iterator[str]:
    """The first two trials that would be drawn over each other, where a plan tells the places of all."""
    axes = [which for which in (figure.x, figure.series, figure.facet) if which is not None]
    if any(_is_measured(which, names) for which in axes):
        return
    if not all(is_decided(selector, names) for key, selector in _selectors(figure) if key != "baseline"):
        return
    chosen = figure.where.of(plan.trials)
    shown = best_of_groups(figure, [trial for trial in chosen if not (figure.timed and trial.functional)])
    namer = Namer(figure, shown)
    seen: dict[tuple[object, ...], Record] = {}
    for trial in shown:
        place = tuple(_place(which, trial, namer, names) for which in axes)
        if place in seen:
            yield _overlap(seen[place], trial, [_shown(which, trial, namer, names) for which in axes])
            return
        seen[place] = trial


def _several_baselines(figure: FigureSpec, plan: Plan, names: NamesOfTrials) -> Iterator[str]:
    """The first dataset and task on which a time would be divided into those of several trials."""
    if figure.baseline is None or figure.groups:  # with groups the fastest counts
        return
    if not (is_decided(figure.baseline, names) and is_decided(figure.where, names)):
        return
    drawn = {case_of(trial) for trial in figure.where.of(plan.trials) if not trial.functional}
    seen: dict[tuple[str, str], Record] = {}
    for trial in figure.baseline.of(plan.trials):
        other = seen.setdefault(case_of(trial), trial)
        if other is not trial and case_of(trial) in drawn:
            yield (
                f"baseline: trials {other.trial} and {trial.trial} on {trial.dataset.name} both have "
                f"{figure.baseline}, and differ in {_difference(other, trial)}: narrow it to one"
            )
            return


def _is_measured(which: Field, names: NamesOfTrials) -> bool:
    return any(names.kind(name) is NameKind.MEASURED for name in which.formula.names)


def _place(which: Field, trial: Record, namer: Namer, names: NamesOfTrials) -> object:
    """Where the trial stands on an axis; what only its dataset tells differs, for all we know, from that of others."""
    if all(names.kind(name) is NameKind.PLANNED for name in which.formula.names):
        return namer.text(which, trial)
    return *case_of(trial), namer.text(which, trial)


def _shown(which: Field, trial: Record, namer: Namer, names: NamesOfTrials) -> str:
    known = all(names.kind(name) is NameKind.PLANNED for name in which.formula.names)
    return namer.text(which, trial) if known else trial.dataset.name


def _overlap(one: Record, other: Record, place: Sequence[str]) -> str:
    said = ", ".join(dict.fromkeys(part for part in place if part))
    return (
        f"trials {one.trial} and {other.trial} fall on one place ({said}), and differ in {_difference(one, other)}: "
        "split them by series, facet or where"
    )


def _difference(one: Record, other: Record) -> str:
    """`threads (1, 2)`: what the place does not tell apart."""
    parts = []
    for what, left, right in (
        ("dataset", {"name": one.dataset.name}, {"name": other.dataset.name}),
        ("solver", {"name": one.solver.name}, {"name": other.solver.name}),
        ("", one.solver.parameters, other.solver.parameters),
        ("task.", one.raw["task"], other.raw["task"]),
    ):
        for name in dict.fromkeys((*left, *right)):
            if left.get(name) != right.get(name):
                shown = what if what in ("dataset", "solver") else f"{what}{name}"
                parts.append(f"{shown} ({plain(left.get(name))}, {plain(right.get(name))})")
    return ", ".join(parts)
