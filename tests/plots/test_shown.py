"""What a figure shows, as pages are told: the points, series, axes and colours that are drawn."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from builders import write_run
from every_kind import FIGURES, records_for
from warpbench_plots.figures.build import BuiltFigure, build_figures
from warpbench_plots.figures.points import Point
from warpbench_plots.figures.style import colour
from warpbench_plots.results.run import by_experiment, read_run


def built(folder: Path, kind: str, **keys: Any) -> BuiltFigure:
    run = write_run(folder / "run", records_for(kind), {"figure": FIGURES[kind] | keys})
    (figure,) = build_figures(*by_experiment([read_run(run)]))
    return figure


def values(figure: BuiltFigure) -> dict[int, list[float]]:
    """The place of each point with a value → the values that its marks have, without published ones."""
    assert figure.shown is not None
    found: dict[int, list[float]] = {}
    published = set(figure.data.published_names().values())
    for mark in (mark for panel in figure.shown["panels"] for mark in panel["marks"]):
        if mark["kind"] == "text" or mark["group"] in published or "points" not in mark:
            continue
        ends = mark["high"] if mark["kind"] == "bar" else mark["y"]
        places = mark["points"] * len(ends) if mark["kind"] == "curve" else mark["points"]
        for place, value in zip(places, ends, strict=True):
            found.setdefault(place, []).append(value)
    return found


def expected(point: Point, kind: str) -> list[float]:
    if kind == "curves":
        return [y for _, y in point.steps]
    if kind == "breakdown":
        return [sum(value for _, value in point.parts[: at + 1]) for at in range(len(point.parts))]
    if kind == "boxes":
        return [dict(point.parts)["counters.third"], point.y or 0.0]
    return [point.y or 0.0]


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("kind", FIGURES)
def test_pages_are_told_the_points_and_series_that_are_drawn(tmp_path: Path, kind: str) -> None:
    figure = built(tmp_path, kind)
    assert figure.shown is not None
    shown: Mapping[str, Any] = json.loads(json.dumps(figure.shown))
    points, marks = figure.data.points, [mark for panel in shown["panels"] for mark in panel["marks"]]
    assert [point["id"] for point in shown["points"]] == [point.gid for point in points]
    drawn = values(figure)
    assert drawn.keys() == {at for at, point in enumerate(points) if point.y is not None}
    for at, found in drawn.items():
        assert found == pytest.approx(expected(points[at], kind), rel=1e-6)
    failed = {at for at, point in enumerate(points) if point.y is None}
    assert {at for mark in marks if mark["kind"] == "text" for at in mark.get("points", ())} == failed
    names = {entry["name"] for entry in shown["legend"]}
    groups = {mark["group"] for mark in marks} - {""}
    assert groups <= names and {series for series in figure.data.series_order if series} <= names
    assert len(shown["panels"]) == max(1, len(figure.data.facet_order))


@pytest.mark.usefixtures("undrawn")
def test_a_series_has_its_colour_and_a_page_may_change_that_of_ink(tmp_path: Path) -> None:
    figure = built(tmp_path, "bars")
    assert figure.shown is not None
    marks = figure.shown["panels"][0]["marks"]
    for at, series in enumerate(figure.data.series_order):
        assert {m["colour"] for m in marks if m["kind"] == "bar" and m["group"] == series} == {colour(at)}
    assert {m["colour"] for m in marks if m["kind"] == "line"} == {"--ink"}
    assert {m["colour"] for m in marks if m["kind"] == "dot" and m["group"].startswith("published")} == {"--ink"}
    assert {m["colour"] for m in marks if m["kind"] == "text"} == {"--bad"}


@pytest.mark.usefixtures("undrawn")
def test_axes_have_the_words_scale_and_unit_of_the_picture(tmp_path: Path) -> None:
    shown = built(tmp_path, "bars").shown
    assert shown is not None
    x, y = shown["panels"][0]["x"], shown["panels"][0]["y"]
    assert x["names"] and x["words"][0].startswith("twitter-like") and x["at"] == [0, 1, 2]
    assert y["log"] and y["seconds"] and y["label"] == "time, median" and not y["names"]
    assert dict(zip(y["at"], y["words"], strict=True))[1] == "1 s"
    linear = built(tmp_path / "linear", "bars", log="none").shown
    assert linear is not None
    y = linear["panels"][0]["y"]
    assert not y["log"] and y["seconds"] and y["label"] == "time (s), median" and y["range"][0] == 0
    threads = built(tmp_path / "lines", "lines").shown
    assert threads is not None
    x = threads["panels"][0]["x"]
    assert x["log"] and not x["seconds"] and x["words"] == ["1", "28"] and x["ticks"]
    axes = [panel[which] for panel in threads["panels"] for which in ("x", "y")]
    assert [axis["ticks"] for axis in axes] == [True] * 4 + [False] * 2  # all trials of the last panel failed
    assert not any("$" in word for axis in axes for word in axis["words"])


@pytest.mark.usefixtures("undrawn")
def test_a_point_is_told_with_its_trial_and_the_parameters_that_differ(tmp_path: Path) -> None:
    figure = built(tmp_path, "bars")
    assert figure.shown is not None
    lines = [figure.shown["words"][at] for at in figure.shown["points"][1]["words"]]
    assert "mps on twitter-like: threads=1, skew_threshold=50, simd=none" not in lines
    assert "mps on twitter-like: threads=1, simd=none" in lines  # all have one skew_threshold
    assert f"trial {figure.data.points[1].gid} (results.jsonl:2)" in lines
    assert "time, median: 5.53 s [5.42 s, 5.69 s]" in lines
    assert any(line.startswith("published 5527 s") for line in lines)
