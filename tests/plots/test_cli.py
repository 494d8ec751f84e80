"""The command line: exit codes, one sentence per error, nothing half-written; and what the report says."""

import json
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path
from typing import ClassVar

import pytest
from builders import environment, judgement, record, table_4, timing, write_run
from warpbench_plots import __version__
from warpbench_plots.cli import command_line, main
from warpbench_plots.locations import CHECKOUT

FIXTURES = Path(__file__).resolve().parent / "fixtures"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report") / "report.html"
    assert main(["report", str(FIXTURES), "--out", str(out)]) == 0
    return out


def test_validate_says_what_a_run_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(FIXTURES / "cuda-run")]) == 0
    assert "24 trials (22 ok, 2 oom_device)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"status": "wrong", "time": None, "reason": "one too many"}, "its answer was wrong: one too many"),
        ({"judgement": judgement(5, 4)}, "4 of 5 samples were verified"),
        ({"judgement": judgement(3)}, "3 of 5 samples were verified"),
        ({"time": timing(1.0) | {"median_s": 0.1, "low_s": 0.1}}, "the recorded median 0.1 is not that"),
        ({"time": timing(1.0) | {"high_s": 0.99}}, "the interval of the median, 0.98 to 0.99, does not hold it"),
        (
            {"prepare": {"median_s": 1.0, "low_s": 1.0, "high_s": 2.0, "samples_s": [1.0, 2.0], "phases_s": {}}},
            "the recorded preparations' median 1.0 is not that of the samples, 1.5",
        ),
        (
            {"prepare": {"median_s": 1.5, "low_s": 1.0, "high_s": 1.4, "samples_s": [1.0, 2.0], "phases_s": {}}},
            "the interval of the preparations' median, 1.0 to 1.4, does not hold it",
        ),
        ({"run": "run-2"}, "another run than the first record's: run-2, not run-1"),
        ({"backend": "simt"}, "another backend"),
    ],
)
def test_validate_names_what_verify_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, object], problem: str
) -> None:
    run = write_run(tmp_path / "run", [record("merge", 1.0), record("bmp", 1.0) | change])
    assert main(["validate", str(run)]) == 1
    assert problem in capsys.readouterr().out


