"""Computes a check's measure from records, or says why it cannot."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from warpbench_plots.claims.evaluations import Check, Moments, Term
from warpbench_plots.claims.measured import (
    Measured,
    NotTested,
    Timed,
    between,
    confidence_of,
    difference,
    largest,
    ratio,
    reduction,
    smallest,
)
from warpbench_plots.claims.spread import Known, Spread
from warpbench_plots.fields.curve import falls_to, steps_of, value_at
from warpbench_plots.fields.declared import Curve
from warpbench_plots.fields.field import Field
from warpbench_plots.fields.frontier import around, frontier, outside
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

    def __init__(self, check: Check, terms: Mapping[str, Term], records: Sequence[Record], spread: Spread) -> None:
        self._check = check
        self._terms = terms
        self._records = records
        self._spread = spread
        self._level: float | None = None  # where on the curves, for a check along a field

    def results(self) -> list[Measured]:
        """The measure; along a field, at each of its values where a curve has a trial and every curve has a value.

        Along a declared curve: at each step of a trial that lies within the curves of all.
        """
        if self._check.along is None:
            return [self._evaluate(self._check.measure).scaled(self._check.scale)]
        return [self.at(level) for level in self.levels]

    def at(self, level: float) -> Measured:
        """The measure where all curves have this value of the field, or x of the declared curve."""
        self._level = level
        value = self._evaluate(self._check.measure).scaled(self._check.scale)
        return replace(value, at=f"{self._axis} {level:.3g}")

    @cached_property
    def levels(self) -> list[float]:
        """Where a trial of one curve lies within the curves of all; none without `along`."""
        along = self._check.along
        if along is None:
            return []
        terms = [self._terms[name] for name in _names(self._check.measure)]
        curves = [self._known(term, along) for term in terms]
        low, high = max(map(min, curves)), min(map(max, curves))
        if self._check.when is not None and isinstance(along, Curve):
            curves = [self._moments(self._check.when, along)]
        levels = sorted({number for curve in curves for number in curve if low <= number <= high})
        if not levels:
            raise NotTested("no data", f"the curves have no {self._axis} in common")
        return levels

    def _moments(self, when: Moments, along: Curve) -> list[float]:
        term = self._terms[when.term]
        record = _with_steps(self._quantities(term), along, term).records[0]
        base = when.of.number(record)
        if base is None:
            raise NotTested("no data", f"{term.name}: trial {record.trial} has no {when.of.text}")
        found = []
        for factor in when.falls_to:
            x = falls_to(steps_of(along, record), factor * base)
            if x is None:
                because = f"{along.y_label} of trial {record.trial} does not fall from above {factor * base:.3g} to it"
                raise NotTested("no data", f"{term.name}: {because}")
            found.append(x)
        return found

    @property
    def _axis(self) -> str:
        along = self._check.along
        return along.x_label if isinstance(along, Curve) else along.text if along else ""

    def _known(self, term: Term, along: Field | Curve) -> list[float]:
        """Where a term's curve has a value of its own."""
        quantities = self._quantities(term)
        if isinstance(along, Curve):
            return [x for x, _ in steps_of(along, _with_steps(quantities, along, term).records[0])]
        return [number for number, _ in _frontier(quantities, along)]

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

    def _quantities(self, term: Term) -> list[Measured]:
        """The values of the term's trials; times with the spread from run to run."""
        if term.unavailable:
            raise NotTested("hardware", term.unavailable)
        matching = term.select.of(self._records)
        if not matching:
            raise NotTested("not run", f"no trial of {term.name} ({term.select})")
        usable = _usable(matching, self._check.fields, term)
        quantities = [q for q in (self._read(record, term) for record in usable) if q is not None]
        if not quantities:
            names = " or ".join(f.text for f in self._check.fields)
            for record in usable:
                for sentence in filter(None, (f.too_few(record) for f in self._check.fields)):
                    raise NotTested("no data", f"{term.name}: trial {record.trial} has {names} with {sentence}")
            raise NotTested("no data", f"{term.name}: no trial records {names}")
        return quantities

    def _read(self, record: Record, term: Term) -> Measured | None:
        for which in self._check.fields:
            value = which.number(record)
            if value is not None and which.is_comparable(record):
                low, high = which.interval(record) or _as_the_time(value, which, record)
                varies = which.timed and not which.formula.is_quotient  # what slows a run down cancels in a share
                spread = self._spread.of(record, prepared=which.is_prepared) if varies else None
                found = Measured(value, low, high, (record,), times=self._times(which, record, spread, term))
                return found.spread(spread.factor) if spread else found
        return None

    def _times(self, which: Field, record: Record, spread: Known | None, term: Term) -> tuple[Timed, ...]:
        """The samples behind a value that is a time; the limit of a trial that solved nothing is no sample."""
        if not which.is_time or record.time is None or not record.timed:
            return ()
        samples, confidence = record.time.samples, record.time.confidence
        if which.is_prepared:
            samples = self._spread.preparations(record)
            confidence = confidence_of(samples)
        return (Timed(samples, confidence, spread, varies=not which.formula.is_quotient, term=term.name),)

    def _term(self, term: Term) -> Measured:
        quantities = self._quantities(term)
        along = self._check.along
        if along is not None and self._level is not None:
            if isinstance(along, Curve):
                return _on_curve(_with_steps(quantities, along, term), along, self._level)
            return _at(quantities, along, self._level, term)
        if term.at is not None:
            return _at(quantities, *term.at, term)
        if term.pick in ("largest", "smallest"):
            return largest(quantities) if term.pick == "largest" else smallest(quantities)
        if not any(f.timed for f in self._check.fields) and len({q.value for q in quantities}) > 1:
            trials = ", ".join(q.records[0].trial for q in quantities)
            raise NotTested("no data", f"{term.name}: trials {trials} give different values")
        return largest(quantities) if term.pick == "worst" else smallest(quantities)


