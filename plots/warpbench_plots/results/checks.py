"""What is wrong with the records of a run that reading them does not refuse.

`warpbench verify` checks the same (harness/record/results_file.cpp), so that both programs agree on a run directory.
"""

from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any
from zlib import crc32

from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Run
from warpbench_plots.results.unverified import contradictions


def problems_of(run: Run) -> list[str]:
    """One sentence each; none if the run is sound."""
    every = (*run.records, *run.outside)
    if not every:
        return [f"{run.path / 'results.jsonl'}: holds no trial"]
    first = every[0]
    found = [problem for record in run.records for problem in (*_of_source(record, first), *_of_record(record))]
    further = [problem for one in run.executions for problem in (*_of_source(one, first), *_of_record(one))]
    found += [problem for record in run.outside for problem in _of_source(record, first)]
    return [*found, *contradictions(run.records), *further]


def missing_trials(run: Run) -> str | None:
    """That fewer trials have a record than the run's plan has; None if they all have one, or nobody knows."""
    planned = run.environment.raw.get("extra", {}).get("trials", 0)
    if len(run.records) >= planned:
        return None
    why = "the run was ended early, or lines were removed from the end"
    if " --shard" in run.environment.raw.get("command", ""):
        why = (
            "the run is a share of them (--shard), which `warpbench merge` puts together with the others, "
            "or it was ended early"
        )
    return f"{len(run.records)} of {planned} planned trials have a record: {why}"


def changed_spec(run: Run) -> str | None:
    """That spec.yaml was edited after the run; None if it was not, or nobody knows, as of older runs."""
    recorded = run.environment.raw.get("extra", {}).get("spec_crc32", "")
    file = run.path / "spec.yaml"
    if not recorded or f"{crc32(file.read_bytes()):08x}" == recorded:
        return None
    return f"{file}: is no longer the one that the records were made from"


def _of_source(record: Record, first: Record) -> Iterator[str]:
    for what in ("run", "machine", "backend", "experiment"):
        found, expected = getattr(record, what), getattr(first, what)
        if found != expected:
            yield f"trial {record.trial}: another {what} than the first record's: {found}, not {expected}"


def _of_record(record: Record) -> Iterator[str]:
    for complaint in (*_of_time(record), *_of_preparations(record), *_of_status(record)):
        yield f"trial {record.trial} ({record.solver.name}): {complaint}"


def _of_time(record: Record) -> Iterator[str]:
    if record.time is not None:
        yield from _of_median(record.raw["time"], "")


def _of_preparations(record: Record) -> Iterator[str]:
    """Older records do not list them."""
    prepare = record.raw["prepare"] or {}
    if "samples_s" in prepare:
        yield from _of_median(prepare, "preparations' ")


def _of_median(facts: Mapping[str, Any], whose: str) -> Iterator[str]:
    """Whether the numbers of a time follow from its samples."""
    expected = median(facts["samples_s"])
    if abs(expected - facts["median_s"]) > 1e-9 * expected:
        yield f"the recorded {whose}median {facts['median_s']} is not that of the samples, {expected}"
    elif not facts["low_s"] <= facts["median_s"] <= facts["high_s"]:
        yield (
            f"the interval of the {whose}median, {facts['low_s']} to {facts['high_s']}, "
            f"does not hold it, {facts['median_s']}"
        )


def _of_status(record: Record) -> Iterator[str]:
    status = record.recorded_status
    if status != "ok":
        if not record.reason:
            yield f"{status} without a reason"
        if record.time is not None and status != "unverified":
            yield f"{status} with a time"
        if status == "wrong":
            yield f"its answer was wrong: {record.reason}"
    elif record.time is None:
        yield "ok without a time"
    elif record.judgement is None:
        yield "ok without a judgement"
    elif not record.judgement.verified == record.judgement.samples == record.time.samples:
        yield f"{record.judgement.verified} of {record.time.samples} samples were verified"
