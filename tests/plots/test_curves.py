"""Curves that a record holds: drawn step by step, and compared at equal times."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders import judgement, record, write_run
from matplotlib.axes import Axes
from warpbench_plots.claims.evaluations import parse
from warpbench_plots.claims.measure import Measurement
from warpbench_plots.claims.measured import NotTested
from warpbench_plots.claims.spread import Spread
from warpbench_plots.errors import InputError
from warpbench_plots.fields.curve import falls_to, value_at
from warpbench_plots.fields.declared import read_declarations
from warpbench_plots.figures.build import build_figures, write_figures
from warpbench_plots.figures.collect import collect
from warpbench_plots.figures.curves import draw_curves
from warpbench_plots.figures.grammar import parse_figure
from warpbench_plots.figures.points import Namer
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import by_experiment, read_run

CURVES = {"kind": "curves", "curve": "rmse_over_time"}


def trained(
    solver: str,
    seconds: float,
    rmse: list[float],
    dataset: str = "netflix-like",
    **rest: Any,
) -> dict[str, Any]:
    """A record of a training whose iterations take `seconds` each."""
    metrics = {"rmse": rmse[-1]}
    for step, value in enumerate(rmse, 1):
        metrics |= {f"rmse_after_{step}": value, f"time_after_{step}_s": seconds * step}
    return record(
        solver,
        seconds * len(rmse),
        dataset,
        problem="matrix_factorization",
        judgement=judgement(**metrics) | {"verdict": "approximate"},
        **rest,
    )


def records(path: Path, *raws: dict[str, Any]) -> tuple[Record, ...]:
    return read_run(write_run(path, raws, {"figure": CURVES})).records


def test_a_curve_has_all_steps_of_its_trial(tmp_path: Path) -> None:
    raws = [trained("fpsgd", 2.0, [3.0, 2.0]), trained("sgd", 5.0, [2.5, 1.5, 1.0])]
    run = read_run(write_run(tmp_path / "run", raws, {"figure": CURVES}))
    write_figures(by_experiment([run]), tmp_path / "out")
    points = json.loads((tmp_path / "out" / "che2019-table-4-techniques.json").read_text())["points"]
    assert [(point["series"], point["steps"]) for point in points] == [
        ("fpsgd", [[2.0, 3.0], [4.0, 2.0]]),
        ("sgd", [[5.0, 2.5], [10.0, 1.5], [15.0, 1.0]]),
    ]
    drawn = (tmp_path / "out" / "che2019-table-4-techniques.svg").read_text()
    assert all(f'<g id="{raw["trial"]}">' in drawn for raw in raws) and "time of training (s)" in drawn


def test_a_curve_of_sizes_says_nothing_of_times(tmp_path: Path) -> None:
    raws = [record("ppjoin", 1.0, name, problem="set_similarity_join") for name in ("aol-like", "dblp-100k-like")]
    for raw, first, counts in zip(raws, (1, 16), ([70, 20, 10], [5, 90]), strict=True):
        for step, sets in enumerate(counts, 1):
            raw["dataset"]["properties"] |= {f"size_class_{step}": first << step - 1, f"sets_of_class_{step}": sets}
    figure = {"kind": "curves", "curve": "set_sizes", "series": "source", "facet": "none", "log": ["x", "y"]}
    run = read_run(write_run(tmp_path / "run", raws, {"figure": figure}))
    write_figures(by_experiment([run]), tmp_path / "out")
    drawn = json.loads((tmp_path / "out" / "che2019-table-4-techniques.json").read_text())
    assert [(point["series"], point["steps"]) for point in drawn["points"]] == [
        ("aol-like", [[1, 70], [2, 20], [4, 10]]),
        ("dblp-100k-like", [[16, 5], [32, 90]]),
    ]
    assert not any("time covers" in note or "medians" in note for note in drawn["notes"])


def panels(path: Path, raws: list[dict[str, Any]], **keys: Any) -> list[Axes]:
    """The drawn panels of a figure of curves."""
    (experiment,) = by_experiment([read_run(write_run(path, raws, {"figure": CURVES | keys}))])
    spec = parse_figure(CURVES | keys, "figure", "title", 0)
    data = collect(spec, experiment, experiment.records, Namer(spec, experiment.records))
    figure = draw_curves(data, "", "title", ())
    figure.draw_without_rendering()
    return figure.axes


@pytest.mark.parametrize("log", [[], ["x", "y"]])
def test_labels_of_a_short_axis_differ(tmp_path: Path, log: list[str]) -> None:
    (axes,) = panels(tmp_path, [trained("fpsgd", 2.0, [0.7236, 0.7229, 0.7222])], log=log)
    low, high = axes.get_ylim()
    ticks = zip(axes.get_yticks(), axes.get_yticklabels(), strict=True)
    labels = [label.get_text() for at, label in ticks if low <= at <= high]
    assert len(labels) > 1 and len(set(labels)) == len(labels), labels


def test_panels_of_solvers_have_the_same_axes(tmp_path: Path) -> None:
    raws = [trained("fpsgd", 2.0, [3.0, 2.0]), trained("sgd", 5.0, [2.5, 1.5])]
    first, second = panels(tmp_path / "solvers", raws, facet="solver")
    assert first.get_xlim() == second.get_xlim() and first.get_ylim() == second.get_ylim()
    assert first.get_xlim()[1] > 10.0 and first.get_ylim()[1] > 3.0
    raws[1]["dataset"]["name"] = "r1-like"
    first, second = panels(tmp_path / "datasets", raws)
    assert first.get_xlim() != second.get_xlim(), "datasets are not compared"


@pytest.mark.usefixtures("undrawn")
def test_a_note_tells_the_datasets_of_a_task(tmp_path: Path) -> None:
    raws = [trained("fpsgd", 2.0, [3.0, 2.0], name) for name in ("netflix-like(scale=0.1)", "r1-like")]
    for raw, gamma in zip(raws, (0.005, 0.01), strict=True):
        raw["task"] = {"k": 128, "gamma": gamma}
    (experiment,) = by_experiment([read_run(write_run(tmp_path, raws, {"figure": CURVES}))])
    (figure,) = build_figures(experiment)
    assert "task: k = 128, gamma = 0.005 (netflix-like), gamma = 0.01 (r1-like)" in figure.data.notes


@pytest.mark.usefixtures("undrawn")
def test_each_dataset_is_a_panel(tmp_path: Path) -> None:
    raws = [trained("fpsgd", 2.0, [3.0, 2.0], name) for name in ("netflix-like", "r1-like")]
    run = read_run(write_run(tmp_path / "run", raws, {"figure": CURVES}))
    write_figures(by_experiment([run]), tmp_path / "out")
    points = json.loads((tmp_path / "out" / "che2019-table-4-techniques.json").read_text())["points"]
    assert [(point["facet"], point["mark"]) for point in points] == [("netflix-like", None), ("r1-like", None)]


@pytest.mark.usefixtures("undrawn")
def test_a_trial_without_steps_is_marked(tmp_path: Path) -> None:
    run = read_run(write_run(tmp_path / "run", [record("merge", 1.0)], {"figure": CURVES}))
    write_figures(by_experiment([run]), tmp_path / "out")
    (point,) = json.loads((tmp_path / "out" / "che2019-table-4-techniques.json").read_text())["points"]
    assert point["mark"] == "no rmse_over_time" and "steps" not in point


@pytest.mark.parametrize(("x", "y"), [(0.5, 3.0), (2.0, 3.0), (3.0, 2.5), (4.0, 2.0), (9.0, 2.0)])
def test_values_between_steps_lie_on_the_line_between_them(x: float, y: float) -> None:
    assert value_at([(2.0, 3.0), (4.0, 2.0)], x) == pytest.approx(y)


@pytest.mark.parametrize(("y", "x"), [(3.5, None), (3.0, None), (2.5, 3.0), (2.0, 4.0), (1.0, None)])
def test_a_curve_falls_to_a_value_from_above_alone(y: float, x: float | None) -> None:
    assert falls_to([(2.0, 3.0), (4.0, 2.0), (5.0, 2.8), (6.0, 2.6)], y) == x


def at_equal_times(kept: tuple[Record, ...], **more: Any) -> list[tuple[str, float]]:
    check = {
        "part": "RMSE at equal times",
        "along": "rmse_over_time",
        "measure": {"ratio": ["S", "F"]},
    } | more
    raw = {
        "tolerance": 1.5,
        "terms": {
            "S": {"select": {"solver": "sgd"}},
            "F": {"select": {"solver": "fpsgd"}},
        },
        "evaluations": {"claim": {"experiments": ["e"], "checks": [check]}},
    }
    book = parse(raw, "file")
    measurement = Measurement(book.claims["claim"].checks[0], book.terms, kept, Spread(()))
    return [(found.at, found.value) for found in measurement.results()]


def test_curves_are_compared_at_each_step_within_both(tmp_path: Path) -> None:
    kept = records(
        tmp_path,
        trained("fpsgd", 2.0, [3.0, 2.0, 1.0]),
        trained("sgd", 3.0, [4.0, 3.0, 2.0]),
    )
    name = "time of training (s)"
    found = at_equal_times(kept)
    assert [at for at, _ in found] == [f"{name} 3", f"{name} 4", f"{name} 6"]
    assert [value for _, value in found] == pytest.approx([4 / 2.5, (4 - 1 / 3) / 2, 3.0])


def when(**changed: Any) -> dict[str, Any]:
    return {"term": "F", "falls_to": [1.5, 1.25], "of": "task.threads"} | changed


def test_curves_are_compared_where_one_has_fallen_to_shares_of_a_field(tmp_path: Path) -> None:
    fast, slow = trained("fpsgd", 2.0, [3.0, 2.0, 1.0]), trained("sgd", 3.0, [4.0, 3.0, 2.0])
    for raw in (fast, slow):
        raw["task"] = {"threads": 1}
    found = at_equal_times(records(tmp_path, fast, slow), when=when())
    assert [at for at, _ in found] == ["time of training (s) 5", "time of training (s) 5.5"]
    assert [value for _, value in found] == pytest.approx([(4 - 2 / 3) / 1.5, (4 - 5 / 6) / 1.25])


@pytest.mark.parametrize(
    ("changed", "task", "message"),
    [
        ({}, {}, "F: trial .* has no task.threads"),
        ({"falls_to": [0.5]}, {"threads": 1}, "F: test RMSE of trial .* does not fall from above 0.5 to it"),
    ],
)
def test_a_curve_that_falls_to_no_such_value_is_not_compared(
    tmp_path: Path, changed: dict[str, Any], task: dict[str, int], message: str
) -> None:
    fast, slow = trained("fpsgd", 2.0, [3.0, 2.0, 1.0]), trained("sgd", 3.0, [4.0, 3.0, 2.0])
    for raw in (fast, slow):
        raw["task"] = task
    with pytest.raises(NotTested, match=message):
        at_equal_times(records(tmp_path, fast, slow), when=when(**changed))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"when": {"term": "F"}}, "when: expected {term: TERM, falls_to: .numbers., of: FIELD}"),
        ({"when": when(term="G")}, "when: measure: 'G' is not one of the terms S, F"),
        ({"when": when(), "along": "recall"}, "when: expected a declared curve for along, found 'recall'"),
    ],
)
def test_moments_that_cannot_be_found_are_refused(more: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        at_equal_times((), **more)


def test_curves_without_a_common_time_are_not_compared(tmp_path: Path) -> None:
    kept = records(tmp_path, trained("fpsgd", 1.0, [3.0, 2.0]), trained("sgd", 5.0, [4.0, 3.0]))
    with pytest.raises(NotTested, match="the curves have no time of training"):
        at_equal_times(kept)


def test_an_unknown_curve_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="unknown curve 'rmse_over_tim'; did you mean 'rmse_over_time'"):
        parse_figure({"kind": "curves", "curve": "rmse_over_tim"}, "experiment", "title", 0)


GOOD = {"x": "work.a_{}", "y": "work.b_{}", "x_label": "a", "y_label": "b"}


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        ({"y_label": None}, 2, "c: expected x, y, x_label, y_label, found no y_label"),
        ({"x": "work.a"}, 3, "expected a path with {} for the step, found 'work.a'"),
        ({"x": "a_{}"}, 3, "unknown name 'a_{}'"),
    ],
)
def test_bad_curves_are_refused_at_their_line(
    tmp_path: Path, change: dict[str, str | None], line: int, message: str
) -> None:
    path = tmp_path / "demo" / "quantities.yaml"
    path.parent.mkdir()
    keys = "".join(f"    {key}: {value}\n" for key, value in (GOOD | change).items() if value)
    path.write_text(f"curves:\n  c:\n{keys}")
    with pytest.raises(InputError) as refusal:
        read_declarations(tmp_path)
    assert str(refusal.value).startswith(f"{path}:{line}:") and message in str(refusal.value)
