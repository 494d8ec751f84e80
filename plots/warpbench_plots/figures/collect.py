"""Turns records into points: their place in the figure, and their number or the mark in its stead."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from warpbench_plots.errors import Refused
from warpbench_plots.fields.curve import steps_of
from warpbench_plots.fields.field import plain
from warpbench_plots.figures.grammar import FigureSpec
from warpbench_plots.figures.level import at_level
from warpbench_plots.figures.points import ZERO, FigureData, Namer, Point
from warpbench_plots.figures.published import RATIO, published_for, quoted_for
from warpbench_plots.figures.unrun import not_run
from warpbench_plots.results.records import Record, Scalar
from warpbench_plots.results.run import Experiment


def collect(spec: FigureSpec, experiment: Experiment, records: Sequence[Record], namer: Namer) -> FigureData:
    """The figure's points from the records selected for it (functional ones already taken out)."""
    if spec.right is not None:
        left = collect(replace(spec, right=None), experiment, records, namer)
        # Its kind may be that of a ratio.
        other = replace(spec, kind="lines", y=spec.right, quantities={}, right=None)
        found = collect(other, experiment, records, namer)
        right = replace(found, points=tuple(replace(point, on_right=True) for point in found.points))
        return together(spec, dict(zip(spec.side_names, (left, right), strict=True)))
    if spec.quantities:
        single = {name: replace(spec, y=which, quantities={}) for name, which in spec.quantities.items()}
        return together(spec, {name: collect(one, experiment, records, namer) for name, one in single.items()})
    if spec.sweeps:
        parts = spec.of_sweeps.items()
        return together(
            spec, {name: collect(one, experiment, one.where.of(records), namer.of(one)) for name, one in parts}
        )
    points = [_point(spec, namer, record) for record in records]
    if spec.at is not None:
        points = at_level(spec, spec.at, points)
    if spec.kind != "pareto":
        _refuse_overlaps(spec, points)
    points = _with_quoted(spec, points)
    points += not_run(spec, namer, experiment, records, points)
    names = dict.fromkeys(r.dataset.name for r in records if r.dataset.stand_in)
    return FigureData(
        spec=spec,
        title=spec.title,
        points=tuple(points),
        x_order=in_order(p.x for p in points),
        series_order=tuple(dict.fromkeys(p.series for p in points)),
        facet_order=tuple(dict.fromkeys(p.facet for p in points)),
        stand_ins=tuple(names),
    )


def together(spec: FigureSpec, parts: Mapping[str, FigureData]) -> FigureData:
    """The points of several quantities of the same trials, or of several sweeps, each in series of its own. A trial's
    first point has its id; the others have `TRIAL~2` and so on."""
    points, seen = list[Point](), Counter[str]()
    for name, data in parts.items():
        for point in data.points:
            seen[point.gid] += 1
            gid = f"{point.gid}~{seen[point.gid]}" if seen[point.gid] > 1 else point.gid
            points.append(replace(point, gid=gid, series=_series_of(point.series, name)))
    own = dict.fromkeys(point.series for point in points)
    return replace(
        next(iter(parts.values())),
        spec=spec,
        points=tuple(points),
        x_order=in_order(point.x for point in points),
        series_order=tuple(own),
        facet_order=tuple(dict.fromkeys(point.facet for point in points)),
    )


def _series_of(series: str, quantity: str) -> str:
    return ": ".join(part for part in (series, quantity) if part)


