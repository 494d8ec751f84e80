"""Speed-ups over a named baseline, refused where the two times differ in their terms."""

from collections.abc import Sequence
from dataclasses import replace

from warpbench_plots.errors import Refused
from warpbench_plots.fields.comparable import Seconds, comparable_time
from warpbench_plots.figures.points import FigureData, Point
from warpbench_plots.figures.published import RATIO, PublishedValue, published_for
from warpbench_plots.guards import terms_sentence
from warpbench_plots.results.records import Record


def to_speedups(data: FigureData, pool: Sequence[Record]) -> FigureData:
    """Replaces each point's time by baseline / time; the baseline is one of the `pool`."""
    notes = [] if not data.spec.accept else [f"accepted differences: {', '.join(sorted(data.spec.accept))}"]
    return replace(
        data,
        points=tuple(_speedup(data, point, pool) for point in data.points),
        notes=tuple(notes),
    )


def _speedup(data: FigureData, point: Point, pool: Sequence[Record]) -> Point:
    record = point.record
    if record is None or record.time is None or point.mark is not None or point.on_right:
        return point
    baseline = _baseline(data, record, pool)
    if baseline is None:
        return replace(point, y=None, low=None, high=None, mark="no baseline")
    sentence = terms_sentence(baseline, record, data.spec.accept)
    if sentence:
        raise Refused(f"figure {data.spec.name}: {sentence}: a ratio needs `accept:` for it")
    before, after = _time(baseline), _time(record)
    if before is None or after is None:
        return replace(point, y=None, low=None, high=None, mark="time below the clock")
    return replace(
        point,
        y=before[0] / after[0],
        low=before[1] / after[2],
        high=before[2] / after[1],
        published=(*point.published, *_published(data.spec.published, baseline, record)),
    )


def _time(record: Record) -> Seconds | None:
    """The median time and its interval; None where the clock was too coarse for it."""
    time = comparable_time(record)
    return time if time is not None and time[0] and time[1] > 0 else None


def _baseline(data: FigureData, record: Record, pool: Sequence[Record]) -> Record | None:
    """The timed baseline on the same data and task; None where it failed or was not run. Of several it is the fastest
    where the figure shows groups: of those that left nothing unsolved, if there are any."""
    assert data.spec.baseline is not None
    found = [
        other
        for other in data.spec.baseline.of(pool)
        if (other.dataset.name, other.dataset.digest) == (record.dataset.name, record.dataset.digest)
        and other.raw["task"] == record.raw["task"]
    ]
    if data.spec.groups and (timed := [(other, time) for other in found if (time := comparable_time(other))]):
        return min(timed, key=lambda one: (one[0].incomplete, one[1]))[0]
    if len(found) > 1:
        raise Refused(
            f"figure {data.spec.name}: baseline {{{data.spec.baseline}}} names {len(found)} trials on "
            f"{record.dataset.name} ({', '.join(other.trial for other in found)}): narrow it to one"
        )
    return found[0] if found and found[0].timed else None


def _published(tables: Sequence[str], baseline: Record, record: Record) -> tuple[PublishedValue, ...]:
    """The document's own ratio: as printed, or of both times where it prints these."""
    printed = published_for(tables, RATIO, record)
    below = {value.label: value.value for value in published_for(tables, "time.median_s", record)}
    above = {value.label: value.value for value in published_for(tables, "time.median_s", baseline)}
    return (*printed, *(PublishedValue(label, above[label] / below[label]) for label in below if label in above))
