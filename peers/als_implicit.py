#!/usr/bin/env python3
"""Alternating least squares by implicit (PyPI) as an external program.

implicit learns from confidences c of all pairs: it minimises the sum of |c| (preference - x·y)² over the entries given,
preference 1 where c > 0 and 0 where c < 0, of (0 - x·y)² over all other pairs, and a regularization. A rating s in
[0, 1] becomes two entries of its pair, W s and -(W (1 - s) + 2). In the normal equations of a user the first adds W s y
to the right side; both together, of whose weights implicit takes 1 each off, add W y yᵀ to the left side: W times those
of (s - x·y)². With W = 10⁶ the other pairs' share is lost in rounding. So implicit does explicit ALS, with twice the
entries. The time includes fit()'s own sorting of the entries by item.
"""

import math
import os
from pathlib import Path
from typing import Any

import protocol

WEIGHT = 1e6


def read_list(folder: Path, name: str) -> tuple[Any, Any, Any]:
    import numpy as np

    parts = {"users.u32": np.uint32, "items.u32": np.uint32, "values.f32": np.float32}
    users, items, values = (np.fromfile(folder / f"{name}_{part}", kind) for part, kind in parts.items())
    return users.astype(np.int64), items.astype(np.int64), values


def entries_of(users: Any, items: Any, shares: Any, shape: tuple[int, int]) -> Any:
    """The confidences of ratings in [0, 1]: two entries for each, which must not be added up."""
    import numpy as np
    import scipy.sparse

    order = np.argsort(users, kind="stable")
    first = WEIGHT * shares[order].astype(np.float64)
    data = np.stack([first, first - (WEIGHT + 2)], axis=1).ravel().astype(np.float32)
    starts = np.zeros(shape[0] + 1, np.int64)
    np.cumsum(2 * np.bincount(users, minlength=shape[0]), out=starts[1:])
    return scipy.sparse.csr_matrix((data, np.repeat(items[order], 2), starts), shape=shape)


def model_of(request: dict[str, Any], scale: float) -> Any:
    import implicit.cpu.als
    import implicit.gpu

    task, parameters = request["task"], request["parameters"]
    options = {
        "factors": task["k"],
        "regularization": WEIGHT * parameters["lambda"] * scale,
        "iterations": task["iterations"],
        "random_state": task["seed"] % 2**32,
    }
    if parameters["processor"] == "cpu":
        return implicit.cpu.als.AlternatingLeastSquares(num_threads=parameters["threads"], **options), lambda a: a
    if not (implicit.gpu.HAS_CUDA and getattr(implicit.gpu, "HAS_RMM", True)):
        raise protocol.Unsupported(
            "implicit finds no GPU here, or no rmm: pip install rmm-cu13==26.4.*, or use processor: cpu"
        )
    import implicit.gpu.als

    return implicit.gpu.als.AlternatingLeastSquares(**options), implicit.gpu.Matrix


def train(request: dict[str, Any]) -> dict[str, Any]:
    import numpy as np

    folder, k = Path(request["folder"]), request["task"]["k"]
    users, items, values = read_list(folder, "train")
    test_users, test_items, test_values = read_list(folder, "test")
    if values.min() < 0:
        raise protocol.Unsupported("als-implicit takes no ratings below 0")
    scale = 1 / max(float(values.max()), 1e-30)
    entries = entries_of(users, items, values * scale, (request["users"], request["items"]))
    model, matrix = model_of(request, scale)
    # So that products are about the mean, as all solvers begin.
    random = np.random.default_rng(request["task"]["seed"])
    highest = 2 * math.sqrt(max(float(values.mean()) * scale, 1e-3) / k)
    model.user_factors = matrix(highest * random.random((request["users"], k), dtype=np.float32))
    model.item_factors = matrix(highest * random.random((request["items"], k), dtype=np.float32))
    rmse: list[float] = []

    def host(factors: Any) -> Any:
        return factors if isinstance(factors, np.ndarray) else factors.to_numpy()

    def after_iteration(_iteration: int, _seconds: float, _loss: Any) -> None:
        protocol.clock(False)
        p, q = host(model.user_factors), host(model.item_factors)
        error = 0.0
        for start in range(0, len(test_values), 65536):
            part = slice(start, start + 65536)
            predicted = np.einsum("ij,ij->i", p[test_users[part]], q[test_items[part]]) / scale
            error += float(np.sum((predicted.astype(np.float64) - test_values[part]) ** 2))
        rmse.append((error / len(test_values)) ** 0.5)
        if len(rmse) < request["task"]["iterations"]:
            protocol.clock(True)

    protocol.clock(True)
    model.fit(entries, show_progress=False, callback=after_iteration)
    for name, factors in (("p", model.user_factors), ("q", model.item_factors)):
        (host(factors) / np.sqrt(scale)).astype(np.float32).tofile(folder / f"{name}.f32")
    return {"rmse": rmse}


def title() -> str:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # implicit's own threads call BLAS
    try:
        import implicit
    except ImportError as error:
        raise protocol.Unsupported(
            f"implicit is not installed for this Python ({error}): pip install implicit"
        ) from error
    return f"implicit {implicit.__version__}"


if __name__ == "__main__":
    protocol.serve(title, train)
