"""Claims along a curve of which there are several runs: their values are taken together, level by level."""

from pathlib import Path
from typing import Any

import pytest
from builders import made_run, timing
from search_records import PREFIX, curves, made
from warpbench_plots.claims.evaluate import evaluate_runs
from warpbench_plots.claims.verdict import FAILS, HOLDS, UNTESTED, CheckResult

Raw = dict[str, Any]
CLAIM = PREFIX + "search-faster-everywhere"


def gist(folder: Path, *runs: list[Raw]) -> CheckResult:
    """The claim's part on GIST."""
    made_runs = [made_run(folder / str(i), own, {"claims": [CLAIM]}) for i, own in enumerate(runs)]
    (result,) = evaluate_runs(made_runs)
    (part,) = [check for check in result.checks if check.dataset == "GIST"]
    return part


def along(ratios: dict[float, float], samples: int = 6) -> list[Raw]:
    """SONG slower than GANNS by a ratio at each recall. Each run has a revision of its own, so that no spread
    of the same trial widens intervals."""
    records = [
        made("fig-4.4", solver, "gist", 10 ** (10 * recall - 6) * (ratio if solver == "song" else 1.0), recall)
        for recall, ratio in ratios.items()
        for solver in ("ganns", "song")
    ]
    for raw in records:
        raw["time"] = timing(raw["time"]["median_s"])
        raw["time"] |= {"samples_s": [raw["time"]["median_s"]] * samples, "confidence": 1 - 2.0 ** (1 - samples)}
        raw["environment"] = raw["environment"] | {"revision": f"{samples}{len(ratios)}{sum(ratios.values()):g}"}
    return records


@pytest.mark.parametrize("order", [1, -1])
def test_a_run_with_few_samples_does_not_take_a_sound_ones_verdict(tmp_path: Path, order: int) -> None:
    sound, few = along({0.6: 2.0, 0.8: 2.0, 0.9: 2.0}), along({0.7: 2.1, 0.85: 2.1}, samples=5)
    assert gist(tmp_path / "few", few).verdict == UNTESTED
    assert gist(tmp_path / "both", *[sound, few][::order]).verdict == HOLDS


def test_few_samples_at_a_level_that_no_sound_run_reaches_decide_nothing(tmp_path: Path) -> None:
    part = gist(tmp_path, along({0.6: 2.0, 0.8: 2.0}), along({0.6: 2.1, 0.95: 2.1}, samples=5))
    assert part.verdict == UNTESTED and "5 samples a point" in str(part.reason)
    assert part.measured is not None and part.measured.at == "recall 0.95"


@pytest.mark.parametrize("order", [1, -1])
def test_runs_that_contradict_each_other_along_a_curve_decide_nothing(tmp_path: Path, order: int) -> None:
    runs = [along({0.6: 2.0, 0.8: 2.0, 0.9: 2.0}), along({0.7: 0.5, 0.85: 0.5})][::order]
    part = gist(tmp_path, *runs)
    assert part.verdict == UNTESTED and "crosses the bound" in str(part.reason)


def test_a_level_that_only_one_run_reaches_is_decided_by_it(tmp_path: Path) -> None:
    part = gist(tmp_path, along({0.6: 2.0, 0.8: 2.0}), along({0.6: 2.1, 0.95: 0.5}))
    assert part.verdict == FAILS and part.measured is not None and part.measured.at == "recall 0.95"


def test_the_worst_failing_value_is_shown(tmp_path: Path) -> None:
    part = gist(tmp_path, along({0.6: 0.8, 0.7: 0.3, 0.8: 0.7, 0.9: 2.0}))
    assert part.verdict == FAILS and part.measured is not None and part.measured.at == "recall 0.7"


def test_runs_that_agree_hold_at_each_level_of_any(tmp_path: Path) -> None:
    assert gist(tmp_path, curves(2.0), curves(2.2)).verdict == HOLDS
