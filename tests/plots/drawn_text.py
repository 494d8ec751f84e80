"""What text of a drawn figure is seen, and where: measured with the renderer of the PNG."""

import math
from collections.abc import Iterator
from itertools import combinations

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

Corners = list[tuple[float, float]]


def off_canvas(figure: Figure) -> list[str]:
    """The texts that leave the canvas by more than half a pixel."""
    width, height = figure.bbox.width, figure.bbox.height
    places = {text.get_text(): corners for text, corners in _seen(figure)}
    inside = (-0.5, width + 0.5, height + 0.5)
    return [
        words
        for words, corners in places.items()
        if not all(inside[0] <= x <= inside[1] and inside[0] <= y <= inside[2] for x, y in corners)
    ]


def overprinted(figure: Figure) -> list[tuple[str, str]]:
    """The pairs of texts of which one lies over the other."""
    seen = list(_seen(figure))
    return [(a.get_text(), b.get_text()) for (a, p), (b, q) in combinations(seen, 2) if _meet(p, q)]


def _seen(figure: Figure) -> Iterator[tuple[Text, Corners]]:
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    hidden = _hidden_ticks(figure)
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text.get_visible() and text.get_text().strip() and id(text) not in hidden:
            yield text, _corners(text, canvas)


def _hidden_ticks(figure: Figure) -> set[int]:
    """Labels of ticks outside the view are objects, but not drawn."""
    hidden: set[int] = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            drawn = axis._update_ticks() if axes.axison else []  # type: ignore[attr-defined]
            kept = {id(label) for tick in drawn for label in (tick.label1, tick.label2)}
            every = (*axis.majorTicks, *axis.minorTicks)
            hidden |= {id(label) for tick in every for label in (tick.label1, tick.label2)} - kept
    return hidden


def _corners(text: Text, canvas: FigureCanvasAgg) -> Corners:
    box, turn = text.get_window_extent(canvas.get_renderer()), text.get_rotation()
    width, height = box.width, box.height
    if turn % 90:  # the extent is that of the upright box around the turned one
        text.set_rotation(0)
        upright = text.get_window_extent(canvas.get_renderer())
        text.set_rotation(turn)
        width, height = upright.width, upright.height
    else:
        turn = 0
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    halves = [(a * width / 2, b * height / 2) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return [(x + cos * a - sin * b, y + sin * a + cos * b) for a, b in halves]


def _meet(one: Corners, other: Corners) -> bool:
    """Whether two turned boxes share more than a pixel: no side of either keeps them apart."""
    for corners in (one, other):
        for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
            length = math.hypot(y2 - y1, x2 - x1) or 1.0
            first, second = ([(x * (y2 - y1) + y * (x1 - x2)) / length for x, y in box] for box in (one, other))
            if max(first) < min(second) + 1 or max(second) < min(first) + 1:
                return False
    return True
