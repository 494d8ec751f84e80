"""Axes: scales, ticks and their words; durations have the unit that a person reads."""

import math
from collections.abc import Collection, Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator, ScalarFormatter

_IN_SECONDS = "(s)"  # in the label of a field: the unit of its values
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_EXPONENT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Durations(FuncFormatter):
    """Words for the ticks of an axis whose values are seconds."""


def scale_axes(axes: Axes, log: Collection[str], x_label: str, y_label: str) -> None:
    """Makes the named axes logarithmic, and labels both."""
    for which, label in (("x", x_label), ("y", y_label)):
        if which in log:
            make_logarithmic(axes, which)
        label_axis(axes, which, label)


def make_logarithmic(axes: Axes, which: str) -> None:
    """Unless no value on the axis is above zero: such an axis stays linear."""
    least = axes.dataLim.minposy if which == "y" else axes.dataLim.minposx
    if math.isfinite(least):
        (axes.set_yscale if which == "y" else axes.set_xscale)("log")


def label_axis(axes: Axes, which: str, label: str) -> None:
    """Names an axis and its ticks: 0.1, 10, 4.4M rather than powers, and a logarithmic one between decades where these
    are few. Where the axis is so short that three digits would repeat, each tick has as many as it needs. Ticks of
    durations read `20 ms`; those of a linear axis leave their one unit to the label.
    """
    axis = axes.yaxis if which == "y" else axes.xaxis
    low, high = sorted(axis.get_view_interval())
    is_log, is_short = axis.get_scale() == "log", high - low < 0.1 * max(abs(low), abs(high))
    if is_log:
        if low > 0 and high / low < 100:
            crowded = high / low > (8 if which == "y" else 3)
            axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if crowded else tuple(range(1, 10))))
        axis.set_minor_formatter(NullFormatter())
    if _IN_SECONDS not in label:
        three_digits = FuncFormatter(lambda value, _: number(value))
        axis.set_major_formatter(ScalarFormatter(useOffset=False) if is_short else three_digits)
    elif is_log and not is_short:
        axis.set_major_formatter(Durations(lambda value, _: seconds(value)))
        label = label.replace(f" {_IN_SECONDS}", "")
    else:
        size, unit = unit_of(max(abs(low), abs(high)))
        axis.set_major_formatter(Durations(lambda value, _: f"{value / size:.6g}"))
        label = label.replace(_IN_SECONDS, f"({unit})")
    axis.set_label_text(label)


def tick_values(axes: Axes, values: Sequence[float]) -> None:
    """Puts the ticks of the x axis at the values of a parameter, as far as their words have room: at all of them where
    they are few, and where they are powers of two on a logarithmic axis; elsewhere the ticks stay."""
    is_log, ordered = axes.get_xscale() == "log", sorted(values)
    powers = is_log and are_powers_of_two(ordered)
    if not ordered or (len(ordered) > 8 and not powers):
        return
    words = [power_of_two(value) if powers else number(value) for value in ordered]
    place = axes.transData.transform
    kept: list[int] = []
    for at, value in enumerate(ordered):
        # A letter takes about 0.08 inch.
        room = 0.08 * axes.figure.dpi * (1 + (len(words[at]) + len(words[kept[-1]])) / 2) if kept else 0.0
        if not kept or place((value, 1))[0] - place((ordered[kept[-1]], 1))[0] >= room:
            kept.append(at)
    axes.set_xticks([ordered[at] for at in kept], [words[at] for at in kept])
    if powers:
        axes.xaxis.set_minor_locator(NullLocator())


def are_powers_of_two(values: Sequence[float]) -> bool:
    return all(value >= 1 and float(value).is_integer() and int(value).bit_count() == 1 for value in values)


def power_of_two(value: float) -> str:
    """Up to 65536 in full, above as 2¹⁷."""
    whole = int(value)
    return str(whole) if whole < 1 << 17 else f"2{str(whole.bit_length() - 1).translate(_EXPONENT)}"


def words_for(label: str, value: float) -> str:
    """A value of a field with this label: with its unit if it is a duration, else in three digits."""
    return seconds(value) if _IN_SECONDS in label else number(value)


def number(value: float) -> str:
    """A number in three digits: 0.001, 12.3, 4.4M."""
    if value == 0:
        return "0"
    size = abs(value)
    rounded = float(f"{size:.3g}")  # 999.9k is 1M
    for limit, suffix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")):
        if rounded >= limit:
            scale = 1e3 if suffix == "k" else limit
            return f"{value / scale:.3g}{suffix}"
    if size >= 1000:
        return f"{value:.0f}"
    return f"{value:.3g}" if size >= 1e-4 else f"{value:.1e}"


def seconds(value: float) -> str:
    """A duration with its unit, three digits."""
    size, unit = unit_of(value)
    scaled = value / size
    return f"{scaled:.0f} {unit}" if abs(scaled) >= 1e3 else f"{scaled:.3g} {unit}"


def unit_of(value: float) -> tuple[float, str]:
    """The largest unit of time in which the value is at least 1 after rounding to three digits; seconds for 0."""
    return next((pair for pair in _UNITS if abs(value) / pair[0] >= 0.9995), _UNITS[-1] if value else _UNITS[0])
