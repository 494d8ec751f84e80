"""Fields: how a figure or a claim names a number or a text of a record.

`solver.parameters.threads`, `time.median_s`, `phases_s.transfer`, … are paths into the record. Short names stand for
the usual ones, COMPOUND for ratios of several; `WORK_per_second` is `work.WORK / time.median_s`; `A / B` divides,
`A + B` adds (before dividing), `A * B` multiplies (before adding).
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from warpbench_plots.errors import InputError
from warpbench_plots.results.records import Record, Scalar

SHORT = {
    "dataset": "dataset.name",
    "solver": "solver.name",
    "device": "solver.device",
    "role": "solver.role",
    "time": "time.median_s",
    "prepare": "prepare.median_s",
    "share": "ceiling.share",
    "device_memory": "memory.device_peak_bytes",
    "host_memory": "memory.host_peak_bytes",
}
# Quantities with a name of their own; only as a whole field.
COMPOUND = {
    "query_time": "time.median_s / work.queries",
    # Of solvers that write tables of matches, each with its own counter and phase.
    "write_throughput": "counters.bytes_written * work.queries + counters.table_bytes * work.queries"
    " / phases_s.enumerate + phases_s.join",
}
COMPOUND_LABELS = {
    COMPOUND["query_time"]: "time of a query (s), mean",
    COMPOUND["write_throughput"]: "bytes of matches written per second",
}
# Shares that follow from counters: whole, part, and whether the part is what is meant or the rest of the whole.
SHARES: dict[str, tuple[str | None, str, bool]] = {
    "structure_share": (None, "counters.distance_share", False),
    "build_distance_share": ("counters.build_ticks", "counters.build_distance_ticks", True),
    "build_structure_share": ("counters.build_ticks", "counters.build_distance_ticks", False),
}
# Whether a trial gave an answer: what a machine refuses for its memory, or a solver for its nature, did not.
RUNNABLE = {"ok": 1, "oom_device": 0, "oom_host": 0, "unsupported": 0}
# Where a name without dots is looked for, in this order; the first place that has it counts.
SEARCHED = (
    *("judgement.metrics", "solver.parameters", "work", "counters", "task"),
    *("dataset.properties", "dataset.parameters"),
)
ROOTS = frozenset(
    {"run", "trial", "experiment", "problem", "task", "dataset", "solver", "backend", "status", "judgement", "time"}
    | {"phases_s", "prepare", "memory", "work", "counters", "nvml", "ceiling", "environment", "protocol"}
)
TIMED_ROOTS = ("time", "phases_s", "prepare", "ceiling")
LIMITED = ("solved", "unsolved")  # how many queries end within a limit is a matter of speed too
TICKS = ("counters.distance_share", "counters.build_ticks", "counters.build_distance_ticks")  # by the device's clock
UNITS = {"_s": "s", "_bytes": "bytes"}


@dataclass(frozen=True)
class Field:
    """One addressable quantity; `timed` says that it depends on how fast the machine was."""

    text: str
    timed: bool

    def value(self, record: Record) -> Scalar:
        """The record's value, or None where it has none."""
        return _value(self.text, record)

    def number(self, record: Record) -> float | None:
        value = self.value(record)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

    def interval(self, record: Record) -> tuple[float, float] | None:
        """The confidence interval of the value where it follows from that of the median time."""
        time, value = record.time, self.number(record)
        if time is None or value is None:
            return None
        if self.text == "time.median_s":
            return time.low_s, time.high_s
        if self.text == COMPOUND["query_time"]:
            return value * time.low_s / time.median_s, value * time.high_s / time.median_s
        if self.text.endswith("_per_second") and time.low_s > 0 and time.high_s > 0:
            # A rate falls as the time rises, so the ends change places.
            return (value * time.median_s / time.high_s, value * time.median_s / time.low_s)
        return None

    @property
    def label(self) -> str:
        """What an axis says: the last part of the name in words, with its unit."""
        if self.text in COMPOUND_LABELS:
            return COMPOUND_LABELS[self.text]
        if any(sign in self.text for sign in (" / ", " + ", " * ")):
            return self.text
        if self.text == "time.median_s":
            return "time (s), median"
        if self.text == "ceiling.share":
            return "share of the machine's ceiling"
        name = self.text.rsplit(".", 1)[-1]
        if name.endswith("_per_second"):
            return f"{name.removesuffix('_per_second').replace('_', ' ')} per second"
        if self.text.startswith("phases_s."):
            return f"phase {name} (s), median"
        if self.text == "prepare.median_s":
            return "preparation (s), median"
        if self.text.startswith("prepare.phases_s."):
            return f"preparation, phase {name} (s), median"
        for suffix, unit in UNITS.items():
            if name.endswith(suffix):
                return f"{name.removesuffix(suffix).replace('_', ' ')} ({unit})"
        return name.replace("_", " ")


