"""What no reference verified: solvers that contradict each other there."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from warpbench_plots.errors import InputError
from warpbench_plots.files import read_placed
from warpbench_plots.locations import PROBLEMS
from warpbench_plots.results.records import Record, Scalar

KEY = "indifferent"  # of problems/PROBLEM/quantities.yaml
_UNLESS = "unless"


def contradictions(records: Iterable[Record]) -> list[str]:
    """A sentence for each metric `unverified_…` that is not the same in two records of one dataset, whose tasks ask for
    the same numbers: such metrics are the same in all right answers."""
    first: dict[tuple[str, ...], tuple[float, Record]] = {}
    found = []
    for record in records:
        task = json.dumps(_deciding_part(record), sort_keys=True)
        for name, number in (record.judgement.metrics if record.judgement else {}).items():
            if not name.startswith("unverified_") or number is None:
                continue
            question = (
                record.problem,
                task,
                record.dataset.name,
                record.dataset.digest or "",
                name,
            )
            known, other = first.setdefault(question, (number, record))
            if known != number:
                found.append(
                    f"{record.place}: {record.dataset.name}: {name} is {known:.17g} by {other.solver.shown} "
                    f"(trial {other.trial}) and {number:.17g} by {record.solver.shown} (trial {record.trial}): "
                    "one of them is wrong"
                )
    return found


def indifferent(problem: Path) -> dict[str, dict[str, Scalar]]:
    """The parameters of a problem's task on which unverified numbers do not depend, with the values in the task where
    they do; a bad declaration in its quantities.yaml is refused with file and line."""
    path = problem / "quantities.yaml"
    keys = read_placed(path).mapping() if path.is_file() else {}
    declared = keys[KEY].mapping() if KEY in keys else {}
    found: dict[str, dict[str, Scalar]] = {}
    for name, raw in declared.items():
        entries = raw.mapping((_UNLESS,))
        unless = entries[_UNLESS].mapping() if _UNLESS in entries else {}
        found[name] = {other: value.value for other, value in unless.items()}
        for value in unless.values():
            if isinstance(value.value, dict | list):
                raise InputError(f"{value.where}: {_UNLESS}: expected the value of a task's parameter")
    return found


@cache
def _indifferent(problem: str) -> dict[str, dict[str, Scalar]]:
    return indifferent(PROBLEMS / problem)


def _deciding_part(record: Record) -> Mapping[str, Scalar]:
    task: Mapping[str, Scalar] = record.raw["task"]

    def decides(name: str) -> bool:
        unless = _indifferent(record.problem).get(name)
        if unless is None:
            return True
        return bool(unless) and all(task.get(other) == value for other, value in unless.items())

    return {name: value for name, value in task.items() if decides(name)}
