"""Evaluates claims on runs: published and measured side by side, and a verdict with its reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warpbench_plots.claims.catalogue import Claim, expand
from warpbench_plots.claims.evaluations import Check, Evaluation, Evaluations, evaluations
from warpbench_plots.claims.measure import Measurement, check_needs, on_dataset, sizes_of
from warpbench_plots.claims.quantity import NotTested, Quantity, mean
from warpbench_plots.errors import InputError
from warpbench_plots.results.environment import Environment
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Run

HOLDS = "holds"
FAILS = "does not hold"
UNTESTED = "not tested here"


@dataclass(frozen=True)
class Bounds:
    """What counts as agreeing, inclusive."""

    low: float | None
    high: float | None

    def verdict(self, quantity: Quantity) -> str:
        """Decided by the whole interval: one that crosses a bound decides nothing."""
        above = self.low is None or quantity.low >= self.low
        below = self.high is None or quantity.high <= self.high
        if above and below:
            return HOLDS
        if (self.low is not None and quantity.high < self.low) or (self.high is not None and quantity.low > self.high):
            return FAILS
        raise NotTested(
            "undecided", f"the interval [{quantity.low:.3g}, {quantity.high:.3g}] crosses the bound of {self}"
        )

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return "no number"
        if self.low is None:
            return f"at most {self.high:.4g}"
        return f"at least {self.low:.4g}" if self.high is None else f"{self.low:.4g} to {self.high:.4g}"


@dataclass(frozen=True)
class CheckResult:
    """One part of a claim on one dataset."""

    part: str
    dataset: str | None
    measured_on: str | None
    stand_in: bool
    published: str
    accepted: str
    unit: str
    measured: Quantity | None
    verdict: str
    reason: str | None


@dataclass(frozen=True)
class ClaimResult:
    claim: Claim
    machine: str
    revision: str
    verdict: str
    reason: str
    checks: tuple[CheckResult, ...]


def evaluate_runs(runs: Sequence[Run]) -> list[ClaimResult]:
    """Every claim that the runs' specs name, on each machine and revision by itself: no ratio crosses them."""
    results = []
    for (machine, revision), records in _groups(runs).items():
        environment = next(r.environment for r in runs if r.environment.machine == machine)
        named: dict[str, Claim] = {}
        for run in runs:
            if any(record.machine == machine and record.revision == revision for record in run.records):
                for entry in run.spec.claims:
                    named |= {found.id: found for found in expand(entry, str(run.path / "spec.yaml"))}
        for claim in named.values():
            results.append(evaluate(claim, records, environment, machine, revision))
    return results


def _groups(runs: Sequence[Run]) -> dict[tuple[str, str], list[Record]]:
    groups: dict[tuple[str, str], list[Record]] = {}
    for run in runs:
        for record in run.records:
            groups.setdefault((record.machine, record.revision), []).append(record)
    return groups


def evaluate(
    claim: Claim, records: Sequence[Record], environment: Environment, machine: str, revision: str
) -> ClaimResult:
    """One claim on the records of one machine and revision."""
    book = evaluations(claim.document)
    evaluation = book.claims.get(claim.id) if book else None
    if book is None or evaluation is None:
        return ClaimResult(claim, machine, revision, UNTESTED, "no evaluation is written for this claim", ())
    parts = [_part(check, claim, book, evaluation, records, environment) for check in evaluation.checks]
    verdicts = [_of_part(check, results) for check, results in zip(evaluation.checks, parts, strict=True)]
    checks = tuple(result for results in parts for result in results)
    verdict = FAILS if FAILS in verdicts else HOLDS if HOLDS in verdicts else UNTESTED
    return ClaimResult(claim, machine, revision, verdict, _reason(verdict, checks, verdicts), checks)


