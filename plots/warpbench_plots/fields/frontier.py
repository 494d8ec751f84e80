"""The frontier of some trials: those that no other beats. Between two of them a value is interpolated."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, TypeVar

from warpbench_plots.errors import InputError
from warpbench_plots.fields.field import Field, field

T = TypeVar("T")
Level = tuple[Field, float]  # a field, such as recall, and the number that it reaches


def level(raw: Any, where: str) -> Level:
    """`{recall: 0.8}`."""
    if isinstance(raw, Mapping) and len(raw) == 1:
        ((name, number),) = raw.items()
        if isinstance(number, int | float) and not isinstance(number, bool) and isfinite(number):
            return field(str(name), where), float(number)
    raise InputError(f"{where}: at: expected {{FIELD: number}}, such as {{recall: 0.8}}, found {raw!r}")


def frontier(items: Iterable[T], place: Callable[[T], tuple[float, float]], better: tuple[str, str]) -> list[T]:
    """What nothing else beats in x and y, from the best x on; `better` says of each whether higher or lower is."""
    x_sign, y_sign = (1.0 if way == "higher" else -1.0 for way in better)
    kept: list[T] = []
    for item in sorted(items, key=lambda one: (-x_sign * place(one)[0], -y_sign * place(one)[1])):
        if not kept or y_sign * place(item)[1] > y_sign * place(kept[-1])[1]:
            kept.append(item)
    return kept


def around(kept: Sequence[tuple[float, T]], wanted: float) -> tuple[T, T, float] | None:
    """Of a frontier, the most first: the nearest below and above the wanted number, and how much of the way lies below
    it. Both are the same where one has just that number; there are none outside of what the frontier reaches."""
    above = [pair for pair in kept if pair[0] >= wanted]
    below = [pair for pair in kept if pair[0] <= wanted]
    if not above or not below:
        return None
    (high, upper), (low, lower) = above[-1], below[0]
    return (upper, upper, 0.0) if high == low else (lower, upper, (wanted - low) / (high - low))


def interpolated(low: float, high: float, share: float) -> float:
    """The geometric mean of two positive numbers, `share` of the way from the one to the other."""
    return float(low ** (1 - share) * high**share)


def outside(name: str, wanted: float, kept: Sequence[tuple[float, Any]]) -> str:
    """Why there is no value where a field of this name has the wanted number."""
    return f"{name} {wanted:g} lies outside what was measured, {kept[-1][0]:.3g} to {kept[0][0]:.3g}"
