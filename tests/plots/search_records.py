"""Made-up records of searches for nearest neighbours, for the claims of yu2023."""

from pathlib import Path
from typing import Any

from builders import environment, judgement, record, timing
from claim_cases import judge_on
from warpbench_plots.claims.verdict import ClaimResult

PREFIX = "yu2023/ann/"
REAL = [
    "sift1m",
    "gist",
    "nytimes",
    "glove200",
    "uq-v",
    "msong",
    "notre",
    "ukbench",
    "deep",
    "sift10m",
]
Raw = dict[str, Any]


def made(
    experiment: str,
    solver: str,
    dataset: str = "sift1m",
    seconds: float = 1.0,
    recall: float = 0.8,
    **rest: Any,
) -> Raw:
    """A record of a search; `build` is the time of the construction, `k` and `counters` as in a record."""
    parameters: Raw = {"method": "document"} if solver == "ganns" else {}
    build, k, counters = (
        rest.pop("build", 1.0),
        rest.pop("k", 10),
        rest.pop("counters", {}),
    )
    dimension, covers = rest.pop("dimension", 128), rest.pop("phases_s", {"kernel": seconds})
    built = record(
        solver,
        seconds,
        f"{dataset}({dimension})",
        parameters | rest | {"seen": recall, "k": k},
        experiment=f"yu2023/{experiment}",
        problem="nearest_neighbors",
        task={"k": k},
        judgement=judgement(recall=recall) | {"verdict": "approximate"},
        prepare={"median_s": build, "phases_s": {"build": build}},
        work={"queries": 2000.0, "points": 1e6, "dimension": dimension},
        counters=counters,
        phases_s=covers,
        time=timing(seconds),
    )
    built["solver"]["device"] = "cpu" if solver in ("nsw", "hnsw") else "gpu"
    return built


def judge(folder: Path, claim: str, records: list[Raw], **env: Any) -> ClaimResult:
    machine = environment("fixture-gpu", records[0]["backend"], **env)
    return judge_on(folder, PREFIX + claim, records, machine)


def curves(slower: float, datasets: list[str] = REAL, worse: float = 0.0, **rest: Any) -> list[Raw]:
    """Curves of Figure 4.4, with SONG slower by a factor and its recall lower by `worse`; GIST tops out at 0.97."""
    return [
        made(
            rest.get("experiment", "fig-4.4"),
            solver,
            name,
            seconds * factor,
            recall - lost,
        )
        for name in datasets
        for solver, factor, lost in (("ganns", 1.0, 0.0), ("song", slower, worse))
        for seconds, recall in ((1.0, 0.7), (1.5, 0.9), (4.0, 0.97 if name == "gist" else 0.995))
    ]
