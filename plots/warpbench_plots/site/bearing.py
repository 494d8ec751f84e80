"""Which figures a claim bears on."""

from collections.abc import Mapping, Sequence

from warpbench_plots.claims.evaluations import evaluations
from warpbench_plots.claims.verdict import ClaimResult
from warpbench_plots.figures.build import BuiltFigure
from warpbench_plots.results.run import Experiment


def experiments_of(result: ClaimResult, experiments: Sequence[Experiment]) -> list[Experiment]:
    """The experiments that are measured for a claim; those of this document that were run."""
    book = evaluations(result.claim.document)
    evaluation = book.claims.get(result.claim.id) if book else None
    names = evaluation.experiments if evaluation else ()
    return [e for e in experiments if e.spec.experiment in names]


def figures_of(
    results: Mapping[str, Sequence[ClaimResult]],
    bearing: Mapping[str, Sequence[Experiment]],
    figures: Sequence[BuiltFigure],
) -> dict[str, list[BuiltFigure]]:
    """Claim → the figures that show trials it was measured on; where nothing was, those of its experiments."""
    shown = [(figure, _trials(figure)) for figure in figures]
    found: dict[str, list[BuiltFigure]] = {}
    for claim, own in results.items():
        checks = [check.measured for result in own for check in result.checks if check.measured]
        measured = {(record.experiment, record.trial) for one in checks for record in one.records}
        names = {experiment.spec.experiment for experiment in bearing[claim]}
        found[claim] = [figure for figure, trials in shown if not measured.isdisjoint(trials)] or [
            figure for figure in figures if figure.experiment.spec.experiment in names
        ]
    return found


def _trials(figure: BuiltFigure) -> set[tuple[str, str]]:
    return {(point.record.experiment, point.record.trial) for point in figure.data.points if point.record}
