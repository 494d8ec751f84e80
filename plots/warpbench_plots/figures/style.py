"""The look of figures, and their bytes: the same input gives the same SVG and PNG."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

# Named colours: the report replaces them in its inline SVGs by CSS variables, for dark mode.
INK = "#1a2027"
MUTED = "#5f6b76"
GRID = "#d5dbe1"
PAPER = "#fefefe"
FAILED = "#b3261e"
GOOD = "#1b7f5c"
# The colours that follow a page's theme, and the CSS variables that have them there.
CSS_VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--line",
    PAPER: "--card",
    FAILED: "--bad",
    GOOD: "--good",
}
# Okabe and Ito's colours, which colour-blind readers can tell apart, without yellow, which is too pale on paper.
COLOURS = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#d55e00",
    "#7a6ff0",
    "#8c6d31",
    "#4d7c8a",
    "#a0a0a0",
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "h")
HATCHES = ("", "//", "..", "xx", "\\\\", "oo")

_SETTINGS: dict[str, Any] = {
    "font.family": ["DejaVu Sans", "sans-serif"],
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": PAPER,
    "figure.facecolor": PAPER,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "hatch.linewidth": 0.6,
    "svg.fonttype": "none",
    # Titles and names come from specs and data: a dollar sign in them is no formula.
    "text.parse_math": False,
}


@contextmanager
def style(salt: str) -> Iterator[None]:
    """Settings for one figure; `salt` keeps ids apart where several SVGs share one page."""
    settings: Any = {**_SETTINGS, "svg.hashsalt": salt}
    with mpl.rc_context(settings):
        yield


def colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def hatch(index: int) -> str:
    """Where there are more series than colours, hatching tells them apart."""
    return HATCHES[(index // len(COLOURS)) % len(HATCHES)]


def marker(index: int) -> str:
    """Where there are more series than colours, other markers tell them apart."""
    return MARKERS[(index + index // len(COLOURS)) % len(MARKERS)]


def mark_text(axes: Axes, x: float, text: str, gid: str, size: float = 7.5) -> None:
    """A mark in place of a value: a cross on the axis, and the status written upwards; a zero is no failure."""
    transform = axes.get_xaxis_transform()
    axes.text(
        x,
        0.015,
        text,
        transform=transform,
        rotation=90,
        ha="center",
        va="bottom",
        fontsize=size,
        color=FAILED if text.startswith("×") else INK,
        gid=gid,
    )


def drawn_files(figure: Figure) -> tuple[str, bytes]:
    """The figure as SVG and PNG. The PNG's layout, half the work of drawing, serves the SVG too."""
    svg, png = io.StringIO(), io.BytesIO()
    figure.dpi = 160
    FigureCanvasAgg(figure).print_png(png, metadata={"Software": "warpbench_plots"})  # type: ignore[no-untyped-call]
    figure.set_layout_engine("none")
    FigureCanvasSVG(figure).print_svg(svg, metadata={"Date": None, "Creator": "warpbench_plots"})  # type: ignore[no-untyped-call]
    return svg.getvalue(), png.getvalue()
