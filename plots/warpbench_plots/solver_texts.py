"""What the program says of a solver: its title, source and parameters (data/solvers.json)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from warpbench_plots.files import read_text
from warpbench_plots.locations import DATA


@dataclass(frozen=True)
class SolverText:
    """`parameters`: name → default, unit and meaning; `words`: name → value → the word that specs have for it."""

    title: str
    source: str
    parameters: Mapping[str, tuple[str, str, str]]
    words: Mapping[str, Mapping[str, str]]


@cache
def _solvers() -> dict[tuple[str, str], SolverText]:
    return {
        (one["problem"], one["solver"]): SolverText(
            one["title"],
            one["source"],
            {p["name"]: (p["default"], p["unit"], p["meaning"]) for p in one["parameters"]},
            {p["name"]: p["words"] for p in one["parameters"] if "words" in p},
        )
        for one in json.loads(read_text(DATA / "solvers.json"))
    }


def described(problem: str, solver: str) -> SolverText | None:
    """None for a solver that this version of the program does not have."""
    return _solvers().get((problem, solver))


def word_of(problem: str, solver: str, parameter: str, value: str) -> str:
    """`all` for 0 threads; the value itself where there is no word for it."""
    known = described(problem, solver)
    return value if known is None else known.words.get(parameter, {}).get(value, value)
