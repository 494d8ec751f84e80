"""The site: links resolve, each claim stands once, tables are files too, a bad run is left out with its reason."""

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from builders import record, write_run
from warpbench_plots.claims.catalogue import expand
from warpbench_plots.cli import main
from warpbench_plots.files import read_yaml
from warpbench_plots.site.names import document_order, slugs
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
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warpbench_plots.figures.build.drawn_files", lambda figure: ("<svg></svg>", b""))
        assert main(["site", str(FIXTURES), "--out", str(out)]) == 0
    return out


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


def test_tables_stand_in_pages_and_beside_them(site: Path) -> None:
    page = (site / "che2019.html").read_text()
    assert page.index(">table-4-techniques:") < page.index(">table-7-range-filter-gpu:")
    assert 'class="sortable"' in page and "Table 4 as published" in page
    for figure in (site / "figures").glob("*.json"):
        points = json.loads(figure.read_text())["points"]
        assert len(figure.with_suffix(".csv").read_text().splitlines()) == len(points) + 1
        assert figure.with_suffix(".md").is_file() and figure.with_suffix(".tex").is_file()


@pytest.mark.usefixtures("undrawn")
def test_a_bad_run_is_left_out_with_its_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs, out = tmp_path / "runs", tmp_path / "site"
    write_run(runs / "good", [record("merge", 1.0)])
    shutil.copytree(FIXTURES / "cuda-run", runs / "bad")
    (runs / "bad" / "environment.json").unlink()
    assert main(["site", str(runs), "--out", str(out)]) == 1
    error = capsys.readouterr().err
    assert "bad was left out" in error and "environment.json" in error and error.count("\n") == 1
    assert "bad was left out" in (out / "index.html").read_text()
    assert len(list((out / "records").glob("*.html"))) == 1


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
