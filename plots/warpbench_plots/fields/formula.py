"""Arithmetic over names: `A + B`, `A - B`, `A * B`, `A / B`, brackets and numbers, with the usual precedence.

Blanks stand around operators, because a name may hold any other character: `phases_s.build`, `counters.chose_ip-obs`.
"""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from warpbench_plots.errors import InputError
from warpbench_plots.results.records import Scalar

Powers = Callable[[str], int]  # the power of seconds in a name's values: 1 of times, -1 of rates
LookUp = Callable[[str], Scalar]  # the value of a name, or None where there is none

_TOKEN = re.compile(r"[()]|[^\s()]+")
_SUMS: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
}
_PRODUCTS: Mapping[str, Callable[[float, float], float]] = {
    "*": operator.mul,
    "/": operator.truediv,
}
_OPERATIONS = {**_SUMS, **_PRODUCTS}


@dataclass(frozen=True)
class Name:
    name: str

    def value(self, look_up: LookUp) -> Scalar:
        return look_up(self.name)

    def seconds(self, powers: Powers) -> int | None:
        return powers(self.name)


@dataclass(frozen=True)
class Number:
    number: float

    def value(self, look_up: LookUp) -> Scalar:
        return self.number

    def seconds(self, powers: Powers) -> int | None:
        return 0


@dataclass(frozen=True)
class Operation:
    sign: str
    left: "Node"
    right: "Node"

    def value(self, look_up: LookUp) -> Scalar:
        """None where a side has no number, except that a sum is then the other side."""
        left, right = (number_of(side.value(look_up)) for side in (self.left, self.right))
        if left is None or right is None:
            # A counter that stayed at zero may be missing from the record.
            return (right if left is None else left) if self.sign == "+" else None
        if self.sign == "/" and not right:
            return None
        return _OPERATIONS[self.sign](left, right)

    def seconds(self, powers: Powers) -> int | None:
        """The power of seconds in the result; None of a sum of different powers, which has no unit."""
        left, right = self.left.seconds(powers), self.right.seconds(powers)
        if left is None or right is None:
            return None
        if self.sign in _SUMS:
            return left if left == right else None
        return left + right if self.sign == "*" else left - right


Node = Name | Number | Operation


@dataclass(frozen=True)
class Formula:
    """A parsed formula: `text` has its names in full, `names` each of them once."""

    text: str
    names: tuple[str, ...]
    root: Node

    def value(self, look_up: LookUp) -> Scalar:
        return self.root.value(look_up)

    def seconds(self, powers: Powers) -> int | None:
        """The power of seconds in its values: 1 of a duration, 0 of a ratio of two, None where it has no unit."""
        return self.root.seconds(powers)

    @property
    def is_name(self) -> bool:
        return isinstance(self.root, Name)

    @property
    def is_sum(self) -> bool:
        """Whether it is a name, or several that are added."""
        return _is_sum(self.root)

    @property
    def is_quotient(self) -> bool:
        return isinstance(self.root, Operation) and self.root.sign == "/"


def _is_sum(node: Node) -> bool:
    if isinstance(node, Operation):
        return node.sign == "+" and _is_sum(node.left) and _is_sum(node.right)
    return isinstance(node, Name)


def number_of(value: Scalar) -> float | None:
    """The value where it is a number; true and false are none."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def parse_formula(text: str, full_name: Callable[[str], str], where: str) -> Formula:
    """Parses a formula; `full_name` gives each name in full, or refuses it."""
    tokens = [t if t in _OPERATIONS or t in "()" or _is_number(t) else full_name(t) for t in _TOKEN.findall(text)]
    parser = _Parser(tokens)
    root = parser.sum()
    if root is None or parser.rest:
        raise InputError(f"{where}: {text!r} is not a field: expected names joined by ' + ', ' - ', ' * ' or ' / '")
    names = dict.fromkeys(t for t in tokens if t not in _OPERATIONS and t not in "()" and not _is_number(t))
    return Formula(" ".join(tokens).replace("( ", "(").replace(" )", ")"), tuple(names), root)


def _is_number(token: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", token) is not None


class _Parser:
    """Recursive descent over tokens; None where they do not make a formula."""

    def __init__(self, tokens: list[str]) -> None:
        self.rest = tokens[::-1]

    def sum(self) -> Node | None:
        return self._chain(_SUMS, self._product)

    def _product(self) -> Node | None:
        return self._chain(_PRODUCTS, self._operand)

    def _chain(self, signs: Mapping[str, object], part: Callable[[], Node | None]) -> Node | None:
        """Parts joined by some of the signs, from left to right."""
        node = part()
        while node is not None and self.rest and self.rest[-1] in signs:
            sign, right = self.rest.pop(), part()
            node = None if right is None else Operation(sign, node, right)
        return node

    def _operand(self) -> Node | None:
        if not self.rest or self.rest[-1] in _OPERATIONS or self.rest[-1] == ")":
            return None
        token = self.rest.pop()
        if token != "(":
            return Number(float(token)) if _is_number(token) else Name(token)
        inner = self.sum()
        closed = bool(self.rest) and self.rest.pop() == ")"
        return inner if closed else None
