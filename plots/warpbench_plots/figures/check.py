"""Checks the figures of specs: before anything is measured, their grammar and that their fields can have values; after
it, that the records have them."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from warpbench_plots.errors import InputError, PlotsError, nearest
from warpbench_plots.fields.declared import declarations
from warpbench_plots.fields.field import Field, field
from warpbench_plots.fields.names import SHORT
from warpbench_plots.fields.selectors import Selector
from warpbench_plots.figures.grammar import VARIANT, FigureSpec, parse_figure
from warpbench_plots.results.run import Experiment, read_spec

# Below these a record has the parameters of its trial, and nothing else.
_OF_TRIALS = ("solver.parameters.", "task.")
_OWN = frozenset({VARIANT, "threads", "source"})
# The keys that say where a point stands: without a value of theirs no point has its place.
_PLACES = ("x", "rows", "series", "columns", "facet", "baseline")


def faults_of(path: Path, names: Collection[str]) -> list[str]:
    """A sentence for each figure of a spec that cannot be drawn; `names` are the parameters of its trials."""
    spec = read_spec(path)
    faults = []
    for number, raw in enumerate(spec.figures):
        try:
            figure = parse_figure(raw, spec.experiment, spec.title, number)
        except PlotsError as error:
            faults.append(str(error))
            continue
        faults += [f"{spec.experiment}: figure: {fault}" for fault in _unknown_names(figure, names)]
    return faults


def refuse_unknown(figure: FigureSpec, experiment: Experiment) -> None:
    """Refuses a figure with a name that no record of the runs has, after they ran: it would be drawn empty."""
    known = _names_of(experiment)
    # What `where` and `groups` name may be of solvers that did not run; they select nothing then.
    unknown = (fault for fault in _unknown_names(figure, known) if not fault.startswith(("where", "groups")))
    fault = next(unknown, None) or next(_without_values(figure, experiment, known), None)
    if fault is not None:
        raise InputError(f"figure {figure.name}: {fault}")


def _names_of(experiment: Experiment) -> frozenset[str]:
    """The parameters of the trials, of those too that were not run."""
    names: set[str] = set()
    for record in experiment.records:
        names |= {*record.solver.parameters, *record.raw["task"]}
    for run in experiment.runs:
        for key in ("task", "solvers", "datasets"):
            names |= set(_keys(run.spec.raw.get(key)))
    # What stands elsewhere in records without a path.
    for record in experiment.records:
        for place in ("work", "counters"):
            names |= set(record.raw.get(place) or ())
        names |= set((record.raw.get("judgement") or {}).get("metrics") or ())
        names |= {*(record.raw["dataset"].get("properties") or ()), *(record.raw["dataset"].get("parameters") or ())}
    return frozenset(names)


def _keys(node: Any) -> Iterator[str]:
    """The keys of mappings in lists and mappings, at any depth."""
    if isinstance(node, Mapping):
        yield from map(str, node)
    children = node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ()
    for child in children:
        yield from _keys(child)


def _without_values(figure: FigureSpec, experiment: Experiment, known: Collection[str]) -> Iterator[str]:
    """The names that no record has a value of, although trials ended well: places of points, and counters."""
    if not any(record.status == "ok" for record in experiment.records):
        return
    for key, which in _fields(figure):
        for name in which.formula.names:
            if not (key in _PLACES or name.startswith("counters.")) or name in {VARIANT, *SHORT.values(), *known}:
                continue
            if name.rpartition(".")[2] in {*known, *_named_in_declarations()} or declarations().is_timed(name):
                continue  # of a trial that was not run, or declared for others
            one = field(name, figure.name)
            if all(one.value(record) is None for record in experiment.records):
                root, dot, _ = name.partition(".")
                near = nearest(name, (f"{root}.{other}" for other in _below(root, experiment))) if dot else ""
                yield f"{key}: no record of the runs has {name!r}{near}"


def _below(root: str, experiment: Experiment) -> set[str]:
    """The names that records have below a root such as counters."""
    return {name for record in experiment.records for name in record.raw.get(root) or ()}


def _unknown_names(figure: FigureSpec, names: Collection[str]) -> Iterator[str]:
    for key, which in _fields(figure):
        for name in which.formula.names:
            if _may_have_values(name, names):
                continue
            near = nearest(name, [*names, *declarations().quantities, *SHORT])
            path = "" if "." in name else f"; if one is counted so, write where it stands, as in counters.{name}"
            yield f"{key}: no trial is known to have {name!r}{near}{path}"


def _fields(figure: FigureSpec) -> Iterator[tuple[str, Field]]:
    raw: Mapping[str, Any] = figure.raw
    for key, one in (("x", figure.x), ("y", figure.y), ("series", figure.series), ("facet", figure.facet)):
        told = {"x": "rows", "y": "value", "series": "columns"}.get(key, key) if figure.kind == "table" else key
        if one is not None and told in raw:
            yield told, one
    for part in figure.box:
        yield "box", part
    selectors: list[tuple[str, Selector]] = [("where", figure.where)]
    selectors += [(f"groups: {name}", one) for name, several in figure.groups.items() for one in several]
    if figure.baseline is not None:
        selectors.append(("baseline", figure.baseline))
    for key, selector in selectors:
        for which, _ in selector.conditions:
            yield key, which


def _may_have_values(name: str, names: Collection[str]) -> bool:
    for prefix in _OF_TRIALS:
        if name.startswith(prefix):
            return name.removeprefix(prefix) in names
    if "." in name or name in _OWN or name in names or name.endswith("_per_second"):
        return True
    return name in declarations().quantities or name in _named_in_declarations()


def _named_in_declarations() -> frozenset[str]:
    """The last parts of the paths that the problems' declarations name: `recall` of `judgement.metrics.recall`."""
    known = declarations()
    formulas = [one.formula for one in known.quantities.values() if one.formula is not None]
    formulas += [one.needs_all for one in known.quantities.values() if one.needs_all is not None]
    for problem in known.problems.values():
        formulas += [*problem.printed_by.values(), *problem.unsolved.values()]
        formulas += [problem.size] if problem.size is not None else []
    paths = {name for formula in formulas for name in formula.names} | known.timed | known.recorded
    return frozenset(path.rpartition(".")[2] for path in paths)
