"""The point that a solver ran at: as published, ours, or neither; older records do not say."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders import record, table_4, write_run
from warpbench_plots.errors import InputError
from warpbench_plots.fields.field import field
from warpbench_plots.figures.build import write_figures
from warpbench_plots.figures.sidecar import explain
from warpbench_plots.results.run import by_experiment, read_run, read_spec

pytestmark = pytest.mark.usefixtures("undrawn")
Raw = dict[str, Any]


def at(point: str | None, solver: str = "bmp", seconds: float = 1.0, **parameters: Any) -> Raw:
    """A trial at a point; without one its record is as older ones are."""
    made = record(solver, seconds, parameters=parameters)
    made["trial"] = f"{made['trial'][:-1]}{'-dbo'[(None, 'document', 'best', 'other').index(point)]}"
    made["solver"] |= {} if point is None else {"point": point}
    return made


TWO = [
    at("document", filter=False, warps=1),
    at("best", seconds=0.5, filter=True, warps=8),
]


def drawn(folder: Path, records: list[Raw], figure: Raw) -> list[Raw]:
    run = write_run(folder / "run", records, {"figure": {"kind": "bars", **figure}})
    write_figures(by_experiment([read_run(run)]), folder / "out")
    points: list[Raw] = json.loads((folder / "out" / "che2019-table-4-techniques.json").read_text())["points"]
    return points


@pytest.mark.parametrize("series", ["variant", "solver"])
def test_ours_stands_beside_the_published_method(tmp_path: Path, series: str) -> None:
    assert [p["series"] for p in drawn(tmp_path, TWO, {"series": series})] == [
        "bmp",
        "bmp (ours)",
    ]


def test_what_varies_at_one_point_is_named(tmp_path: Path) -> None:
    records = [
        *TWO,
        at("best", filter=True, warps=16),
        at("other", filter=True, warps=1),
    ]
    named = [p["series"] for p in drawn(tmp_path, records, {})]
    assert named == [
        "bmp filter=false",
        "bmp (ours) warps=8",
        "bmp (ours) warps=16",
        "bmp filter=true",
    ]


@pytest.mark.parametrize("figure", [{"series": "point", "x": "solver"}, {"x": "solver", "facet": "point"}])
def test_the_point_splits_a_figure(tmp_path: Path, figure: Raw) -> None:
    records = [*TWO, at("other", filter=True, warps=1)]
    points = drawn(tmp_path, records, {"labels": {"other": "between"}, **figure})
    axis = "series" if figure.get("series") else "facet"
    assert [p[axis] for p in points] == ["as published", "ours", "between"]
    assert {p["x"] for p in points} == {"bmp"}


def test_a_figure_can_ask_for_ours_alone(tmp_path: Path) -> None:
    (point,) = drawn(tmp_path, TWO, {"where": {"point": "best"}})
    assert (point["series"], point["y"]) == ("bmp (ours)", 0.5)
    assert ", point best" in explain(f"{tmp_path}/out/che2019-table-4-techniques.svg#{point['trial']}")


def test_older_records_have_no_point(tmp_path: Path) -> None:
    points = drawn(tmp_path, table_4(), {"facet": "point"})
    assert {p["facet"] for p in points} == {"–"} and points[0]["series"] == "merge"
    (read,) = read_run(write_run(tmp_path / "one", [at(None)])).records
    assert read.solver.point is None and field("point", "here").value(read) is None


def test_an_unknown_point_is_refused(tmp_path: Path) -> None:
    made = at("best")
    made["solver"]["point"] = "fastest"
    with pytest.raises(
        InputError,
        match=r"solver.point: 'fastest' is not one of \['document', 'best', 'other'\]",
    ):
        read_run(write_run(tmp_path / "run", [made]))


def test_a_spec_names_the_point_of_a_solver(tmp_path: Path) -> None:
    spec = tmp_path / "spec.yaml"
    spec.write_text("experiment: e\nproblem: p\nsolvers: [ganns, {ganns: best}, {song: {queue: 8}}]\n")
    assert read_spec(spec).solvers == ("ganns", "song")
