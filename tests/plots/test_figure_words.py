"""What a figure says of its numbers: zeros, means, dominated points, published numbers of the full data."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import yaml
from builders import record, table_4, write_run
from conftest import ROOT
from test_figures import SVG, draw
from warpbench_plots.figures.build import build_figures
from warpbench_plots.results.run import by_experiment, read_run


@pytest.mark.usefixtures("undrawn")
def test_zero_on_a_logarithmic_axis_is_zero(tmp_path: Path) -> None:
    records = [record("merge", 1.0), record("bmp", 1.0)]
    for raw, value in zip(records, (0, 5), strict=True):
        raw["counters"] = {"overflows": value}
    for kind in ("bars", "lines"):
        figure = {"kind": kind, "x": "dataset" if kind == "bars" else "overflows", "y": "counters.overflows"}
        points = draw(tmp_path / kind, records, figure)["points"]
        assert [(point["y"], point["mark"]) for point in points] == [(0.0, None), (5.0, None)]


def test_a_zero_is_written_as_no_failure(tmp_path: Path) -> None:
    records = [record("merge", 1.0), record("bmp", 1.0)]
    for raw, value in zip(records, (0, 5), strict=True):
        raw["counters"] = {"overflows": value}
    draw(tmp_path, records, {"kind": "bars", "y": "counters.overflows"})
    (svg,) = (tmp_path / "out").glob("*.svg")
    texts = [text.text for text in ET.parse(svg).iter(f"{SVG}text")]
    assert "0" in texts and not any("×" in (text or "") for text in texts)


@pytest.mark.usefixtures("undrawn")
def test_the_footer_says_what_the_axis_says(tmp_path: Path) -> None:
    def footer(name: str, y: str) -> str:
        records = [record("merge", 1.0), record("bmp", 2.0)]
        for raw in records:
            raw["work"] = {"queries": 10}
        return str(draw(tmp_path / name, records, {"kind": "bars", "y": y})["notes"][0])

    assert footer("time", "time").startswith("medians over the samples, with the 95% interval")
    assert footer("mean", "query_time").startswith("each number is a mean within a sample; shown is its median")
    assert "interval" not in footer("none", "counters.none_s")


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("size", ["", "(scale=0.01)"])
def test_published_numbers_beside_a_part_of_the_data_say_so(tmp_path: Path, size: str) -> None:
    records = table_4()
    for raw in records:
        raw["dataset"] |= {"name": raw["dataset"]["name"] + size, "stand_in": True}
    figure = {"kind": "table", "published": "che2019-table-4"}
    (experiment,) = by_experiment([read_run(write_run(tmp_path, records, {"figure": figure}))])
    (built,) = build_figures(experiment)
    assert [name.endswith("(full data)") for name in built.data.published_names().values()] == [bool(size)]


def test_dominated_points_are_explained(tmp_path: Path) -> None:
    def texts(name: str, times: list[float]) -> str:
        records = [record("bmp", time, parameters={"threads": i}) for i, time in enumerate(times, 1)]
        draw(tmp_path / name, records, {"kind": "pareto", "x": "threads", "y": "time"})
        (svg,) = (tmp_path / name / "out").glob("*.svg")
        return " ".join(ET.parse(svg).getroot().itertext())

    assert "dominated" in texts("some", [1.0, 0.5, 0.7, 0.4, 9.0])
    assert "dominated" not in texts("none", [0.5])


def test_a_drawn_quote_is_one_of_the_document() -> None:
    drawn = yaml.safe_load((ROOT / "plots" / "data" / "quoted.yaml").read_text(encoding="utf-8"))
    for name, numbers in drawn.items():
        said = _numbers_said(name)
        for one in numbers:
            datasets = one["select"]["dataset"]
            for dataset in datasets if isinstance(datasets, list) else [datasets]:
                assert any(dataset in where and one["value"] == value for where, value in said), (name, dataset, one)


def _numbers_said(name: str) -> list[tuple[str, float]]:
    """Datasets and numbers that figures.yaml quotes of the figures in a name such as `yu2023-fig-5.6-to-5.8-4`."""
    own = [float(number) for number in re.findall(r"\d+\.\d+", name)]
    figures = yaml.safe_load((ROOT / "plots" / "data" / "figures.yaml").read_text(encoding="utf-8"))["figures"]
    return [
        # The one figure of a single dataset, Figure 4.8, has it in its entry alone.
        (str(entry.get("at", {}).get("dataset", figure["datasets"])), value)
        for figure in figures
        if name.startswith(figure["document"]) and re.fullmatch(r"\d+\.\d+", figure["figure"])
        if own[0] <= float(figure["figure"]) <= own[-1]
        for entry in figure.get("quoted", ())
        if isinstance(entry, dict)
        for value in entry.values()
        if isinstance(value, int | float)
    ]


def test_a_quoted_number_stands_beside_the_trials_that_it_is_of() -> None:
    def beside(experiment: str, name: str) -> dict[tuple[str, Any], list[float]]:
        run = read_run(ROOT / "results" / "h200" / "paper" / experiment)
        (figure,) = build_figures(*by_experiment([run]), frozenset({name}))
        places = [(point, [quoted.value for quoted in point.published]) for point in figure.data.points]
        return {(point.series, point.x): values for point, values in places if values}

    assert beside("yu2023/fig-3.10", "yu2023-fig-3.10") == {
        ("CPU-Only", 4): [109],
        ("CPU-Only", 16): [33],
        ("GPU-Only", None): [48],
        ("HSGD*", 4): [29],
        ("HSGD*", 16): [20],
    }
    shares = beside("yu2023/fig-5.9", "yu2023-fig-5.9")
    assert shares["FSIG, α = 0.6", "youtube-like-queries(first=20)"] == [0.9]
    assert shares["GSI", "human-like-queries(first=20)"] == [0.3]
    assert ("FSIG, α = 0.6", "human-like-queries(first=20)") not in shares
