"""The report: its order, its ids, its size, and figures that look in it as their files do."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from builders import record, write_run
from every_kind import FIGURES, write_every_kind
from warpbench_plots.cli import main
from warpbench_plots.figures.style import CSS_VARIABLES
from warpbench_plots.report.inline import Inlined, inline_svgs

# What a figure may take so that a report of the suite `quick` stays below 2 MB: it has 81 figures, and 540 kB of tables
# and claims. The figures here are larger than its own, which take 8 kB each; they had 47 kB as in their files.
MOST_BYTES = 18_000
ABOVE = "above device gather: nearer memory served it"
FIXTURES = Path(__file__).resolve().parent / "fixtures"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("report") / "report.html"
    assert main(["report", str(FIXTURES), "--out", str(out)]) == 0
    return out.read_text()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An SVG file of each kind of figure."""
    folder = tmp_path_factory.mktemp("kinds")
    write_every_kind(folder / "runs")
    assert main(["figures", str(folder / "runs"), "--out", str(folder / "out")]) == 0
    return {file.stem: file.read_text() for file in sorted((folder / "out").glob("*.svg"))}


@pytest.fixture(scope="module")
def inlined(files: dict[str, str]) -> Inlined:
    return inline_svgs(files)


def test_what_was_found_comes_first_and_what_it_was_found_on_last(page: str) -> None:
    assert re.findall("<h2[^>]*>([^<]*)", page) == [
        "Summary",
        "Claims",
        "Figures",
        "Results",
        "Trials that did not end well",
        "Coverage",
        "How to reproduce",
        "Environment",
    ]


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0.42, "42% of device gather"), (6.55, ABOVE), (None, ABOVE)],
)
def test_a_share_above_its_ceiling_is_told_in_words(tmp_path: Path, share: float | None, shown: str) -> None:
    run = write_run(tmp_path / "run", [record("bmp-gpu", 1.0, ceiling={"name": "device_gather", "share": share})])
    assert main(["report", str(run), "--out", str(tmp_path / "report.html")]) == 0
    page = (tmp_path / "report.html").read_text()
    assert shown in page and "655%" not in page


def test_machines_and_ceilings_are_folded(page: str) -> None:
    last = page[page.index('id="environment"') :]
    folded = "".join(re.findall("<details>.*?</details>", last, re.DOTALL))
    for words in ("<summary>Machine ", "Fixture CPU, 28 cores", "random_gather"):
        assert words in folded and words not in last.replace(folded, ""), words
    assert "<details open" not in page


def test_each_row_of_results_is_its_trials_anchor(page: str) -> None:
    rows = re.findall(
        r"<tr><td>(.*?)</td>", page[page.index('id="results"') : page.index('id="trials-that')], re.DOTALL
    )
    assert len(rows) > 24
    for row in rows:
        assert re.fullmatch(r'<code( id="([0-9a-f]{16})")?>([0-9a-f]{16})</code>', row), row
    anchors = set(re.findall(r'\bid="([^"]+)"', page))
    assert {trial for row in rows for trial in re.findall("[0-9a-f]{16}", row)} <= anchors
    assert set(re.findall(r'href="#([^"]+)"', page)) <= anchors
    assert re.search(r'href="#[0-9a-f]{16}"', page[page.index('id="trials-that') :])


@pytest.mark.usefixtures("undrawn")
def test_a_trial_of_two_runs_has_one_anchor(tmp_path: Path) -> None:
    for experiment in ("test/one", "test/two"):
        one = record("merge", 1.0, experiment=experiment) | {"trial": "0123456789abcdef"}
        write_run(tmp_path / "runs" / experiment, [one], {"experiment": experiment})
    assert main(["report", str(tmp_path / "runs"), "--out", str(tmp_path / "report.html")]) == 0
    page = (tmp_path / "report.html").read_text()
    assert page.count('id="0123456789abcdef"') == 1 and page.count("<td><code") >= 2


def test_inlined_figures_are_small(files: dict[str, str], inlined: Inlined) -> None:
    assert {name.removeprefix("kinds-") for name in files} == set(FIGURES)
    sizes = {name: len(svg.encode()) for name, svg in inlined.svgs.items()}
    assert all(size < 0.5 * len(files[name].encode()) for name, size in sizes.items()), sizes
    assert sum(sizes.values()) / len(sizes) <= MOST_BYTES, sizes
    assert len(inlined.css) < 12_000


def _drawn(svg: str) -> Iterator[tuple[str, str | None, dict[str, str]]]:
    """What is drawn: its kind, its words, its attributes."""
    for element in ElementTree.fromstring(svg).iter():
        name = element.tag.rpartition("}")[2]
        # The metadata has a title too.
        if name in ("path", "use", "rect", "text", "title") and "purl.org" not in element.tag:
            words = element.text if name in ("text", "title") else None
            yield name, words, {key.rpartition("}")[2]: value for key, value in element.items()}


def _numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def test_inlined_figures_look_as_their_files_do(files: dict[str, str], inlined: Inlined) -> None:
    rules = dict(re.findall(r"^\.(s\d+)\{(.*)\}$", inlined.css, re.MULTILINE))
    assert "*{stroke-linejoin: round; stroke-linecap: butt}" in inlined.css
    for name, file in files.items():
        pairs = list(zip(_drawn(file), _drawn(inlined.svgs[name]), strict=True))
        assert pairs
        for (kind, words, had), (same_kind, same_words, has) in pairs:
            assert (kind, words) == (same_kind, same_words)
            for key in ("x", "y", "d", "width", "height"):
                assert _numbers(has.get(key, "")) == pytest.approx(_numbers(had.get(key, "")), abs=0.0051)
                assert re.findall("[A-Za-z]", has.get(key, "")) == re.findall("[A-Za-z]", had.get(key, ""))
            turned = "" if had.get("transform", "").startswith("rotate(-0 ") else had.get("transform", "")
            assert _numbers(has.get("transform", "")) == pytest.approx(_numbers(turned), abs=0.0051)
            style = had.get("style", "")
            for colour, variable in CSS_VARIABLES.items():
                style = style.replace(colour, f"var({variable})")
            rule = rules[has["class"]] if "class" in has else ""
            assert re.sub(r"#f\d+-\d+", "#", rule) == re.sub(r"\s*([:;])\s*|#h[0-9a-f]+", r"\1", style).replace(
                "url()", "url(#)"
            )


def test_tooltips_and_ids_survive_and_do_not_clash(files: dict[str, str], inlined: Inlined) -> None:
    together = "".join(inlined.svgs.values())
    ids = re.findall(r'\bid="([^"]+)"', together)
    assert len(ids) == len(set(ids))
    named = re.findall(r"url\(#([^)]+)\)", together + inlined.css) + re.findall(r'href="#([^"]+)"', together)
    assert named and set(named) <= set(ids)
    for name, file in files.items():
        points = re.findall(r'<g id="([0-9a-f]{16}[^"]*)"><title>(.*?)</title>', file, re.DOTALL)
        assert points
        for gid, title in points:
            assert f'<g id="{name}--{gid}"><title>{unescape(title)}</title>' in unescape(inlined.svgs[name])
