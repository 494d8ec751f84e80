"""Runs of several machines, each with the name that the user gives it, set side by side."""

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

from warpbench_plots.errors import InputError, Refused
from warpbench_plots.results.run import Experiment, Run, by_experiment

_NAME = re.compile(r"[A-Za-z0-9_-]+")


def parse_machines(given: Sequence[str]) -> dict[str, Path]:
    """Name → path of `NAME=DIR` arguments."""
    machines: dict[str, Path] = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not equals or not path or not _NAME.fullmatch(name):
            raise InputError(f"--machine: expected NAME=DIR, a name of letters, digits, '-', '_', found {text!r}")
        if name in machines:
            raise InputError(f"--machine: {name} names {machines[name]} and {path}: give each machine its own name")
        machines[name] = Path(path)
    if len(machines) < 2:
        raise InputError(
            f"--machine: found {given[0]} alone, nothing to compare: give a second, or the directory alone"
        )
    return machines


def by_machine(runs: Mapping[str, Sequence[Run]]) -> list[Experiment]:
    """The experiments, each with the runs of every machine. Refuses machines with other experiments or figures, and a
    run that two machines have."""
    machines = {name: {one.spec.experiment: one for one in by_experiment(own)} for name, own in runs.items()}
    for one, other in combinations(machines, 2):
        _refuse_differing(one, machines[one], other, machines[other])
    experiments = []
    for name, first in next(iter(machines.values())).items():
        sides = {machine: own[name] for machine, own in machines.items()}
        together = [run for side in sides.values() for run in side.runs]
        records = tuple(record for run in together for record in run.records)
        experiments.append(Experiment(first.spec, tuple(together), records, sides))
    return experiments


def _refuse_differing(one: str, mine: Mapping[str, Experiment], other: str, others: Mapping[str, Experiment]) -> None:
    if differing := sorted(mine.keys() ^ others.keys()):
        has, lacks = (one, other) if differing[0] in mine else (other, one)
        raise Refused(f"{has} has {differing[0]}, {lacks} has not: give both the same experiments, or choose by --fig")
    for name in mine:
        if mine[name].spec.figures != others[name].spec.figures:
            raise Refused(f"{name}: {one} and {other} ask for different figures: run both by one spec")
        same = {run.path.resolve() for run in mine[name].runs} & {run.path.resolve() for run in others[name].runs}
        for path in same:
            raise Refused(f"{one} and {other} are the same run, {path}: give the directory of another machine")
