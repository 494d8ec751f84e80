"""Finished trials are kept after kill -9, after Ctrl-C, and after a complete run."""

import os
import signal
import subprocess
import time
import unittest

from program import SMALL, SMALL_TRIALS, EndToEnd, lines, records, run_directories, trials


class Resume(EndToEnd):
    def interrupted_run(self, how, after):
        """Starts the small run and ends it with signal `how` once `after` trials are recorded (or it is done)."""
        spec, run = self.spec(SMALL), self.folder / "run"
        with (self.folder / "stderr").open("wb") as stderr:
            process = self.start("run", spec, "--out", run, "--no-ceilings", stderr=stderr)
        deadline = time.monotonic() + 120
        while len(lines(run)) < after and process.poll() is None:
            self.assertLess(time.monotonic(), deadline, "no record within two minutes")
            time.sleep(0.002)
        if process.poll() is None:
            os.kill(process.pid, how)
        process.wait(timeout=60)
        return spec, run, process

    def test_kill_9_loses_nothing_that_was_finished(self):
        spec, run, _ = self.interrupted_run(signal.SIGKILL, after=3)
        before = [record for record in records(run) if record["status"] == "ok"]
        self.assertGreaterEqual(len(before), 3)
        self.run_trials(spec, run)
        found = records(run)
        self.assertEqual(len(set(trials(run))), SMALL_TRIALS)
        self.assertEqual(len(found), SMALL_TRIALS)
        self.assertTrue(all(record["status"] == "ok" for record in found))
        for record in before:
            self.assertIn(record, found)
        self.warpbench("verify", run)

    def test_ctrl_c_keeps_what_is_finished(self):
        _, run, process = self.interrupted_run(signal.SIGINT, after=2)
        self.assertNotEqual(process.returncode, 2)
        self.assertGreaterEqual(len(records(run)), 2)
        self.warpbench("verify", run, expect=0)
        # With many cores the run may have been done before.
        if process.returncode == 1:
            said = (self.folder / "stderr").read_text(encoding="utf-8")
            command = said.rpartition("To go on: ")[2]
            subprocess.run(command, shell=True, cwd=self.folder, check=True, capture_output=True, timeout=240)
        finished = {record["trial"] for record in records(run) if record["status"] == "ok"}
        self.assertEqual(len(finished), SMALL_TRIALS)

    def test_ctrl_c_in_a_suite_names_the_command_that_goes_on_with_all_of_it(self):
        self.spec(SMALL)
        self.spec(SMALL.replace("test/small", "test/more"), "more.yaml")
        with (self.folder / "stderr").open("wb") as stderr:
            process = self.start("run", "spec.yaml", "more.yaml", "--no-ceilings", stderr=stderr)
        results, deadline = self.folder / "results", time.monotonic() + 120
        while len(lines(results)) < 2 and process.poll() is None:
            self.assertLess(time.monotonic(), deadline, "no record within two minutes")
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGINT)
        process.wait(timeout=60)
        said = (self.folder / "stderr").read_text(encoding="utf-8")
        # With many cores the run may have been done before.
        if "interrupted" in said:
            command = said.rpartition("To go on: ")[2]
            done = subprocess.run(command, shell=True, cwd=self.folder, capture_output=True, text=True, timeout=240)
            self.assertEqual(done.returncode, 0, command + done.stderr)
        found = [record for record in records(results) if record["status"] == "ok"]
        self.assertEqual(len({record["trial"] for record in found}), SMALL_TRIALS)
        self.assertEqual({record["experiment"] for record in found}, {"test/small", "test/more"})
        self.assertEqual(len(run_directories(results)), 2, "each experiment has one run directory")

    def test_a_complete_run_directory_is_not_touched(self):
        spec, run = self.spec(SMALL), self.folder / "run"
        self.run_trials(spec, run)
        before = lines(run)
        self.assertEqual(len(before), SMALL_TRIALS)
        self.run_trials(spec, run)
        self.assertEqual(lines(run), before)

    def test_a_changed_spec_extends_the_run(self):
        small = SMALL.replace("  - bmp-gpu: {warps_per_block: [1, 2, 4]}\n", "")
        run = self.folder / "run"
        self.run_trials(self.spec(small), run)
        before = lines(run)
        larger = small.replace("threads: [1, 2]", "threads: [1, 2, 3]").replace("A few", "Some")
        self.run_trials(self.spec(larger), run)
        self.assertEqual(lines(run)[:-1], before)
        self.assertEqual((run / "spec.yaml").read_text(encoding="utf-8"), larger)
        said = self.run_trials(self.spec(small.replace("  - merge: {threads: [1, 2]}\n", "")), run).stderr
        self.assertIn("3 recorded trials are not of this spec", said)
        self.assertIn("5 trials (5 ok)", self.warpbench("verify", run).stdout)
        other = self.spec(small.replace("test/small", "test/other"))
        said = self.warpbench("run", other, "--out", run, expect=2).stderr
        self.assertIn("holds results of the experiment 'test/small'", said)

    def test_merged_runs_are_one_run_that_goes_on(self):
        small = SMALL.replace("  - bmp-gpu: {warps_per_block: [1, 2, 4]}\n", "")
        parts = [small.replace("[1, 2]", "1"), small.replace("[1, 2]", "2")]
        parts[1] = parts[1].replace("  - mps: {threads: 1, skew_threshold: [0, 10, 50], simd: none}\n", "")
        parts[1] = parts[1].replace("  - bmp: {threads: 1, range_filter: [false, true]}\n", "")
        for number, part in enumerate(parts):
            self.run_trials(self.spec(part), self.folder / f"part-{number}")
        spec, whole = self.spec(small), self.folder / "whole"
        merge = ("merge", "part-0", "part-1", "--out", whole)
        self.assertIn("--spec", self.warpbench(*merge, expect=2).stderr)
        self.assertFalse(whole.exists())
        self.warpbench(*merge, "--spec", spec)
        self.assertIn("all well, 7 lines", self.warpbench("verify", whole).stdout)
        before = lines(whole)
        self.run_trials(spec, whole)
        self.assertEqual(lines(whole), before)
        self.assertIn("exists already", self.warpbench(*merge, "--spec", spec, expect=2).stderr)

    def test_a_changed_record_is_noticed(self):
        spec, run = self.spec(SMALL), self.folder / "run"
        self.run_trials(spec, run)
        results = next(run.rglob("results.jsonl"))
        text = results.read_text(encoding="utf-8")
        results.write_text(text.replace('"status":"ok"', '"status":"no"', 1), encoding="utf-8")
        self.assertNotEqual(results.read_text(encoding="utf-8"), text)
        self.warpbench("verify", run, expect=1)


if __name__ == "__main__":
    unittest.main()
