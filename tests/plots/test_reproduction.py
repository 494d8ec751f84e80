"""The commands of a report that make its records again."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from builders import environment_of, record, write_run
from warpbench_plots.locations import CHECKOUT
from warpbench_plots.report.reproduction import commands
from warpbench_plots.results.run import Run, read_run

TARGETS = re.findall(r"^([a-z-]+):.*##", (CHECKOUT / "Makefile").read_text(), re.MULTILINE)


def ran(lines: list[str]) -> list[list[str]]:
    return [words for line in lines if " run " in line for words in [shlex.split(line)]]


def test_each_committed_run_names_a_spec_that_is_there(committed_runs: list[Run]) -> None:
    lines = commands(committed_runs)
    specs = [words[words.index("run") + 1] for words in ran(lines)]
    assert [CHECKOUT / spec for spec in specs] == [run.path / "spec.yaml" for run in committed_runs]
    assert all((CHECKOUT / spec).is_file() and not Path(spec).is_absolute() for spec in specs)
    outs = [words[words.index("--out") + 1] for words in ran(lines)]
    assert len(set(outs)) == len(outs) and not any((CHECKOUT / out).exists() for out in outs)
    report = shlex.split(lines[-1])
    assert report[report.index("report") + 1 : report.index("--out")] == outs
    assert all("build" in TARGETS for line in lines if line.startswith("make "))


def test_each_revision_is_checked_out_once_and_exists(committed_runs: list[Run]) -> None:
    lines = commands(committed_runs)
    trees = [shlex.split(line) for line in lines if line.startswith("git worktree add ")]
    folders = [tree[3] for tree in trees]
    assert len(set(folders)) == len(folders) > 1
    assert {words[0].removesuffix("/build/*/warpbench") for words in ran(lines)} == set(folders)
    known = subprocess.run(["git", "rev-list", "HEAD"], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    if known.returncode != 0 or (CHECKOUT / ".git" / "shallow").exists():
        pytest.skip("no whole history here")
    assert {tree[4] for tree in trees} <= set(known.stdout.split())


def test_a_run_outside_of_the_checkout_has_its_whole_path(tmp_path: Path) -> None:
    run = write_run(tmp_path / "my run", [record("merge", 1.0)], {})
    (words,) = ran(commands([read_run(run)]))
    assert words[words.index("run") + 1] == str(tmp_path / "my run" / "spec.yaml")
    assert words[-1] == str(tmp_path / "my run-again")


def test_what_cannot_be_made_again_is_said(tmp_path: Path) -> None:
    old, new = "a" * 40, "b" * 40
    mixed = [record("merge", 1.0, revision=old), record("mps", 1.0, revision=new)]
    env = environment_of(mixed)
    changed = env | {"git": {"revision": old, "dirty": True}}
    clean = write_run(
        tmp_path / "clean", [record("merge", 1.0, revision=old)], env=env | {"git": changed["git"] | {"dirty": False}}
    )
    dirty = write_run(tmp_path / "dirty", mixed, env=changed)
    lines = commands([read_run(clean), read_run(dirty)])
    place = next(i for i, line in enumerate(lines) if "/dirty/spec.yaml" in line)
    assert lines[place - 2 : place] == [
        "# that program had changes that no revision holds",
        f"# some of these records are by the revisions {new}",
    ]
    assert not any(line.startswith("#") for line in lines[: place - 2])


def test_each_backend_is_built_in_a_folder_of_its_own(tmp_path: Path) -> None:
    runs = [write_run(tmp_path / backend, [record("merge", 1.0, backend=backend)]) for backend in ("cuda", "simt")]
    lines = commands([read_run(run) for run in runs])
    assert [line.split()[-1] for line in lines if line.startswith("make ")] == ["BACKEND=cuda", "BACKEND=simt"]
    assert len({words[0] for words in ran(lines)}) == 2


def test_a_short_revision_in_records_is_that_of_the_run(committed_runs: list[Run]) -> None:
    run = next(run for run in committed_runs if run.path.parts[-4:] == ("h200", "paper", "yu2023", "search-peers"))
    assert len(run.records[0].revision) < len(run.environment.revision)
    assert not [line for line in commands([run]) if line.startswith("# some of these records")]
