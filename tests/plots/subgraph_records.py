"""Made-up records of subgraph matching, for the claims of gsi2020 and yu2023."""

from pathlib import Path
from typing import Any

from builders import environment, judgement, record, timing
from claim_cases import judge_on
from warpbench_plots.claims.verdict import ClaimResult

Raw = dict[str, Any]
QUERIES = 100
CPU = ("vf2", "vf3", "cfl", "cbwj")
DEFAULTS: dict[str, Raw] = {
    "gsi": {
        "neighbors": "pcsr",
        "output": "prealloc_combine",
        "set_operations": "fused",
        "write_cache": True,
        "load_balance": "four_layer",
        "duplicate_removal": True,
        "blocks": 0,
    },
    "fsig": {"filter_rounds": 3, "output": "one_star", "alpha": 0.6},
    "cfl": {"threads": 1},
    "cbwj": {"threads": 1},
}


def made(
    experiment: str,
    solver: str,
    dataset: str,
    query_ms: float | None = 1.0,
    **rest: Any,
) -> Raw:
    """A record of QUERIES queries with the given mean time; without a time it ran out of device memory.

    `counters`, `properties` of the dataset, `phases_s` and `matches` of a query are as in a record, `solved` queries
    and their `timeout` too; transactions among the counters are those of the join. `device` and `host` memory are in
    bytes; all else are parameters of the solver.
    """
    counters, properties = rest.pop("counters", {}), rest.pop("properties", {})
    matches, solved, timeout = (
        rest.pop("matches", 1000.0),
        rest.pop("solved", QUERIES),
        rest.pop("timeout", 10),
    )
    seconds = None if query_ms is None else query_ms * QUERIES / 1e3
    phases, device = rest.pop("phases_s", {"join": seconds or 0.0}), rest.pop("device", 1_000_000)
    host = rest.pop("host", 41_000_000)
    built = record(
        solver,
        seconds,
        dataset,
        {**DEFAULTS.get(solver, {}), **rest},
        experiment=experiment,
        problem="subgraph_matching",
        status="oom_device" if seconds is None else "ok",
        task={"semantics": "isomorphism", "output": "digest", "query_timeout": timeout},
        judgement=(None if seconds is None else judgement(solved=solved, matches=matches * solved)),
        counters={
            "matches": matches * QUERIES,
            "unsolved": QUERIES - solved,
            **counters,
        },
        phases_s=phases,
        work={"queries": float(QUERIES), "query_edges": 1500.0},
        time=None if seconds is None else timing(seconds),
        memory={"device_peak_bytes": device, "host_peak_bytes": host},
    )
    built["dataset"] |= {
        "stand_in": "-like" in dataset,
        "properties": {"vertices": 1e6, "edges": 1e7, **properties},
    }
    built["solver"]["device"] = "cpu" if solver in CPU else "gpu"
    if any(name.startswith("global_") for name in counters):
        built["profile"] = {"covers": "join"}
    return built


def judge(
    folder: Path,
    claim: str,
    records: list[Raw],
    gpu: str = "Fixture GPU",
    memory: int = 12_000_000_000,
) -> ClaimResult:
    """The verdict on a claim by records of one or more experiments, on a machine with the given GPU."""
    device = {
        "name": gpu,
        "driver": "1.0",
        "memory_bytes": memory,
        "compute_capability": "9.0",
    }
    machine = environment("fixture-gpu", records[0]["backend"], gpu=[device])
    return judge_on(folder, claim, records, machine)
