"""The sheet of a figure: a title, a panel for each facet, one legend, and notes below."""

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from warpbench_plots.fields.field import plain
from warpbench_plots.figures.grammar import VARIANT
from warpbench_plots.figures.points import FigureData
from warpbench_plots.figures.style import MUTED
from warpbench_plots.figures.text import width_of, wrapped
from warpbench_plots.results.records import Scalar

MAX_COLUMNS = 3
RIGHT_OF = "right of "  # a panel: the label of its axes at the right
_TITLE, _PANEL, _NOTE, _LEGEND, _NAME = 11.5, 10.0, 7.5, 8.5, 9.0  # sizes of letters in points
_HANDLE = 0.5  # inches that an entry of the legend takes beside its name
_EDGE = 0.12  # inches left free at either side of title and notes
_STACKED = 1.6  # inches that a line of a group's name may take, where it can be broken
_TURNS = (20, 45, 90)  # degrees by which names are turned that would touch
_LINE = 1.3 * _NAME / 72  # inches, of a line of a name


class Canvas:
    """Panels for the facets of one figure. Those of solvers have the same axes where these are numbers
    (`numeric`), since solvers are compared; those of datasets have their own. `side` is what a
    panel has beside its axes, in inches. Where a figure has an axis at the right, `right` has the axes of what is drawn
    against it.
    """

    def __init__(self, data: FigureData, width: float, height: float, numeric: bool = False, side: float = 0.9) -> None:
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
                lines = wrapped(named, width - side, _PANEL, bold=True)
                axes.set_title("\n".join(lines), loc="left", fontweight="bold")
        self.right: dict[str, Axes] = {}
        for facet, axes in self.panels.items() if data.spec.right else ():
            self.right[facet] = axes.twinx()
            self.right[facet].set_label(f"{RIGHT_OF}{facet}")
            self.right[facet].spines["right"].set_visible(True)
            self.right[facet].grid(False)
        self.handles: dict[str, Any] = {}

    def legend(self, label: str, handle: Any) -> None:
        if label:
            self.handles.setdefault(label, handle)

    def finish(self, title: str, notes: Sequence[str]) -> Figure:
        """Adds title, legend and notes; the sheet grows by the room they need, so that panels keep their size."""
        figure = self.figure
        width, height = (float(size) for size in figure.get_size_inches())
        longest = _HANDLE + max((width_of(name, _LEGEND) for name in self.handles), default=0.0)
        width = max(width, longest + 2 * _EDGE)
        columns = max(1, min(len(self.handles), int((width - _EDGE) / (longest + 0.1))))
        room = width - 2 * _EDGE
        lines = [line for note in notes if note for line in wrapped(note, room, _NOTE)]
        heading = wrapped(title, room, _TITLE, bold=True)
        height += 0.19 * (len(heading) - 1) if heading else 0.0
        legend = 0.19 * math.ceil(len(self.handles) / columns) + 0.1 if self.handles else 0.0
        footer = legend + 0.15 * len(lines) + 0.1
        figure.set_size_inches(width, height + footer)
        share = footer / (height + footer)
        engine = figure.get_layout_engine()
        assert engine is not None
        engine.set(rect=(0, share, 1, 1 - share))  # type: ignore[call-arg]
        figure.suptitle(
            "\n".join(heading),
            x=_EDGE / 2 / width,
            ha="left",
            fontsize=_TITLE,
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
            _EDGE / 2 / width,
            0.06 / (height + footer),
            "\n".join(lines),
            va="bottom",
            fontsize=_NOTE,
            color=MUTED,
        )
        return figure


def stand_in_name(name: str, stand_ins: Sequence[str]) -> str:
    """Names a stand-in as one, wherever a dataset's name is drawn."""
    return f"{name} (stand-in)" if name in stand_ins else name


def room_for_names(data: FigureData, groups: Sequence[Scalar]) -> float:
    """The inches of a panel in which the names of these groups stand side by side."""
    names = [stacked_name(plain(x), data.stand_ins) for x in groups]
    return len(names) * (max((width_of(name, _NAME) for name in names), default=0.0) + 0.12)


def name_groups(axes: Axes, data: FigureData, groups: Sequence[Scalar], width: float) -> None:
    """Writes the names of groups below a panel of the given width in inches; names that would touch are turned, as far
    as the height of their lines needs it."""
    names = [stacked_name(plain(x), data.stand_ins) for x in groups]
    turn = 0
    if room_for_names(data, groups) > width:
        pitch, tall = width / len(names), _LINE * max(name.count("\n") + 1 for name in names)
        turn = next((one for one in _TURNS if pitch * math.sin(math.radians(one)) > tall), _TURNS[-1])
    axes.set_xticks(
        range(len(names)),
        names,
        rotation=turn,
        ha="right" if 0 < turn < 90 else "center",
        rotation_mode="anchor" if 0 < turn < 90 else "default",
    )
    axes.set_xlim(-0.6, max(len(names), 1) - 0.4)
    axes.tick_params(axis="x", length=0)


def stacked_name(name: str, stand_ins: Sequence[str]) -> str:
    """The name in short lines, for columns side by side: name, size in brackets, stand-in. Parameters in the brackets
    are broken where they are long."""
    base, bracket, size = name.partition("(")
    sizes = wrapped(bracket + size, _STACKED, _NAME)
    lines = [base, *sizes, "stand-in" if name in stand_ins else ""]
    return "\n".join(line for line in lines if line)
