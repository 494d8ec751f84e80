"""The commands that make the records of a report again."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from warpbench_plots.results.run import Run

_DIGITS = 12  # of a revision


def _checkout(path: Path) -> Path | None:
    """The root of the checkout that holds the path. The package may be installed elsewhere, so its own place says
    nothing."""
    return next((one for one in path.resolve().parents if (one / "plots" / "warpbench_plots").is_dir()), None)


def _home(runs: Sequence[Run]) -> Path | None:
    """The checkout whose root the commands are for: that of the first run that lies in one."""
    return next(filter(None, (_checkout(run.path) for run in runs)), None)


def _named(path: Path, home: Path | None) -> str:
    """The path from the checkout's root where it lies in it, else as it was given."""
    full = path.resolve()
    return str(full.relative_to(home) if home and full.is_relative_to(home) else path)


def where(runs: Sequence[Run]) -> str:
    """Where the commands are to be given."""
    if _home(runs):
        return "In the root of a checkout of Warpbench"
    revisions = ", ".join(dict.fromkeys(run.environment.revision for run in runs))
    return f"In a checkout of revision {revisions} of Warpbench; run directories are named as they were given"


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
    home = _home(runs)
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
        place = _named(run.path, home)
        spec, out = shlex.quote(f"{place}/spec.yaml"), shlex.quote(_again(place))
        lines.append(f"{folders[program]}/build/*/warpbench run {spec} --out {out}")
    again = " ".join(shlex.quote(_again(_named(run.path, home))) for run in runs)
    lines.append(f".venv/bin/python -m warpbench_plots report {again} --out report.html")
    return lines
