"""Measured numbers with their intervals, and the reasons for which there is none."""

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from warpbench_plots.claims.spread import CONFIDENCE, Known
from warpbench_plots.fields.frontier import interpolated
from warpbench_plots.results.records import Record


class NotTested(Exception):
    """This part of a claim cannot be tested on the given runs; `kind` is one of KINDS."""

    KINDS = (
        "hardware",
        "no GPU",
        "simt",
        "dataset absent",
        "not run",
        "failed",
        "terms differ",
        "not comparable",
        "undecided",
        "no data",
    )

    def __init__(self, kind: str, because: str) -> None:
        super().__init__(f"{kind}: {because}")
        assert kind in self.KINDS
        self.kind = kind


ENOUGH = 6  # samples: the chance that it lies outside is 2 / 2^6


NEVER_REPEATED = "no run was repeated that shows how much {} differ from run to run"


def confidence_of(samples: int) -> float:
    """That the true median lies within the range of so many samples."""
    return 1 - 2.0 ** (1 - samples)


@dataclass(frozen=True)
class Timed:
    """The evidence of a time: its samples, and how much executions differ. `varies` is false for a share of two times,
    in which a slower execution cancels out. `term` is the side of the measure that the time is on."""

    samples: int
    confidence: float
    spread: Known | None = None
    varies: bool = False
    term: str = ""

    @property
    def lacks_spread(self) -> bool:
        return self.varies and self.spread is None

    @property
    def doubt(self) -> str | None:
        """Why it decides nothing."""
        if self.confidence >= CONFIDENCE:
            return NEVER_REPEATED.format("such times") if self.lacks_spread else None
        if self.samples < ENOUGH:
            return f"{self.samples} sample{'s' * (self.samples != 1)} a point; a verdict needs {ENOUGH}"
        return f"a confidence of {self.confidence:.3g}; a verdict needs {CONFIDENCE:g}"


@dataclass(frozen=True)
class Measured:
    """A number, the interval it lies in, and the records it was computed from; `at` says where on a curve.

    `times` has those among what it was computed from that are times, or follow from them.
    """

    value: float
    low: float
    high: float
    records: tuple[Record, ...]
    at: str = ""
    times: tuple[Timed, ...] = ()

    @property
    def widest(self) -> Known | None:
        """Of the spreads that its interval allows for, the largest; none where a time has none."""
        if any(time.lacks_spread for time in self.times):
            return None
        spreads = [time.spread for time in self.times if time.spread is not None]
        return max(spreads, key=lambda spread: spread.factor) if spreads else None

    @property
    def doubt(self) -> str | None:
        """Why nothing can be decided by it, whatever its interval is; the fewest samples say it."""
        doubtful = [time for time in self.times if time.doubt]
        if not doubtful:
            return None
        first = min(doubtful, key=lambda time: time.samples)
        if first.confidence >= CONFIDENCE and any(time.spread for time in self.times):
            lacking = dict.fromkeys(time.term for time in self.times if time.lacks_spread)
            return NEVER_REPEATED.format(f"times of {' and '.join(lacking)}")
        return first.doubt

    def scaled(self, factor: float) -> "Measured":
        return replace(self, value=self.value * factor, low=self.low * factor, high=self.high * factor)

    def spread(self, factor: float) -> "Measured":
        """With an interval that holds all values whose ratio to this one is within the root of `factor`.

        The ratio of two such numbers then has an interval that holds all ratios within the whole factor.
        """
        low, high = sorted((self.value / math.sqrt(factor), self.value * math.sqrt(factor)))
        return replace(self, low=min(self.low, low), high=max(self.high, high))


def _computed(operands: Sequence[Measured], value: float, low: float, high: float) -> Measured:
    """A number that follows from others."""
    return Measured(
        value, low, high, tuple(record for q in operands for record in q.records), times=_all_times(operands)
    )


def _all_times(quantities: Sequence[Measured]) -> tuple[Timed, ...]:
    return tuple(time for q in quantities for time in q.times)


def ratio(above: Measured, below: Measured) -> Measured:
    """above / below; the ends of its interval are the smallest and the largest possible ratio."""
    if below.value <= 0 or below.low <= 0:
        raise NotTested("no data", "the denominator is zero")
    return _computed(
        (above, below),
        above.value / below.value,
        above.low / below.high,
        above.high / below.low,
    )


def reduction(before: Measured, after: Measured) -> Measured:
    """The share of `before` that `after` no longer needs."""
    left = ratio(after, before)
    return replace(left, value=1 - left.value, low=1 - left.high, high=1 - left.low)


def difference(above: Measured, below: Measured) -> Measured:
    """above - below."""
    return _computed(
        (above, below),
        above.value - below.value,
        above.low - below.high,
        above.high - below.low,
    )


def between(below: Measured, above: Measured, share: float) -> Measured:
    """The geometric mean of two positive quantities, `share` of the way from the one to the other."""
    if below.low <= 0 or above.low <= 0:
        raise NotTested("no data", "only positive values can be interpolated")
    return _computed(
        (below, above),
        interpolated(below.value, above.value, share),
        interpolated(below.low, above.low, share),
        interpolated(below.high, above.high, share),
    )


def mean(quantities: list[Measured]) -> Measured:
    """The arithmetic mean; its interval is the mean of the intervals' ends."""
    number = len(quantities)
    value, low, high = (sum(getattr(q, end) for q in quantities) / number for end in ("value", "low", "high"))
    return _computed(quantities, value, low, high)


def share(quantities: list[Measured]) -> Measured:
    """The share of the quantities that are above 1; its interval counts those that surely are, and that may be."""
    number = len(quantities)
    value, low, high = (sum(getattr(q, end) > 1 for q in quantities) / number for end in ("value", "low", "high"))
    return _computed(quantities, value, low, high)


def gains(quantities: list[Measured]) -> Measured:
    """The mean of those above 1."""
    above = [q for q in quantities if q.value > 1]
    if not above:
        raise NotTested("no data", "nowhere is there a gain")
    return mean(above)


def pooled(quantities: Sequence[Measured]) -> Measured:
    """One quantity of several runs: their median, and the interval from the lowest end to the highest.

    One run without doubt is enough to decide by; the others still widen the interval.
    """
    whole = _computed(
        quantities,
        statistics.median(q.value for q in quantities),
        min(q.low for q in quantities),
        max(q.high for q in quantities),
    )
    sound = [q for q in quantities if not q.doubt]
    return replace(whole, times=_all_times(sound)) if sound else whole


def largest(quantities: Sequence[Measured]) -> Measured:
    return _foremost(quantities, max)


def smallest(quantities: Sequence[Measured]) -> Measured:
    return _foremost(quantities, min)


def _foremost(quantities: Sequence[Measured], first: Callable[..., Any]) -> Measured:
    """The winner, with the interval that the true extreme lies in: another may be ahead of it.

    The doubt of those that may be counts as well.
    """
    winner: Measured = first(quantities, key=lambda q: q.value)
    rivals = [q for q in quantities if q is winner or (q.low <= winner.high and q.high >= winner.low)]
    return replace(
        winner,
        low=first(q.low for q in quantities),
        high=first(q.high for q in quantities),
        times=_all_times(rivals),
    )
