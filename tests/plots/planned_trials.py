"""Plans as `warpbench plan` hands them to the check of figures."""

import json
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from warpbench_plots.figures.check import faults_of
from warpbench_plots.figures.planned import read_plans

SPEC: dict[str, Any] = {
    "experiment": "mine/counts",
    "problem": "common_neighbors",
    "datasets": ["a-like", "b-like"],
    "solvers": ["merge", "bmp", "bmp-gpu"],
}
Point = tuple[str, Mapping[str, Any]]  # a solver and its parameters


def sweep(solver: str, **values: Any) -> list[Point]:
    """The points of a solver, the product of the values that are lists."""
    listed = [value if isinstance(value, list) else [value] for value in values.values()]
    return [(solver, dict(zip(values, one, strict=True))) for one in product(*listed)]


POINTS = [*sweep("merge", threads=1), *sweep("bmp", threads=1, range_filter=[False, True]), *sweep("bmp-gpu", passes=1)]


def plan_lines(
    points: Iterable[Point] = POINTS,
    task: Iterable[Mapping[str, Any]] = ({},),
    datasets: Iterable[str] = ("a-like", "b-like"),
    file: Path = Path("nowhere.yaml"),
    backend: str = "cuda",
    **spec: Any,
) -> list[str]:
    """The lines of one plan; `spec` replaces keys of SPEC."""
    lines: list[dict[str, Any]] = [{"file": str(file), "text": json.dumps(SPEC | spec), "backend": backend}]
    for number, (dataset, one, (solver, parameters)) in enumerate(product(datasets, task, points)):
        device = "gpu" if solver.endswith("-gpu") else "cpu"
        facts = {"name": solver, "role": "proposed", "device": device, "point": "document", "parameters": parameters}
        trial = {"trial": f"{number:016x}", "dataset": {"name": dataset, "parameters": {"edges": 9}}, "solver": facts}
        lines.append(trial | {"task": one})
    return [json.dumps(line) for line in lines]


def faults(figure: Any, **plan: Any) -> list[str]:
    """The faults of the figures, without the name of the experiment."""
    (read,) = read_plans(plan_lines(figure=figure, **plan))
    return [fault.removeprefix("mine/counts: figure: ") for fault in faults_of(read)]
