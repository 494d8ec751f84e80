#!/usr/bin/env python3
"""The conditional join of cuDF (PyPI: pylibcudf-cu13, with cupy-cuda13x) as an external program. Relations are on the
device. A select's rows, or an aggregate's sum, come down within the time; rows go to pinned memory."""

from pathlib import Path
from typing import Any

import device_memory
import protocol
import theta_join

COLUMNS = ("a", "x")
ROWS_AT_ONCE = 1 << 22
OPERATORS = {
    "<": "LESS",
    "<=": "LESS_EQUAL",
    ">": "GREATER",
    ">=": "GREATER_EQUAL",
    "=": "EQUAL",
    "!=": "NOT_EQUAL",
}


def predicate(theta: str) -> Any:
    """The task's θ as an expression of cuDF."""
    from pylibcudf import expressions

    def condition(text: str) -> Any:
        left, operator, right = text.split()
        columns = (
            expressions.ColumnReference(COLUMNS.index(left.removeprefix("R.")), expressions.TableReference.LEFT),
            expressions.ColumnReference(COLUMNS.index(right.removeprefix("S.")), expressions.TableReference.RIGHT),
        )
        return expressions.Operation(getattr(expressions.ASTOperator, OPERATORS[operator]), *columns)

    conditions = [condition(text) for text in theta.split(" and ")]
    if len(conditions) == 1:
        return conditions[0]
    return expressions.Operation(expressions.ASTOperator.LOGICAL_AND, *conditions)


class Peer:
    def __init__(self) -> None:
        self.r: Any = None
        self.s: Any = None

    def title(self) -> str:
        try:
            import cupy
            import pylibcudf  # noqa: F401
        except ImportError as error:
            raise protocol.Unsupported(
                f"cuDF is not installed for this Python ({error}): pip install pylibcudf-cu13 cupy-cuda13x"
            ) from error
        from importlib.metadata import version

        device_memory.expect_device(cupy, "cuDF")
        return f"cuDF {version('pylibcudf-cu13')}"

    def prepare(self, request: dict[str, Any]) -> dict[str, Any]:
        import cupy
        import numpy as np
        import pylibcudf
        import rmm

        # A pool: allocations of the driver would take a part of the time.
        rmm.mr.set_current_device_resource(rmm.mr.PoolMemoryResource(rmm.mr.CudaMemoryResource()))
        folder = Path(request["folder"])

        def relation(name: str) -> Any:
            columns = [cupy.asarray(np.fromfile(folder / f"{name}_{column}.i32", "<i4")) for column in COLUMNS]
            return pylibcudf.Table([pylibcudf.Column.from_array(column) for column in columns])

        self.r, self.s = relation("r"), relation("s")
        cupy.cuda.Device().synchronize()
        return {}

    def solve(self, request: dict[str, Any]) -> dict[str, Any]:
        import cupy

        task = request["task"]
        theta = predicate(task["theta"])
        rows = theta_join.brings_rows(task)
        then = "gather of R.a, S.a and S.x" if rows else "SUM(S.x)" if task["query"] == "aggregate" else "count(*)"
        facts = {"query": f"conditional_inner_join of R and S on {task['theta']}, then {then}"}
        # A first join tells how many rows there are, so that pinning memory for them lies outside the time.
        memory = self.pinned_rows(theta) if rows else None
        cupy.cuda.Device().synchronize()
        protocol.clock(True)
        answer = self.answer(task, theta, memory)
        cupy.cuda.Device().synchronize()
        protocol.clock(False)
        if rows:
            self.write(memory, Path(request["folder"]))
        return answer | {"facts": facts}

    def pinned_rows(self, theta: Any) -> Any:
        import cupy
        import numpy as np
        import pylibcudf

        of_r, _ = pylibcudf.join.conditional_inner_join(self.r, self.s, theta)
        return device_memory.pinned(cupy, np.zeros((3, of_r.size()), np.int32))

    def answer(self, task: dict[str, Any], theta: Any, memory: Any) -> dict[str, Any]:
        import cupy
        import numpy as np
        import pylibcudf

        of_r, of_s = pylibcudf.join.conditional_inner_join(self.r, self.s, theta)

        def column(relation: Any, name: str, places: Any) -> Any:
            whole = pylibcudf.Table([relation.columns()[COLUMNS.index(name)]])
            unchecked = pylibcudf.copying.OutOfBoundsPolicy.DONT_CHECK
            (taken,) = pylibcudf.copying.gather(whole, places, unchecked).columns()
            return cupy.asarray(taken.data()).view(cupy.int32)

        if task["query"] == "aggregate":
            return {"sum": str(int(column(self.s, "x", of_s).sum(dtype=np.int64))) if of_s.size() else "0"}
        if memory is not None and of_r.size():
            for row, part in zip(memory, ((self.r, "a", of_r), (self.s, "a", of_s), (self.s, "x", of_s)), strict=True):
                column(*part).get(out=row)
        return {"count": str(of_r.size())}

    @staticmethod
    def write(memory: Any, folder: Path) -> None:
        with theta_join.row_file(folder) as append:
            for start in range(0, memory.shape[1], ROWS_AT_ONCE):
                append(memory[:, start : start + ROWS_AT_ONCE].T.tobytes())


if __name__ == "__main__":
    peer = Peer()
    protocol.serve(peer.title, peer.solve, peer.prepare)
