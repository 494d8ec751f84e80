"""Times over revisions, read from the history of a small repository."""

import json
import subprocess
from pathlib import Path
from typing import Any

import builders
from warpbench_plots.site.content import history as history_table
from warpbench_plots.site.history import histories


def git(folder: Path, *arguments: str) -> None:
    settings = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", "-C", str(folder), *settings, *arguments], check=True, capture_output=True)


def record(trial: str, revision: str, median_s: float | None, status: str = "ok", **changes: Any) -> dict[str, Any]:
    made = builders.record("fast", median_s, "tiny", {"threads": 2}, experiment="demo/a", revision=revision)
    return made | {"trial": trial, "status": status, "task": {"k": 8}} | changes


def commit(folder: Path, place: str, *lines: dict[str, Any] | str) -> None:
    file = folder / place / "results.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    git(folder, "add", ".")
    git(folder, "commit", "-m", place)


def test_times_of_a_trial_are_in_the_order_in_which_they_were_committed(tmp_path: Path) -> None:
    git(tmp_path, "init")
    commit(tmp_path, "r/a", record("1", "aa", 2.0), record("2", "aa", 1.0), record("3", "aa", 1.0), "half a rec")
    commit(tmp_path, "r/a", record("1", "bb", 1.0), record("2", "bb", 1.4), record("3", "bb", 1.2))
    commit(tmp_path, "r/b", record("1", "cc", 0.9), record("2", "cc", None, "timeout"), record("4", "cc", 1.0))
    found = histories(tmp_path / "r")
    assert [(h.trial, h.mark) for h in found] == [("2", "slower"), ("3", ""), ("1", "")]
    assert [(t.revision, t.median_s) for t in found[2].times] == [("aa", 2.0), ("bb", 1.0), ("cc", 0.9)]
    assert found[0].change == 1.4
    assert found[0].parameters == {"k": 8, "threads": 2}


def test_a_record_that_is_committed_again_counts_once(tmp_path: Path) -> None:
    git(tmp_path, "init")
    commit(tmp_path, "r/old", record("1", "aa", 4.0))
    commit(tmp_path, "r/new", record("1", "bb", 1.0))
    commit(tmp_path, "r/new", record("1", "bb", 1.0), record("5", "bb", 1.0))
    (only,) = histories(tmp_path / "r")
    assert [t.revision for t in only.times] == ["aa", "bb"]
    assert only.mark == "faster"


def test_what_is_unsolved_counts_with_its_limit(tmp_path: Path) -> None:
    """The second program gave up one query at once, for want of memory, and the third does not tell what it lost."""
    git(tmp_path, "init")

    def solved(revision: str, median_s: float, queries: int, **counters: float) -> dict[str, Any]:
        return record(
            "1",
            revision,
            median_s,
            problem="subgraph_matching",
            judgement=builders.judgement(solved=queries),
            work={"queries": 10},
            counters=counters,
        )

    commit(tmp_path, "r/a", solved("aa", 4.0, 10))
    commit(tmp_path, "r/a", solved("bb", 0.9, 9, query_mean_s=0.39))
    commit(tmp_path, "r/a", solved("cc", 0.9, 9))
    (only,) = histories(tmp_path / "r")
    assert [t.revision for t in only.times] == ["aa", "bb"] and only.mark == ""
    assert "4 s (aa), 3.9 s (bb, 9 of 10 solved)" in history_table([only]).files()["csv"]


def test_there_is_no_history_outside_a_repository(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text(json.dumps(record("1", "aa", 1.0)))
    assert histories(tmp_path) == []
