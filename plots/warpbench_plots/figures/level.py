"""Points whose value several trials have together, where a field such as recall reaches a number."""

from collections.abc import Sequence
from dataclasses import replace

from warpbench_plots.errors import Refused
from warpbench_plots.fields.field import Field
from warpbench_plots.fields.frontier import Level, around, frontier, interpolated, outside
from warpbench_plots.figures.grammar import FigureSpec
from warpbench_plots.figures.points import Point, case_of
from warpbench_plots.results.records import Record, Scalar


def at_level(spec: FigureSpec, level: Level, points: Sequence[Point]) -> list[Point]:
    """A point for each place on the axes, with the value of its trials at the level. The frontier is that of claims; of
    what is neither a time nor a rate, such as a share, it is that of the fastest trials."""
    places: dict[tuple[Scalar, str, str], list[Point]] = {}
    for point in points:
        own = places.setdefault((point.x, point.series, point.facet), [])
        _refuse_mixture(spec, [*own[:1], point])
        own.append(point)
    return [_joined(own, level, spec.y) for own in places.values()]


def _refuse_mixture(spec: FigureSpec, points: Sequence[Point]) -> None:
    """Between trials of different solvers, datasets or tasks nothing can be interpolated."""
    records = [point.record for point in points if point.record is not None]
    if len({(record.solver.name, *case_of(record)) for record in records}) > 1:
        raise Refused(
            f"figure {spec.name}: at: trials {' and '.join(record.trial for record in records)} have one place, but "
            "are of different solvers, datasets or tasks: split them by x, series, facet or where"
        )


def _joined(points: Sequence[Point], level: Level, y: Field) -> Point:
    which, wanted = level
    valued = [(point.record, point) for point in points if point.y is not None and point.record is not None]
    if not valued:
        return points[0]  # why the first has none
    reached = [
        (number, point, cost)
        for record, point in valued
        if (number := which.number(record)) is not None and (cost := _cost(y, record)) is not None
    ]
    if not reached:
        return _without(valued[0][1], f"no {which.text}")
    better = ("higher", "higher" if y.is_rate else "lower")
    kept = [(number, point) for number, point, _ in frontier(reached, lambda one: (one[0], one[2]), better)]
    found = around(kept, wanted)
    if found is None:
        return _without(kept[0][1], outside(which.text, wanted, kept))
    lower, upper, share = found
    if lower is upper:
        return replace(upper, published=())
    value, low, high = (_between(getattr(lower, end), getattr(upper, end), share) for end in ("y", "low", "high"))
    if value is None:
        return _without(upper, "only positive values can be interpolated")
    return replace(upper, y=value, low=low, high=high, below=lower.record, published=())


def _cost(y: Field, record: Record) -> float | None:
    if y.is_seconds or y.is_rate:
        return y.number(record)
    return record.time.median_s if record.time is not None else None


def _without(point: Point, mark: str) -> Point:
    return replace(point, y=None, low=None, high=None, mark=mark, published=())


def _between(low: float | None, high: float | None, share: float) -> float | None:
    """None where a number is missing or not positive."""
    return interpolated(low, high, share) if low and high and low > 0 and high > 0 else None
