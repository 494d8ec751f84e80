"""Times of the same trial over revisions, from the records that git's history of a folder holds."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from warpbench_plots.fields.comparable import comparable_time
from warpbench_plots.results.records import Place, Record, record_of

SPREAD = 0.3
"""Two runs of one program differ by less in 95 of 100 pairs on a quiet H200 (`warpbench compare --help`)."""


@dataclass(frozen=True)
class Time:
    revision: str
    median_s: float  # in which what is unsolved counts with its limit
    remark: str = ""  # `, 9 of 10 solved`


@dataclass
class TrialHistory:
    """One trial on one machine; its times are in the order in which their records came into the history."""

    trial: str
    machine: str
    experiment: str
    dataset: str
    solver: str
    parameters: dict[str, Any]
    times: list[Time] = field(default_factory=list)

    @property
    def change(self) -> float:
        """The last time over the one before it."""
        return self.times[-1].median_s / self.times[-2].median_s

    @property
    def mark(self) -> str:
        """`slower` or `faster` where the last change is more than the spread, else nothing."""
        if self.change > 1 + SPREAD:
            return "slower"
        return "faster" if self.change < 1 / (1 + SPREAD) else ""


def histories(folder: Path) -> list[TrialHistory]:
    """The trials with times of two revisions or more; none outside a git checkout. Slowed ones come first."""
    found: dict[tuple[str, str], TrialHistory] = {}
    for record in _records(folder):
        time = comparable_time(record)
        if time is None or time[0] <= 0:
            continue
        history = found.setdefault(
            (record.trial, record.machine),
            TrialHistory(
                trial=record.trial,
                machine=record.machine,
                experiment=record.experiment,
                dataset=record.dataset.name,
                solver=record.solver.name,
                parameters=record.raw["task"] | record.solver.parameters,
            ),
        )
        history.experiment = record.experiment  # its last name
        history.times = [one for one in history.times if one.revision != record.revision]
        remark = f", {record.solved}" if record.incomplete else ""
        history.times.append(Time(record.revision, time[0], remark))
    several = [history for history in found.values() if len(history.times) > 1]
    return sorted(several, key=lambda history: -history.change)


def is_in_history(folder: Path) -> bool:
    """Whether git knows of results in the folder; not without git, in an unpacked archive, or before a commit."""
    return bool(_blobs(folder))


def _records(folder: Path) -> Iterator[Record]:
    """Each version of each results file, the oldest first, line by line; what is no record is left out."""
    for blob in _blobs(folder):
        for number, text in enumerate(_git(folder, "cat-file", "blob", blob).splitlines(), 1):
            try:
                yield record_of(json.loads(text), Place(Path(blob), number, ""))
            except (json.JSONDecodeError, AttributeError, KeyError, TypeError):
                continue


def _blobs(folder: Path) -> list[str]:
    """The contents that files named results.jsonl have had."""
    try:
        log = _git(folder, "log", "--reverse", "--format=", "--raw", "--no-abbrev", "--diff-filter=AMR", "--", ".")
    except (OSError, subprocess.CalledProcessError):
        return []
    changes = [line.split("\t") for line in log.splitlines() if line.startswith(":")]
    return list(dict.fromkeys(c[0].split()[3] for c in changes if Path(c[-1]).name == "results.jsonl"))


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
