"""The sheet of a figure: a title, a panel for each facet, one legend, and notes below."""

import math
import re
import textwrap
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from warpbench_plots.fields.field import plain
from warpbench_plots.figures.grammar import VARIANT
from warpbench_plots.figures.points import FigureData
from warpbench_plots.figures.style import MUTED
from warpbench_plots.results.records import Scalar

MAX_COLUMNS = 3


class Canvas:
    """Panels for the facets of one figure. Those of solvers have the same axes where these are numbers
    (`numeric`), since solvers are compared; those of datasets have their own."""

    def __init__(self, data: FigureData, width: float, height: float, numeric: bool = False) -> None:
        facets = data.facet_order or ("",)
        self.columns = max(1, min(len(facets), MAX_COLUMNS, int(15 // width)))
        rows = math.ceil(len(facets) / self.columns)
        self.figure = Figure(figsize=(width * self.columns, height * rows + 0.8), layout="constrained")
        grid = self.figure.subplots(rows, self.columns, squeeze=False)
        self.panels: dict[str, Axes] = {}
        for index, axes in enumerate(grid.flat):
            if index >= len(facets):
                axes.set_axis_off()
                continue
            if numeric and self.panels and data.spec.facet and data.spec.facet.text in ("solver.name", VARIANT):
                first = next(iter(self.panels.values()))
                axes.sharex(first)
                axes.sharey(first)
            self.panels[facets[index]] = axes
            title = facets[index]
            if title:
                named = stand_in_name(title, data.stand_ins)
                axes.set_title(in_lines(named, int(width * 9)), loc="left", fontweight="bold")
        self.handles: dict[str, Any] = {}

    def legend(self, label: str, handle: Any) -> None:
        if label:
            self.handles.setdefault(label, handle)

    def finish(self, title: str, notes: Sequence[str]) -> Figure:
        """Adds title, legend and notes; the sheet grows by the room they need, so that panels keep their size."""
        figure = self.figure
        width, height = (float(size) for size in figure.get_size_inches())
        wide = max(50, int(width * 14))
        lines = [line for note in notes if note for line in textwrap.wrap(note, wide)]
        longest = max(map(len, self.handles), default=1)
        columns = max(1, min(len(self.handles), int(width / (0.5 + 0.08 * longest))))
        legend = 0.19 * math.ceil(len(self.handles) / columns) + 0.1 if self.handles else 0.0
        footer = legend + 0.15 * len(lines) + 0.1
        figure.set_size_inches(width, height + footer)
        share = footer / (height + footer)
        engine = figure.get_layout_engine()
        assert engine is not None
        engine.set(rect=(0, share, 1, 1 - share))  # type: ignore[call-arg]
        figure.suptitle(
            "\n".join(textwrap.wrap(title, wide)),
            x=0.01,
            ha="left",
            fontsize=11.5,
            fontweight="bold",
        )
        if self.handles:
            placed: dict[str, Any] = {
                "loc": "upper left",
                "bbox_to_anchor": (0.005, share),
                "ncols": columns,
                "borderaxespad": 0.2,
            }
            figure.legend(list(self.handles.values()), list(self.handles), **placed)
        figure.text(
            0.012,
            0.06 / (height + footer),
            "\n".join(lines),
            va="bottom",
            fontsize=7.5,
            color=MUTED,
        )
        return figure


def stand_in_name(name: str, stand_ins: Sequence[str]) -> str:
    """Names a stand-in as one, wherever a dataset's name is drawn."""
    return f"{name} (stand-in)" if name in stand_ins else name


def in_lines(name: str, width: int) -> str:
    """The name in lines of at most `width` characters where its parts are that short; broken after commas, spaces."""
    lines = [""]
    for part in re.findall(r"[^, ]+[, ]*|[, ]+", name):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def name_groups(axes: Axes, data: FigureData, groups: Sequence[Scalar], width: float) -> None:
    """Writes the names of groups below a panel of the given width in inches; names that would touch are turned."""
    names = [stacked_name(plain(x), data.stand_ins) for x in groups]
    # A letter takes about 0.085 inch.
    longest = max((len(line) for name in names for line in name.split("\n")), default=0)
    turned = 0.085 * longest * len(names) > width
    axes.set_xticks(
        range(len(names)),
        names,
        rotation=20 if turned else 0,
        ha="right" if turned else "center",
    )
    axes.set_xlim(-0.6, max(len(names), 1) - 0.4)
    axes.tick_params(axis="x", length=0)


def stacked_name(name: str, stand_ins: Sequence[str]) -> str:
    """The name in short lines, for columns side by side: name, size in brackets, stand-in."""
    base, bracket, size = name.partition("(")
    lines = [base, bracket + size, "stand-in" if name in stand_ins else ""]
    return "\n".join(line for line in lines if line)
