"""Adaptors of libraries on a GPU, with small modules of NumPy in place of the libraries."""

import array
import json
import os
import subprocess
import unittest

from join_adaptors import THETAS, Adaptor, Adaptors
from program import ROOT, EndToEnd

PYTHON = ROOT / ".venv" / "bin" / "python"
NUMPY = subprocess.run([PYTHON, "-c", "import numpy"], capture_output=True, check=False).returncode == 0

CUPY = """
import types
import numpy as np
from numpy import argsort, float64, int32, int64, maximum, minimum, rint, searchsorted, uint32
class Array(np.ndarray):
    def get(self, out=None):
        if out is None: return np.asarray(self)
        out[...] = self
def asarray(values): return np.asarray(values).view(Array)
class CUDARuntimeError(Exception): pass
runtime = types.SimpleNamespace(getDeviceCount=lambda: 1, CUDARuntimeError=CUDARuntimeError)
Device = lambda: types.SimpleNamespace(synchronize=lambda: None)
class Pinned(bytearray):
    pass
cuda = types.SimpleNamespace(runtime=runtime, Device=Device, alloc_pinned_memory=Pinned)
"""
RMM = """
import types
mr = types.SimpleNamespace(set_current_device_resource=lambda pool: None, PoolMemoryResource=lambda under: under,
                           CudaMemoryResource=lambda: None)
"""
CUDF = """
import enum, operator, types
import numpy as np
class Column:
    def __init__(self, values): self.values = np.ascontiguousarray(values)
    @classmethod
    def from_array(cls, values): return cls(values)
    def size(self): return len(self.values)
    def data(self): return self.values.view(np.uint8)
class Table:
    def __init__(self, columns): self.held = columns
    def columns(self): return self.held
TableReference = enum.Enum("TableReference", "LEFT RIGHT")
class ASTOperator(enum.Enum):
    LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL, LOGICAL_AND = map(
        enum.member, (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, np.logical_and))
def reference(index, table):
    return lambda r, s: (r.held[index].values[:, None] if table is TableReference.LEFT else s.held[index].values)
def operation(kind, a, b): return lambda r, s: kind.value(a(r, s), b(r, s))
expressions = types.SimpleNamespace(TableReference=TableReference, ASTOperator=ASTOperator, ColumnReference=reference,
                                    Operation=operation)
def joined(r, s, theta):
    return tuple(map(Column, np.nonzero(theta(r, s))))
join = types.SimpleNamespace(conditional_inner_join=joined)
copying = types.SimpleNamespace(
    OutOfBoundsPolicy=types.SimpleNamespace(DONT_CHECK=0),
    gather=lambda table, places, policy: Table([Column(c.values[places.values]) for c in table.held]))
"""
# Coefficients come in another order than edges were asked for.
CUGRAPH = """
import numpy as np
__version__ = "99"
class ResourceHandle: pass
class GraphProperties:
    def __init__(self, **known): assert known == {"is_symmetric": True, "is_multigraph": False}
class SGGraph:
    def __init__(self, handle, properties, sources, neighbors, **options):
        assert not options["renumber"]
        self.rows = [set(neighbors[sources == v].tolist()) for v in range(1 + max(sources.tolist() + [0]))]
def jaccard_coefficients(handle, graph, first, second, weighted, checked):
    values = [len(graph.rows[u] & graph.rows[v]) / len(graph.rows[u] | graph.rows[v])
              for u, v in zip(first.tolist(), second.tolist())]
    return first[::-1], second[::-1], np.array(values[::-1], np.float32).view(type(first))
"""


def small_modules(folder, **modules):
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    info = folder / "pylibcudf_cu13-99.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pylibcudf-cu13\nVersion: 99\n", encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


@unittest.skipUnless(NUMPY, "NumPy is not installed for the Python of .venv")
class Cudf(Adaptors):
    def adaptor(self, **environment):
        return Adaptor(self, f"{PYTHON} {ROOT}/peers/cudf_peer.py", **environment)

    def test_queries_are_answered(self):
        adaptor = self.adaptor(env=small_modules(self.folder, cupy=CUPY, rmm=RMM, pylibcudf=CUDF))
        self.assertEqual(adaptor.ready, {"ready": "cuDF 99"})
        adaptor.prepare(self.r, self.s)
        self.assert_answers(adaptor, *THETAS, "R.x < S.x", "R.a >= S.a and R.x <= S.a")

    def test_without_cudf_or_a_gpu_it_is_unsupported(self):
        self.assertIn("pip install pylibcudf-cu13", self.adaptor().ready["unsupported"])
        absent = CUPY.replace("getDeviceCount=lambda: 1", "getDeviceCount=absent").replace(
            "runtime =", "def absent(): raise CUDARuntimeError('none')\nruntime ="
        )
        adaptor = self.adaptor(env=small_modules(self.folder, cupy=absent, rmm=RMM, pylibcudf=CUDF))
        self.assertEqual(adaptor.ready, {"unsupported": "cuDF finds no GPU here: none"})


@unittest.skipUnless(NUMPY, "NumPy is not installed for the Python of .venv")
class Cugraph(EndToEnd):
    ROWS = ((1, 2, 3), (0, 2, 3), (0, 1), (0, 1), ())

    def counts(self, rows, environment):
        (self.folder / "offsets.u64").write_bytes(
            array.array("Q", [sum(map(len, rows[:v])) for v in range(len(rows) + 1)]).tobytes()
        )
        (self.folder / "neighbors.u32").write_bytes(array.array("I", [v for row in rows for v in row]).tobytes())
        request = {"folder": str(self.folder)}
        turn = [{"clock": True}, {"clock": False}]  # said, and confirmed
        done = subprocess.run(
            [PYTHON, ROOT / "peers" / "cugraph_peer.py"],
            input="\n".join(
                json.dumps(line)
                for line in [{"prepare": {**request, "vertices": len(rows)}}, {"solve": request}, *turn]
            ),
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        said = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(said, [{"ready": "cuGraph 99"}, {"prepared": {}}, *turn, {"answered": {}}], done.stderr)
        return list(array.array("I", (self.folder / "counts.u32").read_bytes()))

    def test_counts_stand_in_the_order_of_slots(self):
        environment = small_modules(self.folder, cupy=CUPY, pylibcugraph=CUGRAPH)
        wanted = [len(set(row) & set(self.ROWS[v])) for row in self.ROWS for v in row]
        self.assertEqual(self.counts(self.ROWS, environment), wanted)
        self.assertEqual(self.counts(((), ()), environment), [])

    def test_without_cugraph_it_is_unsupported(self):
        done = subprocess.run(
            [PYTHON, ROOT / "peers" / "cugraph_peer.py"], input="", capture_output=True, text=True, check=True
        )
        self.assertIn("pip install pylibcugraph-cu13", json.loads(done.stdout)["unsupported"])


if __name__ == "__main__":
    unittest.main()
