"""Figures inside a page: smaller than their files, with ids of their own and colours that follow the page's theme.

An SVG's file repeats each style at each mark and names each group. In a page, a style is a rule that all figures share;
numbers have two decimals, a hundredth of a point; ids that nobody can ask for are gone. It looks the same."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from warpbench_plots.figures.style import CSS_VARIABLES

_NUMBERED = re.compile(r"(matplotlib\.)?[A-Za-z0-9]+_[0-9]+")  # `line2d_7`: where matplotlib counts its own parts
_REFERENCE = re.compile(r"""url\(#([^)]+)\)|href="#([^"]+)\"""")
_LONG = re.compile(r"-?[0-9]+\.[0-9]{3,}(?![0-9e])")
_LENGTHS = ("x", "y", "width", "height", "d")
_UNTURNED = re.compile(r"rotate\(-?0( [^)]*)?\)")


@dataclass(frozen=True)
class Inlined:
    """The figures of a page, by name, and the style sheet that they share."""

    css: str
    svgs: Mapping[str, str]


def inline_svgs(files: Mapping[str, str]) -> Inlined:
    """The `<svg>` elements of figure files, ready to stand in an HTML page. The point `gid` of the figure `name` has
    the id `name--gid` there."""
    rules: dict[str, str] = {}  # the text of a style → its class
    sheets: dict[str, None] = {}
    svgs = {}
    for number, (name, file) in enumerate(files.items()):
        ids = {
            one: f"f{number}-{at}" for at, one in enumerate(dict.fromkeys(a or b for a, b in _REFERENCE.findall(file)))
        }
        svgs[name] = _Figure(name, ids, rules, sheets).markup(_scalable(ElementTree.fromstring(file)))
    css = [*sheets, *(f".{name}{{{style}}}" for style, name in rules.items())]
    return Inlined("\n".join(css), svgs)


def _scalable(svg: Element) -> Element:
    """Width follows the page up to the drawn size; the viewBox keeps the proportions."""
    width = re.fullmatch(r"([0-9.]+)pt", svg.attrib.pop("width", ""))
    svg.attrib.pop("height", None)
    svg.attrib.pop("version", None)
    if width:
        svg.set("style", f"max-width: {float(width[1]) * 1.25:.0f}px")
    svg.set("role", "img")
    return svg


@dataclass(frozen=True)
class _Figure:
    """Writes one figure; adds to the rules and the style sheets of the page."""

    name: str
    ids: Mapping[str, str]  # those that the figure itself refers to → short ones
    rules: dict[str, str]
    sheets: dict[str, None]

    def markup(self, element: Element) -> str:
        name = _local(element.tag)
        if name == "metadata":
            return ""
        if name == "style":
            self.sheets.setdefault((element.text or "").strip())
            return ""
        written = "".join(f' {key}="{escape(value)}"' for key, value in self._attributes(element).items())
        worded = name in ("text", "tspan", "title")
        content = "".join(
            self.markup(child) + (escape(child.tail or "", quote=False) if worded else "") for child in element
        )
        if worded:
            content = escape(element.text or "", quote=False) + content
        if name in ("g", "defs") and not content:
            return ""
        if name == "g" and not written and not any(_local(child.tag) == "title" for child in element):
            return content
        return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"

    def _attributes(self, element: Element) -> dict[str, str]:
        found = {}
        for key, value in ((_local(key), value) for key, value in element.items()):
            if key == "id":
                value = self.ids.get(value) or ("" if _NUMBERED.fullmatch(value) else f"{self.name}--{value}")
            elif key == "style":
                key, value = "class", self._class(value)
            elif key == "href":
                value = f"#{self.ids[value.removeprefix('#')]}"
            elif key == "transform":
                value = _UNTURNED.sub("", value).strip()
                value = value if "scale" in value or "matrix" in value else _rounded(value)
            elif key in _LENGTHS:
                value = _rounded(value)
            if key == "d":
                value = re.sub(r"\s*([A-Za-z])\s*", r"\1", value)
            if value:
                found[key] = self._own(value)
        return found

    def _class(self, style: str) -> str:
        text = self._own(re.sub(r"\s*([:;])\s*", r"\1", style.strip(" ;")))
        return self.rules.setdefault(text, f"s{len(self.rules)}")

    def _own(self, value: str) -> str:
        """With this figure's ids and the page's colours."""
        value = re.sub(r"url\(#([^)]+)\)", lambda found: f"url(#{self.ids[found[1]]})", value)
        for colour, variable in CSS_VARIABLES.items():
            value = value.replace(colour, f"var({variable})")
        return value


def _local(name: str) -> str:
    """Without its namespace, which elements in HTML have by themselves."""
    return name.rpartition("}")[2]


def _rounded(text: str) -> str:
    """Its numbers with two decimals at most."""
    return _LONG.sub(lambda number: f"{round(float(number[0]), 2) + 0.0:.2f}".rstrip("0").rstrip("."), text)
