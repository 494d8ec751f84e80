"""Which names can have values in the records of a problem's trials, and which of them a plan tells already."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, cached_property
from typing import Any

from warpbench_plots.errors import nearest
from warpbench_plots.fields.declared import declarations
from warpbench_plots.fields.names import SHORT
from warpbench_plots.results.schema import record_schema

VARIANT = "variant"
COMMON = "problems"  # the declarations that all problems share
_OWN = frozenset({VARIANT, "threads", "source"})
_RATE = "_per_second"
_PLANNED = frozenset(
    {"solver.name", "solver.role", "solver.device", "solver.point", "dataset.name", "problem", "backend"}
)
# Below these a record has the parameters of its trial, and nothing else.
_SOLVER, _TASK = "solver.parameters.", "task."
_PHASES = ("phases_s.", "prepare.phases_s.")
# Below these a problem's records have what it declares, if it declares any of it.
_DECLARED = ("judgement.metrics.", "work.")


class NameKind(Enum):
    """How much is known of a name before its trials run."""

    PLANNED = "its values"
    OF_DATASET = "that dataset and task decide its value"
    MEASURED = "that it may have a value"
    UNKNOWN = "that it has none"


@dataclass(frozen=True)
class NamesOfTrials:
    """The parameters of some trials of a problem; `others` are further names that stand in their records."""

    problem: str
    solver: frozenset[str] = frozenset()
    task: frozenset[str] = frozenset()
    dataset: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    any_phase: bool = False  # a program of the user's own tells the phases
    _kinds: dict[str, NameKind] = field(default_factory=dict, compare=False)

    def kind(self, name: str) -> NameKind:
        if name not in self._kinds:
            self._kinds[name] = self._kind(name)
        return self._kinds[name]

    def is_told(self, name: str) -> bool:
        """Whether the trials or the declarations of any problem have the name, or the last part of a path."""
        last, known = name.rpartition(".")[2], declarations()
        if known.is_timed(name) or not {name, last}.isdisjoint({*self._all, *self.others, *known.quantities}):
            return True
        return any(last == path.rpartition(".")[2] for problem in known.problems.values() for path in problem.paths)

    def has_phase(self, phase: str) -> bool:
        known = declarations().problem(self.problem).phases
        return self.any_phase or not known or phase in known or phase in self.others

    def near(self, name: str) -> str:
        """`; did you mean 'threads'?`, or nothing."""
        root = next((root for root in (*_PHASES, *_DECLARED, _SOLVER, _TASK) if name.startswith(root)), "")
        if root:
            return nearest(name, (root + one for one in self._below(root)))
        if "." in name:
            return nearest(name, (*SHORT.values(), *_named_paths(), *self._own))
        return nearest(
            name, (*self._all, *self._quantities, *SHORT, *(f"{one}{_RATE}" for one in self._below("work.")))
        )

    def _kind(self, name: str) -> NameKind:
        if name in _OWN or name in _PLANNED:
            return NameKind.PLANNED
        for root, known in ((_SOLVER, self.solver), (_TASK, self.task)):
            if name.startswith(root):
                is_known = name.removeprefix(root) in known | self.others
                return NameKind.PLANNED if is_known else NameKind.UNKNOWN
        if name in self.solver or name in self.task:
            return NameKind.PLANNED
        if name in self.dataset:
            return NameKind.OF_DATASET
        if not self._may_be_measured(name):
            return NameKind.UNKNOWN
        is_of_dataset = all(path.startswith(("dataset.", "work.")) for path in self._paths_of(name))
        return NameKind.OF_DATASET if is_of_dataset else NameKind.MEASURED

    def _paths_of(self, name: str) -> list[str]:
        """The path itself, or of a name without dots the declared paths that end in it; a quantity is none."""
        if "." in name or name in declarations().quantities or name.endswith(_RATE):
            return [name]
        return [path for path in self._own if path.rpartition(".")[2] == name] or [name]

    def _may_be_measured(self, name: str) -> bool:
        quantity = declarations().quantities.get(name)
        if quantity is not None:
            parts = quantity.formula.names if quantity.formula is not None else ()
            return name in self._quantities and all(self.kind(part) is not NameKind.UNKNOWN for part in parts)
        if name.endswith(_RATE):
            work = name.removesuffix(_RATE).removeprefix("work.")
            return self._is_declared(f"work.{work}") or work in self.others
        if "." not in name:
            return name in self.others or self._paths_of(name) != [name]
        for root in _PHASES:
            if name.startswith(root):
                return self.has_phase(name.removeprefix(root))
        if name.startswith(_DECLARED):
            return self._is_declared(name) or name.rpartition(".")[2] in self.others
        return _is_in_schema(name)

    @cached_property
    def _own(self) -> frozenset[str]:
        """The paths that the problem's declarations name."""
        known = declarations()
        return known.problem(self.problem).paths | known.problem(COMMON).paths

    @cached_property
    def _quantities(self) -> frozenset[str]:
        known = declarations()
        return known.problem(self.problem).quantities | known.problem(COMMON).quantities

    @cached_property
    def _all(self) -> frozenset[str]:
        return self.solver | self.task | self.dataset

    def _is_declared(self, path: str) -> bool:
        """Whether the problem declares it, or nothing of its kind. In a declared path `{}` stands for a number,
        `{name}` for a word."""
        root = next(root for root in _DECLARED if path.startswith(root))
        own = [one for one in self._own if one.startswith(root)]
        return not own or path in own or any(_is_one_of(path, one) for one in own if "{" in one)

    def _below(self, root: str) -> Iterator[str]:
        if root in _PHASES:
            yield from declarations().problem(self.problem).phases
        elif root in (_SOLVER, _TASK):
            yield from self.solver if root == _SOLVER else self.task
        else:
            yield from (path.removeprefix(root) for path in self._own if path.startswith(root))


