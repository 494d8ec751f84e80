"""The claims of bellas2022's chapter on theta joins: records that meet them, and records that do not."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from builders import environment, judgement, record, timing
from claim_cases import evaluated_claims, judge_on, meets_and_misses, over_cases
from warpbench_plots.claims.verdict import HOLDS, UNTESTED, ClaimResult
from warpbench_plots.figures.published import published_for
from warpbench_plots.files import read_yaml
from warpbench_plots.locations import DATA
from warpbench_plots.results.records import Place, record_of

Raw = dict[str, Any]
PREFIX = "bellas2022/theta_join/"
GTX: Raw = {"gpu": "NVIDIA GeForce GTX 970"}
CPU = ("nested-loop", "postgresql", "duckdb")
SELECTIVITIES = {"low": 0.1, "medium": 0.5, "high": 0.9}
# Columns of Table 3.2 → solver and its parameters.
COLUMNS: dict[str, tuple[str, Raw]] = {
    "naive": ("naive", {"layout": "aos"}),
    "partial_sums": ("partial-sums", {"layout": "aos"}),
    "SM_AoS": ("shared-memory", {"layout": "aos"}),
    "SM_AoS_padding": ("shared-memory", {"layout": "aos_padded"}),
    "SM_SoA": ("shared-memory", {"layout": "soa"}),
    "cpu_6_threads": ("nested-loop", {"threads": 6}),
    "cpu_12_threads": ("nested-loop", {"threads": 12}),
    "postgresql": ("postgresql", {"threads": 1}),
}


def rows_of(table: str) -> list[Raw]:
    """The table's rows, each as column → number."""
    printed = read_yaml(DATA / "tables" / f"bellas2022-table-{table}.yaml")
    return [dict(zip(printed["columns"], row, strict=True)) for row in printed["rows"]]


def name_of(row: Raw, selectivity: str = "medium") -> str:
    return f"theta-{selectivity}(r_tuples={row['size_R']},s_tuples={row['size_S']})"


def made(
    experiment: str,
    solver: str,
    row: Raw,
    ms: float,
    parameters: Mapping[str, Any] | None = None,
    selectivity: str = "medium",
    **rest: Any,
) -> Raw:
    """A record of the relations of a table's row. `phases_s` in ms, and `counters`."""
    query = (
        "select" if "3.2" not in experiment and "3.3" not in experiment and "peers" not in experiment else "aggregate"
    )
    pairs = row["size_R"] * row["size_S"]
    share = SELECTIVITIES[selectivity]
    built = record(
        solver,
        ms / 1e3,
        name_of(row, selectivity),
        parameters,
        experiment=f"bellas2022/{experiment}",
        problem="theta_join",
        task={"query": query, "output": "rows", "theta": "R.a > S.a"},
        judgement=judgement(rows=pairs * share, selectivity=share),
        work={"pairs": pairs, "tuples": row["size_R"] + row["size_S"]},
        counters=rest.get("counters", {}),
        phases_s={name: value / 1e3 for name, value in rest.get("phases_s", {"kernel": ms}).items()},
        time=timing(ms / 1e3),
    )
    built["dataset"] |= {
        "stand_in": True,
        "properties": {"r_tuples": row["size_R"], "s_tuples": row["size_S"]},
        "parameters": {"generator": "theta_relations", "selectivity": share},
    }
    built["solver"]["device"] = "cpu" if solver in CPU else "gpu"
    return built


def judge(folder: Path, claim: str, records: list[Raw], gpu: str = "Fixture GPU", **changes: Any) -> ClaimResult:
    device = {"name": gpu, "driver": "1.0", "memory_bytes": 4_000_000_000, "compute_capability": "5.2"}
    machine = environment("fixture-gpu", records[0]["backend"], gpu=[device], **changes)
    return judge_on(folder, PREFIX + claim, records, machine)


def aggregates(experiment: str = "table-3.2", **factors: float) -> list[Raw]:
    """Table 3.2 with columns changed by factors. The CPU needs 0.001 ms where the table prints less than that."""
    records = []
    for row in rows_of("3.2"):
        for column, (solver, parameters) in COLUMNS.items():
            ms = row[column]
            if ms is None and column.startswith("cpu"):
                ms = 0.001
            if ms is not None:
                records.append(made(experiment, solver, row, ms * factors.get(column, 1.0), parameters))
    return records


def selectivities(partial_sums: float = 1.0, sm: float = 1.0) -> list[Raw]:
    """Table 3.3, with the times at high selectivity changed by factors."""
    records = []
    for row in rows_of("3.3"):
        for which in SELECTIVITIES:
            high = which == "high"
            for column, solver, factor in (("PS", "partial-sums", partial_sums), ("SM_SoA", "shared-memory", sm)):
                ms = row[f"{column}_{which}"] * (factor if high else 1.0)
                records.append(made("table-3.3", solver, row, ms, {"layout": "soa"}, which))
    return records


