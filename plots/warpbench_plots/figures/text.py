"""Text by its measured width: how wide words are drawn, and lines that fit a width."""

import re
from functools import cache

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

_FONT = "DejaVu Sans"
_POINTS = 72  # in an inch
_SLACK = 0.97  # of a line: letters on the raster of a screen are a little wider
# Where a word that is longer than a line is broken: after a comma; else after one of these; else anywhere.
_PARTS = (re.compile(r"[^,]*,\s*|[^,]+"), re.compile(r"[^=()/_-]*[=()/_-]+|[^=()/_-]+"), re.compile(r"."))


@cache
def width_of(text: str, size: float, bold: bool = False) -> float:
    """The width in inches of the longest line of a text, of letters of so many points."""
    font = FontProperties(family=_FONT, size=size, weight="bold" if bold else "normal")
    widths = [text_to_path.get_text_width_height_descent(line, font, False)[0] for line in text.split("\n") if line]
    return float(max(widths, default=0.0)) / _POINTS


def wrapped(text: str, width: float, size: float, bold: bool = False) -> list[str]:
    """The text in lines of at most so many inches. It is broken at blanks, except within `k = 10`; a word that is
    longer than a line, such as a dataset's name with its parameters, after a comma, then after other signs, and in the
    last resort anywhere."""
    lines, used, room = [""], 0.0, _SLACK * width
    for part in re.findall(r"\S+(?: = \S+)*\s*", text):
        for piece in _pieces(part, room, size, bold, 0):
            if lines[-1] and used + width_of(piece.rstrip(), size, bold) > room:
                lines.append("")
                used = 0.0
            lines[-1] += piece
            used += width_of(piece, size, bold)
    return [line.rstrip() for line in lines if line.strip()]


def _pieces(word: str, room: float, size: float, bold: bool, level: int) -> list[str]:
    if level == len(_PARTS) or width_of(word.rstrip(), size, bold) <= room:
        return [word]
    return [piece for part in _PARTS[level].findall(word) for piece in _pieces(part, room, size, bold, level + 1)]
