"""Makes the package of plots/ and the builders importable from a plain checkout."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from warpbench_plots.results.run import Run

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "plots"))
sys.path.insert(0, str(Path(__file__).resolve().parent))


@pytest.fixture(scope="session")
def committed_runs() -> "list[Run]":
    """The runs of results/, in the order of their paths; reading them takes seconds."""
    from warpbench_plots.results.run import read_run

    return [read_run(path.parent) for path in sorted((ROOT / "results").glob("h*/paper/**/results.jsonl"))]


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures have empty pictures: for tests of what a figure shows, because drawing it takes half a second."""
    monkeypatch.setattr("warpbench_plots.figures.build.drawn_files", lambda figure: ("<svg></svg>", b""))
