"""The program with a solver for each problem and a graph search that files of their own add (tests/extension)."""

import json
import unittest

from program import EndToEnd, records

SOLVER = "from-outside"

SPECS = {
    "common_neighbors": "{name: livejournal-like, scale: 0.0001}",
    "nearest_neighbors": "{name: sift1m-like, points: 100, queries: 5}",
}

SPEC = """
experiment: test/extension-{problem}
title: A solver from outside
problem: {problem}
datasets:
  - {dataset}
solvers:
  - {solver}
protocol: {{warmup: 0, repetitions: 1, minimum_repetitions: 1}}
figure: {{kind: bars}}
"""


class Extension(EndToEnd):
    def run_with(self, problem, solver):
        """The records of a spec that names the solver."""
        text = SPEC.format(problem=problem, dataset=SPECS[problem], solver=solver)
        run = self.folder / f"{problem}-run"
        self.run_trials(self.spec(text), run)
        return records(run)

    def test_solver_is_listed_and_spec_may_name_it(self):
        listed = self.warpbench("list", "solvers").stdout
        self.assertEqual(listed.count(SOLVER), 5, listed)
        for problem in SPECS:
            for record in self.run_with(problem, SOLVER):
                self.assertEqual(record["status"], "ok", record)
                self.assertEqual(record["judgement"]["verdict"], "exact", record)

    def test_third_search_is_a_choice_of_every_construction(self):
        choices = [
            parameter["choices"]
            for solver in json.loads(self.warpbench("list", "solvers", "--json").stdout)
            for parameter in solver["parameters"]
            if parameter["name"] == "build_search"
        ]
        self.assertTrue(choices, "no solver has build_search")
        for listed in choices:
            self.assertIn("third", listed)
            self.assertEqual(listed, choices[0])

    def test_graph_is_built_by_third_search(self):
        solver = "ganns: {build_search: third, build_candidates: 32, candidates: 32}"
        for record in self.run_with("nearest_neighbors", solver):
            self.assertEqual(record["status"], "ok", record)
            self.assertGreater(record["judgement"]["metrics"]["recall"], 0.8, record)


if __name__ == "__main__":
    unittest.main()
