"""Evaluates claims on runs: published and measured side by side, and a verdict with its reason."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from warpbench_plots.claims.catalogue import Claim, expand
from warpbench_plots.claims.evaluations import evaluations
from warpbench_plots.claims.parts import Case, Part
from warpbench_plots.claims.source import Source
from warpbench_plots.claims.stand_ins import OFF_FACTOR, hardness_is_unpublished
from warpbench_plots.claims.verdict import (
    CENTRAL,
    CONSTRUCTED,
    FAILS,
    HOLDS,
    PARTLY,
    UNTESTED,
    CheckResult,
    ClaimResult,
)
from warpbench_plots.results.run import Run

_HARDNESS = (
    "how hard the originals are (intrinsic dimension, hubness) is not published; "
    "that of the stand-ins is measured, but not compared"
)


def evaluate_runs(runs: Sequence[Run]) -> list[ClaimResult]:
    """Every claim that the runs' specs name, on each machine by itself, on all of its records there."""
    results = []
    for machine in dict.fromkeys(run.environment.machine for run in runs):
        members = [run for run in runs if run.environment.machine == machine]
        source = Source(machine, members)
        results += [evaluate(claim, source) for claim in _named(members)]
    return results


def evaluate(claim: Claim, source: Source) -> ClaimResult:
    """One claim on the records of one machine."""
    book = evaluations(claim.document)
    evaluation = book.claims.get(claim.id) if book else None
    if book is None or evaluation is None:
        return ClaimResult(claim, source.machine, (), UNTESTED, 0, 0, "no evaluation is written for this claim", ())
    case = Case(claim, book, evaluation, source)
    parts = [Part(case, check) for check in evaluation.checks]
    results = [part.results() for part in parts]
    cases = [one for part, own in zip(parts, results, strict=True) for one in part.cases(own)]
    central = [one for one in cases if one.role == CENTRAL]
    held = sum(one.verdict == HOLDS for one in central)
    verdict = _verdict(central, [one for one in cases if one.role == CONSTRUCTED])
    checks = tuple(_with_earlier(check, source) for own in results for check in own)
    revisions = dict.fromkeys(
        record.revision for check in checks if check.measured for record in check.measured.records
    )
    reason = "; ".join(filter(None, (_reason(verdict, cases, checks), _left_out(case.left_out))))
    return ClaimResult(claim, source.machine, tuple(revisions), verdict, held, len(central), reason, checks)


def _with_earlier(check: CheckResult, source: Source) -> CheckResult:
    records = check.measured.records if check.measured else ()
    return replace(check, earlier=tuple(dict.fromkeys(filter(None, map(source.earlier, records)))))


def _verdict(central: Sequence[CheckResult], constructed: Sequence[CheckResult]) -> str:
    verdicts = {one.verdict for one in central}
    if FAILS in verdicts or any(one.verdict == FAILS for one in constructed):
        return FAILS
    if not central and constructed:
        return CONSTRUCTED if any(one.verdict == HOLDS for one in constructed) else UNTESTED
    if HOLDS not in verdicts:
        return UNTESTED
    return HOLDS if verdicts == {HOLDS} else PARTLY


def _named(runs: Sequence[Run]) -> list[Claim]:
    """The claims that the runs' specs name, each once."""
    entries = ((entry, str(run.path / "spec.yaml")) for run in runs for entry in run.spec.claims)
    return list({claim.id: claim for entry, where in entries for claim in expand(entry, where)}.values())


def _reason(verdict: str, cases: Sequence[CheckResult], checks: Sequence[CheckResult]) -> str:
    deciding = [one for one in cases if one.role in (CENTRAL, CONSTRUCTED)]
    if verdict == UNTESTED:
        words = list(dict.fromkeys(one.reason for one in deciding or cases if one.reason))
        return "; ".join(words + _notes([check for check in checks if (check.reason or "").startswith("undecided")]))
    words = []
    if verdict == FAILS:
        words.append(f"not met: {_places(one for one in deciding if one.verdict == FAILS)}")
    if verdict == PARTLY:
        kinds: dict[str, list[CheckResult]] = {}
        for one in deciding:
            if one.verdict == UNTESTED:
                kinds.setdefault((one.reason or "").partition(":")[0], []).append(one)
        words += [f"{kind}: {_places(open_cases)}" for kind, open_cases in kinds.items()]
    return "; ".join(words + _notes(checks))


def _notes(checks: Sequence[CheckResult]) -> list[str]:
    """The stand-ins and versions of data on which the checks were measured, in words."""
    words = []
    stand_ins = dict.fromkeys(f"{c.measured_on} for {c.dataset}" for c in checks if c.stand_in and c.measured)
    if stand_ins:
        words.append(f"on stand-ins: {', '.join(stand_ins)}")
    off = dict.fromkeys(f"{one.dataset} ({one})" for check in checks for one in check.off)
    if off:
        words.append(f"stand-ins that are off by more than {OFF_FACTOR}x: {', '.join(off)}")
    earlier = dict.fromkeys(str(one) for check in checks for one in check.earlier)
    if earlier:
        words.append(f"on an earlier version of {', '.join(earlier)}")
    records = (record for c in checks if c.measured and c.role != CONSTRUCTED for record in c.measured.records)
    if any(map(hardness_is_unpublished, records)):
        words.append(_HARDNESS)
    return words


def _left_out(datasets: Mapping[str, Sequence[str]]) -> str:
    if not datasets:
        return ""
    places = (f"{name} of run {', '.join(runs)}" for name, runs in datasets.items())
    return f"left out, because a newer run has other data of that name: {'; '.join(places)}"


def _places(cases: Iterable[CheckResult]) -> str:
    """Parts, each with its datasets."""
    datasets: dict[str, dict[str, None]] = {}
    for one in cases:
        datasets.setdefault(one.part, {}).update({one.place: None} if one.place else {})
    return "; ".join(" on ".join(filter(None, (part, ", ".join(names)))) for part, names in datasets.items())
