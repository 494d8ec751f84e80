"""Trials that left queries unsolved: what they are called, and that their times never pass for those of all queries."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders import made_run, write_run
from subgraph_records import judge, made
from warpbench_plots.claims.verdict import FAILS, HOLDS, UNTESTED
from warpbench_plots.errors import InputError
from warpbench_plots.fields.declared import read_declarations
from warpbench_plots.fields.field import field
from warpbench_plots.figures.build import write_figures
from warpbench_plots.report.page import write_report
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import by_experiment, read_run
from warpbench_plots.site import content, subjects
from warpbench_plots.site.tables import Table

Raw = dict[str, Any]
EXPERIMENT = "yu2023/fig-5.6-to-5.8"
NAMES = ("dblp", "human", "wordnet", "youtube", "patents", "eu2005")


def out_of_memory(solver: str, dataset: str, solved: int, limit: float = 10.0, **rest: Any) -> Raw:
    """A trial of 100 queries whose unsolved ones ended at once, for want of memory: its time is short."""
    counters = {
        "query_mean_s": limit * (100 - solved) / 100,
        "filter_s": 1e-5,
        "out_of_memory": 100 - solved,
    }
    return made(EXPERIMENT, solver, dataset, 0.01, solved=solved, counters=counters, **rest)


def read(raw: Raw) -> Record:
    (only,) = made_run(Path("run"), [raw], {}).records
    return only


def test_a_trial_that_solved_nothing_is_a_timeout() -> None:
    """Older records call it ok."""
    nothing, some, whole = (read(out_of_memory("gsi", "dblp", n)) for n in (0, 40, 100))
    assert (nothing.status, nothing.timed, nothing.verification) == (
        "timeout",
        False,
        "0 of 100 solved",
    )
    assert some.status == "ok" and some.verification.endswith("samples verified, 40 of 100 solved")
    assert whole.status == "ok" and whole.verification.endswith("samples verified") and not whole.incomplete


def test_a_query_that_is_not_solved_counts_with_its_limit() -> None:
    time, query_time, filter_time = (field(name, "test") for name in ("time", "query_time", "counters.filter_s"))
    some = read(out_of_memory("gsi", "dblp", 40))
    assert query_time.number(some) == pytest.approx(6.0) and time.number(some) == pytest.approx(600.0)
    low, high = time.interval(some) or (0.0, 0.0)
    assert low == pytest.approx(588.0) and high == pytest.approx(618.0)
    assert query_time.is_comparable(some) and not filter_time.is_comparable(some)
    assert not field("queries_per_second", "test").is_comparable(some)
    rows = field("counters.rows", "test")  # of the solved queries
    assert field("prepare", "test").is_comparable(some) and not rows.is_comparable(some)
    whole = read(out_of_memory("gsi", "dblp", 100))
    assert query_time.number(whole) == pytest.approx(1e-5)
    assert filter_time.is_comparable(whole) and rows.is_comparable(whole)


def speeds(solver: str, incomplete: Raw) -> list[Raw]:
    """GSI takes twice as long as FSIG on all graphs; of `solver` the trial on dblp is the incomplete one."""
    records = [made(EXPERIMENT, s, n, ms) for n in NAMES for s, ms in (("gsi", 2.0), ("fsig", 1.0))]
    kept = [r for r in records if (r["solver"]["name"], r["dataset"]["name"]) != (solver, "dblp")]
    return [*kept, incomplete]


def test_queries_out_of_memory_win_no_claim(tmp_path: Path) -> None:
    claim = "yu2023/subgraph/fsig-faster-everywhere"
    assert judge(tmp_path / "1", claim, speeds("fsig", out_of_memory("fsig", "dblp", 50))).verdict == FAILS
    assert judge(tmp_path / "2", claim, speeds("gsi", out_of_memory("gsi", "dblp", 50))).verdict == HOLDS
    assert judge(tmp_path / "3", claim, speeds("gsi", out_of_memory("gsi", "dblp", 0))).verdict == HOLDS


def test_times_that_do_not_count_limits_are_not_compared(tmp_path: Path) -> None:
    def filtering(solved: int) -> list[Raw]:
        return [
            made(
                "gsi2020/table-IV",
                s,
                n,
                solved=solved if s == "gsi" else 100,
                counters={"filter_s": ms / 1e3},
            )
            for n in ("enron", "gowalla", "patent", "road", "WatDiv", "DBpedia")
            for s, ms in (("gsi", 1.0), ("gpsm", 10.0), ("gunrock-sm", 10.0))
        ]

    whole = judge(tmp_path / "1", "gsi2020/subgraph/filter-time", filtering(100))
    some = judge(tmp_path / "2", "gsi2020/subgraph/filter-time", filtering(99))
    assert all(check.measured is not None for check in whole.checks if "over" in check.part)
    assert some.verdict == UNTESTED
    assert any("99 of 100 solved" in check.reason for check in some.checks)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """FSIG solved all, GSI 40 and GpSM none of 100 queries."""
    records = [
        made(EXPERIMENT, "fsig", "dblp", 100.0),
        out_of_memory("gsi", "dblp", 40),
        out_of_memory("gpsm", "dblp", 0),
    ]
    kinds: list[Raw] = [
        {"kind": "bars", "y": "query_time", "name": "bars"},
        {"kind": "speedup", "baseline": {"solver": "fsig"}, "name": "speedup"},
        {"kind": "breakdown", "name": "breakdown"},
        {"kind": "table", "value": "counters.unsolved / work.queries", "name": "share"},
        {"kind": "table", "value": "counters.filter_s", "name": "filter"},
    ]
    for raw in records:
        raw["counters"] |= {"filter_s": 1.0}
    return write_run(tmp_path / "run", records, {"figure": kinds})


def test_figures_say_how_many_queries_are_solved(run: Path, tmp_path: Path) -> None:
    write_figures(by_experiment([read_run(run)]), tmp_path / "out")

    def points(name: str) -> dict[str, Raw]:
        found = json.loads((tmp_path / "out" / f"{name}.json").read_text())
        assert any("gsi on dblp 40 of 100 solved" in note for note in found["notes"])
        results = run / "results.jsonl"
        solvers = {r["trial"]: r["solver"]["name"] for r in map(json.loads, results.read_text().splitlines())}
        return {solvers[point["trial"]]: point for point in found["points"]}

    bars = points("bars")
    assert [bars[name]["solved"] for name in ("fsig", "gsi", "gpsm")] == [
        [100, 100],
        [40, 100],
        [0, 100],
    ]
    assert bars["gsi"]["y"] == pytest.approx(6.0) and bars["gpsm"]["mark"] == "timeout"
    assert points("speedup")["gsi"]["y"] == pytest.approx(0.1 / 6)
    assert points("breakdown")["gsi"]["mark"] == "40 of 100 solved"
    assert points("filter")["gsi"]["mark"] == "40 of 100 solved"
    share = points("share")
    assert [share[name]["y"] for name in ("fsig", "gsi", "gpsm")] == [0.0, 0.6, 1.0]


def test_the_report_says_how_many_queries_are_solved(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    write_report([read_run(run)], out)
    page = out.read_text()
    assert "140 of 300" in page and "queries solved" in page
    assert "5 of 5 exact, 40 of 100 solved" in page and "5 of 5, 0 of 100 solved" in page
    assert "600 s" in page and "588 s – 618 s" in page, "not the short time of a trial that gave up"


def rows_of(table: Table) -> dict[object, dict[str, object]]:
    """By solver: column → its value, as the table sorts it."""
    rows = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    return {str(getattr(row["solver"], "text", row["solver"])): row for row in rows}


def test_tables_of_the_site_say_how_many_queries_are_solved(run: Path) -> None:
    (experiment,) = by_experiment([read_run(run)])

    def place(record: Record) -> str:
        return record.trial

    tables = [content.records(experiment), subjects.trials(experiment.records, place, place, place, place)]
    for rows in map(rows_of, tables):
        assert rows["gsi"]["time (s)"] == pytest.approx(600.0)
        assert [rows[name]["status"] for name in ("fsig", "gsi", "gpsm")] == [
            "ok",
            "ok, 40 of 100 solved",
            "timeout, 0 of 100 solved",
        ]
    assert rows_of(tables[0])["gsi"]["low (s)"] == pytest.approx(588.0)


def test_a_time_that_cannot_tell_what_is_unsolved_is_in_no_table(tmp_path: Path) -> None:
    silent = made(EXPERIMENT, "gsi", "dblp", 0.01, solved=40)
    (experiment,) = by_experiment([read_run(write_run(tmp_path / "run", [made(EXPERIMENT, "fsig", "dblp"), silent]))])
    row = rows_of(content.records(experiment))["gsi"]
    assert row["time (s)"] is None and row["status"] == "ok, 40 of 100 solved"


def test_a_baseline_that_gave_up_is_not_the_fastest_of_its_group(tmp_path: Path) -> None:
    records = [
        out_of_memory("gsi", "dblp", 99, limit=1e-3),
        made(EXPERIMENT, "gpsm", "dblp", 40.0),
        made(EXPERIMENT, "fsig", "dblp", 10.0),
    ]
    figure = {
        "kind": "speedup",
        "baseline": {"solver": ["gsi", "gpsm"]},
        "groups": {"peers": {"solver": ["gsi", "gpsm"]}, "FSIG": {"solver": "fsig"}},
        "name": "speedup",
    }
    run = read_run(write_run(tmp_path / "run", records, {"figure": [figure]}))
    write_figures(by_experiment([run]), tmp_path / "out")
    points = json.loads((tmp_path / "out" / "speedup.json").read_text())["points"]
    assert {point["series"]: point["y"] for point in points} == pytest.approx({"peers": 1.0, "FSIG": 4.0})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("unsolved: {tme: counters.a}", "1: unknown name 'tme'.*did you mean 'time'"),
        ("unsolved: [time]", "1: expected a mapping"),
        ("counts_unsolved: [solved]", "1: unknown name 'solved'"),
    ],
)
def test_bad_declarations_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "any").mkdir()
    (tmp_path / "any" / "quantities.yaml").write_text(text + "\n")
    with pytest.raises(InputError, match=message):
        read_declarations(tmp_path)
