"""Figures that cannot be drawn are found before anything is measured."""

from typing import Any

import pytest
from planned_trials import POINTS, faults, plan_lines, sweep
from warpbench_plots.cli import main

Raw = dict[str, Any]
NEAREST: Raw = {
    "problem": "nearest_neighbors",
    "solvers": ["ganns"],
    "points": sweep("ganns", candidates=[32, 64]),
    "task": [{"k": 10}],
    "datasets": ["a-like"],
}


@pytest.mark.parametrize(
    ("figure", "fault"),
    [
        ({"kind": "bars", "x": "foo"}, "x: no trial is known to have 'foo'"),
        ({"kind": "bars", "y": "foo_per_second"}, "y: no trial is known to have 'foo_per_second'"),
        ({"kind": "bars", "y": "edge_per_second"}, "did you mean 'edges_per_second'?"),
        (
            {"kind": "bars", "y": "time.medain_s"},
            "y: no trial is known to have 'time.medain_s'; did you mean 'time.med",
        ),
        ({"kind": "bars", "y": "time"}, ""),
        ({"kind": "bars", "y": "time.samples_s"}, "y: no trial is known to have 'time.samples_s'"),
        ({"kind": "bars", "y": "recall"}, "y: no trial is known to have 'recall'"),
        ({"kind": "bars", "y": "judgement.metrics.recall"}, "y: no trial is known to have 'judgement.metrics.recall'"),
        ({"kind": "bars", "y": "rows_per_second"}, "y: no trial is known to have 'rows_per_second'"),
        ({"kind": "bars", "y": "query_time"}, "y: no trial is known to have 'query_time'"),
        ({"kind": "bars", "y": "work.queries"}, "y: no trial is known to have 'work.queries'"),
        ({"kind": "bars", "x": "dataset.propertie.edges"}, "x: no trial is known to have 'dataset.propertie.edges'"),
        ({"kind": "bars", "facet": "task.k"}, "facet: no trial is known to have 'task.k'"),
        ({"kind": "bars", "y": "phases_s.cuont"}, "did you mean 'phases_s.count'?"),
        ({"kind": "breakdown", "phases": ["uploda"]}, "phases: no solver of common_neighbors is known to have a phase"),
        ({"kind": "curves", "curve": "rmse_over_time"}, "curve: common_neighbors declares no curve 'rmse_over_time'"),
        ({"kind": "bars", "published": "che2019-table-99"}, "published: che2019-table-99 is not mapped to trials"),
        ({"kind": "speedup", "baseline": {"solver": "vf2"}}, "baseline: the spec has no solver 'vf2'"),
        ({"kind": "speedup", "baseline": {"solver": "bmp", "threads": 7}}, "baseline: no trial has solver.name: bmp"),
        (
            {"kind": "bars", "where": {"solver": "mrege"}},
            "where: the spec has no solver 'mrege'; did you mean 'merge'?",
        ),
        ({"kind": "bars", "where": {"solver": ["bmp", "zzz"]}}, "where: the spec has no solver 'zzz'"),
        ({"kind": "bars", "where": {"solver": {"not": "zzz"}}}, "where: the spec has no solver 'zzz'"),
        (
            {"kind": "speedup", "baseline": {"solver": "bmp"}},
            "on a-like both have solver.name: bmp, and differ in range_filter (false, true): narrow it to one",
        ),
        ({"kind": "bars", "y": "solver"}, "y: expected a number to draw, and 'solver.name' is none"),
        ({"kind": "bars", "y": "dataset"}, "y: expected a number to draw, and 'dataset.name' is none"),
        ({"kind": "bars", "y": "source"}, "y: expected a number to draw, and 'source' is none"),
        ({"kind": "table", "value": "variant"}, "value: expected a number to draw, and 'variant' is none"),
        ({"kind": "table", "value": "judgement.verdict"}, "and 'judgement.verdict' is none"),
        ({"kind": "table", "value": "dataset.stand_in"}, "and 'dataset.stand_in' is none"),
        ({"kind": "lines", "x": "threads", "y": "time + facts.version"}, "and 'facts.version' is none"),
        (
            {"kind": "boxes", "box": ["time"] * 4 + ["ceiling.name"]},
            "box: expected a number to draw, and 'ceiling.name'",
        ),
        ({"kind": "bars", "where": {"threads": 5}}, "where: no trial has threads: 5"),
        ({"kind": "bars", "groups": {"A": {"solver": "zzz"}}}, "groups: A: the spec has no solver 'zzz'"),
        ({"kind": "bars", "groups": {"A": {"solver": "bmp"}, "B": {"device": "hybrid"}}}, "groups: B: no trial has"),
    ],
    ids=str,
)
def test_what_would_be_drawn_empty_is_a_fault(figure: Raw, fault: str) -> None:
    found = faults(figure)
    assert (found == []) if not fault else (len(found) == 1 and fault in found[0]), found


@pytest.mark.parametrize(
    "figure",
    [
        {"kind": "bars", "y": "counters.nope"},
        {"kind": "bars", "y": "edges_per_second", "series": "variant"},
        {"kind": "lines", "x": "dataset.properties.edges"},
        {"kind": "breakdown", "phases": ["upload", "count"]},
        {"kind": "table", "value": "memory.device_peak_bytes"},
        {"kind": "table", "value": "protocol.repetitions"},
        {"kind": "bars", "where": {"solver": {"not": "bmp-gpu"}}},
        {"kind": "bars", "where": {"counters.passes": {"above": 2}}},
        {"kind": "speedup", "baseline": {"solver": "merge", "threads": 1}},
        {"kind": "bars", "groups": {"CPU": {"device": "cpu"}, "GPU": [{"solver": "bmp-gpu"}]}, "series": "variant"},
        {"kind": "speedup", "baseline": {"solver": "bmp", "range_filter": False}},
        {"kind": "speedup", "baseline": {"solver": "bmp", "counters.passes": 1}},
        {"kind": "speedup", "baseline": {"solver": "bmp"}, "groups": {"M": {"solver": "merge"}}},
        {"kind": "bars", "y": "time.threads"},
        {"kind": "bars", "y": "nvml.clock"},
        {"kind": "table", "value": "dataset.properties.vertices"},
        {"kind": "bars", "published": "che2019-table-4"},
        {"kind": "bars", "x": "edges", "facet": "dataset"},
    ],
    ids=str,
)
def test_what_may_have_values_is_none(figure: Raw) -> None:
    assert faults(figure) == []


