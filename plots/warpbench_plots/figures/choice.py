"""Which figures a name stands for: one, those of an experiment, those of a document, or all."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from warpbench_plots.errors import InputError, nearest
from warpbench_plots.figures.grammar import figure_name
from warpbench_plots.results.run import Spec, spec_of_run

ALL = "all"


@dataclass(frozen=True)
class Choice:
    """Run directories, and which of their figures are wanted: None stands for all of them."""

    directories: tuple[Path, ...]
    figures: frozenset[str] | None = None


def choose(directories: Sequence[Path], names: Sequence[str], newer: Path | None = None) -> Choice:
    """Finds `yu2023/fig-4.4` (an experiment), `yu2023` (a document), `yu2023-fig-4.4-work` (a figure) or `all`; no name
    stands for all.

    Reads only the specs, with the figures of those in `newer`. A name that is none of these is an InputError with the
    nearest one that is.
    """
    if not names or ALL in names:
        return Choice(tuple(directories))
    specs = {directory: spec_of_run(directory, newer) for directory in directories}
    figures: set[str] = set()
    for name in names:
        whole = [spec for spec in specs.values() if name in (spec.experiment, _document(spec))]
        figures |= _all_figures(whole) if whole else {_figure_named(name, specs.values())}
    chosen = tuple(d for d, spec in specs.items() if figures.intersection(_figures(spec)))
    return Choice(chosen, frozenset(figures))


def _figure_named(name: str, specs: Collection[Spec]) -> str:
    if name in _all_figures(specs):
        return name
    documents = sorted({_document(spec) for spec in specs})
    known = {*documents, *(spec.experiment for spec in specs), *_all_figures(specs)}
    hint = nearest(name, known) or f"; expected {ALL}, a document ({', '.join(documents)}), or one of its experiments"
    raise InputError(f"no figure, experiment or document of these runs is named {name!r}{hint}")


def _document(spec: Spec) -> str:
    return spec.experiment.partition("/")[0]


def _figures(spec: Spec) -> list[str]:
    return [str(figure_name(raw, spec.experiment, number)) for number, raw in enumerate(spec.figures)]


def _all_figures(specs: Iterable[Spec]) -> set[str]:
    return {name for spec in specs for name in _figures(spec)}
