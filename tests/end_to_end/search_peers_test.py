"""Adaptors of libraries beside nearest_neighbors: without the libraries, with a small module in place of faiss, and
with the real one where it is installed."""

import array
import json
import os
import subprocess
import unittest

from program import ROOT, EndToEnd

PYTHON = ROOT / ".venv" / "bin" / "python"
FAISS = subprocess.run([PYTHON, "-c", "import faiss"], capture_output=True, check=False).returncode == 0

# Compares all points, and prints what the adaptor has set.
SMALL_FAISS = """
import types
import numpy as np
__version__ = "99"
METRIC_L2, METRIC_INNER_PRODUCT = 1, 0
def omp_set_num_threads(number): print("threads", number)
class IndexFlat:
    def __init__(self, dimension, kind): self.dimension, self.kind = dimension, kind
    def train(self, points): self.trained = len(points)
    def add(self, points): self.points = points
    def search(self, queries, k):
        print({name: value for name, value in vars(self).items() if isinstance(value, int)}, vars(self.hnsw)
              if hasattr(self, "hnsw") else "")
        near = -queries @ self.points.T
        if self.kind == METRIC_L2:
            near = ((queries[:, None, :] - self.points[None]) ** 2).sum(axis=2)
        order = np.argsort(near, axis=1, kind="stable")[:, :k]
        ids = np.full((len(queries), k), -1)
        ids[:, :order.shape[1]] = order
        return None, ids
class IndexIVFFlat(IndexFlat):
    def __init__(self, quantizer, dimension, lists, kind):
        super().__init__(dimension, kind)
        self.lists = lists
class IndexHNSWFlat(IndexFlat):
    def __init__(self, dimension, m, kind):
        super().__init__(dimension, kind)
        self.m, self.hnsw = m, types.SimpleNamespace()
"""

POINTS = [(0.0, 1.0), (3.0, 0.0), (-2.0, 2.0), (1.0, 1.0)]
QUERIES = [(1.0, 0.5), (-1.0, 3.0)]
PARAMETERS = {
    "index": "hnsw",
    "m": 7,
    "ef_construction": 11,
    "ef": 13,
    "lists": 9,
    "probes": 2,
    "threads": 2,
    "build_threads": 1,
}


class Searches(EndToEnd):
    def setUp(self):
        super().setUp()
        for name, rows in (("points", POINTS), ("queries", QUERIES)):
            values = array.array("f", [value for row in rows for value in row])
            (self.folder / f"{name}.f32").write_bytes(values.tobytes())

    def run_adaptor(self, adaptor, requests, **environment):
        """What it says to these requests, and what it prints beside them."""
        done = subprocess.run(
            [PYTHON, ROOT / "peers" / adaptor],
            input="".join(json.dumps(request) + "\n" for request in requests),
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, **environment},
        )
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def neighbors(self, index, metric="euclidean", k=3, **environment):
        parameters = {**PARAMETERS, "index": index}
        request = {"folder": str(self.folder), "parameters": parameters}
        shape = {"points": len(POINTS), "queries": len(QUERIES), "dimension": 2, "metric": metric}
        turn = [{"clock": True}, {"clock": False}]  # said, and confirmed
        said, printed = self.run_adaptor(
            "faiss_peer.py",
            [{"prepare": {**request, **shape}}, *turn, {"solve": {**request, "task": {"k": k}}}, *turn],
            **environment,
        )
        self.assertEqual(said[1:], [*turn, {"prepared": {}}, *turn, {"answered": {}}])
        ids = array.array("I", (self.folder / "neighbors.u32").read_bytes())
        return [list(ids[start : start + k]) for start in range(0, len(ids), k)], printed

    def small(self):
        (self.folder / "faiss.py").write_text(SMALL_FAISS, encoding="utf-8")
        return {"PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}

    def test_indexes_and_their_settings(self):
        for index, settings in (
            ("flat", ("'kind': 1",)),
            ("ivf", ("'lists': 4", "'nprobe': 2", "'trained': 4")),
            ("hnsw", ("'m': 7", "efConstruction': 11", "efSearch': 13")),
        ):
            found, printed = self.neighbors(index, **self.small())
            self.assertEqual(found, [[3, 0, 1], [2, 0, 3]])
            self.assertIn("threads 1\n", printed)
            for setting in settings:
                self.assertIn(setting, printed)

    def test_inner_products_and_rows_that_are_too_short(self):
        none = 2**32 - 1
        found, _ = self.neighbors("flat", "inner_product", 6, **self.small())
        self.assertEqual(found, [[1, 3, 0, 2, none, none], [2, 0, 3, 1, none, none]])

    @unittest.skipIf(FAISS, "faiss is installed for this Python")
    def test_without_faiss_it_is_unsupported(self):
        said, _ = self.run_adaptor("faiss_peer.py", [])
        self.assertIn("pip install faiss-cpu", said[0]["unsupported"])

    @unittest.skipUnless(FAISS, "faiss is not installed for this Python: pip install faiss-cpu")
    def test_faiss_itself(self):
        for index in ("flat", "hnsw"):
            self.assertEqual(self.neighbors(index)[0], [[3, 0, 1], [2, 0, 3]])

    def test_without_cuvs_it_is_unsupported(self):
        said, _ = self.run_adaptor("cagra_peer.py", [])
        self.assertRegex(said[0]["unsupported"], "pip install cuvs-cu13|no GPU")


if __name__ == "__main__":
    unittest.main()
