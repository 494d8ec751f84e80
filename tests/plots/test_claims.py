"""The claims evaluator: right numbers hold, wrong ones do not, and what cannot be tested says why."""

from pathlib import Path
from typing import Any

import pytest
from builders import environment, judgement, made_run, record, table_4, timing
from claim_cases import evaluated_claims, judge_on
from warpbench_plots.claims.catalogue import expand
from warpbench_plots.claims.evaluate import evaluate_runs
from warpbench_plots.claims.evaluations import parse
from warpbench_plots.claims.verdict import FAILS, HOLDS, PARTLY, UNTESTED, ClaimResult
from warpbench_plots.errors import InputError

PREFIX = "che2019/common_neighbors/"


def judge(folder: Path, claim: str, records: list[dict[str, Any]], **env: Any) -> ClaimResult:
    machine, backend = records[0]["environment"]["machine"], records[0]["backend"]
    return judge_on(folder, PREFIX + claim, records, environment(machine, backend, **env))


def test_every_claim_of_the_document_has_an_evaluation_and_the_data_parse() -> None:
    assert evaluated_claims("che2019", "che2019/")


@pytest.mark.parametrize(
    "claim",
    [
        "degree-skew-handling",
        "vectorization",
        "mps-vector-and-parallel-cpu",
        "bmp-parallel-rf",
        "rf-cpu-knl",
        "best-over-baseline",
        "cpu-favours-bmp",
        "mps-scales-better",
    ],
)
def test_the_documents_own_numbers_hold(tmp_path: Path, claim: str) -> None:
    result = judge(tmp_path, claim, table_4())
    # What nobody can test here is the KNL's and three graphs'.
    assert result.verdict == (HOLDS if claim in ("mps-vector-and-parallel-cpu", "mps-scales-better") else PARTLY)
    assert {check.verdict for check in result.checks} <= {HOLDS, UNTESTED}
    assert "on stand-ins: twitter-like for TW" in result.reason


@pytest.mark.parametrize("claim", ["degree-skew-handling", "best-over-baseline"])
def test_a_small_graph_without_the_skew_decides_nothing_about_it(tmp_path: Path, claim: str) -> None:
    records = table_4()
    for raw in records:
        raw["dataset"]["properties"] |= {"skewed_share": 0.08}
    checks = judge(tmp_path, claim, records).checks
    reasons = {check.reason for check in checks if check.dataset == "TW" and "on the CPU" in check.part}
    assert {check.verdict for check in checks if check.dataset == "FR" and "on the CPU" in check.part} == {HOLDS}
    assert [(reason or "").partition(":")[0] for reason in reasons] == ["not comparable"]


@pytest.mark.parametrize(
    ("claim", "solver", "factor"),
    [
        ("degree-skew-handling", "mps", 10),
        ("vectorization", "mps", 0.1),
        ("cpu-favours-bmp", "bmp", 10),
    ],
)
def test_wrong_numbers_do_not_hold(tmp_path: Path, claim: str, solver: str, factor: float) -> None:
    records = table_4()
    for raw in records:
        scalar = raw["solver"]["parameters"].get("simd") == "none"
        if raw["solver"]["name"] == solver and (claim != "vectorization" or scalar):
            raw["time"] = timing(raw["time"]["median_s"] * factor)
    result = judge(tmp_path, claim, records)
    assert result.verdict == FAILS
    assert result.reason.startswith("not met: ")


def test_fewer_cores_than_published_are_hardware(tmp_path: Path) -> None:
    cpu = {"model": "Laptop", "cores": 2, "threads": 4, "simd": "avx2"}
    result = judge(tmp_path, "mps-vector-and-parallel-cpu", table_4(), cpu=cpu)
    assert (result.verdict, result.reason) == (
        UNTESTED,
        "hardware: needs 28 cores, this machine has 2",
    )


