"""Names of pages and anchors, and the order of a document's figures and tables."""

import re
from collections.abc import Iterable

_NUMBERED = re.compile(r"(fig|table)-((?:[A-Z]|[IVX]+|\d+)(?:\.\d+)?)([a-z]?)(?![A-Za-z0-9])")
_ROMAN = {"I": 1, "V": 5, "X": 10}


def slug(name: str) -> str:
    """A name as a part of a file's name or an anchor: `glove200-like(scale=0.5)` is `glove200-like-scale-0.5`."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "unnamed"


def slugs(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Name → slug, each slug once whatever the case of its letters, and none that is `taken`."""
    found: dict[str, str] = {}
    taken = set(taken)
    for name in dict.fromkeys(names):
        candidate, number = slug(name), 2
        while candidate.lower() in taken:
            candidate, number = f"{slug(name)}-{number}", number + 1
        taken.add(candidate.lower())
        found[name] = candidate
    return found


def document_of(experiment: str) -> str:
    return experiment.partition("/")[0]


def numbering(experiment: str) -> tuple[str, str] | None:
    """`("table", "4")` of `che2019/table-4-techniques`: what of the document the experiment repeats."""
    found = _NUMBERED.match(experiment.partition("/")[2])
    return (found[1], found[2]) if found else None


def figure_numbers(experiment: str) -> set[str]:
    """The figures that `bellas2022/fig-4.12-to-4.13` repeats: 4.12 and 4.13."""
    number = numbering(experiment)
    if number is None or number[0] != "fig":
        return set()
    short = experiment.partition("/")[2]
    chapter, point, first = number[1].rpartition(".")
    last = re.match(rf"fig-{re.escape(number[1])}-to-{re.escape(chapter + point)}(\d+)", short)
    if last and first.isdigit():
        return {f"{chapter}{point}{one}" for one in range(int(first), int(last[1]) + 1)}
    letter = re.match(r"fig-[\d.]+([a-z])(?![A-Za-z0-9])", short)
    return {number[1] + (letter[1] if letter else "")}


def document_order(experiment: str) -> tuple[object, ...]:
    """A sort key: numbered ones by number, figures before tables of the same number; then the rest by name."""
    number = numbering(experiment)
    if number is None:
        return (1, (), "", experiment)
    return (0, tuple(_value(part) for part in number[1].split(".")), number[0], experiment)  # 15a before 15b, by name


def _value(part: str) -> int:
    if part.isdigit():
        return int(part)
    if set(part) <= set(_ROMAN):
        values = [_ROMAN[letter] for letter in part]
        return sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))
    return 1000 + ord(part)  # appendices come last
