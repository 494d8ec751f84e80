"""Makes the package of plots/ and the builders importable from a plain checkout."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "plots"))
sys.path.insert(0, str(Path(__file__).resolve().parent))


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures have empty pictures: for tests of what a figure shows, because drawing it takes half a second."""
    monkeypatch.setattr("warpbench_plots.figures.build.drawn_files", lambda figure: ("<svg></svg>", b""))
