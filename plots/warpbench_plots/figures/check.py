"""Checks the figures of specs: before anything is measured, their grammar, that their names can have values and that
their trials have places of their own; after it, that the records have the values."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from warpbench_plots.errors import InputError, PlotsError, nearest
from warpbench_plots.fields.declared import declarations
from warpbench_plots.fields.field import Field, field
from warpbench_plots.fields.known import COMMON, NameKind, NamesOfTrials, is_no_number
from warpbench_plots.fields.names import SHORT
from warpbench_plots.fields.selectors import Selector
from warpbench_plots.figures.foreseen import unfit_trials
from warpbench_plots.figures.grammar import VARIANT, FigureSpec, parse_figure
from warpbench_plots.figures.planned import Plan
from warpbench_plots.figures.published import mapping_of
from warpbench_plots.results.run import Experiment
from warpbench_plots.results.schema import record_schema

# The keys that say where a point stands: without a value of theirs no point has its place.
_PLACES = ("x", "rows", "series", "columns", "facet", "baseline", "at")

# The keys of what is drawn there.
_NUMBERS = ("y", "value", "right", "box", "at")


def faults_of(plan: Plan) -> list[str]:
    """A sentence for each figure of a plan's spec that cannot be drawn."""
    spec, names, faults = plan.spec, plan.names(), []
    for number, raw in enumerate(spec.figures):
        try:
            figure = parse_figure(raw, spec.experiment, spec.title, number)
            for table in figure.published:
                mapping_of(table)
        except PlotsError as error:
            faults.append(_with_experiment(str(error), spec.experiment))
            continue
        unknown = [*(one.sentence for one in _unknown_names(figure, names)), *_words(figure)]
        found = unknown or list(unfit_trials(figure, plan, names))
        faults += [f"{spec.experiment}: figure: {fault}" for fault in found]
    return faults


def _with_experiment(sentence: str, experiment: str) -> str:
    return sentence if sentence.startswith(experiment) else f"{experiment}: figure: {sentence}"


def refuse_unknown(figure: FigureSpec, experiment: Experiment) -> None:
    """Refuses a figure with a name that no record of the runs has, after they ran: it would be drawn empty."""
    known = _names_of(experiment)
    # Selectors may name solvers that did not run, and select nothing then. A trial without the steps of a
    # curve has a mark that says so.
    kept = ("where", "groups", "sweeps", "curve")
    unknown = (one for one in _unknown_names(figure, known) if not one.key.startswith(kept))
    told = (one.sentence for one in unknown if not _has_value(one.name, figure, experiment))
    fault = next(chain(told, _words(figure), _without_values(figure, experiment, known)), None)
    if fault is not None:
        raise InputError(f"figure {figure.name}: {fault}")


def _has_value(name: str, figure: FigureSpec, experiment: Experiment) -> bool:
    """Whether a record has a value of that name, whatever is declared."""
    if not name:
        return False
    one = field(name, figure.name)
    return any(one.value(record) is not None for record in experiment.records)


def _names_of(experiment: Experiment) -> NamesOfTrials:
    """The parameters of the trials, of those too that were not run, and what else their records have."""
    solver: set[str] = set()
    task: set[str] = set()
    others: set[str] = set()
    for record in experiment.records:
        solver.update(record.solver.parameters)
        task.update(record.raw["task"])
        for place in ("work", "counters", "phases_s"):
            others.update(record.raw.get(place) or ())
        others.update((record.raw.get("prepare") or {}).get("phases_s") or ())
        others.update((record.raw.get("judgement") or {}).get("metrics") or ())
        others.update(record.raw["dataset"].get("properties") or ())
        others.update(record.raw["dataset"].get("parameters") or ())
    for run in experiment.runs:
        for key in ("task", "solvers", "datasets"):
            others.update(_keys(run.spec.raw.get(key)))
    return NamesOfTrials(
        experiment.records[0].problem if experiment.records else experiment.spec.problem,
        frozenset(solver),
        frozenset(task),
        others=frozenset(others),
        any_phase=any(record.solver.name == "external" for record in experiment.records),
    )


