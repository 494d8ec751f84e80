"""Figures of groups: the best trial of each, under the group's name."""

from pathlib import Path
from typing import Any

import pytest
from builders import record, write_run
from warpbench_plots.figures.build import BuiltFigure, build_figures
from warpbench_plots.results.run import by_experiment, read_run

Raw = dict[str, Any]
GROUPS = {"CPU": {"solver": ["merge", "mps"]}, "GPU": [{"solver": "mps-gpu"}, {"solver": "bmp-gpu", "warps": 4}]}
pytestmark = pytest.mark.usefixtures("undrawn")


def built(folder: Path, figure: Raw, records: list[Raw]) -> list[BuiltFigure]:
    path = write_run(folder / "run", records, {"figure": figure})
    (experiment,) = by_experiment([read_run(path)])
    return build_figures(experiment)


def trial(solver: str, seconds: float | None, threshold: float = 0.5, **rest: Any) -> Raw:
    status = "ok" if seconds is not None else "timeout"
    parameters = rest.pop("parameters", {"threads": 1} if not solver.endswith("-gpu") else {})
    made = record(solver, seconds, "twitter-like", parameters, status=status, **rest)
    made["task"] = {"threshold": threshold}
    made["trial"] = f"{abs(hash((solver, str(parameters), threshold))):016x}"[:16]
    return made


def shown(figure: BuiltFigure) -> dict[tuple[Any, str], float | str | None]:
    return {(point.x, point.series): point.mark or point.y for point in figure.data.points}


def test_of_each_group_the_fastest_trial_is_shown_at_each_task(tmp_path: Path) -> None:
    records = [
        trial("merge", 4.0),
        trial("mps", 3.0),
        trial("merge", 1.0, 0.9),
        trial("mps", 2.0, 0.9),
        trial("mps-gpu", 0.5),
        trial("bmp-gpu", 0.4, parameters={"warps": 4}),
        trial("bmp-gpu", 0.1, parameters={"warps": 8}),  # of no group
        trial("mps-gpu", 0.2, 0.9),
    ]
    figure = {"kind": "lines", "x": "task.threshold", "groups": GROUPS}
    (lines,) = built(tmp_path, figure, records)
    assert shown(lines) == {(0.5, "CPU"): 3.0, (0.9, "CPU"): 1.0, (0.5, "GPU"): 0.4, (0.9, "GPU"): 0.2}


def test_a_group_whose_trials_all_failed_is_a_mark(tmp_path: Path) -> None:
    records = [trial("merge", None), trial("mps", None), trial("mps-gpu", 0.5)]
    (table,) = built(tmp_path, {"kind": "table", "columns": "task.threshold", "groups": GROUPS}, records)
    assert shown(table) == {("CPU", "0.5"): "timeout", ("GPU", "0.5"): 0.5}
    (turned,) = built(tmp_path, {"kind": "table", "columns": "task.threshold", "groups": GROUPS}, records[::-1])
    assert turned.data.x_order == ("CPU", "GPU")


def test_of_a_phase_the_trial_in_which_it_is_shortest(tmp_path: Path) -> None:
    records = [
        trial("merge", 4.0, phases_s={"count": 1.0}),
        trial("mps", 3.0, phases_s={"count": 2.0}),
    ]
    figure = {"kind": "lines", "x": "task.threshold", "y": "phases_s.count", "groups": GROUPS}
    (lines,) = built(tmp_path, figure, records)
    assert shown(lines) == {(0.5, "CPU"): 1.0}


def test_of_several_phases_the_trial_in_which_they_are_shortest_together(tmp_path: Path) -> None:
    records = [
        trial("merge", 4.0, phases_s={"verification": 1.0, "expansion": 0.5}),
        trial("mps", 3.0, phases_s={"verify": 2.0}),
    ]
    figure = {"kind": "lines", "x": "task.threshold", "y": "verification_time", "groups": GROUPS}
    (lines,) = built(tmp_path, figure, records)
    assert shown(lines) == {(0.5, "CPU"): 1.5}


def test_a_speedup_of_groups_is_over_the_fastest_baseline(tmp_path: Path) -> None:
    records = [trial("merge", 4.0), trial("mps", 3.0), trial("mps-gpu", 0.5)]
    figure = {
        "kind": "speedup",
        "x": "task.threshold",
        "baseline": GROUPS["CPU"],
        "groups": {"GPU": {"solver": "mps-gpu"}},
    }
    (bars,) = built(tmp_path, figure, records)
    assert shown(bars) == {(0.5, "GPU"): 6.0}


def test_a_printed_speedup_stands_beside_ours(tmp_path: Path) -> None:
    records = [trial("merge", 4.0), trial("hyset-queue", 2.0), trial("merge", 4.0, 0.7), trial("hyset-queue", 2.0, 0.7)]
    for raw in records:
        raw["dataset"]["name"] = "aol-like"
    figure = {
        "kind": "speedup",
        "x": "task.threshold",
        "baseline": {"solver": "merge"},
        "groups": {"HySet": {"solver": "hyset-queue"}},
        "published": "bellas2022-table-5.10",
    }
    (bars,) = built(tmp_path, figure, records)
    beside = {point.x: [one.value for one in point.published] for point in bars.data.points}
    assert beside == {0.5: [], 0.7: [1.2]}  # the document prints a dash at 0.5


def test_verdicts_of_executed_kernels_are_those_of_all_trials(tmp_path: Path) -> None:
    records = [
        trial(solver, seconds, backend="simt", parameters={"warps": warps})
        for solver, warps, seconds in (("mps-gpu", 4, 0.5), ("bmp-gpu", 4, 0.4), ("bmp-gpu", 8, 0.1))
    ]
    (functional,) = built(tmp_path, {"kind": "lines", "x": "task.threshold", "groups": GROUPS}, records)
    assert functional.functional and len(functional.data.points) == 3
