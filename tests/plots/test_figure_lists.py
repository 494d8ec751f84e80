"""Figures of several quantities of the same trials."""

from pathlib import Path
from typing import Any

import pytest
from planned_trials import faults
from search_records import made
from test_figures import draw, ids
from warpbench_plots.errors import InputError
from warpbench_plots.figures.sidecar import explain

Raw = dict[str, Any]
SHARES = ["time * counters.distance_share", "time * structure_share"]
FIGURE: Raw = {"kind": "lines", "x": "threads_per_block", "y": SHARES, "series": "solver", "log": ["x", "y"]}


def searches() -> list[Raw]:
    """Of 4 and of 32 threads."""
    return [
        made("fig-4.8", "ganns", seconds=seconds, threads_per_block=threads, counters={"distance_share": share})
        for threads, seconds, share in ((4, 4.0, 0.25), (32, 1.0, 0.4))
    ]


def test_each_of_several_quantities_has_its_series(tmp_path: Path) -> None:
    records = searches()
    labels = {SHARES[0]: "distances", SHARES[1]: "structures"}
    drawn = draw(tmp_path, records, FIGURE | {"labels": labels})
    first, second = (raw["trial"] for raw in records)
    assert [(p["gid"], p["series"], p["x"], p["y"]) for p in drawn["points"]] == [
        (first, "ganns: distances", 4, 1.0),
        (second, "ganns: distances", 32, 0.4),
        (f"{first}~2", "ganns: structures", 4, 3.0),
        (f"{second}~2", "ganns: structures", 32, 0.6),
    ]
    svg = tmp_path / "out" / "yu2023-fig-4.8.svg"
    assert {first, second, f"{first}~2", f"{second}~2"} <= ids(svg)
    assert "<title>ganns: structures · threads per block: 4 · distances, structures: 3 s" in svg.read_text()
    assert f"trial       {first}" in explain(f"{svg}#{first}~2")


def test_the_texts_numbers_stand_beside_the_quantity_that_they_are_of(tmp_path: Path) -> None:
    drawn = draw(tmp_path, searches(), FIGURE)
    values = [[one["value"] for one in point.get("published", ())] for point in drawn["points"]]
    assert values == [[pytest.approx(v)] for v in (0.1, 0.024, 0.071, 0.0123)]


@pytest.mark.parametrize("kind", ["bars", "lines"])
def test_without_series_the_quantities_are_the_series(tmp_path: Path, kind: str) -> None:
    drawn = draw(tmp_path, searches(), FIGURE | {"kind": kind, "y": ["time", "prepare"], "series": "none"})
    assert {point["series"] for point in drawn["points"]} == {"time, median", "preparation, median"}


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["time", "host_memory"], "y: expected fields that have one unit, found time in s, host_memory in bytes"),
        (["recall", "queries_per_second"], "found recall in no unit, queries_per_second in 1/s"),
        ([], "y: expected fields that have one unit, found none"),
        (["time", "time"], "y: expected fields of different names, found time, time"),
        (["time", 7], "y: expected the name of a field, found 7"),
    ],
    ids=str,
)
def test_what_has_no_common_axis_is_refused(tmp_path: Path, y: Any, message: str) -> None:
    with pytest.raises(InputError) as refused:
        draw(tmp_path, searches(), FIGURE | {"y": y})
    assert str(refused.value).startswith("yu2023/fig-4.8: figure: ") and message in str(refused.value)


@pytest.mark.usefixtures("undrawn")
def test_only_bars_and_lines_have_several(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"y: expected the name of a field, found \['time', 'prepare'\]"):
        draw(tmp_path, searches(), {"kind": "pareto", "x": "recall", "y": ["time", "prepare"]})


def test_a_plan_checks_each_of_several_quantities() -> None:
    assert faults({"kind": "bars", "series": "variant", "y": ["time", "phases_s.count"]}) == []
    (fault,) = faults({"kind": "bars", "series": "variant", "y": ["time", "phases_s.cuont"]})
    assert "y: no trial is known to have 'phases_s.cuont'; did you mean 'phases_s.count'?" in fault
