"""The reader: every cut, every altered byte, every broken field."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from builders import environment_of, lines, record, table_4, write_run
from warpbench_plots.errors import InputError, Refused
from warpbench_plots.results.checks import problems_of
from warpbench_plots.results.reader import read_results
from warpbench_plots.results.run import by_experiment, read_run, read_spec
from warpbench_plots.results.unverified import indifferent

FIXTURES = Path(__file__).resolve().parent / "fixtures"


def three() -> list[dict[str, Any]]:
    return [record("merge", 1.0 + i, parameters={"threads": 1 + i}) for i in range(3)]


def results_file(folder: Path, content: bytes) -> Path:
    path = folder / "results.jsonl"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(("name", "count"), [("simt-run", 18), ("cuda-run", 24)])
def test_fixture_runs_are_read(name: str, count: int) -> None:
    run = read_run(FIXTURES / name)
    assert len(run.records) == count
    assert run.warnings == ()


def test_a_cut_last_line_keeps_what_was_before(tmp_path: Path) -> None:
    content = lines(three())
    start = content[:-1].rindex(b"\n") + 1
    for end in {*range(start, len(content), 7), start + 1, len(content) - 2, len(content) - 1}:
        found = read_results(results_file(tmp_path, content[:end]))
        assert [r.solver.parameters["threads"] for r in found.records] == [1, 2]
        assert len(found.warnings) == (0 if end == start else 1)
        if end > start:
            assert "results.jsonl:3: the last line is cut" in found.warnings[0]


def test_every_changed_byte_is_noticed(tmp_path: Path) -> None:
    content = lines(three())
    last = content[:-1].rindex(b"\n") + 1
    step = 1 if "WARPBENCH_THOROUGH" in os.environ else 5
    for at in [*range(0, last, 7 * step), *range(last, len(content) - 1, step)]:
        changed = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
        with pytest.raises(InputError, match=r"results\.jsonl:[123]: "):
            read_results(results_file(tmp_path, changed))


def test_a_divided_time_of_the_last_trial_is_noticed(tmp_path: Path) -> None:
    content = lines([record("merge", 1.0)])
    with pytest.raises(InputError, match=r"results\.jsonl:1: own_crc32 is .*: it was altered"):
        read_results(results_file(tmp_path, content.replace(b'"median_s":1.0', b'"median_s":0.1')))


def test_files_of_version_1_0_are_read_and_continued(tmp_path: Path) -> None:
    old = [raw | {"schema": "1.0"} for raw in three()[:2]]
    mixed = lines([*old, three()[2]])
    assert mixed.count(b"own_crc32") == 1
    assert len(read_results(results_file(tmp_path, mixed)).records) == 3
    with pytest.raises(InputError, match="line 2 was altered or removed"):
        read_results(results_file(tmp_path, mixed.replace(b'"threads":2', b'"threads":9')))


def test_a_new_line_without_its_own_checksum_is_refused(tmp_path: Path) -> None:
    content = lines([record("merge", 1.0)])
    with pytest.raises(InputError, match="own_crc32"):
        read_results(results_file(tmp_path, content[: content.rindex(b',"own_crc32"')] + b"}\n"))
    inside = lines([record("merge", 1.0) | {"schema": "1.0"} | {"own_crc32": "00000000"}])
    with pytest.raises(InputError, match="expected own_crc32 at the end"):
        read_results(results_file(tmp_path, inside.replace(b'"schema":"1.0"', b'"schema":"1.1"')))


def test_a_removed_middle_line_is_an_error_naming_line_and_run(tmp_path: Path) -> None:
    whole = lines(three()).splitlines(keepends=True)
    with pytest.raises(
        InputError,
        match=r"results\.jsonl:2: crc32 .*line 1 was altered or removed \(run run-1\)",
    ):
        read_results(results_file(tmp_path, whole[0] + whole[2]))


def test_a_bad_middle_line_is_an_error(tmp_path: Path) -> None:
    whole = lines(three()).splitlines(keepends=True)
    with pytest.raises(InputError, match=r"results\.jsonl:2: is not JSON"):
        read_results(results_file(tmp_path, whole[0] + whole[1][:40] + b"\n" + whole[2]))
    with pytest.raises(InputError, match=r"results\.jsonl:2: is not JSON"):
        read_results(results_file(tmp_path, whole[0] + b"\n" + whole[1]))


def test_a_retried_trial_counts_once_with_its_last_record(tmp_path: Path) -> None:
    failed = record("merge", None, status="timeout")
    run = read_run(write_run(tmp_path / "run", [failed, *three()[1:], record("merge", 2.0)]))
    assert [r.status for r in run.records] == ["ok", "ok", "ok"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "2.0"}, "schema 2.0 is newer than this reader"),
        ({"schema": "0.9"}, "schema 0.9 is older"),
        ({"schema": 1}, "should be a version"),
        ({"status": "fine"}, "status: 'fine' is not one of"),
        ({"status": "wrong", "reason": "differs"}, "time"),
        ({"time": None}, "time"),
        ({"surprise": 1}, "surprise"),
        ({"run": None}, "run: None is not of type 'string'"),
    ],
)
def test_bad_fields_are_refused_by_name(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    bad = record("merge", 1.0) | change
    with pytest.raises(InputError, match="results.jsonl:1: .*" + message):
        read_results(results_file(tmp_path, lines([bad])))


def test_not_a_number_is_refused(tmp_path: Path) -> None:
    content = lines([record("merge", 1.0, ceiling={"name": "random_gather", "share": float("nan")})])
    with pytest.raises(InputError, match="NaN is not a JSON number"):
        read_results(results_file(tmp_path, content))


def test_a_newer_minor_version_is_read_and_its_new_fields_ignored(
    tmp_path: Path,
) -> None:
    newer = record("merge", 1.0) | {"schema": "1.7", "weather": "fine"}
    assert len(read_results(results_file(tmp_path, lines([newer]))).records) == 1


def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "results.jsonl")
    with pytest.raises(InputError, match=r"results\.jsonl: expected a regular file"):
        read_results(tmp_path / "results.jsonl")


def test_an_empty_file_is_a_run_without_trials(tmp_path: Path) -> None:
    assert read_results(results_file(tmp_path, b"")).records == ()


def test_records_of_another_machine_than_the_environment_are_refused(
    tmp_path: Path,
) -> None:
    run = write_run(tmp_path / "run", three())
    environment = json.loads((run / "environment.json").read_text())
    (run / "environment.json").write_text(json.dumps(environment | {"machine": "other"}))
    with pytest.raises(Refused, match="run run-1 was made on machine fixture-gpu"):
        read_run(run)


def test_trials_that_the_spec_has_no_more_do_not_count(tmp_path: Path) -> None:
    records = three()
    gone = records[0]["trial"]
    extra = {"run": "run-1", "trials": 2, "trials_outside_spec": [gone]}
    run = read_run(write_run(tmp_path / "run", records, env=environment_of(records) | {"extra": extra}))
    assert gone not in {record.trial for record in run.records}
    assert [record.trial for record in run.outside] == [gone]
    assert run.warnings == (
        f"{run.path}: 1 further trials have records, but spec.yaml has them no more: they do not count",
    )
    assert problems_of(run) == []


def test_a_trial_in_two_runs_is_refused(tmp_path: Path) -> None:
    runs = [read_run(write_run(tmp_path / name, three())) for name in ("a", "b")]
    with pytest.raises(Refused, match="give one of them"):
        by_experiment(runs)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "spec.yaml:1:"),
        ("- a", "expected a mapping"),
        ("experiment: 3", "experiment: expected a name"),
        ("experiment: a\nproblem: p\nfigure: bars", "figure: expected a mapping"),
        ("experiment: a\nproblem: p\nclaims: all", "claims: expected a list"),
        ("experiment: a\nproblem: p\ndatasets: one", "datasets: expected a list"),
    ],
)
def test_bad_specs_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "spec.yaml").write_text(text)
    with pytest.raises(InputError, match=message):
        read_spec(tmp_path / "spec.yaml")


def test_samples_not_all_verified_make_a_trial_unverified(tmp_path: Path) -> None:
    from builders import judgement

    run = read_run(write_run(tmp_path / "run", [record("merge", 1.0, judgement=judgement(5, 4))]))
    assert run.records[0].status == "unverified"
    assert not run.records[0].timed


def test_a_record_says_how_many_queries_were_verified(tmp_path: Path) -> None:
    from builders import judgement

    def verification(**metrics: float) -> str:
        judged = judgement() | {"metrics": metrics}
        run = read_run(write_run(tmp_path / str(len(list(tmp_path.iterdir()))), [record("cfl", 1.0, judgement=judged)]))
        assert run.records[0].status == "ok"
        return run.records[0].verification

    assert verification(solved=20, verified=20) == "exact, 5 of 5 samples verified"
    assert verification(solved=20) == "exact, 5 of 5 samples verified"
    assert verification(solved=20, verified=18) == ("exact, 5 of 5 samples verified, 18 of 20 solved queries verified")


def test_contradictions_where_nothing_is_verified_are_warned_of(tmp_path: Path) -> None:
    from builders import judgement

    def counted(solver: str, count: int) -> dict[str, object]:
        return record(solver, 1.0, judgement=judgement(unverified_count_of_query_7=count))

    assert read_run(write_run(tmp_path / "same", [counted("cfl", 12), counted("vf3", 12)])).warnings == ()
    run = read_run(write_run(tmp_path / "run", [counted("cfl", 12), counted("gsi", 13)]))
    assert len(run.warnings) == 1
    assert "unverified_count_of_query_7 is 12 by cfl" in run.warnings[0]
    assert "13 by gsi" in run.warnings[0]


@pytest.mark.parametrize(
    ("change", "compared"),
    [
        ({"output": "digest"}, True),
        ({"first": 5}, True),
        ({"query_timeout": 3.0}, True),
        ({"semantics": "homomorphism"}, False),
        ({"output": "first"}, False),
    ],
)
def test_unverified_numbers_of_tasks_that_ask_for_the_same_are_compared(
    tmp_path: Path, change: dict[str, object], compared: bool
) -> None:
    from builders import judgement

    task = {"semantics": "isomorphism", "output": "count", "first": 1000, "query_timeout": 100.0}

    def counted(solver: str, count: int, task: dict[str, object]) -> dict[str, object]:
        judged = judgement(unverified_count_of_query_7=count)
        return record(solver, 1.0, problem="subgraph_matching", task=task, judgement=judged)

    records = [counted("cfl", 12, task), counted("gsi", 13, task | change)]
    assert len(read_run(write_run(tmp_path / "run", records)).warnings) == compared


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("indifferent: [first]", "1: expected a mapping"),
        ("indifferent: {first: {except: {}}}", "1: unknown key 'except'"),
        ("indifferent: {first: {unless: {output: [count]}}}", "1: unless: expected the value"),
    ],
)
def test_bad_declarations_of_indifferent_parameters_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "quantities.yaml").write_text(text + "\n")
    with pytest.raises(InputError, match=message):
        indifferent(tmp_path)


def test_simt_gpu_solvers_are_functional_and_cpu_solvers_timed(tmp_path: Path) -> None:
    records = [*table_4(backend="simt")[:2], record("bmp-gpu", 1.0, backend="simt")]
    run = read_run(write_run(tmp_path / "run", records))
    assert [(r.functional, r.timed) for r in run.records] == [
        (False, True),
        (False, True),
        (True, False),
    ]