def is_no_number(name: str) -> bool:
    """Whether all that a record may have there is a word, or true or false."""
    if "." not in name:
        return name in (VARIANT, "source")
    nodes = [_resolved(record_schema())]
    for part in name.split("."):
        nodes = [one for node in nodes for below in _below(node, part) for one in _alternatives(below)]
    kinds = [kind for node in nodes if (kind := _kinds_of(node)) != {"null"}]
    return bool(kinds) and all(kind <= {"string", "boolean", "null"} for kind in kinds)


def _below(node: Mapping[str, Any], part: str) -> list[Mapping[str, Any]]:
    """The schemas of a name below a node; of a name that the node does not list, those of any name there."""
    if part in node.get("properties", {}):
        return [node["properties"][part]]
    others = node.get("additionalProperties")
    return [others] if isinstance(others, Mapping) else []


def _kinds_of(node: Mapping[str, Any]) -> set[str]:
    kinds = node.get("type", "string" if "enum" in node else "number")  # all enumerations are of words
    return {kinds} if isinstance(kinds, str) else set(kinds)


def _is_one_of(path: str, pattern: str) -> bool:
    placeholder = "{}" if "{}" in pattern else "{name}"
    before, _, after = pattern.partition(placeholder)
    if not (path.startswith(before) and path.endswith(after)):
        return False
    middle = path[len(before) : len(path) - len(after)]
    return middle.isdecimal() if placeholder == "{}" else re.fullmatch(r"\w+", middle) is not None


def _is_in_schema(path: str) -> bool:
    """Whether a record may have a number, a text or a truth value at a dotted path."""
    nodes = [_resolved(record_schema())]
    parts = path.split(".")
    for place, part in enumerate(parts):
        below = [node["properties"][part] for node in nodes if part in node.get("properties", {})]
        if not below:
            # Where any names may stand, they may have dots.
            objects = [node for node in nodes if node.get("type") == "object"]
            return place > 0 and any(node.get("additionalProperties", True) is not False for node in objects)
        nodes = [alternative for node in below for alternative in _alternatives(node)]
    return any(node.get("type") not in ("object", "array", "null") for node in nodes)


def _alternatives(node: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [_resolved(one) for one in node.get("oneOf", [node])]


def _resolved(node: Mapping[str, Any]) -> Mapping[str, Any]:
    name = node.get("$ref", "").rpartition("/")[2]
    found: Mapping[str, Any] = record_schema()["$defs"][name] if name else node
    return found


@cache
def _named_paths() -> tuple[str, ...]:
    def below(node: Mapping[str, Any], path: str) -> Iterable[str]:
        for name, child in node.get("properties", {}).items():
            for one in _alternatives(child):
                if one.get("properties"):
                    yield from below(one, f"{path}{name}.")
                elif one.get("type") not in ("object", "array", "null"):
                    yield f"{path}{name}"

    return tuple(below(record_schema(), ""))
