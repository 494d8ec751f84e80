"""Figures of lines with a second field on an axis at the right."""

from pathlib import Path
from typing import Any

import pytest
from builders import write_run
from gsi2020_records import gsi
from planned_trials import POINTS, faults
from test_figures import draw
from warpbench_plots.errors import InputError
from warpbench_plots.figures.build import BuiltFigure, build_figures
from warpbench_plots.results.run import by_experiment, read_run

Raw = dict[str, Any]
FIGURE: Raw = {
    "kind": "speedup",
    "draw": "lines",
    "baseline": {"blocks": 1},
    "x": "blocks",
    "right": "query_time",
    "series": "none",
    "labels": {"query_time": "response time"},
}
pytestmark = pytest.mark.usefixtures("undrawn")


def queries() -> list[Raw]:
    return [gsi("fig-15b", "WatDiv", ms, "SO", blocks=blocks) for blocks, ms in ((1, 60.0), (2, 40.0), (30, 20.0))]


def built(folder: Path, figure: Raw) -> BuiltFigure:
    (experiment,) = by_experiment([read_run(write_run(folder / "run", queries(), {"figure": figure}))])
    (one,) = build_figures(experiment)
    return one


def test_a_speedup_and_the_time_share_a_panel(tmp_path: Path) -> None:
    figure, trials = built(tmp_path, FIGURE), [raw["trial"] for raw in queries()]
    assert [(p.gid, p.series, p.x, pytest.approx(p.y), p.on_right) for p in figure.data.points] == [
        *((trial, "speed-up", x, y, False) for trial, x, y in zip(trials, (1, 2, 30), (1.0, 1.5, 3.0), strict=True)),
        *(
            (f"{t}~2", "response time", x, y, True)
            for t, x, y in zip(trials, (1, 2, 30), (0.06, 0.04, 0.02), strict=True)
        ),
    ]


def test_a_page_is_told_the_second_axis_and_what_stands_on_it(tmp_path: Path) -> None:
    shown = built(tmp_path, FIGURE).shown
    assert shown is not None
    (panel,) = shown["panels"]
    assert panel["y"]["label"] == "speed-up over the baseline (blocks 1)"
    assert panel["right"]["label"] == "time of a query (ms), mean"
    assert panel["right"]["words"] == ["20", "30", "40", "50", "60"] and not panel["right"]["names"]
    assert {mark["group"] for mark in panel["marks"] if mark.get("right")} == {"response time"}
    assert {mark["group"] for mark in panel["marks"] if not mark.get("right")} - {""} == {
        "speed-up",
        "published: gsi2020, Titan XP, largest",
    }
    assert panel["linked"] is False
    assert "time of a query, mean: 40 ms" in " ".join(shown["words"])


def test_a_speedup_that_the_text_gives_stands_at_its_point_alone(tmp_path: Path) -> None:
    points = built(tmp_path, FIGURE).data.points
    beside = {(p.x, p.series): [one.value for one in p.published] for p in points if p.published}
    assert beside == {(30, "speed-up"): [2.85]}


def test_lines_of_several_quantities_keep_their_names(tmp_path: Path) -> None:
    figure = {"kind": "lines", "x": "blocks", "y": ["time", "prepare"], "right": "host_memory"}
    series = built(tmp_path, figure | {"series": "solver"}).data.series_order
    assert series == ("gsi: time, median", "gsi: preparation, median", "gsi: host peak")


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        (FIGURE | {"draw": "bars"}, "right: only lines have a second axis: give draw: lines"),
        (FIGURE | {"right": 7}, "right: expected the name of a field, found 7"),
        (
            {"kind": "lines", "x": "blocks", "right": "time"},
            "right: expected a field of another name than 'time, median'",
        ),
        ({"kind": "bars", "right": "time"}, "unknown key 'right' for kind bars"),
    ],
    ids=str,
)
def test_what_has_no_second_axis_is_refused(tmp_path: Path, figure: Raw, message: str) -> None:
    with pytest.raises(InputError) as refused:
        draw(tmp_path, queries(), figure)
    assert message in str(refused.value)


def test_a_plan_checks_the_second_field() -> None:
    figure = {"kind": "lines", "x": "passes", "facet": "dataset"}
    assert faults(figure | {"right": "phases_s.count"}, points=POINTS[3:]) == []
    (fault,) = faults(figure | {"right": "phases_s.cuont"}, points=POINTS[3:])
    assert "right: no trial is known to have 'phases_s.cuont'" in fault
    (fault,) = faults(figure | {"right": "dataset"}, points=POINTS[3:])
    assert "right: expected a number to draw, and 'dataset.name' is none" in fault
