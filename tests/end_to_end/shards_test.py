"""Shares of a run, merged, are the whole run."""

import os
import signal
import time
import unittest

from program import SMALL, SMALL_TRIALS, EndToEnd, trials


class Shards(EndToEnd):
    def test_merged_they_are_the_whole_run(self):
        spec = self.spec(SMALL)
        whole, merged = self.folder / "whole", self.folder / "merged"
        self.run_trials(spec, whole)
        parts, found = [], []
        for number in (1, 2, 3):
            part = self.folder / f"part-{number}"
            self.run_trials(spec, part, "--shard", f"{number}/3")
            said = self.warpbench("verify", part).stdout
            self.assertIn("sound, but not complete", said)
            self.assertIn("the run is a share of them", said)
            self.assertNotIn("removed", said)
            parts.append(part)
            found += trials(part)
        self.assertEqual(len(found), SMALL_TRIALS)
        self.assertEqual(sorted(found), sorted(trials(whole)))
        self.warpbench("merge", *parts, "--out", merged)
        self.assertEqual(sorted(trials(merged)), sorted(trials(whole)))
        self.assertIn("all well", self.warpbench("verify", merged).stdout)
        lines = (merged / "results.jsonl").read_text().splitlines(keepends=True)
        (merged / "results.jsonl").write_text("".join(lines[:-1]))
        said = self.warpbench("verify", merged).stdout
        self.assertIn("removed from the end", said)
        self.assertNotIn("share", said)

    def test_of_a_suite_they_are_merged_experiment_by_experiment(self):
        self.spec(SMALL)
        self.spec(SMALL.replace("test/small", "test/more"), "more.yaml")
        parts = ["part-1", "part-2", "part-3"]
        for number, part in enumerate(parts, 1):
            self.warpbench("run", "spec.yaml", "more.yaml", "--no-ceilings", "--out", part, "--shard", f"{number}/3")
        self.warpbench("merge", *parts, "--out", "merged")
        for experiment in ("test/small", "test/more"):
            merged = self.folder / "merged" / experiment
            self.assertEqual(len(trials(merged)), SMALL_TRIALS)
            self.assertIn("all well", self.warpbench("verify", merged).stdout)

    def test_of_a_suite_all_are_merged_or_none(self):
        for experiment in ("test/a", "test/b"):
            self.run_trials(self.spec(SMALL.replace("test/small", experiment)), self.folder / "suite" / experiment)
        (self.folder / "other" / "test").mkdir(parents=True)
        (self.folder / "other" / "test" / "b").symlink_to(self.folder / "suite" / "test" / "b")
        self.spec("", "file")
        for words, said in (
            (("suite", "other"), "test/b"),
            (("suite", "--spec", "spec.yaml"), "--spec is of one experiment"),
            (("suite", "suite/test/a"), "is a run directory, and suite a folder of several"),
            (("suite", "--out", ""), "--out: expected the name of a new run directory, found nothing"),
            (("suite", "--out", "file/merged"), "file/merged: expected a folder at file, found a file"),
        ):
            with self.subTest(words):
                out = () if "--out" in words else ("--out", "merged")
                self.assertIn(said, self.warpbench("merge", *words, *out, expect=2).stderr)
                self.assertEqual(sorted(path.name for path in self.folder.iterdir() if "merg" in path.name), [])

    def test_of_a_suite_with_another_spec_the_directories_are_merged_by_themselves(self):
        spec, more = self.spec(SMALL), self.spec(SMALL.replace("test/small", "test/more"), "more.yaml")
        parts = [self.folder / "part-1", self.folder / "part-2"]
        for number, part in enumerate(parts, 1):
            self.run_trials(spec, part / "test/small", "--shard", f"{number}/2")
            self.run_trials(more, part / "test/more", "--shard", f"{number}/2")
            self.spec(SMALL.replace("A few", "Some"))
        said = self.warpbench("merge", *parts, "--out", "merged", expect=2).stderr
        command = said.rpartition(": ")[2].split()
        directories = [str(part / "test/small") for part in parts]
        out = ["--spec", "SPEC.yaml", "--out", "merged/test/small"]
        self.assertEqual(command, ["warpbench", "merge", *directories, *out], said)
        self.warpbench(*[str(spec) if word == "SPEC.yaml" else word for word in command[1:]])
        self.assertEqual(len(trials(self.folder / "merged/test/small")), SMALL_TRIALS)

    def test_a_share_that_was_stopped_before_its_first_trial_is_passed_over(self):
        spec, suite, early = self.spec(SMALL), self.folder / "suite", self.folder / "early"
        self.run_trials(spec, suite / "test/small", "--shard", "1/2")
        process = self.start("run", spec, "--out", early / "test/small", stderr=(self.folder / "stderr").open("wb"))
        deadline = time.monotonic() + 60
        while not (early / "test/small/results.jsonl").exists():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGTERM)  # while it looks at this machine, which takes seconds
        self.assertEqual(process.wait(timeout=60), 1)
        said = (self.folder / "stderr").read_text(encoding="utf-8")
        self.assertNotIn("given up", said)
        self.assertIn("To go on: ", said)
        self.assertFalse((early / "test/small/environment.json").exists(), "of a machine that was not looked at")
        merged = self.warpbench("merge", early, suite, "--out", "merged").stdout
        self.assertIn("test/small: 5 trials of 1 directory\n", merged)
        self.assertIn(f"note: {early}/test/small holds no finished trial and was passed over\n", merged)
        self.run_trials(spec, early / "test/small")
        self.assertEqual(len(trials(early)), SMALL_TRIALS)

    def test_of_a_suite_no_experiment_hides_another(self):
        for experiment in ("rev", "rev/a"):
            spec = self.spec(SMALL.replace("test/small", experiment))
            self.run_trials(spec, self.folder / f"suite-{len(experiment)}" / experiment)
        said = self.warpbench("merge", "suite-3", "suite-5", "--out", "merged", expect=2).stderr
        self.assertIn("merged/rev: the results of rev would hide those of rev/a below them", said)
        self.assertIn("warpbench merge suite-3/rev --out ", said)
        self.assertFalse((self.folder / "merged").exists())

    def test_a_share_without_trials_says_so(self):
        spec = self.spec(SMALL)
        shares = [
            self.run_trials(spec, self.folder / f"part-{number}", "--shard", f"{number}/40") for number in (1, 2, 3)
        ]
        empty = [share for share in shares if "Share" in share.stderr]
        self.assertTrue(empty, "each of three has trials")
        self.assertIn("of 40 has no trials", empty[0].stderr)
        self.assertNotIn("run directory", empty[0].stdout)

    def test_times_of_an_earlier_run_balance_them(self):
        spec, whole = self.spec(SMALL), self.folder / "whole"
        self.run_trials(spec, whole)
        plans = [
            self.warpbench("plan", spec, "--trials", "--shard", f"{number}/2", "--times", whole, expect=None).stdout
            for number in (1, 2)
        ]
        for trial in trials(whole):
            self.assertEqual(sum(f"\n{trial} " in plan for plan in plans), 1, plans)

    def test_bad_ones_are_refused(self):
        spec = self.spec(SMALL)
        for words, said in (
            (["--shard", "4/3"], "--shard: expected I/N, I from 1 to N and N at most 100000, such as 2/8, found '4/3'"),
            (["--shard", "1/3", "--times", "nowhere"], "--times: expected a folder of run directories, found none"),
            (["--times", "."], "--times requires --shard"),
        ):
            out = self.folder / "out"
            self.assertIn(said, self.warpbench("run", spec, "--out", out, *words, expect=2).stderr)
            self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()
