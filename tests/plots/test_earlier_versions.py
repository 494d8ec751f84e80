"""Verdicts name earlier versions of generated data, and hardness that is not known."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders import made_run
from search_records import curves
from warpbench_plots.claims import registry, stand_ins
from warpbench_plots.claims.evaluate import evaluate_runs
from warpbench_plots.claims.table import as_json, as_text
from warpbench_plots.claims.verdict import ClaimResult

Raw = dict[str, Any]
CLAIM = "yu2023/ann/hard-moderate-dimension-speedup"
TODAY = {"generator": "clustered", "points": 290000, "spread": 0.3, "metric": "cosine", "seed": 4}
HARDNESS = "how hard the originals are (intrinsic dimension, hubness) is not published"


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> dict[str, Raw]:
    """A registry of one stand-in."""
    parameters = {key: value for key, value in TODAY.items() if key not in ("generator", "seed")}
    entries: dict[str, Raw] = {
        "nytimes-like": {"stand_in": True, "generator": "clustered", "seed": 4, "parameters": parameters}
    }
    monkeypatch.setattr(registry, "registry", lambda: entries)
    monkeypatch.setattr(stand_ins, "registry", lambda: entries)
    return entries


def judged(
    folder: Path, recorded: Raw, change: str = "", claim: str = CLAIM, asked: Raw | None = None, **properties: float
) -> ClaimResult:
    """The claim on two sets, of which NYTimes is a stand-in made with the recorded parameters."""
    records = curves(2.0, ["nytimes", "glove200"])
    for raw in records:
        if raw["dataset"]["name"].startswith("nytimes"):
            raw["dataset"] |= {"name": f"nytimes-like{change}", "stand_in": True, "parameters": recorded}
            raw["dataset"]["properties"] = properties
    spec = {"claims": [claim], "datasets": [{"name": "nytimes-like"} | (asked or {}), "glove200"]}
    (result,) = evaluate_runs([made_run(folder, records, spec)])
    return result


def without(key: str) -> Raw:
    return {name: value for name, value in TODAY.items() if name != key}


@pytest.mark.parametrize(
    ("recorded", "change"),
    [
        (without("spread"), "spread: none, today 0.3"),
        (TODAY | {"spread": 0.8}, "spread: 0.8, today 0.3"),
        (TODAY | {"exponent": 2}, "exponent: 2, today none"),
        (TODAY | {"seed": 5}, "seed: 5, today 4"),
        (TODAY | {"generator": "uniform_vectors"}, "generator: uniform_vectors, today clustered"),
    ],
)
def test_a_verdict_on_an_earlier_version_of_a_stand_in_stays_and_says_so(
    tmp_path: Path, recorded: Raw, change: str
) -> None:
    result = judged(tmp_path, recorded)
    assert result.words == "holds"
    assert result.reason.endswith(f"on an earlier version of nytimes-like ({change})")
    assert f"(stand-in, an earlier version of nytimes-like ({change}))" in as_text([result])
    first, *_ = json.loads(as_json([result]))["claims"][0]["checks"]
    assert first["earlier_version"] == [{"dataset": "nytimes-like", "changes": [change]}]


@pytest.mark.parametrize(
    ("recorded", "change", "asked"),
    [
        (TODAY, "", {}),
        (TODAY | {"scale": 0.5, "first": 20}, "(scale=0.5,first=20)", {"scale": 0.5, "first": 20}),
        (TODAY | {"spread": 0.8}, "(spread=0.8)", {"spread": 0.8}),
        ({}, "", {}),
    ],
)
def test_what_the_spec_asks_for_is_no_earlier_version(tmp_path: Path, recorded: Raw, change: str, asked: Raw) -> None:
    assert "earlier version" not in as_text([judged(tmp_path, recorded, change, asked=asked)])


def test_a_value_that_the_spec_does_not_ask_for_is_an_earlier_version(tmp_path: Path) -> None:
    result = judged(tmp_path, TODAY | {"spread": 0.8}, asked={"spread": 0.5})
    assert "spread: 0.8, today 0.3" in result.reason


def test_a_claim_on_stand_ins_says_once_that_their_hardness_is_not_compared(tmp_path: Path) -> None:
    result = judged(tmp_path, TODAY, intrinsic_dimension=32.0)
    assert result.reason.count(HARDNESS) == 1
    assert result.reason.endswith("that of the stand-ins is measured, but not compared")


def test_a_hardness_that_is_published_is_compared(tmp_path: Path, registered: dict[str, Raw]) -> None:
    registered["nytimes-like"]["published"] = {"intrinsic_dimension": 30}
    result = judged(tmp_path, TODAY, intrinsic_dimension=12.0)
    assert HARDNESS not in result.reason and "intrinsic_dimension 12 instead of 30" in result.reason


def test_what_follows_by_construction_does_not_depend_on_the_hardness(tmp_path: Path) -> None:
    result = judged(tmp_path, TODAY, claim="yu2023/ann/same-recall-range", intrinsic_dimension=32.0)
    assert "on stand-ins: nytimes-like for NYTimes" in result.reason and HARDNESS not in result.reason
