"""`scripts/gpu-check.sh`, with shell scripts in place of the GPU's tools: what it runs, says and refuses."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "gpu-check.sh"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
ONE_OK = "echo '[       OK ] Fake/Conformance.Holds/x (1 ms)'"


class GpuCheck(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "scripts").mkdir()
        shutil.copy(SCRIPT, self.root / "scripts")
        self.program("bin/compute-sanitizer", ONE_OK)
        self.program("build/cuda/warpbench", 'echo "$@" >> calls')

    def program(self, path: str, commands: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{commands}\n")
        file.chmod(0o755)

    def check(self, *steps: str, expect: int = 0, seconds: str = "200") -> str:
        env = os.environ | {"PATH": f"{self.root}/bin:{os.environ['PATH']}", "SANITIZE_SECONDS": seconds}
        command = [str(self.root / "scripts" / "gpu-check.sh"), str(self.root / "out"), *steps]
        run = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(run.returncode, expect, run.stdout + run.stderr)
        return run.stdout + run.stderr

    def test_one_step_runs_all_four_tools_and_names_the_tests(self) -> None:
        self.program("bin/compute-sanitizer", f'echo "$@" >> calls; {ONE_OK}')
        said = self.check("sanitize")
        calls = (self.root / "calls").read_text().splitlines()
        self.assertEqual([call.split()[1] for call in calls], list(TOOLS))
        for tool in TOOLS:
            self.assertIn(f"{tool}: nothing found in 1 tests, */Conformance.Holds/", said)
            self.assertIn("Fake/Conformance.Holds/x", (self.root / "out" / f"{tool}.log").read_text())

    def test_what_one_tool_finds_does_not_hide_what_the_next_finds(self) -> None:
        self.program("bin/compute-sanitizer", f"{ONE_OK}; case $2 in racecheck) exit 9;; initcheck) exit 1;; esac")
        said = self.check("sanitize", expect=1)
        self.assertIn("racecheck: exit code 9 after 1 tests", said)
        self.assertIn("initcheck: exit code 1 after 1 tests", said)
        self.assertIn("synccheck: nothing found", said)

    def test_a_tool_that_does_not_end_is_stopped(self) -> None:
        self.program("bin/compute-sanitizer", f"{ONE_OK}; exec sleep 60")
        self.assertIn("memcheck: not done after 1 s, in 1 tests", self.check("memcheck", expect=1, seconds="1"))

    def test_no_test_is_no_success(self) -> None:
        self.program("bin/compute-sanitizer", "true")
        self.assertIn("synccheck: no test ran", self.check("synccheck", expect=1))

    def test_results_are_not_recorded_without_a_peer(self) -> None:
        listed = "set_intersection   roaring  peer  cpu  https://x  -  unavailable: this build lacks CRoaring"
        self.program("build/cuda/warpbench", f'echo "$@" >> calls; echo "{listed}"')
        said = self.check("run:paper", expect=1)
        self.assertIn("found unavailable: roaring of set_intersection: this build lacks CRoaring", said)
        self.assertEqual((self.root / "calls").read_text(), "list solvers\n")

    def test_results_are_recorded_without_programs_of_others(self) -> None:
        listed = (
            "matrix_factorization  libmf  peer  cpu  https://x  -  unavailable: needs LIBMF: export WARPBENCH_LIBMF=…"
        )
        self.program("build/cuda/warpbench", f'echo "$@" >> calls; echo "{listed}"')
        self.check("run:paper")
        self.assertIn("run paper --out", (self.root / "calls").read_text())

    def run_that_ends_with_1(self, state: str) -> None:
        verified = f"out/x: {state}, 3 lines, 2 trials (1 ok, 1 other), 3 of 3 samples verified"
        self.program(
            "build/cuda/warpbench",
            f'echo "$@" >> calls; case $1 in run) mkdir -p "$4"; touch "$4/results.jsonl"; exit 1;; '
            f'verify) echo "{verified}";; esac',
        )

    def test_an_unsupported_trial_does_not_keep_the_next_steps_from_running(self) -> None:
        self.run_that_ends_with_1("all well")
        self.check("run:paper", "run:other")
        self.assertIn("run other --out", (self.root / "calls").read_text())

    def test_a_failed_trial_fails_the_check_after_the_next_steps(self) -> None:
        self.run_that_ends_with_1("sound, but not every trial is ok")
        said = self.check("run:paper", "run:other", expect=1)
        self.assertIn("run other --out", (self.root / "calls").read_text())
        self.assertIn("not every trial is ok or unsupported in paper other", said)

    def test_results_are_recorded_where_every_solver_is_there(self) -> None:
        self.check("run:paper")
        self.assertIn("run paper --out", (self.root / "calls").read_text())


class SanitizedTests(unittest.TestCase):
    def test_every_solver_of_a_device_is_among_them(self) -> None:
        program = Path(os.environ["WARPBENCH"])
        tests = program.parent / "tests" / "test_conformance"
        if not tests.exists():
            self.skipTest(f"{tests} is not built")
        chosen = re.search(r"^sanitize_filter='(.*)'$", SCRIPT.read_text(), re.MULTILINE)
        assert chosen
        command = [tests, "--gtest_list_tests", f"--gtest_filter={chosen[1]}"]
        found = set()
        for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
            if line.endswith("/Conformance."):
                problem = re.sub(r"(?<!^)(?=[A-Z])", "_", line.partition("/")[0]).lower()
            elif shown := re.match(r"  Holds/(\w+)_Answers", line):
                found.add((problem, shown[1]))
        listed = subprocess.run([program, "list", "solvers", "--json"], capture_output=True, text=True, check=True)
        wanted = {
            (one["problem"], one["solver"].replace("-", "_"))
            for one in json.loads(listed.stdout)
            if one["device"] != "cpu"
        }
        self.assertGreater(len(wanted), 20)
        self.assertEqual(wanted - found, set())


if __name__ == "__main__":
    unittest.main()
