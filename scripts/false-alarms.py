#!/usr/bin/env python3
"""Measures how often `warpbench compare` calls two runs of the same program different.

Makes pairs of calibrated runs of a request, compares them, and prints the share of comparisons that found a change.
The share must be at most 5 %. `--load N` makes the machine busy with processes that begin and end at random.
Needs minutes and only the standard library. Exit codes: 0 at most 5 %, 1 more, or all are ambiguous; 2 no times to
compare.
"""

import argparse
import collections
import json
import multiprocessing
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

# CPU solvers in milliseconds, so that a run is done in seconds: 20 trials.
SPEC = """
experiment: test/false-alarms
title: The same program twice
problem: common_neighbors
datasets:
  - {name: livejournal-like, scale: 0.0005}
  - {name: livejournal-like, scale: 0.001}
solvers:
  - merge: {threads: [1, 2]}
  - mps: {threads: [1, 2], skew_threshold: [10, 50]}
  - bmp: {threads: [1, 2], range_filter: [false, true]}
protocol: {warmup: 1, repetitions: 10, minimum_repetitions: 10}
figure: {kind: bars}
"""
LIMIT = 0.05


def be_busy(seed: int) -> None:
    """Computes and sleeps in turn, each for up to three seconds, for ever."""
    moments = random.Random(seed)
    while True:
        end = time.monotonic() + moments.uniform(0, 3)
        while time.monotonic() < end:
            pass
        time.sleep(moments.uniform(0, 3))


def fail(reason: str) -> NoReturn:
    print(f"false-alarms: {reason}", file=sys.stderr)
    sys.exit(2)


def compared(program: str, request: str, folder: Path) -> collections.Counter[str]:
    """Makes two runs and returns the number of their trials by verdict, without those that have no time."""
    for name in ("old", "new"):
        run = [program, "run", request, "--no-ceilings", "--calibrate", "--out", folder / name]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    done = subprocess.run(
        [program, "compare", "--json", folder / "old", folder / "new"],
        check=False,  # 1: something is slower
        capture_output=True,
        text=True,
    )
    if done.returncode not in (0, 1):
        fail(done.stderr.strip())
    verdicts = collections.Counter(json.loads(done.stdout)["counts"])
    del verdicts["untimed"]
    if not verdicts:
        fail(f"expected trials whose times can be compared in {request}, found none; ask for CPU solvers, or use a GPU")
    return verdicts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="such as build/bench/warpbench")
    parser.add_argument("request", nargs="?", help="spec or experiment (default: 20 trials of CPU solvers)")
    parser.add_argument("--comparisons", type=int, default=200, help="at least so many (default: 200)")
    parser.add_argument("--load", type=int, default=0, help="number of processes that make the machine busy")
    arguments = parser.parse_args()
    for seed in range(arguments.load):
        multiprocessing.Process(target=be_busy, args=(seed,), daemon=True).start()
    verdicts: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="warpbench-") as name:
        spec = Path(name) / "spec.yaml"
        spec.write_text(SPEC, encoding="utf-8")
        pair = 0
        while verdicts.total() < arguments.comparisons:
            folder = Path(name) / str(pair)
            verdicts += compared(arguments.program, arguments.request or str(spec), folder)
            pair += 1
            print(f"{pair} pairs of runs: {dict(verdicts)}", file=sys.stderr)
    changed = verdicts.total() - verdicts["same"] - verdicts["ambiguous"]
    share = changed / verdicts.total()
    print(
        f"false alarms: {changed} of {verdicts.total()} comparisons, {100 * share:.1f} % (limit: {100 * LIMIT:.0f} %); "
        f"{verdicts['ambiguous']} are ambiguous"
    )
    if verdicts["ambiguous"] == verdicts.total():
        print("nothing was decided: this machine is too unsteady for these trials")
        return 1
    return 0 if share <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
