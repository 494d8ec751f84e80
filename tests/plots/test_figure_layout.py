"""The layout of drawn figures: no text leaves the sheet, none lies over another; and long tables."""

from collections.abc import Callable
from pathlib import Path

import pytest
from builders import record, write_run
from conftest import ROOT
from drawn_text import off_canvas, overprinted
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text
from warpbench_plots.figures import build
from warpbench_plots.figures.build import build_figures
from warpbench_plots.figures.text import width_of, wrapped
from warpbench_plots.results.run import by_experiment, read_run

# Of the committed records: those whose titles, notes, names or numbers once were cut or lay over one another.
CUT = {
    "gsi2020/table-V",
    "che2019/table-6-out-of-core",
    "bellas2022/table-3.2",
    "bellas2022/table-3.3",
    "bellas2022/fig-3.3-to-3.7",
    "yu2023/streamed-ratings",
    "yu2023/gserial",
    "che2019/beyond-the-document",
    "che2019/beyond-the-document-kernel",
    "yu2023/fig-3.7",
}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], list[Figure]]:
    """Builds the figures of the runs in a folder and keeps them in place of their files."""

    def figures(folder: Path) -> list[Figure]:
        kept: list[Figure] = []

        def keep(figure: Figure) -> tuple[str, bytes]:
            figure.dpi = 160
            assert off_canvas(figure) == []  # here, where the figure's style holds
            assert overprinted(figure) == []
            kept.append(figure)
            return "<svg></svg>", b""

        monkeypatch.setattr(build, "drawn_files", keep)
        runs = [read_run(path.parent) for path in sorted(folder.rglob("results.jsonl"))]
        build_figures(*by_experiment(runs))
        return kept

    return figures


@pytest.mark.parametrize("experiment", sorted(CUT))
def test_no_text_leaves_the_sheet_or_lies_over_another(experiment: str, drawn: Callable[[Path], list[Figure]]) -> None:
    folders = [
        path.parent
        for path in (ROOT / "results").glob("h*/paper/**/spec.yaml")
        if f"experiment: {experiment}\n" in path.read_text()
    ]
    assert folders
    for folder in folders[:1]:
        assert drawn(folder)


def test_lines_are_broken_where_they_are_read() -> None:
    name = "livejournal-like(edges=36000000,max_degree=2500,degree_descending) (stand-in)"
    lines = wrapped(name, 2.9, 10, bold=True)
    assert all(width_of(line, 10, bold=True) <= 2.9 for line in lines)
    assert lines[:2] == ["livejournal-like(edges=36000000,", "max_degree=2500,"]
    assert "".join(lines).replace(" ", "") == name.replace(" ", "")
    assert wrapped("kronecker", 2.6, 10) == ["kronecker"]
    assert wrapped("", 2.6, 10) == []
    assert wrapped("of a block, k = 10", 0.8, 9)[-1] == "k = 10"
    digest = "revision " + "0123456789abcdef" * 4
    assert all(width_of(line, 7.5) <= 2 for line in wrapped(digest, 2, 7.5))


def test_rows_of_a_long_table_that_say_the_same_are_one(tmp_path: Path, drawn: Callable[[Path], list[Figure]]) -> None:
    records = [
        record("cagra", 1.0, parameters={"itopk": itopk, "degree": degree})
        for degree in (32, 64)
        for itopk in range(20)
    ]
    for raw in records:
        degree = raw["solver"]["parameters"]["degree"]
        raw["prepare"] = {"median_s": degree / 10, "phases_s": {}}
    table = {"kind": "table", "rows": "variant", "columns": "dataset", "value": "prepare"}
    write_run(tmp_path / "run", records, {"figure": table})
    (figure,) = drawn(tmp_path)
    rows = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert rows == ["cagra itopk=0…19 degree=32", "cagra itopk=0…19 degree=64"]
    assert {patch.get_gid() for patch in figure.axes[0].patches} >= {raw["trial"] for raw in records}
    said = [text.get_text() for text in figure.axes[0].texts]
    assert said == ["3.2 s", "6.4 s"]


def test_phases_at_the_same_time_are_shown_whole_and_explained(
    tmp_path: Path, drawn: Callable[[Path], list[Figure]]
) -> None:
    """Two solvers take 1 s: the phases of one overlap, so that its bar ends at 1.7."""
    phases = {"mps-gpu": {"co_process": 0.8, "kernel": 0.9}, "bmp-gpu": {"kernel": 0.9}}
    records = [record(solver, 1.0, phases_s=own) for solver, own in phases.items()]
    write_run(tmp_path / "run", records, {"figure": {"kind": "breakdown"}})
    (figure,) = drawn(tmp_path)
    (axes,) = figure.axes
    assert axes.get_xlim()[1] > 1.7
    assert [text.xy[0] for text in axes.texts if isinstance(text, Annotation)] == pytest.approx([1.7, 1.03])
    note = "phases that ran at the same time"
    assert any(note in text.get_text() for text in figure.findobj(Text))
    write_run(tmp_path / "apart", records[1:], {"figure": {"kind": "breakdown"}})
    (figure,) = drawn(tmp_path / "apart")
    assert not any(note in text.get_text() for text in figure.findobj(Text))
