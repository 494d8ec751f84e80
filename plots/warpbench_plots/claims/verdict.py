"""A claim's outcome: what was measured of each of its parts, and the verdict with its reason."""

from collections.abc import Sequence
from dataclasses import dataclass

from warpbench_plots.claims.catalogue import Claim
from warpbench_plots.claims.measured import Measured
from warpbench_plots.claims.registry import Earlier
from warpbench_plots.claims.stand_ins import Deviation, deviations

HOLDS = "holds"
PARTLY = "holds in part"
FAILS = "does not hold"
UNTESTED = "not tested here"
CONSTRUCTED = "by construction"
# In the order of a summary. What holds by construction comes last: it is counted apart.
VERDICTS = (HOLDS, PARTLY, FAILS, UNTESTED, CONSTRUCTED)

CENTRAL = "central"
ASIDE = "aside"


@dataclass(frozen=True)
class CheckResult:
    """One part of a claim on one dataset.

    `at` says at which value of a field, such as `threshold 0.5`, if the check has several. `role` is CENTRAL, ASIDE
    (reported, but the claim does not depend on it) or CONSTRUCTED (it cannot fail). `earlier` has the measured datasets
    that were others when they were measured.
    """

    part: str
    dataset: str | None
    published: str
    accepted: str
    unit: str
    role: str = CENTRAL
    measured_on: str | None = None
    stand_in: bool = False
    measured: Measured | None = None
    verdict: str = UNTESTED
    reason: str | None = None
    at: str = ""
    earlier: tuple[Earlier, ...] = ()

    @property
    def place(self) -> str:
        """The dataset and where on it."""
        return " at ".join(filter(None, (self.dataset, self.at)))

    @property
    def off(self) -> tuple[Deviation, ...]:
        """Where the stand-ins that were measured are off."""
        records = self.measured.records if self.measured else ()
        return tuple(dict.fromkeys(one for record in records for one in deviations(record)))


@dataclass(frozen=True)
class ClaimResult:
    """`held` of `cases` central cases hold; a case is a part on a dataset, or a part that one dataset can decide."""

    claim: Claim
    machine: str
    revisions: tuple[str, ...]
    verdict: str
    held: int
    cases: int
    reason: str
    checks: tuple[CheckResult, ...]

    @property
    def words(self) -> str:
        """The verdict for readers."""
        return f"holds on {self.held} of {self.cases}" if self.verdict == PARTLY else self.verdict


def counted(results: Sequence[ClaimResult]) -> dict[str, int]:
    """How many claims have each verdict."""
    return {verdict: sum(result.verdict == verdict for result in results) for verdict in VERDICTS}
