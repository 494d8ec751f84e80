"""The entries of datasets/registry/, and how a record's dataset differs from what they generate today."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from warpbench_plots.fields.field import plain
from warpbench_plots.files import read_yaml
from warpbench_plots.locations import REGISTRY
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Spec

# Sizes of a dataset, not versions of it.
_SIZES = frozenset({"scale", "first"})


@dataclass(frozen=True)
class Earlier:
    """A generated dataset whose parameters were others when a record was made."""

    dataset: str
    changes: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.dataset} ({', '.join(self.changes)})"


@cache
def registry() -> Mapping[str, Mapping[str, Any]]:
    """All entries by name."""
    return {name: entry for path in sorted(REGISTRY.glob("*.yaml")) for name, entry in read_yaml(path).items()}


def earlier_version(record: Record, spec: Spec) -> Earlier | None:
    """The differences from the registry's entry, but for values that the run's spec asks for; None without any.

    Transforms are not compared: records do not name them apart from the dataset's name.
    """
    name = record.dataset.name.partition("(")[0]
    recorded = record.raw["dataset"].get("parameters") or {}
    entry = registry().get(name, {})
    if not recorded or "generator" not in entry:
        return None
    today = {**entry.get("parameters", {}), **{key: entry[key] for key in ("generator", "seed") if key in entry}}
    asked = _asked(spec, name)
    changes = tuple(
        f"{key}: {_word(recorded.get(key))}, today {_word(today.get(key))}"
        for key in sorted({*recorded, *today} - _SIZES)
        if recorded.get(key) != today.get(key) and recorded.get(key) not in asked.get(key, ())
    )
    return Earlier(name, changes) if changes else None


def _asked(spec: Spec, name: str) -> Mapping[str, list[Any]]:
    """Parameter → the values that the spec's entries of a dataset give it."""
    found: dict[str, list[Any]] = {}
    for entry in spec.raw.get("datasets") or ():
        if not isinstance(entry, Mapping):
            continue
        # Either {name: NAME, KEY: value} or {NAME: {KEY: value}}.
        own = entry if entry.get("name") == name else entry.get(name)
        for key, value in own.items() if isinstance(own, Mapping) else ():
            found.setdefault(str(key), []).append(value)
    return found


def _word(value: Any) -> str:
    return "none" if value is None else plain(value)
