"""Units of formulas, powers of two on axes, and numbers that a document's text quotes."""

from pathlib import Path
from typing import Any

import pytest
from builders import record, write_run
from test_figures import draw
from warpbench_plots.fields.declared import declarations
from warpbench_plots.fields.field import field
from warpbench_plots.figures.build import build_figures
from warpbench_plots.results.run import by_experiment, read_run


@pytest.mark.parametrize(
    ("text", "is_seconds"),
    [
        ("time", True),
        ("phases_s.join + phases_s.build", True),
        ("time - phases_s.join", True),
        ("time * 1000", True),
        ("phases_s.join / work.queries", True),
        ("(phases_s.a + phases_s.b) * 2", True),
        ("time / prepare", False),
        ("phases_s.join / time", False),
        ("work.queries / time", False),
        ("counters.a + counters.b", False),
        ("time * phases_s.join", False),
        ("edges_per_second * time", False),
        ("work.edges / edges_per_second", True),
        ("time + counters.a", False),
    ],
)
def test_a_formula_of_seconds_has_their_unit(text: str, is_seconds: bool) -> None:
    one = field(text, "test")
    assert (one.is_seconds, "(s)" in one.label) == (is_seconds, is_seconds)


def test_declared_quantities_of_seconds_say_so() -> None:
    for name in declarations().quantities:
        one = field(name, "test")
        assert one.is_seconds == ("(s)" in one.label), name


@pytest.mark.usefixtures("undrawn")
def test_cells_of_a_formula_of_seconds_have_units(tmp_path: Path) -> None:
    records = [record("merge", 0.00714)]
    records[0]["phases_s"] = {"join": 0.00714}
    records[0]["work"] = {"queries": 10}
    figure = {"kind": "table", "value": "phases_s.join / work.queries"}
    (built,) = build_figures(*by_experiment([read_run(write_run(tmp_path, records, {"figure": figure}))]))
    assert built.data.spec.y.label == "phases_s.join / work.queries (s)"


def _axis(tmp_path: Path, values: list[int], **keys: Any) -> dict[str, Any]:
    records = [record("bmp-gpu", 1.0, parameters={"warps": warps}) for warps in values]
    figure = {"kind": "lines", "x": "warps", "series": "solver", **keys}
    (built,) = build_figures(*by_experiment([read_run(write_run(tmp_path, records, {"figure": figure}))]))
    assert built.shown is not None
    axis: dict[str, Any] = built.shown["panels"][0]["x"]
    return axis


def test_powers_of_two_stand_on_a_logarithmic_axis(tmp_path: Path) -> None:
    axis = _axis(tmp_path / "powers", [1, 2, 4, 8, 16, 32])
    assert axis["log"] and axis["words"] == ["1", "2", "4", "8", "16", "32"]
    assert not _axis(tmp_path / "others", [1, 2, 3, 8])["log"]
    assert not _axis(tmp_path / "two", [1, 2])["log"]
    assert not _axis(tmp_path / "told", [1, 2, 4], log="none")["log"]


@pytest.mark.usefixtures("undrawn")
def test_numbers_of_the_text_stand_beside_the_nearest_trial(tmp_path: Path) -> None:
    records = []
    for solver in ("ganns", "song"):
        for recall in (0.5, 0.8, 0.9):
            raw = record(solver, 1.0, "sift1m-like", parameters={"e": recall}, experiment="yu2023/fig-4.4")
            raw["judgement"]["metrics"] = {"recall": recall}
            raw["work"] = {"queries": 1000}
            records.append(raw)
    points = draw(tmp_path, records, {"kind": "pareto", "x": "recall", "y": "queries_per_second"})["points"]
    printed = {(p["series"], p["x"]): p["published"] for p in points if "published" in p}
    assert printed == {
        ("ganns", 0.8): [{"label": "yu2023, Quadro P5000", "value": 458500.0, "x": 0.795}],
        ("song", 0.8): [{"label": "yu2023, Quadro P5000", "value": 88500.0, "x": 0.795}],
    }


@pytest.mark.usefixtures("undrawn")
def test_the_committed_figure_has_the_numbers_of_the_text(committed_runs: list[Any]) -> None:
    runs = [run for run in committed_runs if run.path.match("h200/paper/yu2023/fig-4.4")]
    built = build_figures(*by_experiment(runs), frozenset({"yu2023-fig-4.4"}))
    values = [value.value for point in built[0].data.points for value in point.published]
    assert sorted(values) == [88500.0, 458500.0]
