"""Figures inside the report: their SVG with ids of its own and colours that follow the page's theme."""

import re

from warpbench_plots.figures.style import CSS_VARIABLES


def inline_svg(svg: str, name: str) -> str:
    """The `<svg>` element of a figure file, ready to stand in an HTML page beside others."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    prefix = f"{name}--"
    body = re.sub(r'\bid="', f'id="{prefix}', body)
    body = re.sub(r'(xlink:href|href)="#', rf'\1="#{prefix}', body)
    body = re.sub(r"url\(#", f"url(#{prefix}", body)
    for colour, variable in CSS_VARIABLES.items():
        body = body.replace(colour, f"var({variable})")
    return _scalable(body)


def _scalable(svg: str) -> str:
    """Width follows the page up to the drawn size; the viewBox keeps the proportions."""
    opening = svg[: svg.index(">") + 1]
    width = re.search(r'\bwidth="([0-9.]+)pt"', opening)
    plain = re.sub(r'\s(width|height)="[^"]*"', "", opening)
    limit = f' style="max-width:{float(width[1]) * 1.25:.0f}px" role="img"' if width else ' role="img"'
    return plain[:-1] + limit + ">" + svg[len(opening) :]