def test_validate_refuses_a_run_without_trials(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", [record("merge", 1.0)])
    (run / "results.jsonl").write_bytes(b"")
    assert main(["validate", str(run)]) == 1
    assert "holds no trial" in capsys.readouterr().out


def test_validate_notes_planned_trials_without_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", [record("merge", 1.0)], env=environment(extra={"run": "run-1", "trials": 3}))
    assert main(["validate", str(run)]) == 0
    assert "note: 1 of 3 planned trials have a record" in capsys.readouterr().out


def test_a_cut_last_line_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", table_4())
    results = run / "results.jsonl"
    results.write_bytes(results.read_bytes()[:-5])
    assert main(["validate", str(run)]) == 0
    captured = capsys.readouterr()
    assert "13 trials" in captured.out and "results.jsonl:14: the last line is cut" in captured.err


@pytest.mark.parametrize("command", ["validate", "figures", "claims", "report"])
def test_bad_input_is_one_sentence_and_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    out = tmp_path / "out.html"
    extra = ["--out", str(out)] if command in ("figures", "report") else []
    assert main([command, str(tmp_path / "absent"), *extra]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "is not a run directory" in error
    assert not out.exists()


def test_refusals_exit_1_and_write_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(
        tmp_path / "run",
        [record("merge", 1.0), record("bmp", 1.0, revision="fedcba", run="run-2")],
    )
    for command in ("figures", "report"):
        assert main([command, str(run), "--out", str(tmp_path / "out")]) == 1
        error = capsys.readouterr().err
        assert error.count("\n") == 1 and "run-2" in error
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run"]


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0 and "examples:" in capsys.readouterr().out
    with pytest.raises(SystemExit) as end:
        main([])
    assert end.value.code == 2


def test_figures_and_explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", [record("merge", 1.0)], {"figure": {"kind": "bars", "name": "one"}})
    out = tmp_path / "out"
    assert main(["figures", str(run), "--out", str(out)]) == 0
    assert {p.name for p in out.iterdir()} == {"one.svg", "one.png", "one.json"}
    trial = re.search(r'<g id="([0-9a-f]{16})">', (out / "one.svg").read_text())
    assert trial is not None
    capsys.readouterr()
    assert main(["explain", f"{out}/one.svg#{trial[1]}"]) == 0
    assert "unchanged" in capsys.readouterr().out
    assert main(["explain", f"{out}/one.svg#nobody"]) == 2


@pytest.mark.usefixtures("undrawn")
def test_figures_are_drawn_as_newer_specs_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", table_4(), {"figure": {"kind": "bars", "name": "then"}})
    specs = tmp_path / "specs"
    (specs / "che2019").mkdir(parents=True)
    newer = ["--specs", str(specs)]
    assert main(["figures", str(run), *newer, "--out", str(tmp_path / "no-spec")]) == 0
    spec = {"experiment": "che2019/table-4-techniques", "problem": "common_neighbors"}
    text = json.dumps(spec | {"figure": {"kind": "table", "name": "today"}, "title": "not this"})
    (specs / "che2019" / "table-4-techniques.yaml").write_text(text)
    assert main(["figures", str(run), *newer, "--fig", "today", "--out", str(tmp_path / "newer")]) == 0
    assert main(["figures", str(run), *newer, "--fig", "then", "--out", str(tmp_path / "out")]) == 2
    for folder, name in (("no-spec", "then"), ("newer", "today")):
        assert {path.stem for path in (tmp_path / folder).iterdir()} == {name}
    capsys.readouterr()
    for command in ("figures", "report", "site"):
        assert main([command, str(run), "--specs", "nowhere", "--out", str(tmp_path / "out")]) == 2
        assert "--specs nowhere: expected a folder" in capsys.readouterr().err
    (specs / "che2019" / "table-4-techniques.yaml").write_text(json.dumps(spec | {"experiment": "che2019/other"}))
    assert main(["figures", str(run), *newer, "--out", str(tmp_path / "out")]) == 2
    assert "expected the experiment che2019/table-4-techniques of" in capsys.readouterr().err


def test_claims_are_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "claims",
                str(FIXTURES / "cuda-run"),
                "--json",
                str(tmp_path / "claims.json"),
            ]
        )
        == 0
    )
    printed = capsys.readouterr().out
    assert "0 holds, 0 holds in part, 0 does not hold, 1 not tested here, 0 by construction" in printed
    assert "undecided: no run was repeated" in printed
    assert '"schema": "claims-2.1"' in (tmp_path / "claims.json").read_text()


def test_the_report_needs_nothing_else(report: Path) -> None:
    page = report.read_text()

    class References(HTMLParser):
        found: ClassVar[list[str]] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            for key, value in attrs:
                if tag != "a" and key in ("src", "href", "xlink:href") and value and not value.startswith("#"):
                    self.found.append(value)

    parser = References()
    parser.feed(page)
    assert parser.found == [] and "<script" not in page and "@import" not in page
    identifiers = re.findall(r'\bid="([^"]+)"', page)
    assert len(identifiers) == len(set(identifiers))
    for link in re.findall(r'<a href="([^"#][^"]*)"', page):
        assert (report.parent / link).is_file()


def test_the_report_says_what_matters(report: Path) -> None:
    page = report.read_text()
    for words in (
        "Fixture CPU, 28 cores",
        "random_gather",
        "twitter-like (stand-in)",
        "functional",
        "wanted 13000000000 bytes",
        "60 s passed",
        "5 of 5",
        "42% of random gather",
        "nobody here has a Xeon Phi 7210",
        "does not hold",
        "python -m warpbench_plots report",
        "prefers-color-scheme: dark",
    ):
        assert words in page, words


@pytest.mark.usefixtures("undrawn")
def test_the_report_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    first, second = (tmp_path / f"{name}.html" for name in ("first", "second"))
    for out in (first, second):
        assert main(["report", str(FIXTURES), "--out", str(out)]) == 0
    assert first.read_text() == second.read_text().replace("second-figures", "first-figures")


