"""Figures of two machines side by side: asked for by name, each labelled, refused where they cannot be compared."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders import environment, record, write_run
from warpbench_plots.cli import main

FIGURE = {"kind": "bars", "series": "solver"}


def machine(path: Path, name: str, factor: float = 1.0, figure: Any = FIGURE, **changes: Any) -> Path:
    """A run on that machine, by a factor slower."""
    records = [
        record(solver, factor * seconds, run=f"run-{name}", machine=name, **changes)
        for solver, seconds in (("merge", 2.0), ("bmp-gpu", 0.5))
    ]
    return write_run(path / name, records, {"figure": figure}, environment(name))


def draw(out: Path, *given: str) -> int:
    return main(["figures", *(word for one in given for word in ("--machine", one)), "--out", str(out)])


def test_each_machine_has_series_of_its_own(tmp_path: Path) -> None:
    old, new = machine(tmp_path, "old"), machine(tmp_path, "new", 0.5)
    assert draw(tmp_path / "out", f"A={old}", f"B={new}") == 0
    figure = json.loads((tmp_path / "out" / "che2019-table-4-techniques.json").read_text())
    found = {point["series"]: point["y"] for point in figure["points"]}
    assert list(found) == ["merge, A", "bmp-gpu, A", "merge, B", "bmp-gpu, B"]
    assert found["merge, A"] == 2.0 and found["merge, B"] == 1.0
    assert len({point["gid"] for point in figure["points"]}) == 4
    assert figure["machine"] == "old, new"
    assert any(note.startswith("A: machine old") for note in figure["notes"])
    assert any(note.startswith("B: machine new") for note in figure["notes"])
    assert sum("medians over the samples" in note for note in figure["notes"]) == 1
    svg = (tmp_path / "out" / "che2019-table-4-techniques.svg").read_text()
    assert all(f'id="{point["gid"]}"' in svg for point in figure["points"])


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("kind", ["lines", "table", "speedup"])
def test_other_kinds_have_them_too(tmp_path: Path, kind: str) -> None:
    figure = {
        "lines": {"kind": "lines", "x": "dataset.properties.edges", "series": "solver"},
        "table": {"kind": "table", "rows": "dataset", "columns": "solver"},
        "speedup": {"kind": "speedup", "baseline": {"solver": "merge"}, "series": "solver"},
    }[kind]
    runs = [machine(tmp_path, name, figure=figure) for name in ("old", "new")]
    assert draw(tmp_path / "out", f"A={runs[0]}", f"B={runs[1]}") == 0
    (path,) = (tmp_path / "out").glob("*.json")
    assert {"bmp-gpu, A", "bmp-gpu, B"} <= {point["series"] for point in json.loads(path.read_text())["points"]}


def test_without_names_two_machines_are_refused_as_ever(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("old", "new"):
        machine(tmp_path / "runs", name)
    assert main(["figures", str(tmp_path / "runs"), "--out", str(tmp_path / "out")]) == 1
    assert "is in" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["A={old}"], "expected two machines or more, found one"),
        (["A={old}", "A={new}"], "expected a name of its own"),
        (["A={old}", "B/={new}"], "expected NAME=DIR"),
        (["A={old}", "{new}"], "expected NAME=DIR"),
        (["A={old}", "B={new}/absent"], "is not a run directory"),
        (["A={old}", "B={other}"], "no trial was run on A and B"),
        (["A={old}", "B={else}"], "no experiment was run on all of A, B"),
        (["A={old}", "B={mixed}"], "on B: mixes 2 revisions"),
    ],
)
def test_what_cannot_stand_side_by_side_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: list[str], words: str
) -> None:
    other = [record("bmp", 1.0, run="run-x", machine="other", parameters={"threads": 3})]
    elsewhere = [record("bmp", 1.0, run="run-y", machine="else", experiment="che2019/other")]
    mixed = [record("merge", 1.0, run="run-z", machine="mixed"), record("bmp", 1.0, run="r", machine="mixed")]
    mixed[1]["environment"]["revision"] = "fedcba987654"
    places = {
        "old": machine(tmp_path, "old"),
        "new": machine(tmp_path, "new"),
        "other": write_run(tmp_path / "other", other, {"figure": FIGURE}, environment("other")),
        "else": write_run(
            tmp_path / "else", elsewhere, {"experiment": "che2019/other", "figure": FIGURE}, environment("else")
        ),
        "mixed": write_run(tmp_path / "mixed", mixed, {"figure": FIGURE}, environment("mixed")),
    }
    assert draw(tmp_path / "out", *(one.format(**places) for one in given)) in (1, 2)
    assert words in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("undrawn")
def test_an_experiment_that_cannot_be_compared_leaves_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = []
    for name, threads in (("old", 1), ("new", 2)):
        machine(tmp_path / name, name)
        own = record(
            "bmp", 1.0, parameters={"threads": threads}, run=f"{name}-2", machine=name, experiment="che2019/other"
        )
        spec = {"experiment": "che2019/other", "figure": FIGURE}
        write_run(tmp_path / name / "other", [own], spec, environment(name))
        sides.append(f"{name}={tmp_path / name}")
    assert draw(tmp_path / "out", *sides) == 1
    assert "che2019/other was not drawn: che2019/other: no trial was run on old and new" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "out").glob("*.json")] == ["che2019-table-4-techniques.json"]


def test_runs_and_machines_are_not_given_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = machine(tmp_path, "old")
    assert main(["figures", str(old), "--machine", f"A={old}", "--out", str(tmp_path / "out")]) == 2
    assert main(["figures", "--out", str(tmp_path / "out")]) == 2
    assert "expected RUN_DIR…, or --machine NAME=DIR" in capsys.readouterr().err