def _part(
    check: Check,
    claim: Claim,
    book: Evaluations,
    evaluation: Evaluation,
    records: Sequence[Record],
    environment: Environment,
) -> list[CheckResult]:
    datasets: Sequence[str | None] = check.datasets if check.datasets is not None else claim.datasets
    results = []
    for name in datasets or (None,):
        for size in _sizes(check, evaluation, records, name):
            results.append(_first(check, claim, book, evaluation, records, environment, name, size))
    return [_mean(check, claim, book, results)] if check.over == "mean" else results


def _sizes(
    check: Check, evaluation: Evaluation, records: Sequence[Record], dataset: str | None
) -> Sequence[str | None]:
    """What to look for in the records for a dataset: its name, or the name of each size of it."""
    if not check.each_size or dataset in (None, "any"):
        return (dataset,)
    return sizes_of([r for r in records if r.experiment in evaluation.experiments], str(dataset)) or (dataset,)


def _mean(check: Check, claim: Claim, book: Evaluations, results: Sequence[CheckResult]) -> CheckResult:
    """One result of those of all datasets, each of which must have been measured in some size."""
    entry = claim.published[check.published] if check.published is not None else {}
    bounds = _bounds(check, entry, None, book)
    kept = [result for result in results if result.measured is not None]
    have = dict.fromkeys(result.dataset for result in kept)
    missing = [result for result in results if result.dataset not in have]
    measured: Quantity | None = None
    verdict, reason = UNTESTED, missing[0].reason if missing else None
    if not missing:
        measured = mean([result.measured for result in kept if result.measured is not None])
        try:
            verdict = bounds.verdict(measured)
        except NotTested as untested:
            reason = str(untested)
    names = ", ".join(
        _of_sizes([result.measured_on or "" for result in kept if result.dataset == name]) for name in have
    )
    stand_in = any(result.stand_in for result in kept)
    label = ", ".join(dict.fromkeys(str(result.dataset) for result in results))
    return CheckResult(
        *(check.part, label, names, stand_in, _printed(entry, None, None), str(bounds)),
        *(check.unit, measured, verdict, reason),
    )


def _of_sizes(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0].partition('(')[0]} ({len(names)} sizes)"


def _first(
    check: Check,
    claim: Claim,
    book: Evaluations,
    evaluation: Evaluation,
    records: Sequence[Record],
    environment: Environment,
    dataset: str | None,
    size: str | None,
) -> CheckResult:
    """The check on the first experiment that decides it: protocols differ, so no ratio crosses experiments."""
    names = [name for name in evaluation.experiments if any(r.experiment == name for r in records)]
    results = []
    for name in names:
        own = [record for record in records if record.experiment == name]
        results.append(_check(check, claim, book, evaluation, own, environment, dataset, size))
    if not results:
        results.append(_check(check, claim, book, evaluation, [], environment, dataset, size))
    decided = [result for result in results if result.verdict != UNTESTED]
    measured = [result for result in results if result.measured is not None]
    return (decided or measured or results)[0]


def _check(
    check: Check,
    claim: Claim,
    book: Evaluations,
    evaluation: Evaluation,
    records: Sequence[Record],
    environment: Environment,
    dataset: str | None,
    size: str | None,
) -> CheckResult:
    entry = claim.published[check.published] if check.published is not None else {}
    sets = _sets(records, size)
    bounds = _bounds(check, entry, dataset, book, sets)
    measured: Quantity | None = None
    measured_on, stand_in, reason = None, False, None
    try:
        if check.not_tested:
            raise NotTested(*check.not_tested)
        if not records:
            raise NotTested("not run", f"no trial of {' or '.join(evaluation.experiments)}")
        own = records if size in (None, "any") else on_dataset(records, str(size))
        check_needs(check.needs, environment, own)
        if size not in (None, "any"):
            measured_on, stand_in = own[0].dataset.name, own[0].stands_in
        measured = Measurement(check, book.terms, own).quantity()
        if stand_in and check.refuse_stand_in:
            raise NotTested("dataset absent", f"an absolute number, and {measured_on} only stands in for {dataset}")
        if bounds == Bounds(None, None):
            raise NotTested("no data", f"the document prints no number for {sets} sets of {dataset}")
        verdict = bounds.verdict(measured)
    except NotTested as untested:
        verdict, reason = UNTESTED, str(untested)
    return CheckResult(
        check.part,
        dataset,
        measured_on,
        stand_in,
        _printed(entry, dataset, sets),
        str(bounds),
        check.unit,
        measured,
        verdict,
        reason,
    )


