"""What a figure says of its numbers: zeros, means, dominated points, published numbers of the full data."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from builders import record, table_4, write_run
from conftest import ROOT
from test_figures import SVG, draw
from warpbench_plots.errors import InputError
from warpbench_plots.figures.build import build_figures
from warpbench_plots.figures.published import RATIO, quoted_of
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


SYSTEMS = {
    "hsgd-star": "HSGD*",
    "fpsgd": "CPU-Only",
    "cumf-sgd": "GPU-Only",
    "ganns": "GANNS",
    "song": "SONG",
    "gsi": "GSI",
    "fsig": "FSIG",
    "ggraphcon": "GGraphCon",
    "naive_parallel": "GNaiveParallel",
    "cpu": "GraphCon_NSW",
    "serial": "GSerial",
    "naive": "(naive)",
    "shared-memory": "(SM-SoA)",
    "fgssjoin": "time_s_below",  # the quote does not name it
}
SCALES = {"ms": 0.001, "GB/s": 1e9, "s": 1, "queries/s": 1, "recall": 1, "percent": 0.01, "x": 1}
Said = tuple[str, str, str | None, float]


def drawn_quotes() -> dict[str, list[dict[str, Any]]]:
    quotes: dict[str, list[dict[str, Any]]] = yaml.safe_load(
        (ROOT / "plots" / "data" / "quoted.yaml").read_text("utf-8")
    )
    return quotes


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def is_said(one: dict[str, Any], said: list[Said]) -> bool:
    """Whether a document quotes the number of each of its datasets and systems, in that unit."""
    systems = [
        SYSTEMS[name] for key in ("solver", "builder", "build_search") for name in listed(one["select"].get(key, []))
    ]
    pairs = [(d, s) for d in listed(one["select"]["dataset"]) for s in systems or [""]]
    return all(
        any(
            re.search(rf"(?<!\w){re.escape(dataset)}(?!\w)", where)
            and system in key
            and value == one["value"]
            and SCALES.get(unit or "", one.get("scale", 1)) == one.get("scale", 1)
            for where, key, unit, value in said
        )
        for dataset, system in pairs
    )


def test_a_drawn_quote_is_one_of_the_document() -> None:
    quotes = drawn_quotes()
    for name, numbers in quotes.items():
        for one in numbers:
            assert is_said(one, _numbers_said(name)), (name, one)
    sift = quotes["yu2023-fig-4.4"][0]
    said = _numbers_said("yu2023-fig-4.4")
    assert is_said(sift, said)
    for wrong in ({"value": 458501}, {"scale": 1000}, {"select": sift["select"] | {"solver": "song"}}):
        assert not is_said(sift | wrong, said), wrong
    assert not is_said(sift | {"select": sift["select"] | {"dataset": "SIFT1"}}, said)
    assert not is_said(sift, _numbers_said("yu2023-fig-4.40"))
    candidates = quotes["bellas2022-fig-4.14-2"][0]
    assert not is_said(candidates | {"value": 3.6e9}, _numbers_said("bellas2022-fig-4.14-2"))


def _numbers_said(name: str) -> list[Said]:
    """Datasets, system, unit and number of what figures.yaml quotes of the figures in a name such as
    `yu2023-fig-5.6-to-5.8-4` or `gsi2020-fig-15b`, or of all of the document where the name has no figure."""
    own = [tuple(map(int, number.split("."))) for number in re.findall(r"\d+\.\d+", name)]
    figures = yaml.safe_load((ROOT / "plots" / "data" / "figures.yaml").read_text(encoding="utf-8"))["figures"]
    quoted = [
        (str(figure["datasets"]), entry)
        for figure in figures
        if name == f"{figure['document']}-fig-{figure['figure']}"
        or (
            name.startswith(figure["document"])
            and re.fullmatch(r"\d+\.\d+", figure["figure"])
            and (not own or own[0] <= tuple(map(int, figure["figure"].split("."))) <= own[-1])
        )
        for entry in figure.get("quoted", ())
    ]
    return [
        # The one figure of a single dataset, Figure 4.8, has it in its entry alone.
        (str(entry.get("at", {}).get("dataset", datasets)), key, entry.get("unit"), value)
        for datasets, entry in quoted
        if isinstance(entry, dict)
        for key, value in entry.items()
        if isinstance(value, int | float)
    ] + [
        (datasets, entry, unit or None, float(number))
        for datasets, entry in quoted
        if isinstance(entry, str)
        for number, unit in re.findall(r"(\d+(?:\.\d+)?(?:e\d+)?)(?: ?(percent|x)\b)?", entry)
        if unit or "e" in number
    ]


def test_a_quote_that_is_a_bound_is_called_one() -> None:
    for name, numbers in drawn_quotes().items():
        bounds = {value for _, key, _, value in _numbers_said(name) if key.endswith(("_max", "_below"))}
        for one in numbers:
            assert one["label"].endswith(", at most") == (one["value"] in bounds), (name, one)


def test_a_quote_has_the_axes_of_its_figure() -> None:
    """Of a spec as it is today, or as a committed run has it."""
    figures: dict[str, list[dict[str, Any]]] = {}
    for file in (*(ROOT / "configs").glob("*2*/*.yaml"), *(ROOT / "results").glob("*/paper/*/*/spec.yaml")):
        spec = yaml.safe_load(file.read_text(encoding="utf-8"))
        for place, figure in enumerate(listed(spec.get("figure", []))):
            name = spec["experiment"].replace("/", "-") + (f"-{place + 1}" if place else "")
            figures.setdefault(name, []).append(figure)
    for name, numbers in drawn_quotes().items():
        for one in numbers:
            assert any(
                one["y"] in listed(RATIO if figure["kind"] == "speedup" else figure.get("y", figure.get("value")))
                and one.get("x", figure.get("x")) == figure.get("x")
                for figure in figures[name]
            ), (name, one)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({}, "expected a list of quoted numbers, found {}"),
        (["a"], "number 1: expected select, y, value and label"),
        ([{"select": {}, "y": "time", "label": "a"}], "number 1: expected select, y, value and label"),
        ([{"value": 1, "scal": 2}], "number 1: unknown key 'scal'"),
        ([{"value": 1}, {"value": "x"}], "number 2: value: expected a number, found 'x'"),
        ([{"value": 1, "scale": "1e-3"}], "number 1: scale: expected a number, found '1e-3'"),
        ([{"value": 1, "at": 0.8}], "expected x and at together, found only at"),
        ([{"value": 1, "x": "recall"}], "expected x and at together, found only x"),
    ],
)
def test_what_is_no_quote_is_refused(numbers: Any, words: str) -> None:
    whole = {"select": {"solver": "bmp"}, "y": "time", "label": "a"}
    given = [whole | one if isinstance(one, dict) and "select" not in one else one for one in numbers]
    with pytest.raises(InputError, match=re.escape(words)):
        quoted_of(given if isinstance(numbers, list) else numbers, "quoted: a-figure")


def beside(experiment: str, name: str, machine: str = "h200", **changes: Any) -> dict[tuple[str, Any], list[float]]:
    """The published numbers at the places of a figure of committed records; its spec asks for it with `changes`."""
    run = read_run(ROOT / "results" / machine / "paper" / experiment)
    run = replace(run, spec=replace(run.spec, figures=tuple({**figure, **changes} for figure in run.spec.figures)))
    (figure,) = build_figures(*by_experiment([run]), frozenset({name}))
    places = [(point, [quoted.value for quoted in point.published]) for point in figure.data.points]
    return {(point.series, point.x): values for point, values in places if values}


def test_a_quoted_number_stands_beside_the_trials_that_it_is_of() -> None:
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
    assert ("FSIG, α = 0.9", "youtube-like-queries(first=20)") not in shares
    leaves = beside("yu2023/fig-5.9", "yu2023-fig-5.9-2")
    assert leaves == {
        ("FSIG, α = 0.9", "human-like-queries(first=20)"): [134.16],
        ("FSIG, α = 0.9", "wordnet-like-queries(scale=0.1,first=20)"): [25],
        ("FSIG, α = 0.9", "eu2005-like-queries(scale=0.2,first=20)"): [151.48],
        ("FSIG, α = 0.6", "dblp-like-queries(first=20)"): [5],
        ("FSIG, α = 0.6", "patents-like-queries(first=20)"): [5],
    }
    assert beside("yu2023/gserial", "yu2023-gserial") == {
        ("ganns builder=serial", "sift1m-like(scale=0.005)"): [3810],
        ("ganns builder=ggraphcon", "sift1m-like(scale=0.005)"): [23],
    }
    candidates = beside("bellas2022/fig-4.14", "bellas2022-fig-4.14-2")
    assert candidates == {
        ("allpairs", threshold): [number] for threshold, number in ((0.7, 77e9), (0.8, 17e9), (0.9, 3.5e9))
    }
    million = "dblp-1m-like(scale=0.05)"
    assert beside("bellas2022/fig-5.17", "bellas2022-fig-5.17", "h100") == {("fgssjoin", million): [1.5]}
    assert beside("bellas2022/fig-5.17", "bellas2022-fig-5.17-3", "h100") == {("0.4", million): [1.3e9]}


def test_a_quoted_number_that_a_table_has_too_stands_once() -> None:
    found = beside("yu2023/fig-4.9", "yu2023-fig-4.9", published="yu2023-table-4.2")
    assert found["GGraphCon, GANNS", "sift1m-like"] == [8.5]
    assert found["GGraphCon, GANNS", "uq-v-like(scale=0.1)"] == [43]
    assert found["GGraphCon, SONG", "uq-v-like(scale=0.1)"] == [145]


def test_several_tables_stand_beside_the_trials_of_each() -> None:
    tables = ["che2019-table-4", "che2019-table-7", "che2019-table-7"]
    twitter = "twitter-like(scale=0.05,hub_degree=28000000)"
    found = beside("che2019/overall-bests", "che2019-overall-bests", published=tables)
    assert found == {("CPU-BMP", twitter): [41.5], ("GPU-BMP", twitter): [24.9]}  # without RF, the faster here
