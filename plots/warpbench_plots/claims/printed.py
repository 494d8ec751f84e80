"""The number that a document prints for a part of a claim, and the measured numbers that agree with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from warpbench_plots.claims.evaluations import Check, Evaluations
from warpbench_plots.claims.measured import Measured, NotTested
from warpbench_plots.claims.verdict import FAILS, HOLDS
from warpbench_plots.errors import InputError


@dataclass(frozen=True)
class Printed:
    """A published entry as it reads for one dataset.

    `axes` picks one of several numbers: an entry printed `at: {k: [10, 20]}` has the second number where k is 20.
    """

    entry: Mapping[str, Any]
    dataset: str | None = None
    axes: Mapping[str, float] = field(default_factory=dict)

    @property
    def number(self) -> float | None:
        value = self._value
        if isinstance(value, list):
            lists = ((values, self.axes[axis]) for axis, values in self.entry["at"].items() if axis in self.axes)
            value = next(
                (dict(zip(values, value, strict=False)).get(wanted) for values, wanted in lists),
                None,
            )
        return float(value) if isinstance(value, int | float) else None

    @property
    def is_list(self) -> bool:
        return isinstance(self._value, list)

    @property
    def _value(self) -> Any:
        value = self.entry.get("value", self.entry.get("list"))
        return (self.entry.get("per_dataset") or {}).get(self.dataset, value)

    def __str__(self) -> str:
        """The document's number in its own words."""
        about = "about " if self.entry.get("approx") else ""
        value, low, high = self.number, self.entry.get("min"), self.entry.get("max")
        if value is not None:
            return f"{about}{value:g}"
        if low is not None and high is not None:
            return f"{about}{low:g} to {high:g}"
        if low is not None or high is not None:
            return f"{about}at least {low:g}" if low is not None else f"{about}at most {high:g}"
        order = self.entry.get("order_tail") or not self.entry
        return "an ordering" if order else str(self.entry.get("formula", "no number"))


@dataclass(frozen=True)
class Bounds:
    """The numbers that agree, both ends included."""

    low: float | None
    high: float | None

    def verdict(self, measured: Measured) -> str:
        """Decided by the whole interval: one that crosses a bound decides nothing, nor do too few samples."""
        if measured.doubt:
            raise NotTested("undecided", measured.doubt)
        above = self.low is None or measured.low >= self.low
        below = self.high is None or measured.high <= self.high
        if above and below:
            return HOLDS
        if (self.low is not None and measured.high < self.low) or (self.high is not None and measured.low > self.high):
            return FAILS
        raise NotTested(
            "undecided",
            f"the interval [{measured.low:.3g}, {measured.high:.3g}] crosses the bound of {self}",
        )

    def miss(self, measured: Measured) -> float:
        """How far the number lies from those that agree."""
        below = 0.0 if self.low is None else self.low - measured.value
        above = 0.0 if self.high is None else measured.value - self.high
        return max(below, above)

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return "no number"
        if self.low is None:
            return f"at most {self.high:.4g}"
        return f"at least {self.low:.4g}" if self.high is None else f"{self.low:.4g} to {self.high:.4g}"


NO_NUMBER = Bounds(None, None)
_NO_EFFECT = 1.1  # a tenth


def _near(ratio: float, tolerance: float) -> Bounds:
    """The ratios that agree with a printed one: half of its gain or loss is there, and it is within the tolerance.

    A ratio near 1 says that there is no effect: it is met by what is as near to 1.
    """
    if abs(ratio - 1) < _NO_EFFECT - 1:
        return Bounds(ratio / _NO_EFFECT, ratio * _NO_EFFECT)
    half, low, high = (1 + ratio) / 2, ratio / tolerance, ratio * tolerance
    return Bounds(max(half, low), high) if ratio > 1 else Bounds(low, min(half, high))


def accepted(check: Check, printed: Printed, book: Evaluations) -> Bounds:
    """The check's own rule, or the printed number with the tolerance it has."""
    if check.rule is not None:
        return Bounds(check.rule.get("min"), check.rule.get("max"))
    number, entry = printed.number, printed.entry
    if number is not None:
        if check.at_least:
            return Bounds(number / (check.tolerance or 1.0), None)
        if check.tolerance is not None or check.unit != "x":
            factor = check.tolerance or book.tolerance
            return Bounds(number / factor, number * factor)
        return _near(number, book.tolerance)
    if printed.is_list:
        return NO_NUMBER
    low, high, factor = entry.get("min"), entry.get("max"), check.tolerance or 1.0
    if low is None and high is None and not check.not_tested:
        raise InputError(f"evaluations: part {check.part!r}: give a rule, its published entry has no number to compare")
    return Bounds(None if low is None else low / factor, None if high is None else high * factor)
