"""The quantities that problems declare: what they mean for a record, and each bad declaration refused at its line."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import record, write_run
from warpbench_plots.errors import InputError
from warpbench_plots.fields import declared
from warpbench_plots.fields.declared import declarations, read_declarations
from warpbench_plots.fields.field import field, value_of
from warpbench_plots.fields.known import NameKind, NamesOfTrials
from warpbench_plots.figures.build import write_figures
from warpbench_plots.figures.grammar import parse_figure
from warpbench_plots.locations import PROBLEMS
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Run, by_experiment, read_run

THETA_JOIN = """\
size: dataset.properties.rows
timed: [counters.cycles]
quantities:
  pairs_rate:
    formula: (work.left * work.right) / time
    label: pairs compared per second
    interval: against_time
  cycles_of_a_pair: {formula: counters.cycles / work.left, label: cycles of a pair}
"""


@pytest.fixture(scope="module")
def committed(committed_runs: list[Run]) -> list[Record]:
    return [read for run in committed_runs for read in run.records]


@pytest.fixture
def problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of problems in place of the project's own."""
    folder = tmp_path / "problems"
    (folder / "theta_join").mkdir(parents=True)
    monkeypatch.setattr(declared, "PROBLEMS", folder)
    declarations.cache_clear()
    yield folder
    declarations.cache_clear()


def test_committed_records_have_a_value_for_all_that_is_declared(
    committed: list[Record],
) -> None:
    for path in PROBLEMS.glob("*/quantities.yaml"):
        problem = path.parent.name
        own = [read for read in committed if read.problem == problem]
        if not own:  # a new problem, of which nothing is recorded yet
            continue
        mine = declarations().problems[problem]
        quantities = read_declarations(path.parent).quantities.values()
        for formula in (
            mine.size,
            *mine.printed_by.values(),
            *(q.formula for q in quantities),
        ):
            if formula is not None:
                recorded = any(value_of(formula, read) is not None for read in own)
                assert recorded, (problem, formula.text)


def test_all_that_committed_records_have_is_declared(committed: list[Record]) -> None:
    """Figures name metrics, work and phases before anything is measured; what is not declared would be refused."""
    missing = set()
    for read in committed:
        names = NamesOfTrials(read.problem)
        paths = [f"judgement.metrics.{name}" for name in (read.judgement.metrics if read.judgement else ())]
        paths += [f"work.{name}" for name in read.raw["work"] or ()]
        phases = {*read.phases_s, *((read.raw["prepare"] or {}).get("phases_s") or ())}
        missing |= {(read.problem, path) for path in paths if names.kind(path) is NameKind.UNKNOWN}
        missing |= {(read.problem, phase) for phase in phases if not names.has_phase(phase)}
    assert missing == set()


def test_each_problem_says_how_large_its_datasets_are(committed: list[Record]) -> None:
    assert {read.problem for read in committed} <= set(declarations().problems)


def test_a_new_problem_needs_its_file_alone(tmp_path: Path, problems: Path) -> None:
    (problems / "theta_join" / "quantities.yaml").write_text(THETA_JOIN)
    made = record(
        "merge",
        2.0,
        problem="theta_join",
        work={"left": 10, "right": 4},
        counters={"cycles": 50},
    )
    run = read_run(write_run(tmp_path / "run", [made], {"figure": {"kind": "bars", "y": "pairs_rate"}}))
    write_figures(by_experiment([run]), tmp_path / "out")
    (point,) = json.loads((tmp_path / "out" / "che2019-table-4-techniques.json").read_text())["points"]
    assert (point["y"], point["low"], point["high"]) == (
        20,
        pytest.approx(20 / 1.03),
        pytest.approx(20 / 0.98),
    )
    assert "pairs compared per second" in (tmp_path / "out" / "che2019-table-4-techniques.svg").read_text()
    cycles = field("cycles_of_a_pair", "here")
    assert (
        cycles.number(run.records[0]),
        cycles.timed,
        cycles.interval(run.records[0]),
    ) == (5, True, None)
    assert field("cycles", "here").timed and not field("left", "here").timed


