"""Figures that cannot be drawn: each is skipped with its reason, and the others are made."""

from pathlib import Path
from typing import Any

import pytest
from builders import record, table_4, write_run
from test_figures import draw
from warpbench_plots.cli import main
from warpbench_plots.errors import InputError
from warpbench_plots.figures import build
from warpbench_plots.figures.build import build_all
from warpbench_plots.figures.points import FigureData
from warpbench_plots.results.run import by_experiment, read_run

Raw = dict[str, Any]


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("command", ["figures", "report"])
def test_a_figure_that_fails_in_any_way_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    def broken(data: FigureData, *rest: object) -> None:
        raise ValueError("cannot convert\nfloat NaN to integer")

    monkeypatch.setitem(build._DRAW, "lines", broken)
    figures = [{"kind": "lines", "name": "bad", "x": "threads"}, {"kind": "bars", "name": "good"}]
    run = write_run(tmp_path / "run", [record("bmp", 1.0, parameters={"threads": 2})], {"figure": figures})
    out = tmp_path / ("out" if command == "figures" else "report.html")
    assert main([command, str(run), "--out", str(out)]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "Traceback" not in error
    assert "bad was not drawn: figure bad" in error and "che2019/table-4-techniques" in error
    assert "ValueError: cannot convert float NaN to integer" in error
    assert {path.name for path in tmp_path.rglob("*.svg")} == {"good.svg"}
    monkeypatch.setenv(build.DEBUG, "1")
    assert main([command, str(run), "--out", str(out)]) == 1
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.usefixtures("undrawn")
def test_verdicts_of_a_skipped_figure_are_in_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(data: FigureData, *rest: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setitem(build._DRAW, "lines", broken)
    records = [record("merge", 1.0, parameters={"threads": 1}, backend="simt"), record("bmp-gpu", 1.0, backend="simt")]
    figures = [{"kind": "lines", "name": "bad", "x": "threads"}, {"kind": "bars", "name": "good"}]
    run = read_run(write_run(tmp_path / "run", records, {"figure": figures}))
    found = build_all(by_experiment([run]))
    assert [figure.name for figure in found.figures] == ["good", "good-functional"]
    assert [figure.name for figure in found.skipped] == ["bad"]


ZEROS: list[Raw] = [
    {"kind": "lines", "x": "counters.n", "y": "counters.zero", "log": ["x", "y"], "facet": "solver"},
    {"kind": "lines", "x": "counters.n", "y": "time", "log": ["x", "y"], "facet": "solver"},
    {"kind": "pareto", "x": "counters.n", "y": "counters.zero", "log": ["x", "y"], "facet": "solver"},
    {"kind": "bars", "y": "counters.zero", "log": "y"},
    {"kind": "boxes", "y": "counters.zero", "box": ["counters.zero"] * 5, "log": "y"},
]


@pytest.mark.parametrize("figure", ZEROS, ids=lambda figure: f"{figure['kind']}-{figure['y']}")
@pytest.mark.parametrize("backwards", [False, True])
def test_zeros_on_logarithmic_axes_are_drawn(tmp_path: Path, figure: Raw, backwards: bool) -> None:
    """Once it depended on which axis was made logarithmic first, hence on the order of a set."""
    records = [record("merge", 1.0, "a"), record("bmp", 2.0, "a"), record("mps", None, "a", status="timeout")]
    for raw in records:
        raw["counters"] = {"zero": 0, "n": 0}
    figure = figure | ({"log": figure["log"][::-1]} if backwards else {})
    assert len(draw(tmp_path, records, figure)["points"]) == 3


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("figure", "message"),
    [
        ({"kind": "bars", "x": "foo"}, "x: no trial is known to have 'foo'"),
        ({"kind": "bars", "facet": "foo"}, "facet: no trial is known to have 'foo'"),
        ({"kind": "bars", "series": "task.foo"}, r"series: no trial is known to have 'task\.foo'"),
        ({"kind": "bars", "series": "dataset.properties.foo"}, "series: no record of the runs has 'dataset.prop"),
        ({"kind": "bars", "facet": "counters.foo"}, r"facet: no record of the runs has 'counters\.foo'"),
        ({"kind": "bars", "y": "counters.proeb"}, r"y: no record .* 'counters\.proeb'; did you mean 'counters\.probe'"),
        ({"kind": "table", "value": "counters.foo"}, r"value: no record of the runs has 'counters\.foo'"),
        (
            {"kind": "speedup", "baseline": {"counters.foo": 1}},
            r"baseline: no record of the runs has 'counters\.foo'",
        ),
    ],
)
def test_a_name_that_no_record_has_is_refused_when_drawing(tmp_path: Path, figure: Raw, message: str) -> None:
    records = table_4()
    for raw in records:
        raw["counters"] = {"probe": 3}
    with pytest.raises(InputError, match=f"figure che2019-table-4-techniques: {message}"):
        draw(tmp_path, records, figure)


@pytest.mark.usefixtures("undrawn")
def test_a_counter_of_trials_that_all_failed_is_no_fault(tmp_path: Path) -> None:
    (point,) = draw(tmp_path, [record("bmp", None, status="timeout")], {"kind": "bars", "y": "counters.foo"})["points"]
    assert point["mark"] == "timeout"


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("value", ["counters.global_load_transactions", "1 - counters.memory_stall_share"])
def test_a_counter_of_a_profiler_that_was_not_there_is_no_fault(tmp_path: Path, value: str) -> None:
    figure = {"kind": "table", "value": value}
    records = table_4()
    with pytest.raises(InputError, match="no record of the runs has"):
        draw(tmp_path / "unasked", records, figure)
    for raw in records:
        raw["protocol"] = {"profile": False, "profile_transactions": True}
    assert {point["mark"] for point in draw(tmp_path / "asked", records, figure)["points"]} == {"not profiled"}
    records[0] |= {"counters": {"dram_bytes": 1}, "profile": {"covers": "join"}}
    with pytest.raises(InputError, match="no record of the runs has"):
        draw(tmp_path / "profiled", records, figure)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("figure", [{"y": "foo_per_second"}, {"y": "time.medain_s"}, {"x": "dataset.propertie.edges"}])
def test_a_name_that_no_record_can_have_is_refused_when_drawing(tmp_path: Path, figure: Raw) -> None:
    with pytest.raises(InputError, match="no trial is known to have"):
        draw(tmp_path, table_4(), {"kind": "bars", "series": "variant", **figure})


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("backend", ["cuda", "simt"])
def test_a_figure_whose_groups_select_nothing_is_skipped(tmp_path: Path, backend: str) -> None:
    figures = [{"kind": "bars", "name": "none", "groups": {"A": {"solver": "zzz"}, "B": {"solver": "yyy"}}}]
    figures.append({"kind": "bars", "name": "some", "groups": {"A": {"solver": "zzz"}, "B": {"solver": "bmp-gpu"}}})
    records = [record("bmp-gpu", 1.0, backend=backend), record("merge", 2.0, backend=backend)]
    found = build_all(by_experiment([read_run(write_run(tmp_path / "run", records, {"figure": figures}))]))
    ((name, reason),) = [(one.name, str(one.reason)) for one in found.skipped]
    assert (name, reason) == (
        "none",
        "figure none: no trial is selected by groups: A {solver.name: zzz}, B {solver.name: yyy}",
    )
    assert {figure.data.spec.name for figure in found.figures} == {"some"}
