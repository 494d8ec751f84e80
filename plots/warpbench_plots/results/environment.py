"""environment.json: the machine, the build and the machine's own ceilings."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpbench_plots.errors import InputError
from warpbench_plots.files import read_text
from warpbench_plots.results.schema import validate


@dataclass(frozen=True)
class Gpu:
    name: str
    driver: str
    memory_bytes: int
    compute_capability: str


@dataclass(frozen=True)
class Ceiling:
    name: str
    value: float | None
    unit: str
    samples: int


@dataclass(frozen=True)
class Environment:
    machine: str
    cpu_model: str
    cores: int
    threads: int
    simd: str
    memory_bytes: int
    gpus: tuple[Gpu, ...]
    backend: str
    revision: str
    dirty: bool
    ceilings: tuple[Ceiling, ...]
    started_at: str
    outside: frozenset[str]  # recorded trials that the run's spec had before it was changed, and has no more
    raw: Mapping[str, Any]


def read_environment(path: Path) -> Environment:
    """The typed environment of a run directory."""
    try:
        raw = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: is not JSON: {error.msg}") from error
    return parse_environment(raw, str(path))


def parse_environment(raw: Any, where: str) -> Environment:
    """The typed environment of a JSON object; errors begin with `where`."""
    validate("environment", raw, where)
    cpu = raw["cpu"]
    return Environment(
        machine=raw["machine"],
        cpu_model=cpu["model"],
        cores=cpu["cores"],
        threads=cpu["threads"],
        simd=cpu["simd"] if isinstance(cpu["simd"], str) else " ".join(cpu["simd"]),
        memory_bytes=raw["memory_bytes"],
        gpus=tuple(Gpu(g["name"], g["driver"], g["memory_bytes"], g["compute_capability"]) for g in raw["gpu"]),
        backend=raw["backend"],
        revision=raw["git"]["revision"],
        dirty=raw["git"]["dirty"],
        ceilings=tuple(_ceiling(name, value) for name, value in sorted(raw["ceilings"].items())),
        started_at=raw["started_at"],
        outside=frozenset(raw.get("extra", {}).get("trials_outside_spec", ())),
        raw=raw,
    )


def _ceiling(name: str, raw: Mapping[str, Any]) -> Ceiling:
    samples = raw["samples"]
    return Ceiling(
        name,
        raw["value"],
        raw["unit"],
        samples if isinstance(samples, int) else len(samples),
    )
