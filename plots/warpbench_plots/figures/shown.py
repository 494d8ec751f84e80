"""What a drawn figure shows, for pages that draw it again to be zoomed.

It is read from the drawing itself: the scales and words of its axes, and its marks with their place and colour. So the
picture and the page cannot differ. A mark belongs to the point that its gid names, and to the entry of the legend that
is its label, or the series of its point.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.text import Annotation, Text

from warpbench_plots.figures.axes import Durations
from warpbench_plots.figures.canvas import RIGHT_OF
from warpbench_plots.figures.points import FigureData
from warpbench_plots.figures.style import CSS_VARIABLES
from warpbench_plots.figures.tooltips import Tooltips

Shown = Mapping[str, Any]
_CSS_PIXELS = 96  # in an inch
_EMPTY = ("none", "white")  # faces of hollow markers
_DIGITS = 7  # more than a screen has pixels


def shown_by(figure: Figure, data: FigureData, words: Tooltips) -> Shown:
    """The figure as plain values: title, notes, legend, panels of marks, and what is said of each point."""
    right = {str(axes.get_label()): axes for axes in figure.axes}
    panels = [
        _with_right(_Panel(axes, data).shown(facet), right.get(f"{RIGHT_OF}{facet}"), data)
        for facet, axes in zip(data.facet_order or ("",), figure.axes, strict=False)
    ]
    tooltips = {point.gid: words(point) for point in data.points}
    # Points share most of their lines: each stands once.
    said = {line: at for at, line in enumerate(dict.fromkeys(line for lines in tooltips.values() for line in lines))}
    return {
        "title": data.title,
        "notes": [note for note in data.notes if note],
        "legend": _legend(figure),
        "panels": panels,
        "words": list(said),
        "points": [{"id": gid, "words": [said[line] for line in lines]} for gid, lines in tooltips.items()],
    }


def _with_right(panel: dict[str, Any], axes: Axes | None, data: FigureData) -> Shown:
    """The panel with the axis at its right, if there is one, and the marks that stand on that."""
    if axes is None:
        return panel
    right = _Panel(axes, data).shown("")
    marks = [*panel["marks"], *(mark | {"right": True} for mark in right["marks"])]
    return panel | {"marks": marks, "right": right["y"] | {"names": False}}  # the grid is that of the left


def _legend(figure: Figure) -> list[Shown]:
    entries: list[Shown] = []
    for legend in figure.legends:
        for text, handle in zip(legend.get_texts(), legend.legend_handles, strict=True):
            looks: dict[str, Any] = {}
            if isinstance(handle, Patch):
                looks = {"colour": _colour(handle.get_facecolor()), "hatch": handle.get_hatch() or ""}
            elif isinstance(handle, Line2D):
                looks = {"colour": _colour(handle.get_markeredgecolor()), "symbol": str(handle.get_marker())}
                looks["hollow"] = handle.get_markerfacecolor() in _EMPTY
            entries.append({"name": text.get_text(), **looks})
    return entries


@dataclass
class _Panel:
    """Collects the marks of a panel; those that look the same are one mark with several places."""

    axes: Axes
    data: FigureData
    marks: dict[tuple[object, ...], dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._places = {point.gid: place for place, point in enumerate(self.data.points)}

    def shown(self, facet: str) -> dict[str, Any]:
        for patch in self.axes.patches:
            if isinstance(patch, Rectangle):
                self._rectangle(patch)
        for line in self.axes.lines:
            self._line(line)
        for text in self.axes.texts:
            if not isinstance(text, Annotation):  # numbers beside marks: the tooltips have them
                self._text(text)
        height = self.axes.get_position().height * self.axes.figure.get_size_inches()[1]  # type: ignore[union-attr]
        return {
            "title": self.axes.get_title(loc="left") if facet else "",
            "height": round(height * _CSS_PIXELS),
            "x": _axis(self.axes.xaxis),
            "y": _axis(self.axes.yaxis),
            "linked": sum(not _is_right(one) for one in self.axes.get_shared_x_axes().get_siblings(self.axes)) > 1,
            "marks": list(self.marks.values()),
        }

    def _owner(self, artist: Artist) -> tuple[int | None, str]:
        """The place of the point that an artist belongs to, and which part of it the artist is."""
        gid = artist.get_gid() or ""
        if gid in self._places:
            return self._places[gid], ""
        trial, _, part = gid.partition(".")
        return self._places.get(trial), part

    def _group(self, artist: Artist, place: int | None) -> str:
        label = str(artist.get_label())
        if label and not label.startswith("_"):
            return label
        return self.data.points[place].series if place is not None else ""

    def _add(self, looks: Mapping[str, Any], place: int | None = None, **values: Sequence[object]) -> None:
        mark = self.marks.setdefault(tuple(looks.items()), dict(looks))
        for name, several in values.items():
            mark.setdefault(name, []).extend(several)
        if place is not None:
            mark.setdefault("points", []).append(place)

    def _rectangle(self, patch: Rectangle) -> None:
        place, part = self._owner(patch)
        (x, y), width, height = patch.get_xy(), patch.get_width(), patch.get_height()
        group, colour = self._group(patch, place), _colour(patch.get_facecolor())
        if part == "interval":
            self._add({"kind": "band", "group": group, "colour": colour}, low=[_number(y)], high=[_number(y + height)])
            return
        looks: dict[str, Any] = {"kind": "bar", "group": group, "colour": colour, "hatch": patch.get_hatch() or ""}
        if self.data.spec.kind == "breakdown":
            looks |= {"group": part, "across": True}
            x, y, width, height = y, x, height, width
        begin, end = sorted((y, y + height))
        self._add(
            looks, place, at=[_number(x + width / 2)], size=[_number(width)], low=[_number(begin)], high=[_number(end)]
        )

    def _line(self, line: Line2D) -> None:
        place, part = self._owner(line)
        xs, ys = ([_number(v) for v in values] for values in line.get_data())  # type: ignore[union-attr]
        looks: dict[str, Any] = {"group": self._group(line, place), "colour": _colour(line.get_color())}
        if not all(line.get_transform().contains_branch_seperately(self.axes.transData)):
            dashed = {"dashed": True} if line.get_linestyle() == "--" else {}
            self._add({"kind": "level", **looks, **dashed}, place, y=ys[:1])
        elif part in ("", "published") and place is not None and (line.get_linestyle() == "None"):
            hollow = line.get_markerfacecolor() in _EMPTY
            edge = {"colour": _colour(line.get_markeredgecolor()), "symbol": str(line.get_marker()), "hollow": hollow}
            self._add({"kind": "dot", **looks, **edge}, place, x=xs, y=ys)
        elif part == "" and place is not None:
            self._add({"kind": "curve", **looks, "symbol": str(line.get_marker()), "of": place}, place, x=xs, y=ys)
        elif xs:
            # Lines that look the same are one, with gaps.
            self._add({"kind": "line", **looks, "width": line.get_linewidth()}, x=[*xs, None], y=[*ys, None])

    def _text(self, text: Text) -> None:
        place, _ = self._owner(text)
        in_x, in_y = text.get_transform().contains_branch_seperately(self.axes.transData)
        x, y = text.get_position()
        looks = {
            "kind": "text",
            "group": self._group(text, place),
            "colour": _colour(text.get_color()),
            "text": text.get_text(),
            "x": _number(x),
            "y": _number(y),
            "in": ("x" if in_x else "") + ("y" if in_y else ""),
            "turned": text.get_rotation() == 90,
        }
        self._add(looks, place)


def _is_right(axes: Axes) -> bool:
    return str(axes.get_label()).startswith(RIGHT_OF)


def _axis(axis: Axis) -> Shown:
    """Its scale, and its ticks as drawn; on an axis of names, which has no grid, they stay when it is zoomed."""
    low, high = axis.get_view_interval()
    formatter, is_log = axis.get_major_formatter(), axis.get_scale() == "log"
    at: list[float] = []
    if is_log and min(low, high) <= 0:  # no value in the panel
        low, high, is_log = 0.0, 1.0, False
    else:
        at = [float(v) for v in axis.get_majorticklocs() if min(low, high) <= v <= max(low, high)]
    looks = axis.get_tick_params()
    if not any(looks.get(f"label{side}") for side in ("left", "bottom", "right")):
        at = []
    words = formatter.format_ticks(at)
    has_ticks = bool(at)
    if formatter.get_offset():  # a factor that stands apart from the words: the page has to find its own
        at, words = [], []
    return {
        "label": axis.get_label_text(),
        "log": is_log,
        "range": [_number(low), _number(high)],
        "at": [_number(v) for v in at],
        "words": words,
        "ticks": has_ticks,
        "names": not looks.get("gridOn", False),
        "seconds": isinstance(formatter, Durations),
    }


def _colour(colour: Any) -> str:
    """As `#rrggbb`, or the CSS variable that has it in the page's theme."""
    plain = to_hex(colour)
    return CSS_VARIABLES.get(plain, plain)


def _number(value: Any) -> float | int:
    """In so many digits that the place is the same, and no more; whole numbers stay whole."""
    number = float(value)
    return int(number) if number.is_integer() else float(f"{number:.{_DIGITS}g}")
