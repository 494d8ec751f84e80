"""The records of one machine, run by run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from warpbench_plots.claims.registry import Earlier, earlier_version
from warpbench_plots.claims.spread import Spread
from warpbench_plots.results.environment import Environment
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Run, Spec


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

    def earlier(self, record: Record) -> Earlier | None:
        """How the record's dataset differs from today's of that name."""
        return earlier_version(record, self._specs[record.place.path.parent])

    @cached_property
    def _specs(self) -> Mapping[Path, Spec]:
        return {run.path: run.spec for run in self.runs}

    @cached_property
    def spread(self) -> Spread:
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
