#!/usr/bin/env python3
"""Common neighbours by SciPy (PyPI: scipy), as a product of sparse matrices: the worked example of
docs/external-programs.md. Its one setting is the number of rows that are multiplied at once."""

from pathlib import Path
from typing import Any

import protocol

ROWS_AT_ONCE = 4096


class Peer:
    def __init__(self) -> None:
        self.graph: Any = None

    def title(self) -> str:
        try:
            import scipy
        except ImportError as error:
            raise protocol.Unsupported(f"SciPy is not installed ({error}): pip install scipy") from error
        return f"SciPy {scipy.__version__}"

    def prepare(self, request: dict[str, Any]) -> dict[str, Any]:
        import numpy as np
        import scipy.sparse

        folder = Path(request["folder"])
        offsets = np.fromfile(folder / "offsets.u64", "<u8").astype(np.int64)
        neighbors = np.fromfile(folder / "neighbors.u32", "<u4").astype(np.int64)
        shape = (request["vertices"], request["vertices"])
        self.graph = scipy.sparse.csr_matrix((np.ones(len(neighbors), np.uint32), neighbors, offsets), shape=shape)
        return {}

    def solve(self, request: dict[str, Any]) -> dict[str, Any]:
        import numpy as np

        rows = int(request["parameters"]["settings"] or ROWS_AT_ONCE)
        protocol.clock(True)
        counts = [np.zeros(0, "<u4")]
        for begin in range(0, self.graph.shape[0], rows):
            part = self.graph[begin : begin + rows]
            common = (part @ self.graph).tocsr()
            common.sort_indices()
            # A slot without a common neighbour has no entry in the product.
            width = self.graph.shape[0]
            row_of = np.repeat(np.arange(part.shape[0]), np.diff(part.indptr)) * width
            row_of_common = np.repeat(np.arange(part.shape[0]), np.diff(common.indptr)) * width
            keys = row_of_common + common.indices
            places = np.searchsorted(keys, row_of + part.indices)
            found = places < len(keys)
            found[found] = keys[places[found]] == (row_of + part.indices)[found]
            counted = np.zeros(part.nnz, "<u4")
            counted[found] = common.data[places[found]]
            counts.append(counted)
        protocol.clock(False)
        np.concatenate(counts).tofile(Path(request["folder"]) / "counts.u32")
        return {}


if __name__ == "__main__":
    peer = Peer()
    protocol.serve(peer.title, peer.solve, peer.prepare)
