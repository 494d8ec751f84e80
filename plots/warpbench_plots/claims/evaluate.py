"""Evaluates claims on runs: published and measured side by side, and a verdict with its reason."""

from collections.abc import Iterable, Sequence

from warpbench_plots.claims.catalogue import Claim, expand
from warpbench_plots.claims.evaluations import evaluations
from warpbench_plots.claims.parts import Case, Part, Source
from warpbench_plots.claims.verdict import (
    FAILS,
    HOLDS,
    UNTESTED,
    CheckResult,
    ClaimResult,
)
from warpbench_plots.results.run import Run


def evaluate_runs(runs: Sequence[Run]) -> list[ClaimResult]:
    """Every claim that the runs' specs name, on each machine and revision by itself: no ratio crosses them."""
    results = []
    for source in _sources(runs):
        members = [run for run in runs if any(map(source.is_of, run.records))]
        results += [evaluate(claim, source) for claim in _named(members)]
    return results


def evaluate(claim: Claim, source: Source) -> ClaimResult:
    """One claim on the records of one machine and revision."""
    book = evaluations(claim.document)
    evaluation = book.claims.get(claim.id) if book else None
    if book is None or evaluation is None:
        return _result(claim, source, UNTESTED, "no evaluation is written for this claim")
    case = Case(claim, book, evaluation, source)
    parts = [Part(case, check) for check in evaluation.checks]
    results = [part.results() for part in parts]
    verdicts = [part.verdict(own) for part, own in zip(parts, results, strict=True)]
    checks = [check for own in results for check in own]
    verdict = FAILS if FAILS in verdicts else HOLDS if HOLDS in verdicts else UNTESTED
    return _result(claim, source, verdict, _reason(verdict, checks, verdicts), checks)


def _result(
    claim: Claim,
    source: Source,
    verdict: str,
    reason: str,
    checks: Iterable[CheckResult] = (),
) -> ClaimResult:
    return ClaimResult(claim, source.machine, source.revision, verdict, reason, tuple(checks))


def _sources(runs: Sequence[Run]) -> list[Source]:
    records = [record for run in runs for record in run.records]
    sources = []
    for machine, revision in dict.fromkeys((record.machine, record.revision) for record in records):
        environment = next(run.environment for run in runs if run.environment.machine == machine)
        own = [record for record in records if (record.machine, record.revision) == (machine, revision)]
        sources.append(Source(machine, revision, environment, own))
    return sources


def _named(runs: Sequence[Run]) -> list[Claim]:
    """The claims that the runs' specs name, each once."""
    entries = ((entry, str(run.path / "spec.yaml")) for run in runs for entry in run.spec.claims)
    return list({claim.id: claim for entry, where in entries for claim in expand(entry, where)}.values())


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
