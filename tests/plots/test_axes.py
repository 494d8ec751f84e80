"""The words on axes and above bars: units, powers of two, and none over another."""

from itertools import combinations
from pathlib import Path

import pytest
from builders import record, write_run
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from warpbench_plots.figures.axes import label_axis, number, seconds, tick_values
from warpbench_plots.figures.bars import draw_bars
from warpbench_plots.figures.build import build_figures
from warpbench_plots.results.run import by_experiment, read_run


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.000714, "714 µs"),
        (2.84, "2.84 s"),
        (0.9999, "1 s"),
        (0.0003333, "333 µs"),
        (4e-9, "4 ns"),
        (20065.3, "20065 s"),
        (0.0, "0 s"),
    ],
)
def test_durations_have_a_unit_that_is_read(value: float, words: str) -> None:
    assert seconds(value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [(999_900.0, "1M"), (999_400.0, "999k"), (-999_999_999.0, "-1G"), (9_999.0, "10k"), (1025.0, "1025"), (0.0, "0")],
)
def test_numbers_are_rounded_before_their_unit_is_chosen(value: float, words: str) -> None:
    assert number(value) == words


def test_ticks_of_times_have_units() -> None:
    logarithmic, linear = Figure().subplots(1, 2)
    logarithmic.set_yscale("log")
    logarithmic.set_ylim(1e-4, 10)
    label_axis(logarithmic, "y", "time (s), median")
    assert logarithmic.get_ylabel() == "time, median"
    assert logarithmic.yaxis.get_major_formatter()(0.001) == "1 ms"
    linear.set_xlim(0, 0.05)
    label_axis(linear, "x", "time of training (s)")
    assert linear.get_xlabel() == "time of training (ms)"
    assert linear.xaxis.get_major_formatter()(0.03) == "30"


def _ticks(values: list[float], scale: str) -> list[str]:
    axes = Figure(figsize=(5, 3)).subplots()
    axes.set_xscale(scale)
    axes.set_xlim(values[0], values[-1])
    tick_values(axes, values)
    return [label.get_text() for label in axes.get_xticklabels()]


def test_powers_of_two_are_ticks_of_a_logarithmic_axis() -> None:
    assert _ticks([2.0**i for i in range(5, 15)], "log")[:4] == ["32", "64", "128", "256"]
    assert _ticks([1.0, 2.0**16, 2.0**20], "log") == ["1", "65536", "2²⁰"]


def test_ticks_without_room_are_left_out() -> None:
    assert _ticks([1.0, 2.0, 4.0, 8.0, 1024.0], "linear") == ["1", "1024"]


@pytest.mark.parametrize("solvers", [3, 12, 36])
@pytest.mark.usefixtures("undrawn")
def test_no_number_above_a_bar_lies_over_another(tmp_path: Path, solvers: int) -> None:
    records = [
        record("bmp", 1e-4 * (1 + i / 1000), data, parameters={"threads": i})
        for i in range(solvers)
        for data in ("a", "b", "c")
    ]
    (experiment,) = by_experiment([read_run(write_run(tmp_path, records, {"figure": {"kind": "bars"}}))])
    data = build_figures(experiment)[0].data
    figure = draw_bars(data, "time (s), median", "", ())
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    (axes,) = figure.axes
    boxes = [text.get_window_extent(canvas.get_renderer()) for text in axes.texts]
    assert len(boxes) == (len(records) if solvers < 36 else 0)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(box.y1 <= axes.bbox.y1 for box in boxes)
