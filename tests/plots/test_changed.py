"""Which records no longer speak for the code, by the history of a repository of a few sources."""

import json
import subprocess
from pathlib import Path

import builders
import pytest
from warpbench_plots.cli import main
from warpbench_plots.sources.revision import Revision, code_of

CHECKOUT = Path(__file__).resolve().parents[2]
FAST = "algorithms/common_neighbors/fast/fast.cu"
SLOW = "baselines/common_neighbors/slow.cpp"
SOURCES = {
    FAST: "".join(
        f'#include "{path}"\n'
        for path in (
            "device/copy.hpp",
            "problems/common_neighbors/problem.hpp",
            "problems/graph.hpp",
            "datasets/transforms/sets.hpp",
            "solvers/common/engine.hpp",
        )
    )
    + 'choose("auto");\nS(P, F, {.id = "fast-gpu"});\n',
    "solvers/common/engine.hpp": '#include "solvers/delegating_solver.hpp"\n',
    "algorithms/common_neighbors/fast/step.cu": '#include "algorithms/common_neighbors/fast/warps.cuh"\nint step;\n',
    "algorithms/common_neighbors/fast/warps.cuh": "int warps;\n",
    SLOW: '#include "device/copy.hpp"\n#include "solvers/tasks.hpp"\nregister_slow("slow");\n',
    "baselines/common_neighbors/slow.hpp": 'auto name = "slow";\n',
    "baselines/common_neighbors/helper.cpp": "int unrelated;\n",
    "baselines/common_neighbors/other.cpp": '#include "solvers/tasks.hpp"\nS(P, O, {.id = "other"});\n',
    "baselines/common_neighbors/another.cpp": 'S(P, A, {.id = "another"});\n',
    "algorithms/common_neighbors/auto.cpp": '#include "solvers/delegating_solver.hpp"\n'
    'choose("other", "helper");\nS(P, A, {.id = "auto"});\n',
    "algorithms/theta_join/fast.cpp": 'S(P, F, {.id = "fast-gpu"});\n',
    "solvers/delegating_solver.hpp": "int delegate;\n",
    "solvers/tasks.hpp": "int tasks;\n",
    "solvers/many_tasks.cpp": '#include "solvers/tasks.hpp"\nint many;\n',
    "solvers/few_tasks.cpp": "int few;\n",
    "device/copy.hpp": "".join(
        f'#include "{path}"\n' for path in ("datasets/array.hpp", "harness/plan/plan.hpp", "device/simt/grid.hpp")
    ),
    "device/copy.cu": "void copy() { one(); }\n",
    "device/cuda/stream.cpp": "int stream;\n",
    "device/simt/grid.hpp": "int grid;\n",
    "datasets/array.hpp": "int array;\n",
    "datasets/transforms/sets.hpp": "int transform;\n",
    "problems/graph.hpp": "int graph;\n",
    "problems/graph.cpp": "int rows;\n",
    "problems/common_neighbors/problem.hpp": "int problem;\n",
    "problems/common_neighbors/problem.cpp": '#include "problems/common_neighbors/problem.hpp"\nint judge;\n',
    "harness/measure/measure.cpp": "int measure;\n",
    "harness/run/trial_run.cpp": "int take;\n",
    "harness/plan/plan.hpp": "int plan;\n",
}


def git(folder: Path, *words: str) -> str:
    settings = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", "-C", folder, *settings, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a record of `fast-gpu` and one of `slow`, of its first revision."""
    git(tmp_path, "init")
    write(tmp_path, SOURCES)
    measure(tmp_path, "fast-gpu", "slow")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def measure(folder: Path, *solvers: str, of: str = "HEAD", dirty: bool = False) -> None:
    """The run of these solvers at a revision, in the place of the run before."""
    revision = git(folder, "rev-parse", of)
    records = [builders.record(solver, 1.0, revision=revision) for solver in solvers]
    env = builders.environment(git={"revision": revision, "dirty": dirty})
    builders.write_run(folder / "results" / "run", records, env=env)


