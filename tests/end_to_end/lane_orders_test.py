"""The answer of a GPU solver does not depend on the order in which the lanes of a warp run."""

import os
import unittest
from unittest import mock

from program import EndToEnd, records

SPECS = {
    "common_neighbors": """
datasets: [{name: livejournal-like, scale: 0.00005}]
solvers: [bmp-gpu, mps-gpu]
""",
    "nearest_neighbors": """
datasets: [{name: sift1m-like, points: 100, queries: 5}]
solvers: [exact-gpu, song, ganns]
""",
    "set_intersection": """
datasets: [{name: bms-pos-like, sets: 40, largest: 16}]
solvers: [bi-naive, bi-dynamic, static-index]
""",
    "subgraph_matching": """
datasets: [{name: dblp-like-5-labels-q10, scale: 0.01, first: 1}]
task: {output: digest}
solvers: [gsi, fsig, gpsm]
""",
}

ORDERS = 20 if "WARPBENCH_THOROUGH" in os.environ else 2


class LaneOrders(EndToEnd):
    def test_give_the_same_answer(self):
        trials = 0
        for problem, rest in SPECS.items():
            spec = self.spec(
                f"experiment: tests/orders\nproblem: {problem}\n{rest}"
                "protocol: {warmup: 0, repetitions: 1, minimum_repetitions: 1}\n",
                f"{problem}.yaml",
            )
            digests = {}
            for seed in range(1, ORDERS + 1):
                run = self.folder / f"{problem}-{seed}"
                with mock.patch.dict(os.environ, {"WARPBENCH_SIMT_ORDER": f"shuffle:{seed}"}):
                    self.run_trials(spec, run)
                for record in records(run):
                    self.assertEqual(record["status"], "ok", record)
                    digests.setdefault(record["solver"]["name"], set()).add(record["judgement"]["digest"])
            for solver, found in digests.items():
                self.assertEqual(len(found), 1, solver)
            trials += len(digests)
        print(f"figure: {trials} GPU solvers under {ORDERS} lane orders, one answer each", flush=True)


if __name__ == "__main__":
    unittest.main()
