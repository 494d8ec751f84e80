"""The claims of gsi2020: records that meet them, and records that do not."""

import json
from pathlib import Path

import pytest
from builders import write_run
from claim_cases import evaluated_claims, meets_and_misses, over_cases
from gsi2020_records import ALL, COUNTERPARTS, LARGE, gsi, like, optimizations, systems, table
from subgraph_records import Raw, judge, made
from warpbench_plots.claims.verdict import FAILS, HOLDS, UNTESTED
from warpbench_plots.fields.field import field
from warpbench_plots.figures.build import write_figures
from warpbench_plots.results.run import by_experiment, read_run

PREFIX = "gsi2020/subgraph/"


def filters(
    changes: dict[str, dict[str, float]] | None = None,
    only: dict[str, dict[str, float]] | None = None,
) -> list[Raw]:
    """Table IV; `changes` by column for all graphs, `only` for some."""
    records = []
    for name, row in table("IV").items():
        for column, solver in (
            ("GpSM", "gpsm"),
            ("GunrockSM", "gunrock-sm"),
            ("GSI", "gsi"),
        ):
            counters = {
                "candidates_min": row[f"min_candidates_{column}"],
                "filter_s": row[f"time_{column}"] / 1e3,
                **(changes or {}).get(column, {}),
                **(only or {}).get(name, {}),
            }
            records.append(made("gsi2020/table-IV", solver, like(name), 1.0, counters=counters))
    return records


def candidates(gsi_candidates: float) -> list[Raw]:
    """Candidates on enron, where both other systems have 10 to 100 times as many as GSI prints."""
    return [
        made(
            "gsi2020/table-IV",
            solver,
            like("enron"),
            counters={"candidates_min": number},
        )
        for solver, number in (
            ("gpsm", 2246),
            ("gunrock-sm", 2270),
            ("gsi", gsi_candidates),
        )
    ]


def join_techniques(changes: dict[str, float] | None = None, loads: dict[str, float] | None = None) -> list[Raw]:
    """Table V; `changes` multiply a column's times, `loads` the loads; drops of the loads as printed."""
    records = []
    for name, row in table("V").items():
        left = row["gld_GSI-"]
        for column in ("GSI-", "DS", "PC", "SO"):
            left *= 1 - row.get(f"gld_{column}_drop", 0) / 100
            counters = {"global_load_transactions": left * (loads or {}).get(column, 1)}
            ms = row[f"time_{column}"] * (changes or {}).get(column, 1)
            records.append(gsi("table-V", name, ms, column, counters=counters))
    return records


def structures(changes: dict[str, float] | None = None, **pcsr: float) -> list[Raw]:
    """Table VI with CSR of Table V; `changes` multiply the loads of a structure; `pcsr`: its counters."""
    records = []
    for name, row in table("VI").items():
        csr = table("V")[name]
        loads = {
            "GSI-": csr["gld_GSI-"],
            "DS": row["gld_PCSR"],
            "CR": row["gld_PCSR"] / (1 - row["gld_drop"] / 100),
        }
        times = {
            "GSI-": csr["time_GSI-"],
            "CR": row["time_CR"],
            "DS": row["time_PCSR"],
            "BR": row["time_PCSR"],
        }
        for column, ms in times.items():
            counters = {"global_load_transactions": loads.get(column, 1) * (changes or {}).get(column, 1)}
            counters |= {"longest_conflict": 13, "overflows": 0, **pcsr} if column == "DS" else {}
            memory = 3_000_000 if column == "BR" else 1_000_000
            memory = int(memory * (changes or {}).get("memory", 1)) if column == "BR" else memory
            records.append(gsi("table-VI", name, ms, column, counters=counters, device=memory))
    return records


