"""`warpbench solve`: one trial in the program's own process, as debuggers and profilers need it."""

import re
import unittest

from program import SMALL, SMALL_TRIALS, EndToEnd, records

# A suite's replacements and --set change the set of trials; the run directory's spec includes both.
OVERRIDES = [
    "--set",
    "protocol.warmup=1",
    "--set",
    "datasets=[{name: livejournal-like, scale: 0.00005}]",
]

# vf2 needs more than a third of a second for such a query.
TOO_SHORT = """\
experiment: tests/too-short
problem: subgraph_matching
task: {query_timeout: 0.001}
datasets: [{name: dblp-like-5-labels-q10, scale: 0.01, first: 2}]
solvers: [vf2]
protocol: {warmup: 0, repetitions: 1, minimum_repetitions: 1}
"""

RIGHT = r": exact total=\d+\n$"


class Solve(EndToEnd):
    def listed(self, *arguments):
        """The trial ids of `plan --trials`, by the rest of their lines."""
        text = self.warpbench("plan", *arguments, "--trials").stdout
        return {label: trial for trial, label in re.findall(r"(?m)^([0-9a-f]{16})  (.+)$", text)}

    def refused(self, *arguments):
        done = self.warpbench("solve", *arguments, expect=2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        return done.stderr

    def test_every_trial_is_solved_by_its_id(self):
        spec = self.spec(SMALL)
        ids = self.listed(spec)
        self.assertEqual(len(ids), SMALL_TRIALS)
        for label, trial in ids.items():
            with self.subTest(label):
                self.assertRegex(
                    self.warpbench("solve", spec, trial).stdout,
                    f"^{re.escape(label)}{RIGHT}",
                )
        self.assertEqual(
            sorted(path.name for path in self.folder.iterdir()),
            ["spec.yaml"],
            "a record was left",
        )

    def test_a_trial_of_a_run_is_solved_from_its_directory(self):
        spec, run = self.spec(SMALL), self.folder / "run"
        self.run_trials(spec, run, *OVERRIDES)
        record = records(run)[-1]
        done = self.warpbench("solve", run / "spec.yaml", record["trial"])
        self.assertRegex(done.stdout, RIGHT)
        self.assertIn(record["solver"]["name"], done.stdout)
        self.assertEqual(
            self.warpbench("solve", spec, record["trial"], *OVERRIDES).stdout,
            done.stdout,
        )
        self.assertIn(record["trial"], self.refused(spec, record["trial"]), "another dataset")
        digest = record["judgement"]["digest"]
        self.warpbench("solve", run / "spec.yaml", record["trial"], "--digest", digest)
        other = self.warpbench("solve", run / "spec.yaml", record["trial"], "--digest", "0" * 16, expect=1)
        self.assertIn(f"expected an answer of digest {'0' * 16}, found {digest}", other.stdout)

    def test_an_answer_to_no_query_is_no_success(self):
        spec, run = self.spec(TOO_SHORT), self.folder / "run"
        self.assertRegex(self.warpbench("solve", spec, expect=1).stdout, r" vf2: 0 of 2 solved\n$")
        patient = self.warpbench("solve", spec, "--patience", "100000").stdout
        self.assertRegex(patient, r" vf2: exact .*solved=2 ")
        self.assertIn("--patience", self.refused(spec, "--patience", "0"))
        done = self.warpbench("run", spec, "--out", run, "--no-ceilings", expect=1)
        self.assertIn("vf2: timeout (0 of 2 solved: the time of 2 was up)", done.stderr)
        (record,) = records(run)
        self.assertEqual((record["status"], record["time"]), ("timeout", None))
        self.assertEqual(record["judgement"]["metrics"]["solved"], 0)

    def test_transfers_may_be_covered(self):
        spec = self.spec(SMALL)
        trial = self.listed(spec, "--set", "protocol.include_transfers=true").popitem()[1]
        self.warpbench("solve", spec, trial, "--set", "protocol.include_transfers=true")

    def test_the_only_trial_needs_no_id(self):
        spec = self.spec(SMALL)
        only = ["--set", "solvers=[bmp-gpu]"]
        self.assertRegex(
            self.warpbench("solve", spec, *only).stdout,
            f"^livejournal-like.* bmp-gpu .*{RIGHT}",
        )
        self.assertIn(f"one of its {SMALL_TRIALS} trials, found none; ", self.refused(spec))

    def test_a_unique_prefix_is_enough(self):
        spec = self.spec(SMALL)
        ids = sorted(self.listed(spec).values())
        prefix = next(
            trial[:length]
            for trial in ids
            for length in range(1, 17)
            if sum(other.startswith(trial[:length]) for other in ids) == 1
        )
        self.warpbench("solve", spec, prefix)

    def test_an_ambiguous_prefix_is_refused(self):
        # Of seventeen ids, two must share their first hexadecimal digit.
        spec = self.spec(SMALL)
        sweep = [
            "--set",
            f"solvers=[mps: {{threads: 1, simd: none, skew_threshold: {list(range(17))}}}]",
        ]
        firsts = [trial[0] for trial in self.listed(spec, *sweep).values()]
        first = max(firsts, key=firsts.count)
        sentence = self.refused(spec, first, *sweep)
        self.assertIn(
            f"found '{first}', with which {firsts.count(first)} of them begin; ",
            sentence,
        )
        self.assertIn("--trials --set", sentence, "with other overrides the ids are others")

    def test_bad_requests_are_refused(self):
        spec = self.spec(SMALL)
        sentence = self.refused(spec, "0123456789abcdef")
        self.assertIn(
            f"expected the id of one of its {SMALL_TRIALS} trials, found '0123456789abcdef'; ",
            sentence,
        )
        self.assertIn(f"`warpbench plan {spec} --trials` lists them", sentence)
        self.refused(spec, "zz")
        self.assertIn("smoke", self.refused("smok", "0"))
        self.assertIn("REQUEST", self.refused())

    def test_a_trial_that_is_not_ok_ends_in_one(self):
        spec = self.spec(SMALL)
        change = [
            "--set",
            "datasets=[{file: nowhere.txt, format: snap}]",
            "--set",
            "solvers=[merge]",
        ]
        done = self.warpbench("solve", spec, *change, expect=1)
        self.assertRegex(
            done.stdout,
            r"^nowhere\.txt merge .*: bad_input: .*nowhere\.txt.*loading the dataset\)\n$",
        )


if __name__ == "__main__":
    unittest.main()
