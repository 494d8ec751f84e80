"""Made-up records of gsi2020's experiments, with the numbers of its tables."""

from typing import Any

from subgraph_records import Raw, made
from warpbench_plots.files import read_yaml
from warpbench_plots.locations import DATA

SMALL = ["enron", "gowalla", "patent", "road"]
LARGE = ["WatDiv", "DBpedia"]
ALL = SMALL + LARGE
GSI = {"load_balance": "none", "duplicate_removal": False}
TECHNIQUES: dict[str, Raw] = {
    "GSI-": {
        "neighbors": "csr",
        "output": "two_step",
        "set_operations": "naive",
        **GSI,
    },
    "CR": {
        "neighbors": "compressed",
        "output": "two_step",
        "set_operations": "naive",
        **GSI,
    },
    "BR": {
        "neighbors": "basic",
        "output": "two_step",
        "set_operations": "naive",
        **GSI,
    },
    "DS": {"output": "two_step", "set_operations": "naive", **GSI},
    "PC": {"set_operations": "naive", **GSI},
    "SO": GSI,
    "LB": {"duplicate_removal": False},
    "DR": {},
}
COUNTERPARTS = ["gpsm", "gunrock-sm", "magiq", "wukong-g"]


def table(number: str) -> dict[str, dict[str, float]]:
    """A printed table: dataset → column → number."""
    printed = read_yaml(DATA / "tables" / f"gsi2020-table-{number}.yaml")
    return {row[0]: dict(zip(printed["columns"][1:], row[1:], strict=True)) for row in printed["rows"]}


def like(dataset: str, **sizes: Any) -> str:
    inside = ",".join(f"{key}={value}" for key, value in sizes.items())
    return f"{dataset.lower()}-like-queries" + (f"({inside})" if inside else "")


def gsi(experiment: str, dataset: str, ms: float | None, technique: str = "DR", **rest: Any) -> Raw:
    return made(
        f"gsi2020/{experiment}",
        "gsi",
        like(dataset),
        ms,
        **{**TECHNIQUES[technique], **rest},
    )


def optimizations(changes: dict[str, float] | None = None) -> list[Raw]:
    return [
        gsi(
            "table-VIII",
            name,
            row[f"time_{column}"] * (changes or {}).get(column, 1),
            technique,
        )
        for name, row in table("VIII").items()
        for column, technique in (("GSI", "SO"), ("LB", "LB"), ("DR", "DR"))
    ]


def systems(changes: dict[str, float | None] | None = None, large: float = 5.0, **only: float) -> list[Raw]:
    """Figure 14: GSI as in Table VIII, the others slower by the given factors; each counterpart is best in turn."""
    records = []
    for turn, (name, row) in enumerate(table("VIII").items()):
        factors: dict[str, float | None] = dict.fromkeys(COUNTERPARTS, large + 5)
        factors[COUNTERPARTS[turn % 4]] = large
        factors |= {"vf3": 200.0, "cfl": 150.0, "cbwj": 120.0} | (changes or {})
        for solver, factor in factors.items():
            ms = None if factor is None else row["time_GSI"] * factor
            records.append(made("gsi2020/fig-14", solver, like(name), ms))
        records.append(gsi("fig-14", name, row["time_GSI"] * only.get("gsi", 1), "SO"))
        records.append(gsi("fig-14", name, row["time_DR"] * only.get("opt", 1), "DR"))
    return records
