"""Every experiment in configs/ asks for figures, published tables and claims that exist."""

from pathlib import Path

import pytest
from warpbench_plots.claims.catalogue import expand
from warpbench_plots.claims.evaluations import evaluations
from warpbench_plots.figures.grammar import parse_figure
from warpbench_plots.figures.published import cells
from warpbench_plots.results.run import read_spec

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = sorted(path for path in (ROOT / "configs").glob("*/*.yaml") if path.parent.name != "suites")


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_a_config_asks_for_exists(path: Path) -> None:
    spec = read_spec(path)
    for number, raw in enumerate(spec.figures):
        figure = parse_figure(raw, spec.experiment, spec.title, number)
        if figure.published:
            assert cells(figure.published)
    for entry in spec.claims:
        for claim in expand(entry, str(path)):
            book = evaluations(claim.document)
            if book is not None:
                assert spec.experiment in book.claims[claim.id].experiments
