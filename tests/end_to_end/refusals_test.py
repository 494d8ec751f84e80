"""Bad requests get one clear sentence, exit code 2, and leave nothing behind."""

import os
import shutil
import unittest

from program import SMALL, SMALL_TRIALS, EndToEnd, records

# A mistake: its name, the text it replaces, and the words that the refusal must contain.
SPECS = [
    ("unknown key", "title:", "tilte:", "tilte"),
    (
        "unknown problem",
        "problem: common_neighbors",
        "problem: common_neighbours",
        "common_neighbors",
    ),
    ("unknown solver", "- merge:", "- merg:", "merge"),
    ("unknown parameter", "{threads: [1, 2]}", "{thread: [1, 2]}", "threads"),
    (
        "value out of range",
        "warps_per_block: [1, 2, 4]",
        "warps_per_block: 33",
        "warps_per_block",
    ),
    (
        "value of the wrong type",
        "range_filter: [false, true]",
        "range_filter: maybe",
        "range_filter",
    ),
    (
        "unknown dataset",
        "name: livejournal-like",
        "name: livejurnal-like",
        "livejournal-like",
    ),
    ("unknown protocol key", "repetitions: 2,", "repetition: 2,", "repetitions"),
    ("no unit", "protocol: {", "protocol: {timeout: 300, ", "timeout"),
    ("unknown figure kind", "kind: bars", "kind: bar", "bars"),
    ("broken YAML", "solvers:", "solvers: [", "spec.yaml"),
    ("the same value twice", "[0, 10, 50]", "[0, 10, 10]", "10"),
]


class Refusals(EndToEnd):
    def refused(self, *arguments):
        """One sentence on standard error, nothing else, exit code 2."""
        done = self.warpbench(*arguments, expect=2)
        sentences = done.stderr.strip().splitlines()
        self.assertEqual(len(sentences), 1, done.stderr)
        self.assertEqual(done.stdout, "")
        return sentences[0]

    def test_a_folder_where_one_run_would_hide_others(self):
        one, two = self.spec(SMALL), self.spec(SMALL.replace("test/small", "test/other"), "other.yaml")
        out = self.folder / "suite"
        self.warpbench("run", one, two, "--out", out, "--no-ceilings")
        said = self.refused("run", one, "--out", out, "--no-ceilings")
        self.assertIn(f"--out {out / 'test' / 'small'}", said)
        self.assertIn(str(out / "test" / "other"), said)
        self.assertEqual(sorted(path.name for path in out.iterdir()), ["test"])
        self.assertIn("2 are asked for", self.refused("run", one, two, "--out", out / "test" / "small"))
        self.warpbench("run", one, "--out", out / "test" / "small", "--no-ceilings")
        self.assertEqual(self.warpbench("verify", out).stdout.count("all well"), 2)

    def test_bad_specs(self):
        out = self.folder / "out"
        for what, before, after, named in SPECS:
            with self.subTest(what):
                self.assertIn(before, SMALL)
                spec = self.spec(SMALL.replace(before, after, 1))
                sentence = self.refused("run", spec, "--out", out)
                self.assertIn(named, sentence)
                self.assertRegex(sentence, r"spec\.yaml:\d+", "no line is named")
                self.assertFalse(out.exists(), "a refused request left a run directory")

    def test_a_join_condition_in_no_known_form(self):
        text = "experiment: test/join\nproblem: theta_join\ntask: {{theta: '{}'}}\nsolvers: [sort-scan]\n"
        text += "datasets: [{{name: theta-medium, r_tuples: 30, s_tuples: 7}}]\n"
        sentence = self.refused("plan", self.spec(text.format("R.a ? S.a")))
        self.assertIn("spec.yaml:3:15: task, theta: expected a comparison of a column of R with one of S", sentence)
        self.assertIn("theta=R.a > S.a", self.warpbench("plan", self.spec(text.format("R.a>S.a")), "--trials").stdout)

    def test_unknown_names(self):
        self.assertIn("smoke", self.refused("run", "smok", "--out", self.folder / "out"))
        self.assertIn(
            "nowhere.yaml",
            self.refused("run", "nowhere.yaml", "--out", self.folder / "out"),
        )
        self.refused("verify", self.folder / "nowhere")
        self.refused("report", self.folder / "nowhere", "--out", self.folder / "report.html")
        self.refused("compare", self.folder / "nowhere", self.folder / "nowhere-else")

    def test_bad_command_lines(self):
        self.assertIn("rnu", self.warpbench("rnu", expect=2).stderr)
        self.assertIn("--otu", self.warpbench("run", "smoke", "--otu", "x", expect=2).stderr)
        self.assertIn(
            "sleepy",
            self.refused("run", "smoke", "--out", self.folder / "out", "--retry", "sleepy"),
        )

    def test_files_without_an_end(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for file in ("/dev/zero", pipe):
            with self.subTest(file):
                text = SMALL.replace("{name: livejournal-like, scale: 0.0001}", f"{{file: {file}, format: snap}}")
                planned = self.warpbench("plan", self.spec(text), timeout=60, expect=1)
                self.assertIn(f"missing: {file}: dataset", planned.stdout)
                self.assertIn("expected a regular file", planned.stdout)
                self.refused("plan", file)
                done = self.warpbench(
                    "run", self.spec(text), "--out", self.folder / "out", "--no-ceilings", expect=1, timeout=60
                )
                self.assertIn("expected a regular file", done.stderr)
                self.assertEqual(len(records(self.folder / "out")), SMALL_TRIALS)
                shutil.rmtree(self.folder / "out")

    def test_a_run_directory_of_another_plan(self):
        run = self.folder / "run"
        one = self.spec(SMALL.replace("[1, 2, 4]", "1").replace("[0, 10, 50]", "0"), "one.yaml")
        other = self.spec(SMALL.replace("test/small", "test/other"), "other.yaml")
        self.run_trials(one, run)
        self.refused("run", other, "--out", run)


if __name__ == "__main__":
    unittest.main()