def test_fewer_threads_than_published_cores_are_hardware(tmp_path: Path) -> None:
    """Of a large machine, a run may have been given a part."""
    cpu = {"model": "Server", "cores": 64, "threads": 64, "simd": "avx2"}
    records = table_4()
    for raw in records:
        raw["time"]["threads"] = 1 if raw["solver"]["parameters"].get("threads") == 1 else 16
    result = judge(tmp_path, "mps-vector-and-parallel-cpu", records, cpu=cpu)
    assert (result.verdict, result.reason) == (
        UNTESTED,
        "hardware: needs 28 cores, its trials had 16 threads",
    )


def test_an_interval_across_the_bound_decides_nothing(tmp_path: Path) -> None:
    records = [
        record("mps", 1.0, parameters={"threads": 1}, time=timing(1.0)),
        record("bmp", 1.0, parameters={"threads": 1}, time=timing(1.0)),
    ]
    result = judge(tmp_path, "cpu-favours-bmp", records)
    assert result.verdict == UNTESTED
    assert "undecided: the interval [0.951, 1.05] crosses the bound" in result.reason


def test_knl_claims_are_never_tested(tmp_path: Path) -> None:
    result = judge(tmp_path, "mps-hbw", table_4())
    assert (result.verdict, result.reason) == (
        UNTESTED,
        "hardware: nobody here has a KNL with MCDRAM",
    )


def rf(backend: str = "cuda", **changes: Any) -> list[dict[str, Any]]:
    experiment = "che2019/table-7-range-filter-gpu"
    return [
        record(
            "bmp-gpu",
            seconds,
            dataset,
            {"range_filter": filtered},
            experiment=experiment,
            backend=backend,
            **changes,
        )
        for dataset, slow, fast in (
            ("twitter", 46.8, 24.9),
            ("friendster", 184.1, 97.5),
        )
        for filtered, seconds in ((False, slow), (True, fast))
    ]


def test_gpu_claims_hold_on_a_gpu(tmp_path: Path) -> None:
    titan = {
        "name": "NVIDIA TITAN Xp",
        "driver": "1",
        "memory_bytes": 12 * 2**30,
        "compute_capability": "6.1",
    }
    result = judge(tmp_path, "rf-gpu", rf(), gpu=[titan])
    assert (result.verdict, result.reason) == (HOLDS, "")
    assert all(check.verdict == HOLDS for check in result.checks)


def test_gpu_claims_are_not_tested_on_simt_or_without_a_gpu_or_on_failures(
    tmp_path: Path,
) -> None:
    reasons = {
        "simt": rf("simt"),
        "no GPU": rf(status="no_device"),
        "failed": rf(status="timeout"),
        "not run": rf()[:1],
    }
    for reason, records in reasons.items():
        result = judge(tmp_path / reason.replace(" ", "-"), "rf-gpu", records)
        assert result.verdict == UNTESTED
        assert f"{reason}: " in result.reason


def test_absolute_numbers_are_not_judged_on_stand_ins(tmp_path: Path) -> None:
    records = [record("bmp", 1.0, "livejournal-like", experiment="che2019/overall-per-platform")]
    result = judge(tmp_path, "small-graphs-time", records)
    assert result.verdict == UNTESTED
    assert "livejournal-like only stands in for LJ" in result.reason


def test_a_count_is_tested_without_a_gpu_too(tmp_path: Path) -> None:
    shares = {
        "livejournal": 1.2,
        "orkut": 1.8,
        "web-it": 27.9,
        "twitter": 31.0,
        "friendster": 1.6,
    }
    experiment = "che2019/table-2-skewed-share"
    records = [
        record(
            "mps-gpu",
            1.0,
            name,
            experiment=experiment,
            backend="simt",
            judgement=judgement(skewed_share=v / 100),
        )
        for name, v in shares.items()
    ]
    assert judge(tmp_path, "skewed-share", records).verdict == HOLDS
    records[0]["judgement"] = judgement(skewed_share=0.5)
    assert judge(tmp_path / "bad", "skewed-share", records).verdict == FAILS


