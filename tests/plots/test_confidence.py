"""Times that are committed as results have samples enough for a confidence of 95 %, or results/few-samples.yaml says
why not. So do the specs that such results come from."""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from warpbench_plots.files import read_yaml

ROOT = Path(__file__).resolve().parents[2]
ENOUGH = 6  # samples: the chance that the median lies outside their range is 2 / 2^6
FEW = read_yaml(ROOT / "results" / "few-samples.yaml")


def named(kind: str) -> set[str]:
    return {name for entry in FEW for name in entry.get(kind, [])}


def records_with_few_samples(folder: Path) -> Iterator[dict[str, Any]]:
    """Of the last record of each trial, those whose time has no confidence of 95 % although nothing stopped it."""
    for path in sorted(folder.rglob("results.jsonl")):
        records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        for record in {record["trial"]: record for record in records}.values():
            time = record["time"]
            if record["status"] == "ok" and time["confidence"] < 0.95 and time["stopped_by"] != "timeout":
                yield record


@cache
def committed() -> list[dict[str, Any]]:
    return list(records_with_few_samples(ROOT / "results"))


def unexplained(records: Iterable[dict[str, Any]]) -> list[str]:
    """Experiment, trial and revision of records that results/few-samples.yaml does not explain."""
    return [
        f"{record['experiment']} {record['trial']} at {record['environment']['revision'][:12]}"
        for record in records
        if record["environment"]["revision"][:12] not in named("revisions")
        and record["experiment"] not in named("experiments")
    ]


def test_committed_times_reach_95_percent_or_say_why() -> None:
    assert unexplained(committed()) == []


def test_a_time_with_few_samples_is_found(tmp_path: Path) -> None:
    time = {"confidence": 0.75, "stopped_by": "repetitions"}
    record = {"trial": "a", "experiment": "x/y", "status": "ok", "time": time, "environment": {"revision": "0" * 40}}
    (tmp_path / "results.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert unexplained(records_with_few_samples(tmp_path)) == ["x/y a at 000000000000"]


def test_every_reason_is_needed() -> None:
    revisions = {record["environment"]["revision"][:12] for record in committed()}
    assert named("revisions") <= revisions
    assert named("experiments") <= set(specs_with_few_repetitions())


def specs_with_few_repetitions() -> Iterator[str]:
    """The experiments whose spec, or entry in a suite for results, asks for fewer than six repetitions."""
    for path in sorted((ROOT / "configs").glob("*/*.yaml")):
        spec = read_yaml(path)
        if path.parent.name != "suites":
            entries = [spec]
        else:  # the others show that everything runs, in little time
            entries = spec["experiments"] if path.stem in ("paper", "real") else []
        for entry in entries:
            if entry.get("protocol", {}).get("repetitions", ENOUGH) < ENOUGH:
                yield entry.get("spec") or entry["experiment"]


def test_specs_ask_for_enough_repetitions_or_say_why() -> None:
    assert set(specs_with_few_repetitions()) - named("experiments") == set()
