"""The names of a record's own fields: short names, paths, and where a name without dots is looked for."""

from typing import Any

from warpbench_plots.errors import InputError, nearest
from warpbench_plots.results.records import Scalar

SHORT = {
    "dataset": "dataset.name",
    "solver": "solver.name",
    "device": "solver.device",
    "role": "solver.role",
    "point": "solver.point",
    "time": "time.median_s",
    "prepare": "prepare.median_s",
    "share": "ceiling.share",
    "device_memory": "memory.device_peak_bytes",
    "host_memory": "memory.host_peak_bytes",
}
# Where a name without dots is looked for, in this order; the first place that has it counts.
SEARCHED = (
    *("judgement.metrics", "solver.parameters", "work", "counters", "task"),
    *("dataset.properties", "dataset.parameters"),
)
ROOTS = frozenset(
    {
        "run",
        "trial",
        "experiment",
        "problem",
        "task",
        "dataset",
        "solver",
        "backend",
        "status",
        "judgement",
        "time",
    }
    | {
        "phases_s",
        "prepare",
        "memory",
        "work",
        "counters",
        "facts",
        "profile",
        "nvml",
        "ceiling",
        "environment",
        "protocol",
    }
)
_TIMED_ROOTS = ("time", "phases_s", "prepare", "ceiling")


def full_name(name: str, where: str) -> str:
    """A short name as its path, any other name as it is; a path that cannot be in a record is refused."""
    name = SHORT.get(name, name)
    root, dot, rest = name.partition(".")
    if dot and root not in ROOTS:
        near = nearest(name, (f"{known}.{rest}" for known in ROOTS))
        raise InputError(f"{where}: {name!r}: a field starts with one of {', '.join(sorted(ROOTS))}{near}")
    return name


def places(name: str) -> list[str]:
    """The paths at which a name may stand in a record."""
    return [name] if "." in name else [f"{place}.{name}" for place in SEARCHED]


def is_time(name: str) -> bool:
    """Whether the name says by itself that its value is a time, or a rate; `counters.filter_s` does too."""
    return name.partition(".")[0] in _TIMED_ROOTS or name.endswith(("_per_second", "_s"))


def look_up(node: Any, path: str) -> Scalar:
    """Follows a dotted path; keys that hold dots themselves are found by trying longer keys."""
    if not isinstance(node, dict):  # as JSON has them
        return None
    if path in node:
        found = node[path]
        return found if isinstance(found, str | int | float | bool) else None
    parts = path.split(".")
    for length in range(1, len(parts)):
        key = ".".join(parts[:length])
        if key in node:
            found = look_up(node[key], ".".join(parts[length:]))
            if found is not None:
                return found
    return None
