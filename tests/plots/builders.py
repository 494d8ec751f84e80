"""Builds run directories for the tests: records with plausible fields and the harness's chain of checksums."""

import json
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from warpbench_plots.results.environment import parse_environment
from warpbench_plots.results.records import Place, record_of
from warpbench_plots.results.run import Run, parse_spec
from warpbench_plots.results.schema import validate

COVERS = {"cpu": ["solve"], "gpu": ["solve"]}
Raw = dict[str, Any]


def environment(machine: str = "fixture-gpu", backend: str = "cuda", **changes: Any) -> Raw:
    gpu = {
        "name": "Fixture GPU",
        "driver": "1.0",
        "memory_bytes": 12_000_000_000,
        "compute_capability": "9.0",
    }
    return {
        "schema": "1.0",
        "machine": machine,
        "cpu": {"model": "Fixture CPU", "cores": 28, "threads": 56, "simd": ["avx2"]},
        "memory_bytes": 68_719_476_736,
        "gpu": [gpu] if backend == "cuda" else [],
        "backend": backend,
        "compiler": "g++ 12.2.0",
        "flags": "-O3",
        "toolkit": "CUDA 12.6" if backend == "cuda" else None,
        "kernel": "Linux 6.1.0",
        "governor": "performance",
        "git": {"revision": "0123456789ab", "dirty": False},
        "ceilings": {
            "copy_bandwidth": {"value": 2.1e10, "unit": "bytes/s", "samples": 9},
            "random_gather": {"value": 3.4e8, "unit": "gathers/s", "samples": 9},
        },
        "started_at": "2026-01-02T03:04:05Z",
    } | changes


def timing(median: float, covers: Iterable[str] = ("solve",), samples: int = 5) -> Raw:
    """With a confidence that is enough, except of one sample, which has none."""
    spread = [0.98, 0.99, 1.0, 1.01, 1.03][:samples]
    return {
        "median_s": median,
        "low_s": median * 0.98,
        "high_s": median * 1.03,
        "confidence": 0.95 if samples > 1 else 0.0,
        "samples_s": [median * factor for factor in spread],
        "covers": list(covers),
        "stopped_by": "repetitions",
    }


def judgement(samples: int = 5, verified: int | None = None, **metrics: float) -> Raw:
    return {
        "verdict": "exact",
        "metrics": metrics or {"total": 4362264},
        "digest": "00000000deadbeef",
        "verified_samples": [samples if verified is None else verified, samples],
    }


def record(
    solver: str,
    median: float | None,
    dataset: str = "twitter-like",
    parameters: Mapping[str, Any] | None = None,
    *,
    run: str = "run-1",
    experiment: str = "che2019/table-4-techniques",
    machine: str = "fixture-gpu",
    revision: str = "0123456789ab",
    backend: str = "cuda",
    status: str = "ok",
    reason: str | None = None,
    **changes: Any,
) -> Raw:
    """A record of common neighbours, without a time where `median` is None; `changes` replace whole fields."""
    parameters = dict(parameters or {})
    device = "gpu" if solver.endswith("-gpu") else "cpu"
    identity = json.dumps([experiment, dataset, solver, parameters], sort_keys=True)
    trial = f"{zlib.crc32(identity.encode()):08x}{zlib.crc32(identity[::-1].encode()):08x}"
    timed = status in ("ok", "unverified") and median is not None
    return {
        "schema": "1.2",
        "run": run,
        "trial": trial,
        "experiment": experiment,
        "problem": "common_neighbors",
        "task": {},
        "dataset": {
            "name": dataset,
            "digest": f"{zlib.crc32(dataset.encode()):08x}",
            "stand_in": dataset.endswith("-like"),
            "properties": {"vertices": 36692, "edges": 183831},
        },
        "solver": {
            "name": solver,
            "role": "proposed",
            "device": device,
            "parameters": parameters,
        },
        "backend": backend,
        "status": status,
        "reason": reason if reason or status == "ok" else f"made to end as {status}",
        "judgement": judgement() if timed else None,
        "time": timing(median) if timed and median is not None else None,
        "phases_s": ({"count": median * 0.8, "postprocess": median * 0.15} if timed and median else {}),
        "prepare": {"median_s": 0.02, "phases_s": {"build": 0.02}},
        "memory": {
            "device_peak_bytes": 5_000_000 if device == "gpu" else 0,
            "host_peak_bytes": 41_000_000,
        },
        "work": {"edges": 183831},
        "ceiling": {"name": "random_gather", "share": 0.42} if timed else None,
        "environment": {"machine": machine, "revision": revision},
    } | changes


