"""Puts figures of several machines into one: a series of each machine, with the name that the user gives it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from warpbench_plots.fields.field import plain
from warpbench_plots.figures.collect import in_order
from warpbench_plots.figures.points import FigureData, Point
from warpbench_plots.results.records import Scalar


def side_by_side(parts: Mapping[str, FigureData]) -> FigureData:
    """The points of each machine, with those of the others in the same place beside them."""
    places = {place: at for at, place in enumerate(dict.fromkeys(map(_place, _points(parts))))}
    pairs = [(point, name) for name, data in parts.items() for point in data.points]
    points = [_named(point, name) for point, name in sorted(pairs, key=lambda pair: places[_place(pair[0])])]
    series = dict.fromkeys(one for data in parts.values() for one in data.series_order)
    stand_ins = dict.fromkeys(one for data in parts.values() for one in data.stand_ins)
    present = {point.series for point in points}
    return replace(
        next(iter(parts.values())),
        points=tuple(points),
        x_order=in_order(point.x for point in points),
        series_order=tuple(one for one in ("", *_on_each(series, parts)) if one in present),
        facet_order=tuple(dict.fromkeys(point.facet for point in points)),
        stand_ins=(*stand_ins, *_on_each(stand_ins, parts)),
        notes=tuple(dict.fromkeys(note for data in parts.values() for note in data.notes)),
    )


def _points(parts: Mapping[str, FigureData]) -> Iterator[Point]:
    return (point for data in parts.values() for point in data.points)


def _place(point: Point) -> tuple[str, Scalar, str]:
    return point.facet, point.x, point.series


def _on_each(names: Iterable[str], machines: Iterable[str]) -> list[str]:
    return [_on(name, machine) for name in names for machine in machines]


def _named(point: Point, machine: str) -> Point:
    """The point with its machine: in its series or, where a figure has none, in its x. The same trial may have run on
    each machine, so the id names the machine, too."""
    where = {"series": _on(point.series, machine)} if point.series else {"x": _on(plain(point.x), machine)}
    return replace(point, gid=f"{point.gid}@{machine}", machine=machine, **where)  # type: ignore[arg-type]


def _on(name: str, machine: str) -> str:
    return f"{name} on {machine}"
