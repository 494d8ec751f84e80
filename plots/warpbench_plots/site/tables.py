"""A table of plain values, and how it is written as CSV, Markdown and LaTeX."""

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Worded:
    """A cell whose words are not its value: tables are sorted by `value`; `link` is a place in the site."""

    text: str
    value: float | None = None
    link: str = ""

    def __str__(self) -> str:
        return self.text


Cell = str | int | float | bool | Worded | None
NOTHING = "–"  # what a page shows for None

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


@dataclass(frozen=True)
class Table:
    """Rows of as many cells as the head has."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def csv(self) -> str:
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([self.head, *self._words()])
        return out.getvalue()

    def markdown(self) -> str:
        lines = [self.head, ["---"] * len(self.head), *self._words()]
        return "".join("| " + " | ".join(_markdown(cell) for cell in line) + " |\n" for line in lines)

    def latex(self) -> str:
        lines = [" & ".join(map(_latex, line)) + r" \\" for line in (self.head, *self._words())]
        body = "\n".join([lines[0], r"\hline", *lines[1:]])
        return f"\\begin{{tabular}}{{{'l' * len(self.head)}}}\n{body}\n\\end{{tabular}}\n"

    def files(self) -> dict[str, str]:
        """Ending → content."""
        return {"csv": self.csv(), "md": self.markdown(), "tex": self.latex()}

    def _words(self) -> list[list[str]]:
        return [[words(cell) for cell in row] for row in self.rows]


def words(cell: Cell) -> str:
    """A number in full; nothing for None."""
    return "" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def shown(cell: Cell) -> str:
    """As pages show it: a measured number in four digits."""
    if cell is None:
        return NOTHING
    return f"{cell:.4g}" if isinstance(cell, float) else words(cell)


def sort_value(cell: Cell) -> float | None:
    """The number that a cell is sorted by; None comes last."""
    value = cell.value if isinstance(cell, Worded) else cell
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return None
    return value


def link(cell: Cell) -> str:
    return cell.link if isinstance(cell, Worded) else ""


def without_empty(head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Table:
    """The table without columns in which no row has a value."""
    kept = [i for i in range(len(head)) if any(row[i] not in (None, "") for row in rows)]
    return Table(tuple(head[i] for i in kept), tuple(tuple(row[i] for i in kept) for row in rows))


def _markdown(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def _latex(cell: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in cell)
