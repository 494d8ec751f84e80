"""Assertions that the tests of every document's claims share."""

from warpbench_plots.claims.catalogue import catalogue
from warpbench_plots.claims.evaluations import Evaluations
from warpbench_plots.claims.verdict import FAILS, HOLDS, ClaimResult


def checks_speak_of_published_numbers(book: Evaluations) -> None:
    for key, evaluation in book.claims.items():
        for check in evaluation.checks:
            assert check.published is None or check.published < len(catalogue()[key].published)


def meets_and_misses(met: ClaimResult, missed: ClaimResult) -> None:
    for result, verdict in ((met, HOLDS), (missed, FAILS)):
        assert result.verdict == verdict, [(c.part, c.dataset, c.measured, c.reason) for c in result.checks]
