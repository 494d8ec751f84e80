"""A claim's outcome: what was measured of each of its parts, and the verdict with its reason."""

from dataclasses import dataclass

from warpbench_plots.claims.catalogue import Claim
from warpbench_plots.claims.measured import Measured

HOLDS = "holds"
FAILS = "does not hold"
UNTESTED = "not tested here"


@dataclass(frozen=True)
class CheckResult:
    """One part of a claim on one dataset."""

    part: str
    dataset: str | None
    published: str
    accepted: str
    unit: str
    measured_on: str | None = None
    stand_in: bool = False
    measured: Measured | None = None
    verdict: str = UNTESTED
    reason: str | None = None


@dataclass(frozen=True)
class ClaimResult:
    claim: Claim
    machine: str
    revision: str
    verdict: str
    reason: str
    checks: tuple[CheckResult, ...]
