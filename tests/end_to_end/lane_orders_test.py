"""The answer of a GPU solver does not depend on the order in which the lanes of a warp run."""

import os
import unittest
from concurrent import futures

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
    def under_orders(self, problem, spec):
        """The records of a run under each order. A GPU has orders of its own: there the runs are only repeated,
        beside each other, each with a share of its memory."""

        def run(seed):
            out = self.folder / f"{problem}-{seed}"
            self.run_trials(spec, out, environment={"WARPBENCH_SIMT_ORDER": f"shuffle:{seed}"})
            return records(out)

        with futures.ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as several:
            return [record for found in several.map(run, range(1, ORDERS + 1)) for record in found]

    def test_give_the_same_answer(self):
        trials = 0
        for problem, rest in SPECS.items():
            spec = self.spec(
                f"experiment: tests/orders\nproblem: {problem}\n{rest}"
                "protocol: {warmup: 0, repetitions: 1, minimum_repetitions: 1, device_memory: 2GiB}\n",
                f"{problem}.yaml",
            )
            digests = {}
            for record in self.under_orders(problem, spec):
                self.assertEqual(record["status"], "ok", record)
                digests.setdefault(record["solver"]["name"], set()).add(record["judgement"]["digest"])
            for solver, found in digests.items():
                self.assertEqual(len(found), 1, solver)
            trials += len(digests)
        print(f"figure: {trials} GPU solvers under {ORDERS} lane orders, one answer each", flush=True)


if __name__ == "__main__":
    unittest.main()
