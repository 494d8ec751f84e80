#!/usr/bin/env python3
"""CAGRA of cuVS (PyPI: cuvs-cu13, with cupy-cuda13x) as an external program. Queries come from pinned memory and ids
go there within the time, as those of Warpbench's own solvers do."""

from typing import Any

import device_memory
import protocol
import vectors


class Peer:
    def __init__(self) -> None:
        self.index: Any = None
        self.points: Any = None
        self.queries: Any = None

    def title(self) -> str:
        try:
            import cupy
            import cuvs
            from cuvs.neighbors import cagra  # noqa: F401
        except ImportError as error:
            raise protocol.Unsupported(
                f"cuVS is not installed for this Python ({error}): pip install cuvs-cu13 cupy-cuda13x"
            ) from error
        device_memory.expect_device(cupy, "cuVS")
        return f"cuVS {cuvs.__version__}"

    def prepare(self, request: dict[str, Any]) -> dict[str, Any]:
        import cupy
        import numpy as np
        from cuvs.neighbors import cagra

        parameters = request["parameters"]
        kind = np.float16 if parameters["precision"] == "fp16" else np.float32
        self.points = cupy.asarray(vectors.read_vectors(request, "points").astype(kind))
        self.queries = device_memory.pinned(cupy, vectors.read_vectors(request, "queries").astype(kind))
        metric = "inner_product" if request["metric"] == "inner_product" else "sqeuclidean"
        options = cagra.IndexParams(
            metric=metric,
            graph_degree=parameters["graph_degree"],
            intermediate_graph_degree=parameters["intermediate_degree"],
            build_algo=parameters["builder"],
        )
        cupy.cuda.Device().synchronize()
        protocol.clock(True)
        self.index = cagra.build(options, self.points)
        cupy.cuda.Device().synchronize()
        protocol.clock(False)
        return {}

    def solve(self, request: dict[str, Any]) -> dict[str, Any]:
        import cupy
        import numpy as np
        from cuvs.neighbors import cagra

        parameters, k = request["parameters"], request["task"]["k"]
        options = cagra.SearchParams(
            itopk_size=max(k, parameters["itopk"]),
            search_width=parameters["search_width"],
            algo=parameters["algorithm"],
        )
        shape = (len(self.queries), k)
        ids = device_memory.pinned(cupy, np.zeros(shape, np.uint32))
        queries = cupy.empty(self.queries.shape, self.queries.dtype)
        neighbors = cupy.empty(shape, cupy.uint32)
        distances = cupy.empty(shape, cupy.float32)
        cupy.cuda.Device().synchronize()
        protocol.clock(True)
        queries.set(self.queries)
        cagra.search(options, self.index, queries, k, neighbors=neighbors, distances=distances)
        neighbors.get(out=ids)
        cupy.cuda.Device().synchronize()
        protocol.clock(False)
        # A place without a neighbour holds an id that is no point's.
        found = ids.astype(np.int64)
        found[found >= len(self.points)] = -1
        return vectors.write_neighbors(request, found)


if __name__ == "__main__":
    peer = Peer()
    protocol.serve(peer.title, peer.solve, peer.prepare)
