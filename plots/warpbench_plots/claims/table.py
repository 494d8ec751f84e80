"""The claims table as text and as JSON."""

import json
from collections.abc import Sequence
from typing import Any

from warpbench_plots.claims.verdict import CENTRAL, CheckResult, ClaimResult, counted


def as_text(results: Sequence[ClaimResult]) -> str:
    """Claim by claim: verdict, then each part with published and measured."""
    lines = []
    for result in results:
        lines.append(f"{result.words.upper():<19} {result.claim.id}   [{origin(result)}]")
        lines.append(f"    {result.claim.statement}")
        if result.reason:
            lines.append(f"    {result.reason}")
        lines += [f"    - {sentence(*group)}" for group in grouped(result.checks)]
        lines.append("")
    lines.append(", ".join(f"{count} {verdict}" for verdict, count in counted(results).items()))
    return "\n".join(lines)


def origin(result: ClaimResult) -> str:
    """The machine, and the revisions of the code whose records were measured."""
    return f"{result.machine} @ {', '.join(r[:12] for r in result.revisions)}" if result.revisions else result.machine


def grouped(
    checks: Sequence[CheckResult],
) -> list[tuple[CheckResult, list[CheckResult]]]:
    """Checks, each with those told together with it: parts that measured nothing for the same kind of reason."""
    groups: dict[tuple[object, ...], list[CheckResult]] = {}
    for index, check in enumerate(checks):
        kind = (check.reason or "").partition(":")[0]
        groups.setdefault((check.part, kind) if check.measured is None else (index,), []).append(check)
    return [(group[0], group) for group in groups.values()]


def heading(check: CheckResult, group: Sequence[CheckResult]) -> str:
    """The part with its role, its datasets and what was published for each."""
    role = "" if check.role == CENTRAL else f" ({check.role})"
    names = list(dict.fromkeys(other.place for other in group if other.place))
    place = f" on {', '.join(names)}" if names else ""
    printed = list(dict.fromkeys(other.published for other in group))
    if len(printed) > 1:
        printed = list(dict.fromkeys(f"{other.place} {other.published}" for other in group))
    shown = unit(check) if printed[-1][-1].isdigit() else ""
    return f"{check.part}{role}{place}: published {', '.join(printed)}{shown}"


def sentence(check: CheckResult, group: Sequence[CheckResult]) -> str:
    if check.measured is None:
        return f"{heading(check, group)}; not measured ({check.reason})"
    reason = f" ({check.reason})" if check.reason else ""
    return f"{heading(check, group)}; measured {measured(check)}, accepted {check.accepted}: {check.verdict}{reason}"


def unit(check: CheckResult) -> str:
    return check.unit if check.unit in ("x", "%") else f" {check.unit}"


def measured(check: CheckResult) -> str:
    """The measured number with its interval, and on what where that is not the document's dataset."""
    quantity = check.measured
    if quantity is None:
        return "nothing"
    interval = "" if quantity.low == quantity.high else f" [{quantity.low:.3g}, {quantity.high:.3g}]"
    place = f" at {quantity.at}" if quantity.at else ""
    off = ", ".join(dict.fromkeys(map(str, check.off)))
    earlier = ", ".join(map(str, check.earlier))
    kinds = ["stand-in"] * (check.stand_in or bool(off))
    kinds += [f"off: {off}"] * bool(off) + [f"an earlier version of {earlier}"] * bool(earlier)
    kind = f" ({', '.join(kinds)})" if kinds else ""
    place += f" on {check.measured_on}{kind}" if check.stand_in else kind
    spread = f", runs differ by up to {quantity.widest}" if quantity.widest else ""
    return f"{quantity.value:.4g}{unit(check)}{interval}{place}{spread}"


def as_json(results: Sequence[ClaimResult]) -> str:
    return (
        json.dumps(
            {"schema": "claims-2.1", "claims": [_claim(result) for result in results]},
            indent=1,
        )
        + "\n"
    )


def _claim(result: ClaimResult) -> dict[str, Any]:
    return {
        "id": result.claim.id,
        "where": result.claim.where,
        "statement": result.claim.statement,
        "machine": result.machine,
        "revisions": list(result.revisions),
        "verdict": result.verdict,
        "held": [result.held, result.cases],
        "reason": result.reason,
        "checks": [_check(check) for check in result.checks],
    }


def _check(check: CheckResult) -> dict[str, Any]:
    quantity = check.measured
    return {
        "part": check.part,
        "role": check.role,
        "dataset": check.dataset,
        "measured_on": check.measured_on,
        "stand_in": check.stand_in,
        "stand_in_off": [vars(one) for one in check.off],
        "earlier_version": [vars(one) for one in check.earlier],
        "published": check.published,
        "accepted": check.accepted,
        "unit": check.unit,
        "measured": (None if quantity is None else [quantity.value, quantity.low, quantity.high]),
        "spread": (None if quantity is None or quantity.widest is None else vars(quantity.widest)),
        "at": ", ".join(filter(None, (check.at, quantity.at if quantity else ""))) or None,
        "trials": ([] if quantity is None else [record.trial for record in quantity.records]),
        "results": ([] if quantity is None else [str(record.place) for record in quantity.records]),
        "verdict": check.verdict,
        "reason": check.reason,
    }