def write_cache(road_ms: float = 456, stores: float = 1.0) -> list[Raw]:
    records = []
    for name, row in table("VII").items():
        for cache, column in ((False, "no_cache"), (True, "write_cache")):
            ms = road_ms if name == "road" and cache else row[f"time_{column}"]
            counters = {"global_store_transactions": row[f"gst_{column}"] * (stores if cache else 1)}
            records.append(gsi("table-VII", name, ms, "SO", write_cache=cache, counters=counters))
    return records


def duplicates(drop: float = 1.0) -> list[Raw]:
    records = []
    for name, row in table("IX").items():
        left = row["gld_with_duplicates"] * (1 - row["gld_drop"] * drop / 100)
        for technique, ms, loads in (
            ("LB", row["time_with_duplicates"], row["gld_with_duplicates"]),
            ("DR", row["time_removed"], left),
        ):
            records.append(
                gsi(
                    "table-IX",
                    name,
                    ms,
                    technique,
                    counters={"global_load_transactions": loads},
                )
            )
    return records


def limits(seconds: float, timeout: int = 100) -> list[Raw]:
    return [
        made(
            "gsi2020/cpu-limits",
            solver,
            like(name),
            seconds * 1e3,
            timeout=timeout,
            solved=0,
            counters={"query_mean_s": seconds},
        )
        for name in LARGE
        for solver in ("vf3", "cfl", "cbwj")
    ]


def sizes(gpsm: float = 5.0, gsi_ends: bool = True, others_end: bool = False) -> list[Raw]:
    """Figure 15(a) at watdiv10M, watdiv100M and watdiv210M."""
    records = []
    for scale in (0.1, 1, 2.1):
        name = like("WatDiv", scale=scale)
        properties = {"vertices": 1e7 * scale, "edges": 1.09e8 * scale}
        for solver in COUNTERPARTS:
            ms = (gpsm if solver == "gpsm" else 6.0) if scale < 2 or others_end else None
            records.append(made("gsi2020/fig-15a", solver, name, ms, properties=properties))
        ms = 1.0 if scale < 2 or gsi_ends else None
        records.append(made("gsi2020/fig-15a", "gsi", name, ms, properties=properties))
    return records


def multiprocessors(speedup: float, at_15: float = 1.2) -> list[Raw]:
    times = {1: speedup, 2: 2.0, 4: 1.5, 8: 1.3, 15: at_15, 30: 1.0}
    return [gsi("fig-15b", "WatDiv", ms, "SO", blocks=blocks) for blocks, ms in times.items()]


def by_labels(changes: dict[tuple[int, int], float] | None = None) -> list[Raw]:
    times = {
        (10, 100): 9.0,
        (100, 100): 3.0,
        (400, 100): 2.9,
        (100, 10): 5.0,
        (100, 400): 2.5,
    } | (changes or {})
    return [
        made(
            "gsi2020/fig-16a",
            "gsi",
            f"gowalla-like(labels={vertex},edge_labels={edge})",
            ms,
            properties={"vertex_labels": vertex, "edge_labels": edge},
        )
        for (vertex, edge), ms in times.items()
    ]


def by_query(changes: dict[tuple[int, int], float] | None = None) -> list[Raw]:
    """Figure 16(b) by vertices and edges of a query."""
    times = {
        (12, 12): 2.0,
        (12, 24): 2.6,
        (12, 28): 2.3,
        (10, 20): 1.5,
        (13, 26): 3.0,
        (16, 32): 4.0,
    }
    return [
        made(
            "gsi2020/fig-16b",
            "gsi",
            f"gowalla-like(vertices={vertices},edges={edges})",
            ms,
            properties={"query_vertices": float(vertices), "query_edges": float(edges)},
        )
        for (vertices, edges), ms in (times | (changes or {})).items()
    ]


def distributions(mean: float = 3.0, enron: float = 900.0) -> list[Raw]:
    matches = {
        "enron": enron,
        "gowalla": 10.0,
        "patent": 20.0,
        "road": 5.0,
        "WatDiv": 1e5,
        "DBpedia": 1e6,
    }
    return [
        gsi(
            "fig-17",
            name,
            1.0,
            matches=number,
            counters={"query_mean_s": mean, "query_q3_s": 2.0},
        )
        for name, number in matches.items()
    ]


