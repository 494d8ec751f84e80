"""The claims of yu2023's chapter on matrix factorization: records that meet them, and records that do not."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from builders import environment, judgement, record, timing
from claim_cases import evaluated_claims, judge_on, meets_and_misses, over_cases
from warpbench_plots.claims.verdict import CONSTRUCTED, FAILS, HOLDS, UNTESTED, ClaimResult

Raw = dict[str, Any]
PREFIX = "yu2023/mf/"
SETS = ("movielens", "netflix", "r1", "yahoo-music")
P4000: Raw = {"gpu": "Quadro P4000"}
ITERATIONS = 20


def made(
    experiment: str,
    solver: str,
    dataset: str,
    seconds: float = 1.0,
    rmse: float = 0.5,
    reached: float = 1.0,
    **rest: Any,
) -> Raw:
    """A record of 20 iterations that take `seconds`; the RMSE falls evenly from 1.0 to `rmse`, the target is reached
    after half of the time. `counters`, `phases_s` and `properties` are as in a record; all else are the solver's
    parameters."""
    counters, phases, properties = (rest.pop(key, {}) for key in ("counters", "phases_s", "properties"))
    metrics = {"rmse": rmse, "mean_rmse": 1.0, "reached_target": reached}
    if reached:
        metrics |= {"time_to_target_s": seconds / 2, "iterations_to_target": rest.pop("iterations", ITERATIONS // 2)}
    for i in range(1, ITERATIONS + 1):
        metrics |= {f"rmse_after_{i}": 1 - (1 - rmse) * i / ITERATIONS, f"time_after_{i}_s": seconds * i / ITERATIONS}
    if "workers" in rest:
        counter = "workers" if solver == "cumf-sgd" else "fewest_gpu_workers"
        counters = {counter: rest["workers"]} | counters
    ratings = properties.get("train_ratings", 1e7)
    built = record(
        solver,
        seconds,
        dataset,
        {"cost_model": "tailored", "dynamic": True} | rest if solver == "hsgd-star" else rest,
        experiment=f"yu2023/{experiment}",
        problem="matrix_factorization",
        task={"iterations": ITERATIONS, "target_rmse": 0.75},
        judgement=judgement(**metrics) | {"verdict": "approximate"},
        work={"updates": ratings * ITERATIONS, "iterations": ITERATIONS, "train_ratings": ratings},
        counters=counters,
        phases_s=phases,
        time=timing(seconds),
    )
    built["dataset"]["properties"] = {"train_ratings": ratings}
    built["solver"]["device"] = "cpu" if solver == "fpsgd" else "gpu"
    return built


def judge(folder: Path, claim: str, records: list[Raw], gpu: str = "Fixture GPU", **changes: Any) -> ClaimResult:
    device = {"name": gpu, "driver": "1.0", "memory_bytes": 8_000_000_000, "compute_capability": "6.1"}
    machine = environment("fixture-gpu", records[0]["backend"], gpu=[device], **changes)
    return judge_on(folder, PREFIX + claim, records, machine)


def by_size(experiment: str, gpu: dict[float, float], cpu: dict[float, float] | None = None) -> list[Raw]:
    """Blocks: ratings → ratings per second, of the GPU and of a CPU thread."""
    sides = (("cumf-sgd", {"workers": 128}, gpu), ("fpsgd", {"threads": 1}, cpu or {}))
    return [
        made(
            experiment,
            solver,
            f"ratings-block(train_ratings={ratings:.0f})",
            ratings * ITERATIONS / rate,
            properties={"train_ratings": ratings},
            phases_s={"upload": ratings / rate, "update": ratings * ITERATIONS / rate},
            **parameters,
        )
        for solver, parameters, rates in sides
        for ratings, rate in rates.items()
    ]


SATURATING = {1e4: 1.0, 1e6: 8.0, 5e6: 10.0, 1e7: 10.1}
LINEAR = {1e4: 1.0, 1e6: 4.0, 5e6: 8.0, 1e7: 16.0}
CONSTANT = dict.fromkeys(SATURATING, 10.0)


def by_workers(star: dict[int, float] | None = None, gpu: dict[int, float] | None = None) -> list[Raw]:
    """Figure 3.9: workers → seconds; CPU-Only takes 33 s."""
    gpu = {32: 170.0, 64: 90.0, 128: 48.0, 256: 30.0, 512: 23.0} | (gpu or {})
    star = {32: 30.0, 64: 25.0, 128: 20.0, 256: 17.0, 512: 14.0} | (star or {})
    return [
        raw
        for name in SETS
        for raw in (
            made("fig-3.9", "fpsgd", name, 33.0, threads=16),
            *(made("fig-3.9", "cumf-sgd", name, seconds, workers=workers) for workers, seconds in gpu.items()),
            *(
                made("fig-3.9", "hsgd-star", name, seconds, threads=16, workers=workers)
                for workers, seconds in star.items()
            ),
        )
    ]


def by_threads(star: dict[int, float] | None = None, cpu: dict[int, float] | None = None) -> list[Raw]:
    """Figure 3.10: threads → seconds; GPU-Only takes 48 s."""
    cpu = {4: 109.0, 8: 60.0, 12: 43.0, 16: 33.0} | (cpu or {})
    star = {4: 29.0, 8: 25.0, 12: 22.0, 16: 20.0} | (star or {})
    return [
        raw
        for name in SETS
        for raw in (
            made("fig-3.10", "cumf-sgd", name, 48.0, workers=128),
            *(made("fig-3.10", "fpsgd", name, seconds, threads=threads) for threads, seconds in cpu.items()),
            *(
                made("fig-3.10", "hsgd-star", name, seconds, threads=threads, workers=128)
                for threads, seconds in star.items()
            ),
        )
    ]


def trained(cpu: float = 1.65, gpu: float = 2.4, rmse: float = 0.5, **star: Any) -> list[Raw]:
    """Figure 3.11: the time of CPU-Only and of GPU-Only over that of HSGD*, and the RMSE with which HSGD* ends."""
    return [
        raw
        for name in SETS
        for raw in (
            made("fig-3.11", "fpsgd", name, cpu, threads=16),
            made("fig-3.11", "cumf-sgd", name, gpu, workers=128),
            made("fig-3.11", "hsgd-star", name, 1.0, rmse, threads=16, workers=128, **star),
        )
    ]


def longer(records: list[Raw]) -> list[Raw]:
    for raw in records:
        raw["work"]["iterations"] = 100
    return records


def divided(rmse: float = 0.6, seconds: float = 1.0, fewest: float = 2.0, **hsgd: Any) -> list[Raw]:
    """Figure 3.12: HSGD's last RMSE, its time and the fewest updates of a block, of 20 by HSGD*."""
    counters = {"most_updates_of_a_block": 40.0, "fewest_updates_of_a_block": fewest}
    even = {"most_updates_of_a_block": 20.0, "fewest_updates_of_a_block": 20.0}
    both = {"threads": 16, "workers": 128}
    return [
        raw
        for name in SETS
        for raw in (
            made("fig-3.12", "hsgd", name, seconds, rmse, counters=counters, **both | hsgd),
            made("fig-3.12", "hsgd-star", name, counters=even, **both),
        )
    ]


