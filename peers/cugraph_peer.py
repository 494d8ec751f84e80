#!/usr/bin/env python3
"""Jaccard coefficients of cuGraph (PyPI: pylibcugraph-cu13, with cupy-cuda13x) as an external program: the common
neighbours of an edge's ends follow from its coefficient and their degrees. An edge is asked for once, not in both
directions. The time covers the copy of coefficients to pinned memory; turning them into counts lies outside."""

from pathlib import Path
from typing import Any

import device_memory
import protocol


class Peer:
    def __init__(self) -> None:
        self.handle: Any = None
        self.graph: Any = None
        self.ends: Any = None
        self.degrees: Any = None
        self.slots: Any = None

    def title(self) -> str:
        try:
            import cupy
            import pylibcugraph
        except ImportError as error:
            raise protocol.Unsupported(
                f"cuGraph is not installed for this Python ({error}): pip install pylibcugraph-cu13 cupy-cuda13x"
            ) from error
        device_memory.expect_device(cupy, "cuGraph")
        return f"cuGraph {pylibcugraph.__version__}"

    def prepare(self, request: dict[str, Any]) -> dict[str, Any]:
        import cupy
        import numpy as np
        import pylibcugraph

        folder = Path(request["folder"])
        offsets = np.fromfile(folder / "offsets.u64", "<u8").astype(np.int64)
        neighbors = cupy.asarray(np.fromfile(folder / "neighbors.u32", "<u4").astype(np.int32))
        degrees = np.diff(offsets)
        sources = cupy.asarray(np.repeat(np.arange(request["vertices"], dtype=np.int32), degrees))
        self.degrees = cupy.asarray(degrees)
        self.slots = self.keys(sources, neighbors)
        once = sources < neighbors
        self.ends = (sources[once], neighbors[once])
        self.handle = pylibcugraph.ResourceHandle()
        self.graph = pylibcugraph.SGGraph(
            self.handle,
            pylibcugraph.GraphProperties(is_symmetric=True, is_multigraph=False),
            sources,
            neighbors,
            weight_array=None,
            store_transposed=False,
            renumber=False,
            do_expensive_check=False,
        )
        cupy.cuda.Device().synchronize()
        return {}

    def solve(self, request: dict[str, Any]) -> dict[str, Any]:
        import cupy
        import numpy as np
        import pylibcugraph

        coefficients = device_memory.pinned(cupy, np.zeros(len(self.ends[0]), np.float32))
        protocol.clock(True)
        first, second, found = pylibcugraph.jaccard_coefficients(self.handle, self.graph, *self.ends, False, False)
        found.get(out=coefficients)
        cupy.cuda.Device().synchronize()
        protocol.clock(False)
        # On the GPU, too: a CPU takes longer to sort the edges of a large graph than a trial may take.
        counts = self.counts(first, second, cupy.asarray(coefficients).astype(cupy.float64))
        counts.get().tofile(Path(request["folder"]) / "counts.u32")
        return {}

    def counts(self, first: Any, second: Any, coefficients: Any) -> Any:
        """A count for each slot; edges may come in any order."""
        import cupy

        counts = cupy.rint(coefficients * (self.degrees[first] + self.degrees[second]) / (1 + coefficients))
        edges = self.keys(first, second)
        order = cupy.argsort(edges)
        places = cupy.searchsorted(edges[order], self.slots)
        return counts[order][places].astype(cupy.uint32)

    def keys(self, first: Any, second: Any) -> Any:
        """A number for each edge, the same in both directions."""
        import cupy

        return cupy.minimum(first, second).astype(cupy.int64) * len(self.degrees) + cupy.maximum(first, second)


if __name__ == "__main__":
    peer = Peer()
    protocol.serve(peer.title, peer.solve, peer.prepare)
