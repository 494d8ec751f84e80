"""Tables of the site: what they sort by, the words of published ones, and where rows, claims and figures lead."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from builders import record, table_4, write_run
from conftest import ROOT
from warpbench_plots.cli import main
from warpbench_plots.figures.build import build_figures
from warpbench_plots.files import read_yaml
from warpbench_plots.results.run import Run, by_experiment
from warpbench_plots.site.content import figure_data, figure_matrices, quoted_figures
from warpbench_plots.site.printed import printed, published_table
from warpbench_plots.site.quoted import beside
from warpbench_plots.site.tables import Table, Worded, shown, sort_value, words

FIXTURES = Path(__file__).resolve().parent / "fixtures"
SCRIPT = ROOT / "plots" / "warpbench_plots" / "site" / "templates" / "site.js"
# A page of one table whose rows are [text, value or null]; prints the texts after one click and after two.
SORT = """
const [script, rows] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const cell = ([text, value]) => ({ textContent: text, dataset: value === null ? {} : { value: String(value) } });
const body = { rows: rows.map((row) => ({ cells: [cell(row)] })) };
body.append = (...sorted) => { body.rows = sorted; };
let click, state = null;
const head = {
  getAttribute: () => state,
  setAttribute: (name, value) => { state = value; },
  removeAttribute: () => { state = null; },
  addEventListener: (name, heard) => { if (name === "click") click = heard; },
};
const table = { querySelectorAll: () => [head], tBodies: [body] };
const found = (what) => (what === "table.sortable" ? [table] : []);
global.document = { querySelectorAll: found, getElementById: () => null };
(0, eval)(script);
const orders = [1, 2].map(() => { click(); return body.rows.map((row) => row.cells[0].textContent); });
console.log(JSON.stringify(orders));
"""


@pytest.fixture(autouse=True)
def quick(undrawn: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpbench_plots.site.write.plotly_script", lambda: None)


def sorted_texts(rows: list[tuple[str, float | None]]) -> list[list[str]]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    given = json.dumps([SCRIPT.read_text(), rows])
    done = subprocess.run([node, "-e", SORT], input=given, capture_output=True, text=True, check=True)
    orders: list[list[str]] = json.loads(done.stdout)
    return orders


def run_named(runs: list[Run], experiment: str) -> Run:
    return next(run for run in runs if run.spec.experiment == experiment)


def test_cells_sort_by_their_values_and_those_without_come_last() -> None:
    rows: list[tuple[str, float | None]] = [("2.84 s", 2.84), ("–", None), ("714 µs", 714e-6), ("× timeout", None)]
    up, down = sorted_texts(rows)
    assert up[:2] == ["714 µs", "2.84 s"] and set(up[2:]) == {"–", "× timeout"}
    assert down[:2] == ["2.84 s", "714 µs"] and set(down[2:]) == {"–", "× timeout"}
    assert sorted_texts([("b", None), ("–", None), ("a", None)]) == [["a", "b", "–"], ["b", "a", "–"]]


def test_what_a_page_shows_and_sorts_of_a_cell() -> None:
    assert [shown(cell) for cell in (None, True, 7, 1 / 3, Worded("7 ms", 0.007))] == [
        "–",
        "true",
        "7",
        "0.3333",
        "7 ms",
    ]
    assert [sort_value(cell) for cell in (None, True, 7, "x", float("nan"), Worded("7 ms", 0.007), Worded("x"))] == [
        *(None, None, 7, None, None, 0.007, None)
    ]


def test_cells_of_a_matrix_and_published_numbers_have_values(committed_runs: list[Run]) -> None:
    run = run_named(committed_runs, "che2019/table-4-techniques")
    figure, *_ = [one for one in build_figures(*by_experiment([run])) if one.data.spec.kind == "table"]
    cells = [cell for matrix in figure_matrices(figure).values() for row in matrix.rows for cell in row[1:]]
    told = [cell for cell in cells if words(cell)[0].isdigit()]
    assert told and all(sort_value(cell) is not None for cell in told)
    data = figure_data(figure)
    at = data.head.index("published")
    assert any(words(row[at]) for row in data.rows)
    assert all(bool(words(row[at])) == (sort_value(row[at]) is not None) for row in data.rows)


def test_a_published_table_has_titles_units_and_the_numbers_as_printed() -> None:
    found = published_table("che2019/table-4-techniques")
    assert found is not None and found.caption.startswith("Table 4 as published: ")
    assert found.table.head == ("variant", "TW CPU (s)", "TW KNL (s)", "FR CPU (s)", "FR KNL (s)")
    assert shown(found.table.rows[0][2]) == "108418.6" and sort_value(found.table.rows[0][2]) == 108418.6
    assert found.table.rows[-1][0] == "best BMP speed-up over M (×)"
    assert any(note.startswith("M = plain merge") for note in found.notes)


def test_a_unit_that_is_explained_leaves_the_rest_to_a_note() -> None:
    units = {
        "gpu_GSI": "MB (1G is 1000)",
        "gld_drop": "percent",
        "t*": "s",
        "type": "r real, s scale-free, m mesh-like",
    }
    raw = {
        "columns": ["gpu_GSI", "gld_drop", "t0.5", "type", "ok"],
        "units": units,
        "rows": [[1, 2.5, None, "r", True]],
    }
    found = printed("Table 1", raw)
    assert found is not None
    assert found.table.head == ("GPU GSI (MB)", "global loads drop (%)", "threshold 0.5 (s)", "type", "ok")
    assert found.notes == ("MB: 1G is 1000", "type: r real, s scale-free, m mesh-like")
    assert [shown(cell) for cell in found.table.rows[0]] == ["1", "2.5", "–", "r", "true"]


def test_quoted_numbers_of_a_figure_stand_beside_ours(committed_runs: list[Run]) -> None:
    run = run_named(committed_runs, "yu2023/fig-4.4")
    figure = build_figures(*by_experiment([run]), frozenset({"yu2023-fig-4.4"}))[0]
    ((_, entries),) = quoted_figures("yu2023/fig-4.4")
    table = beside(figure, entries, "records/here.html")
    assert isinstance(table, Table)
    assert [[words(cell) for cell in row[:4]] for row in table.rows] == [
        ["SIFT1M", "0.795", "GANNS", "458500 queries/s"],
        ["SIFT1M", "0.795", "SONG", "88500 queries/s"],
    ]
    for row in table.rows:
        x, trial = sort_value(row[5]), row[6]
        assert x is not None and x >= 0.795 and sort_value(row[4])
        assert isinstance(trial, Worded) and trial.link == f"records/here.html#{trial.text}"


def test_a_trial_leads_from_its_solver_to_its_record_and_experiment(tmp_path: Path) -> None:
    raw = record("merge", 1.0, parameters={"threads": 2, "range_filter": True})
    raw["task"] = {"k": 8}
    write_run(tmp_path / "run", [raw])
    assert main(["site", str(tmp_path / "run"), "--out", str(tmp_path / "site")]) == 0
    for page in ("solvers/merge", "datasets/twitter-like"):
        text = (tmp_path / "site" / f"{page}.html").read_text()
        assert f'<a href="../records/che2019-table-4-techniques.html#{raw["trial"]}">{raw["trial"]}</a>' in text
        assert '<a href="../che2019.html#experiment-che2019-table-4-techniques">' in text
        assert "<td>k=8</td>" in text and "range_filter=true" in text
        assert not re.search(r"\b(True|False)\b", text)


def test_a_claim_leads_to_its_figure_and_the_figure_back(tmp_path: Path) -> None:
    write_run(tmp_path / "run", table_4(), _claims())
    assert main(["site", str(tmp_path / "run"), "--out", str(tmp_path / "site")]) == 0
    page = (tmp_path / "site" / "che2019.html").read_text()
    figures = dict(re.findall(r'<figure id="([^"]*)">(.*?)</figure>', page, re.DOTALL))
    claims = dict(re.findall(r'<section class="claim" id="([^"]*)">(.*?)</section>', page, re.DOTALL))
    (name,) = figures
    measured = [key for key, text in claims.items() if "records/" in text]
    assert measured
    for key in measured:
        assert f'href="#{name}"' in claims[key]
        assert f'href="#{key}"' in figures[name]
    assert 'href="records/che2019-table-4-techniques.html">records</a>' in figures[name]


def _claims() -> dict[str, list[str]]:
    """Those of the fixture of the same experiment."""
    for path in sorted(FIXTURES.glob("*/spec.yaml")):
        spec = read_yaml(path)
        if spec["experiment"] == "che2019/table-4-techniques" and spec.get("claims"):
            return {"claims": spec["claims"]}
    raise AssertionError("no fixture has claims of Table 4")


def test_without_git_the_site_says_that_it_has_no_history(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path / "run", [record("merge", 1.0)])
    arguments = ["site", str(tmp_path / "run"), "--out", str(tmp_path / "site")]
    assert main(arguments) == 0
    told = "there is no page of times over revisions, because git has no history of these results"
    assert told in capsys.readouterr().err
    assert told[1:] in (tmp_path / "site" / "index.html").read_text()
    monkeypatch.setattr("warpbench_plots.site.write.is_in_history", lambda folder: True)
    assert main(arguments) == 0
    assert told not in capsys.readouterr().err
