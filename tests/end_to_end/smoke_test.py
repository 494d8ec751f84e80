"""The suite `smoke`: every technique gives the right answer, and results, figures and report come out whole."""

import unittest

from program import EndToEnd, lines, records, run_directories


class Smoke(EndToEnd):
    def test_suite_is_right_and_reported(self):
        run = self.folder / "run"
        self.warpbench("run", "smoke", "--out", run)
        found = records(run)
        self.assertGreater(len(found), 10)
        for record in found:
            self.assertEqual(record["status"], "ok", record)
            self.assertEqual(record["judgement"]["verdict"], "exact", record)
            verified, taken = record["judgement"]["verified_samples"]
            self.assertEqual(verified, taken)
        solvers = {record["solver"]["name"] for record in found}
        self.assertEqual(solvers, {"merge", "mps", "bmp", "mps-gpu", "bmp-gpu"})
        # All solvers agree on one dataset: the same digest of the answer.
        digests = {}
        for record in found:
            digests.setdefault(record["dataset"]["digest"], set()).add(record["judgement"]["digest"])
        for dataset, answers in digests.items():
            self.assertEqual(len(answers), 1, dataset)

        runs = run_directories(run)
        self.warpbench("verify", *runs)
        report = self.folder / "report.html"
        self.warpbench("report", run, "--out", report)
        text = report.read_text(encoding="utf-8")
        for solver in solvers:
            self.assertIn(solver, text)
        figures = self.folder / "report-figures"
        self.assertTrue(list(figures.glob("*.svg")), "no SVG figure")
        self.assertTrue(list(figures.glob("*.png")), "no PNG figure")
        # Nothing is fetched from elsewhere.
        self.assertNotRegex(text, r'(src|href)="https?://[^"]*\.(js|css|png|svg)"')

        before = lines(run)
        self.warpbench("run", "smoke", "--out", run)
        self.assertEqual(lines(run), before, "a finished run directory was run again")


if __name__ == "__main__":
    unittest.main()
