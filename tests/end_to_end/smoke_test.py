"""The suite `smoke`: every technique gives the right answer, and results, figures and report are complete."""

import json
import unittest

from program import EndToEnd, lines, records, run_directories

# Graph search answers approximately; on a hundred points nearly all neighbours are found all the same.
MIN_RECALL = 0.9


class Smoke(EndToEnd):
    def test_suite_is_right_and_reported(self):
        run = self.folder / "run"
        self.run_trials("smoke", run)
        found = records(run)
        for record in found:
            if record["status"] == "unsupported":
                continue  # in this build; the suite of conformance says which
            self.assertEqual(record["status"], "ok", record)
            if record["problem"] == "nearest_neighbors":
                self.assertIn(record["judgement"]["verdict"], ("exact", "approximate"), record)
                self.assertGreaterEqual(record["judgement"]["metrics"]["recall"], MIN_RECALL, record)
            elif record["problem"] == "matrix_factorization":
                self.assertEqual(record["judgement"]["verdict"], "approximate", record)
            else:
                self.assertEqual(record["judgement"]["verdict"], "exact", record)
            verified, taken = record["judgement"]["verified_samples"]
            self.assertEqual(verified, taken)
        solvers = {record["solver"]["name"] for record in found if record["status"] == "ok"}
        listed = json.loads(self.warpbench("list", "solvers", "--json").stdout)
        # Every method of a document that this build has; `best` of what is ours altogether has no values.
        documents = {one["solver"] for one in listed if one["best"] != {} and one["unavailable"] is None}
        self.assertEqual(solvers - {one["solver"] for one in listed if one["best"] == {}}, documents)
        # All solvers of a problem agree on one task and dataset: the same digest of the answer. (Neighbours at one
        # distance may come in any order, and factors depend on the order of ratings.)
        digests = {}
        for record in found:
            if record["problem"] in ("nearest_neighbors", "matrix_factorization") or record["status"] != "ok":
                continue
            asked = (record["problem"], json.dumps(record["task"], sort_keys=True), record["dataset"]["digest"])
            digests.setdefault(asked, set()).add(record["judgement"]["digest"])
        for asked, answers in digests.items():
            self.assertEqual(len(answers), 1, asked)

        verified = self.warpbench("verify", run).stdout
        for directory in run_directories(run):
            self.assertIn(f"{directory}: ", verified)
        report = self.folder / "report.html"
        self.warpbench("report", run, "--out", report)
        text = report.read_text(encoding="utf-8")
        for solver in solvers:
            self.assertIn(solver, text)
        figures = self.folder / "report-figures"
        self.assertTrue(list(figures.glob("*.svg")), "no SVG figure")
        self.assertTrue(list(figures.glob("*.png")), "no PNG figure")
        # The report must not load anything from elsewhere.
        self.assertNotRegex(text, r'(src|href)="https?://[^"]*\.(js|css|png|svg)"')

        before = lines(run)
        self.run_trials("smoke", run)
        self.assertEqual(lines(run), before, "a finished run directory was run again")


if __name__ == "__main__":
    unittest.main()
