"""A verdict rests on samples enough, and on a spread from run to run that was measured."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import made_run, record, timing
from search_records import made
from warpbench_plots.claims.evaluate import evaluate_runs
from warpbench_plots.claims.spread import Spread
from warpbench_plots.claims.table import as_json, as_text
from warpbench_plots.claims.verdict import FAILS, HOLDS, UNTESTED, ClaimResult
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Run

Raw = dict[str, Any]
COMMON = "che2019/common_neighbors/"
CLAIM = COMMON + "gpu-favours-bmp"
GRAPHS = ("livejournal", "orkut", "web-it", "twitter", "friendster")


def platforms(ratio: float, experiment: str = "overall-per-platform", **rest: Any) -> list[Raw]:
    """MPS slower than BMP on the GPU by a ratio."""
    return [
        record(solver, seconds, name, experiment=f"che2019/{experiment}", **rest)
        for name in GRAPHS
        for solver, seconds in (("mps-gpu", ratio), ("bmp-gpu", 1.0))
    ]


def with_samples(records: list[Raw], samples: int) -> list[Raw]:
    for raw in records:
        raw["time"] = timing(raw["time"]["median_s"], samples=samples)
        if samples > 1:
            raw["time"]["confidence"] = 1 - 2.0 ** (1 - samples)
    return records


def judged(folder: Path, claim: str, *runs: list[Raw], executions: int = 6) -> ClaimResult:
    spec = {"claims": [claim]}
    (result,) = evaluate_runs(
        [made_run(folder / str(i), own, spec, executions=executions) for i, own in enumerate(runs)]
    )
    return result


@pytest.mark.parametrize("ratio", [100.0, 0.01])
@pytest.mark.parametrize(("samples", "words"), [(1, "1 sample a point"), (5, "5 samples a point")])
def test_times_with_few_samples_decide_nothing(tmp_path: Path, samples: int, words: str, ratio: float) -> None:
    result = judged(tmp_path, CLAIM, with_samples(platforms(ratio), samples))
    assert (result.verdict, result.held, result.cases) == (UNTESTED, 0, 5)
    assert result.reason == f"undecided: {words}; a verdict needs 6"


def test_one_side_with_few_samples_is_enough_for_doubt(tmp_path: Path) -> None:
    records = platforms(2.0)
    with_samples(records[:1], 1)
    result = judged(tmp_path, CLAIM, records)
    assert (result.words, result.reason) == ("holds on 4 of 5", "undecided: MPS over BMP on the GPU on LJ")


def test_samples_enough_for_less_confidence_decide_nothing(tmp_path: Path) -> None:
    records = platforms(2.0)
    for raw in records:
        raw["time"] |= {"samples_s": [1.0] * 20, "confidence": 0.9}
    assert judged(tmp_path, CLAIM, records).reason == "undecided: a confidence of 0.9; a verdict needs 0.95"


@pytest.mark.parametrize(("lookups", "verdict"), [(500.0, HOLDS), (2000.0, FAILS)])
def test_counters_need_no_samples(tmp_path: Path, lookups: float, verdict: str) -> None:
    counted = {"mps": {"merge_steps": 700.0, "probes": 300.0}, "bmp": {"lookups": lookups}}
    records = [
        record(
            solver,
            1.0,
            name,
            {"count_operations": True} | ({"range_filter": False} if solver == "bmp" else {}),
            counters=counters,
            experiment="che2019/work-bound",
        )
        for name in GRAPHS
        for solver, counters in counted.items()
    ]
    result = judged(tmp_path, COMMON + "work-bound", with_samples(records, 1), executions=1)
    assert {check.verdict for check in result.checks if check.measured} == {verdict}


def test_a_run_with_samples_enough_decides_beside_one_without(tmp_path: Path) -> None:
    few = with_samples(platforms(1.9), 1)
    assert judged(tmp_path / "with", CLAIM, platforms(2.0), few).words == "holds"
    contradicting = with_samples(platforms(0.5), 1)
    assert "crosses the bound" in judged(tmp_path / "against", CLAIM, platforms(2.0), contradicting).reason


@pytest.mark.parametrize(("executions", "words"), [(1, "1 sample a point; a verdict needs 6"), (6, "")])
def test_an_execution_times_its_preparation_once(tmp_path: Path, executions: int, words: str) -> None:
    records = [
        made("gserial", "ganns", build=seconds, builder=builder, build_search="song")
        for builder, seconds in (("serial", 360.0), ("ggraphcon", 1.0))
    ]
    result = judged(tmp_path, "yu2023/ann/gserial-sift1m", records, executions=executions)
    assert (result.verdict, words in result.reason) == (UNTESTED if words else HOLDS, True), as_text([result])


def prepared(seconds: float, low: float, high: float, times: int, builder: str) -> Raw:
    raw = made("gserial", "ganns", build=seconds, builder=builder, build_search="song")
    samples = [low, *[seconds] * (times - 2), high]
    raw["prepare"] |= {"low_s": low, "high_s": high, "samples_s": samples}
    return raw


@pytest.mark.parametrize(
    ("times", "low", "words"),
    [
        (3, 359.0, "3 samples a point; a verdict needs 6"),
        (6, 359.0, ""),
        (6, 1.0, "crosses the bound"),
    ],
)
def test_repeated_preparations_count_as_samples(tmp_path: Path, times: int, low: float, words: str) -> None:
    """Of two executions each."""
    records = [prepared(360.0, low, 361.0, times, "serial"), prepared(1.0, 1.0, 1.0, times, "ggraphcon")]
    result = judged(tmp_path, "yu2023/ann/gserial-sift1m", records, executions=2)
    assert (result.verdict, words in result.reason) == (UNTESTED if words else HOLDS, True), as_text([result])


def test_a_time_of_which_nothing_was_repeated_decides_nothing(tmp_path: Path) -> None:
    result = judged(tmp_path, CLAIM, platforms(100.0), executions=1)
    assert result.verdict == UNTESTED
    assert result.reason.startswith("undecided: no run was repeated")


def other_problem(folder: Path, factor: float, seconds: float = 1.0, device: str = "gpu") -> Run:
    """A run of a theta join whose trial took `factor` times as long when it was executed again."""
    first, again = ([record("sort-scan", s, problem="theta_join")] for s in (seconds, seconds * factor))
    for raw in (*first, *again):
        raw["solver"]["device"] = device
    run = made_run(folder / "first", first, {}, executions=1)
    return replace(run, executions=made_run(folder / "again", again, {}, executions=1).records)


@pytest.mark.parametrize(
    ("other", "words", "spread"),
    [
        ({"factor": 1.5}, "holds", 1.5),
        ({"factor": 2.5}, "not tested here", 2.5),
        ({"factor": 2.5, "seconds": 1e-3}, "not tested here", None),
        ({"factor": 1.5, "seconds": 1e-3}, "not tested here", None),
        ({"factor": 1.5, "device": "cpu"}, "not tested here", None),
        ({"factor": 1.5, "device": "hybrid"}, "not tested here", None),
    ],
)
def test_the_spread_is_that_of_other_problems_on_the_device_where_the_own_is_unknown(
    tmp_path: Path, other: Raw, words: str, spread: float | None
) -> None:
    own = made_run(tmp_path / "own", platforms(2.0), {"claims": [CLAIM]}, executions=1)
    (result,) = evaluate_runs([own, other_problem(tmp_path, **other)])
    assert result.words == words, as_text([result])
    assert ("no run was repeated" in result.reason) == (spread is None)
    known = f"runs differ by up to {spread}x by the one repeated trial of theta_join on the GPU of similar length"
    assert (known in as_text([result])) == (spread is not None)
    first, *_ = json.loads(as_json([result]))["claims"][0]["checks"]
    assert (first["spread"] or {}).get("factor") == spread


def repeated(folder: Path, problem: str, factors: list[float], seconds: float = 1.0) -> Run:
    """A run of a problem with a trial for each factor, which took so much longer when it was executed again."""
    first, again = (
        [
            record(
                "mps-gpu",
                seconds * (1 + place * 1e-6) * (factor if longer else 1.0),  # no two are alike
                f"{folder.name}-{place}",
                problem=problem,
                experiment="made/up",
            )
            for place, factor in enumerate(factors)
        ]
        for longer in (False, True)
    )
    run = made_run(folder / "first", first, {}, executions=1)
    return replace(run, executions=made_run(folder / "again", again, {}, executions=1).records)


@pytest.mark.parametrize(
    ("own", "words", "known"),
    [
        (9, "not tested here", "2.5x by the one repeated trial of theta_join on the GPU of similar length"),
        (10, "holds", "1.01x by 10 repeated trials of common_neighbors on the GPU of similar length"),
    ],
)
def test_the_spread_of_a_problem_takes_ten_repeated_trials(tmp_path: Path, own: int, words: str, known: str) -> None:
    runs = [
        made_run(tmp_path / "claim", platforms(2.0), {"claims": [CLAIM]}, executions=1),
        repeated(tmp_path / "own", "common_neighbors", [1.01] * own),
        repeated(tmp_path / "other", "theta_join", [2.5]),
    ]
    (result,) = evaluate_runs(runs)
    assert result.words == words, as_text([result])
    assert f"runs differ by up to {known}" in as_text([result])


UNEVEN = [1.0 + place / 100 for place in range(11)]  # nine of ten of them are at most 1.09


@pytest.mark.parametrize(
    ("near", "apart", "known"),
    [
        (UNEVEN, 9.0, "1.09x by 11 repeated trials of common_neighbors on the GPU of similar length"),
        (UNEVEN, 1 / 9, "1.09x by 11 repeated trials of common_neighbors on the GPU of similar length"),
        # Too few that take as long, so all count: with the twenty that take a ten-thousandth nine of ten reach 2.5.
        (UNEVEN[:9], 1.0, "2.5x by 29 repeated trials of common_neighbors on the GPU of any length"),
        (UNEVEN, 11.0, "2.5x by 31 repeated trials of common_neighbors on the GPU of any length"),
        (UNEVEN, 1 / 11, "2.5x by 31 repeated trials of common_neighbors on the GPU of any length"),
    ],
)
def test_the_spread_is_that_of_trials_that_take_about_as_long(
    tmp_path: Path, near: list[float], apart: float, known: str
) -> None:
    runs = [
        repeated(tmp_path / "short", "common_neighbors", [2.5] * 20, seconds=1e-4),
        repeated(tmp_path / "near", "common_neighbors", near, seconds=apart),
        repeated(tmp_path / "other", "theta_join", [3.0] * 20),
    ]
    # A repeated trial's length is the median of both executions: the nearest take 1 to 1.05 times `apart`.
    spread = Spread(runs).of(record_of(tmp_path, 1.05))
    assert str(spread) == known


def record_of(folder: Path, seconds: float) -> Record:
    return made_run(folder / "asked", [record("mps-gpu", seconds)], {}, executions=1).records[0]


def test_of_other_problems_the_largest_usual_spread_counts(tmp_path: Path) -> None:
    """Of ten or more trials nine of ten, so that a single outlier among many says nothing."""
    runs = [
        repeated(tmp_path / "many", "theta_join", [1.1] * 30 + [9.0]),
        repeated(tmp_path / "own", "common_neighbors", [1.3]),
        repeated(tmp_path / "far", "subgraph_matching", [7.0] * 10, seconds=1e3),
    ]
    few = repeated(tmp_path / "few", "set_intersection", [1.2, 1.05])
    known = "the one repeated trial of common_neighbors on the GPU of similar length"
    assert str(Spread([*runs, few]).of(record_of(tmp_path, 1.0))) == f"1.3x by {known}"
    known = "the largest of 2 repeated trials of set_intersection on the GPU of similar length"
    assert str(Spread([runs[0], runs[2], few]).of(record_of(tmp_path, 1.0))) == f"1.2x by {known}"


def test_the_spread_of_a_trial_that_was_repeated_is_its_own(tmp_path: Path) -> None:
    own = repeated(tmp_path / "own", "common_neighbors", [1.2, *[2.5] * 20])
    assert str(Spread([own]).of(own.records[0])) == "1.2x by executions of the trial"


def test_an_execution_on_other_threads_is_another_trial(tmp_path: Path) -> None:
    """All threads of one machine are 28, of another 16; the parameter is the same."""
    runs = []
    for threads, seconds in ((28, 1.0), (28, 1.1), (16, 1.75)):
        one = record("mps", seconds, experiment="made/up")
        one["time"]["threads"] = threads
        runs.append(made_run(tmp_path / f"{threads}-{seconds}", [one], {}, executions=1))
    known = "the one repeated trial of common_neighbors on the CPU of similar length"
    assert str(Spread(runs).of(runs[0].records[0])) == "1.1x by executions of the trial"
    assert str(Spread(runs).of(runs[2].records[0])) == f"1.1x by {known}"


def test_a_time_below_the_clock_has_the_spread_of_all_trials_of_its_problem(tmp_path: Path) -> None:
    runs = [repeated(tmp_path / "own", "common_neighbors", [1.01] * 10 + [3.0] * 90)]
    known = "3x by 100 repeated trials of common_neighbors on the GPU of any length"
    assert str(Spread(runs).of(record_of(tmp_path, 0.0))) == known
    assert Spread([repeated(tmp_path / "other", "theta_join", [1.5])]).of(record_of(tmp_path, 0.0)) is None


def test_a_preparation_that_trials_share_counts_once(tmp_path: Path) -> None:
    def run_of(name: str, seconds: float) -> Run:
        raws = [made("gserial", "ganns", build=seconds, explore=explore) for explore in range(8, 28)]
        return made_run(tmp_path / name, raws, {}, executions=1)

    run = run_of("first", 1.0)
    run = replace(run, executions=run_of("again", 1.4).records)
    asked = made_run(tmp_path / "asked", [made("gserial", "ganns", build=1.0, explore=64)], {}, executions=1).records[0]
    known = "the one repeated trial of nearest_neighbors on the GPU of similar length"
    assert str(Spread([run]).of(asked, prepared=True)) == f"1.4x by {known}"


def test_the_side_without_a_spread_is_named(tmp_path: Path) -> None:
    runs = [
        made_run(tmp_path / "claim", platforms(1e-3), {"claims": [CLAIM]}, executions=1),
        repeated(tmp_path / "own", "theta_join", [1.05]),  # about as long as BMP's trials, not as MPS's
    ]
    (result,) = evaluate_runs(runs)
    assert result.verdict == UNTESTED
    assert result.reason == "undecided: no run was repeated that shows how much times of GPU-MPS differ from run to run"
    assert "runs differ by up to" not in as_text([result])
    first, *_ = json.loads(as_json([result]))["claims"][0]["checks"]
    assert first["spread"] is None


def test_a_share_of_two_times_needs_no_spread(tmp_path: Path) -> None:
    phases = {"kernel": 1.0, "upload": 0.01, "download": 0.01}
    records = [made("transfers", "ganns", phases_s=phases, k=100, counters={"answer_bytes": 8e5})]
    result = judged(tmp_path, "yu2023/ann/transfer-negligible", records, executions=1)
    assert HOLDS in {check.verdict for check in result.checks}, as_text([result])