def _point(spec: FigureSpec, namer: Namer, record: Record) -> Point:
    point = Point(
        record.trial,
        namer.x(record),
        namer.text(spec.series, record),
        namer.text(spec.facet, record),
        record,
    )
    if record.solved_nothing and spec.y.timed and not spec.y.is_time:
        return replace(point, y=spec.y.number(record), mark=None)  # how much was left unsolved
    if record.status != "ok" or (spec.timed and not record.timed):
        return replace(point, mark=record.status)
    if record.incomplete and not _is_comparable(spec, record):
        return replace(point, mark=str(record.solved))
    y = spec.y.number(record)
    if y is None:
        counter = any(name.startswith("counters.") for name in spec.y.formula.names)
        return replace(point, mark="not profiled" if counter and record.lacks_profile else f"no {spec.y.text}")
    level = spec.kind == "lines" and point.x is None
    if spec.kind in ("lines", "pareto") and point.x_number is None and not level:
        return replace(point, mark=f"no number for {spec.x.text}")
    if spec.log & {"y"} and y <= 0:
        return replace(point, mark=ZERO if y == 0 else "below zero on a log axis")
    if spec.kind == "boxes" and len(_parts(spec, record)) < len(spec.box):
        return replace(
            point,
            mark=f"no {' or '.join(f.text for f in spec.box if f.number(record) is None)}",
        )
    steps = steps_of(spec.curve, record) if spec.curve else ()
    if spec.curve and not steps:
        return replace(point, mark=f"no {spec.curve.name}")
    low, high = spec.y.interval(record) or (None, None)
    printed = () if spec.kind == "speedup" else published_for(spec.published, spec.y.text, record)
    return replace(point, y=y, low=low, high=high, parts=_parts(spec, record), steps=steps, published=printed)


def _with_quoted(spec: FigureSpec, points: Sequence[Point]) -> list[Point]:
    """With each number that the document's text gives of the figure, beside the trials that it is of."""
    kept, drawn = list(points), RATIO if spec.kind == "speedup" else spec.y.text
    for quoted in quoted_for(spec.name):
        if quoted.y.text != drawn or (quoted.x is not None and quoted.x.text != spec.x.text):
            continue
        own = [
            place
            for place, point in enumerate(kept)
            if point.y is not None and point.record is not None and quoted.selector.matches(point.record)
        ]
        if quoted.published.x is not None:
            own = _nearest(kept, own, quoted.published.x)
        for place in own:
            if quoted.published not in kept[place].published:  # a table may have it, too
                kept[place] = replace(kept[place], published=(*kept[place].published, quoted.published))
    return kept


def _nearest(points: Sequence[Point], places: Sequence[int], at: float) -> list[int]:
    """Of the places that of the point which is nearest in x; none without a numeric x."""
    distances = [(abs(x - at), place) for place in places if (x := points[place].x_number) is not None]
    return [place for _, place in sorted(distances)[:1]]


def _is_comparable(spec: FigureSpec, record: Record) -> bool:
    """Phases are not: they are those of the solved parts and of what was tried of the others."""
    return spec.kind != "breakdown" and all(f.is_comparable(record) for f in (spec.x, spec.y, *spec.box))


def _parts(spec: FigureSpec, record: Record) -> tuple[tuple[str, float], ...]:
    """The phases of a breakdown, with `other` for the rest of the median time; the five numbers of a box."""
    if spec.kind == "boxes":
        return tuple((f.text, number) for f in spec.box if (number := f.number(record)) is not None)
    if spec.kind != "breakdown" or record.time is None:
        return ()
    chosen = spec.phases or tuple(record.phases_s)
    parts = [(name, record.phases_s[name]) for name in chosen if name in record.phases_s]
    rest = record.time.median_s - sum(seconds for _, seconds in parts)
    # Medians of phases need not add up to the median of the whole: a rest below 1 % is no phase.
    if rest > 0.01 * record.time.median_s:
        parts.append(("other", rest))
    return tuple(parts)


def _refuse_overlaps(spec: FigureSpec, points: Iterable[Point]) -> None:
    seen: dict[tuple[Scalar, str, str], Point] = {}
    for point in points:
        key = (point.x, point.series, point.facet)
        if key in seen and point.record is not None:
            raise Refused(
                f"figure {spec.name}: trials {seen[key].gid} and {point.gid} ({point.record.place}) fall on one place "
                f"({', '.join(plain(part) for part in key if part)}): split them by series, facet or where"
            )
        seen[key] = point


def in_order(values: Iterable[Scalar]) -> tuple[Scalar, ...]:
    """Numbers by size, then all others as they come."""
    numbers, others = dict[float, None](), dict[Scalar, None]()
    for value in values:
        if isinstance(value, int | float) and not isinstance(value, bool):
            numbers[value] = None
        elif value is not None:
            others[value] = None
    return (*sorted(numbers), *others)