PROFILED = {"size_R": 50000, "size_S": 25000}
NAIVE = {
    "achieved_occupancy": 0.678,
    "eligible_cycles_share": 0.2,
    "warps_launched": 39_100_000,
    "ipc": 0.5,
    "idle_lanes_share": 0.4,
    "memory_stall_share": 0.9,
}
SHARED = {
    "achieved_occupancy": 0.9976,
    "eligible_cycles_share": 0.9,
    "warps_launched": 50_016,
    "ipc": 3.0,
    "idle_lanes_share": 0.1,
    "memory_stall_share": 0.7,
}


def profiled(**shared: float) -> list[Raw]:
    """Figures 3.3 to 3.7: some counters of SM SoA changed."""
    return [
        made("fig-3.3-to-3.7", "naive", PROFILED, 533.0, {"layout": "aos"}, counters=NAIVE),
        made("fig-3.3-to-3.7", "shared-memory", PROFILED, 21.7, {"layout": "soa"}, counters=SHARED | shared),
    ]


def without_counters() -> list[Raw]:
    return [raw | {"counters": {}} for raw in profiled()]


def windows(small: float = 1.0, naive: float = 1.0, cpu: float = 1.0, floor: float = 0.964) -> list[Raw]:
    """Table 3.6 with naive of Table 3.4, 12 threads of Table 3.5, and writing alone as a share of the best kernel;
    the times of B = 256 changed by a factor."""
    records, best = [], dict[str, float]()
    for row in rows_of("3.6"):
        if row["exec"] is None:
            continue
        ms = row["exec"] * (small if row["B"] == 256 else 1.0)
        best[name_of(row)] = min(ms, best.get(name_of(row), ms))
        parameters = {"threads_per_block": row["B"], "chunk": row["p"], "output": "atomic", "layout": "aos_padded"}
        records.append(made("table-3.6", "sliding-window", row, ms, parameters))
    for row in rows_of("3.4"):
        records.append(made("table-3.6", "naive", row, row["exec_medium"] * naive, {"output": "atomic"}))
        records.append(made("table-3.6", "sort-scan", row, best[name_of(row)] * floor))
    for row in rows_of("3.5"):
        records.append(made("table-3.6", "nested-loop", row, row["medium_12_threads"] * cpu, {"threads": 12}))
    return records


def copies(factor: float = 1.0) -> list[Raw]:
    """Table 3.4, with the times of copies changed by a factor."""
    records = []
    for row in rows_of("3.4"):
        for which in ("medium", "high"):
            kernel, copy = row[f"exec_{which}"], row[f"transfer_{which}"] * factor
            phases = {"kernel": kernel, "copy": copy}
            records.append(made("table-3.4", "naive", row, kernel + copy, {"output": "atomic"}, which, phases_s=phases))
    return records


def ends(factor: float = 1.0) -> list[Raw]:
    """Table 3.5 with the best kernels of Table 3.6 and the copies of Table 3.4 changed by a factor."""
    kernels = (20.791, 84.289, 126.014)
    records = [
        made(
            "table-3.5",
            "nested-loop",
            row,
            row[f"medium_{threads}_thread{'s' if threads > 1 else ''}"],
            {"threads": threads},
        )
        for row in rows_of("3.5")
        for threads in (1, 6, 12)
    ]
    for row, kernel in zip(rows_of("3.4"), kernels, strict=True):
        ms = kernel + row["transfer_medium"] * factor
        records.append(made("table-3.5", "sliding-window", row, ms, {"threads_per_block": 256, "chunk": 25}))
    return records


def compressed(factor: float = 1.1) -> list[Raw]:
    """Tables 3.4 and 3.7: the sums of kernel, compression and copy. The printed ones differ by as little as 1.4 ms, so
    those with compression are changed by a factor."""
    records = []
    for plain, packed in zip(rows_of("3.4"), rows_of("3.7"), strict=True):
        for which in ("medium", "high"):
            without = plain[f"exec_{which}"] + plain[f"transfer_{which}"]
            extra = packed[f"compression_{which}"]
            ms = (packed[f"exec_{which}"] + extra + packed[f"transfer_{which}"]) * factor
            records.append(made("table-3.7", "naive", plain, without, {"output": "atomic"}, which))
            phases = {"compression": extra}
            records.append(made("table-3.7", "naive", plain, ms, {"output": "compressed"}, which, phases_s=phases))
    return records


def passes(two: float) -> list[Raw]:
    return [
        made("output-writing", "sliding-window", row, ms, {"output": output})
        for row in rows_of("3.4")
        for output, ms in (("atomic", 10.0), ("two_pass", 10.0 * two))
    ]


def parts(made_of: float, least: float = 4.0) -> list[Raw]:
    counters = {"parts": made_of, "least_parts": least}
    return [made("partitions", solver, PROFILED, 500.0, counters=counters) for solver in ("naive", "sliding-window")]


