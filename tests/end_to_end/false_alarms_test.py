"""`scripts/false-alarms.py`, with a program in place of warpbench whose comparisons are given."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "false-alarms.py"


class FalseAlarms(unittest.TestCase):
    def judged(self, counts: dict[str, int], expect: int, *options: str) -> str:
        """What the script prints if each pair of runs has so many trials of each verdict."""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "warpbench"
            words = json.dumps({"counts": counts})
            program.write_text(f"#!/bin/sh\ncase $1 in compare) echo '{words}';; esac\n", encoding="utf-8")
            program.chmod(0o755)
            done = subprocess.run(
                [sys.executable, SCRIPT, program, *options, "--comparisons", "40"],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
            return done.stdout + done.stderr

    def test_changes_are_counted_among_comparisons_of_times(self) -> None:
        said = self.judged({"same": 18, "ambiguous": 1, "slower": 1, "untimed": 60}, expect=0)
        self.assertIn("false alarms: 2 of 40 comparisons, 5.0 % (limit: 5 %); 2 are ambiguous", said)
        self.assertIn("false alarms: 4 of 40", self.judged({"same": 18, "slower": 1, "broken": 1}, expect=1))

    def test_trials_without_times_are_no_alarms(self) -> None:
        self.assertIn("0 of 40 comparisons", self.judged({"same": 10, "untimed": 10}, expect=0))

    def test_a_request_without_times_is_refused(self) -> None:
        self.assertIn("expected trials whose times can be compared", self.judged({"untimed": 20}, expect=2))

    def test_comparisons_that_decide_nothing_do_not_pass(self) -> None:
        self.assertIn("nothing was decided", self.judged({"ambiguous": 20, "untimed": 1}, expect=1))

    def test_a_slower_program_must_be_found(self) -> None:
        found = {"same": 2, "ambiguous": 2, "slower": 16}
        said = self.judged(found, 0, "--slower", "3")
        self.assertIn("3 % slower: found in 32 of 40 comparisons, 80.0 % (at least 80 %); 4 are ambiguous", said)
        self.assertIn("(at least 99 %)", self.judged(found, 1, "--slower", "10"))
        self.judged({"same": 5, "slower": 15}, 1, "--slower", "3")
        self.assertIn("leave REQUEST out", self.judged(found, 2, "spec.yaml", "--slower", "3"))


if __name__ == "__main__":
    unittest.main()
