"""One part of a claim: its check on each of its datasets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from warpbench_plots.claims.catalogue import Claim
from warpbench_plots.claims.datasets import on_dataset, printed_axes, sizes_of
from warpbench_plots.claims.evaluations import Check, Evaluation, Evaluations
from warpbench_plots.claims.measure import Measurement, check_needs
from warpbench_plots.claims.measured import NotTested, mean
from warpbench_plots.claims.printed import NO_NUMBER, Bounds, Printed, accepted
from warpbench_plots.claims.verdict import FAILS, HOLDS, UNTESTED, CheckResult
from warpbench_plots.fields.field import plain
from warpbench_plots.results.environment import Environment
from warpbench_plots.results.records import Record


@dataclass(frozen=True)
class Source:
    """The records of one machine and revision."""

    machine: str
    revision: str
    environment: Environment
    records: Sequence[Record]

    def is_of(self, record: Record) -> bool:
        return (record.machine, record.revision) == (self.machine, self.revision)


@dataclass(frozen=True)
class Case:
    """A claim, how it is evaluated, and the records to evaluate it on."""

    claim: Claim
    book: Evaluations
    evaluation: Evaluation
    source: Source

    @property
    def records(self) -> list[Record]:
        """Those of the experiments that the evaluation names."""
        return [record for record in self.source.records if record.experiment in self.evaluation.experiments]


@dataclass(frozen=True)
class Target:
    """A dataset by the document's name, and the name to look for in the records: the same, or one size of it."""

    dataset: str | None
    name: str | None

    @property
    def is_one(self) -> bool:
        return self.name not in (None, "any")


@dataclass(frozen=True)
class Part:
    """A check of a case."""

    case: Case
    check: Check

    def results(self) -> list[CheckResult]:
        """A result for each dataset and size, or their mean where the check asks for it."""
        named = self.case.claim.datasets if self.check.datasets is None else self.check.datasets
        targets = [target for dataset in named or (None,) for target in self._targets(dataset)]
        results = [self._first_decided(target) for target in targets]
        return [self._mean(results)] if self.check.over == "mean" else results

    def verdict(self, results: Sequence[CheckResult]) -> str:
        """All datasets must agree, or, for an "up to", any."""
        verdicts = [result.verdict for result in results]
        order = (HOLDS, UNTESTED, FAILS) if self.check.over == "any" else (FAILS, HOLDS, UNTESTED)
        return next(verdict for verdict in order if verdict in verdicts)

    def _targets(self, dataset: str | None) -> list[Target]:
        whole = Target(dataset, dataset)
        if not self.check.each_size or not whole.is_one:
            return [whole]
        return [Target(dataset, name) for name in sizes_of(self.case.records, str(dataset))] or [whole]

    def _first_decided(self, target: Target) -> CheckResult:
        """By the first experiment that decides it: protocols differ, so no ratio crosses experiments."""
        results = []
        for experiment in self.case.evaluation.experiments:
            own = [record for record in self.case.records if record.experiment == experiment]
            if own:
                results.append(self._judge(target, own))
        if not results:
            return self._judge(target, [])
        decided = [result for result in results if result.verdict != UNTESTED]
        measured = [result for result in results if result.measured is not None]
        return (decided or measured or results)[0]

    def _judge(self, target: Target, records: Sequence[Record]) -> CheckResult:
        """The check on one dataset by the records of one experiment."""
        axes = _axes(target, records)
        printed = Printed(
            self._entry,
            target.dataset,
            {axis: number for axis, (_, number) in axes.items()},
        )
        bounds = accepted(self.check, printed, self.case.book)
        result = self._unmeasured(target.dataset, printed, bounds)
        try:
            own = self._admitted(target, records)
            if target.is_one:
                result = replace(result, measured_on=own[0].dataset.name, stand_in=own[0].stands_in)
            result = replace(
                result,
                measured=Measurement(self.check, self.case.book.terms, own).result(),
            )
            self._refuse_stand_in(result)
            if bounds == NO_NUMBER:
                place = ", ".join(f"{plain(number)} {noun}" for noun, number in axes.values()) or "this size"
                raise NotTested(
                    "no data",
                    f"the document prints no number for {place} of {target.dataset}",
                )
        except NotTested as untested:
            return replace(result, reason=str(untested))
        return _decide(result, bounds)

    def _admitted(self, target: Target, records: Sequence[Record]) -> Sequence[Record]:
        """The records on the target, on a machine that the check accepts."""
        if self.check.not_tested:
            raise NotTested(*self.check.not_tested)
        if not records:
            raise NotTested(
                "not run",
                f"no trial of {' or '.join(self.case.evaluation.experiments)}",
            )
        own = on_dataset(records, str(target.name)) if target.is_one else records
        check_needs(self.check.needs, self.case.source.environment, own)
        return own

    def _refuse_stand_in(self, result: CheckResult) -> None:
        if result.stand_in and self.check.refuse_stand_in:
            because = f"an absolute number, and {result.measured_on} only stands in for {result.dataset}"
            raise NotTested("dataset absent", because)

    def _mean(self, results: Sequence[CheckResult]) -> CheckResult:
        """One result of those of all datasets, each of which must have been measured in some size."""
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
        whole = replace(
            whole,
            measured=mean([result.measured for result in kept if result.measured is not None]),
        )
        return _decide(whole, bounds)

    def _unmeasured(self, dataset: str | None, printed: Printed, bounds: Bounds) -> CheckResult:
        return CheckResult(
            part=self.check.part,
            dataset=dataset,
            published=str(printed),
            accepted=str(bounds),
            unit=self.check.unit,
        )

    @property
    def _entry(self) -> Mapping[str, Any]:
        return {} if self.check.published is None else self.case.claim.published[self.check.published]


def _decide(result: CheckResult, bounds: Bounds) -> CheckResult:
    """The measured result with its verdict, or with the reason for which its interval decides nothing."""
    assert result.measured is not None
    try:
        return replace(result, verdict=bounds.verdict(result.measured))
    except NotTested as untested:
        return replace(result, reason=str(untested))


def _axes(target: Target, records: Sequence[Record]) -> Mapping[str, tuple[str, float]]:
    try:
        return printed_axes(on_dataset(records, str(target.name))[0])
    except NotTested:
        return {}


def _of_sizes(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0].partition('(')[0]} ({len(names)} sizes)"