def field(text: str, where: str) -> Field:
    """Parses a field's name; `where` opens the message for a bad one."""
    parts = re.split(r"( / | \+ | \* )", COMPOUND.get(text, text))
    names = [SHORT.get(part.strip(), part.strip()) for part in parts[::2]]
    if not all(names) or any(" " in name for name in names) or parts.count(" / ") > 1:
        raise InputError(f"{where}: {text!r} is not a field: expected NAME, NAME + NAME, NAME * NAME or NAME / NAME")
    for name in names:
        root, dot, _ = name.partition(".")
        if dot and root not in ROOTS:
            raise InputError(f"{where}: {text!r}: a field starts with one of {', '.join(sorted(ROOTS))}")
    signs = [*parts[1::2], ""]
    return Field("".join(name + sign for name, sign in zip(names, signs, strict=True)), any(map(_timed, names)))


def _timed(name: str) -> bool:
    root, last = name.partition(".")[0], name.rpartition(".")[2]
    timed = root in TIMED_ROOTS or name in SHARES or name in TICKS
    # Times that a solver takes itself are counters: `counters.filter_s`.
    return timed or last in LIMITED or last.endswith(("_per_second", "_s"))


def _value(text: str, record: Record) -> Scalar:
    if " / " in text:
        above, below = (_value(part, record) for part in text.split(" / "))
        if not isinstance(above, int | float) or not isinstance(below, int | float) or not below:
            return None
        return above / below
    if " + " in text:
        terms = [_value(part, record) for part in text.split(" + ")]
        # A counter that stayed at zero may not be written: what is there counts, if anything is.
        numbers = [term for term in terms if isinstance(term, int | float) and not isinstance(term, bool)]
        return sum(numbers) if numbers else None
    if " * " in text:
        factors = [_value(part, record) for part in text.split(" * ")]
        numbers = [factor for factor in factors if isinstance(factor, int | float) and not isinstance(factor, bool)]
        return math.prod(numbers) if len(numbers) == len(factors) else None
    if text == "threads":
        return threads(record)
    if text == "source":
        return record.dataset.name.partition("(")[0]
    if text == "runnable":
        return RUNNABLE.get(record.status)
    if text in SHARES:
        return _share(*SHARES[text], record)
    if text.endswith("_per_second"):
        work = _look_up(record.raw, f"work.{text.removesuffix('_per_second').removeprefix('work.')}")
        if not isinstance(work, int | float) or record.time is None or not record.time.median_s:
            return None
        return work / record.time.median_s
    if "." in text:
        return _look_up(record.raw, text)
    for place in SEARCHED:
        found = _look_up(record.raw, f"{place}.{text}")
        if found is not None:
            return found
    return None


def _share(whole: str | None, part: str, meant: bool, record: Record) -> Scalar:
    of, counted = (1.0 if whole is None else _look_up(record.raw, whole)), _look_up(record.raw, part)
    if not isinstance(of, int | float) or not isinstance(counted, int | float) or not of:
        return None
    return counted / of if meant else 1 - counted / of


def threads(record: Record) -> Scalar:
    """CPU threads of a trial: as asked; where it asked for all, their number, or `all` where nothing was timed."""
    asked = record.solver.parameters.get("threads")
    if asked not in (None, 0, "all"):
        return asked
    if record.time is not None and record.time.threads is not None:
        return record.time.threads
    return asked if asked is None else "all"


def _look_up(node: Any, path: str) -> Scalar:
    """Follows a dotted path; keys that hold dots themselves are found by trying longer keys."""
    if not isinstance(node, Mapping):
        return None
    if path in node:
        found = node[path]
        return found if isinstance(found, str | int | float | bool) else None
    parts = path.split(".")
    for length in range(1, len(parts)):
        key = ".".join(parts[:length])
        if key in node:
            found = _look_up(node[key], ".".join(parts[length:]))
            if found is not None:
                return found
    return None


def plain(value: Scalar) -> str:
    """A value as figures and tables print it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.4g}"
    return "–" if value is None else str(value)