def _keys(node: Any) -> Iterator[str]:
    """The keys of mappings in lists and mappings, at any depth."""
    if isinstance(node, Mapping):
        yield from map(str, node)
    children = node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ()
    for child in children:
        yield from _keys(child)


def _without_values(figure: FigureSpec, experiment: Experiment, known: NamesOfTrials) -> Iterator[str]:
    """The names that no record has a value of, although trials ended well: places of points, and counters."""
    if not any(record.status == "ok" for record in experiment.records):
        return
    for key, which in _fields(figure):
        for name in which.formula.names:
            if not (key in _PLACES or name.startswith("counters.")) or name in {VARIANT, *SHORT.values()}:
                continue
            if known.is_told(name):
                continue  # of a trial that was not run, or declared
            if key not in _PLACES and all(record.lacks_profile for record in experiment.records):
                continue  # perhaps a profiler's, as its cells say
            if not _has_value(name, figure, experiment):
                root, dot, _ = name.partition(".")
                near = nearest(name, (f"{root}.{other}" for other in _below(root, experiment))) if dot else ""
                yield f"{key}: no record of the runs has {name!r}{near}"


def _below(root: str, experiment: Experiment) -> set[str]:
    """The names that records have below a root such as counters."""
    return {name for record in experiment.records for name in record.raw.get(root) or ()}


class _Unknown(NamedTuple):
    key: str
    name: str  # of a field; "" of what is none
    sentence: str


def _unknown_names(figure: FigureSpec, names: NamesOfTrials) -> Iterator[_Unknown]:
    """The names that no trial can have, and what is wrong with each."""
    for key, which in _fields(figure):
        for name in which.formula.names:
            if names.kind(name) is NameKind.UNKNOWN:
                is_own = "." in name or name in record_schema()["properties"]
                path = "" if is_own else f"; if one is counted so, write where it stands, as in counters.{name}"
                sentence = f"{key}: no trial is known to have {name!r}{names.near(name)}{path}"
                yield _Unknown(key, name, sentence)
    for phase in figure.phases:
        if not names.has_phase(phase):
            near = nearest(phase, declarations().problem(names.problem).phases)
            sentence = f"phases: no solver of {names.problem} is known to have a phase {phase!r}{near}"
            yield _Unknown("phases", "", sentence)
    if figure.curve is not None:
        known = declarations().problem(names.problem).curves | declarations().problem(COMMON).curves
        if figure.curve.name not in known:
            yield _Unknown("curve", "", f"curve: {names.problem} declares no curve {figure.curve.name!r}")


def _words(figure: FigureSpec) -> Iterator[str]:
    """Names of words where the figure draws numbers."""
    for key, which in _fields(figure):
        if key in _NUMBERS:
            yield from (
                f"{key}: expected a number to draw, and {name!r} is none"
                for name in which.formula.names
                if is_no_number(name)
            )


def _fields(figure: FigureSpec) -> Iterator[tuple[str, Field]]:
    raw: Mapping[str, Any] = figure.raw
    for key, one in (("x", figure.x), ("y", figure.y), ("series", figure.series), ("facet", figure.facet)):
        told = {"x": "rows", "y": "value", "series": "columns"}.get(key, key) if figure.kind == "table" else key
        if one is not None and told in raw:
            yield told, one
    yield from (("y", one) for one in list(figure.quantities.values())[1:])
    yield from (("x", sweep.x) for sweep in figure.sweeps.values())
    if figure.right is not None:
        yield "right", figure.right
    for part in figure.box:
        yield "box", part
    if figure.at is not None:
        yield "at", figure.at[0]
    selectors: list[tuple[str, Selector]] = [("where", figure.where)]
    selectors += [(f"groups: {name}", one) for name, several in figure.groups.items() for one in several]
    selectors += [(f"sweeps: {name}", one.where) for name, one in figure.sweeps.items()]
    if figure.baseline is not None:
        selectors.append(("baseline", figure.baseline))
    for key, selector in selectors:
        for which, _ in selector.conditions:
            yield key, which
