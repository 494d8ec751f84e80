"""Curves: what one record says of its steps, such as the RMSE after each iteration over the time until then."""

from collections.abc import Sequence
from itertools import pairwise

from warpbench_plots.errors import InputError, nearest
from warpbench_plots.fields.declared import Curve, declarations
from warpbench_plots.fields.formula import number_of
from warpbench_plots.fields.names import look_up
from warpbench_plots.results.records import Record

Steps = Sequence[tuple[float, float]]  # x, y


def curve(name: str, where: str) -> Curve:
    """The declared curve of that name; `where` opens the message for an unknown one."""
    known = declarations().curves
    if name not in known:
        raise InputError(f"{where}: unknown curve {name!r}{nearest(name, known)}; known: {', '.join(known)}")
    return known[name]


def steps_of(which: Curve, record: Record) -> Steps:
    """The record's steps from the first to the last that it has; x never falls."""
    found: list[tuple[float, float]] = []
    while True:
        x, y = (number_of(look_up(record.raw, path.format(len(found) + 1))) for path in (which.x, which.y))
        if x is None or y is None:
            return found
        found.append((float(x), float(y)))


def value_at(steps: Steps, x: float) -> float:
    """y at x, on the straight line between two steps; before the first step and after the last one theirs."""
    if x <= steps[0][0]:
        return steps[0][1]
    for (low, y_low), (high, y_high) in pairwise(steps):
        if low <= x <= high:
            return y_high if high == low else y_low + (y_high - y_low) * (x - low) / (high - low)
    return steps[-1][1]


def falls_to(steps: Steps, y: float) -> float | None:
    """The first x at which y, which was above, is reached, on the straight line between two steps."""
    for (low, y_low), (high, y_high) in pairwise(steps):
        if y_low > y >= y_high:
            return low + (high - low) * (y_low - y) / (y_low - y_high)
    return None
