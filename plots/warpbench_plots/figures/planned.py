"""The plans of `warpbench plan` and `run`: specs with their trials, of which all is known but what is measured."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from warpbench_plots.errors import InputError
from warpbench_plots.fields.field import Field
from warpbench_plots.fields.known import NameKind, NamesOfTrials
from warpbench_plots.fields.selectors import Selector
from warpbench_plots.files import parse_yaml, read_yaml
from warpbench_plots.results.records import Dataset, Place, Record, Solver
from warpbench_plots.results.run import Spec, parse_spec

_MEASURED = ("judgement", "time", "phases_s", "prepare", "memory", "work", "counters", "ceiling", "nvml", "facts")


@dataclass
class Plan:
    """A spec as it would be run, and its trials as records without results.

    `written` is the spec of its file, if there is one: a suite or `--set` may replace parts of it.
    """

    spec: Spec
    written: Spec | None = None
    trials: list[Record] = field(default_factory=list)

    @property
    def is_as_written(self) -> bool:
        """Whether the trials are those that the spec's file asks for."""
        parts = ("solvers", "datasets", "task")
        return self.written is None or all(self.written.raw.get(part) == self.spec.raw.get(part) for part in parts)

    def names(self) -> NamesOfTrials:
        datasets: set[str] = set()
        for trial in self.trials:
            datasets.update(trial.raw["dataset"]["parameters"])
        return NamesOfTrials(
            self.spec.problem,
            solver=frozenset(name for trial in self.trials for name in trial.solver.parameters),
            task=frozenset(name for trial in self.trials for name in trial.raw["task"]),
            dataset=frozenset(datasets),
            any_phase=any(trial.solver.name == "external" for trial in self.trials),
        )


def read_plans(lines: Iterable[str]) -> list[Plan]:
    """Plans as lines of JSON: `{"file": …, "text": …, "backend": …}` of a spec, then a line for each of its trials with
    `trial`, `dataset`, `solver` and `task` as records have them."""
    plans: list[Plan] = []
    backend = ""
    for number, line in enumerate(lines, 1):
        where = f"line {number} of the plans"
        try:
            raw = json.loads(line)
            if not isinstance(raw, dict):
                raise TypeError
            if "text" in raw:
                file, backend = Path(raw["file"]), raw["backend"]
                plans.append(Plan(parse_spec(parse_yaml(raw["text"], file), file), _written(file)))
            elif not plans:
                raise InputError(f"{where}: found a trial before its spec")
            else:
                plans[-1].trials.append(_trial(raw, plans[-1].spec, backend))
        except KeyError as error:
            raise InputError(f"{where}: expected a spec or a trial, found one without {error.args[0]}") from error
        except json.JSONDecodeError as error:
            raise InputError(f"{where}: expected JSON of a spec or a trial: {error}") from error
        except (AttributeError, TypeError, ValueError) as error:
            raise InputError(f"{where}: expected a spec or a trial, found {_shortened(line)}") from error
    return plans


def _shortened(line: str) -> str:
    line = line.strip()
    return line if len(line) <= 60 else f"{line[:60]}…"


def _written(file: Path) -> Spec | None:
    return parse_spec(read_yaml(file), file) if file.is_file() else None


def _trial(raw: Mapping[str, Any], spec: Spec, backend: str) -> Record:
    solver, dataset = raw["solver"], {"digest": None, "stand_in": False, "properties": {}, **raw["dataset"]}
    parameters = solver["parameters"]
    whole = {**raw, "dataset": dataset, "problem": spec.problem, "backend": backend, **dict.fromkeys(_MEASURED)}
    return Record(
        run="",
        trial=raw["trial"],
        experiment=spec.experiment,
        problem=spec.problem,
        dataset=Dataset(dataset["name"], None, False, {}),
        solver=Solver(solver["name"], solver["role"], solver["device"], parameters, solver["point"]),
        backend=backend,
        recorded_status="not run",
        reason=None,
        judgement=None,
        time=None,
        phases_s={},
        prepare_s=None,
        device_peak_bytes=None,
        host_peak_bytes=None,
        ceiling=None,
        machine="",
        revision="",
        place=Place(Path(), 0, ""),
        raw=whole,
    )


def is_planned(which: Field, names: NamesOfTrials) -> bool:
    """Whether the field's value is known before anything runs."""
    return all(names.kind(name) is NameKind.PLANNED for name in which.formula.names)


def could_select(selector: Selector, trials: Iterable[Record], names: NamesOfTrials) -> list[Record]:
    """The trials that the selector may select: what they will have measured does not speak against any."""
    known = Selector(tuple(one for one in selector.conditions if is_planned(one[0], names)))
    return known.of(trials)


def is_decided(selector: Selector, names: NamesOfTrials) -> bool:
    """Whether a plan tells which trials the selector selects."""
    return all(is_planned(which, names) for which, _ in selector.conditions)
