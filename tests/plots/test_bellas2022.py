"""The claims of bellas2022's chapter on sets: records that meet them, and records that do not."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders import environment, judgement, record, timing, write_run
from claim_cases import evaluated_claims, judge_on, meets_and_misses, over_cases
from warpbench_plots.claims.evaluations import parse
from warpbench_plots.claims.verdict import FAILS, HOLDS, PARTLY, UNTESTED, ClaimResult
from warpbench_plots.errors import InputError
from warpbench_plots.figures.build import write_figures
from warpbench_plots.files import read_yaml
from warpbench_plots.locations import DATA
from warpbench_plots.results.run import by_experiment, read_run

Raw = dict[str, Any]
INTERSECTION, CONTAINMENT = (
    "bellas2022/set_intersection/",
    "bellas2022/set_containment/",
)
COLLECTIONS = {
    "BMS": ("bms-pos-like", 1657),
    "ENRON": ("enron-words-like", 1_100_000),
    "ORKUT": ("orkut-groups-like", 8_700_000),
    "TWITTER": ("twitter-words-like", 37_704),
    "WORDS": ("words-like", 11_000),
}
SIZES = {"10K": 10_000, "25K": 25_000, "50K": 50_000, "75K": 75_000, "100K": 100_000}
TECHNIQUES = {
    "sf-gssjoin": "static-index",
    "BI-dynamic": "bi-dynamic",
    "OBS": "obs",
    "HI": "hi",
    "MM": "mm",
    "SIMD": "simd",
    "std": "std",
    "boost": "bitset",
    "MMJoin-CPU": "mmjoin",
    "MMJoin-GPU": "mmjoin-gpu",
}
CPU = ("simd", "std", "bitset", "roaring", "mmjoin", "lcjoin")
SISI = [f"{d}-{u}-{s}" for d in ("normal", "uniform", "zipf") for u in ("1e8", "1e9") for s in ("1e6", "1e7")]
MISI = ["zipf-1e8-1e6", "zipf-1e9-1e6"]


def gpu(name: str, memory: int) -> Raw:
    return {
        "gpu": [
            {
                "name": name,
                "driver": "1.0",
                "memory_bytes": memory,
                "compute_capability": "9.0",
            }
        ]
    }


TITAN = gpu("NVIDIA TITAN Xp", 12_788_105_216)


def made(experiment: str, solver: str, dataset: str, seconds: float | None, **rest: Any) -> Raw:
    """A record of sets; without seconds it ran out of device memory. `sets` and `universe` are the dataset's."""
    sets, universe = rest.pop("sets", 2), rest.pop("universe", 1000)
    containment = experiment in ("fig-6.16", "fig-6.17", "fig-6.18", "table-B.2")
    phases, counters = rest.pop("phases_s", {"count": seconds or 0.0}), rest.pop("counters", {})
    threads = {"threads": rest.pop("threads", 1 if experiment == "fig-6.9" else 12)} if solver in CPU else {}
    built = record(
        solver,
        seconds,
        dataset,
        threads | rest,
        experiment=f"bellas2022/{experiment}",
        problem="set_containment" if containment else "set_intersection",
        status="oom_device" if seconds is None else "ok",
        judgement=None if seconds is None else judgement(common=1),
        counters=counters,
        phases_s=phases,
        work={"pairs": sets * (sets - 1) / 2, "elements": 1.0},
        time=None if seconds is None else timing(seconds),
    )
    properties = {"sets": sets, "tokens": 10 * sets, "universe": universe}
    built["dataset"] |= {"stand_in": "-like" in dataset, "properties": properties}
    built["solver"]["device"] = "cpu" if solver in CPU else "hybrid" if solver == "mmjoin-gpu" else "gpu"
    return built


def judge(folder: Path, claim: str, records: list[Raw], **env: Any) -> ClaimResult:
    machine = environment("fixture-gpu", records[0]["backend"], **env)
    return judge_on(folder, claim, records, machine)


