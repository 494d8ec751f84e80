"""Figures, claims and the HTML report of Warpbench, drawn from the JSON lines of its runs."""

__version__ = "0.1.0"
