"""What the pages of datasets and of solvers say: properties, parameters, and a row a trial."""

from collections.abc import Callable, Sequence

from warpbench_plots.fields.comparable import comparable_time
from warpbench_plots.results.records import Record
from warpbench_plots.site import content
from warpbench_plots.site.tables import Table, Worded, without_empty, words
from warpbench_plots.solver_texts import described

Place = Callable[[Record], str]  # of a record: a place in the site


def trials(records: Sequence[Record], experiment: Place, dataset: Place, solver: Place, row: Place) -> Table:
    """A row a trial, which leads to its experiment, dataset, solver and record."""
    head = ("experiment", "dataset", "solver", "point", "task", "parameters", "time (s)", "status", "reason")
    rows = [
        (
            Worded(r.experiment, link=experiment(r)),
            Worded(r.dataset.name, link=dataset(r)),
            Worded(r.solver.name, link=solver(r)),
            r.solver.point,
            content.parameters(r.raw["task"]),
            content.parameters(r.solver.parameters),
            time[0] if (time := comparable_time(r)) else None,
            content.with_solved(r.status, r),
            r.reason,
            r.machine,
            r.revision[:12],
            Worded(r.trial, link=row(r)),
        )
        for r in records
    ]
    return without_empty((*head, "machine", "revision", "trial"), rows)


def about_dataset(records: list[Record]) -> tuple[list[str], str, Table]:
    """Its lines, the heading of its table, and the table."""
    kind = "A stand-in for a document's dataset." if records[0].dataset.stand_in else ""
    digests = ", ".join(sorted({r.dataset.digest for r in records if r.dataset.digest}))
    properties = {key: value for r in records for key, value in r.dataset.properties.items()}
    lines = [line for line in (kind, f"Digest {digests}" if digests else "") if line]
    return lines, "Properties", Table(("property", "value"), tuple(properties.items()))


def about_solver(records: list[Record]) -> tuple[list[str], str, Table]:
    """As `about_dataset`."""
    first, seen = records[0], dict[str, dict[str, None]]()
    for record in records:
        for key, value in record.solver.parameters.items():
            seen.setdefault(key, {})[words(value)] = None
    problems = sorted({r.problem for r in records})
    machines = ", ".join(sorted({r.machine for r in records}))
    known = [one for problem in problems if (one := described(problem, first.solver.name))]
    lines = [
        *dict.fromkeys(f"{one.title}. Source: {one.source}." for one in known),
        f"{', '.join(problems)}; runs on a {first.solver.device}; role: {first.solver.role}",
        f"Ran on {machines}: {sum(r.status == 'ok' for r in records)} of {len(records)} trials ok.",
    ]
    meanings = {key: value for one in known for key, value in one.parameters.items()}
    rows = [(key, ", ".join(values), *meanings.get(key, ("", "", ""))) for key, values in seen.items()]
    head = ("parameter", "values that were run", "default", "unit", "meaning")
    return lines, "Parameters", without_empty(head, rows)