def pairs(
    changes: dict[str, float] | None = None,
    only: dict[str, dict[str, float]] | None = None,
) -> list[Raw]:
    """Figure 6.9: milliseconds that meet the document's text; `changes` on all pairs of sets, `only` on one."""
    usual = {
        "ip": 1.0,
        "ip-obs": 1.1,
        "ip-hi": 11.0,
        "bi-naive": 4.0,
        "bi-dynamic": 3.0,
    }
    usual |= {"simd": 2.5, "std": 5.0, "bitset": 15.0, "obs": 9.0, "roaring": 0.1}
    best_bitset = {"bitset": 2.4, "simd": 2.45}
    records = []
    for name in SISI:
        _, universe, size = name.split("-")
        sparse = {("1e8", "1e7"): 1.0, ("1e9", "1e6"): 2.5}.get((universe, size), 1.5)
        grown = 1.1 if (universe, size) == ("1e9", "1e7") else 1.0
        times = {key: value * (sparse if key.startswith("bi-") else 1.0) for key, value in usual.items()}
        times |= {key: times[key] * grown for key in ("simd", "std", "bitset")}
        if name == "uniform-1e8-1e7":
            times |= best_bitset
        times |= (changes or {}) | (only or {}).get(name, {})
        records += [made("fig-6.9", solver, f"sisi-{name}", ms / 1e3) for solver, ms in times.items()]
    return records


def profile(experiment: str, key: str, values: dict[str, float], datasets: list[str]) -> list[Raw]:
    return [
        made(experiment, solver, name, 1.0, counters={key: value})
        for name in datasets
        for solver, value in values.items()
    ]


def profiled_pairs(ip: float, others: float = 4.0) -> list[Raw]:
    atomics = {
        "ip": ip,
        "ip-obs": 1.5,
        "ip-hi": others,
        "bi-naive": others,
        "bi-dynamic": 5.0,
    }
    ipc = {"ip-obs": 2.0, "bi-naive": 1.0, "bi-dynamic": 0.8}
    names = [f"sisi-{name}" for name in SISI]
    return profile("fig-6.11", "atomic_transactions_per_request", atomics, names) + profile(
        "fig-6.10", "ipc", ipc, names
    )


def profiled_thousand(atomics: float, instructions: float) -> list[Raw]:
    """Counters of sf-gssjoin where those of BI-dynamic are 1."""
    return [
        made(
            "fig-6.13",
            solver,
            "misi-zipf-1e8-1e6",
            1.0,
            counters={
                "atomic_transactions_per_request": one,
                "instructions_per_warp": other,
            },
        )
        for solver, one, other in (
            ("static-index", atomics, instructions),
            ("bi-dynamic", 1.0, 1.0),
        )
    ]


def thousand(
    changes: dict[str, float | None] | None = None,
    experiment: str = "fig-6.12",
    **rest: Any,
) -> list[Raw]:
    """Figures 6.12 and 6.16: seconds that meet the document's text."""
    times: dict[str, float | None] = {
        "bi-dynamic": 1.0,
        "ip-obs": 2.0,
        "obs": 3.6,
        "hi": 4.0,
        "ip": 6.0,
        "ip-hi": 6.4,
    }
    times |= {"simd": 11.0, "std": 14.0, "bitset": 20.0, "mm": None, "roaring": 0.1}
    if experiment == "fig-6.16":
        times = {"bi-dynamic": 1.0, "ip-obs": 2.0, "mmjoin": 12.0, "mmjoin-gpu": 8.8}
    records = []
    for name in MISI:
        index = {"static-index": 1.5 if name == "zipf-1e8-1e6" else None}
        for solver, seconds in (times | index | (changes or {})).items():
            records.append(made(experiment, solver, f"misi-{name}", seconds, sets=1000, **rest))
    return records


