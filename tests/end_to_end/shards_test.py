"""Shares of a run, merged, are the whole run."""

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
        for words, said in (
            (("suite", "other"), "test/b"),
            (("suite", "--spec", "spec.yaml"), "--spec is of one experiment"),
            (("suite", "suite/test/a"), "is a run directory, and suite a folder of several"),
        ):
            with self.subTest(words):
                self.assertIn(said, self.warpbench("merge", *words, "--out", "merged", expect=2).stderr)
                self.assertEqual(sorted(path.name for path in self.folder.iterdir() if "merg" in path.name), [])

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
