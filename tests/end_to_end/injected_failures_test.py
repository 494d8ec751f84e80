"""Whichever call to the device fails, the trial ends as `gpu_error` and without a time."""

import os
import unittest
from unittest import mock

from program import EndToEnd, records

# One GPU solver of each family, on data of a few hundred elements. Each run of a spec makes the same calls: gsi's steps
# have too few rows to be launched in slices, whose number depends on the time that they take.
SPECS = {
    "common_neighbors": """
datasets: [{name: livejournal-like, scale: 0.00005}]
solvers: [bmp-gpu]
""",
    "nearest_neighbors": """
datasets: [{name: sift1m-like, points: 100, queries: 5}]
solvers: [exact-gpu]
""",
    "set_intersection": """
datasets: [{name: bms-pos-like, sets: 40, largest: 16}]
solvers: [bi-naive]
""",
    "set_similarity_join": """
task: {threshold: 0.1}
datasets: [{name: bms-pos-like, sets: 60, largest: 16}]
solvers: [{cpu-gpu: {chunk_memory: 100}}]
""",
    "subgraph_matching": """
datasets: [{name: enron-like-queries, scale: 0.01, first: 1}]
solvers: [gsi]
""",
}

# Every call takes a run of the program; all of them are tried where time is not short.
STEP = 1 if "WARPBENCH_THOROUGH" in os.environ else 19
LATER = 4


class InjectedFailures(EndToEnd):
    def test_each_is_an_error_without_a_time(self):
        for problem, rest in SPECS.items():
            spec = self.spec(
                f"experiment: tests/failures\nproblem: {problem}\n{rest}"
                "protocol: {warmup: 0, repetitions: 1, minimum_repetitions: 1}\n",
                f"{problem}.yaml",
            )
            failures, call = 0, 1
            while not self.survives(spec, call):
                failures += 1
                call += STEP
            self.assertGreater(failures, 0, f"no call of {problem} failed")
            # Had the run swallowed the last failure, a later call would fail.
            for later in range(call + 1, call + 1 + LATER):
                self.assertTrue(self.survives(spec, later), f"{problem}: call {call} failed unseen: {later} fails, too")
            print(f"figure: {problem}: {failures} injected failures, each an error without a time", flush=True)

    def survives(self, spec, call):
        """Runs `spec` while its call number `call` fails; true if it has fewer calls."""
        run = self.folder / f"{spec.stem}-{call}"
        with mock.patch.dict(os.environ, {"WARPBENCH_FAIL_CALL": str(call)}):
            code = self.warpbench("run", spec, "--out", run, "--no-ceilings", expect=None).returncode
        (record,) = records(run)
        if record["status"] == "ok":
            self.assertEqual(code, 0)
            self.warpbench("verify", run)
            return True
        self.assertEqual((code, record["status"]), (1, "gpu_error"), record)
        self.assertIn("injected", record["reason"])
        self.assertIsNone(record.get("time"))
        return False


if __name__ == "__main__":
    unittest.main()