CASES: dict[str, tuple[list[Raw], list[Raw]]] = {
    "agg-shared-memory-over-naive": (aggregates(), aggregates(naive=0.4)),
    "agg-partial-sums-small-gain": (
        [raw for raw in aggregates(partial_sums=0.995) if raw["work"]["pairs"] > 1e6],
        aggregates(partial_sums=0.05),
    ),
    "agg-gpu-over-cpu": (aggregates(cpu_6_threads=1.2, cpu_12_threads=1.2), aggregates(cpu_12_threads=0.2)),
    "agg-small-inputs-cpu-wins": (aggregates(), aggregates(cpu_6_threads=1e3, cpu_12_threads=1e3)),
    "agg-postgresql": (aggregates(), aggregates(postgresql=0.1)),
    "agg-layout": (aggregates(SM_SoA=0.95), aggregates(SM_SoA=1.3)),
    "agg-occupancy": (profiled(), profiled(achieved_occupancy=0.6)),
    "agg-warps-launched": (profiled(), profiled(ipc=0.3)),
    "agg-memory-bound": (profiled(), profiled(memory_stall_share=0.3)),
    "agg-selectivity": (selectivities(), selectivities(sm=3.0)),
    "select-over-naive": (windows(), windows(naive=0.5)),
    "select-over-cpu": (windows(cpu=1.2), windows(cpu=0.1)),
    "select-small-block-small-chunk": (windows(small=0.93), windows(small=2.0)),
    "select-transfer-dominates": (copies(), copies(0.01)),
    "select-end-to-end-vs-6-threads": (ends(0.9), ends(3.0)),
    "select-write-floor": (windows(), windows(floor=0.1)),
    "select-compression-worse": (compressed(), compressed(0.8)),
    "select-two-pass-worse": (passes(4.0), passes(1.1)),
    "partition-count": (parts(6.0), parts(3.0)),
}
# More ways to miss a claim of several parts.
MISSED: list[tuple[str, list[Raw]]] = [
    ("agg-partial-sums-small-gain", aggregates(partial_sums=1.3)),
    ("agg-postgresql", aggregates("theta-peers", postgresql=1e-4)),
    ("agg-layout", aggregates(SM_AoS_padding=1.3)),
    ("agg-occupancy", profiled(achieved_occupancy=0.65)),
    ("agg-warps-launched", profiled(eligible_cycles_share=0.1)),
    ("agg-warps-launched", profiled(idle_lanes_share=0.5)),
    ("agg-selectivity", selectivities(partial_sums=0.2)),
    ("select-small-block-small-chunk", windows(small=1.4)),
    ("select-two-pass-worse", passes(20.0)),
]


def test_every_claim_of_the_chapter_has_an_evaluation_and_a_case() -> None:
    assert {key.removeprefix(PREFIX) for key in evaluated_claims("bellas2022", PREFIX)} == set(CASES)


@over_cases(CASES, MISSED)
def test_records_that_meet_a_claim_and_records_that_do_not(
    tmp_path: Path, claim: str, good: list[Raw], bad: list[Raw]
) -> None:
    meets_and_misses(partial(judge, **GTX), tmp_path, claim, good, bad)


@pytest.mark.parametrize("claim", ["agg-occupancy", "agg-warps-launched", "agg-memory-bound"])
def test_without_counters_of_hardware_a_claim_about_them_is_not_tested(tmp_path: Path, claim: str) -> None:
    result = judge(tmp_path / "run", claim, without_counters())
    assert result.verdict == UNTESTED and "no data" in result.reason and "counters." in result.reason


def test_kernels_on_the_cpu_decide_no_time_but_the_number_of_parts(tmp_path: Path) -> None:
    on_simt = [raw | {"backend": "simt"} for raw in aggregates()]
    result = judge(tmp_path / "time", "agg-shared-memory-over-naive", on_simt)
    assert result.verdict == UNTESTED and "simt: " in result.reason
    assert (
        judge(tmp_path / "parts", "partition-count", [raw | {"backend": "simt"} for raw in parts(6.0)]).verdict == HOLDS
    )


def test_a_run_on_other_sizes_is_none_of_the_documents(tmp_path: Path) -> None:
    other = [made("table-3.2", "naive", {"size_R": 400, "size_S": 40}, 1.0)]
    result = judge(tmp_path / "run", "agg-shared-memory-over-naive", other)
    assert result.verdict == UNTESTED and "dataset absent" in result.reason


def test_printed_numbers_stand_beside_their_trials_alone() -> None:
    def printed(table: str, field: str, raw: Raw) -> list[float]:
        found = published_for([f"bellas2022-table-{table}"], field, record_of(raw, Place(Path("x"), 1, "0")))
        return [round(value.value, 9) for value in found]

    size = {"size_R": 50000, "size_S": 25000}
    naive = made("table-3.4", "naive", size, 1.0, {"output": "atomic"}, "high")
    assert printed("3.4", "phases_s.kernel", naive) == [0.441718]
    assert printed("3.2", "time.median_s", naive) == []
    padded = made("table-3.2", "shared-memory", size, 1.0, {"layout": "aos_padded"})
    assert printed("3.2", "time.median_s", padded) == [0.021318]
    packed = made("table-3.7", "naive", size, 1.0, {"output": "compressed"})
    assert printed("3.7", "phases_s.compression", packed) == [0.376478]
    assert printed("3.7", "phases_s.compression", naive) == []
