"""The records of one machine, run by run, and how much the time of one trial differs between runs."""

import json
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from warpbench_plots.results.environment import Environment
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Run


@dataclass(frozen=True)
class Group:
    """Records that may be divided by each other: of one experiment, run and revision."""

    experiment: str
    environment: Environment
    records: Sequence[Record]


@dataclass(frozen=True)
class Source:
    """All runs on one machine."""

    machine: str
    runs: Sequence[Run]

    def groups(self, experiments: Sequence[str]) -> list[Group]:
        """The groups of some experiments, in their order."""
        return [group for name in experiments for group in self._groups if group.experiment == name]

    @cached_property
    def _groups(self) -> list[Group]:
        groups = []
        for run in self.runs:
            for experiment, revision in dict.fromkeys((r.experiment, r.revision) for r in run.records):
                own = [r for r in run.records if (r.experiment, r.revision) == (experiment, revision)]
                groups.append(Group(experiment, run.environment, own))
        return groups

    @cached_property
    def spread(self) -> "Spread":
        return Spread(self.runs)


def on_newest_content(groups: Sequence[Group]) -> tuple[list[Group], dict[str, tuple[str, ...]]]:
    """The groups without records on data that a run begun later has other content of under the same name.

    Second, those that were left out: dataset → runs. Records of trials that could not read their data stay.
    """
    newest: dict[str, tuple[datetime, int, str]] = {}
    for group in groups:
        started = datetime.fromisoformat(group.environment.started_at)
        for record in group.records:
            name, digest = record.dataset.name, record.dataset.digest
            if digest is not None:
                content = (started, record.place.line, digest)
                newest[name] = max(newest.get(name, content), content)
    kept, left_out = [], dict[str, dict[str, None]]()
    for group in groups:
        own = []
        for record in group.records:
            if record.dataset.digest is None or record.dataset.digest == newest[record.dataset.name][2]:
                own.append(record)
            else:
                left_out.setdefault(record.dataset.name, {})[record.run] = None
        kept.append(replace(group, records=own))
    return kept, {name: tuple(runs) for name, runs in left_out.items()}


class Spread:
    """The run-to-run spread of times: the largest median of a trial over its smallest, over its executions by one
    revision, in several runs or in a calibrated one.

    A trial that was executed only once has the spread of the repeated trials of its problem and kind of device: the
    factor below which nine of ten of them stay. Where none was repeated the spread is unknown and taken as 1.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        records = [record for run in runs for record in run.records]
        executions = [one for run in runs for record in run.records for one in run.further(record)]
        medians: dict[str, list[float]] = {}
        for record in (*records, *executions):
            if record.timed and record.time is not None and record.time.median_s > 0:  # else below the clock
                medians.setdefault(_identity(record), []).append(record.time.median_s)
        self._executions = Counter(_identity(record) for record in (*records, *executions) if record.timed)
        self._of_trial = {key: max(own) / min(own) for key, own in medians.items() if len(own) > 1}
        ratios: dict[tuple[str, bool], dict[str, float]] = {}
        for record in records:
            ratio = self._of_trial.get(_identity(record))
            if ratio is not None:
                ratios.setdefault(_kind(record), {})[_identity(record)] = ratio
        self._usual = {kind: _ninth_decile(list(own.values())) for kind, own in ratios.items()}

    def executions(self, record: Record) -> int:
        """How often the record's trial was executed and timed, this record included."""
        return max(1, self._executions[_identity(record)])

    def of(self, record: Record) -> float:
        """At least 1."""
        return self._of_trial.get(_identity(record)) or self._usual.get(_kind(record), 1.0)


def _kind(record: Record) -> tuple[str, bool]:
    return record.problem, record.solver.device == "cpu"


def _identity(record: Record) -> str:
    """Equal for trials that do the same work by the same code."""
    covers = sorted(record.time.covers) if record.time else []
    dataset = [record.dataset.name, record.dataset.digest]
    solver = [record.solver.name, dict(record.solver.parameters), record.backend, record.revision]
    return json.dumps([record.problem, record.raw.get("task"), dataset, solver, covers], sort_keys=True)


def _ninth_decile(values: list[float]) -> float:
    return statistics.quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]
