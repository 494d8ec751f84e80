"""Which records no longer speak for the code, by the history of a repository of a few sources."""

import subprocess
from pathlib import Path

import builders
import pytest
from warpbench_plots.cli import main
from warpbench_plots.sources.revision import code_of

FAST = "algorithms/common_neighbors/fast.cu"
SOURCES = {
    FAST: '#include "device/copy.hpp"\n#include "problems/common_neighbors/problem.hpp"\nS(P, F, {.id = "fast"});\n',
    "algorithms/common_neighbors/slow.cpp": '#include "device/copy.hpp"\nregister_slow("slow");\n',
    "algorithms/common_neighbors/other.cpp": 'S(P, O, {.id = "other"});\n',
    "algorithms/theta_join/fast.cpp": 'S(P, F, {.id = "fast"});\n',
    "device/copy.hpp": "".join(
        f'#include "{path}"\n' for path in ("datasets/array.hpp", "harness/plan/plan.hpp", "device/simt/grid.hpp")
    ),
    "device/copy.cu": "void copy() { one(); }\n",
    "device/simt/grid.hpp": "int grid;\n",
    "datasets/array.hpp": "int array;\n",
    "problems/common_neighbors/problem.hpp": "int problem;\n",
    "problems/common_neighbors/problem.cpp": "int judge;\n",
    "harness/run/trial_run.cpp": "int take;\n",
    "harness/plan/plan.hpp": "int plan;\n",
}


def git(folder: Path, *words: str) -> str:
    settings = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", "-C", folder, *settings, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a record of `fast` and one of `slow`, of its first revision."""
    git(tmp_path, "init")
    write(tmp_path, SOURCES)
    revision = git(tmp_path, "rev-parse", "HEAD")
    records = [builders.record(solver, 1.0, revision=revision) for solver in ("fast", "slow")]
    env = builders.environment(git={"revision": revision, "dirty": False})
    builders.write_run(tmp_path / "results" / "run", records, env=env)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "-m", "sources")


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What is said of the run, without its experiment and revision."""
    assert main(["changed", "results", *words]) == 0
    line, total = capsys.readouterr().out.splitlines()
    assert total == f"{int(line.endswith(': unchanged'))} of 1 runs are of the present code"
    return line.split(": ", 1)[1]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (FAST, SOURCES[FAST] + "int more;\n", f"1 of 2 solvers changed (fast): {FAST}"),
        ("device/copy.cu", "void copy() { two(); }\n", "2 of 2 solvers changed (fast, slow): device/copy.cu"),
        ("device/copy.cpp", "int host;\n", "2 of 2 solvers changed (fast, slow): device/copy.cpp"),
        (
            "problems/common_neighbors/problem.hpp",
            "long problem;\n",
            "1 of 2 solvers changed (fast): problems/common_neighbors/problem.hpp",
        ),
        (
            "harness/run/trial_run.cpp",
            "int taken;\n",
            "2 of 2 solvers changed (fast, slow): harness/run/trial_run.cpp",
        ),
        ("device/copy.cu", "// Copies.\n#include <new>\nvoid copy()\n{ /* now */ one(); }\n", "unchanged"),
        ("problems/common_neighbors/problem.cpp", "long judge;\n", "unchanged"),
        ("datasets/array.hpp", "long array;\n", "unchanged"),
        ("device/simt/grid.hpp", "long grid;\n", "unchanged"),
        ("harness/plan/plan.hpp", "long plan;\n", "unchanged"),
        ("algorithms/theta_join/fast.cpp", 'S(P, G, {.id = "fast"});\n', "unchanged"),
        ("algorithms/common_neighbors/other.cpp", 'S(P, Q, {.id = "other"});\n', "unchanged"),
    ],
)
def test_a_solver_changes_with_what_it_is_made_of(
    checkout: Path, capsys: pytest.CaptureFixture[str], path: str, text: str, expected: str
) -> None:
    write(checkout, {path: text})
    assert told(capsys) == expected
    assert told(capsys, "--at", "HEAD~1") == "unchanged"


def test_a_file_that_moves_is_the_same(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(checkout, "mv", FAST, "algorithms/common_neighbors/faster.cu")
    git(checkout, "commit", "-m", "move")
    assert told(capsys) == "unchanged"


def test_a_solver_that_is_gone_has_changed(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(checkout, "rm", FAST, "algorithms/theta_join/fast.cpp")
    git(checkout, "commit", "-m", "remove")
    assert told(capsys) == "1 of 2 solvers changed (fast): fast is gone"


def test_what_the_repository_does_not_have_is_not_known(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    builders.write_run(checkout / "results" / "run", [builders.record("fast", 1.0)])
    reason = "expected a checkout of the repository that has the revision, found: Not a valid object name"
    assert told(capsys) == f"not known: {reason} 0123456789ab"
    assert main(["changed", "results", "--at", "nowhere"]) == 2
    assert capsys.readouterr().err == f"warpbench_plots: {reason} nowhere\n"


def test_a_build_with_changes_is_not_known(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    env = builders.environment(git={"revision": git(checkout, "rev-parse", "HEAD"), "dirty": True})
    builders.write_run(checkout / "results" / "run", [builders.record("fast", 1.0)], env=env)
    assert told(capsys) == "not known: it was built with changes that were not committed"


def test_a_folder_of_the_checkout_does_as_well(
    checkout: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(checkout / "device")
    assert main(["changed", "../results"]) == 0
    assert "1 of 1 runs are of the present code" in capsys.readouterr().out


def test_outside_a_checkout_the_reason_is_told(
    checkout: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (checkout / ".git").rename(checkout / "no.git")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(checkout.parent))
    assert main(["changed", "results"]) == 2
    assert "found: not a git repository" in capsys.readouterr().err


def test_strings_are_code_and_comments_are_not() -> None:
    assert code_of('f("a // b", \'"\'); // c\n') == code_of('f("a // b",\n\n\'"\')  ;')
    assert code_of('f("a  b");') != code_of('f("a b");')
    assert code_of("int ab;") != code_of("int a b;")
