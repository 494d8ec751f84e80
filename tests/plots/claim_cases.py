"""Assertions that the tests of every document's claims share."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from builders import made_run
from warpbench_plots.claims.catalogue import catalogue
from warpbench_plots.claims.evaluate import evaluate_runs
from warpbench_plots.claims.evaluations import evaluations
from warpbench_plots.claims.table import as_text
from warpbench_plots.claims.verdict import CONSTRUCTED, FAILS, HOLDS, PARTLY, ClaimResult

Records = list[dict[str, Any]]


def judge_on(folder: Path, claim: str, records: Records, machine: dict[str, Any]) -> ClaimResult:
    """The verdict on a claim by records of one or more experiments that were made on `machine`."""
    runs = []
    for name in dict.fromkeys(raw["experiment"] for raw in records):
        own = [raw for raw in records if raw["experiment"] == name]
        runs.append(made_run(folder / name, own, {"claims": [claim]}, machine))
    (result,) = evaluate_runs(runs)
    return result


def evaluated_claims(document: str, *prefixes: str) -> set[str]:
    """The claims whose keys begin with one of `prefixes`; each has an evaluation that speaks of published numbers."""
    book = evaluations(document)
    assert book is not None
    claims = {key for key in catalogue() if key.startswith(prefixes)}
    assert {key for key in book.claims if key.startswith(prefixes)} == claims
    assert book.claims.keys() <= catalogue().keys()
    for key in claims:
        for check in book.claims[key].checks:
            assert check.published is None or check.published < len(catalogue()[key].published)
    return claims


def over_cases(
    cases: dict[str, tuple[Records, Records]], missed: Iterable[tuple[str, Records]] = ()
) -> pytest.MarkDecorator:
    """Runs a test for each claim with records that meet it and records that do not; `missed` are more of the latter."""
    every = [(claim, good, bad) for claim, (good, bad) in cases.items()]
    every += [(claim, cases[claim][0], bad) for claim, bad in missed]
    return pytest.mark.parametrize(
        ("claim", "good", "bad"), every, ids=[f"{i}-{claim}" for i, (claim, _, _) in enumerate(every)]
    )


def meets_and_misses(
    judge: Callable[[Path, str, Records], ClaimResult], folder: Path, claim: str, good: Records, bad: Records
) -> None:
    """Parts that need the document's machine stay untested, so that a claim may hold in part at best."""
    for name, records, verdicts in (("good", good, (HOLDS, PARTLY, CONSTRUCTED)), ("bad", bad, (FAILS,))):
        result = judge(folder / name, claim, records)
        assert result.verdict in verdicts, as_text([result])
