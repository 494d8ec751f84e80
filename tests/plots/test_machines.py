"""Figures of several machines by name: what stands beside what, the caption, and each refusal seen failing."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import Raw, environment, record, table_4, timing, write_run
from every_kind import FIGURES, records_for
from warpbench_plots.cli import main
from warpbench_plots.figures.build import build_figures
from warpbench_plots.figures.sidecar import explain
from warpbench_plots.results.machines import by_machine
from warpbench_plots.results.run import read_run
from warpbench_plots.site.content import figure_matrices

SLOWER = 2.5  # times on the machine `old` over those on `new`
NAMES = {"new": "machine-n", "old": "machine-o"}


def write(folder: Path, name: str, records: list[Raw], figure: Raw | None = None, **env: Any) -> Path:
    """A run of these records on the machine of this name."""
    backend = records[0]["backend"]
    for raw in records:
        raw["environment"] = {"machine": NAMES[name], "revision": f"revision-{name}"}
        raw["run"] = f"run-{name}"
        if raw["time"] and name == "old":
            raw["time"] |= {key: raw["time"][key] * SLOWER for key in ("median_s", "low_s", "high_s")}
    source = {"revision": f"revision-{name}", "dirty": name == "old"}
    about = environment(NAMES[name], backend, git=source) | env
    return write_run(folder / name, records, {"figure": figure or {"kind": "bars"}}, about)


def figures(folder: Path, **machines: Path) -> int:
    """The exit code of `figures` with these machines."""
    given = [part for name, path in machines.items() for part in ("--machine", f"{name}={path}")]
    return main(["figures", *given, "--out", str(folder / "out")])


def drawn(folder: Path, figure: Raw, records: Callable[[], list[Raw]] = table_4) -> Raw:
    runs = {name: write(folder, name, records(), figure) for name in NAMES}
    assert figures(folder, **runs) == 0
    (path,) = (folder / "out").glob("*.json")
    loaded: Raw = json.loads(path.read_text())
    return loaded


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("kind", [*FIGURES, "table"])
def test_each_machine_has_its_series_in_every_kind(tmp_path: Path, kind: str) -> None:
    figure = drawn(tmp_path, FIGURES.get(kind, {"kind": kind}), lambda: records_for(kind))
    gids = [point["gid"] for point in figure["points"]]
    assert len(set(gids)) == len(gids)
    if kind != "pareto":  # measured in both directions, so that no two points are in one place
        assert gids[0].removesuffix("@new") == gids[1].removesuffix("@old")
    points = sorted(figure["points"], key=lambda point: str(point["gid"]))
    of = {name: [p for p in points if p["machine"] == name] for name in NAMES}
    for new, old in zip(of["new"], of["old"], strict=True):
        at = "series" if new["series"] else "x"
        assert new[at].removesuffix(" on new") == old[at].removesuffix(" on old") != new[at]
        assert (new["facet"], new.get("trial")) == (old["facet"], old.get("trial"))
        if old["y"] is not None and kind in ("bars", "lines", "table", "breakdown"):
            assert old["y"] == pytest.approx(SLOWER * new["y"])
        if kind == "speedup":  # over the baseline of the same machine
            assert old["y"] == (new["y"] and pytest.approx(new["y"]))


def test_the_caption_says_which_machine_is_which(tmp_path: Path) -> None:
    figure = drawn(tmp_path, {"kind": "bars"})
    common = "Fixture CPU, 56 threads, Fixture GPU"
    assert [note for note in figure["notes"] if "revision" in note] == [
        f"new: machine machine-n, {common}, revision revision-new",
        f"old: machine machine-o, {common}, revision revision-old with uncommitted changes",
    ]
    assert figure["machines"]["old"] == {"machine": "machine-o", "revision": "revision-old"} and "machine" not in figure
    svg = tmp_path / "out" / f"{figure['figure']}.svg"
    assert all(f'<g id="{point["gid"]}">' in svg.read_text() for point in figure["points"])
    said = explain(f"{svg}#{figure['points'][1]['gid']}")
    assert "machine     machine-o" in said and "revision    revision-old" in said and "unchanged" in said


@pytest.mark.usefixtures("undrawn")
def test_a_table_has_a_column_of_each_machine_side_by_side(tmp_path: Path) -> None:
    records = {"new": [record("merge", 1.0, name) for name in ("a", "b")], "old": [record("merge", 2.0, "a")]}
    runs = {name: [read_run(write(tmp_path, name, own, {"kind": "table"}))] for name, own in records.items()}
    (built,) = build_figures(*by_machine(runs))
    (table,) = figure_matrices(built).values()
    assert table.head[1:] == ("a on new", "a on old", "b on new")


@pytest.mark.usefixtures("undrawn")
def test_names_of_variants_are_those_of_both_machines(tmp_path: Path) -> None:
    runs = {
        "new": write(tmp_path, "new", [record("bmp", 1.0, parameters={"threads": 1})]),
        "old": write(tmp_path, "old", [record("bmp", 1.0, parameters={"threads": 2})]),
    }
    assert figures(tmp_path, **runs) == 0
    (path,) = (tmp_path / "out").glob("*.json")
    points = json.loads(path.read_text())["points"]
    assert [p["series"] for p in points] == ["bmp threads=1 on new", "bmp threads=2 on old"]


@pytest.mark.usefixtures("undrawn")
def test_verdicts_of_solvers_executed_functionally_are_named_too(tmp_path: Path) -> None:
    runs = {name: write(tmp_path, name, [record("bmp-gpu", 1.0, backend="simt")]) for name in NAMES}
    assert figures(tmp_path, **runs) == 0
    (path,) = (tmp_path / "out").glob("*-functional.json")
    points = json.loads(path.read_text())["points"]
    assert [p["series"] for p in points] == ["twitter-like on new", "twitter-like on old"]


def changed(**changes: Any) -> Callable[[], list[Raw]]:
    return lambda: [record("merge", 1.0, **changes)]


DIFFERENT: dict[str, tuple[Callable[[], list[Raw]], str | None]] = {
    "another dataset": (changed(dataset="other"), None),  # the axis names it
    "digest": (
        lambda: [raw | {"dataset": raw["dataset"] | {"digest": "ffffffff"}} for raw in [record("merge", 1.0)]],
        "the digest of twitter-like is [0-9a-f]+ on new and ffffffff on old: compare runs of one spec",
    ),
    "task": (changed(task={"k": 10}), "task.k on twitter-like is 5 on new and 10 on old"),
    "covers": (changed(time=timing(1.0, ("solve", "upload"))), "what the time of merge covers is solve on new and "),
    "precision": (changed(time=timing(1.0) | {"precision": "fp16"}), "the precision of merge is fp32 on new and fp16"),
    "nothing timed": (lambda: [record("bmp-gpu", 1.0, backend="simt")], "nothing of old is measured for it"),
}


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("name", DIFFERENT)
def test_other_conditions_are_refused(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    records, expected = DIFFERENT[name]
    mine = [record("merge", 1.0, task={"k": 5}, time=timing(1.0) | {"precision": "fp32"})]
    theirs = [raw | {"task": raw["task"] or {"k": 5}} for raw in records()]
    code = figures(tmp_path, new=write(tmp_path, "new", mine), old=write(tmp_path, "old", theirs))
    assert (code, (tmp_path / "out").exists()) == ((1, False) if expected else (0, True))
    assert re.search(expected or "^$", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("given", "code", "expected"),
    [
        (["--machine", "a={new}"], 2, "alone, nothing to compare"),
        (
            ["--machine", "a={new}", "--machine", "a={old}"],
            2,
            "a names .*new and .*old: give each machine its own name",
        ),
        (["--machine", "a={new}", "--machine", "b={new}"], 1, "a and b are the same run"),
        (["--machine", "a={new}", "--machine", "b={other}"], 1, "b has che2019/other, a has not"),
        (["--machine", "a={new}", "--machine", "b={lines}"], 1, "a and b ask for different figures"),
        (["--machine", "a={new}", "--machine", "b={mixed}"], 1, "table-4-techniques, b: mixes 2 revisions"),
        (["--machine", "a={new}", "--machine", "b.c={old}"], 2, "expected NAME=DIR, a name of letters"),
        (["{new}", "--machine", "b={old}"], 2, "found .*new and --machine"),
        (["{new}", "{old}"], 1, "was run on machine-n .* and machine-o"),
        ([], 2, "expected RUN_DIR"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: list[str], code: int, expected: str
) -> None:
    runs = {name: write(tmp_path, name, [record("merge", 1.0)]) for name in NAMES}
    runs["other"] = write(tmp_path / "other", "old", [record("merge", 1.0, experiment="che2019/other")])
    runs["lines"] = write(tmp_path / "lines", "old", [record("merge", 1.0)], {"kind": "table"})
    mixed = [record("merge", 1.0), record("bmp", 1.0, revision="another")]
    runs["mixed"] = write_run(tmp_path / "mixed", mixed, {"figure": {"kind": "bars"}})
    arguments = [part.format(**runs) for part in given]
    assert main(["figures", *arguments, "--out", str(tmp_path / "out")]) == code
    assert re.search(expected, capsys.readouterr().err) and not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("command", "instead"),
    [("figures", "--machine NAME=DIR"), ("site", "a site shows one machine; `make site` renders each")],
)
def test_unnamed_machines_with_the_same_experiment_are_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, instead: str
) -> None:
    runs = [
        str(write_run(tmp_path / name, [record(solver, 1.0, machine=name, run=name)]))
        for name, solver in (("one", "merge"), ("two", "bmp"))
    ]
    assert main([command, *runs, "--out", str(tmp_path / "out")]) == 1
    (error,) = capsys.readouterr().err.splitlines()
    assert f"was run on one ({runs[0]}) and two ({runs[1]}): " in error and instead in error
    assert not (tmp_path / "out").exists()
