"""Figures of the kind `boxes`."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders import write_run
from subgraph_records import made
from warpbench_plots.errors import InputError
from warpbench_plots.figures.build import write_figures
from warpbench_plots.results.run import by_experiment, read_run

FIVE = [
    "counters.least",
    "counters.first",
    "counters.middle",
    "counters.third",
    "counters.most",
]
BOXES = {"kind": "boxes", "y": "counters.matches / work.queries", "box": FIVE}


def test_boxes_show_five_numbers_and_the_mean(tmp_path: Path) -> None:
    counters = {
        "least": 0.0,
        "first": 10.0,
        "middle": 50.0,
        "third": 200.0,
        "most": 9000.0,
    }
    whole = made("gsi2020/fig-17", "gsi", "enron", 1.0, counters=counters, matches=400.0)
    partial = made("gsi2020/fig-17", "gsi", "road", 1.0, counters={"least": 1.0})
    run = write_run(tmp_path / "run", [whole, partial], {"figure": BOXES})
    write_figures(by_experiment([read_run(run)]), tmp_path / "out")
    drawn, marked = json.loads((tmp_path / "out" / "gsi2020-fig-17.json").read_text())["points"]
    assert drawn["parts"] == {f"counters.{key}": value for key, value in counters.items()} and drawn["y"] == 400
    assert marked["mark"] == "no counters.first or counters.middle or counters.third or counters.most"
    svg = (tmp_path / "out" / "gsi2020-fig-17.svg").read_text()
    assert f'id="{drawn["gid"]}"' in svg and f'id="{drawn["gid"]}.box"' in svg


@pytest.mark.parametrize("box", [[], FIVE[:4], [*FIVE[:4], 5]])
def test_boxes_need_five_fields(tmp_path: Path, box: list[Any]) -> None:
    run = write_run(
        tmp_path / "run",
        [made("gsi2020/fig-17", "gsi", "enron", 1.0)],
        {"figure": BOXES | {"box": box}},
    )
    with pytest.raises(InputError, match="box: expected"):
        write_figures(by_experiment([read_run(run)]), tmp_path / "out")
