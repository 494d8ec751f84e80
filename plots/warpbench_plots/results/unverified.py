"""What no reference verified: solvers that contradict each other there."""

import json
from collections.abc import Iterable

from warpbench_plots.results.records import Record


def contradictions(records: Iterable[Record]) -> list[str]:
    """A sentence for each metric `unverified_…` that is not the same in two records of one dataset and task: such
    metrics are the same in all right answers."""
    first: dict[tuple[str, ...], tuple[float, Record]] = {}
    found = []
    for record in records:
        task = json.dumps(record.raw["task"], sort_keys=True)
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
