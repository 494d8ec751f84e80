"""The grammar of `figure:` in a spec; plots/README.md shows an example of each kind."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from warpbench_plots.errors import InputError, nearest
from warpbench_plots.fields.curve import curve
from warpbench_plots.fields.declared import Curve
from warpbench_plots.fields.field import Field, field
from warpbench_plots.fields.frontier import Level, level
from warpbench_plots.fields.selectors import Selector, selector
from warpbench_plots.guards import TERMS
from warpbench_plots.results.records import Record

VARIANT = "variant"  # solver's name with those of its parameters that vary within the figure
NO_SPLIT = "none"  # in place of a field, where a figure has no series or no facet

KEYS: Mapping[str, frozenset[str]] = {
    "bars": frozenset({"x", "y", "series", "at"}),
    "lines": frozenset({"x", "y", "series", "at", "sweeps", "right"}),
    "pareto": frozenset({"x", "y", "series", "better"}),
    "table": frozenset({"rows", "columns", "value"}),
    "breakdown": frozenset({"x", "phases"}),
    "boxes": frozenset({"x", "y", "series", "box"}),
    "curves": frozenset({"curve", "series"}),
    "speedup": frozenset({"x", "series", "baseline", "accept", "draw", "right"}),
}
COMMON = frozenset({"kind", "name", "title", "facet", "where", "groups", "log", "labels", "published"})


@dataclass(frozen=True)
class Sweep:
    """The trials of a line of its own, and the field in which they are swept."""

    x: Field
    where: Selector


@dataclass(frozen=True)
class FigureSpec:
    """One figure as its spec asks for it; `series` and `facet` are None where the figure has no such split.

    `groups`, if there are any, show only the best of the trials that any selector of a group selects, under its name.
    `quantities` are those of a `y` that lists several, by the names of their series; `y` is then the first of them.
    `sweeps` are lines over different fields, by their names; `x` is then that of the first of them.
    `right` is a second field of the same trials, on an axis of its own.
    `at` makes the trials that share a place one point, whose value they have where that field reaches the number.
    """

    name: str
    kind: str
    title: str
    x: Field
    y: Field
    quantities: Mapping[str, Field]
    sweeps: Mapping[str, Sweep]
    right: Field | None
    series: Field | None
    facet: Field | None
    where: Selector
    groups: Mapping[str, tuple[Selector, ...]]
    log: frozenset[str]
    labels: Mapping[str, str]
    published: tuple[str, ...]
    at: Level | None
    better: tuple[str, str]
    phases: tuple[str, ...]
    box: tuple[Field, ...]
    curve: Curve | None
    baseline: Selector | None
    accept: frozenset[str]
    draw: str
    raw: Mapping[str, Any]

    @property
    def timed(self) -> bool:
        """Whether it shows what depends on how fast the machine was."""
        fields = (self.x, *self.values, *(sweep.x for sweep in self.sweeps.values()))
        return self.kind in ("breakdown", "speedup") or any(one.timed for one in fields)

    @property
    def values(self) -> tuple[Field, ...]:
        """The fields whose numbers it draws."""
        return (self.y, *self.quantities.values(), *([self.right] if self.right else ()))

    def selected(self, records: Iterable[Record]) -> list[Record]:
        """The records of the trials that it shows."""
        own = self.where.of(records)
        return [
            one for one in own if any(sweep.where.matches(one) for sweep in self.sweeps.values()) or not self.sweeps
        ]

    @property
    def of_sweeps(self) -> Mapping[str, "FigureSpec"]:
        """The figure of each sweep alone, by its name."""
        return {
            name: replace(self, x=one.x, where=Selector((*self.where.conditions, *one.where.conditions)), sweeps={})
            for name, one in self.sweeps.items()
        }

    @property
    def x_label(self) -> str:
        """The words for the axis of x."""
        fields = [sweep.x for sweep in self.sweeps.values()] or [self.x]
        return ", ".join(dict.fromkeys(one.label for one in fields))

    @property
    def y_label(self) -> str:
        """The words for the axis of values, with their unit."""
        label, unit = self.y.label, _unit(self.y)
        if self.quantities:
            label = ", ".join(self.quantities) + (f" ({unit})" if unit else "")
        return self._at_level(label)

    @property
    def right_label(self) -> str:
        """The words for the axis at the right, or nothing."""
        return "" if self.right is None else self._at_level(self.right.label)

    def _at_level(self, label: str) -> str:
        return label if self.at is None else f"{label}, at {self.at[0].text} {self.at[1]:g}"

    @property
    def side_names(self) -> tuple[str, str]:
        """The names of the series at the left and at the right, beside an axis at the right."""
        assert self.right is not None
        left = "speed-up" if self.kind == "speedup" else _name_of(self.y, self.labels)
        return ("" if self.quantities else left), _name_of(self.right, self.labels)


def figure_name(raw: Mapping[str, Any], experiment: str, number: int) -> Any:
    """The name that the spec gives, unchecked, or the default; `number` counts the figures of the spec from 0."""
    return raw.get("name", experiment.replace("/", "-") + (f"-{number + 1}" if number else ""))


def parse_figure(raw: Mapping[str, Any], experiment: str, title: str, number: int) -> FigureSpec:
    """Checks and types one `figure:` mapping; `number` counts the figures of the spec from 0."""
    where = f"{experiment}: figure"
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in KEYS:
        raise InputError(f"{where}: kind: expected one of {', '.join(KEYS)}, found {kind!r}{nearest(kind, KEYS)}")
    known = KEYS[kind] | COMMON
    for key in raw:
        if key not in known:
            raise InputError(f"{where}: unknown key {key!r} for kind {kind}{nearest(key, known)}")
    name = figure_name(raw, experiment, number)
    if not isinstance(name, str) or not name.replace("-", "").replace("_", "").replace(".", "").isalnum():
        raise InputError(f"{where}: name: expected letters, digits, '-', '_', '.', found {name!r}")
    labels = {str(key): str(value) for key, value in _mapping(raw, "labels", where).items()}
    quantities, sweeps = _quantities(raw, kind, labels, where), _sweeps(raw, where)
    spec = FigureSpec(
        name=name,
        kind=kind,
        title=str(raw.get("title", title)),
        x=next((one.x for one in sweeps.values()), None) or _field(raw, *_x_key(kind), where),
        y=next(iter(quantities.values()), None) or _field(raw, *_y_key(kind), where),
        quantities=quantities,
        sweeps=sweeps,
        right=_right(raw, where),
        series=_optional(raw, *_series_key(kind, "at" in raw), where),
        facet=_optional(raw, "facet", "dataset" if kind in ("breakdown", "curves") else None, where),
        where=selector(raw.get("where", {}), f"{where}: where"),
        groups={
            str(key): _group(value, f"{where}: groups: {key}") for key, value in _mapping(raw, "groups", where).items()
        },
        log=_log(raw, kind, where),
        labels=labels,
        published=_names(raw, "published", where),
        at=_at(raw, where),
        better=_better(raw, where),
        phases=tuple(str(phase) for phase in _list(raw, "phases", where)),
        box=_box(raw, kind, where),
        curve=_curve(raw, kind, where),
        baseline=_baseline(raw, kind, where),
        accept=_accept(raw, where),
        draw=_draw(raw, where),
        raw=raw,
    )
    if spec.right is not None and len(set(spec.side_names)) == 1:
        raise InputError(f"{where}: right: expected a field of another name than {spec.side_names[0]!r}")
    return spec


def _x_key(kind: str) -> tuple[str, str]:
    if kind == "table":
        return "rows", VARIANT
    return "x", VARIANT if kind == "breakdown" else "dataset"


def _y_key(kind: str) -> tuple[str, str]:
    return ("value" if kind == "table" else "y"), "time"


def _quantities(raw: Mapping[str, Any], kind: str, labels: Mapping[str, str], where: str) -> Mapping[str, Field]:
    """Of a list for `y`: the name of each, which is its label without the unit, unless `labels` has another."""
    if kind not in ("bars", "lines") or not isinstance(raw.get("y"), list):
        return {}
    listed = {str(text): _field({"y": text}, "y", "", where) for text in raw["y"]}
    units = {text: "1/s" if one.is_rate else _unit(one) for text, one in listed.items()}
    if len(set(units.values())) != 1:
        told = ", ".join(f"{text} in {unit or 'no unit'}" for text, unit in units.items())
        raise InputError(f"{where}: y: expected fields that have one unit, found {told or 'none'}")
    named = {_name_of(one, labels, text): one for text, one in listed.items()}
    if len(named) < len(raw["y"]):
        told = ", ".join(f"{text} ({labels[text]})" if text in labels else text for text in map(str, raw["y"]))
        raise InputError(f"{where}: y: expected fields of different names, found {told}")
    return named


def _sweeps(raw: Mapping[str, Any], where: str) -> Mapping[str, Sweep]:
    named = _mapping(raw, "sweeps", where)
    if named and "x" in raw:
        raise InputError(f"{where}: x: expected none beside sweeps, which have their own, found {raw['x']!r}")
    return {str(name): _sweep(one, f"{where}: sweeps: {name}") for name, one in named.items()}


def _sweep(raw: Any, where: str) -> Sweep:
    if not isinstance(raw, Mapping) or set(raw) != {"x", "where"}:
        raise InputError(f"{where}: expected {{x: FIELD, where: {{…}}}}, found {raw!r}")
    return Sweep(_field(raw, "x", "", where), selector(raw["where"], f"{where}: where"))


def _right(raw: Mapping[str, Any], where: str) -> Field | None:
    right = _optional(raw, "right", None, where)
    if right is not None and raw["kind"] == "speedup" and _draw(raw, where) == "bars":
        raise InputError(f"{where}: right: only lines have a second axis: give draw: lines")
    return right


def _name_of(which: Field, labels: Mapping[str, str], text: str = "") -> str:
    """The name of a quantity: what `labels` has for its text as written, or its label without the unit."""
    return labels.get(text or which.text, which.label.replace(f" ({_unit(which)})", ""))


def _unit(which: Field) -> str:
    """The unit that its label names, or nothing."""
    found = re.search(r"\((s|bytes)\)", which.label)
    return found[1] if found else ""


def _series_key(kind: str, joins_trials: bool) -> tuple[str, str | None]:
    if kind == "table":
        return "columns", "dataset"
    return "series", ("solver" if kind == "pareto" or joins_trials else (None if kind == "breakdown" else VARIANT))


def _field(raw: Mapping[str, Any], key: str, default: str, where: str) -> Field:
    text = raw.get(key, default)
    if not isinstance(text, str):
        raise InputError(f"{where}: {key}: expected the name of a field, found {text!r}")
    return field(text, f"{where}: {key}")


def _optional(raw: Mapping[str, Any], key: str, default: str | None, where: str) -> Field | None:
    text = raw.get(key, default)
    if text in (None, NO_SPLIT):
        return None
    return _field({key: text}, key, "", where)


def _text(raw: Mapping[str, Any], key: str, where: str) -> str | None:
    value = raw.get(key)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{where}: {key}: expected a name, found {value!r}")
    return value


def _mapping(raw: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = raw.get(key, {})
    if not isinstance(value, Mapping):
        raise InputError(f"{where}: {key}: expected a mapping, found {value!r}")
    return value


def _list(raw: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = raw.get(key, [])
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        raise InputError(f"{where}: {key}: expected a list, found {value!r}")
    return value


def _names(raw: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    """One name, or a list of them."""
    names = _list(raw, key, where) if isinstance(raw.get(key), list) else [_text(raw, key, where)]
    if not all(isinstance(name, str | None) for name in names):
        raise InputError(f"{where}: {key}: expected names, found {names!r}")
    return tuple(name for name in names if name is not None)


def _group(raw: Any, where: str) -> tuple[Selector, ...]:
    """One selector, or several of which any selects."""
    return tuple(selector(one, where) for one in (raw if isinstance(raw, list) else [raw]))


def _log(raw: Mapping[str, Any], kind: str, where: str) -> frozenset[str]:
    # Times of different solvers span orders of magnitude, so their axis is logarithmic unless told otherwise.
    default = ["y"] if kind in ("bars", "pareto", "lines", "boxes") and "log" not in raw else []
    axes = _list(raw, "log", where) or default
    if not set(axes) <= {"x", "y", "none"}:
        raise InputError(f"{where}: log: expected x, y or none, found {axes!r}")
    return frozenset(axes) - {"none"}


def _box(raw: Mapping[str, Any], kind: str, where: str) -> tuple[Field, ...]:
    if kind != "boxes":
        return ()
    names = _list(raw, "box", where)
    if len(names) != 5:
        raise InputError(f"{where}: box: expected five fields from the least to the most, found {names!r}")
    return tuple(_field({"box": name}, "box", "", where) for name in names)


def _curve(raw: Mapping[str, Any], kind: str, where: str) -> Curve | None:
    if kind != "curves":
        return None
    return curve(_text(raw, "curve", where) or "", f"{where}: curve")


def _at(raw: Mapping[str, Any], where: str) -> Level | None:
    if "at" not in raw:
        return None
    if raw.get("groups"):
        raise InputError(f"{where}: at: expected no groups, which keep one trial of several, found {raw['groups']!r}")
    return level(raw["at"], where)


def _better(raw: Mapping[str, Any], where: str) -> tuple[str, str]:
    better = _mapping(raw, "better", where)
    ways = tuple(better.get(axis, _usual_way(str(raw.get(axis, "time")))) for axis in ("x", "y"))
    if set(better) - {"x", "y"} or not set(ways) <= {"higher", "lower"}:
        raise InputError(f"{where}: better: expected {{x: higher|lower, y: higher|lower}}, found {dict(better)!r}")
    return ways[0], ways[1]


def _usual_way(name: str) -> str:
    """Times and bytes are better low, everything else high."""
    lower = name.startswith(("time", "phases_s", "prepare", "memory")) or name.endswith(("_s", "_bytes", "_memory"))
    return "lower" if lower or name == "rmse" else "higher"


def _baseline(raw: Mapping[str, Any], kind: str, where: str) -> Selector | None:
    if kind != "speedup":
        return None
    if not raw.get("baseline"):
        raise InputError(f"{where}: baseline: a speedup needs one, such as {{solver: merge, threads: 1}}")
    return selector(raw["baseline"], f"{where}: baseline")


def _accept(raw: Mapping[str, Any], where: str) -> frozenset[str]:
    accepted = _list(raw, "accept", where)
    for term in accepted:
        if term not in TERMS:
            raise InputError(f"{where}: accept: expected some of {', '.join(TERMS)}, found {term!r}")
    return frozenset(accepted)


def _draw(raw: Mapping[str, Any], where: str) -> str:
    draw = raw.get("draw", "bars")
    if draw not in ("bars", "lines"):
        raise InputError(f"{where}: draw: expected bars or lines, found {draw!r}")
    return str(draw)
