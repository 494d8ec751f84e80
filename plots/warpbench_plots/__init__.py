"""Figures, claims and the HTML report of Warpbench, drawn from the JSON lines of its runs."""

__version__ = "1.0.0"