def test_figures_drawn_by_workers_are_the_same_bytes_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0, 1})  # two workers on any machine
    for name in ("one", "two"):
        experiment = f"test/{name}"
        write_run(tmp_path / "runs" / name, [record("merge", 1.0, experiment=experiment)])
    first, second = tmp_path / "first", tmp_path / "second"
    for out in (first, second):
        assert main(["report", str(tmp_path / "runs"), "--out", str(out / "report.html")]) == 0
    drawn = [{file.name: file.read_bytes() for file in out.rglob("*.*") if file.is_file()} for out in (first, second)]
    assert sorted(Path(name).suffix for name in drawn[0]) == [".html", *[".json"] * 2, *[".png"] * 2, *[".svg"] * 2]
    assert drawn[0] == drawn[1]


def _two_documents(folder: Path) -> Path:
    for experiment in ("one2020/fig-1", "one2020/fig-2", "two2021/fig-1"):
        figures = [{"kind": "bars"}, {"kind": "table", "name": f"{experiment.replace('/', '-')}-table"}]
        write_run(folder / experiment, [record("merge", 1.0, experiment=experiment)], {"figure": figures})
    return folder


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("one2020/fig-1", {"one2020-fig-1", "one2020-fig-1-table"}),
        ("two2021", {"two2021-fig-1", "two2021-fig-1-table"}),
        ("one2020-fig-2-table", {"one2020-fig-2-table"}),
    ],
)
def test_figures_are_chosen_by_name(tmp_path: Path, name: str, drawn: set[str]) -> None:
    runs, out = _two_documents(tmp_path / "runs"), tmp_path / "out"
    assert main(["figures", str(runs), "--fig", name, "--out", str(out)]) == 0
    assert {path.stem for path in out.iterdir()} == drawn


def test_several_figures_are_chosen_by_name(tmp_path: Path, undrawn: None) -> None:
    runs, out = _two_documents(tmp_path / "runs"), tmp_path / "figures"
    names = ["--fig", "one2020-fig-2-table", "--fig", "two2021"]
    assert main(["figures", str(runs), *names, "--out", str(out)]) == 0
    assert {path.stem for path in out.iterdir()} == {"one2020-fig-2-table", "two2021-fig-1", "two2021-fig-1-table"}


@pytest.mark.parametrize(
    ("name", "hint"),
    [("two2021/fig-l", "did you mean 'two2021/fig-1'?"), ("xyz", "expected all, a document (one2020, two2021)")],
)
def test_an_unknown_figure_is_refused_with_the_nearest_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, hint: str
) -> None:
    assert main(["figures", str(_two_documents(tmp_path / "runs")), "--fig", name, "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and name in error and hint in error
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("command", ["figures", "report"])
def test_a_bad_figure_is_skipped_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    figures = [{"kind": "bars", "name": "good"}, {"kind": "bars", "name": "bad", "series": "sourec.x"}]
    run = write_run(tmp_path / "run", [record("merge", 1.0)], {"figure": figures})
    out = tmp_path / ("out" if command == "figures" else "report.html")
    assert main([command, str(run), "--out", str(out)]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "bad was not drawn: " in error and "sourec.x" in error
    assert {path.name for path in tmp_path.rglob("*.svg")} == {"good.svg"}
    if command == "report":
        assert "bad was not drawn: " in out.read_text() and "How to reproduce" in out.read_text()


@pytest.mark.usefixtures("undrawn")
def test_a_report_without_any_figure_has_the_rest(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [record("merge", 1.0)], {"figure": {"kind": "pie"}})
    assert main(["report", str(run), "--out", str(tmp_path / "report.html")]) == 1
    assert "was not drawn: " in (tmp_path / "report.html").read_text()


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0 and capsys.readouterr().out == f"warpbench_plots {__version__}\n"


def test_examples_are_commands_and_name_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    examples = re.findall(r"^  python -m warpbench_plots (.*)$", capsys.readouterr().out, re.MULTILINE)
    assert len(examples) > 5
    for example in examples:
        parsed = vars(command_line().parse_args(shlex.split(example)))
        paths = [*parsed.get("runs", []), *(one.partition("=")[2] for one in parsed.get("machine", []))]
        for path in map(str, paths):
            assert re.fullmatch("RUN_DIR…?", path) or (CHECKOUT / path).is_dir(), example
        assert parsed.get("target", "FIGURE.svg#TRIAL").endswith("FIGURE.svg#TRIAL"), example
