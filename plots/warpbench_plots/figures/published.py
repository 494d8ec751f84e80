"""Published numbers beside measured ones: data/published/*.yaml maps the cells of tables to trials."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from warpbench_plots.errors import InputError
from warpbench_plots.fields.field import Field, field
from warpbench_plots.fields.selectors import Selector, selector
from warpbench_plots.files import read_yaml
from warpbench_plots.locations import DATA
from warpbench_plots.results.records import Record

RATIO = "speedup"  # the field of printed speed-ups


@dataclass(frozen=True)
class PublishedValue:
    label: str
    value: float
    x: float | None = None  # where it stands, if not at its trial's x


@dataclass(frozen=True)
class Cell:
    """One printed number, the records it speaks of, and the field it is a value of."""

    selector: Selector
    field: Field
    label: str
    value: float


@cache
def _tables(document: str) -> Mapping[str, Any]:
    path = DATA / "published" / f"{document}.yaml"
    tables: Mapping[str, Any] = read_yaml(path) if path.is_file() else {}
    return tables


def mapping_of(table: str) -> Mapping[str, Any]:
    """How the cells of a table correspond to trials; a table without such a mapping is refused."""
    mapping: Mapping[str, Any] | None = _tables(table.partition("-")[0]).get(table)
    if mapping is None:
        known = sorted(key for file in (DATA / "published").glob("*.yaml") for key in _tables(file.stem))
        raise InputError(f"published: {table} is not mapped to trials; mapped are {', '.join(known)}")
    return mapping


@cache
def cells(table: str) -> tuple[Cell, ...]:
    """The cells of a table such as `che2019-table-4` that trials correspond to."""
    mapping = mapping_of(table)
    printed = read_yaml(DATA / "tables" / f"{table}.yaml")
    keys: Sequence[str] = mapping["keys"]
    found = []
    for row in printed["rows"]:
        values = dict(zip(printed["columns"], row, strict=True))
        conditions = _of_row(mapping, keys, values)
        if conditions is None:
            continue
        for column, meanings in mapping["columns"].items():
            for rest in meanings if isinstance(meanings, list) else [meanings]:
                if isinstance(values[column], int | float):
                    chosen = selector({**conditions, **rest.get("select", {})}, f"published: {table}")
                    number = float(values[column]) * rest.get("scale", 1)
                    which = field(rest["field"], f"published: {table}")
                    found.append(Cell(chosen, which, rest["label"], number))
    return tuple(found)


def _of_row(mapping: Mapping[str, Any], keys: Sequence[str], values: Mapping[str, Any]) -> dict[str, Any] | None:
    """The conditions that a row's key columns stand for, or None where no trial corresponds to the row."""
    conditions: dict[str, Any] = {}
    for key in keys:
        meant = mapping["rows"].get(key, {}).get(values[key])
        if meant is None:
            return None
        conditions |= meant
    return conditions


def published_for(tables: Sequence[str], text: str, record: Record) -> tuple[PublishedValue, ...]:
    """The numbers that the document prints in these tables for a field of this record, each once."""
    printed = (cell for table in tables for cell in cells(table))
    own = (cell for cell in printed if cell.field.text == text and cell.selector.matches(record))
    return tuple(dict.fromkeys(PublishedValue(cell.label, cell.value) for cell in own))


@dataclass(frozen=True)
class Quoted:
    """A number that a document's text gives for a point of a figure; without `x` it stands at its trial's place."""

    selector: Selector
    x: Field | None
    y: Field
    published: PublishedValue


@cache
def quoted_for(figure: str) -> tuple[Quoted, ...]:
    """What plots/data/quoted.yaml has for the figure of that name."""
    return quoted_of(read_yaml(DATA / "quoted.yaml").get(figure, []), f"quoted: {figure}")


def quoted_of(numbers: Any, where: str) -> tuple[Quoted, ...]:
    """The numbers of a figure as quoted.yaml has them; what is not one of them is refused."""
    if not isinstance(numbers, list):
        raise InputError(f"{where}: expected a list of quoted numbers, found {numbers!r}")
    return tuple(_quoted(one, f"{where}: number {place}") for place, one in enumerate(numbers, 1))


def _quoted(one: Any, where: str) -> Quoted:
    if not isinstance(one, dict) or not {"select", "y", "value", "label"} <= set(one):
        raise InputError(f"{where}: expected select, y, value and label, found {one!r}")
    if unknown := sorted(set(one) - {"select", "x", "at", "y", "value", "scale", "label"}):
        raise InputError(f"{where}: unknown key {unknown[0]!r}")
    if ("x" in one) != ("at" in one):
        raise InputError(f"{where}: expected x and at together, found only {'x' if 'x' in one else 'at'}")
    for key in ("value", "scale", "at"):
        if not isinstance(one.get(key, 1.0), int | float):
            raise InputError(f"{where}: {key}: expected a number, found {one[key]!r} (1.0e-3, not 1e-3)")
    return Quoted(
        selector(one["select"], where),
        field(one["x"], where) if "x" in one else None,
        field(one["y"], where),
        PublishedValue(one["label"], one["value"] * one.get("scale", 1.0), one.get("at")),
    )
