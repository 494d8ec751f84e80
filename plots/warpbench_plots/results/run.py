"""A run directory (results.jsonl, environment.json, spec.yaml), and several of them grouped by experiment."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from warpbench_plots.errors import InputError, Refused
from warpbench_plots.files import read_yaml
from warpbench_plots.results.environment import Environment, read_environment
from warpbench_plots.results.reader import ResultsFile, latest, read_results
from warpbench_plots.results.records import Record
from warpbench_plots.results.unverified import contradictions


@dataclass(frozen=True)
class Spec:
    """The experiment as it was run, in the parts that figures, claims and the report need."""

    experiment: str
    title: str
    problem: str
    datasets: tuple[str, ...]
    solvers: tuple[str, ...]
    figures: tuple[Mapping[str, Any], ...]
    claims: tuple[str, ...]
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    path: Path
    spec: Spec
    environment: Environment
    records: tuple[Record, ...]
    warnings: tuple[str, ...]
    executions: tuple[Record, ...] = ()  # further ones of its trials (`warpbench run --calibrate`)
    outside: tuple[Record, ...] = ()  # of trials that the spec has no more; they do not count

    def further(self, record: Record) -> Iterator[Record]:
        """The further executions of a record's trial. Those by another program do not count."""
        return (one for one in self.executions if (one.trial, one.revision) == (record.trial, record.revision))


@dataclass(frozen=True)
class Experiment:
    """All given runs of one experiment, taken together. Where machines are compared by name, `machines` has the runs of
    each."""

    spec: Spec
    runs: tuple[Run, ...]
    records: tuple[Record, ...]
    machines: Mapping[str, "Experiment"] = field(default_factory=dict)

    @property
    def sides(self) -> Mapping[str, "Experiment"]:
        """The machines; the experiment itself, without a name, where none are compared."""
        return self.machines or {"": self}


def read_run(path: Path, specs: Path | None = None) -> Run:
    """Reads and checks a whole run directory. With `specs`, see spec_of_run()."""
    if not any((path / name).exists() for name in ("results.jsonl", "environment.json", "spec.yaml")):
        raise InputError(f"{path}: is not a run directory, nor a folder of them")
    spec = spec_of_run(path, specs)
    environment = read_environment(path / "environment.json")
    results = read_results(path / "results.jsonl")
    calibration = path / "calibration.jsonl"
    executions = read_results(calibration) if calibration.exists() else ResultsFile((), ())
    for record in (*results.records, *executions.records):
        if record.machine != environment.machine:
            raise Refused(
                f"{record.place}: run {record.run} was made on machine {record.machine}, "
                f"but environment.json describes {environment.machine}"
            )
        if record.experiment != spec.experiment:
            raise InputError(f"{record.place}: belongs to {record.experiment}, but spec.yaml is {spec.experiment}")
    every = latest(results.records)
    records = tuple(record for record in every if record.trial not in environment.outside)
    outside = tuple(record for record in every if record.trial in environment.outside)
    further = tuple(one for one in executions.records if one.trial not in environment.outside)
    warnings = [*results.warnings, *executions.warnings, *contradictions(records)]
    if outside:
        warnings.append(
            f"{path}: {len(outside)} further trials have records, but spec.yaml has them no more: they do not count"
        )
    return Run(path, spec, environment, records, tuple(warnings), further, outside)


def read_spec(path: Path) -> Spec:
    return parse_spec(read_yaml(path), path)


def spec_of_run(path: Path, specs: Path | None = None) -> Spec:
    """The spec of a run directory. Its figures are those of `specs`/EXPERIMENT.yaml, if there is such a file: how a
    record is drawn may have changed since it was made."""
    spec = read_spec(path / "spec.yaml")
    file = specs / f"{spec.experiment}.yaml" if specs is not None else None
    if file is None or not file.exists():
        return spec
    newer = read_spec(file)
    if (newer.experiment, newer.problem) != (spec.experiment, spec.problem):
        expected = f"{spec.experiment} of {spec.problem}"
        raise InputError(f"{file}: expected the experiment {expected}, found {newer.experiment} of {newer.problem}")
    return replace(spec, figures=newer.figures)


def parse_spec(raw: Any, path: Path) -> Spec:
    """The typed spec of a parsed file; errors name `path`."""
    if not isinstance(raw, dict):
        raise InputError(f"{path}: expected a mapping with experiment, problem, datasets, solvers")
    for key in ("experiment", "problem"):
        if not isinstance(raw.get(key), str):
            raise InputError(f"{path}: {key}: expected a name, found {raw.get(key)!r}")
    figure = raw.get("figure") or []
    figures = figure if isinstance(figure, list) else [figure]
    claims = raw.get("claims") or []
    if not all(isinstance(f, dict) for f in figures):
        raise InputError(f"{path}: figure: expected a mapping or a list of mappings")
    if not (isinstance(claims, list) and all(isinstance(c, str) for c in claims)):
        raise InputError(f"{path}: claims: expected a list of claim ids")
    return Spec(
        experiment=raw["experiment"],
        title=str(raw.get("title") or raw["experiment"]),
        problem=raw["problem"],
        datasets=_names(raw.get("datasets"), f"{path}: datasets"),
        solvers=_names(raw.get("solvers"), f"{path}: solvers"),
        figures=tuple(figures),
        claims=tuple(claims),
        raw=raw,
    )


def _names(entries: Any, where: str) -> tuple[str, ...]:
    """Names from a list of `name`, `{name: …}`, and files or generated datasets, which have a key `name`."""
    if entries is None:
        return ()
    if not isinstance(entries, list):
        raise InputError(f"{where}: expected a list")
    names = []
    for entry in entries:
        if isinstance(entry, str):
            names.append(entry)
        elif isinstance(entry, dict) and isinstance(entry.get("name"), str):
            names.append(entry["name"])
        elif isinstance(entry, dict) and len(entry) == 1 and "file" not in entry:
            names.append(str(next(iter(entry))))
    return tuple(dict.fromkeys(names))


def by_experiment(runs: Sequence[Run]) -> list[Experiment]:
    """Runs of the same experiment joined, in the order given; a trial found in two runs is refused."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.spec.experiment, []).append(run)
    experiments = []
    for name, members in groups.items():
        seen: dict[str, Run] = {}
        for run in members:
            for record in run.records:
                if record.trial in seen and seen[record.trial] is not run:
                    raise Refused(
                        f"{name}: trial {record.trial} is in {seen[record.trial].path} and in {run.path} "
                        f"(run {record.run}): give one of them"
                    )
                seen[record.trial] = run
        records = tuple(record for run in members for record in run.records)
        experiments.append(Experiment(members[0].spec, tuple(members), records))
    return experiments