def lines(records: Iterable[Raw]) -> bytes:
    """results.jsonl of the records: a line ends with the CRC-32 of the line before it and, if newer, with its own."""
    crc, content = "00000000", b""
    for raw in records:
        line = json.dumps(raw | {"crc32": crc}, separators=(",", ":")).encode()
        if raw["schema"] != "1.0":
            line = line[:-1]
            line += f',"own_crc32":"{zlib.crc32(line):08x}"}}'.encode()
        crc = f"{zlib.crc32(line):08x}"
        content += line + b"\n"
    return content


def write_run(path: Path, records: Iterable[Raw], spec: Raw | None = None, env: Raw | None = None) -> Path:
    """Writes a run directory and returns it."""
    kept = list(records)
    path.mkdir(parents=True, exist_ok=True)
    (path / "results.jsonl").write_bytes(lines(kept))
    (path / "environment.json").write_text(json.dumps(env or environment_of(kept), indent=1) + "\n")
    # JSON is YAML, too.
    (path / "spec.yaml").write_text(json.dumps(spec_of(kept) | (spec or {}), indent=1) + "\n")
    return path


def made_run(path: Path, records: list[Raw], spec: Raw, env: Raw | None = None, executions: int = 6) -> Run:
    """The run that `read_run` would find at `path`, without writing it. Of the records, the first is validated.

    Each trial was executed so often and took as long each time.
    """
    validate("record", records[0] | {"crc32": "00000000", "own_crc32": "00000000"}, str(path))
    kept = tuple(record_of(raw, Place(path / "results.jsonl", line, "00000000")) for line, raw in enumerate(records, 1))
    return Run(
        path,
        parse_spec(spec_of(records) | spec, path),
        parse_environment(env or environment_of(records), str(path)),
        kept,
        (),
        kept * (executions - 1),
    )


def environment_of(records: list[Raw]) -> Raw:
    return environment(records[0]["environment"]["machine"], records[0]["backend"]) if records else environment()


def spec_of(records: list[Raw]) -> Raw:
    return {
        "experiment": (records[0]["experiment"] if records else "che2019/table-4-techniques"),
        "title": "Techniques added one by one",
        "problem": "common_neighbors",
        "datasets": list(dict.fromkeys(r["dataset"]["name"] for r in records)),
        "solvers": list(dict.fromkeys(r["solver"]["name"] for r in records)),
        "figure": {"kind": "bars", "x": "dataset", "y": "time"},
        "claims": [],
    }


# Table 4 of che2019: solver, parameters, and the published seconds of a CPU on TW and FR.
TABLE_4: dict[str, tuple[str, Raw, float, float]] = {
    "M": ("merge", {"threads": 1}, 20065.3, 4528.8),
    "MPS": (
        "mps",
        {"threads": 1, "skew_threshold": 50, "simd": "none"},
        5527.2,
        4919.1,
    ),
    "MPS+V": (
        "mps",
        {"threads": 1, "skew_threshold": 50, "simd": "avx2"},
        2891.6,
        2470.7,
    ),
    "MPS+V+P": (
        "mps",
        {"threads": 28, "skew_threshold": 50, "simd": "avx2"},
        70.3,
        68.3,
    ),
    "BMP": ("bmp", {"threads": 1, "range_filter": False}, 996.2, 1837.2),
    "BMP+P": ("bmp", {"threads": 28, "range_filter": False}, 41.5, 122.5),
    "BMP+P+RF": ("bmp", {"threads": 28, "range_filter": True}, 40.4, 63.8),
}


def table_4(scale: float = 1e-3, **common: Any) -> list[Raw]:
    """Records with the printed times of Table 4, scaled: all claims about the CPU hold on them."""
    records = [
        record(
            solver,
            (tw if dataset == "twitter-like" else fr) * scale,
            dataset,
            parameters,
            **common,
        )
        for dataset in ("twitter-like", "friendster-like")
        for solver, parameters, tw, fr in TABLE_4.values()
    ]
    for raw in records:
        raw["dataset"]["properties"] = {"vertices": 41_652_230, "edges": 684_500_375, "skewed_share": 0.31}
    return records
