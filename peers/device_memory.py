"""What the peers on a GPU share: whether there is one, and pinned memory by CuPy."""

from typing import Any

import protocol


def expect_device(cupy: Any, name: str) -> None:
    """Throws protocol.Unsupported where there is no GPU."""
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise protocol.Unsupported(f"{name} finds no GPU here: {error}") from error


def pinned(cupy: Any, values: Any) -> Any:
    """A copy of the values in pinned memory."""
    import numpy as np

    memory = cupy.cuda.alloc_pinned_memory(max(1, values.nbytes))
    copy = np.frombuffer(memory, values.dtype, values.size).reshape(values.shape)
    copy[...] = values
    return copy
