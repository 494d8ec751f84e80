"""Figures: what is drawn, what is marked, and each refusal seen failing."""

import itertools
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from builders import TABLE_4, record, table_4, timing, write_run
from warpbench_plots.errors import InputError, Refused
from warpbench_plots.fields.frontier import frontier
from warpbench_plots.figures.build import build_figures, write_figures
from warpbench_plots.figures.lines import failure_lines
from warpbench_plots.figures.points import ZERO, Point
from warpbench_plots.figures.sidecar import explain
from warpbench_plots.results.run import by_experiment, read_run
from warpbench_plots.site.content import figure_matrices

SVG = "{http://www.w3.org/2000/svg}"


def draw(
    folder: Path,
    records: list[dict[str, Any]],
    figure: Any,
    spec: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Writes the figure and returns its sidecar."""
    run = write_run(folder / "run", records, {"figure": figure, **(spec or {})})
    write_figures(by_experiment([read_run(run)]), folder / "out")
    (path,) = [p for p in (folder / "out").glob("*.json") if "functional" not in p.name]
    loaded: dict[str, Any] = json.loads(path.read_text())
    return loaded


def ids(path: Path) -> set[str]:
    return {element.get("id") or "" for element in ET.parse(path).iter(f"{SVG}g")}


@pytest.mark.parametrize(
    "figure",
    [
        {"kind": "bars"},
        {
            "kind": "bars",
            "x": "dataset",
            "y": "edges_per_second",
            "facet": "solver",
            "log": "none",
        },
        {
            "kind": "lines",
            "x": "threads",
            "y": "time",
            "series": "variant",
            "facet": "dataset",
            "log": ["x", "y"],
        },
        {
            "kind": "pareto",
            "x": "edges_per_second",
            "y": "host_memory",
            "facet": "dataset",
        },
        {
            "kind": "table",
            "rows": "variant",
            "columns": "dataset",
            "value": "share",
            "published": "che2019-table-4",
        },
        {"kind": "breakdown", "phases": ["count"]},
        {
            "kind": "speedup",
            "baseline": {"solver": "merge"},
            "accept": ["threads"],
            "published": "che2019-table-4",
        },
    ],
    ids=lambda figure: str(figure["kind"]),
)
def test_every_point_carries_its_trial(tmp_path: Path, figure: dict[str, Any]) -> None:
    sidecar = draw(tmp_path, table_4(), figure)
    trials = {point["trial"] for point in sidecar["points"]}
    assert len(trials) == 14
    svg = tmp_path / "out" / f"{sidecar['figure']}.svg"
    assert trials <= ids(svg)
    assert svg.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    assert all(point["results"].endswith(f"results.jsonl:{i}") for i, point in enumerate(sidecar["points"], 1))


def test_figures_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    run = read_run(write_run(tmp_path / "run", table_4()))
    (first,), (second,) = build_figures(*by_experiment([run])), build_figures(*by_experiment([run]))
    assert (first.svg, first.png) == (second.svg, second.png)


def test_mixed_machines_are_refused_naming_the_runs(tmp_path: Path) -> None:
    runs = [
        read_run(write_run(tmp_path / "a", table_4()[:7], {"figure": {"kind": "bars"}})),
        read_run(
            write_run(
                tmp_path / "b",
                table_4(machine="other", run="run-2")[7:],
                {"figure": {"kind": "bars"}},
            )
        ),
    ]
    with pytest.raises(Refused, match=r"mixes 2 machines \(fixture-gpu: run run-1; other: run run-2\)"):
        write_figures(by_experiment(runs), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_mixed_revisions_are_refused_naming_the_runs(tmp_path: Path) -> None:
    records = [*table_4()[:7], *table_4(revision="fedcba", run="run-2")[7:]]
    with pytest.raises(Refused, match=r"mixes 2 revisions .*fedcba: run run-2"):
        draw(tmp_path, records, {"kind": "bars"})


def test_failed_cells_are_marked_and_never_a_time(tmp_path: Path) -> None:
    statuses = ["wrong", "unverified", "timeout", "crash", "oom_device", "no_device"]
    bad = [
        record("bmp", 0.5, parameters={"threads": i}, status=status, reason="made so")
        for i, status in enumerate(statuses)
    ]
    sidecar = draw(
        tmp_path,
        [record("merge", 1.0, parameters={"threads": 1}), *bad],
        {"kind": "bars"},
    )
    good, *marked = sidecar["points"]
    assert (good["y"], good["mark"]) == (1.0, None)
    assert [(p["y"], p["mark"], p["low"]) for p in marked] == [(None, status, None) for status in statuses]
    svg = tmp_path / "out" / f"{sidecar['figure']}.svg"
    assert {p["trial"] for p in marked} <= ids(svg)
    for status in statuses:
        assert f"× {status.replace('_', ' ')}" in svg.read_text()


@pytest.mark.usefixtures("undrawn")
def test_a_missing_cell_is_marked(tmp_path: Path) -> None:
    records = [
        record("merge", 1.0),
        record("merge", 2.0, "orkut-like"),
        record("bmp", 1.0),
    ]
    spec = {
        "datasets": ["twitter-like", "orkut-like", "web-it-like"],
        "solvers": ["merge", "bmp", "mps"],
    }
    sidecar = draw(tmp_path, records, {"kind": "table"}, spec)
    missing = {p["gid"] for p in sidecar["points"] if p["mark"] == "not run"}
    assert missing >= {
        "not-run.bmp.orkut-like",
        "not-run.merge.web-it-like",
        "not-run.mps.twitter-like",
    }
    assert "no run holds it" in explain(f"{tmp_path}/out/{sidecar['figure']}.svg#not-run.bmp.orkut-like")


def test_simt_gpu_solvers_become_a_verdict_matrix_without_times(tmp_path: Path) -> None:
    gpu = [
        record("bmp-gpu", 3.25, backend="simt"),
        record("mps-gpu", None, backend="simt", status="timeout"),
    ]
    run = write_run(
        tmp_path / "run",
        [record("merge", 1.0, backend="simt"), *gpu],
        {"figure": {"kind": "bars"}},
    )
    write_figures(by_experiment([read_run(run)]), tmp_path / "out")
    timed = json.loads((tmp_path / "out" / "che2019-table-4-techniques.json").read_text())
    assert [p["series"] for p in timed["points"]] == ["merge"]
    functional = tmp_path / "out" / "che2019-table-4-techniques-functional.svg"
    text = functional.read_text()
    assert "verified exact" in text and "× timeout" in text and "3.25" not in text
    assert all(p["y"] is None for p in json.loads(functional.with_suffix(".json").read_text())["points"])


@pytest.mark.usefixtures("undrawn")
def test_a_wholly_simt_experiment_has_only_the_matrix(tmp_path: Path) -> None:
    run = read_run(write_run(tmp_path / "run", [record("bmp-gpu", 3.0, backend="simt")]))
    assert [figure.name for figure in build_figures(*by_experiment([run]))] == ["che2019-table-4-techniques-functional"]


@pytest.mark.usefixtures("undrawn")
def test_published_numbers_stand_beside_measured_ones(tmp_path: Path) -> None:
    sidecar = draw(tmp_path, table_4(), {"kind": "bars", "published": "che2019-table-4"})
    printed = [point["published"][0]["value"] for point in sidecar["points"]]
    assert printed == [row[2] for row in TABLE_4.values()] + [row[3] for row in TABLE_4.values()]


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(("size", "is_told"), [("", False), ("(scale=0.01)", True)])
def test_published_numbers_beside_smaller_stand_ins_are_told_apart(tmp_path: Path, size: str, is_told: bool) -> None:
    records = table_4()
    for raw in records:
        raw["dataset"] |= {"name": raw["dataset"]["name"] + size, "stand_in": True}
    figure = {"kind": "bars", "published": "che2019-table-4"}
    (experiment,) = by_experiment([read_run(write_run(tmp_path, records, {"figure": figure}))])
    (built,) = build_figures(experiment)
    assert any(point.published for point in built.data.points)
    assert any("of the documents' datasets in full" in note for note in built.data.notes) == is_told


@pytest.mark.usefixtures("undrawn")
def test_speedups_divide_and_carry_intervals(tmp_path: Path) -> None:
    figure = {
        "kind": "speedup",
        "baseline": {"solver": "merge"},
        "accept": "threads",
        "published": "che2019-table-4",
    }
    points = draw(tmp_path, table_4(), figure)["points"]
    assert points[1]["y"] == pytest.approx(20065.3 / 5527.2)
    assert points[1]["low"] == pytest.approx(20065.3 * 0.98 / (5527.2 * 1.03))
    assert points[1]["published"][0]["value"] == pytest.approx(20065.3 / 5527.2)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("term", "value"),
    [("covers", ["upload", "solve"]), ("threads", 8), ("precision", "f32")],
    ids=str,
)
def test_speedups_of_different_terms_are_refused_unless_accepted(tmp_path: Path, term: str, value: object) -> None:
    one, other = timing(2.0) | {"precision": "f64", "threads": 1}, timing(1.0) | {
        "precision": "f64",
        "threads": 1,
    }
    other[term] = value
    records = [record("merge", 2.0, time=one), record("mps", 1.0, time=other)]
    figure: dict[str, Any] = {"kind": "speedup", "baseline": {"solver": "merge"}}
    with pytest.raises(Refused, match=f"differ in {term}"):
        draw(tmp_path, records, figure)
    assert draw(tmp_path, records, figure | {"accept": [term]})["points"][1]["y"] == 2.0


@pytest.mark.parametrize(
    ("solver", "name"),
    [("merge", "merge"), (["merge", "mps"], "merge or mps"), (["merge", "mps", "bmp"], "the best of 3 solvers")],
    ids=str,
)
def test_speedups_name_their_baseline_on_the_axis(tmp_path: Path, solver: object, name: str) -> None:
    figure = {"kind": "speedup", "baseline": {"solver": solver}, "groups": {"ours": {"solver": "bmp-gpu"}}}
    records = [record(one, 2.0) for one in ("merge", "mps", "bmp", "bmp-gpu")]
    (experiment,) = by_experiment([read_run(write_run(tmp_path, records, {"figure": figure}))])
    (built,) = build_figures(experiment)
    assert f">speed-up over {name}<" in built.svg


@pytest.mark.usefixtures("undrawn")
def test_variants_have_the_words_of_specs(tmp_path: Path) -> None:
    # A solver of one's own is not known here.
    both = itertools.product(("merge", "mine"), (0, 4))
    records = [record(solver, 1.0, parameters={"threads": threads}) for solver, threads in both]
    points = draw(tmp_path, records, {"kind": "bars"})["points"]
    assert {p["series"] for p in points} == {"merge threads=all", "merge threads=4", "mine threads=0", "mine threads=4"}
    for key in ("merge threads=all", "merge threads=0"):
        labels = {key: "M+P", "mine threads=4": "mine, four"}
        points = draw(tmp_path / key[-3:], records, {"kind": "bars", "labels": labels})["points"]
        assert {p["series"] for p in points} == {"M+P", "merge threads=4", "mine threads=0", "mine, four"}


@pytest.mark.usefixtures("undrawn")
def test_a_failed_baseline_leaves_marks(tmp_path: Path) -> None:
    records = [record("merge", None, status="timeout"), record("mps", 1.0)]
    points = draw(tmp_path, records, {"kind": "speedup", "baseline": {"solver": "merge"}})["points"]
    assert [p["mark"] for p in points] == ["timeout", "no baseline"]


def test_an_ambiguous_baseline_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="names 3 trials"):
        draw(
            tmp_path,
            table_4(),
            {"kind": "speedup", "baseline": {"solver": "mps"}, "accept": ["threads"]},
        )


def test_two_trials_on_one_bar_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="fall on one place"):
        draw(tmp_path, table_4(), {"kind": "bars", "series": "solver"})


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        ({"kind": "pie"}, "expected one of bars"),
        ({"kind": "bar"}, "did you mean 'bars'"),
        ({"kind": "bars", "serie": "solver"}, "did you mean 'series'"),
        ({"kind": "bars", "x": "solvr.name"}, "a field starts with one of"),
        ({"kind": "bars", "y": 3}, "y: expected the name of a field"),
        ({"kind": "bars", "log": "z"}, "log: expected x, y or none"),
        ({"kind": "bars", "name": "../x y"}, "name: expected letters"),
        ({"kind": "bars", "where": {"threads": {"over": 1}}}, "expected tests out of"),
        ({"kind": "bars", "published": "che2019-table-9"}, "is not mapped to trials"),
        ({"kind": "bars", "published": ["che2019-table-4", "che2019-table-9"]}, "is not mapped to trials"),
        ({"kind": "bars", "published": ["che2019-table-4", 9]}, "published: expected names, found"),
        ({"kind": "speedup"}, "a speedup needs one"),
        (
            {"kind": "speedup", "baseline": {"solver": "merge"}, "accept": ["luck"]},
            "accept: expected some of",
        ),
        ({"kind": "pareto", "better": {"x": "more"}}, "better: expected"),
    ],
)
def test_bad_figures_are_refused(tmp_path: Path, figure: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        draw(tmp_path, table_4(), figure)
    assert not (tmp_path / "out").exists()


FAILED_TRIALS = ((None, "timeout"), (3, "timeout"), (None, "timeout"), (None, ZERO))


def test_a_panel_says_once_what_several_trials_are() -> None:
    points = [Point(str(i), x, "s", "", None, mark=mark) for i, (x, mark) in enumerate(FAILED_TRIALS)]
    said = [(text, point.gid) for text, point in failure_lines(points)]
    assert said == [("× s: timeout, 2 trials", "0"), ("× s at 3: timeout", "1"), ("s: 0", "3")]


def test_the_frontier_keeps_what_nothing_beats() -> None:
    places = {"0": (1, 5), "1": (2, 4), "2": (2, 3), "3": (3, 4), "4": (4, 1)}
    assert frontier(places, places.__getitem__, ("higher", "higher")) == ["4", "3", "0"]
    assert frontier(places, places.__getitem__, ("lower", "lower")) == ["0", "2", "4"]


@pytest.mark.usefixtures("undrawn")
def test_explain_prints_the_source_and_notices_alteration(tmp_path: Path) -> None:
    sidecar = draw(tmp_path, table_4(), {"kind": "bars"})
    trial = sidecar["points"][3]["trial"]
    target = f"{tmp_path}/out/{sidecar['figure']}.svg#{trial}"
    text = explain(target)
    for words in (
        "run-1",
        "results.jsonl:4",
        "fixture-gpu",
        "0123456789ab",
        "5 of 5 samples verified",
        "mps on cpu",
    ):
        assert words in text
    assert explain(f"{target}.interval") == text
    results = tmp_path / "run" / "results.jsonl"
    whole = results.read_bytes().split(b"\n")
    whole[3] = whole[3].replace(b"0.0703", b"0.0003")
    results.write_bytes(b"\n".join(whole))
    with pytest.raises(Refused, match="run run-1: the line was altered"):
        explain(target)
    with pytest.raises(InputError, match=r"results\.jsonl:4: own_crc32 .* it was altered"):
        read_run(tmp_path / "run")
    results.unlink()
    with pytest.raises(InputError, match="the line of this point is gone"):
        explain(target)


@pytest.mark.parametrize("target", ["nothing", "fig.svg#", "#trial", "absent.svg#trial"])
def test_explain_refuses_bad_targets(target: str) -> None:
    with pytest.raises(InputError):
        explain(target)


@pytest.mark.parametrize("title", [r"Cost in $ and \foo$ of a pair", r"$\frac{1$", "$$"])
def test_a_title_with_dollar_signs_is_drawn_as_it_is_written(tmp_path: Path, title: str) -> None:
    draw(
        tmp_path,
        table_4(),
        {"kind": "bars", "title": title, "labels": {"merge threads=1": title}},
    )
    (svg,) = (tmp_path / "out").glob("*.svg")
    assert title in "".join(ET.parse(svg).getroot().itertext())


def test_a_solver_without_the_parameter_of_x_is_a_level_line(tmp_path: Path) -> None:
    records = [record("bmp-gpu", 1.0 / workers, parameters={"workers": workers}) for workers in (32, 64)]
    level = record("merge", 2.0)
    sidecar = draw(tmp_path, [*records, level], {"kind": "lines", "x": "workers", "series": "solver"})
    points = {(point["series"], point["x"]): (point["y"], point["mark"]) for point in sidecar["points"]}
    assert points == {("bmp-gpu", 32): (1 / 32, None), ("bmp-gpu", 64): (1 / 64, None), ("merge", None): (2.0, None)}
    drawn = ids(tmp_path / "out" / "che2019-table-4-techniques.svg")
    assert {raw["trial"] for raw in (*records, level)} <= drawn


def test_a_panel_in_which_all_failed_is_drawn(tmp_path: Path) -> None:
    figure = {"kind": "lines", "x": "threads", "series": "solver", "facet": "dataset", "log": ["x", "y"]}
    records = [
        record("bmp", 1.0, parameters={"threads": 2}),
        record("bmp", None, "orkut-like", parameters={"threads": 2}, status="timeout"),
    ]
    sidecar = draw(tmp_path, records, figure)
    assert [point["mark"] for point in sidecar["points"]] == [None, "timeout"]


@pytest.mark.usefixtures("undrawn")
def test_a_facet_by_a_property_of_datasets_asks_only_for_its_own(tmp_path: Path) -> None:
    shapes = {"a": "normal", "b": "normal", "c": "zipf"}
    records = []
    for name, shape in shapes.items():
        for solver in ("merge", "bmp") if name != "b" else ("merge",):
            raw = record(solver, 1.0, name)
            raw["dataset"]["parameters"] = {"distribution": shape}
            records.append(raw)
    figure = {"kind": "bars", "series": "solver", "facet": "distribution"}
    spec = {"datasets": [*shapes, "absent"], "solvers": ["merge", "bmp"]}
    points = draw(tmp_path, records, figure, spec)["points"]
    missing = {(p["facet"], p["x"], p["series"]) for p in points if p["mark"] == "not run"}
    absent = {("not run", "absent", "merge"), ("not run", "absent", "bmp")}
    assert missing == {("normal", "b", "bmp"), *absent}


def test_the_panels_of_a_table_have_rows_and_columns_of_their_own(tmp_path: Path) -> None:
    records = []
    for shape, name, solver in (("normal", "a", "merge"), ("normal", "b", "merge"), ("zipf", "c", "bmp")):
        raw = record(solver, 1.0, name)
        raw["dataset"]["parameters"] = {"distribution": shape}
        records.append(raw)
    figure = {"kind": "table", "rows": "dataset", "columns": "solver", "facet": "distribution"}
    sidecar = draw(tmp_path, records, figure, {"datasets": ["a", "b", "c"], "solvers": ["merge", "bmp"]})
    drawn = re.findall(r"<text[^>]*>([^<]+)</text>", (tmp_path / "out" / "che2019-table-4-techniques.svg").read_text())
    names = [text for text in drawn if text in ("a", "b", "c", "merge", "bmp")]
    asked = {(point["x"], point["series"]) for point in sidecar["points"]}
    assert asked == {("a", "merge"), ("b", "merge"), ("c", "bmp"), ("a", "bmp"), ("b", "bmp"), ("c", "merge")}
    assert sorted(names) == sorted(["a", "b", "c", "merge", "bmp", "merge", "bmp"])


@pytest.mark.usefixtures("undrawn")
def test_a_solver_is_asked_only_for_its_own_parameters(tmp_path: Path) -> None:
    records = [record("bmp", 1.0, "a", parameters={"threads": n}) for n in (1, 2)]
    records += [record("merge", 1.0, name, parameters={"simd": "none"}) for name in ("a", "b")]
    spec = {"datasets": ["a", "b"], "solvers": ["bmp", "merge", {"mps": {"threads": [1, 4]}}, "hi"]}
    points = draw(
        tmp_path, records, {"kind": "table", "rows": "solver", "columns": "threads", "facet": "dataset"}, spec
    )["points"]
    absent = {(p["facet"], p["x"], p["series"]) for p in points if p["mark"] == "not run"}
    mps = {(name, "mps", threads) for name in ("a", "b") for threads in ("1", "4")}
    hi = {(name, "hi", "not run") for name in ("a", "b")}
    assert absent == {("b", "bmp", "1"), ("b", "bmp", "2"), *mps, *hi}


@pytest.mark.usefixtures("undrawn")
def test_a_dataset_is_asked_only_for_its_own_size(tmp_path: Path) -> None:
    records = []
    for name, sets in (("a", 5), ("b", 7)):
        for solver in ("merge", "bmp") if name == "a" else ("merge",):
            records.append(record(solver, 1.0, name))
            records[-1]["dataset"]["properties"] = {"sets": sets}
    figure = {"kind": "table", "rows": "sets", "columns": "dataset", "facet": "solver"}
    points = draw(tmp_path, records, figure)["points"]
    assert [(p["facet"], p["x"], p["series"]) for p in points if p["mark"]] == [("bmp", 7, "b")]


@pytest.mark.usefixtures("undrawn")
def test_groups_and_where_ask_only_for_what_they_select(tmp_path: Path) -> None:
    records = [record("merge", 1.0, "a"), record("bmp-gpu", 1.0, "a"), record("merge", 1.0, "b")]
    figure = {"kind": "table", "groups": {"GPU": {"solver": ["bmp-gpu", "hi"]}, "CPU": {"solver": "merge"}}}
    spec = {"datasets": ["a", "b"], "solvers": ["merge", "bmp-gpu", "hi", "mps"]}
    points = draw(tmp_path / "groups", records, figure, spec)["points"]
    assert [(p["x"], p["series"]) for p in points if p["mark"]] == [("GPU", "b")]
    points = draw(tmp_path / "where", records, {"kind": "table", "where": {"solver": "merge"}}, spec)["points"]
    assert {(p["x"], p["series"], p["mark"]) for p in points} == {("merge", "a", None), ("merge", "b", None)}


def test_a_panel_of_a_table_has_its_own_rows_and_columns(tmp_path: Path) -> None:
    records = [record("bmp", 4.0, "a", parameters={"width": 16})]
    records += [record("bmp", 1.0, "a", parameters={"threads": n, "width": 8}) for n in (1, 2)]
    records += [record("bmp", 2.0, "a", parameters={"threads": 4, "width": 16}), record("merge", 3.0, "a")]
    records.append(record("mps", None, "a", parameters={"threads": 1, "width": 8}, status="timeout"))
    figure = {"kind": "table", "rows": "threads", "columns": "width", "facet": "solver"}
    run = read_run(write_run(tmp_path / "run", records, {"figure": figure}))
    (built,) = build_figures(*by_experiment([run]))
    matrices = figure_matrices(built).items()
    plain = {panel: [[getattr(cell, "text", cell) for cell in row] for row in table.rows] for panel, table in matrices}
    tables = {panel: (table.head[1:], tuple(map(tuple, plain[panel]))) for panel, table in matrices}
    assert tables == {
        "bmp": (("16", "8"), (("1", "–", "1 s"), ("2", "–", "1 s"), ("4", "2 s", "–"), ("–", "4 s", "–"))),
        "merge": (("–",), (("–", "3 s"),)),
        "mps": (("8",), (("1", "× timeout"),)),
    }
    said = re.findall(r">([^<>]+)</text>", built.svg)
    assert said.count("8") == 2 and said.count("16") == 1 and said.count("× timeout") == 1
    assert said.count("–: no trial has this combination") == 1
    assert said.count("–") == 4 + 3  # gaps; rows and a column of trials without the parameters
    whole = [record("merge", 1.0, name) for name in ("a", "b")]
    assert not any("no trial" in note for note in draw(tmp_path / "whole", whole, {"kind": "table"})["notes"])


@pytest.mark.usefixtures("undrawn")
def test_a_facet_by_a_parameter_asks_for_every_dataset(tmp_path: Path) -> None:
    records = [record("bmp", 1.0, "a", parameters={"threads": 1}), record("bmp", 1.0, "b", parameters={"threads": 2})]
    figure = {"kind": "bars", "series": "solver", "facet": "threads"}
    points = draw(tmp_path, records, figure, {"datasets": ["a", "b"], "solvers": ["bmp"]})["points"]
    assert {(p["facet"], p["x"]) for p in points if p["mark"] == "not run"} == {("1", "b"), ("2", "a")}
