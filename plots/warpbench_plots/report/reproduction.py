"""The commands that make the records of a report again."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from warpbench_plots.locations import CHECKOUT
from warpbench_plots.results.run import Run

_DIGITS = 12  # of a revision


def _from_here(path: Path) -> str:
    """The path from the checkout's root where it lies in it, else the whole path."""
    full = path.resolve()
    return str(full.relative_to(CHECKOUT) if full.is_relative_to(CHECKOUT) else full)


def _again(place: str) -> str:
    """Where a run of that place goes: beside the committed ones, so that nothing is overwritten."""
    return (
        f"results/again/{place.removeprefix('results/').strip('/')}" if not place.startswith("/") else f"{place}-again"
    )


def commands(runs: Sequence[Run]) -> list[str]:
    """Shell commands for the checkout's root. Each revision is built in a folder of its own: a spec may be younger than
    the program that ran it, and so not be there at that revision. The folder under build/ was named after the backend
    once and is named bench now, so that a pattern finds the program."""
    lines: list[str] = []
    folders: dict[tuple[str, str], str] = {}  # by revision and backend
    for run in runs:
        environment = run.environment
        program = (environment.revision, environment.backend)
        if program not in folders:
            folder = f"../warpbench-{environment.revision[:_DIGITS]}"
            folders[program] = f"{folder}-{environment.backend}" if folder in folders.values() else folder
            lines.append(f"git worktree add {folders[program]} {environment.revision}")
            lines.append(f"make -C {folders[program]} build BACKEND={environment.backend}")
        if environment.dirty:
            lines.append("# that program had changes that no revision holds")
        others = {record.revision for record in run.records if not environment.revision.startswith(record.revision)}
        if others:
            lines.append(f"# some of these records are by the revisions {', '.join(sorted(others))}")
        place = _from_here(run.path)
        spec, out = shlex.quote(f"{place}/spec.yaml"), shlex.quote(_again(place))
        lines.append(f"{folders[program]}/build/*/warpbench run {spec} --out {out}")
    again = " ".join(shlex.quote(_again(_from_here(run.path))) for run in runs)
    lines.append(f".venv/bin/python -m warpbench_plots report {again} --out report.html")
    return lines
