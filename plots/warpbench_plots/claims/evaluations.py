"""The evaluations (data/evaluations/*.yaml): how each claim is computed from records."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from warpbench_plots.claims.verdict import ASIDE, CENTRAL, CONSTRUCTED
from warpbench_plots.errors import InputError
from warpbench_plots.fields.curve import curve
from warpbench_plots.fields.declared import Curve, declarations
from warpbench_plots.fields.field import Field, field
from warpbench_plots.fields.frontier import Level, level
from warpbench_plots.fields.selectors import Selector, selector
from warpbench_plots.files import read_yaml
from warpbench_plots.guards import TERMS
from warpbench_plots.locations import DATA
from warpbench_plots.results.records import Scalar

CHECK_KEYS = frozenset(
    {
        "part",
        "published",
        "measure",
        "datasets",
        "over",
        "accept",
        "tolerance",
        "rule",
        "needs",
        "stand_in",
    }
    | {"not_tested", "field", "unit", "scale", "sizes", "bound", "role", "along", "when", "comparable", "at"}
)
# The first is the default.
CHOICES = {
    "over": ("all", "any", "mean", "share", "gains"),
    "sizes": ("largest", "each"),
    "bound": ("near", "at_least"),
    "role": (CENTRAL, ASIDE, CONSTRUCTED),
}
PAIRS = ("ratio", "reduction", "difference")
# Those that end in _available leave out measures without data.
COMBINATIONS = ("largest", "smallest", "largest_available", "smallest_available")
PICKS = ("best", "worst", "largest", "smallest")
NEEDS = frozenset({"cores", "gpu", "device_memory_max"})


@dataclass(frozen=True)
class Term:
    """One side of a measure: the records it selects, and which of them counts.

    `pick` is best or worst by time, largest or smallest by value. `at` takes the value at which another field, such as
    recall, reaches a number, interpolated between two trials of the frontier.
    """

    name: str
    select: Selector
    pick: str
    at: Level | None
    unavailable: str | None


@dataclass(frozen=True)
class Moments:
    """Where the curve of a term falls to so many times the value of a field of its trial."""

    term: str
    falls_to: tuple[float, ...]
    of: Field


@dataclass(frozen=True)
class Check:
    """One part of a claim.

    `measure` is a term's name or an operation over measures: ratio, reduction, difference, largest, smallest, and
    largest_available and smallest_available, which leave out measures without data. `at` has a field, such as the
    task's threshold, and the values of it at which the check is made, each by itself. `over` says whether all cases
    (datasets, and the values of `at` on each) must agree, any of them, their mean, the share of them whose measure is
    above 1, or the mean of those. With `each_size` every size of a dataset counts, else the largest alone. With
    `at_least` the published value is a lower bound. `along` compares the terms' curves at every value of a field
    that both reach; along a declared curve, the curves of their fastest trials, at each step or at the moments of
    `when`. `comparable` selects the records that the published number can be compared with, and says why.
    """

    part: str
    published: int | None
    measure: Any
    fields: tuple[Field, ...]
    datasets: tuple[str, ...] | None
    over: str
    each_size: bool
    accept: frozenset[str]
    tolerance: float | None
    at_least: bool
    rule: Mapping[str, float] | None
    needs: Mapping[str, Any]
    refuse_stand_in: bool
    not_tested: tuple[str, str] | None
    unit: str
    scale: float
    role: str
    along: Field | Curve | None
    when: Moments | None
    at: tuple[Field, tuple[Scalar, ...]] | None
    comparable: tuple[Selector, str] | None


@dataclass(frozen=True)
class Evaluation:
    experiments: tuple[str, ...]
    checks: tuple[Check, ...]


@dataclass(frozen=True)
class Evaluations:
    """The file of one document."""

    terms: Mapping[str, Term]
    tolerance: float
    claims: Mapping[str, Evaluation]


@cache
def evaluations(document: str) -> Evaluations | None:
    """The evaluations of a document, or None where none were written yet."""
    path = DATA / "evaluations" / f"{document}.yaml"
    return parse(read_yaml(path), str(path)) if path.is_file() else None


def parse(raw: Mapping[str, Any], where: str) -> Evaluations:
    terms = {str(name): _term(str(name), entry, where) for name, entry in raw["terms"].items()}
    claims = {}
    for identifier, entry in raw["evaluations"].items():
        place = f"{where}: {identifier}"
        checks = tuple(_check(check, terms, place) for check in entry["checks"])
        claims[str(identifier)] = Evaluation(tuple(entry["experiments"]), checks)
    return Evaluations(terms, raw["tolerance"], claims)


def _term(name: str, raw: Mapping[str, Any], where: str) -> Term:
    place = f"{where}: terms: {name}"
    pick, at = raw.get("pick", "best"), raw.get("at")
    if pick not in PICKS or set(raw) - {"select", "pick", "at", "unavailable"}:
        keys = f"select, pick: {'|'.join(PICKS)}, at, unavailable"
        raise InputError(f"{place}: expected {keys}; found {dict(raw)!r}")
    if at is not None and "pick" in raw:
        raise InputError(f"{place}: at: expected no pick beside it, found {pick!r}")
    return Term(
        name,
        selector(raw.get("select", {}), place),
        pick,
        level(at, place) if at is not None else None,
        raw.get("unavailable"),
    )


def _check(raw: Mapping[str, Any], terms: Mapping[str, Term], where: str) -> Check:
    unknown = set(raw) - CHECK_KEYS | set(raw.get("needs", {})) - NEEDS | set(raw.get("accept", [])) - set(TERMS)
    if unknown:
        raise InputError(f"{where}: unknown {', '.join(sorted(unknown))}")
    untested = raw.get("not_tested")
    if untested is None:
        _check_measure(raw.get("measure"), terms, where)
    if "gpu" in raw.get("needs", {}):
        re.compile(raw["needs"]["gpu"])
    for key, known in CHOICES.items():
        if raw.get(key, known[0]) not in known:
            raise InputError(f"{where}: {key}: expected one of {', '.join(known)}, found {raw[key]!r}")
    names = raw.get("field", "time")
    comparable = raw.get("comparable")
    return Check(
        part=raw["part"],
        published=raw.get("published"),
        measure=raw.get("measure"),
        fields=tuple(field(name, where) for name in ([names] if isinstance(names, str) else names)),
        datasets=tuple(raw["datasets"]) if "datasets" in raw else None,
        over=raw.get("over", "all"),
        each_size=raw.get("sizes") == "each",
        accept=frozenset(raw.get("accept", ())),
        tolerance=raw.get("tolerance"),
        at_least=raw.get("bound") == "at_least",
        rule=raw.get("rule"),
        needs=raw.get("needs", {}),
        refuse_stand_in=raw.get("stand_in") == "refuse",
        not_tested=(untested["kind"], untested["because"]) if untested else None,
        unit=raw.get("unit", "x"),
        scale=float(raw.get("scale", 1)),
        role=raw.get("role", CENTRAL),
        along=_along(raw["along"], where) if "along" in raw else None,
        when=_when(raw, terms, where) if "when" in raw else None,
        at=_at(raw["at"], where) if "at" in raw else None,
        comparable=(selector(comparable["where"], where), comparable["because"]) if comparable else None,
    )


def _along(name: str, where: str) -> Field | Curve:
    return curve(name, where) if name in declarations().curves else field(name, where)


def _when(raw: Mapping[str, Any], terms: Mapping[str, Term], where: str) -> Moments:
    when = raw["when"]
    if not isinstance(when, Mapping) or set(when) != {"term", "falls_to", "of"}:
        raise InputError(f"{where}: when: expected {{term: TERM, falls_to: [numbers], of: FIELD}}, found {when!r}")
    if raw.get("along") not in declarations().curves:
        raise InputError(f"{where}: when: expected a declared curve for along, found {raw.get('along')!r}")
    _check_measure(when["term"], terms, f"{where}: when")
    return Moments(when["term"], tuple(map(float, when["falls_to"])), field(when["of"], where))


def _at(raw: Any, where: str) -> tuple[Field, tuple[Scalar, ...]]:
    if not (isinstance(raw, Mapping) and len(raw) == 1 and isinstance(next(iter(raw.values())), list)):
        raise InputError(f"{where}: at: expected {{FIELD: [values]}}, found {raw!r}")
    ((name, values),) = raw.items()
    return field(str(name), where), tuple(values)


def _check_measure(measure: Any, terms: Mapping[str, Term], where: str) -> None:
    if isinstance(measure, str):
        if measure not in terms:
            raise InputError(f"{where}: measure: {measure!r} is not one of the terms {', '.join(terms)}")
        return
    if not isinstance(measure, Mapping) or len(measure) != 1:
        raise InputError(f"{where}: measure: expected a term or one operation, found {measure!r}")
    ((operation, operands),) = measure.items()
    if operation not in (*PAIRS, *COMBINATIONS):
        raise InputError(f"{where}: measure: unknown operation {operation!r}")
    if not isinstance(operands, list) or (operation in PAIRS and len(operands) != 2):
        raise InputError(f"{where}: measure: {operation}: expected a list{' of two' if operation in PAIRS else ''}")
    for operand in operands:
        _check_measure(operand, terms, where)