def uploads(watdiv: float) -> list[Raw]:
    seconds = {
        "enron": 0.001,
        "gowalla": 0.005,
        "patent": 0.106,
        "road": 0.12,
        "WatDiv": watdiv,
        "DBpedia": 0.178,
    }
    return [gsi("loading", name, 1.0, phases_s={"upload": upload}) for name, upload in seconds.items()]


def memories(gsi_factor: float) -> list[Raw]:
    """Table X with GSI's device memory multiplied."""
    records = []
    for name, row in table("X").items():
        solvers = {
            "gpsm": "GpSM",
            "gunrock-sm": "GunrockSM",
            "wukong-g": "Wukong+G",
            "magiq": "MAGiQ",
        }
        for solver, column in solvers.items():
            size = row[f"gpu_{column}"]
            ms, device = (None, 0) if size is None else (1.0, int(size * 1e6))
            records.append(made("gsi2020/table-X", solver, like(name), ms, device=device))
        records.append(gsi("table-X", name, 1.0, device=int(row["gpu_GSI"] * 1e6 * gsi_factor)))
    return records


def on_real_graphs(records: list[Raw]) -> list[Raw]:
    """The records on the document's graphs themselves instead of stand-ins."""
    names = {like(name): name for name in ALL}
    for raw in records:
        raw["dataset"] |= {"name": names[raw["dataset"]["name"]], "stand_in": False}
    return records


# Not tested whatever the records hold.
UNTESTABLE = {"first-edge-choice", "host-memory", "cpu-memory"}
CASES: dict[str, tuple[list[Raw], list[Raw]]] = {
    "filter-candidates": (candidates(111), candidates(1500)),
    "filter-time": (filters(), filters({"GSI": {"filter_s": 0.5}})),
    "pcsr-gain": (join_techniques(), join_techniques({"DS": 1.6})),
    "pcsr-vs-compressed": (structures(), structures({"CR": 0.9})),
    "compressed-worse-than-csr-on-watdiv": (structures(), structures({"CR": 0.5})),
    "pcsr-one-transaction": (
        structures(),
        structures(longest_conflict=16, overflows=1),
    ),
    "pcsr-worst-case": (structures(), structures(longest_conflict=50)),
    "pcsr-space": (structures(), structures({"memory": 0.1})),
    "prealloc-combine-gain": (join_techniques(), join_techniques({"PC": 2.0})),
    "set-operation-gain": (join_techniques(), join_techniques(loads={"SO": 1.5})),
    "all-join-techniques": (join_techniques(), join_techniques({"SO": 4.0})),
    "write-cache": (write_cache(), write_cache(road_ms=300)),
    "load-balance": (optimizations(), optimizations({"LB": 2.0})),
    "duplicate-removal": (duplicates(), duplicates(3.0)),
    "gpu-beats-cpu": (systems(), systems({"cfl": 7.0})),
    "gsi-beats-all": (systems(), systems({"magiq": 0.8})),
    "small-graphs-below-one-second": (on_real_graphs(systems()), on_real_graphs(systems(gsi=3.0))),
    "large-graphs-4x": (systems(), systems(large=2.0)),
    "gsi-opt-over-gsi": (systems(), systems(opt=2.0)),
    "no-order-among-counterparts": (systems(), systems({"gpsm": 2.0})),
    "cpu-fails-on-large": (limits(100.0), limits(60.0)),
    "scalability-data-size": (sizes(), sizes(gpsm=0.5)),
    "scalability-sms": (multiprocessors(2.5), multiprocessors(2.5, at_15=0.8)),
    "vary-labels": (by_labels(), by_labels({(400, 100): 1.0})),
    "vary-query-edges": (by_query(), by_query({(12, 28): 3.5})),
    "vary-query-vertices": (by_query(), by_query({(16, 32): 2.0})),
    "query-distribution": (distributions(), distributions(enron=7.0)),
    "loading-time": (uploads(0.144), uploads(0.0005)),
    "gpu-memory": (memories(0.9), memories(1.5)),
}
# More ways to miss a claim of several parts.
MISSED: list[tuple[str, list[Raw]]] = [
    ("pcsr-gain", join_techniques(loads={"DS": 1.3})),
    ("prealloc-combine-gain", join_techniques(loads={"PC": 1.2})),
    ("set-operation-gain", join_techniques({"SO": 3.0})),
    ("write-cache", write_cache(stores=1.08)),
    ("duplicate-removal", duplicates(0.2)),
    ("gsi-beats-all", systems({"vf3": 50.0, "cfl": 50.0, "cbwj": 50.0})),
    ("scalability-data-size", sizes(gsi_ends=False)),
    ("scalability-data-size", sizes(others_end=True)),
    ("scalability-sms", multiprocessors(8.0)),
    ("vary-labels", by_labels({(100, 10): 2.0})),
    ("query-distribution", distributions(mean=1.0)),
]


