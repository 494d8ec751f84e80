"""The pieces of HTML that the report is made of; all text is escaped here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Markup:
    """HTML that is already safe to insert."""

    html: str

    def __html__(self) -> str:
        """What templates insert unescaped."""
        return self.html


def text(value: object) -> str:
    return value.html if isinstance(value, Markup) else escape(str(value))


def tag(name: str, *content: object, **attributes: str) -> Markup:
    """An element; an attribute named `class_` is `class`."""
    written = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items() if value)
    return Markup(f"<{name}{written}>{''.join(text(part) for part in content)}</{name}>")


def join(parts: Iterable[object], between: str = "") -> Markup:
    return Markup(between.join(text(part) for part in parts))


def table(head: Sequence[str], rows: Iterable[Sequence[object]], numeric: Iterable[int] = ()) -> Markup:
    """A table that scrolls by itself on a narrow screen; `numeric` columns stand to the right."""
    right = set(numeric)

    def cell(name: str, index: int, content: object) -> Markup:
        return tag(name, content, class_="n" if index in right else "")

    top = tag("tr", *(cell("th", i, h) for i, h in enumerate(head)))
    body = [tag("tr", *(cell("td", i, c) for i, c in enumerate(row))) for row in rows]
    return tag("div", tag("table", tag("thead", top), tag("tbody", *body)), class_="scroll")


def badge(word: str, shown: str = "") -> Markup:
    """A status or verdict in its colour, in other words where `shown` has them."""
    kind = {
        "ok": "good",
        "holds": "good",
        "does not hold": "bad",
        "wrong": "bad",
        "not tested here": "quiet",
        "by construction": "quiet",
    }
    return tag("span", shown or word.replace("_", " "), class_=f"badge {kind.get(word, 'warn')}")
