"""Assertions that the tests of every document's claims share."""

from pathlib import Path
from typing import Any

from builders import write_run
from warpbench_plots.claims.catalogue import catalogue
from warpbench_plots.claims.evaluate import evaluate_runs
from warpbench_plots.claims.evaluations import Evaluations
from warpbench_plots.claims.verdict import FAILS, HOLDS, ClaimResult
from warpbench_plots.results.run import read_run


def judge_on(folder: Path, claim: str, records: list[dict[str, Any]], machine: dict[str, Any]) -> ClaimResult:
    """The verdict on a claim by records of one or more experiments that were made on `machine`."""
    runs = []
    for name in dict.fromkeys(raw["experiment"] for raw in records):
        own = [raw for raw in records if raw["experiment"] == name]
        runs.append(read_run(write_run(folder / name, own, {"claims": [claim]}, machine)))
    (result,) = evaluate_runs(runs)
    return result


def checks_speak_of_published_numbers(book: Evaluations) -> None:
    for key, evaluation in book.claims.items():
        for check in evaluation.checks:
            assert check.published is None or check.published < len(catalogue()[key].published)


def meets_and_misses(met: ClaimResult, missed: ClaimResult) -> None:
    for result, verdict in ((met, HOLDS), (missed, FAILS)):
        assert result.verdict == verdict, [(c.part, c.dataset, c.measured, c.reason) for c in result.checks]
