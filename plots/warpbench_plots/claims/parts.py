"""One part of a claim: its check on each of its datasets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from warpbench_plots.claims.catalogue import Claim
from warpbench_plots.claims.datasets import on_dataset, printed_axes, sizes_of
from warpbench_plots.claims.evaluations import Check, Evaluation, Evaluations
from warpbench_plots.claims.measure import Measurement, check_needs
from warpbench_plots.claims.measured import Measured, NotTested, gains, mean, pooled, share
from warpbench_plots.claims.printed import NO_NUMBER, Bounds, Printed, accepted
from warpbench_plots.claims.source import Group, Source, on_newest_content
from warpbench_plots.claims.verdict import FAILS, HOLDS, UNTESTED, CheckResult
from warpbench_plots.fields.field import plain
from warpbench_plots.results.records import Record, Scalar

# What one number of all cases is.
_OVER: Mapping[str, Callable[[list[Measured]], Measured]] = {"mean": mean, "share": share, "gains": gains}


@dataclass(frozen=True)
class Case:
    """A claim, how it is evaluated, and the records to evaluate it on."""

    claim: Claim
    book: Evaluations
    evaluation: Evaluation
    source: Source

    @property
    def groups(self) -> list[Group]:
        """Those of the experiments that the evaluation names, on the newest content of each dataset."""
        return self._kept[0]

    @property
    def left_out(self) -> Mapping[str, Sequence[str]]:
        """Datasets of which older runs have other content → those runs."""
        return self._kept[1]

    @cached_property
    def _kept(self) -> tuple[list[Group], Mapping[str, Sequence[str]]]:
        return on_newest_content(self.source.groups(self.evaluation.experiments))


@dataclass(frozen=True)
class Target:
    """A dataset by the document's name, and the name to look for in the records: the same, or one size of it.

    `at` is a value of the check's field: only records that have it count.
    """

    dataset: str | None
    name: str | None
    at: Scalar = None

    @property
    def is_one(self) -> bool:
        return self.name not in (None, "any")


@dataclass(frozen=True)
class _Found:
    """The finding on one group of records: a result without a verdict, its values, how they were measured and the range
    that is accepted."""

    result: CheckResult
    values: Sequence[Measured] = ()
    measurement: Measurement | None = None
    bounds: Bounds = NO_NUMBER

    @property
    def levels(self) -> Sequence[float]:
        """Of the values along a curve."""
        return self.measurement.levels if self.measurement else ()

    def at(self, level: float) -> Measured | None:
        """The value at a level of any run, where this one's curves reach it."""
        if self.measurement is None or not self.levels[0] <= level <= self.levels[-1]:
            return None
        try:
            return self.measurement.at(level)
        except NotTested:
            return None