def test_every_claim_has_an_evaluation_and_a_case() -> None:
    claims = evaluated_claims("gsi2020", "gsi2020/")
    assert {key.removeprefix(PREFIX) for key in claims} == set(CASES) | UNTESTABLE


@over_cases(CASES, MISSED)
def test_records_that_meet_a_claim_and_records_that_do_not(
    tmp_path: Path, claim: str, good: list[Raw], bad: list[Raw]
) -> None:
    meets_and_misses(judge, tmp_path, PREFIX + claim, good, bad)


def test_the_documents_own_table_contradicts_its_text_on_candidates(
    tmp_path: Path,
) -> None:
    result = judge(tmp_path / "run", PREFIX + "filter-candidates", filters())
    by_part: dict[str, set[str]] = {}
    for check in result.checks:
        by_part.setdefault(f"{check.part}: {check.verdict}", set()).add(str(check.dataset))
    said = "smallest set of candidates of GpSM over GSI: "
    assert by_part[said + HOLDS] == {"enron", "patent"}  # the claim's note
    assert by_part[f"smallest set of candidates of GpSM over GSI by Table IV: {HOLDS}"] == set(ALL)
    assert by_part[f"smallest set of candidates of GunrockSM over GSI by Table IV: {HOLDS}"] == set(ALL)


@pytest.mark.parametrize("claim", ["host-memory", "cpu-memory"])
def test_the_memory_of_whole_processes_is_not_compared(tmp_path: Path, claim: str) -> None:
    experiment = "gsi2020/table-X" if claim == "host-memory" else "gsi2020/fig-14"
    sizes = {"gsi": 9_000_000, "gpsm": 8_000_000, "vf3": 1_000_000, "cfl": 2_000_000, "cbwj": 3_000_000}
    records = [made(experiment, solver, like(name), host=size) for name in ALL for solver, size in sizes.items()]
    result = judge(tmp_path / "run", PREFIX + claim, records)
    assert result.verdict == UNTESTED and "the memory of the whole process" in result.reason


def test_transactions_that_nobody_counted_are_not_tested(tmp_path: Path) -> None:
    records = [raw | {"counters": {}} for raw in structures()]
    result = judge(tmp_path / "run", PREFIX + "compressed-worse-than-csr-on-watdiv", records)
    assert result.verdict == UNTESTED
    assert "no trial records counters.global_load_transactions" in result.reason


TRANSACTIONS = {
    "pcsr-gain": join_techniques,
    "pcsr-vs-compressed": structures,
    "compressed-worse-than-csr-on-watdiv": structures,
    "prealloc-combine-gain": join_techniques,
    "set-operation-gain": join_techniques,
    "write-cache": write_cache,
    "duplicate-removal": duplicates,
}


