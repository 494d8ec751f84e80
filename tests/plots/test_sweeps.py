"""Figures with a line for each of several sweeps, over fields of their own."""

from pathlib import Path
from typing import Any

import pytest
from planned_trials import faults, sweep
from subgraph_records import made
from test_figures import draw, ids
from warpbench_plots.errors import InputError, Refused

Raw = dict[str, Any]
LINES: Raw = {
    "kind": "lines",
    "y": "query_time",
    "series": "none",
    "sweeps": {
        "edges varied": {"x": "dataset.properties.query_edges", "where": {"dataset.properties.query_vertices": 12}},
        "vertices varied": {
            "x": "dataset.properties.query_vertices",
            "where": {"dataset.properties.query_edges / dataset.properties.query_vertices": 2},
        },
    },
}


def queries(*sizes: tuple[int, int]) -> list[Raw]:
    """A trial for each number of edges and vertices; the time of a query in seconds is the number of edges."""
    records = []
    for edges, vertices in sizes:
        sizes_of = {"query_edges": edges, "query_vertices": vertices}
        name = f"gowalla-like(edges={edges},vertices={vertices})"
        records.append(made("gsi2020/fig-16b", "gsi", name, edges * 1e3, properties=sizes_of))
    return records


def test_each_sweep_has_its_line_over_its_own_field(tmp_path: Path) -> None:
    records = queries((16, 12), (24, 12), (16, 8), (30, 10))
    drawn = draw(tmp_path, records, LINES)
    first, both, third, _ = (raw["trial"] for raw in records)
    assert [(p["gid"], p["series"], p["x"], p["y"]) for p in drawn["points"]] == [
        (first, "edges varied", 16, 16.0),
        (both, "edges varied", 24, 24.0),
        (f"{both}~2", "vertices varied", 12, 24.0),
        (third, "vertices varied", 8, 16.0),
    ]
    assert not any("edges=30" in note for note in drawn["notes"])  # of no sweep
    svg = tmp_path / "out" / "gsi2020-fig-16b.svg"
    assert {first, both, f"{both}~2", third} <= ids(svg)
    assert ">query edges, query vertices<" in svg.read_text()


def test_lines_of_a_sweep_may_have_series(tmp_path: Path) -> None:
    drawn = draw(tmp_path, queries((16, 12), (16, 8)), LINES | {"series": "solver"})
    assert {point["series"] for point in drawn["points"]} == {"gsi: edges varied", "gsi: vertices varied"}


@pytest.mark.usefixtures("undrawn")
def test_trials_of_one_sweep_do_not_share_a_place(tmp_path: Path) -> None:
    records = queries((16, 12), (16, 8))
    records[1]["dataset"]["properties"]["query_vertices"] = 12
    with pytest.raises(Refused, match="fall on one place"):
        draw(tmp_path, records, LINES)


@pytest.mark.usefixtures("undrawn")
def test_sweeps_that_select_no_trial_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no trial is selected by sweeps"):
        draw(tmp_path, queries((30, 10)), LINES)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": "time"}, "x: expected none beside sweeps, which have their own, found 'time'"),
        ({"sweeps": {"a": {"x": "time"}}}, "sweeps: a: expected {x: FIELD, where: {…}}, found {'x': 'time'}"),
        ({"sweeps": {"a": {"x": 7, "where": {}}}}, "sweeps: a: x: expected the name of a field, found 7"),
        ({"sweeps": ["time"]}, "sweeps: expected a mapping, found ['time']"),
        ({"kind": "bars"}, "unknown key 'sweeps' for kind bars"),
    ],
    ids=str,
)
def test_sweeps_that_say_too_little_or_too_much_are_refused(tmp_path: Path, change: Raw, message: str) -> None:
    with pytest.raises(InputError) as refused:
        draw(tmp_path, queries((16, 12)), LINES | change)
    assert message in str(refused.value)


def test_a_plan_checks_each_sweep() -> None:
    points = [*sweep("bmp-gpu", warps=[1, 2, 4], passes=1), *sweep("bmp-gpu", warps=1, passes=[2, 3])]
    one = {"kind": "lines", "series": "none", "facet": "dataset"}
    good = {"warps": {"x": "warps", "where": {"passes": 1}}, "passes": {"x": "passes", "where": {"warps": 1}}}
    assert faults(one | {"sweeps": good}, points=points, solvers=["bmp-gpu"]) == []
    for changed, message in (
        ({"x": "solver.parameters.wraps", "where": {}}, "x: no trial is known to have 'solver.parameters.wraps'"),
        ({"x": "warps", "where": {"solver": "bpm"}}, "where: the spec has no solver 'bpm'"),
        ({"x": "warps", "where": {"passes": 9}}, "where: no trial has passes: 9"),
        ({"x": "warps", "where": {}}, "fall on one place"),
    ):
        (fault,) = faults(one | {"sweeps": good | {"warps": changed}}, points=points, solvers=["bmp-gpu"])
        assert message in fault
