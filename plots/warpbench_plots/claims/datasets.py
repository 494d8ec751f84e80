"""Which records are on a document's dataset, and in which size of it."""

from collections.abc import Mapping, Sequence

from warpbench_plots.claims.measured import NotTested
from warpbench_plots.fields.declared import Problem, declarations
from warpbench_plots.fields.field import value_of
from warpbench_plots.fields.formula import number_of
from warpbench_plots.fields.selectors import dataset_is
from warpbench_plots.results.records import Record


def sizes_of(records: Sequence[Record], wanted: str) -> list[str]:
    """The names of a document's dataset in the sizes that were run, the smallest first; of its stand-ins where the real
    one was not."""
    names: dict[str, Record] = {}
    for record in records:
        if dataset_is(record.dataset.name, wanted):
            names.setdefault(record.dataset.name, record)
    real = {name: record for name, record in names.items() if not record.dataset.stand_in}
    kept = real or names
    return sorted(kept, key=lambda name: _size(kept[name]))


def on_dataset(records: Sequence[Record], wanted: str) -> list[Record]:
    """Records on a document's dataset: the real one where it was run, else a stand-in; of its sizes the largest."""
    names = sizes_of(records, wanted)
    if not names:
        raise NotTested("dataset absent", "no trial on it or on a stand-in for it")
    return [record for record in records if record.dataset.name == names[-1]]


def printed_axes(record: Record) -> Mapping[str, tuple[str, float]]:
    """The axes by which documents list numbers for the record's problem: axis → the field's own name and its value."""
    axes = {}
    for axis, formula in _problem(record).printed_by.items():
        number = number_of(value_of(formula, record))
        if number is not None:
            axes[axis] = (formula.text.rpartition(".")[2], number)
    return axes


def _size(record: Record) -> float:
    """By the size that the problem declares; unknown sizes come first."""
    size = _problem(record).size
    return (number_of(value_of(size, record)) if size else None) or 0.0


def _problem(record: Record) -> Problem:
    return declarations().problems.get(record.problem, Problem())