# Table 3.2: seconds of HSGD*-Q and HSGD*-M, their shares of the GPU; Table 3.3: seconds of HSGD*.
TABLES = {
    "movielens": (0.92, 0.89, 0.5044, 0.4409, 0.84),
    "netflix": (15.87, 13.02, 0.4402, 0.5098, 11.42),
    "r1": (13.07, 12.08, 0.4393, 0.5025, 10.58),
    "yahoo-music": (40.88, 35.41, 0.4354, 0.4639, 30.96),
}


STATIC: Raw = {"threads": 16, "workers": 128, "dynamic": False}


def modelled(q: float = 1.0, share: float = 1.0) -> list[Raw]:
    """Table 3.2, HSGD*-Q's times and HSGD*-M's shares changed by factors."""
    return [
        made("table-3.2", "hsgd-star", name, seconds, cost_model=model, counters={"share": part}, **STATIC)
        for name, (of_q, of_m, share_q, share_m, _) in TABLES.items()
        for model, seconds, part in (("qilin", of_q * q, share_q), ("tailored", of_m, share_m * share))
    ]


def scheduled(factor: float = 1.0) -> list[Raw]:
    """Table 3.3, with the times of HSGD* changed by a factor."""
    return [
        made("table-3.3", "hsgd-star", name, seconds, **STATIC | {"dynamic": dynamic})
        for name, (_, of_m, _, _, of_star) in TABLES.items()
        for dynamic, seconds in ((False, of_m), (True, of_star * factor))
    ]


def copied(way_out: float) -> list[Raw]:
    phases = {"copy_in": 1.0, "copy_out": way_out}
    return [made("fig-3.7", "cumf-sgd", name, workers=128, phases_s=phases) for name in SETS]