@pytest.mark.parametrize("claim", TRANSACTIONS)
@pytest.mark.parametrize("profile", [{}, {"profile": {"covers": "solve"}}])
def test_transactions_of_whole_solves_are_not_comparable(tmp_path: Path, claim: str, profile: Raw) -> None:
    records = [{key: raw[key] for key in raw if key != "profile"} | profile for raw in TRANSACTIONS[claim]()]
    result = judge(tmp_path / "run", PREFIX + claim, records)
    loads = [check for check in result.checks if "transactions" in check.part]
    assert loads and {check.verdict for check in loads} == {UNTESTED}
    assert all("counters of that without the filter" in check.reason for check in loads)


def test_a_shorter_limit_says_nothing_of_100_seconds(tmp_path: Path) -> None:
    result = judge(tmp_path / "run", PREFIX + "cpu-fails-on-large", limits(10.0, timeout=10))
    assert result.verdict == UNTESTED


def test_what_ran_out_of_memory_is_left_out_of_the_fastest_and_the_slowest(
    tmp_path: Path,
) -> None:
    met = judge(tmp_path / "good", PREFIX + "large-graphs-4x", systems({"gpsm": None}))
    assert met.verdict == HOLDS
    none = judge(
        tmp_path / "none",
        PREFIX + "large-graphs-4x",
        systems(dict.fromkeys(COUNTERPARTS)),
    )
    assert none.verdict == UNTESTED and "none of GpSM, GunrockSM, MAGiQ, Wukong+G was measured" in none.reason


def test_sizes_of_watdiv_count_for_the_large_graphs(tmp_path: Path) -> None:
    for factor, verdict in ((5.0, HOLDS), (2.0, FAILS)):
        records = [raw | {"experiment": "gsi2020/fig-15a"} for raw in systems(large=factor)]
        result = judge(tmp_path / verdict.replace(" ", "-"), PREFIX + "large-graphs-4x", records)
        assert result.verdict == verdict


def test_on_simt_candidates_count_but_times_and_limits_do_not(tmp_path: Path) -> None:
    simt = [raw | {"backend": "simt"} for raw in filters()]
    assert judge(tmp_path / "time", PREFIX + "filter-time", simt).verdict == UNTESTED
    (read,) = read_run(write_run(tmp_path / "one", simt[:1])).records
    for text, timed in (
        ("counters.filter_s", True),
        ("counters.query_mean_s / counters.query_q3_s", True),
        ("counters.unsolved / work.queries", True),
        ("judgement.metrics.solved", True),
        ("query_time", True),
        ("write_throughput", True),
        ("counters.candidates_min", False),
        ("counters.matches / work.queries", False),
    ):
        assert field(text, "here").timed == timed, text
    assert field("counters.matches / work.queries", "here").number(read) == 1000


def test_the_time_of_a_query_has_the_interval_of_all(tmp_path: Path) -> None:
    (read,) = read_run(write_run(tmp_path / "run", [gsi("fig-14", "enron", 28.0)])).records
    which = field("query_time", "here")
    assert which.number(read) == pytest.approx(0.028)
    assert which.interval(read) == pytest.approx((0.028 * 0.98, 0.028 * 1.03))
    assert which.label == "time of a query (s), mean"


@pytest.mark.usefixtures("undrawn")
def test_printed_numbers_stand_beside_their_trials(tmp_path: Path) -> None:
    figure = {"kind": "table", "value": "query_time", "published": "gsi2020-table-V"}
    run = write_run(tmp_path / "run", join_techniques(), {"figure": figure})
    write_figures(by_experiment([read_run(run)]), tmp_path / "out")
    points = json.loads((tmp_path / "out" / "gsi2020-table-V.json").read_text())["points"]
    assert len(points) == 24
    for point in points:
        (printed,) = point["published"]
        assert printed["value"] == pytest.approx(point["y"])
