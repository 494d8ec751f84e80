"""Every experiment in configs/ asks for figures, published tables of what they draw, and claims that exist."""

from pathlib import Path

import pytest
from warpbench_plots.claims.catalogue import expand
from warpbench_plots.claims.evaluations import evaluations
from warpbench_plots.figures.grammar import parse_figure
from warpbench_plots.figures.published import RATIO, cells, published_for
from warpbench_plots.files import read_yaml
from warpbench_plots.locations import DATA
from warpbench_plots.results.run import read_run, read_spec

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = sorted(path for path in (ROOT / "configs").glob("*/*.yaml") if path.parent.name != "suites")


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_a_config_asks_for_exists(path: Path) -> None:
    spec = read_spec(path)
    for number, raw in enumerate(spec.figures):
        figure = parse_figure(raw, spec.experiment, spec.title, number)
        for table in figure.published:
            drawn = {figure.y.text, *([RATIO] if figure.kind == "speedup" else ())}
            assert drawn & {cell.field.text for cell in cells(table)}
    for entry in spec.claims:
        for claim in expand(entry, str(path)):
            book = evaluations(claim.document)
            if book is not None:
                assert spec.experiment in book.claims[claim.id].experiments


def test_figures_that_a_config_repeats_by_another_name_are_the_documents() -> None:
    experiments = {read_spec(path).experiment for path in CONFIGS}
    for figure in read_yaml(DATA / "figures.yaml")["figures"]:
        for experiment in figure.get("experiments", ()):
            assert experiment in experiments and experiment.startswith(figure["document"]), figure["figure"]


def test_of_several_thresholds_the_documents_stands_beside_the_published_times() -> None:
    run = read_run(ROOT / "results" / "h200" / "paper" / "che2019" / "degree-skew-handling")
    beside = {
        (record.dataset.name.partition("-")[0], record.solver.name, record.solver.parameters.get("skew_threshold")): [
            one.value for one in published_for(["che2019-table-4"], "time.median_s", record)
        ]
        for record in run.records
    }
    assert {key: values for key, values in beside.items() if values} == {
        ("twitter", "merge", None): [20065.3],
        ("twitter", "mps", 50): [5527.2],
        ("twitter", "bmp", None): [996.2],
        ("friendster", "merge", None): [4528.8],
        ("friendster", "mps", 50): [4919.1],
        ("friendster", "bmp", None): [1837.2],
    }