def _as_the_time(value: float, which: Field, record: Record) -> tuple[float, float]:
    """Phases have no interval of their own: theirs is as wide as that of the time they are part of."""
    if which.is_prepared:
        prepare = record.raw["prepare"] or {}
        if which.formula.is_quotient or "low_s" not in prepare or not prepare["median_s"]:
            return value, value
        return value * prepare["low_s"] / prepare["median_s"], value * prepare["high_s"] / prepare["median_s"]
    time = record.time
    if time is None or time.median_s <= 0 or not which.text.startswith("phases_s.") or not which.formula.is_name:
        return value, value
    return value * time.low_s / time.median_s, value * time.high_s / time.median_s


def _usable(matching: Sequence[Record], fields: Sequence[Field], term: Term) -> list[Record]:
    """The records whose value may be used; where there is none, NotTested says why by the first record."""
    timed = any(f.timed for f in fields)
    if any(f.counts_failures for f in fields):
        return list(matching)
    usable = [r for r in matching if (r.timed if timed else r.status == "ok") or (timed and _counts_as_limits(r))]
    comparable = [r for r in usable if any(f.is_comparable(r) for f in fields)]
    if comparable:
        return comparable
    if usable:
        names = " or ".join(f.text for f in fields)
        because = f"trial {usable[0].trial} has {usable[0].solved}, and {names} does not count the others"
        raise NotTested("terms differ", f"{term.name}: {because}")
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


def _counts_as_limits(record: Record) -> bool:
    """Nothing was solved: the limits of time are known, though no time is."""
    return record.solved_nothing and not record.functional


def _at(quantities: Sequence[Measured], which: Field, wanted: float, term: Term) -> Measured:
    """The value at which `which` reaches `wanted`, interpolated between the nearest two trials of the frontier."""
    kept = _frontier(quantities, which)
    found = around(kept, wanted)
    if found is None:
        raise NotTested("no data", f"{term.name}: {outside(which.text, wanted, kept)}")
    lower, upper, share = found
    return upper if lower is upper else between(lower, upper, share)


def _with_steps(quantities: Sequence[Measured], which: Curve, term: Term) -> Measured:
    """The fastest trial that recorded the curve."""
    kept = [q for q in quantities if steps_of(which, q.records[0])]
    if not kept:
        raise NotTested("no data", f"{term.name}: no trial records {which.name}")
    return min(kept, key=lambda q: q.value)  # its own curve is read, and within its own interval


def _on_curve(time: Measured, which: Curve, x: float) -> Measured:
    """y at x of the trial whose time is given; its interval holds what y were at any time of that time's interval."""
    steps = steps_of(which, time.records[0])
    values = [value_at(steps, x * time.value / end) for end in (time.value, time.low, time.high)]
    return replace(time, value=values[0], low=min(values), high=max(values))


def _frontier(quantities: Sequence[Measured], which: Field) -> list[tuple[float, Measured]]:
    """The trials that no other beats, by reaching at least as much of `which` with a smaller value; the most first."""
    reached = [(number, q) for q in quantities if (number := which.number(q.records[0])) is not None]
    if not reached:
        raise NotTested("no data", f"no trial records {which.text}")
    return frontier(reached, lambda pair: (pair[0], pair[1].value), ("higher", "lower"))


def _names(measure: Any) -> Iterator[str]:
    """The terms of a measure."""
    if isinstance(measure, str):
        yield measure
        return
    for operand in next(iter(measure.values())):
        yield from _names(operand)


def check_needs(needs: Mapping[str, Any], environment: Environment, records: Sequence[Record]) -> None:
    """Refuses a machine on which the check's number would mean nothing."""
    if environment.cores < needs.get("cores", 0):
        raise NotTested("hardware", f"needs {needs['cores']} cores, this machine has {environment.cores}")
    threads = max((r.time.threads or 0 for r in records if r.time is not None), default=0)
    if 1 < threads < needs.get("cores", 0):  # a process may have fewer cores than its machine
        raise NotTested("hardware", f"needs {needs['cores']} cores, its trials had {threads} threads")
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
