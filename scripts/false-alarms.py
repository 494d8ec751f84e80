#!/usr/bin/env python3
"""Measures how often `warpbench compare` calls two runs of the same program different, or misses a slower one.

Makes pairs of calibrated runs of a request, compares them, and prints the share of comparisons that found a change.
The share must be at most 5 %. `--slower P` runs a program of its own (the solver `external`) that does P percent more
work in the second run of a pair; the share found slower must then be at least 80 %, from 10 percent on 99 %. `--load
N` makes the machine busy with processes that begin and end at random. Needs minutes and only the standard library.
Exit codes: 0 the share is as it must be, 1 it is not, or all are ambiguous; 2 no times to compare.
"""

import argparse
import collections
import json
import multiprocessing
import os
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
UNDECIDED = "nothing was decided: this machine is too unsteady for these trials"

# Ten trials of some 20 ms by SLOWED_PROGRAM, which counts common neighbours as often as the setting says.
SLOWED_SPEC = """
experiment: test/slowed
title: The same program, and a slower one
problem: common_neighbors
datasets: [{name: graph, generator: uniform, vertices: 40, edges: 200}]
solvers:
  - external: {program: slowed, settings: ["500", "510", "520", "530", "540", "550", "560", "570", "580", "590"]}
protocol: {warmup: 1, repetitions: 10, minimum_repetitions: 10}
figure: {kind: bars}
"""
SLOWED_PROGRAM = """
import array, json, os, sys
def say(message):
    print(json.dumps(message), flush=True)
    if "clock" in message: sys.stdin.readline()  # the clock is confirmed
say({"ready": "slowed 1"})
for line in sys.stdin:
    ((kind, request),) = json.loads(line).items()
    if kind == "prepare":
        offsets, neighbors = array.array("Q"), array.array("I")
        for name, values in (("offsets.u64", offsets), ("neighbors.u32", neighbors)):
            with open(os.path.join(request["folder"], name), "rb") as file: values.frombytes(file.read())
        rows = [set(neighbors[a:b]) for a, b in zip(offsets, offsets[1:])]
        ends = [(rows[u], rows[v]) for u in range(len(rows)) for v in neighbors[offsets[u]:offsets[u + 1]]]
        say({"prepared": {}})
        continue
    times = round(int(request["parameters"]["settings"]) * (1 + float(os.environ["SLOWER_BY_PERCENT"]) / 100))
    say({"clock": True})
    for _ in range(times): counts = array.array("I", [len(u & v) for u, v in ends])
    say({"clock": False})
    with open(os.path.join(request["folder"], "counts.u32"), "wb") as file: counts.tofile(file)
    say({"answered": {}})
"""


def found_at_least(percent: float) -> float:
    """The share of comparisons that must find a change of so many percent."""
    return 0.99 if percent >= 10 else 0.80


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


def compared(program: str, request: str, folder: Path, slower: float) -> collections.Counter[str]:
    """Makes two runs and returns the number of their trials by verdict, without those that have no time."""
    for name, percent in (("old", 0.0), ("new", slower)):
        run = [program, "run", request, "--no-ceilings", "--calibrate", "--out", folder / name]
        environment = os.environ | {"SLOWER_BY_PERCENT": str(percent)}
        done = subprocess.run(run, check=False, capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            fail(f"expected a run whose trials are all ok: {(done.stderr.strip() or done.stdout.strip())[-500:]}")
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
    parser.add_argument("--slower", type=float, default=0, metavar="P", help="percent more work in the second run")
    parser.add_argument("--load", type=int, default=0, help="number of processes that make the machine busy")
    arguments = parser.parse_args()
    if arguments.comparisons < 1 or arguments.slower < 0:
        parser.error("expected at least 1 comparison, and no negative percentage")
    if arguments.slower and arguments.request:
        parser.error("--slower runs a request of its own: leave REQUEST out")
    for seed in range(arguments.load):
        multiprocessing.Process(target=be_busy, args=(seed,), daemon=True).start()
    verdicts: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="warpbench-") as name:
        spec = Path(name) / "spec.yaml"
        spec.write_text(SLOWED_SPEC if arguments.slower else SPEC, encoding="utf-8")
        slowed = Path(name) / "slowed.py"
        slowed.write_text(SLOWED_PROGRAM, encoding="utf-8")
        os.environ["WARPBENCH_EXTERNAL_SLOWED"] = f"{sys.executable} {slowed}"
        pair = 0
        while verdicts.total() < arguments.comparisons:
            folder = Path(name) / str(pair)
            verdicts += compared(arguments.program, arguments.request or str(spec), folder, arguments.slower)
            pair += 1
            print(f"{pair} pairs of runs: {dict(verdicts)}", file=sys.stderr)
    total, ambiguous = verdicts.total(), verdicts["ambiguous"]
    if arguments.slower:
        share = verdicts["slower"] / total
        asked = found_at_least(arguments.slower)
        print(
            f"{arguments.slower:g} % slower: found in {verdicts['slower']} of {total} comparisons, {100 * share:.1f} % "
            f"(at least {100 * asked:.0f} %); {ambiguous} are ambiguous"
        )
        if ambiguous == total:
            print(UNDECIDED)
        return 0 if share >= asked else 1
    changed = total - verdicts["same"] - ambiguous
    share = changed / total
    print(
        f"false alarms: {changed} of {total} comparisons, {100 * share:.1f} % (limit: {100 * LIMIT:.0f} %); "
        f"{ambiguous} are ambiguous"
    )
    if ambiguous == total:
        print(UNDECIDED)
        return 1
    return 0 if share <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