@dataclass(frozen=True)
class Part:
    """A check of a case."""

    case: Case
    check: Check

    def results(self) -> list[CheckResult]:
        """A result for each dataset, size and value of `at`, or one number of all where the check asks for it."""
        named = self.case.claim.datasets if self.check.datasets is None else self.check.datasets
        targets = [target for dataset in named or (None,) for target in self._targets(dataset)]
        results = [self._over_all_runs(target) for target in targets]
        return [self._together(results)] if self.check.over in _OVER else results

    def cases(self, results: Sequence[CheckResult]) -> Sequence[CheckResult]:
        """The results that the claim's verdict counts: every one, or, for an "up to", the one that decides."""
        if self.check.over != "any":
            return results
        order = (HOLDS, UNTESTED, FAILS)
        return [replace(min(results, key=lambda result: order.index(result.verdict)), dataset=None, at="")]

    def _targets(self, dataset: str | None) -> list[Target]:
        values = self.check.at[1] if self.check.at else (None,)
        whole = [Target(dataset, dataset, value) for value in values]
        if not self.check.each_size or not whole[0].is_one:
            return whole
        return [Target(dataset, name, value) for name in self._sizes(str(dataset)) for value in values] or whole

    def _sizes(self, dataset: str) -> list[str]:
        return sizes_of([record for group in self.case.groups for record in group.records], dataset)

    def _over_all_runs(self, target: Target) -> CheckResult:
        """The result by all runs, on the largest size that any measured; no ratio crosses runs, whose code differs."""
        groups: list[Group | None] = [*self.case.groups]
        found = [self._measure(target, group) for group in groups or [None]]
        measured = [one for one in found if one.values]
        if not measured:
            silent = ("dataset absent", "not run")
            return min(found, key=lambda one: (one.result.reason or "").startswith(silent)).result
        sizes = self._sizes(str(target.name)) if target.is_one else []
        # Where one run has the real data, a stand-in is no size of them.
        rank = {name: place for place, name in enumerate(sizes)}
        largest = max((one.result.measured_on for one in measured), key=lambda name: rank.get(name or "", -1))
        return self._agreed([one for one in measured if one.result.measured_on == largest])

    def _agreed(self, found: Sequence[_Found]) -> CheckResult:
        """The result of several runs on one dataset: runs that contradict each other decide nothing."""
        first = found[0]
        if self.check.along is None:
            cases = [[value for one in found for value in one.values]]
        else:
            # Runs have trials at other levels, so that each is asked at those of all.
            levels = sorted({level for one in found for level in one.levels})
            cases = [[value for one in found if (value := one.at(level)) is not None] for level in levels]
        values = [replace(pooled(own), at=own[0].at) if len(own) > 1 else own[0] for own in cases]
        return _decide(first.result, values, first.bounds)

    def _measure(self, target: Target, group: Group | None) -> _Found:
        """The check on one dataset by one group of records."""
        group = self._at(target, group)
        records = group.records if group else []
        axes = _axes(target, records)
        printed = Printed(
            self._entry,
            target.dataset,
            {axis: number for axis, (_, number) in axes.items()},
        )
        bounds = accepted(self.check, printed, self.case.book)
        result = replace(self._unmeasured(target.dataset, printed, bounds), at=self._place(target))
        values: Sequence[Measured] = ()
        measurement: Measurement | None = None
        try:
            own = self._admitted(target, group)
            if target.is_one:
                result = replace(result, measured_on=own[0].dataset.name, stand_in=own[0].stands_in)
            measurement = Measurement(self.check, self.case.book.terms, own, self.case.source.spread)
            values = measurement.results()
            self._refuse_stand_in(result)
            if bounds == NO_NUMBER:
                place = ", ".join(f"{plain(number)} {noun}" for noun, number in axes.values()) or "this size"
                raise NotTested(
                    "no data",
                    f"the document prints no number for {place} of {target.dataset}",
                )
        except NotTested as untested:
            result = replace(result, reason=str(untested))
        return _Found(result, values, measurement, bounds)

    def _at(self, target: Target, group: Group | None) -> Group | None:
        """The group's records at the target's value of `at`."""
        if self.check.at is None or group is None:
            return group
        return replace(group, records=self._by_value[id(group)].get(target.at, []))

    @cached_property
    def _by_value(self) -> Mapping[int, Mapping[Scalar, list[Record]]]:
        """Of each group its records by their value of `at`: groups are asked for each target."""
        found: dict[int, dict[Scalar, list[Record]]] = {}
        for group in self.case.groups:
            records = found.setdefault(id(group), {})
            for record in group.records:
                records.setdefault(self.check.at[0].value(record) if self.check.at else None, []).append(record)
        return found

    def _place(self, target: Target) -> str:
        if self.check.at is None:
            return ""
        return f"{self.check.at[0].text.rsplit('.', 1)[-1]} {plain(target.at)}"

    def _admitted(self, target: Target, group: Group | None) -> Sequence[Record]:
        """The records on the target, on a machine that the check accepts."""
        if self.check.not_tested:
            raise NotTested(*self.check.not_tested)
        if group is None:
            raise NotTested("not run", f"no trial of {' or '.join(self.case.evaluation.experiments)}")
        if self.check.at is not None and not group.records:
            raise NotTested("not run", f"no trial at {self._place(target)}")
        own = on_dataset(group.records, str(target.name)) if target.is_one else group.records
        if self.check.comparable:
            where, because = self.check.comparable
            own = where.of(own)
            if not own:
                raise NotTested("not comparable", because)
        check_needs(self.check.needs, group.environment, own)
        return own

    def _refuse_stand_in(self, result: CheckResult) -> None:
        if result.stand_in and self.check.refuse_stand_in:
            because = f"a number of the dataset itself, and {result.measured_on} only stands in for {result.dataset}"
            raise NotTested("dataset absent", because)

    def _together(self, results: Sequence[CheckResult]) -> CheckResult:
        """One result of those of all datasets, each of which must have been measured somewhere."""
        printed = Printed(self._entry)
        bounds = accepted(self.check, printed, self.case.book)
        datasets = list(dict.fromkeys(result.dataset for result in results))
        kept = [result for result in results if result.measured is not None]
        sizes = [[m.measured_on or "" for m in kept if m.dataset == dataset] for dataset in datasets]
        whole = replace(
            self._unmeasured(", ".join(map(str, datasets)), printed, bounds),
            measured_on=", ".join(_of_sizes(names) for names in sizes if names),
            stand_in=any(result.stand_in for result in kept),
        )
        if not all(sizes):
            absent = datasets[sizes.index([])]
            return replace(
                whole,
                reason=next(result.reason for result in results if result.dataset == absent),
            )
        try:
            value = _OVER[self.check.over]([result.measured for result in kept if result.measured is not None])
        except NotTested as untested:
            return replace(whole, reason=str(untested))
        return _decide(whole, [value], bounds)

    def _unmeasured(self, dataset: str | None, printed: Printed, bounds: Bounds) -> CheckResult:
        return CheckResult(
            part=self.check.part,
            dataset=dataset,
            published=str(printed),
            accepted=str(bounds),
            unit=self.check.unit,
            role=self.check.role,
        )

    @property
    def _entry(self) -> Mapping[str, Any]:
        return {} if self.check.published is None else self.case.claim.published[self.check.published]


def _decide(result: CheckResult, values: Sequence[Measured], bounds: Bounds) -> CheckResult:
    """The result with its verdict, or with the reason for which there is none.

    Of several values, along a curve, all must hold and one that does not decides; the one that is shown is that which
    fails by most, else the first that is undecided, else the smallest.
    """
    shown = min(values, key=lambda value: value.value)
    if result.reason is not None:
        return replace(result, measured=shown)
    failing, undecided = list[Measured](), None
    for value in values:
        try:
            if bounds.verdict(value) == FAILS:
                failing.append(value)
        except NotTested as untested:
            undecided = undecided or replace(result, measured=value, reason=str(untested))
    if failing:
        return replace(result, measured=max(failing, key=bounds.miss), verdict=FAILS)
    return undecided or replace(result, measured=shown, verdict=HOLDS)


def _axes(target: Target, records: Sequence[Record]) -> Mapping[str, tuple[str, float]]:
    try:
        return printed_axes(on_dataset(records, str(target.name))[0])
    except NotTested:
        return {}


def _of_sizes(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0].partition('(')[0]} ({len(names)} sizes)"
