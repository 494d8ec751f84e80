"""docs/reproduction.md: its claims exist, and its table and its lists are those of the committed results."""

import re
from collections.abc import Mapping

import pytest
from warpbench_plots.claims.catalogue import catalogue
from warpbench_plots.claims.evaluate import evaluate_runs
from warpbench_plots.claims.verdict import CENTRAL, CONSTRUCTED, FAILS, HOLDS, PARTLY, UNTESTED, ClaimResult
from warpbench_plots.locations import CHECKOUT
from warpbench_plots.results.run import Run

UNDECIDED = "undecided"
NOT_RUN = "no run"
MACHINES = ("h200", "h100")
COLUMNS = (HOLDS, PARTLY, FAILS, CONSTRUCTED, UNDECIDED, UNTESTED, NOT_RUN)
# The heading under which a page names the claims with these outcomes.
HEADINGS = {
    "Stands": (HOLDS, PARTLY, CONSTRUCTED),
    "Does not stand": (FAILS,),
    "Not tested": (UNDECIDED, UNTESTED, NOT_RUN),
}
PAGE = (CHECKOUT / "docs/reproduction.md").read_text(encoding="utf-8")
DOCUMENTS = tuple(dict.fromkeys(claim.document for claim in catalogue().values()))
# A claim's id without document and family, or the beginning of several, or a family.
NAMED = re.compile(r"`([a-z][a-z0-9-]*\*?|[a-z_]+/\*)`")

Outcome = tuple[str, str]


@pytest.fixture(scope="module")
def outcomes(committed_runs: list[Run]) -> dict[str, Outcome]:
    """Of each claim its outcome and the machine that decides: the H100 where the H200 does not."""
    judged = {
        machine: {
            result.claim.id: result
            for result in evaluate_runs([run for run in committed_runs if run.path.parts[-4] == machine])
        }
        for machine in MACHINES
    }
    return {claim: outcome(claim, judged) for claim in catalogue()}


def outcome(claim: str, judged: Mapping[str, Mapping[str, ClaimResult]]) -> Outcome:
    found = [(judged[machine][claim], machine) for machine in MACHINES if claim in judged[machine]]
    if not found:
        return NOT_RUN, ""
    result, machine = next((one for one in found if one[0].verdict != UNTESTED), found[0])
    near = any(check.role == CENTRAL and (check.reason or "").startswith(UNDECIDED) for check in result.checks)
    return (UNDECIDED if result.verdict == UNTESTED and near else result.verdict), machine


def row(document: str, outcomes: Mapping[str, Outcome]) -> str:
    own = [outcome for claim, outcome in outcomes.items() if claim.startswith(f"{document}/")]
    cells = [document, str(len(own))]
    for column in COLUMNS:
        machines = [machine for verdict, machine in own if verdict == column]
        by_h100 = machines.count("h100")
        cells.append(f"{len(machines)} ({by_h100})" if by_h100 else str(len(machines)))
    return f"| {' | '.join(cells)} |"


def section(document: str, heading: str = "") -> str:
    found = re.search(rf"^## .*\({document}\)$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, document
    if not heading:
        return found[1]
    part = re.search(rf"^### {heading}$(.*?)(?=^### |\Z)", found[1], re.MULTILINE | re.DOTALL)
    assert part, f"{document}: {heading}"
    return part[1]


def short(claim: str) -> str:
    return claim.rpartition("/")[2]


def meant(name: str, claims: list[str]) -> list[str]:
    if name.endswith("/*"):
        return [one for one in claims if one.split("/")[1] == name[:-2]]
    if name.endswith("*"):
        return [one for one in claims if short(one).startswith(name[:-1])]
    return [one for one in claims if short(one) == name]


def test_the_table_is_what_the_results_say(outcomes: dict[str, Outcome]) -> None:
    header = f"| document | claims | {' | '.join(COLUMNS)} |"
    rows = [line for line in PAGE.splitlines() if line.startswith(("| document |", *(f"| {d} |" for d in DOCUMENTS)))]
    assert sorted(rows) == sorted([header, *(row(document, outcomes) for document in DOCUMENTS)])


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_claim_that_is_named_exists(document: str) -> None:
    claims = [claim for claim in catalogue() if claim.startswith(f"{document}/")]
    names = NAMED.findall(section(document))
    assert names
    assert [name for name in names if not meant(name, claims)] == []


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("document", DOCUMENTS)
def test_each_list_names_all_claims_with_its_outcomes_and_no_others(
    document: str, heading: str, outcomes: dict[str, Outcome]
) -> None:
    own = {claim: verdict for claim, (verdict, _) in outcomes.items() if claim.startswith(f"{document}/")}
    wanted = [claim for claim, verdict in own.items() if verdict in HEADINGS[heading]]
    names = NAMED.findall(section(document, heading))
    assert [name for name in names if not meant(name, wanted)] == []
    named = {claim for name in names for claim in meant(name, wanted)}
    assert sorted(set(wanted) - named) == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_page_can_be_read_in_five_minutes(document: str) -> None:
    assert len(section(document).split()) <= 650