def printed(table: str, changes: dict[tuple[str, str], float | None] | None = None, **rest: Any) -> list[Raw]:
    """The printed seconds; `changes` multiply those of a collection and a technique, or drop the record if None."""
    rows = read_yaml(DATA / "tables" / f"bellas2022-{table}.yaml")
    experiment = rest.pop("experiment", table)
    records = []
    for collection, technique, *seconds in rows["rows"]:
        factor = (changes or {}).get((collection, technique), 1.0)
        if technique not in TECHNIQUES or factor is None:
            continue
        name, universe = COLLECTIONS[collection]
        for (size, sets), value in zip(SIZES.items(), seconds, strict=True):
            assert size in rows["columns"]
            dataset = f"{name}(largest={sets})" if sets < 100_000 else name
            taken = None if value is None else value * factor
            solver = TECHNIQUES[technique]
            records.append(
                made(
                    experiment,
                    solver,
                    dataset,
                    taken,
                    sets=sets,
                    universe=universe,
                    **rest,
                )
            )
    return records


def matrix(bytes_per_number: float) -> list[Raw]:
    return [
        made(
            "table-B.1",
            "mm",
            name,
            1.0,
            sets=1000,
            universe=u,
            counters={"matrix_bytes": bytes_per_number * 1000 * u},
        )
        for name, u in (COLLECTIONS["BMS"], COLLECTIONS["WORDS"])
    ]


def bitmaps(size: float) -> list[Raw]:
    return [
        made(
            "fig-6.12",
            "bi-dynamic",
            f"misi-{name}",
            1.0,
            universe=10**8,
            counters={"bitmap_bytes": size},
        )
        for name in MISI
    ]


def diagonals(a_pair: int) -> list[Raw]:
    """A record of IP with 8 blocks and the given number of diagonals of a pair."""
    counters = {"blocks": 8, "diagonal_bytes": 4 * a_pair * 499_500}
    return [made("fig-6.12", "ip", f"misi-{name}", 1.0, sets=1000, counters=counters) for name in MISI]


def degrees(values: float) -> list[Raw]:
    phases = {"build": 0.2, "count": 0.8, "values": values}
    return [made("table-B.2", "static-index", name, 1.0, phases_s=phases) for name, _ in COLLECTIONS.values()]


def joined(seconds: float) -> list[Raw]:
    times = {"static-index": 0.1, "mm": None, "bi-dynamic": 0.3}
    return [
        made("fig-6.18", solver, name, taken)
        for name, _ in COLLECTIONS.values()
        for solver, taken in (times | {"lcjoin": seconds}).items()
    ]


def split(sets: int, elements: int) -> list[Raw]:
    counters = {"heavy_sets": sets, "heavy_elements": elements}
    name, universe = COLLECTIONS["TWITTER"]
    return [
        made(
            "table-B.2",
            "mmjoin",
            f"{name}(largest=50000)",
            1.0,
            sets=50_000,
            universe=universe,
            counters=counters,
        )
    ]


