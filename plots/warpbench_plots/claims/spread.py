"""How much a time differs between executions of the same trial by the same program."""

import json
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from warpbench_plots.fields.comparable import comparable_time
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Run

NEAR = 10.0  # times within this factor are of the same order of magnitude
ENOUGH_REPEATED = 10  # trials: nine of ten of fewer are nearly all of them, or one of two
CONFIDENCE = 0.95  # that the true median lies within the range of the samples
DEVICES = {"cpu": "the CPU", "gpu": "the GPU", "hybrid": "CPU and GPU together"}


@dataclass(frozen=True)
class Known:
    """The largest time over the smallest, and whose executions show it."""

    factor: float
    by: str

    def __str__(self) -> str:
        return f"{self.factor:.4g}x by {self.by}"


class Spread:
    """The run-to-run spread of times, and of times of the preparation: of a trial the largest over the smallest, over
    its executions by one revision, in several runs or in a calibrated one. The time of an execution counts with samples
    enough for a verdict: fewer say too little of its median, and a single one without a warm-up may be 2.6 times as
    long. A preparation counts with any number of samples.

    How far a time is disturbed depends on its length. A trial that was executed only once has the usual spread of the
    repeated trials of its problem and device whose times are of the same order of magnitude, if there are ten; else of
    all of its problem and device, if there are ten. Else it has the largest usual spread of any problem's repeated
    trials on its device of that order. The usual spread of ten trials or more is the factor below which nine of ten of
    them stay, that of fewer their largest. Solvers on the CPU, on the GPU and on both are told apart, since other
    programs disturb a host more than a GPU.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        records = [record for run in runs for record in run.records]
        records += [one for run in runs if run.executions for record in run.records for one in run.further(record)]
        timed = [(_identity(record), record) for record in records if record.timed]
        self._executions = Counter(identity for identity, _ in timed)
        enough = [(own, record) for own, record in timed if record.time and record.time.confidence >= CONFIDENCE]
        self._of_times = _Ratios(enough, lambda record: time[0] if (time := comparable_time(record)) else None)
        self._of_preparations = _Ratios(timed, lambda record: record.prepare_s)

    def preparations(self, record: Record) -> int:
        """How often the record's solver was prepared and timed: in its own execution, whose list gives the interval, or
        once in each."""
        return max(1, record.preparations, self._executions[_identity(record)])

    def of(self, record: Record, *, prepared: bool = False) -> Known | None:
        """None where no execution shows it."""
        return (self._of_preparations if prepared else self._of_times).of(record)


class _Ratios:
    """The spread of what `seconds` reads from a record."""

    def __init__(self, timed: Sequence[tuple[str, Record]], seconds: Callable[[Record], float | None]) -> None:
        """Of records by identity."""
        self._seconds = seconds
        first: dict[str, Record] = {}
        found: dict[str, list[float]] = {}
        for identity, record in timed:
            value = seconds(record)
            if value is not None and value > 0:  # else below the clock
                first.setdefault(identity, record)
                found.setdefault(identity, []).append(value)
        self._of_trial = {key: max(own) / min(own) for key, own in found.items() if len(own) > 1}
        # Trials that share a preparation have the same time of it, which counts once.
        self._trials = {
            (first[key].problem, first[key].solver.device, statistics.median(found[key]), factor)
            for key, factor in self._of_trial.items()
        }

    def of(self, record: Record) -> Known | None:
        own = self._of_trial.get(_identity(record))
        if own is not None:
            return Known(own, "executions of the trial")
        value, device = self._seconds(record), record.solver.device
        near: dict[str, list[float]] = {}
        alike: list[float] = []
        for problem, where, seconds, factor in self._trials:
            if where != device:
                continue
            if problem == record.problem:
                alike.append(factor)
            if _is_near(seconds, value):
                near.setdefault(problem, []).append(factor)
        if len(near.get(record.problem, [])) >= ENOUGH_REPEATED:
            return _usual(near[record.problem], record.problem, device, "of similar length")
        if len(alike) >= ENOUGH_REPEATED:
            return _usual(alike, record.problem, device, "of any length")
        usual = [_usual(near[problem], problem, device, "of similar length") for problem in sorted(near)]
        return max(usual, key=lambda known: known.factor, default=None)


def _usual(factors: list[float], problem: str, device: str, which: str) -> Known:
    trials = len(factors)
    where = f"of {problem} on {DEVICES[device]} {which}"
    if trials >= ENOUGH_REPEATED:
        return Known(statistics.quantiles(factors, n=10, method="inclusive")[-1], f"{trials} repeated trials {where}")
    those = "the one repeated trial" if trials == 1 else f"the largest of {trials} repeated trials"
    return Known(max(factors), f"{those} {where}")


def _is_near(seconds: float, value: float | None) -> bool:
    return value is not None and value > 0 and 1 / NEAR <= seconds / value <= NEAR


def _identity(record: Record) -> str:
    """Equal for trials that do the same work by the same code on as many threads.

    A solver that is given all threads has another number of them on another machine.
    """
    covers = sorted(record.time.covers) if record.time else []
    threads = record.time.threads if record.time else None
    dataset = [record.dataset.name, record.dataset.digest]
    solver = [record.solver.name, dict(record.solver.parameters), record.backend, record.revision]
    return json.dumps([record.problem, record.raw.get("task"), dataset, solver, covers, threads], sort_keys=True)
