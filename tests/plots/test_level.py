"""Figures of what several trials have together where a field such as recall reaches a number."""

from pathlib import Path
from typing import Any

import pytest
from planned_trials import faults, sweep
from search_records import judge, made
from test_figures import draw
from warpbench_plots.claims.evaluations import parse
from warpbench_plots.errors import InputError, Refused
from warpbench_plots.figures.sidecar import explain

Raw = dict[str, Any]
OVER_K: Raw = {"kind": "lines", "x": "k", "y": "queries_per_second", "at": {"recall": 0.8}, "facet": "dataset"}


def searches(solver: str, *curve: tuple[float, float], **rest: Any) -> list[Raw]:
    """Trials of one solver, each with its time and recall."""
    return [made("fig-4.6", solver, seconds=seconds, recall=recall, **rest) for seconds, recall in curve]


def test_trials_of_a_place_have_their_value_at_the_level(tmp_path: Path) -> None:
    records = [*searches("ganns", (1.0, 0.7), (16.0, 0.9), k=1), *searches("ganns", (5.0, 0.8), (9.0, 0.9), k=10)]
    records += searches("ganns", (17.0, 0.75), k=1)  # beaten
    first, second = draw(tmp_path, records, OVER_K)["points"]
    assert first["y"] == pytest.approx(500.0)  # 2,000 queries in the geometric mean of 1 and 16 s
    assert first["low"] < 500.0 < first["high"]
    assert (first["trial"], first["below"]["trial"]) == (records[1]["trial"], records[0]["trial"])
    assert (second["series"], second["x"], second["y"]) == ("ganns", 10, 400.0) and "below" not in second
    svg = tmp_path / "out" / "yu2023-fig-4.6.svg"
    assert "queries per second, at recall 0.8: 500" in svg.read_text()
    told = explain(f"{svg}#{first['trial']}")
    assert told.index(records[1]["trial"]) < told.index("between it and") < told.index(records[0]["trial"])


def test_a_figure_has_the_number_of_the_claim(tmp_path: Path) -> None:
    curves = [(1.0, 0.71), (1.7, 0.87), (4.0, 0.99)]
    records = [raw for k in (1, 100) for raw in searches("ganns", *curves, k=k)]
    records += [raw for k in (1, 100) for raw in searches("song", *[(3 * s, r - 0.05) for s, r in curves], k=k)]
    points = {
        (p["series"], p["x"]): p["y"] for p in draw(tmp_path, records, OVER_K | {"at": {"recall": 0.86}})["points"]
    }
    result = judge(tmp_path / "claim", "vary-k-stable", records)
    (claimed,) = [
        one.measured for one in result.checks if one.part == "the speed-up at k = 1, at recall 0.86" and one.measured
    ]
    assert points["ganns", 1] / points["song", 1] == pytest.approx(claimed.value)


def test_trials_of_different_cases_or_solvers_are_not_joined(tmp_path: Path) -> None:
    """Between two values of k, or two solvers of one name, a number would mean nothing."""
    several_k = [raw for k in (1, 10) for raw in searches("ganns", (1.0, 0.7), (2.0, 0.9), k=k)]
    with pytest.raises(Refused, match="of different solvers, datasets or tasks: split them"):
        draw(tmp_path / "k", several_k, {"kind": "bars", "y": "queries_per_second", "at": {"recall": 0.8}})
    two = [*searches("ganns", (1.0, 0.7), (2.0, 0.9), k=1), *searches("song", (1.0, 0.7), (2.0, 0.9), k=1)]
    with pytest.raises(Refused, match="of different solvers, datasets or tasks: split them"):
        draw(tmp_path / "solvers", two, OVER_K | {"labels": {"ganns": "song"}})


def test_a_share_is_that_of_the_fastest_trials(tmp_path: Path) -> None:
    """It falls as recall grows, so a frontier of its own would be the last trial alone."""
    records = [
        made("fig-4.5", "ganns", seconds=s, recall=r, counters={"distance_share": 1 - share, "structure_share": share})
        for s, r, share in ((1.0, 0.7, 0.4), (2.0, 0.9, 0.1))
    ]
    figure = {"kind": "bars", "y": "counters.structure_share", "at": {"recall": 0.8}, "log": "none"}
    (point,) = draw(tmp_path, records, figure)["points"]
    assert (point["series"], point["y"]) == ("ganns", pytest.approx(0.2))


def test_a_level_that_no_trial_reaches_is_marked(tmp_path: Path) -> None:
    records = [*searches("ganns", (1.0, 0.9), (2.0, 0.95), k=1), *searches("song", (1.0, 0.7), (2.0, 0.9), k=1)]
    failed = searches("song", (1.0, 0.9), k=10)
    failed[0] |= {"status": "timeout", "reason": "600 s", "time": None, "judgement": None, "phases_s": {}}
    marks = {(p["series"], p["x"]): p["mark"] for p in draw(tmp_path, records + failed, OVER_K)["points"]}
    assert marks == {
        ("ganns", 1): "recall 0.8 lies outside what was measured, 0.9 to 0.95",
        ("song", 1): None,
        ("song", 10): "timeout",
    }


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("at", "found"), [("recall", "'recall'"), ({"recall": "high"}, "{'recall': 'high'}"), ({}, "{}"), (0.8, "0.8")]
)
def test_what_is_no_level_is_refused(tmp_path: Path, at: Any, found: str) -> None:
    with pytest.raises(InputError) as refused:
        draw(tmp_path, searches("ganns", (1.0, 0.8)), OVER_K | {"at": at})
    expected = "yu2023/fig-4.6: figure: at: expected {FIELD: number}, such as {recall: 0.8}, found "
    assert str(refused.value) == expected + found


@pytest.mark.usefixtures("undrawn")
def test_a_level_leaves_groups_no_meaning(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at: expected no groups, which keep one trial of several, found"):
        draw(tmp_path, searches("ganns", (1.0, 0.8)), OVER_K | {"groups": {"A": {"solver": "ganns"}}})


def test_a_term_at_a_level_picks_no_trial() -> None:
    with pytest.raises(InputError, match="terms: A: at: expected no pick beside it, found 'worst'"):
        parse({"terms": {"A": {"at": {"recall": 0.8}, "pick": "worst"}}}, "here")


def test_a_plan_tells_what_is_wrong_with_a_level() -> None:
    plan: Raw = {"problem": "nearest_neighbors", "solvers": ["ganns"], "points": sweep("ganns", explore=[32, 64])}
    plan |= {"task": [{"k": 10}], "datasets": ["a-like"]}
    assert faults(OVER_K, **plan) == []  # the trials of a place are meant to be several
    (fault,) = faults({key: value for key, value in OVER_K.items() if key != "at"} | {"series": "solver"}, **plan)
    assert "fall on one place" in fault
    (fault,) = faults(OVER_K | {"at": {"rmse": 0.8}}, **plan)
    assert "at: no trial is known to have 'rmse'" in fault
    (fault,) = faults(OVER_K | {"at": {"solver": 0.8}}, **plan)
    assert "at: expected a number" in fault