CASES: dict[str, tuple[list[Raw], list[Raw]]] = {
    INTERSECTION + "sisi-ip-best": (pairs(), pairs(only={"zipf-1e9-1e7": {"bi-naive": 0.5}})),
    INTERSECTION
    + "sisi-ip-vs-ip-obs": (
        pairs({"ip-obs": 1.05}, {"uniform-1e9-1e7": {"ip-obs": 1.2}}),
        pairs({"ip-obs": 1.05}, {"normal-1e9-1e7": {"ip-obs": 1.2}}),
    ),
    INTERSECTION + "sisi-over-cpu": (pairs(), pairs({"simd": 1.5})),
    INTERSECTION + "sisi-simd-robust": (pairs(), pairs({"std": 1.0})),
    INTERSECTION + "sisi-over-worst": (pairs(), pairs({"ip-hi": 8.0, "bi-naive": 2.0})),
    INTERSECTION + "sisi-ip-hi-worst": (pairs(), pairs({"ip-hi": 2.0})),
    INTERSECTION
    + "sisi-bitmap-sparsity": (
        pairs(),
        pairs(only={"zipf-1e9-1e6": {"bi-dynamic": 2.0}}),
    ),
    INTERSECTION + "sisi-profiling": (profiled_pairs(1.2), profiled_pairs(3.0)),
    INTERSECTION + "misi-artificial-best": (thousand(), thousand({"simd": 4.0})),
    INTERSECTION + "misi-artificial-order": (thousand(), thousand({"ip": 3.0})),
    INTERSECTION + "misi-ip-obs-over-obs": (thousand(), thousand({"obs": 2.1})),
    INTERSECTION + "misi-ip-over-cpu": (thousand(), thousand({"ip-hi": 9.0})),
    INTERSECTION + "misi-profiling": (profiled_thousand(3.0, 0.2), profiled_thousand(0.5, 0.2)),
    INTERSECTION
    + "misi-real-winners": (
        printed("table-B.1", {("TWITTER", "BI-dynamic"): 1.1}),
        printed("table-B.1", {("WORDS", "BI-dynamic"): 0.1}),
    ),
    INTERSECTION
    + "misi-real-speedup": (
        printed(
            "table-B.1",
            {(name, cpu): 1.2 for name in COLLECTIONS for cpu in ("SIMD", "std", "boost")},
        ),
        printed("table-B.1", {("WORDS", "std"): 0.5}),
    ),
    INTERSECTION
    + "misi-real-speedup-per-case": (
        printed(
            "table-B.1",
            {(name, cpu): 1.1 for name in COLLECTIONS for cpu in ("SIMD", "std", "boost")},
        ),
        printed("table-B.1", {("ENRON", "boost"): 0.5}),
    ),
    INTERSECTION
    + "mm-applicability": (
        printed("table-B.1"),
        printed("table-B.1", {("TWITTER", "MM"): 0.1}),
    ),
    INTERSECTION + "mm-memory": (matrix(4.0), matrix(2.0)),
    INTERSECTION + "ip-memory": (diagonals(9), diagonals(2)),
    INTERSECTION + "bitmap-memory": (bitmaps(12_500_008), bitmaps(1e8)),
    INTERSECTION
    + "gpu-order-of-magnitude": (
        printed("table-B.1"),
        printed("table-B.1", {(name, "boost"): 0.1 for name in COLLECTIONS}),
    ),
    CONTAINMENT
    + "artificial": (
        thousand(experiment="fig-6.16"),
        thousand({"mmjoin-gpu": 3.0}, experiment="fig-6.16"),
    ),
    CONTAINMENT
    + "real": (
        printed(
            "table-B.2",
            {(name, cpu): 1.1 for name in COLLECTIONS for cpu in ("MMJoin-CPU", "MMJoin-GPU")},
        ),
        printed("table-B.2", {(name, "MMJoin-CPU"): 0.5 for name in COLLECTIONS}),
    ),
    CONTAINMENT
    + "mmjoin-exceptions": (
        printed("table-B.2", {("TWITTER", "MMJoin-GPU"): 0.9}),
        printed("table-B.2", {("WORDS", "MMJoin-GPU"): 2.0}),
    ),
    CONTAINMENT
    + "winners-as-in-misi": (
        printed("table-B.2", experiment="fig-6.17"),
        printed("table-B.2", {("BMS", "MM"): 3.0}, experiment="fig-6.17"),
    ),
    CONTAINMENT + "containment-cost-negligible": (degrees(0.01), degrees(0.2)),
    CONTAINMENT + "lcjoin": (joined(12.0), joined(1.0)),
    CONTAINMENT + "twitter-heavy-split": (split(50_000, 421), split(25_000, 421)),
}


def test_every_claim_of_the_chapter_has_an_evaluation_and_a_case() -> None:
    assert evaluated_claims("bellas2022", INTERSECTION, CONTAINMENT) == set(CASES)


@over_cases(CASES)
def test_records_that_meet_a_claim_and_records_that_do_not(
    tmp_path: Path, claim: str, good: list[Raw], bad: list[Raw]
) -> None:
    meets_and_misses(judge, tmp_path, claim, good, bad)