BAD_FILES = [
    ("size: [", 1, "expected the node content"),
    ("- size", 1, "expected a mapping, found list"),
    ("sizes: work.rows", 1, "unknown key 'sizes'; did you mean 'size'?"),
    ("size: 3", 1, "expected a text, found 3"),
    ("size: work.rows *", 1, "'work.rows *' is not a field"),
    ("timed:\n- counter.cycles", 2, "did you mean 'counters.cycles'?"),
    ("size: work.rows\ntimed: cycles", 2, "expected a list"),
    ("quantities:\n  time: {formula: work.a, label: a}", 2, "'time': expected a name"),
    (
        "quantities:\n  a: {formula: time, label: a}\n  a: {formula: time, label: b}",
        3,
        "a is given twice",
    ),
]
BAD_QUANTITIES = [
    ("formula: time", 2, "a: expected a label"),
    ("label: a", 2, "a: expected a label, and a formula or by_status"),
    ("lable: a", 3, "unknown key 'lable'; did you mean 'label'?"),
    ("label: [a]\n    formula: time", 3, "expected a text, found list"),
    (
        "label: a\n    formula: tme / work.rows",
        4,
        "unknown name 'tme': expected a path such as work.tme",
    ),
    ("label: a\n    formula: tme / work.rows", 4, "; did you mean 'time'?"),
    (
        "label: a\n    formula: time\n    interval: up",
        5,
        "interval: expected one of with_time",
    ),
    (
        "label: a\n    formula: work.rows\n    interval: with_time",
        5,
        "with a formula over time",
    ),
    ("label: a\n    by_status: {okay: 1}", 4, "unknown key 'okay'; did you mean 'ok'?"),
    ("label: a\n    by_status: {ok: true}", 4, "expected a number, found True"),
]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        *BAD_FILES,
        *((f"quantities:\n  a:\n    {text}", line, message) for text, line, message in BAD_QUANTITIES),
    ],
)
def test_bad_declarations_are_refused_at_their_line(problems: Path, text: str, line: int, message: str) -> None:
    path = problems / "theta_join" / "quantities.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as refusal:
        read_declarations(problems)
    assert str(refusal.value).startswith(f"{path}:{line}:") and message in str(refusal.value)


def test_problems_that_share_a_name_mean_the_same(problems: Path) -> None:
    (problems / "equi_join").mkdir()
    for name in ("equi_join", "theta_join"):
        (problems / name / "quantities.yaml").write_text(THETA_JOIN)
    assert set(read_declarations(problems).quantities) == {
        "pairs_rate",
        "cycles_of_a_pair",
    }
    (problems / "theta_join" / "quantities.yaml").write_text(THETA_JOIN.replace("compared", "joined"))
    with pytest.raises(
        InputError,
        match=r"theta_join/.*:4: pairs_rate is declared otherwise at .*equi_join/.*:4",
    ):
        read_declarations(problems)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("query_tme", "y: unknown name 'query_tme'; did you mean 'query_time'?"),
        ("time * structure_shares", "did you mean 'structure_share'?"),
        ("counter.hops", "did you mean 'counters.hops'?"),
    ],
)
def test_misspelt_names_are_refused_with_the_nearest(text: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse_figure({"kind": "bars", "y": text}, "experiment", "title", 0)
    assert message in str(refusal.value)


def test_a_failed_trial_counts_where_the_status_is_asked(tmp_path: Path) -> None:
    records = [
        record("merge", 1.0),
        record("bmp", None, status="oom_host"),
        record("mps", None, status="crash"),
    ]
    runnable = field("runnable", "here")
    read = read_run(write_run(tmp_path / "run", records)).records
    assert [runnable.number(one) for one in read] == [1, 0, None]
    assert runnable.counts_failures and not runnable.timed and not field("query_time", "here").counts_failures


def test_a_declared_path_may_have_a_number_or_a_word_in_it() -> None:
    names = NamesOfTrials("subgraph_matching")
    metrics = "judgement.metrics."
    for name in ("unsolved_query_sparse_20_78", "unverified_count_of_query_3"):
        assert names.kind(metrics + name) is not NameKind.UNKNOWN, name
    for name in ("unsolved_", "unsolved_a.b", "unverified_count_of_query_a", "unverified_count_of_query_"):
        assert names.kind(metrics + name) is NameKind.UNKNOWN, name
