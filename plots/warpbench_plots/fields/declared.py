"""Quantities that problems declare: problems/PROBLEM/quantities.yaml, and problems/quantities.yaml for all problems.

plots/README.md explains the keys. A name means the same everywhere: two files that declare it must agree.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import cache
from pathlib import Path

from warpbench_plots.errors import InputError, nearest
from warpbench_plots.fields.formula import Formula, parse_formula
from warpbench_plots.fields.names import SHORT, full_name, is_time, places
from warpbench_plots.files import Placed, read_placed
from warpbench_plots.locations import PROBLEMS
from warpbench_plots.results.schema import statuses

FILE_KEYS = (
    *("size", "printed_by", "timed", "unsolved", "counts_unsolved", "recorded", "phases", "quantities", "curves"),
    "indifferent",  # results/unverified.py reads it
)
QUANTITY_KEYS = ("formula", "by_status", "label", "interval", "needs_all")
CURVE_KEYS = ("x", "y", "x_label", "y_label")
# The interval of the time, scaled: with_time where the quantity rises with the time, against_time where it falls. A
# time within the solution, which has no interval of its own, is as uncertain as the whole.
INTERVALS = ("with_time", "against_time")
TIME = SHORT["time"]


@dataclass(frozen=True)
class Quantity:
    """A number computed from a record: by a formula over its fields, or by its status, failed trials included."""

    name: str
    formula: Formula | None
    by_status: Mapping[str, float]
    label: str
    interval: str | None
    where: str = dataclass_field(compare=False)
    needs_all: Formula | None = None  # a share of the samples; a record has a value only where it is 1


@dataclass(frozen=True)
class Curve:
    """What a record says of its steps 1, 2, …: `{}` in the two paths stands for the step. x never falls."""

    name: str
    x: str
    y: str
    x_label: str
    y_label: str
    where: str = dataclass_field(compare=False)

    @property
    def timed(self) -> bool:
        """Whether its steps are times, as those of a training."""
        return is_time(self.x) or is_time(self.y)


@dataclass(frozen=True)
class Problem:
    """The size of a dataset, and the field of a record that picks one of a list of printed numbers, by axis.

    Where a trial left parts of its answer unsolved, such as queries, `unsolved` has formulas that stand for fields, and
    the fields of `counts_unsolved` are right as they are. `paths` are all fields that its file names, in curves with
    `{}`; `phases` those of its solvers, in a solve or a preparation.
    """

    size: Formula | None = None
    printed_by: Mapping[str, Formula] = dataclass_field(default_factory=dict)
    unsolved: Mapping[str, Formula] = dataclass_field(default_factory=dict)
    counts_unsolved: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()
    quantities: frozenset[str] = frozenset()
    curves: frozenset[str] = frozenset()
    phases: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Declarations:
    """All files together. `timed` holds the fields that depend on the machine's speed without being times.

    Compared by identity, so that it is a key of a cache.
    """

    quantities: Mapping[str, Quantity]
    timed: frozenset[str]
    problems: Mapping[str, Problem]
    curves: Mapping[str, Curve] = dataclass_field(default_factory=dict)
    recorded: frozenset[str] = frozenset()  # fields that records have, besides those that the above name

    def is_timed(self, name: str) -> bool:
        """Whether a field or quantity depends on how fast the machine was."""
        quantity = self.quantities.get(name)
        if quantity is not None:
            return quantity.formula is not None and any(map(self.is_timed, quantity.formula.names))
        return is_time(name) or not self.timed.isdisjoint(places(name))

    def is_time(self, name: str) -> bool:
        """Whether it is, or is computed from, a time or a rate."""
        quantity = self.quantities.get(name)
        if quantity is not None:
            return quantity.formula is not None and any(map(self.is_time, quantity.formula.names))
        return is_time(name)

    def is_prepared(self, name: str) -> bool:
        """Whether it is, or is computed from, a time of the preparation."""
        quantity = self.quantities.get(name)
        if quantity is not None:
            return quantity.formula is not None and any(map(self.is_prepared, quantity.formula.names))
        return name.startswith("prepare.")

    def counts_unsolved(self, name: str, problem: str) -> bool:
        """Whether a field or quantity may be compared although a trial of the problem left something unsolved."""
        quantity, own = self.quantities.get(name), self.problem(problem)
        if quantity is not None and quantity.formula is not None:
            return all(self.counts_unsolved(part, problem) for part in quantity.formula.names)
        # Counters, whether times or not, are those of the parts that have them.
        of_parts = self.is_timed(name) or name.startswith("counters.")
        if not of_parts or name.startswith("prepare."):
            return True
        return name in own.unsolved or not own.counts_unsolved.isdisjoint(places(name))

    def problem(self, name: str) -> Problem:
        return self.problems.get(name, Problem())


@cache
def declarations() -> Declarations:
    return read_declarations(PROBLEMS)


def read_declarations(folder: Path) -> Declarations:
    """Reads the declarations of a folder of problems; a bad one is refused with its file and line."""
    quantities: dict[str, Quantity] = {}
    timed: set[str] = set()
    recorded: set[str] = set()
    problems: dict[str, Problem] = {}
    curves: dict[str, Curve] = {}
    for path in sorted([*folder.glob("quantities.yaml"), *folder.glob("*/quantities.yaml")]):
        keys = read_placed(path).mapping(FILE_KEYS)
        for name, raw in (keys["quantities"].mapping().items() if "quantities" in keys else ()):
            quantity = _quantity(name, raw)
            known = quantities.setdefault(name, quantity)
            if known != quantity:
                raise InputError(f"{quantity.where}: {name} is declared otherwise at {known.where}")
        for name, raw in keys["curves"].mapping().items() if "curves" in keys else ():
            curve = _curve(name, raw)
            if curves.setdefault(name, curve) != curve:
                raise InputError(f"{curve.where}: {name} is declared otherwise at {curves[name].where}")
        recorded |= _paths_under(keys, "recorded")
        timed |= _paths_under(keys, "timed")
        problems[path.parent.name] = _problem(keys, quantities, curves)
    return Declarations(quantities, frozenset(timed), problems, curves, frozenset(recorded))


def _problem(keys: Mapping[str, Placed], quantities: Mapping[str, Quantity], curves: Mapping[str, Curve]) -> Problem:
    """The declarations of a file; `quantities` and `curves` hold its own by name."""
    printed_by = keys["printed_by"].mapping() if "printed_by" in keys else {}
    unsolved = keys["unsolved"].mapping() if "unsolved" in keys else {}
    own = [quantities[name] for name in (keys["quantities"].mapping() if "quantities" in keys else ())]
    own_curves = {name: curves[name] for name in (keys["curves"].mapping() if "curves" in keys else ())}
    problem = Problem(
        size=_formula(keys["size"]) if "size" in keys else None,
        printed_by={axis: _formula(raw) for axis, raw in printed_by.items()},
        unsolved={_full_path(name, raw.where): _formula(raw) for name, raw in unsolved.items()},
        counts_unsolved=_paths_under(keys, "counts_unsolved"),
        quantities=frozenset(one.name for one in own),
        curves=frozenset(own_curves),
        phases=frozenset(entry.text() for entry in keys["phases"].items()) if "phases" in keys else frozenset(),
    )
    formulas = [problem.size, *problem.printed_by.values(), *problem.unsolved.values()]
    formulas += [formula for one in own for formula in (one.formula, one.needs_all)]
    named = {name for formula in formulas if formula is not None for name in formula.names}
    stepped = {path for one in own_curves.values() for path in (one.x, one.y)}
    listed = _paths_under(keys, "recorded") | _paths_under(keys, "timed") | problem.counts_unsolved
    return replace(problem, paths=listed | named | stepped | frozenset(problem.unsolved))


def _paths_under(keys: Mapping[str, Placed], key: str) -> frozenset[str]:
    return frozenset(map(_path, keys[key].items())) if key in keys else frozenset()


def _quantity(name: str, raw: Placed) -> Quantity:
    keys = raw.mapping(QUANTITY_KEYS)
    if "." in name or " " in name or name in SHORT:
        raise InputError(f"{raw.where}: {name!r}: expected a name without dots and blanks that no field has")
    if ("formula" in keys) == ("by_status" in keys) or "label" not in keys:
        raise InputError(f"{raw.where}: {name}: expected a label, and a formula or by_status")
    formula = _formula(keys["formula"]) if "formula" in keys else None
    interval = keys["interval"].text() if "interval" in keys else None
    if interval is not None and (interval not in INTERVALS or formula is None or not any(map(is_time, formula.names))):
        expected = f"one of {', '.join(INTERVALS)}, with a formula over time"
        raise InputError(f"{keys['interval'].where}: interval: expected {expected}, found {interval!r}")
    by_status = keys["by_status"].mapping(statuses()) if "by_status" in keys else {}
    return Quantity(
        name=name,
        formula=formula,
        by_status={status: value.number() for status, value in by_status.items()},
        label=keys["label"].text(),
        interval=interval,
        where=raw.where,
        needs_all=_formula(keys["needs_all"]) if "needs_all" in keys else None,
    )


def _curve(name: str, raw: Placed) -> Curve:
    keys = raw.mapping(CURVE_KEYS)
    absent = [key for key in CURVE_KEYS if key not in keys]
    if absent:
        raise InputError(f"{raw.where}: {name}: expected {', '.join(CURVE_KEYS)}, found no {absent[0]}")
    paths = {key: _path(keys[key]) for key in ("x", "y")}
    for key, path in paths.items():
        if "{}" not in path:
            raise InputError(f"{keys[key].where}: expected a path with {{}} for the step, found {path!r}")
    return Curve(name, paths["x"], paths["y"], keys["x_label"].text(), keys["y_label"].text(), raw.where)


def _formula(raw: Placed) -> Formula:
    return parse_formula(raw.text(), lambda name: _full_path(name, raw.where), raw.where)


def _path(raw: Placed) -> str:
    return _full_path(raw.text(), raw.where)


def _full_path(name: str, where: str) -> str:
    """The path of a field; unlike in figures, a name without dots is not searched for."""
    path = full_name(name, where)
    if "." not in path:
        raise InputError(f"{where}: unknown name {name!r}: expected a path such as work.{name}{nearest(name, SHORT)}")
    return path
