"""A trial's record as typed data."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Scalar = str | int | float | bool | None


@dataclass(frozen=True)
class Dataset:
    name: str
    digest: str | None
    stand_in: bool
    properties: Mapping[str, Scalar]


@dataclass(frozen=True)
class Solver:
    name: str
    role: str
    device: str
    parameters: Mapping[str, Scalar]
    point: str | None = None  # document, best or other; older records do not say

    @property
    def shown(self) -> str:
        """The name for readers, which says where the solver ran at our point and not as published."""
        return f"{self.name} (ours)" if self.point == "best" else self.name


@dataclass(frozen=True)
class Judgement:
    verdict: str
    metrics: Mapping[str, float | None]
    digest: str | None
    verified: int
    samples: int


@dataclass(frozen=True)
class Timing:
    median_s: float
    low_s: float
    high_s: float
    confidence: float
    samples: int
    covers: frozenset[str]
    threads: int | None
    precision: str | None
    stopped_by: str


@dataclass(frozen=True)
class Solved:
    """How many parts of an answer, such as queries, there are: a solver may give up some."""

    solved: int
    asked: int

    @property
    def all(self) -> bool:
        return self.solved >= self.asked

    def __str__(self) -> str:
        return f"{self.solved} of {self.asked} solved"


@dataclass(frozen=True)
class Place:
    """Where a record stands: its results file, its line (from 1) and that line's CRC-32."""

    path: Path
    line: int
    crc32: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True)
class Record:
    run: str
    trial: str
    experiment: str
    problem: str
    dataset: Dataset
    solver: Solver
    backend: str
    recorded_status: str
    reason: str | None
    judgement: Judgement | None
    time: Timing | None
    phases_s: Mapping[str, float]
    prepare_s: float | None
    device_peak_bytes: int | None
    host_peak_bytes: int | None
    ceiling: tuple[str, float | None] | None  # its name, and the share of it, which is None above it
    machine: str
    revision: str
    place: Place
    raw: Mapping[str, Any]  # the whole record, for fields addressed by name

    @property
    def fully_verified(self) -> bool:
        """Every timed sample's answer was judged right."""
        return self.judgement is not None and 0 < self.judgement.samples == self.judgement.verified

    @property
    def status(self) -> str:
        """The recorded status, except that `ok` with unjudged samples counts as `unverified`, without any part of the
        answer as `timeout`: older records say `ok` there."""
        if self.recorded_status == "ok" and not self.fully_verified:
            return "unverified"
        return "timeout" if self.recorded_status == "ok" and self.solved_nothing else self.recorded_status

    @property
    def preparations(self) -> int:
        """How often its solver was prepared and timed; older records do not list their only one."""
        return len(self.raw["prepare"].get("samples_s", [None])) if self.raw["prepare"] else 0

    @property
    def solved(self) -> Solved | None:
        """None for problems whose answers have no parts, and where there is no answer."""
        metric = self.judgement.metrics.get("solved") if self.judgement is not None else None
        asked = (self.raw["work"] or {}).get("queries")
        # The metric is the mean over the samples, of which some may have solved more than others.
        return None if metric is None or asked is None else Solved(int(metric + 1e-6), int(asked))

    @property
    def incomplete(self) -> bool:
        """Parts of the answer were given up: the time is not that of all."""
        return self.solved is not None and not self.solved.all

    @property
    def lacks_profile(self) -> bool:
        """Whether a profiler's counters were asked for and there was no profiler, as on a machine without a GPU."""
        protocol = self.raw.get("protocol") or {}
        return bool(protocol.get("profile") or protocol.get("profile_transactions")) and "profile" not in self.raw

    @property
    def solved_nothing(self) -> bool:
        return self.solved is not None and self.incomplete and self.solved.solved == 0

    @property
    def stands_in(self) -> bool:
        """The dataset stands for another one: a stand-in, or a generated one with other parameters than published."""
        generated = bool(self.raw["dataset"].get("parameters"))
        return self.dataset.stand_in or (generated and "(" in self.dataset.name)

    @property
    def functional(self) -> bool:
        """A GPU solver executed on the CPU (simt): its answer counts, its time means nothing."""
        return self.backend == "simt" and self.solver.device != "cpu"

    @property
    def timed(self) -> bool:
        """Whether this record's time may be shown as a time."""
        return self.status == "ok" and not self.functional and self.time is not None

    @property
    def verification(self) -> str:
        if self.judgement is None:
            return "not judged"
        if self.solved_nothing:
            return str(self.solved)
        solved = f", {self.solved}" if self.incomplete else ""
        samples = (
            f"{self.judgement.verdict}, {self.judgement.verified} of {self.judgement.samples} samples verified{solved}"
        )
        answered, verified = (self.judgement.metrics.get(name) for name in ("solved", "verified"))
        if answered is None or verified is None or verified >= answered:
            return samples
        return f"{samples}, {verified:.4g} of {answered:.4g} solved queries verified"


def record_of(raw: Mapping[str, Any], place: Place) -> Record:
    """The typed record of a schema-valid JSON object."""
    dataset, solver, judged, time = (
        raw["dataset"],
        raw["solver"],
        raw["judgement"],
        raw["time"],
    )
    memory, ceiling = raw["memory"] or {}, raw["ceiling"]
    return Record(
        run=raw["run"],
        trial=raw["trial"],
        experiment=raw["experiment"],
        problem=raw["problem"],
        dataset=Dataset(
            dataset["name"],
            dataset["digest"],
            dataset["stand_in"],
            dataset["properties"],
        ),
        solver=Solver(
            solver["name"],
            solver["role"],
            solver["device"],
            solver["parameters"],
            solver.get("point"),
        ),
        backend=raw["backend"],
        recorded_status=raw["status"],
        reason=raw["reason"],
        judgement=judged
        and Judgement(
            judged["verdict"],
            judged["metrics"],
            judged["digest"],
            *judged["verified_samples"],
        ),
        time=time and _timing(time),
        phases_s=raw["phases_s"] or {},
        prepare_s=raw["prepare"]["median_s"] if raw["prepare"] else None,
        device_peak_bytes=memory.get("device_peak_bytes"),
        host_peak_bytes=memory.get("host_peak_bytes"),
        ceiling=ceiling and (ceiling["name"], _below(ceiling["share"])),
        machine=raw["environment"]["machine"],
        revision=raw["environment"]["revision"],
        place=place,
        raw=raw,
    )


def _below(share: float | None) -> float | None:
    """Older records have a share above 1 where newer ones have none: nearer memory served the trial."""
    return None if share is None or share > 1 else share


def _timing(time: Mapping[str, Any]) -> Timing:
    return Timing(
        median_s=time["median_s"],
        low_s=time["low_s"],
        high_s=time["high_s"],
        confidence=time["confidence"],
        samples=len(time["samples_s"]),
        covers=frozenset(time["covers"]),
        threads=time.get("threads"),
        precision=time.get("precision"),
        stopped_by=time["stopped_by"],
    )
