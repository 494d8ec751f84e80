"""How far a stand-in is from what is published of the dataset that it stands for.

The published statistics are those of the registry, which also judges records from before a statistic was entered there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from warpbench_plots.claims.registry import registry
from warpbench_plots.fields.field import plain
from warpbench_plots.fields.formula import number_of
from warpbench_plots.results.records import Record

# `warpbench datasets info NAME --measure` uses the same factor and the same statistics, which a dataset should have at
# any scale.
OFF_FACTOR = 1.5
SCALE_FREE = (
    "average_degree",
    "hubness",
    "intrinsic_dimension",
    "items_gini",
    "mean_size",
    "skewed_share",
)
# How hard it is to find the nearest neighbours among points.
HARDNESS = ("hubness", "intrinsic_dimension")
# Those that shrink with the scale, and are compared where the record's dataset has its full size.
FULL_SCALE = ("smallest_candidates", "smallest_candidates_by_degree")


@dataclass(frozen=True)
class Deviation:
    """A statistic of a stand-in that differs from the published one by more than OFF_FACTOR."""

    dataset: str
    statistic: str
    published: float
    measured: float

    def __str__(self) -> str:
        return f"{self.statistic} {plain(self.measured)} instead of {plain(self.published)}"


def deviations(record: Record) -> tuple[Deviation, ...]:
    """Those of a record's dataset; none of one that does not stand in."""
    if not record.stands_in:
        return ()
    name, _, change = record.dataset.name.partition("(")
    published = _published(name)
    found = []
    for statistic in SCALE_FREE + (() if "scale=" in change else FULL_SCALE):
        if statistic == "mean_size" and "largest=" in change:
            continue  # the mean of the largest sets is another number
        expected = number_of(published.get(statistic))
        measured = number_of(record.dataset.properties.get(statistic))
        if expected is not None and measured is not None and _is_off(expected, measured):
            found.append(Deviation(record.dataset.name, statistic, expected, measured))
    return tuple(found)


def _is_off(published: float, measured: float) -> bool:
    low, high = sorted((published, measured))
    return low != high and (low <= 0 or high / low > OFF_FACTOR)


def hardness_is_unpublished(record: Record) -> bool:
    """Whether it is on a stand-in whose hardness was measured and cannot be compared."""
    published = _published(record.dataset.name.partition("(")[0])
    measured = [name for name in HARDNESS if number_of(record.dataset.properties.get(name)) is not None]
    return record.stands_in and bool(measured) and not any(name in published for name in HARDNESS)


def _published(name: str) -> Mapping[str, Any]:
    published: Mapping[str, Any] = registry().get(name, {}).get("published", {})
    return published
