"""Selectors choose records: `{solver: bmp, threads: {above: 1}, range_filter: true}`.

A condition is a value, a list of values (any of them), or a mapping with `min`, `max`, `above`, `below`, `not`.
Dataset names also match by the abbreviations of data/datasets.yaml, with stand-ins.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from warpbench_plots.errors import InputError
from warpbench_plots.fields.field import Field, field
from warpbench_plots.files import read_yaml
from warpbench_plots.locations import DATA
from warpbench_plots.results.records import Record, Scalar

TESTS = ("min", "max", "above", "below", "not")


@cache
def aliases() -> Mapping[str, tuple[str, ...]]:
    """A document's abbreviation → the names of the dataset and of its stand-ins."""
    return {key: tuple(names) for key, names in read_yaml(DATA / "datasets.yaml")["aliases"].items()}


def dataset_is(name: str, wanted: str) -> bool:
    """Whether dataset `name` is `wanted`, by its own name or a document's; `name(scale=…)` is a size of `name`."""
    own = {name, name.partition("(")[0]}
    return wanted in own or not own.isdisjoint(aliases().get(wanted, ()))


@dataclass(frozen=True)
class Selector:
    conditions: tuple[tuple[Field, Any], ...]

    def matches(self, record: Record) -> bool:
        return all(_holds(f, wanted, f.value(record)) for f, wanted in self.conditions)

    def of(self, records: Iterable[Record]) -> list[Record]:
        return [record for record in records if self.matches(record)]

    def __str__(self) -> str:
        return ", ".join(f"{f.text}: {wanted}" for f, wanted in self.conditions)


def selector(raw: Any, where: str) -> Selector:
    if not isinstance(raw, Mapping):
        raise InputError(f"{where}: expected a mapping of fields to values, found {raw!r}")
    for key, wanted in raw.items():
        if isinstance(wanted, Mapping) and (not wanted or set(wanted) - set(TESTS)):
            raise InputError(f"{where}: {key}: expected tests out of {', '.join(TESTS)}, found {dict(wanted)!r}")
    return Selector(tuple((field(str(key), where), wanted) for key, wanted in raw.items()))


def _holds(which: Field, wanted: Any, value: Scalar) -> bool:
    if isinstance(wanted, Mapping):
        return all(_test(test, bound, value) for test, bound in wanted.items())
    if isinstance(wanted, list):
        return any(_holds(which, one, value) for one in wanted)
    if which.text == "dataset.name":
        return dataset_is(str(value), str(wanted))
    return _same(value, wanted)


def _same(value: Scalar, wanted: Any) -> bool:
    # In YAML and JSON, unlike Python, true is not the number 1.
    return isinstance(value, bool) == isinstance(wanted, bool) and value == wanted


def _test(test: str, bound: Any, value: Scalar) -> bool:
    if test == "not":
        return value is not None and not _same(value, bound)
    number = math.inf if value == "all" else value
    if not isinstance(number, int | float) or isinstance(number, bool):
        return False
    return bool(
        {
            "min": number >= bound,
            "max": number <= bound,
            "above": number > bound,
            "below": number < bound,
        }[test]
    )
