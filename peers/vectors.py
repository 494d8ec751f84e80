"""What the peers of nearest_neighbors share: the files of points, queries and answers."""

from pathlib import Path
from typing import Any

import protocol

NO_NEIGHBOR = 2**32 - 1


def read_vectors(request: dict[str, Any], name: str) -> Any:
    """The `points` or `queries` of a prepare request, one a row."""
    import numpy as np

    values = np.fromfile(Path(request["folder"]) / f"{name}.f32", "<f4")
    return values.reshape(request[name], request["dimension"])


def write_neighbors(request: dict[str, Any], ids: Any) -> dict[str, Any]:
    """Answers a solve request with ids, a row for each query, where a number below 0 is none."""
    import numpy as np

    found = np.asarray(ids).astype("<i8")
    rows = np.full((found.shape[0], request["task"]["k"]), NO_NEIGHBOR, "<u4")
    found[(found < 0) | (found > NO_NEIGHBOR)] = NO_NEIGHBOR
    rows[:, : found.shape[1]] = found
    try:
        rows.tofile(Path(request["folder"]) / "neighbors.u32")
    except OSError as error:
        raise protocol.Unsupported(f"no room for the answer, {error}: set TMPDIR to a folder with room") from error
    return {}