def test_names_are_those_of_the_problem() -> None:
    assert faults({"kind": "pareto", "x": "recall", "y": "queries_per_second"}, **NEAREST) == []
    assert faults({"kind": "lines", "x": "candidates", "y": "judgement.metrics.recall"}, **NEAREST) == []
    (fault,) = faults({"kind": "pareto", "x": "rmse", "y": "edges_per_second"}, **NEAREST)[:1]
    assert "'rmse'" in fault


def test_a_program_of_the_users_own_tells_its_phases() -> None:
    mine = {"solvers": ["external"], "points": sweep("external", program="mine")}
    assert faults({"kind": "breakdown", "phases": ["unheard"]}, **mine) == []


BARS: Raw = {"kind": "bars", "series": "solver", "facet": "dataset"}


def test_trials_that_fall_on_one_place_are_a_fault() -> None:
    (fault,) = faults(BARS)
    assert "fall on one place (a-like, bmp), and differ in range_filter (false, true): split them by series" in fault
    assert faults(BARS | {"series": "variant"}) == []
    assert faults(BARS | {"where": {"range_filter": {"not": True}}}) == []


def test_a_place_that_only_the_records_tell_is_none() -> None:
    assert faults(BARS | {"x": "counters.passes"}) == []
    assert faults(BARS | {"where": {"judgement.verdict": "exact"}, "x": "judgement.metrics.total"}) == []
    # Datasets may differ in a property; on one of them it has one value.
    assert faults({"kind": "bars", "x": "dataset.properties.edges", "series": "variant"}) == []
    (fault,) = faults({"kind": "bars", "x": "dataset.properties.edges", "series": "solver"})
    assert "fall on one place" in fault


def test_a_group_shows_the_best_of_its_trials() -> None:
    assert faults(BARS | {"groups": {"CPU": {"device": "cpu"}, "GPU": {"device": "gpu"}}}) == []


def test_tasks_of_a_sweep_need_places() -> None:
    task = [{"k": 10}, {"k": 20}]
    (fault,) = faults({"kind": "lines", "x": "candidates"}, **NEAREST | {"task": task})
    assert "differ in task.k (10, 20)" in fault
    assert faults({"kind": "lines", "x": "candidates", "facet": "task.k"}, **NEAREST | {"task": task}) == []
    assert faults({"kind": "pareto", "x": "recall", "y": "time"}, **NEAREST | {"task": task}) == []


def test_functional_trials_have_no_place_among_times() -> None:
    points = [*sweep("merge", threads=1), *sweep("bmp-gpu", passes=[1, 2])]
    assert faults(BARS, points=points, backend="simt") == []
    assert len(faults(BARS, points=points)) == 1


def test_a_suite_may_leave_solvers_out(tmp_path: Any) -> None:
    file = tmp_path / "spec.yaml"
    file.write_text("experiment: mine/counts\nproblem: common_neighbors\nsolvers: [merge, bmp, mps]\n")
    figure = {"kind": "bars", "groups": {"A": {"solver": "mps"}, "B": {"solver": "merge"}}}
    assert faults(figure, points=sweep("merge", threads=1), solvers=["merge"], file=file) == []
    assert len(faults(figure, points=sweep("merge", threads=1), solvers=["merge"])) == 1


def test_check_reads_plans_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [*plan_lines(figure=BARS), *plan_lines(figure={"kind": "bars"}), *plan_lines(figure={"kind": "bras"})]
    monkeypatch.setattr("sys.stdin", [f"{line}\n" for line in lines])
    assert main(["check"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("mine/counts: figure: trials ") and "expected one of" in second
    assert len(POINTS) == 4


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["{}"], "line 1 of the plans: found a trial before its spec"),
        (["no JSON"], "line 1 of the plans: expected JSON of a spec or a trial: Expecting value"),
        (["7"], "line 1 of the plans: expected a spec or a trial, found 7"),
        (["[]"], "line 1 of the plans: expected a spec or a trial, found []"),
        (['{"text": ""}'], "line 1 of the plans: expected a spec or a trial, found one without file"),
        (
            [plan_lines()[0], '{"solver": 1}'],
            "line 2 of the plans: expected a spec or a trial, found one without dataset",
        ),
        (
            [plan_lines()[0], '{"solver": 1, "dataset": 1}'],
            'expected a spec or a trial, found {"solver": 1, "dataset": 1}',
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_no_plan_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: list[str], message: str
) -> None:
    monkeypatch.setattr("sys.stdin", [f"{line}\n" for line in lines])
    assert main(["check"]) == 2
    error = capsys.readouterr().err
    assert message in error and "Error(" not in error and error.count("\n") == 1, error


def test_a_records_own_key_is_no_counter() -> None:
    (own,), (other,) = faults({"kind": "bars", "y": "status"}), faults({"kind": "bars", "y": "hops"})
    assert "'status'" in own and "counters." not in own
    assert other.endswith("write where it stands, as in counters.hops")
