"""Figures of every interactive kind, and records for them."""

from pathlib import Path
from typing import Any

from builders import judgement, record, table_4, write_run
from subgraph_records import made

FIVE = ["least", "first", "middle", "third", "most"]
FIGURES: dict[str, dict[str, Any]] = {
    "bars": {"kind": "bars", "published": "che2019-table-4"},
    "lines": {"kind": "lines", "x": "threads", "y": "time", "facet": "dataset", "log": ["x", "y"]},
    "pareto": {"kind": "pareto", "x": "edges_per_second", "y": "host_memory", "facet": "dataset"},
    "breakdown": {"kind": "breakdown", "phases": ["count"]},
    "speedup": {"kind": "speedup", "baseline": {"solver": "merge"}, "accept": ["threads"]},
    "right": {
        **{"kind": "speedup", "draw": "lines", "x": "threads", "right": "time", "facet": "dataset"},
        **{"baseline": {"solver": "merge"}, "accept": ["threads"], "where": {"solver": ["merge", "bmp-gpu"]}},
    },
    "curves": {"kind": "curves", "curve": "rmse_over_time"},
    "boxes": {"kind": "boxes", "y": "counters.mean", "box": [f"counters.{name}" for name in FIVE]},
}


def records_for(kind: str) -> list[dict[str, Any]]:
    """Records that the kind can show. Most have one that failed, and one without the parameter `threads`."""
    others = [record("bmp-gpu", 0.05), record("merge", None, "orkut-like", {"threads": 1}, status="timeout")]
    if kind == "curves":
        steps = {f"rmse_after_{i}": 4.0 - i for i in (1, 2, 3)} | {f"time_after_{i}_s": 2.0 * i for i in (1, 2, 3)}
        judged = judgement(rmse=1.0, **steps) | {"verdict": "approximate"}
        return [record(name, 6.0, "netflix-like", judgement=judged) for name in ("sgd", "fpsgd")]
    if kind == "boxes":
        counters = {name: 3.0**at for at, name in enumerate(FIVE)} | {"mean": 30.0}
        return [made("gsi2020/fig-17", name, "enron", 1.0, counters=counters) for name in ("gsi", "vf3")]
    return [*table_4(), *others]


def write_every_kind(folder: Path) -> None:
    """A run directory for each kind."""
    for kind, figure in FIGURES.items():
        records = records_for(kind)
        for raw in records:
            raw["experiment"] = f"kinds/{kind}"
        write_run(folder / kind, records, {"experiment": f"kinds/{kind}", "figure": figure})
