"""The time of a trial for all that compares or shows it."""

from warpbench_plots.fields.declared import TIME
from warpbench_plots.fields.field import field
from warpbench_plots.results.records import Record

Seconds = tuple[float, float, float]  # the median and its interval


def comparable_time(record: Record) -> Seconds | None:
    """The time with its interval, in which each unsolved part of the answer counts with its limit, also one that ended
    early for want of memory. None where there is no time that counts, and where the record cannot tell."""
    which = field(TIME, "time")
    if not record.timed or not which.is_comparable(record):
        return None
    value, interval = which.number(record), which.interval(record)
    return (value, *interval) if value is not None and interval is not None else None