CASES: dict[str, tuple[list[Raw], list[Raw]]] = {
    "gpu-throughput-vs-block-size": (by_size("fig-3.2", SATURATING), by_size("fig-3.2", LINEAR)),
    "cpu-throughput-vs-block-size": (
        by_size("fig-3.2", SATURATING, CONSTANT),
        by_size("fig-3.2", SATURATING, LINEAR),
    ),
    "uniform-blocks-below-saturation": (by_size("fig-3.2", SATURATING), by_size("fig-3.2", CONSTANT)),
    "transfer-speed-saturation": (by_size("fig-3.5", SATURATING), by_size("fig-3.5", LINEAR)),
    "kernel-time-model": (by_size("fig-3.6", SATURATING), by_size("fig-3.6", CONSTANT)),
    "h2d-slower-than-d2h": (copied(0.6), copied(1.2)),
    "hsgdstar-fastest-gpu-workers": (by_workers(), by_workers({512: 40.0})),
    "gpu-only-crossover": (by_workers(), by_workers(gpu={512: 36.0})),
    "r1-gpu-workers-32": (by_workers(), by_workers({32: 10.0})),
    "r1-gpu-workers-512": (by_workers(), by_workers({512: 22.0})),
    "hsgdstar-fastest-cpu-threads": (by_threads(), by_threads({8: 70.0})),
    "r1-cpu-threads-4": (by_threads(), by_threads({4: 15.0})),
    "r1-cpu-threads-16": (by_threads(), by_threads({16: 32.5})),
    "default-speedup-over-cpu-only": (by_workers(), by_workers({128: 30.0})),
    "default-speedup-over-gpu-only": (by_workers(gpu={128: 40.0}), by_workers(gpu={128: 90.0})),
    "large-gap-still-ahead": (by_workers(), by_workers({512: 30.0})),
    "target-rmse-reached-by-all": (trained() + divided(), trained() + divided(reached=0.0)),
    "convergence-fastest-same-final-loss": (trained(), trained(cpu=0.8)),
    "yahoo-rmse-over-time": (trained(), trained(cpu=0.5)),
    "nonuniform-beats-uniform": (divided(seconds=1.3), divided(rmse=0.3)),
    "r1-rmse-at-50s": (divided(rmse=0.75), divided(rmse=0.3)),
    "hsgd-unbalanced-updates": (divided(), divided(fewest=40.0)),
    "cost-model-faster-than-qilin": (modelled(), modelled(q=0.7)),
    "cost-model-gpu-share": (modelled(), modelled(share=0.8)),
    "dynamic-scheduling-gain": (scheduled(), scheduled(1.3)),
    "yahoo-iterations-to-target": (longer(trained(iterations=46)), longer(trained(iterations=12))),
}
# More ways to miss a claim of several parts.
MISSED: list[tuple[str, list[Raw]]] = [
    ("gpu-throughput-vs-block-size", by_size("fig-3.2", CONSTANT)),
    ("transfer-speed-saturation", by_size("fig-3.5", CONSTANT)),
    ("kernel-time-model", by_size("fig-3.6", LINEAR)),
    ("hsgdstar-fastest-gpu-workers", by_workers(gpu={64: 20.0})),
    ("hsgdstar-fastest-gpu-workers", by_workers({512: 32.0})),
    ("gpu-only-crossover", by_workers(gpu={32: 30.0})),
    ("r1-gpu-workers-32", by_workers(gpu={32: 60.0})),
    ("hsgdstar-fastest-cpu-threads", by_threads(cpu={12: 19.0})),
    ("hsgdstar-fastest-cpu-threads", by_threads({4: 19.0})),
    ("convergence-fastest-same-final-loss", trained(rmse=0.6)),
    ("convergence-fastest-same-final-loss", trained(gpu=0.9)),
    ("nonuniform-beats-uniform", divided(rmse=0.5, seconds=0.8)),
    ("cost-model-gpu-share", modelled(share=1.2)),
]


def test_every_claim_of_the_chapter_has_an_evaluation_and_a_case() -> None:
    assert {key.removeprefix(PREFIX) for key in evaluated_claims("yu2023", PREFIX)} == set(CASES) | {
        "rule1-minimum-blocks"
    }


@over_cases(CASES, MISSED)
def test_records_that_meet_a_claim_and_records_that_do_not(
    tmp_path: Path, claim: str, good: list[Raw], bad: list[Raw]
) -> None:
    meets_and_misses(partial(judge, **P4000), tmp_path, claim, good, bad)


def test_the_least_blocks_are_a_formula(tmp_path: Path) -> None:
    result = judge(tmp_path / "run", "rule1-minimum-blocks", divided())
    assert result.verdict == CONSTRUCTED


def test_the_documents_threads_need_as_many_cores(tmp_path: Path) -> None:
    laptop = {"model": "Fixture CPU", "cores": 2, "threads": 2, "simd": ["avx2"]}
    result = judge(tmp_path / "run", "large-gap-still-ahead", by_workers(), cpu=laptop)
    assert result.verdict == UNTESTED and "needs 16 cores, this machine has 2" in result.reason