def test_co_processing_reads_the_phase(tmp_path: Path) -> None:
    def run(with_cp: float) -> list[dict[str, Any]]:
        return [
            record(
                "bmp-gpu",
                10.0,
                name,
                {"co_processing": on},
                experiment="che2019/table-5-co-processing",
                phases_s={"postprocess": with_cp if on else 5.6},
            )
            for name in ("twitter", "friendster")
            for on in (False, True)
        ]

    assert judge(tmp_path / "good", "co-processing", run(0.9)).verdict == HOLDS
    assert judge(tmp_path / "bad", "co-processing", run(5.0)).verdict == FAILS


def test_terms_that_differ_are_not_divided(tmp_path: Path) -> None:
    records = rf()
    records[0]["time"]["covers"] = ["upload", "solve"]
    result = judge(tmp_path, "rf-gpu", records)
    assert any("terms differ" in (check.reason or "") for check in result.checks)


def test_machines_are_judged_apart_and_revisions_together(tmp_path: Path) -> None:
    spec = {"claims": [PREFIX + "mps-vector-and-parallel-cpu"]}
    runs = [
        made_run(tmp_path / "a", table_4()[:7], spec),
        made_run(tmp_path / "b", table_4(revision="fedcba")[7:], spec),
        made_run(tmp_path / "c", table_4(machine="other")[:7], spec),
    ]
    results = evaluate_runs(runs)
    assert [(r.machine, r.revisions, r.words) for r in results] == [
        ("fixture-gpu", ("0123456789ab", "fedcba"), "holds"),
        ("other", ("0123456789ab",), "holds on 1 of 2"),
    ]
    assert "dataset absent: V and P over scalar MPS on FR" in results[1].reason


def test_unknown_claims_are_refused() -> None:
    with pytest.raises(InputError, match=r"is not in data/claims\.yaml"):
        expand("che2019/common_neighbors/magic", "spec.yaml")
    with pytest.raises(InputError, match="names no claim"):
        expand("che2020/*", "spec.yaml")
    assert len(expand(PREFIX + "*", "spec.yaml")) == 27


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ({"part": "p", "measure": "X"}, "not one of the terms"),
        ({"part": "p", "measure": {"sum": ["A"]}}, "unknown operation"),
        ({"part": "p", "measure": {"ratio": ["A"]}}, "expected a list of two"),
        ({"part": "p", "measure": "A", "tolerence": 2}, "unknown tolerence"),
        ({"part": "p", "measure": "A", "needs": {"luck": 1}}, "unknown luck"),
    ],
)
def test_bad_evaluations_are_refused(check: dict[str, Any], message: str) -> None:
    raw = {
        "tolerance": 1.5,
        "terms": {"A": {"select": {"solver": "merge"}}},
        "evaluations": {"c": {"experiments": ["e"], "checks": [check]}},
    }
    with pytest.raises(InputError, match=message):
        parse(raw, "file")


def test_counted_steps_are_compared(tmp_path: Path) -> None:
    def run(lookups: float) -> list[dict[str, Any]]:
        counted = {"count_operations": True}
        common: dict[str, Any] = {"experiment": "che2019/work-bound"}
        return [
            made
            for name in ("livejournal", "orkut", "web-it", "twitter", "friendster")
            for made in (
                record(
                    "mps",
                    1.0,
                    name,
                    counted,
                    counters={"merge_steps": 700.0, "probes": 300.0},
                    **common,
                ),
                record(
                    "bmp",
                    1.0,
                    name,
                    counted | {"range_filter": False},
                    counters={"lookups": lookups},
                    **common,
                ),
            )
        ]

    assert judge(tmp_path / "less", "work-bound", run(500.0)).words == "holds on 5 of 10"
    assert judge(tmp_path / "more", "work-bound", run(2000.0)).verdict == FAILS


def test_no_ratio_crosses_experiments(tmp_path: Path) -> None:
    spec = {"claims": [PREFIX + "cpu-favours-bmp"]}
    runs = [
        made_run(tmp_path / "a", [record("mps", 1.0, experiment="che2019/overall-per-platform")], spec),
        made_run(tmp_path / "b", [record("bmp", 0.1, experiment="che2019/table-4-techniques")], spec),
    ]
    assert {result.verdict for result in evaluate_runs(runs)} == {UNTESTED}
