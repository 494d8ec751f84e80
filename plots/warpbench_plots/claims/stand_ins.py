"""How far a stand-in is from what is published of the dataset that it stands for.

The published statistics are those of the registry, which also judges records from before a statistic was entered there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from warpbench_plots.fields.field import plain
from warpbench_plots.fields.formula import number_of
from warpbench_plots.files import read_yaml
from warpbench_plots.locations import REGISTRY
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
    published = _published().get(name, {})
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


@cache
def _published() -> Mapping[str, Mapping[str, Any]]:
    return {
        name: entry.get("published", {})
        for path in sorted(REGISTRY.glob("*.yaml"))
        for name, entry in read_yaml(path).items()
    }
