"""Checks the figures of specs before anything is measured: their grammar, and that their fields can have values."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from warpbench_plots.errors import PlotsError, nearest
from warpbench_plots.fields.declared import declarations
from warpbench_plots.fields.field import Field
from warpbench_plots.fields.names import SHORT
from warpbench_plots.fields.selectors import Selector
from warpbench_plots.figures.grammar import VARIANT, FigureSpec, parse_figure
from warpbench_plots.results.run import read_spec

# Below these a record has the parameters of its trial, and nothing else.
_OF_TRIALS = ("solver.parameters.", "task.")
_OWN = frozenset({VARIANT, "threads", "source"})


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


def _unknown_names(figure: FigureSpec, names: Collection[str]) -> Iterator[str]:
    for key, field in _fields(figure):
        for name in field.formula.names:
            if _may_have_values(name, names):
                continue
            near = nearest(name, [*names, *declarations().quantities, *SHORT])
            path = "" if "." in name else f"; if one is counted so, write where it stands, as in counters.{name}"
            yield f"{key}: no trial is known to have {name!r}{near}{path}"


def _fields(figure: FigureSpec) -> Iterator[tuple[str, Field]]:
    raw: Mapping[str, Any] = figure.raw
    for key, field in (("x", figure.x), ("y", figure.y), ("series", figure.series), ("facet", figure.facet)):
        told = {"x": "rows", "y": "value", "series": "columns"}.get(key, key) if figure.kind == "table" else key
        if field is not None and told in raw:
            yield told, field
    for field in figure.box:
        yield "box", field
    selectors: list[tuple[str, Selector]] = [("where", figure.where)]
    selectors += [(f"groups: {name}", one) for name, several in figure.groups.items() for one in several]
    if figure.baseline is not None:
        selectors.append(("baseline", figure.baseline))
    for key, selector in selectors:
        for field, _ in selector.conditions:
            yield key, field


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
