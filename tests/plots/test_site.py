"""The site: links resolve, each claim stands once, tables are files too, a bad run is left out with its reason."""

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from builders import record, write_run
from warpbench_plots.claims.catalogue import expand
from warpbench_plots.cli import main
from warpbench_plots.figures.build import build_figures
from warpbench_plots.files import read_yaml
from warpbench_plots.results.run import Run, by_experiment
from warpbench_plots.site.content import figure_data, figure_matrices, published_figures
from warpbench_plots.site.history import Time, TrialHistory
from warpbench_plots.site.names import document_order, slugs
from warpbench_plots.site.script import plotly_script
from warpbench_plots.site.tables import Table

FIXTURES = Path(__file__).resolve().parent / "fixtures"


class Page(HTMLParser):
    """The ids and the links of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key == "id" and value:
                self.ids.append(value)
            if key in ("href", "src") and value:
                self.links.append(value)


@pytest.fixture(scope="module")
def small_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """In place of plotly.js, whose five megabytes take seconds to write."""
    script = tmp_path_factory.mktemp("library") / "plotly.min.js"
    script.write_text("// a stand-in")
    return script


@pytest.fixture(autouse=True)
def with_small_library(monkeypatch: pytest.MonkeyPatch, small_library: Path) -> None:
    monkeypatch.setattr("warpbench_plots.site.write.plotly_script", lambda: small_library)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, small_library: Path) -> Path:
    out = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warpbench_plots.figures.build.drawn_files", lambda figure: ("<svg></svg>", b""))
        patch.setattr("warpbench_plots.site.write.plotly_script", lambda: small_library)
        assert main(["site", str(FIXTURES), "--out", str(out)]) == 0
    return out


def figures_of(page: Path) -> dict[str, str]:
    """The figures of a page by their ids."""
    return dict(re.findall(r'<figure id="([^"]*)">(.*?)</figure>', page.read_text(), re.DOTALL))


def shown_in(figure: str) -> Any:
    """The data of a figure that is interactive, else None."""
    found = re.search(r'<script type="application/json" class="shown">(.*?)</script>', figure, re.DOTALL)
    return json.loads(found[1]) if found else None


def test_links_resolve_and_ids_are_unique(site: Path) -> None:
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html")}
    assert len(pages) > 5
    for path, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), path
        for link in page.links:
            file, _, anchor = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            assert target.is_file(), f"{path}: {link}"
            assert not anchor or anchor in pages[target].ids, f"{path}: {link}"


def test_each_claim_is_on_one_document_page_and_has_a_way_to_its_record(site: Path) -> None:
    entries = [entry for spec in FIXTURES.glob("*/spec.yaml") for entry in read_yaml(spec)["claims"]]
    named = {claim.id for entry in entries for claim in expand(entry, "spec.yaml")}
    assert named
    pages = [path.read_text() for path in site.glob("*.html") if path.name != "index.html"]
    for claim in named:
        assert sum(f"<code>{claim}</code>" in page for page in pages) == 1, claim
    assert re.search(r'<li>[^\n]*records/[^"]*#[0-9a-f]{16}"', pages[0])


def test_a_record_leads_to_the_figures_and_claims_that_show_it(site: Path) -> None:
    page = (site / "records" / "che2019-table-4-techniques.html").read_text()
    rows = re.findall(r'<tr id="([0-9a-f]{16})">(.*?)</tr>', page, re.DOTALL)
    assert len(rows) > 2
    back = {trial: re.findall(r'href="\.\./che2019\.html#([^"]+)"', row) for trial, row in rows}
    for name in figures_of(site / "che2019.html"):
        if name.startswith("che2019-table-4"):
            points = json.loads((site / "figures" / f"{name}.json").read_text())["points"]
            shown = {point["trial"] for point in points if point.get("trial")}
            assert shown and shown == {trial for trial, places in back.items() if name in places}
    claims = (site / "che2019.html").read_text().partition('<h2 id="claims">')[2]
    claimed = re.findall(r"records/che2019-table-4-techniques\.html#([0-9a-f]{16})", claims)
    assert claimed and all(any(place.startswith("claim-") for place in back[trial]) for trial in claimed)


def test_a_solver_has_its_source_and_what_its_parameters_mean(site: Path) -> None:
    page = (site / "solvers" / "bmp-gpu.html").read_text()
    assert "Source: che2019, BMP CUDA Kernel." in page
    assert re.search(r"<td>warps_per_block</td>\s*<td>[^<]+</td>\s*<td>4</td>", page)


def test_tables_stand_in_pages_and_beside_them(site: Path) -> None:
    page = (site / "che2019.html").read_text()
    assert page.index(">table-4-techniques:") < page.index(">table-7-range-filter-gpu:")
    assert 'class="sortable"' in page and "Table 4 as published" in page
    for figure in (site / "figures").glob("*.json"):
        points = json.loads(figure.read_text())["points"]
        assert len(figure.with_suffix(".csv").read_text().splitlines()) == len(points) + 1
        assert figure.with_suffix(".md").is_file() and figure.with_suffix(".tex").is_file()


def test_each_figure_has_its_picture_or_table_and_what_it_shows(site: Path) -> None:
    figures = figures_of(site / "che2019.html")
    assert len(figures) > 2
    kinds = set()
    for name, figure in figures.items():
        sidecar, shown = json.loads((site / "figures" / f"{name}.json").read_text()), shown_in(figure)
        panels = {point["facet"] for point in sidecar["points"]}
        files = re.findall(rf'href="(figures/{re.escape(name)}-table[^"]*\.csv)"', figure)
        is_table = bool(files)
        assert len(set(files)) == (len(panels) if is_table else 0), name
        kinds.add(is_table)
        assert is_table != (f'<img loading="lazy" src="figures/{name}.svg"' in figure), name
        assert f'href="figures/{name}.svg" download' in figure
        assert is_table == (shown is None), name
        if shown is None:
            continue
        assert [point["id"] for point in shown["points"]] == [point["gid"] for point in sidecar["points"]]
        marks = [mark for panel in shown["panels"] for mark in panel["marks"]]
        drawn = {at for mark in marks for at in mark.get("points", ())}
        assert drawn == set(range(len(shown["points"]))), name
        assert {point["series"] for point in sidecar["points"]} - {None} <= {entry["name"] for entry in shown["legend"]}
    assert kinds == {True, False}


def test_the_script_is_there_once_and_only_pages_with_figures_load_it(site: Path) -> None:
    assert len(list(site.rglob("plotly*"))) == 1 and len(list(site.rglob("figures.js"))) == 1
    for path in site.rglob("*.html"):
        page, has_figures = path.read_text(), 'class="shown"' in path.read_text()
        assert page.count('plotly.min.js" defer></script>') == has_figures, path
        assert page.count('figures.js" defer></script>') == has_figures, path
        assert not re.search(r'(src|href)="(https?:)?//', page), path
    assert "showSendToCloud: false" in (site / "figures.js").read_text()


@pytest.mark.usefixtures("undrawn")
def test_without_the_library_figures_are_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warpbench_plots.site.write.plotly_script", lambda: None)
    write_run(tmp_path / "run", [record("merge", 1.0)])
    assert main(["site", str(tmp_path / "run"), "--out", str(tmp_path / "site")]) == 0
    assert "the Python package plotly is not installed" in capsys.readouterr().err
    page = (tmp_path / "site" / "che2019.html").read_text()
    assert "<img" in page and page.count("<script") == 1 and 'class="shown"' not in page
    assert not (tmp_path / "site" / "figures.js").exists()


def test_the_library_is_the_one_that_the_requirements_install() -> None:
    script = plotly_script()
    assert script is not None and script.read_text()[:20].startswith("/**\n* plotly.js")


@pytest.mark.usefixtures("undrawn")
def test_names_in_a_figure_cannot_end_its_data(tmp_path: Path) -> None:
    name = "</script><b>&"
    run = write_run(tmp_path / "run", [record("merge", 1.0, name)], {"figure": {"kind": "bars", "title": name}})
    assert main(["site", str(run), "--out", str(tmp_path / "site")]) == 0
    (figure,) = figures_of(tmp_path / "site" / "che2019.html").values()
    shown = shown_in(figure)
    assert shown["title"] == name and name in shown["words"]


@pytest.mark.usefixtures("undrawn")
def test_a_bad_run_is_left_out_with_its_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs, out = tmp_path / "runs", tmp_path / "site"
    write_run(runs / "good", [record("merge", 1.0)])
    shutil.copytree(FIXTURES / "cuda-run", runs / "bad")
    (runs / "bad" / "environment.json").unlink()
    assert main(["site", str(runs), "--out", str(out)]) == 1
    error = capsys.readouterr().err
    assert "bad was left out" in error and "environment.json" in error and "no history" in error
    assert error.count("\n") == 2
    assert "bad was left out" in (out / "index.html").read_text()
    assert len(list((out / "records").glob("*.html"))) == 1


@pytest.mark.usefixtures("undrawn")
def test_what_a_killed_merge_leaves_is_not_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("whole", ".whole.merging-1"):
        write_run(tmp_path / "runs" / name, [record("merge", 1.0)])
    assert main(["site", str(tmp_path / "runs"), "--out", str(tmp_path / "site")]) == 0, capsys.readouterr().err


@pytest.mark.usefixtures("undrawn")
def test_each_document_has_a_page_of_its_own(tmp_path: Path) -> None:
    runs, out = tmp_path / "runs", tmp_path / "site"
    for name in ("index", "my-doc", "my-doc-"):
        write_run(runs / name, [record("merge", 1.0, experiment=f"{name}/one")])
    assert main(["site", str(runs), "--out", str(out)]) == 0
    assert "Search documents" in (out / "index.html").read_text()
    pages = {path.name: path.read_text() for path in out.glob("*.html")}
    assert set(pages) == {"index.html", "index-2.html", "my-doc.html", "my-doc-2.html"}
    for path in (out / "records").glob("*.html"):
        (document,) = (link for link in Page(path).links if "#experiment-" in link)
        file, _, anchor = document.removeprefix("../").partition("#")
        assert f'id="{anchor}"' in pages[file]


def test_without_a_good_run_nothing_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["site", str(tmp_path / "absent"), "--out", str(tmp_path / "site")]) == 2
    assert "is not a run directory" in capsys.readouterr().err and not (tmp_path / "site").exists()
    (tmp_path / "empty").mkdir()
    assert main(["site", str(tmp_path / "empty"), "--out", str(tmp_path / "site")]) == 2
    assert "is not a run directory" in capsys.readouterr().err and not (tmp_path / "site").exists()


def test_what_the_document_quotes_of_a_figure_stands_beside_ours() -> None:
    ((caption, lines),) = published_figures("yu2023/fig-3.9")
    assert caption.startswith("Figure 3.9 as published: Time to reach the target RMSE")
    assert lines[0] == "dataset R1, gpu workers 32: HSGD* 30, CPU-Only 33, GPU-Only 170 s"
    assert lines[2].startswith("GPU-Only starts slower")
    quoted = {line for _, lines in published_figures("yu2023/fig-5.9") for line in lines}
    assert "panel a, dataset db, up: FSIG 100" in quoted
    assert any(line.endswith("FSIG 70 to 80, GSI 30") for line in quoted)
    for experiment, figures in (
        ("bellas2022/fig-4.12-to-4.13", 2),
        ("bellas2022/fig-3.3-to-3.7", 5),
        ("gsi2020/fig-15a", 1),
        ("che2019/scalability", 1),
        ("che2019/fig-9-block-size", 1),
        ("yu2023/fig-4.6", 1),
        ("yu2023/table-3.2", 0),
        ("yu2023/transfers", 0),
        ("bellas2022/table-5.9", 1),
        ("bellas2022/table-5.11", 2),
        ("bellas2022/table-5.13", 4),
        ("che2019/overall-per-platform", 1),
        ("che2019/overall-bests", 1),
        ("che2019/range-filter-cpu", 1),
        ("che2019/table-6-multi-pass", 1),
    ):
        assert len(published_figures(experiment)) == figures, experiment


def test_the_order_is_the_documents() -> None:
    names = ["d/beyond", "d/table-X", "d/fig-4.12-x", "d/table-IX", "d/fig-4.4", "d/fig-15b", "d/fig-3.2"]
    ordered = ["d/fig-3.2", "d/fig-4.4", "d/fig-4.12-x", "d/table-IX", "d/table-X", "d/fig-15b", "d/beyond"]
    assert sorted(names, key=document_order) == ordered


def test_names_that_make_the_same_file_get_a_number() -> None:
    assert slugs(["a(b=1)", "A b 1", "a-b=1"]) == {"a(b=1)": "a-b-1", "A b 1": "A-b-1-2", "a-b=1": "a-b-1-3"}


def test_a_table_is_escaped_in_each_format() -> None:
    files = Table(("a", "b"), (("x,y", "1|2 50%_"),)).files()
    assert files["csv"] == 'a,b\n"x,y",1|2 50%_\n'
    assert "1\\|2" in files["md"] and r"50\%\_" in files["tex"]


def test_what_became_slower_has_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undrawn: None) -> None:
    slowed = TrialHistory(
        "1", "m", "demo/a", "tiny", "fast", {"threads": 2}, [Time("a" * 40, 1.0), Time("b" * 40, 1.5)]
    )
    monkeypatch.setattr("warpbench_plots.site.write.histories", lambda folder: [slowed])
    write_run(tmp_path / "run", [record("fast", 1.0)])
    assert main(["site", str(tmp_path / "run"), "--out", str(tmp_path / "site")]) == 0
    page = (tmp_path / "site" / "history.html").read_text()
    assert "1 became slower" in page
    assert "1 s (aaaaaaa), 1.5 s (bbbbbbb)" in page
    assert "history.html" in Page(tmp_path / "site" / "index.html").links
    assert "slower,1.5,demo/a" in (tmp_path / "site" / "history.csv").read_text()


def test_a_site_in_the_same_folder_removes_pages_of_the_last_one(tmp_path: Path, undrawn: None) -> None:
    out = tmp_path / "site"
    write_run(tmp_path / "run", [record("fast", 1.0)])
    assert main(["site", str(FIXTURES), "--out", str(out)]) == 0
    (out / "own.html").write_text("mine")
    with (out / "files.txt").open("a") as listed:
        listed.write("../run/results.jsonl\n")
    before = {path for path in out.rglob("*") if path.is_file()}
    assert main(["site", str(tmp_path / "run"), "--out", str(out)]) == 0
    after = {path for path in out.rglob("*") if path.is_file()}
    assert out / "own.html" in after
    assert len(after) < len(before)
    assert {str(path.relative_to(out)) for path in after} == {
        "own.html",
        "files.txt",
        *(out / "files.txt").read_text().splitlines(),
    }
    assert (tmp_path / "run" / "results.jsonl").is_file(), "outside the site"


def test_published_numbers_have_units_and_a_speedup_is_no_time(committed_runs: list[Run]) -> None:
    run = next(run for run in committed_runs if run.path.name == "table-4-techniques")
    built = build_figures(*by_experiment([run]))
    table, speedup = (next(one for one in built if one.data.spec.kind == kind) for kind in ("table", "speedup"))
    cells = [str(cell) for matrix in figure_matrices(table).values() for row in matrix.rows for cell in row[1:]]
    told = [cell for cell in cells if "published" in cell]
    assert told and all(re.search(r"\(published [0-9.]+ (µs|ms|s|min|h) \(full data\)\)$", cell) for cell in told)
    assert "speed-up" in figure_data(speedup).head and not any("time" in name for name in figure_data(speedup).head)