def _sets(records: Sequence[Record], size: str | None) -> int | None:
    """How many sets the records' dataset has: numbers printed for several k are found by it."""
    try:
        found = on_dataset(records, str(size))[0].dataset.properties.get("sets")
    except NotTested:
        return None
    return int(found) if isinstance(found, int | float) else None


def _bounds(
    check: Check, entry: Mapping[str, Any], dataset: str | None, book: Evaluations, sets: int | None = None
) -> Bounds:
    if check.rule is not None:
        return Bounds(check.rule.get("min"), check.rule.get("max"))
    value = _single(entry, dataset, sets)
    if value is not None:
        if check.at_least:
            return Bounds(value / (check.tolerance or 1.0), None)
        factor = check.tolerance or (book.approximate_tolerance if entry.get("approx") else book.tolerance)
        return Bounds(value / factor, value * factor)
    if isinstance((entry.get("per_dataset") or {}).get(dataset), list):
        return Bounds(None, None)
    low, high, factor = entry.get("min"), entry.get("max"), check.tolerance or 1.0
    if low is None and high is None and not check.not_tested:
        raise InputError(f"evaluations: part {check.part!r}: give a rule, its published entry has no number to compare")
    return Bounds(None if low is None else low / factor, None if high is None else high * factor)


def _single(entry: Mapping[str, Any], dataset: str | None, sets: int | None) -> float | None:
    """The one number printed; where a dataset has a list of them, one for each `k`, that for so many sets."""
    values = entry.get("per_dataset") or {}
    value = values.get(dataset, entry.get("value"))
    if isinstance(value, list):
        value = dict(zip(entry["at"].get("k", ()), value, strict=False)).get(sets)
    return float(value) if isinstance(value, int | float) else None


def _printed(entry: Mapping[str, Any], dataset: str | None, sets: int | None) -> str:
    """The document's number in its own words."""
    about = "about " if entry.get("approx") else ""
    value = _single(entry, dataset, sets)
    if value is not None:
        return f"{about}{value:g}"
    low, high = entry.get("min"), entry.get("max")
    if low is not None and high is not None:
        return f"{about}{low:g} to {high:g}"
    if low is not None or high is not None:
        return f"{about}at least {low:g}" if low is not None else f"{about}at most {high:g}"
    return "an ordering" if entry.get("order_tail") or not entry else str(entry.get("formula", "no number"))


def _of_part(check: Check, results: Sequence[CheckResult]) -> str:
    """A part over its datasets: all must agree, or, for an "up to", any."""
    verdicts = [result.verdict for result in results]
    decided = (HOLDS, UNTESTED, FAILS) if check.over == "any" else (FAILS, HOLDS, UNTESTED)
    return next(verdict for verdict in decided if verdict in verdicts)


def _reason(verdict: str, checks: Sequence[CheckResult], parts: Sequence[str]) -> str:
    reasons = list(dict.fromkeys(check.reason for check in checks if check.reason))
    if verdict == UNTESTED:
        return "; ".join(reasons)
    tested = sum(part != UNTESTED for part in parts)
    words = [] if tested == len(parts) else [f"{tested} of {len(parts)} parts tested"]
    stand_ins = dict.fromkeys(f"{c.measured_on} for {c.dataset}" for c in checks if c.stand_in and c.measured)
    if stand_ins:
        words.append(f"on stand-ins: {', '.join(stand_ins)}")
    if verdict == FAILS:
        failed = [f"{c.part}{f' on {c.dataset}' if c.dataset else ''}" for c in checks if c.verdict == FAILS]
        words.insert(0, f"not met: {'; '.join(failed)}")
    return "; ".join(words)
