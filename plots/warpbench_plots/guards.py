"""Rules for what may be combined: one machine and one revision in a figure, unless machines are compared by name under
the same conditions; equal terms in a ratio."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations

from warpbench_plots.errors import Refused
from warpbench_plots.fields.field import threads
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Run

TERMS = ("covers", "threads", "precision")


def one_source(records: Iterable[Record], what: str) -> None:
    """Refuses records of several machines or revisions, naming the runs of each."""
    kept = list(records)
    for kind in ("machine", "revision"):
        runs: dict[str, dict[str, None]] = {}
        for record in kept:
            runs.setdefault(getattr(record, kind), {})[record.run] = None
        if len(runs) > 1:
            parts = "; ".join(f"{value}: run {', '.join(names)}" for value, names in runs.items())
            raise Refused(f"{what}: mixes {len(runs)} {kind}s ({parts})")


def one_machine(runs: Iterable[Run], instead: str) -> None:
    """Refuses runs of an experiment on several machines at once, where each of its figures would be refused; `instead`
    says what shows them."""
    first: dict[str, Run] = {}
    for run in runs:
        other = first.setdefault(run.spec.experiment, run)
        names = [one.environment.machine for one in (other, run)]
        if names[0] != names[1]:
            places = " and ".join(f"{name} ({one.path})" for name, one in zip(names, (other, run), strict=True))
            raise Refused(f"{run.spec.experiment} was run on {places}: {instead}")


def same_conditions(sides: Mapping[str, Iterable[Record]], what: str) -> None:
    """Refuses machines that measured other data, other tasks or other parts of a solve under the same names."""
    told: dict[str, dict[str, dict[str, None]]] = {}  # condition → machine → its values
    for name, records in sides.items():
        for record in records:
            for condition, value in _conditions(record):
                told.setdefault(condition, {}).setdefault(name, {})[value] = None
    for condition, values in told.items():
        for one, other in combinations(values, 2):
            # A sweep that one machine has not ended shares values with the other's.
            if values[one].keys().isdisjoint(values[other]):
                said = " and ".join(f"{', '.join(values[name])} on {name}" for name in (one, other))
                raise Refused(f"{what}: {condition} is {said}: compare runs of one spec on the same data")


def _conditions(record: Record) -> Iterator[tuple[str, str]]:
    """What must agree between machines. Threads need not: a solver may use all that its machine has."""
    if record.dataset.digest is not None:
        yield f"the digest of {record.dataset.name}", record.dataset.digest
    for key, value in record.raw["task"].items():
        yield f"task.{key} on {record.dataset.name}", str(value)
    if record.timed and record.time is not None:
        yield f"what the time of {record.solver.name} covers", _joined(record.time.covers)
        if record.time.precision:
            yield f"the precision of {record.solver.name}", record.time.precision


def differing_terms(one: Record, other: Record) -> dict[str, tuple[str, str]]:
    """The terms in which two timed records differ: term → what each says."""
    if one.time is None or other.time is None:
        return {}
    pairs = {"covers": (_joined(one.time.covers), _joined(other.time.covers))}
    # Threads are a term between CPU solvers; a GPU solver has none to compare.
    if one.solver.device == other.solver.device == "cpu":
        pairs["threads"] = (str(threads(one)), str(threads(other)))
    if one.time.precision and other.time.precision:
        pairs["precision"] = (one.time.precision, other.time.precision)
    return {term: pair for term, pair in pairs.items() if pair[0] != pair[1]}


def terms_sentence(one: Record, other: Record, accepted: Collection[str]) -> str | None:
    """Why the two may not be divided, or None where they may."""
    differing = {term: pair for term, pair in differing_terms(one, other).items() if term not in accepted}
    if not differing:
        return None
    parts = "; ".join(f"{term}: {pair[0]} against {pair[1]}" for term, pair in differing.items())
    return f"trial {one.trial} ({one.place}) and trial {other.trial} ({other.place}) differ in {parts}"


def _joined(names: Iterable[str]) -> str:
    return "+".join(sorted(names)) or "nothing"
