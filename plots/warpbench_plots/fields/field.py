"""Fields: how a figure or a claim names a number or a text of a record.

`solver.parameters.threads`, `time.median_s`, `phases_s.transfer`, … are paths into the record; short names stand for
the usual ones. Problems declare further quantities (declared.py), `WORK_per_second` is `work.WORK / time.median_s`, and
formulas compute with all of them (formula.py).
"""

from dataclasses import dataclass
from functools import cache

from warpbench_plots.errors import InputError, nearest
from warpbench_plots.fields.declared import TIME, Declarations, Quantity, declarations
from warpbench_plots.fields.formula import Formula, number_of, parse_formula
from warpbench_plots.fields.names import full_name, look_up, places
from warpbench_plots.results.records import Record, Scalar, Timing

_RATE = "_per_second"
_UNITS = {"_s": "s", "_bytes": "bytes"}
_LABELS = {
    TIME: "time (s), median",
    "ceiling.share": "share of the machine's ceiling",
    "prepare.median_s": "preparation (s), median",
}
_PHASES = {"phases_s.": "phase", "prepare.phases_s.": "preparation, phase"}
# A name so near to a declared one is a misspelling of it.
_MISSPELT = 0.85


@dataclass(frozen=True)
class Field:
    """A formula over a record; `timed` says that its value depends on how fast the machine was."""

    formula: Formula
    timed: bool

    @property
    def text(self) -> str:
        return self.formula.text

    def value(self, record: Record) -> Scalar:
        """The record's value, or None where it has none."""
        return value_of(self.formula, record)

    def number(self, record: Record) -> float | None:
        value = number_of(self.value(record))
        return None if value is None else float(value)

    def interval(self, record: Record) -> tuple[float, float] | None:
        """The confidence interval of the value where it follows from that of the median time."""
        time, value = record.time, self.number(record)
        if time is None or value is None:
            return None
        if self.text == TIME:
            return (time.low_s, time.high_s) if value == time.median_s else _scaled(value, time, "with_time")
        quantity = self._quantity
        way = quantity.interval if quantity else "against_time" if self.text.endswith(_RATE) else None
        return _scaled(value, time, way) if way else None

    def is_comparable(self, record: Record) -> bool:
        """Whether the value may stand beside those of other trials. It may not where it is the time of some parts of
        the answer and the solver gave up others."""
        names = self.formula.names
        return not record.incomplete or all(declarations().counts_unsolved(name, record.problem) for name in names)

    def too_few(self, record: Record) -> str | None:
        """In how many samples the record has the value, where it needs all of them."""
        share = _share(self._quantity, record)
        if share is None or share >= 1 or self._quantity is None or self._quantity.needs_all is None:
            return None
        samples = record.judgement.samples if record.judgement is not None else 0
        name = self._quantity.needs_all.text.rsplit(".", 1)[-1]
        return f"{name.replace('_', ' ')} in {round(share * samples)} of {samples} samples"

    def is_of_dataset(self, record: Record) -> bool:
        """Whether the record's value follows from the dataset alone, whatever solver ran on it."""
        return all(name == "source" or self._place(name, record).startswith("dataset.") for name in self.formula.names)

    @staticmethod
    def _place(name: str, record: Record) -> str:
        if name in declarations().quantities:
            return ""
        return next((place for place in places(name) if look_up(record.raw, place) is not None), "")

    @property
    def is_time(self) -> bool:
        """Whether it is computed from times; a timed field may also be a number that the machine's speed decides."""
        return any(map(declarations().is_time, self.formula.names))

    @property
    def is_prepared(self) -> bool:
        """Whether it is computed from times of the preparation, of which an execution has one."""
        return any(map(declarations().is_prepared, self.formula.names))

    @property
    def is_seconds(self) -> bool:
        """Whether its values are durations, so that they have a unit: a ratio of two times has none."""
        return self.formula.seconds(_power_of_seconds) == 1

    @property
    def is_rate(self) -> bool:
        """Whether its values are per second."""
        return self.formula.seconds(_power_of_seconds) == -1

    @property
    def is_of_phases(self) -> bool:
        """Whether it is the time of a phase, or of several together."""
        quantity = self._quantity
        formula = quantity.formula if quantity is not None and quantity.formula is not None else self.formula
        return formula.is_sum and all(name.startswith("phases_s.") for name in formula.names)

    @property
    def counts_failures(self) -> bool:
        """Whether trials that failed have a value too."""
        quantity = self._quantity
        return quantity is not None and bool(quantity.by_status)

    @property
    def label(self) -> str:
        """The words for an axis: the declared ones, or the last part of the name with its unit."""
        if self._quantity:
            return self._quantity.label
        if not self.formula.is_name:
            return f"{self.text} (s)" if self.is_seconds else self.text
        if self.text in _LABELS:
            return _LABELS[self.text]
        name = self.text.rsplit(".", 1)[-1]
        if name.endswith(_RATE):
            return f"{name.removesuffix(_RATE).replace('_', ' ')} per second"
        for root, words in _PHASES.items():
            if self.text.startswith(root):
                return f"{words} {name} (s), median"
        for suffix, unit in _UNITS.items():
            if name.endswith(suffix):
                return f"{name.removesuffix(suffix).replace('_', ' ')} ({unit})"
        return name.replace("_", " ")

    @property
    def _quantity(self) -> Quantity | None:
        return declarations().quantities.get(self.text)