def test_what_records_do_not_hold_is_not_tested(tmp_path: Path) -> None:
    unprofiled = [made("fig-6.10", solver, f"sisi-{SISI[0]}", 1.0) for solver in ("ip", "ip-obs", "bi-naive")]
    result = judge(tmp_path / "profile", INTERSECTION + "sisi-profiling", unprofiled)
    assert result.verdict == UNTESTED and "no trial records counters.ipc" in result.reason


@pytest.mark.parametrize("table", ["table-B.1", "table-B.2"])
def test_the_tables_own_numbers_are_met_as_printed_on_a_titan(tmp_path: Path, table: str) -> None:
    claim = INTERSECTION + "misi-real-speedup-per-case" if table == "table-B.1" else CONTAINMENT + "real"
    result = judge(tmp_path / "run", claim, printed(table), **TITAN)
    tested = [
        check for check in result.checks if check.published != "no number" and "-like" in (check.measured_on or "")
    ]
    parts = [check for check in tested if check.part.endswith(("as printed", "best adapted technique"))]
    assert len([check for check in parts if check.verdict == HOLDS]) >= 24
    assert not [(c.part, c.measured_on, c.measured) for c in parts if c.verdict == FAILS]
    exact = [check for check in parts if check.measured_on == "words-like(largest=25000)"]
    expected = 37.91 if table == "table-B.1" else 1.92
    assert exact and all(check.published == f"{expected:g}" for check in exact)
    assert all(check.measured and check.measured.value == pytest.approx(expected, rel=0.01) for check in exact)


def test_factors_of_the_documents_hardware_are_tested_on_it_only(
    tmp_path: Path,
) -> None:
    records = pairs({"simd": 25.0, "std": 50.0, "bitset": 150.0})  # ten times as far ahead as printed
    here = judge(tmp_path / "here", INTERSECTION + "sisi-over-cpu", records)
    assert here.verdict == PARTLY
    assert [check.verdict for check in here.checks if check.part == "the same, as printed"] == [UNTESTED]
    assert judge(tmp_path / "titan", INTERSECTION + "sisi-over-cpu", records, **TITAN).verdict == FAILS


def test_a_mean_needs_every_dataset_and_is_of_all_sizes(tmp_path: Path) -> None:
    records = printed("table-B.1")
    (check,) = judge(tmp_path / "all", INTERSECTION + "gpu-order-of-magnitude", records).checks
    assert check.measured is not None
    # The mean of the printed speed-ups; that of TWITTER-10K is 1.94 / 0.99.
    speedups = [
        row[2:] for row in read_yaml(DATA / "tables" / "bellas2022-table-B.1.yaml")["rows"] if row[1] == "Speedup"
    ]
    numbers = [1.96 if value is None else value for row in speedups for value in row]
    assert check.measured.value == pytest.approx(sum(numbers) / 25, rel=0.01)
    assert check.measured_on is not None and "words-like (5 sizes)" in check.measured_on
    without = [raw for raw in records if not raw["dataset"]["name"].startswith("orkut")]
    missing = judge(tmp_path / "some", INTERSECTION + "gpu-order-of-magnitude", without)
    assert missing.verdict == UNTESTED and "dataset absent" in missing.reason


def test_sizes_the_document_does_not_print_have_no_number(tmp_path: Path) -> None:
    records = [made("table-B.1", solver, "words-like(largest=16)", 1.0, sets=16) for solver in ("mm", "bitset")]
    result = judge(tmp_path / "run", INTERSECTION + "misi-real-speedup-per-case", records)
    assert result.verdict == UNTESTED and "prints no number for 16 sets of WORDS" in result.reason