def test_rmses_of_a_stand_in_are_not_the_documents(tmp_path: Path) -> None:
    records = longer(trained(iterations=12))
    for raw in records:
        raw["dataset"] |= {"name": f"{raw['dataset']['name']}-like(scale=0.1)", "stand_in": True}
    iterations = judge(tmp_path / "iterations", "yahoo-iterations-to-target", records)
    assert iterations.verdict == UNTESTED and "only stands in for Yahoo!Music" in iterations.reason
    assert judge(tmp_path / "curves", "yahoo-rmse-over-time", records).words == "holds"


def test_a_target_that_only_some_samples_reach_is_not_reached(tmp_path: Path) -> None:
    assert judge(tmp_path / "run", "target-rmse-reached-by-all", divided(reached=0.5)).verdict == FAILS


def test_a_time_to_the_target_is_no_more_certain_than_the_time(tmp_path: Path) -> None:
    assert judge(tmp_path / "run", "large-gap-still-ahead", by_workers({512: 22.9})).verdict not in (HOLDS, FAILS)


def test_the_time_of_the_samples_that_reached_the_target_is_not_that_of_all(tmp_path: Path) -> None:
    records = by_workers()
    for raw in records:
        raw["judgement"]["metrics"]["reached_target"] = 0.4
    result = judge(tmp_path / "run", "large-gap-still-ahead", records)
    assert result.verdict == UNTESTED and "reached target in 2 of 5 samples" in result.reason


def test_a_target_that_is_reached_with_fewer_workers_is_none_of_the_claim(tmp_path: Path) -> None:
    records = by_workers()
    for raw in records:
        if raw["solver"]["name"] == "cumf-sgd" and raw["solver"]["parameters"]["workers"] == 512:
            raw["counters"]["workers"] = 233
    result = judge(tmp_path / "run", "large-gap-still-ahead", records)
    assert result.verdict == UNTESTED and "counters.workers: 512" in result.reason


@pytest.mark.parametrize(
    ("claim", "records"),
    [
        ("cost-model-faster-than-qilin", modelled()),
        ("cost-model-gpu-share", modelled()),
        ("dynamic-scheduling-gain", scheduled()),
        ("nonuniform-beats-uniform", divided(seconds=1.3)),
        ("large-gap-still-ahead", by_workers()),
        ("convergence-fastest-same-final-loss", trained()),
    ],
)
def test_blocks_with_fewer_workers_than_asked_for_decide_no_claim(
    tmp_path: Path, claim: str, records: list[Raw]
) -> None:
    for raw in records:
        if "fewest_gpu_workers" in raw["counters"]:
            raw["counters"] |= {"gpu_workers": raw["counters"]["fewest_gpu_workers"], "fewest_gpu_workers": 23}
    result = judge(tmp_path / "run", claim, records)
    assert result.verdict == UNTESTED and "counters.fewest_gpu_workers: " in result.reason


def test_equality_is_neither_more_nor_less(tmp_path: Path) -> None:
    even = modelled()
    for raw in even:
        raw["counters"]["share"] = 0.5
    for claim, records in {
        "cost-model-gpu-share": even,
        "r1-rmse-at-50s": divided(rmse=0.5),
        "yahoo-rmse-over-time": trained(cpu=1.0, gpu=1.0),
    }.items():
        assert judge(tmp_path / claim, claim, records).verdict != HOLDS, claim


def test_runs_that_learn_nothing_do_not_converge_to_the_same_loss(tmp_path: Path) -> None:
    assert judge(tmp_path / "run", "convergence-fastest-same-final-loss", trained()).verdict == HOLDS
    idle = trained()
    for raw in idle:
        raw["judgement"]["metrics"]["mean_rmse"] = 0.4
    assert judge(tmp_path / "idle", "convergence-fastest-same-final-loss", idle).verdict == UNTESTED


def test_kernels_on_the_cpu_decide_nothing_that_speed_decides(tmp_path: Path) -> None:
    decided_by_speed = {
        "hsgd-unbalanced-updates": divided(),
        "cost-model-gpu-share": modelled(),
        "nonuniform-beats-uniform": divided(),
    }
    for claim, records in decided_by_speed.items():
        result = judge(tmp_path / claim, claim, [raw | {"backend": "simt"} for raw in records])
        assert result.verdict == UNTESTED and "simt: " in result.reason, claim


def test_a_stand_in_that_is_less_skewed_says_so(tmp_path: Path) -> None:
    records = trained()
    for raw in records:
        raw["dataset"] |= {"name": f"{raw['dataset']['name']}-like(scale=0.1)", "stand_in": True}
        raw["dataset"]["properties"]["items_gini"] = 0.43
    result = judge(tmp_path / "run", "convergence-fastest-same-final-loss", records)
    assert "MovieLens" in result.reason and "items_gini 0.43 instead of 0.805" in result.reason