def field(text: str, where: str) -> Field:
    """Parses a field; `where` opens the message for a bad one."""
    return _parsed(text, where, declarations())


@cache  # spreads ask for the same field of every record
def _parsed(text: str, where: str, known: Declarations) -> Field:
    formula = parse_formula(text, lambda name: _known(name, where), where)
    return Field(formula, any(map(known.is_timed, formula.names)))


def _power_of_seconds(name: str) -> int:
    """1 of times, -1 of rates, 0 of all else, and of a sum that has no unit."""
    quantity = declarations().quantities.get(name)
    if quantity is not None:
        return (quantity.formula.seconds(_power_of_seconds) if quantity.formula is not None else 0) or 0
    if name.endswith(_RATE):
        return -1
    return 1 if name.endswith("_s") or name.startswith(tuple(_PHASES)) else 0


def value_of(formula: Formula, record: Record) -> Scalar:
    """The value of a formula over a record's fields."""
    return formula.value(lambda name: _value(name, record))


def _known(name: str, where: str) -> str:
    """The name in full; one that is nearly that of a declared quantity is refused."""
    declared = declarations().quantities
    near = nearest(name, declared, _MISSPELT)
    if near and name not in declared and "." not in name:
        raise InputError(f"{where}: unknown name {name!r}{near} If not, write where it stands, as in counters.{name}")
    return full_name(name, where)


def _share(quantity: Quantity | None, record: Record) -> float | None:
    """The share of the samples that have the quantity's value; None where it needs none."""
    if quantity is None or quantity.needs_all is None:
        return None
    return number_of(value_of(quantity.needs_all, record)) or 0.0


def _scaled(value: float, time: Timing, way: str) -> tuple[float, float] | None:
    if way == "with_time":
        return value * time.low_s / time.median_s, value * time.high_s / time.median_s
    if time.low_s <= 0 or time.high_s <= 0:
        return None
    return value * time.median_s / time.high_s, value * time.median_s / time.low_s


def _value(name: str, record: Record) -> Scalar:
    if name == "threads":
        return threads(record)
    if name == "source":
        return record.dataset.name.partition("(")[0]
    if record.incomplete and (instead := declarations().problem(record.problem).unsolved.get(name)) is not None:
        return value_of(instead, record)
    quantity = declarations().quantities.get(name)
    if quantity is not None:
        share = _share(quantity, record)
        if share is not None and share < 1:
            return None
        return quantity.by_status.get(record.status) if quantity.formula is None else value_of(quantity.formula, record)
    if name.endswith(_RATE):
        return _rate(name.removesuffix(_RATE).removeprefix("work."), record)
    found = (look_up(record.raw, place) for place in places(name))
    return next((value for value in found if value is not None), None)


def _rate(work: str, record: Record) -> float | None:
    done = number_of(look_up(record.raw, f"work.{work}"))
    if done is None or record.time is None or not record.time.median_s:
        return None
    return done / record.time.median_s


def threads(record: Record) -> Scalar:
    """CPU threads of a trial: as asked; where it asked for all, their number, or `all` where nothing was timed."""
    asked = record.solver.parameters.get("threads")
    if asked not in (None, 0, "all"):
        return asked
    if record.time is not None and record.time.threads is not None:
        return record.time.threads
    return asked if asked is None else "all"


def plain(value: Scalar) -> str:
    """A value as figures and tables print it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.4g}"
    return "–" if value is None else str(value)
