"""Tables as the documents print them: data/tables/*.yaml with titles that a person reads, and units."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from warpbench_plots.files import read_yaml
from warpbench_plots.locations import DATA
from warpbench_plots.site.names import document_of, numbering
from warpbench_plots.site.tables import Cell, Table, Worded, words

_WORDS = {
    "abbr": "abbreviation",
    "avg": "average",
    "cnt": "counts",
    "cpu": "CPU",
    "exec": "execution",
    "gld": "global loads",
    "gpu": "GPU",
    "gst": "global stores",
    "max": "maximum",
    "mem": "memory",
    "min": "minimum",
    "no": "without",
    "postgresql": "PostgreSQL",
    "speedup": "speed-up",
}
_UNITS = {"count": "", "percent": "%", "x": "×"}
_LONG = 32  # letters of a unit that a head has no room for


@dataclass(frozen=True)
class PrintedTable:
    """A table of a document; `notes` say what its heads leave out."""

    caption: str
    table: Table
    notes: tuple[str, ...]


def published_table(experiment: str) -> PrintedTable | None:
    """The document's own table, where the experiment repeats one that is stored."""
    number = numbering(experiment)
    path = DATA / "tables" / f"{document_of(experiment)}-table-{number[1]}.yaml" if number else None
    if path is None or number is None or number[0] != "table" or not path.is_file():
        return None
    return printed(f"Table {number[1]} as published", read_yaml(path))


def printed(name: str, raw: Mapping[str, Any]) -> PrintedTable | None:
    """None of what is no table of rows."""
    rows, columns = raw.get("rows"), [str(column) for column in raw.get("columns") or ()]
    if not (isinstance(rows, list) and all(isinstance(row, list) and len(row) == len(columns) for row in rows)):
        return None
    units: Mapping[str, str] = raw.get("units") or {}
    remarks: dict[str, None] = {}
    heads = tuple(_titled(column, column, units, remarks) for column in columns)
    body = tuple(tuple(_cell(cell, units, remarks) for cell in row) for row in rows)
    notes = (*remarks, *(str(note).replace("null", "–") for note in raw.get("notes") or ()))
    return PrintedTable(f"{name}: {raw.get('caption', '')}", Table(heads, body), notes)


def title(key: str) -> str:
    """The words of a key: `gld_PCSR` is `global loads PCSR`, `t0.7` is `threshold 0.7`."""
    threshold = re.fullmatch(r"t(\d\.\d+)", key)
    return f"threshold {threshold[1]}" if threshold else " ".join(_WORDS.get(part, part) for part in key.split("_"))


def _titled(key: str, pattern: str, units: Mapping[str, str], remarks: dict[str, None]) -> str:
    """The title with its unit; of a unit that is long or explained, the rest is a remark."""
    found = units.get(pattern) or next((unit for name, unit in units.items() if fnmatchcase(pattern, name)), "")
    unit, _, remark = found.partition(" (")
    remark = remark.removesuffix(")")
    if len(unit) > _LONG:
        unit, remark = "", unit
    first, _, rest = unit.partition(" ")
    unit = " ".join(filter(None, (_UNITS.get(first, first), rest)))
    if remark:
        remarks[f"{unit or title(key)}: {remark}"] = None
    return f"{title(key)} ({unit})" if unit else title(key)


def _cell(cell: Any, units: Mapping[str, str], remarks: dict[str, None]) -> Cell:
    """A number as the document has it, which a page would round."""
    if cell is None or isinstance(cell, bool):
        return cell
    if isinstance(cell, int | float):
        return Worded(str(cell), cell)
    if isinstance(cell, Sequence) and not isinstance(cell, str):
        return ", ".join(words(one) for one in cell)
    is_key = re.fullmatch(r"\w+", str(cell)) and "_" in str(cell)
    return _titled(str(cell), f"rows {cell}", units, remarks) if is_key else str(cell)