def test_a_matrix_that_fits_contradicts_that_it_cannot(tmp_path: Path) -> None:
    runs = [
        made(
            "table-B.1",
            "mm",
            COLLECTIONS["ENRON"][0],
            1.0,
            sets=100_000,
            universe=1_100_000,
        )
    ]
    assert judge(tmp_path / "fits", INTERSECTION + "mm-applicability", runs).verdict == FAILS
    # A larger GPU says nothing, nor does a universe that was cut.
    large = gpu("NVIDIA H200", 150_000_000_000)
    assert judge(tmp_path / "h200", INTERSECTION + "mm-applicability", runs, **large).verdict == UNTESTED
    cut = [
        made(
            "table-B.1",
            "mm",
            "enron-words-like(universe=9,largest=16)",
            1.0,
            sets=16,
            universe=9,
        )
    ]
    assert judge(tmp_path / "cut", INTERSECTION + "mm-applicability", cut).verdict == UNTESTED


def test_memory_that_is_refused_decides_on_simt_too(tmp_path: Path) -> None:
    refused = [raw | {"backend": "simt"} for raw in thousand()]
    result = judge(tmp_path / "run", INTERSECTION + "misi-artificial-order", refused)
    parts = {(check.part, check.dataset): check.verdict for check in result.checks}
    assert parts[("MM runs", "zipf-1e8-1e6")] == HOLDS
    assert parts[("sf-gssjoin over BI-dynamic with the smaller universe", "zipf-1e8-1e6")] == UNTESTED


def test_a_generated_set_of_another_size_stands_in(tmp_path: Path) -> None:
    small = thousand()
    for raw in small:
        raw["dataset"] |= {
            "name": raw["dataset"]["name"] + "(sets=16)",
            "parameters": {"sets": 16},
        }
    result = judge(tmp_path / "run", INTERSECTION + "misi-artificial-order", small)
    assert "misi-zipf-1e8-1e6(sets=16) for zipf-1e8-1e6" in result.reason
    assert {check.verdict for check in result.checks if check.part == "MM runs"} == {UNTESTED}


@pytest.mark.parametrize("change", [{"over": "some"}, {"sizes": "all"}, {"bound": "at_most"}])
def test_bad_words_of_a_check_are_refused(change: Raw) -> None:
    check = {"part": "p", "published": 0, "measure": "A"} | change
    raw = {"tolerance": 1.5, "terms": {"A": {"select": {}}}}
    with pytest.raises(InputError, match="expected one of"):
        parse(raw | {"evaluations": {"c": {"experiments": [], "checks": [check]}}}, "file")


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("table", "technique", "seconds"),
    [("B.1", "obs", 65.4), ("B.2", "mmjoin-gpu", 9.28)],
)
def test_printed_seconds_stand_beside_their_trials(tmp_path: Path, table: str, technique: str, seconds: float) -> None:
    figure = {"kind": "table", "rows": "solver", "columns": "sets", "facet": "source"}
    run = write_run(
        tmp_path / "run",
        printed(f"table-{table}"),
        {"figure": figure | {"published": f"bellas2022-table-{table}"}},
    )
    write_figures(by_experiment([read_run(run)]), tmp_path / "out")
    (sidecar,) = [json.loads(path.read_text()) for path in (tmp_path / "out").glob("*.json")]
    shown = {(p["facet"], p["series"], p["x"]): [v["value"] for v in p.get("published", ())] for p in sidecar["points"]}
    assert [seconds] in shown.values(), list(shown.items())[:3]


@pytest.mark.usefixtures("undrawn")
def test_means_of_table_6_1_stand_beside_the_stand_ins(tmp_path: Path) -> None:
    value = "dataset.properties.tokens / dataset.properties.sets"
    figure = {"kind": "table", "rows": "dataset", "columns": "solver", "value": value}
    records = [made("table-6.1", "static-index", "words-like(largest=10000)", 1.0, sets=10_000)]
    run = write_run(
        tmp_path / "run",
        records,
        {"figure": figure | {"published": "bellas2022-table-6.1"}},
    )
    write_figures(by_experiment([read_run(run)]), tmp_path / "out")
    (sidecar,) = [json.loads(path.read_text()) for path in (tmp_path / "out").glob("*.json")]
    assert [v["value"] for p in sidecar["points"] for v in p["published"]] == [3494]
