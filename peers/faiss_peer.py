#!/usr/bin/env python3
"""faiss (PyPI: faiss-cpu) as an external program: an index in this process's memory."""

import os
from typing import Any

import protocol
import vectors


def index_of(points: Any, metric: str, parameters: dict[str, Any]) -> Any:
    """An index that is still to be trained."""
    import faiss

    dimension = points.shape[1]
    kind = faiss.METRIC_INNER_PRODUCT if metric == "inner_product" else faiss.METRIC_L2
    if parameters["index"] == "flat":
        return faiss.IndexFlat(dimension, kind)
    if parameters["index"] == "ivf":
        lists = min(parameters["lists"], len(points))
        return faiss.IndexIVFFlat(faiss.IndexFlat(dimension, kind), dimension, lists, kind)
    index = faiss.IndexHNSWFlat(dimension, parameters["m"], kind)
    index.hnsw.efConstruction = parameters["ef_construction"]
    return index


def use_threads(number: int) -> None:
    import faiss

    faiss.omp_set_num_threads(number or len(os.sched_getaffinity(0)))


class Peer:
    def __init__(self) -> None:
        self.index: Any = None
        self.queries: Any = None

    def title(self) -> str:
        try:
            import faiss
        except ImportError as error:
            raise protocol.Unsupported(
                f"faiss is not installed for this Python ({error}): pip install faiss-cpu"
            ) from error
        return f"faiss {faiss.__version__}"

    def prepare(self, request: dict[str, Any]) -> dict[str, Any]:
        parameters = request["parameters"]
        points = vectors.read_vectors(request, "points")
        self.queries = vectors.read_vectors(request, "queries")
        use_threads(parameters["build_threads"])
        protocol.clock(True)
        self.index = index_of(points, request["metric"], parameters)
        self.index.train(points)
        self.index.add(points)
        protocol.clock(False)
        return {}

    def solve(self, request: dict[str, Any]) -> dict[str, Any]:
        parameters = request["parameters"]
        use_threads(parameters["threads"])
        if parameters["index"] == "ivf":
            self.index.nprobe = parameters["probes"]
        if parameters["index"] == "hnsw":
            self.index.hnsw.efSearch = parameters["ef"]
        protocol.clock(True)
        _, ids = self.index.search(self.queries, request["task"]["k"])
        protocol.clock(False)
        return vectors.write_neighbors(request, ids)


if __name__ == "__main__":
    peer = Peer()
    protocol.serve(peer.title, peer.solve, peer.prepare)
