"""The solver `external`: a program of the user's own beside those that Warpbench knows."""

import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, EndToEnd, records

SPEC = """
experiment: test/own-program
title: A program of the user's own
problem: common_neighbors
datasets: [{{name: graph, generator: uniform, vertices: 40, edges: 200}}]
solvers:
  - merge
  - external: {{{external}}}
protocol: {{warmup: 0, repetitions: 2, minimum_repetitions: 2}}
"""

# Counts right if its settings say so.
COUNTS = """
import array, json, os, sys
def say(message):
    print(json.dumps(message), flush=True)
    if "clock" in message: sys.stdin.readline()  # the clock is confirmed
say({"ready": "own 1"})
for line in sys.stdin:
    ((kind, request),) = json.loads(line).items()
    if kind == "prepare":
        assert request["parameters"]["options"] == "fast", request
        offsets, neighbors = array.array("Q"), array.array("I")
        for name, values in (("offsets.u64", offsets), ("neighbors.u32", neighbors)):
            with open(os.path.join(request["folder"], name), "rb") as file: values.frombytes(file.read())
        rows = [set(neighbors[a:b]) for a, b in zip(offsets, offsets[1:])]
        assert len(rows) == request["vertices"] and len(neighbors) == request["slots"], request
        say({"prepared": {}})
        continue
    say({"clock": True})
    counts = array.array("I", [len(rows[u] & rows[v]) for u in range(len(rows))
                               for v in neighbors[offsets[u]:offsets[u + 1]]])
    say({"clock": False})
    if request["parameters"]["settings"] == "wrong": counts[7] += 1
    with open(os.path.join(request["folder"], "counts.u32"), "wb") as file: counts.tofile(file)
    if request["parameters"]["settings"] == "crash":
        print("cannot go on", file=sys.stderr, flush=True)
        os.abort()
    say({"answered": {"phases": {"lookup": 0.25}}})
"""


class OwnProgram(EndToEnd):
    def trials(self, external, **environment):
        """The records of a run, by solver and settings."""
        (self.folder / "counts.py").write_text(COUNTS, encoding="utf-8")
        spec = self.folder / "spec.yaml"
        spec.write_text(SPEC.format(external=external), encoding="utf-8")
        own = {name: value for name, value in os.environ.items() if not name.startswith("WARPBENCH_EXTERNAL_")}
        out = self.folder / "run"
        subprocess.run(
            [PROGRAM, "run", spec, "--out", out, "--no-ceilings"],
            env={**own, "WARPBENCH_CACHE": str(self.folder / "cache"), **environment},
            capture_output=True,
            check=False,
        )
        return {
            (record["solver"]["name"], record["solver"]["parameters"].get("settings", "")): record
            for record in records(out)
        }

    def test_its_answers_are_judged(self):
        command = f"{sys.executable} {self.folder}/counts.py"
        found = self.trials(
            "program: my-counts, options: fast, settings: [right, wrong]", WARPBENCH_EXTERNAL_MY_COUNTS=command
        )
        right, wrong = found["external", "right"], found["external", "wrong"]
        self.assertEqual((right["status"], right["judgement"]["verdict"]), ("ok", "exact"))
        told = right["facts"]
        self.assertEqual((told["program"], told["command"]), ("own 1", command))
        self.assertRegex(told["sha256"], r"^python[0-9.]* [0-9a-f]{64}, counts\.py [0-9a-f]{64}$")
        self.assertEqual(right["counters"]["program_lookup_s"], 0.25)
        self.assertNotIn("lookup", str(right["phases_s"]))
        self.assertIn("count", right["phases_s"])
        self.assertEqual(wrong["status"], "wrong")
        self.assertIn("slot 7", wrong["judgement"]["first_difference"])
        self.assertEqual(right["judgement"]["digest"], found["merge", ""]["judgement"]["digest"])

    def test_a_crash_says_how_it_ended_and_where_its_output_is(self):
        found = self.trials(
            "program: my-counts, options: fast, settings: crash",
            WARPBENCH_EXTERNAL_MY_COUNTS=f"{sys.executable} {self.folder}/counts.py",
        )
        crash = found["external", "crash"]
        self.assertEqual(crash["status"], "crash")
        for words in ("killed by SIGABRT", 'standard error is "cannot go on"', "counts.py"):
            self.assertIn(words, crash["reason"])
        log = re.search(r"all of it is in (\S+\.log)", crash["reason"])[1]
        self.assertIn("cannot go on", Path(log).read_text(encoding="utf-8"))

    def test_without_it_the_trial_is_unsupported(self):
        named = "external: {program: my-counts}"
        to_export = (
            "has no command here: export WARPBENCH_EXTERNAL_MY_COUNTS='/…/PROGRAM ARGUMENT…', "
            "as docs/external-programs.md explains ("
        )
        for environment, words in (
            ({}, f"{named} {to_export}"),
            ({"WARPBENCH_EXTERNAL_OTHER": "true"}, f"{named} {to_export}"),
            (
                {"WARPBENCH_EXTERNAL_MY_COUNTS": "/nowhere/x"},
                f"{named}: WARPBENCH_EXTERNAL_MY_COUNTS names /nowhere/x, which is no program here: correct its path",
            ),
        ):
            (record,) = (
                record
                for (name, _), record in self.trials("program: my-counts", **environment).items()
                if name == "external"
            )
            self.assertEqual(record["status"], "unsupported")
            self.assertIn(words, record["reason"])
            subprocess.run(["rm", "-r", self.folder / "run"], check=True)


class Example(EndToEnd):
    def test_without_scipy_it_is_unsupported(self):
        done = subprocess.run(
            [sys.executable, "-S", ROOT / "peers" / "scipy_counts.py"],
            input="",
            capture_output=True,
            text=True,
            check=True,
        )
        self.assertIn("pip install scipy", json.loads(done.stdout)["unsupported"])


if __name__ == "__main__":
    unittest.main()