def write(folder: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    commit(folder)


def commit(folder: Path) -> None:
    git(folder, "add", ".")
    git(folder, "commit", "-m", "sources")


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What is said of the run, without its experiment and revision."""
    assert main(["changed", "results", *words]) == 0
    line, total = capsys.readouterr().out.splitlines()
    is_unknown = ": not known: " in line
    unchanged = int(line.endswith(": unchanged"))
    expected = f"{unchanged} of 1 runs are of the code of {words[1] if words else 'HEAD'}, "
    assert total == expected + ("0 are not, 1 are not known" if is_unknown else f"{1 - unchanged} are not")
    return line.split(": ", 1)[1]


BOTH = "2 of 2 solvers changed (fast-gpu, slow): "
ONE = "1 of 2 solvers changed (fast-gpu): "
OTHER = "1 of 2 solvers changed (slow): "


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (FAST, SOURCES[FAST] + "int more;\n", ONE + FAST),
        (SLOW, SOURCES[SLOW] + "int more;\n", OTHER + SLOW),
        (
            "algorithms/common_neighbors/fast/step.cu",
            "int kernels;\n",
            ONE + "algorithms/common_neighbors/fast/step.cu",
        ),
        ("algorithms/common_neighbors/fast/warps.cuh", "int w;\n", ONE + "algorithms/common_neighbors/fast/warps.cuh"),
        ("device/copy.cu", "void copy() { two(); }\n", BOTH + "device/copy.cu"),
        ("device/copy.cpp", "int host;\n", BOTH + "device/copy.cpp"),
        ("device/cuda/stream.cpp", "long stream;\n", ONE + "device/cuda/stream.cpp"),
        ("solvers/many_tasks.cpp", '#include "solvers/tasks.hpp"\nlong many;\n', OTHER + "solvers/many_tasks.cpp"),
        ("problems/common_neighbors/problem.hpp", "long problem;\n", ONE + "problems/common_neighbors/problem.hpp"),
        ("problems/graph.cpp", "long rows;\n", ONE + "problems/graph.cpp"),
        ("datasets/transforms/sets.hpp", "long transform;\n", ONE + "datasets/transforms/sets.hpp"),
        ("harness/run/trial_run.cpp", "int taken;\n", BOTH + "harness/run/trial_run.cpp"),
        ("harness/measure/measure.cpp", "int measured;\n", BOTH + "harness/measure/measure.cpp"),
        (
            "device/copy.cu",
            "// Copies.\n#pragma once\n#include <new>\nvoid copy()\n{ /* now */ one(); }\n",
            "unchanged",
        ),
        ("problems/common_neighbors/problem.cpp", "long judge;\n", "unchanged"),
        ("baselines/common_neighbors/slow.hpp", 'auto names = "slow";\n', "unchanged"),
        ("baselines/common_neighbors/helper.cpp", "int still;\n", "unchanged"),
        ("baselines/common_neighbors/other.cpp", 'S(P, Q, {.id = "other"});\n', "unchanged"),
        ("algorithms/common_neighbors/auto.cpp", 'S(P, B, {.id = "auto"});\n', "unchanged"),
        ("solvers/few_tasks.cpp", "long few;\n", "unchanged"),
        ("datasets/array.hpp", "long array;\n", "unchanged"),
        ("device/simt/grid.hpp", "long grid;\n", "unchanged"),
        ("harness/plan/plan.hpp", "long plan;\n", "unchanged"),
        ("algorithms/theta_join/fast.cpp", 'S(P, G, {.id = "fast-gpu"});\n', "unchanged"),
    ],
)
def test_a_solver_changes_with_what_it_is_made_of(
    checkout: Path, capsys: pytest.CaptureFixture[str], path: str, text: str, expected: str
) -> None:
    write(checkout, {path: text})
    assert told(capsys) == expected
    assert told(capsys, "--at", "HEAD~1") == "unchanged"


def test_a_solver_that_delegates_changes_with_those_that_it_names(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measure(checkout, "auto")
    another = {"another": 'S(P, B, {.id = "another"});\n', "helper": "int related;\n"}
    write(checkout, {f"baselines/common_neighbors/{name}.cpp": text for name, text in another.items()})
    assert told(capsys) == "unchanged"
    other = "baselines/common_neighbors/other.cpp"
    write(checkout, {other: SOURCES[other] + "int more;\n"})
    assert told(capsys) == f"1 of 1 solvers changed (auto): {other}"


def test_the_files_of_most_solvers_are_named_first(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(checkout, {path: text + "int more;\n" for path, text in SOURCES.items() if "common_neighbors" in path})
    write(checkout, {"device/copy.cu": "void copy() { two(); }\n"})
    files = told(capsys).removeprefix(BOTH)
    assert files.startswith("device/copy.cu, algorithms/common_neighbors/fast/")
    assert files.endswith(" and 3 more")
    assert files.count(", ") == 2


def test_every_revision_of_a_run_counts(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = git(checkout, "rev-parse", "HEAD")
    write(checkout, {FAST: SOURCES[FAST] + "int more;\n"})
    second = git(checkout, "rev-parse", "HEAD")
    records = [builders.record(name, 1.0, revision=of) for name, of in (("fast-gpu", first), ("slow", second))]
    env = builders.environment(git={"revision": second, "dirty": False})
    builders.write_run(checkout / "results" / "run", records, env=env)
    assert main(["changed", "results"]) == 0
    assert f" at {second[:8]}, {first[:8]}: {ONE}{FAST}\n" in capsys.readouterr().out


def test_a_file_that_moves_is_the_same(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(checkout, "mv", FAST, "algorithms/common_neighbors/fast/faster.cu")
    commit(checkout)
    assert told(capsys) == "unchanged"


def test_a_solver_that_is_gone_has_changed(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(checkout, "rm", FAST, "algorithms/theta_join/fast.cpp")
    commit(checkout)
    assert told(capsys) == ONE + "fast-gpu is gone"


def test_a_name_that_others_quote_is_one_of_a_solver_by_its_id(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measure(checkout, "auto")
    git(checkout, "rm", "algorithms/common_neighbors/auto.cpp")
    commit(checkout)
    assert told(capsys) == "1 of 1 solvers changed (auto): auto is gone"


def test_any_name_and_any_byte_are_read(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = checkout / "algorithms" / "common_neighbors" / "fast"
    (folder / "é.cu").write_bytes(b"// \xe9\nint accents;\n")
    commit(checkout)
    assert told(capsys) == ONE + "algorithms/common_neighbors/fast/é.cu"


def test_what_the_repository_does_not_have_is_not_known(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    builders.write_run(checkout / "results" / "run", [builders.record("fast-gpu", 1.0)])
    advice = "`git fetch --unshallow` brings what a shallow checkout lacks"
    reason = "expected a revision of this checkout, found: no commit "
    assert told(capsys) == f"not known: {reason}'0123456789ab'; {advice}"
    for name in ("nowhere", "HEAD:device", "--help"):
        assert main(["changed", "results", f"--at={name}"]) == 2
        assert capsys.readouterr().err == f"warpbench_plots: {reason}'{name}'; {advice}\n"


def test_a_revision_without_solvers_is_refused(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(checkout, "rm", "-r", "algorithms", "baselines", "solvers")
    commit(checkout)
    assert main(["changed", "results"]) == 2
    assert "found no solver in its revision " in capsys.readouterr().err


def test_a_build_with_changes_is_not_known(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measure(checkout, "slow", dirty=True)
    assert told(capsys) == "not known: it was built with changes that were not committed"


def test_a_run_without_records_is_not_known(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measure(checkout)
    assert told(capsys) == "not known: it has no record"


def test_a_folder_of_the_checkout_does_as_well(
    checkout: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(checkout / "device")
    assert main(["changed", "../results"]) == 0
    assert "1 of 1 runs are of the code of HEAD" in capsys.readouterr().out


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
    assert code_of("f('\"'); // \"c\n") == code_of("f('\"');")
    assert code_of("int/**/a;") == code_of("int a;")
    assert code_of("f(10'000); // it's\nint a;") == code_of("f(10'000);\nint a; // '")


def test_only_a_solver_that_delegates_itself_is_made_of_others() -> None:
    includes = '#include "solvers/choosing_solver.hpp"\n'
    sources = Revision(
        {
            "algorithms/x/one.cpp": includes + 'choose("two", "three", "auto");\nS({.id = "one"});\n',
            "algorithms/x/two.cpp": 'S({.id = "two"});\n',
            "algorithms/x/three.cpp": 'quote("three");\nS({.id = "four"});\n',
            "algorithms/x/auto.cpp": 'S({.id = "auto"});\n',
            "algorithms/x/far.cpp": '#include "algorithms/x/far.hpp"\nname("two");\nS({.id = "far"});\n',
            "algorithms/x/far.hpp": includes + "int far;\n",
            "solvers/choosing_solver.hpp": '#include "solvers/delegating_solver.hpp"\n',
            "solvers/delegating_solver.hpp": "int delegate;\n",
        }
    )
    shared = {"solvers/choosing_solver.hpp", "solvers/delegating_solver.hpp"}
    for solver, own in (("one", ("one.cpp", "two.cpp")), ("far", ("far.cpp", "far.hpp"))):
        paths = sources.parts("x", solver, "cpu").values()
        assert set(paths) - shared == {f"algorithms/x/{name}" for name in own}


def test_a_folder_of_baselines_is_of_several_solvers_even_with_one() -> None:
    sources = Revision({"baselines/x/one.cpp": 'S({.id = "one"});\n', "baselines/x/external.cpp": "int program;\n"})
    assert list(sources.parts("x", "one", "cpu").values()) == ["baselines/x/one.cpp"]


def test_each_source_of_this_project_is_part_of_a_solver() -> None:
    folders = ("algorithms", "baselines", "device", "harness", "problems", "solvers")
    found = (path for folder in folders for path in sorted((CHECKOUT / folder).rglob("*")))
    texts = {
        str(path.relative_to(CHECKOUT)): path.read_text()
        for path in found
        if path.suffix in (".cpp", ".cu", ".hpp", ".cuh")
    }
    sources = Revision(texts)
    solvers = {
        (problem, "external", "cpu") for problem in ("set_similarity_join", "set_intersection", "subgraph_matching")
    }
    for results in (CHECKOUT / "results" / "h200").rglob("results.jsonl"):
        records = map(json.loads, results.read_text().splitlines())
        solvers |= {(one["problem"], one["solver"]["name"], one["solver"]["device"]) for one in records}
    reached = {path for solver in solvers for path in sources.parts(*solver).values()}
    expected = ("algorithms/", "baselines/", "solvers/", "device/backend/", "device/cuda/")
    assert [path for path in texts if path.startswith(expected) and path not in reached] == []
