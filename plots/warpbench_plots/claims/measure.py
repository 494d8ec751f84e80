"""Computes a check's measure from records, or says why it cannot."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from warpbench_plots.claims.evaluations import Check, Term
from warpbench_plots.claims.measured import (
    Measured,
    NotTested,
    between,
    difference,
    largest,
    ratio,
    reduction,
    smallest,
)
from warpbench_plots.fields.field import Field
from warpbench_plots.guards import terms_sentence
from warpbench_plots.results.environment import Environment
from warpbench_plots.results.records import Record

_PAIRS: Mapping[str, Callable[[Measured, Measured], Measured]] = {
    "ratio": ratio,
    "reduction": reduction,
    "difference": difference,
}
_COMBINE: Mapping[str, Callable[[list[Measured]], Measured]] = {
    "largest": largest,
    "smallest": smallest,
    "largest_available": largest,
    "smallest_available": smallest,
}


class Measurement:
    """One check on one dataset."""

    def __init__(self, check: Check, terms: Mapping[str, Term], records: Sequence[Record]) -> None:
        self._check = check
        self._terms = terms
        self._records = records

    def result(self) -> Measured:
        return self._evaluate(self._check.measure).scaled(self._check.scale)

    def _evaluate(self, measure: Any) -> Measured:
        if isinstance(measure, str):
            return self._term(self._terms[measure])
        ((operation, operands),) = measure.items()
        if operation in _PAIRS:
            above, below = (self._evaluate(operand) for operand in operands)
            self._same_terms(above, below)
            return _PAIRS[operation](above, below)
        found = []
        for operand in operands:
            try:
                found.append(self._evaluate(operand))
            except NotTested:
                if not operation.endswith("_available"):
                    raise
        if not found:
            raise NotTested("no data", f"none of {', '.join(map(str, operands))} was measured")
        return _COMBINE[operation](found)

    def _same_terms(self, above: Measured, below: Measured) -> None:
        if not any(f.timed for f in self._check.fields):
            return
        for one in above.records:
            for other in below.records:
                sentence = terms_sentence(one, other, self._check.accept)
                if sentence:
                    raise NotTested("terms differ", sentence)

    def _term(self, term: Term) -> Measured:
        if term.unavailable:
            raise NotTested("hardware", term.unavailable)
        matching = term.select.of(self._records)
        if not matching:
            raise NotTested("not run", f"no trial of {term.name} ({term.select})")
        usable = _usable(matching, self._check.fields, term)
        quantities = [q for q in (_read(record, self._check.fields) for record in usable) if q is not None]
        if not quantities:
            names = " or ".join(f.text for f in self._check.fields)
            raise NotTested("no data", f"{term.name}: no trial records {names}")
        if term.at is not None:
            return _at(quantities, *term.at, term)
        if term.pick in ("largest", "smallest"):
            return largest(quantities) if term.pick == "largest" else smallest(quantities)
        if not any(f.timed for f in self._check.fields) and len({q.value for q in quantities}) > 1:
            trials = ", ".join(q.records[0].trial for q in quantities)
            raise NotTested("no data", f"{term.name}: trials {trials} give different values")
        return largest(quantities) if term.pick == "worst" else smallest(quantities)


def _usable(matching: Sequence[Record], fields: Sequence[Field], term: Term) -> list[Record]:
    """The records whose value may be used; where there is none, NotTested says why by the first record."""
    timed = any(f.timed for f in fields)
    if any(f.counts_failures for f in fields):
        return list(matching)
    usable = [r for r in matching if (r.timed if timed else r.status == "ok")]
    if usable:
        return usable
    first = matching[0]
    if first.status == "no_device":
        raise NotTested("no GPU", f"{term.name}: {first.reason or 'no device'}")
    if first.status == "ok" and first.functional:
        raise NotTested(
            "simt",
            f"{term.name}: kernels were executed on the CPU, answers {first.verification}",
        )
    raise NotTested(
        "failed",
        f"{term.name}: trial {first.trial} is {first.status}: {first.reason or first.verification}",
    )


def _at(quantities: Sequence[Measured], which: Field, wanted: float, term: Term) -> Measured:
    """The value at which `which` reaches `wanted`, interpolated between the nearest two trials of the frontier.

    The frontier holds the trials that no other beats, by reaching at least as much with a smaller value.
    """
    reached = [(number, q) for q in quantities if (number := which.number(q.records[0])) is not None]
    kept: list[tuple[float, Measured]] = []
    for number, q in sorted(reached, key=lambda pair: (-pair[0], pair[1].value)):
        if not kept or q.value < kept[-1][1].value:
            kept.append((number, q))
    above = [pair for pair in kept if pair[0] >= wanted]
    below = [pair for pair in kept if pair[0] <= wanted]
    if not above or not below:
        found = f"{kept[-1][0]:.3g} to {kept[0][0]:.3g}" if kept else "nothing"
        raise NotTested(
            "no data",
            f"{term.name}: {which.text} {wanted:g} lies outside what was measured, {found}",
        )
    (high, upper), (low, lower) = above[-1], below[0]
    return upper if high == low else between(lower, upper, (wanted - low) / (high - low))


def _read(record: Record, fields: Sequence[Field]) -> Measured | None:
    for which in fields:
        value = which.number(record)
        if value is not None:
            low, high = which.interval(record) or (value, value)
            return Measured(value, low, high, (record,))
    return None


def check_needs(needs: Mapping[str, Any], environment: Environment, records: Sequence[Record]) -> None:
    """Refuses a machine on which the check's number would mean nothing."""
    if environment.cores < needs.get("cores", 0):
        raise NotTested(
            "hardware",
            f"published on {needs['cores']} cores, this machine has {environment.cores}",
        )
    names = [gpu.name for gpu in environment.gpus]
    if "gpu" in needs and not any(re.search(needs["gpu"], name) for name in names):
        raise NotTested("hardware", f"needs {needs['gpu']}, here is {', '.join(names) or 'no GPU'}")
    if "device_memory_max" in needs:
        limits = [(r.raw.get("protocol") or {}).get("device_memory_bytes") for r in records]
        sizes = [gpu.memory_bytes for gpu in environment.gpus] + [size for size in limits if size]
        if not sizes:
            raise NotTested("no GPU", "the machine has no GPU")
        if min(sizes) > needs["device_memory_max"]:
            gigabytes = needs["device_memory_max"] / 1e9
            raise NotTested(
                "hardware",
                f"needs at most {gigabytes:g} GB of device memory (protocol.device_memory_bytes)",
            )
