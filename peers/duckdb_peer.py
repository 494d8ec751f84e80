#!/usr/bin/env python3
"""DuckDB (PyPI) as an external program: a database in this process's memory."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import protocol
import theta_join

ROWS_AT_ONCE = 1 << 20
SETTINGS = ("threads", "memory_limit")


def operators(plan: dict[str, Any]) -> Iterator[str]:
    """The names of a plan's operators, from the result down."""
    yield plan["name"].strip()
    for child in plan.get("children", []):
        yield from operators(child)


class Peer:
    def __init__(self) -> None:
        self.database: Any = None

    def title(self) -> str:
        try:
            import duckdb
            import numpy  # noqa: F401
        except ImportError as error:
            raise protocol.Unsupported(
                f"DuckDB is not installed for this Python ({error}): pip install duckdb numpy"
            ) from error
        return f"DuckDB {duckdb.__version__}"

    def prepare(self, request: dict[str, Any]) -> dict[str, Any]:
        import duckdb
        import numpy as np

        folder = Path(request["folder"])
        self.database = duckdb.connect(config={"temp_directory": str(folder / "duckdb")})
        for name in ("r", "s"):
            columns = {column: np.fromfile(folder / f"{name}_{column}.i32", "<i4") for column in ("a", "x")}
            columns["id"] = np.arange(len(columns["a"]), dtype="<i4")
            self.database.register("columns_of_numpy", columns)
            self.database.execute(f"CREATE TABLE {name} AS SELECT id, a, x FROM columns_of_numpy")
            self.database.unregister("columns_of_numpy")
        return {}

    def value(self, query: str) -> Any:
        return self.database.execute(query).fetchone()[0]

    def solve(self, request: dict[str, Any]) -> dict[str, Any]:
        task = request["task"]
        self.database.execute(f"SET threads = {request['parameters']['threads'] or len(os.sched_getaffinity(0))}")
        query = theta_join.query_of(task, "SUM(S.x)")  # a HUGEINT of 128 bits
        settings = {name: self.value(f"SELECT current_setting('{name}')") for name in SETTINGS}
        facts = {
            "query": query,
            "settings": ", ".join(f"{name} = {value}" for name, value in settings.items()),
            "plan": " < ".join(operators(json.loads(self.plan(query))[0])),
        }
        if not theta_join.brings_rows(task):
            protocol.clock(True)
            number = self.value(query)
            protocol.clock(False)
            return {"sum" if task["query"] == "aggregate" else "count": str(number or 0), "facts": facts}
        with theta_join.row_file(Path(request["folder"])) as append:
            protocol.clock(True)
            columns = self.database.execute(query).fetchnumpy()
            if task["output"] != "file":
                protocol.clock(False)
            count = self.write(columns, append)
            if task["output"] == "file":
                protocol.clock(False)
        return {"count": str(count), "facts": facts}

    def plan(self, query: str) -> str:
        text: str = self.database.execute(f"EXPLAIN (FORMAT json) {query}").fetchall()[0][1]
        return text

    @staticmethod
    def write(columns: dict[str, Any], append: Any) -> int:
        import numpy as np

        count = len(columns["r_a"])
        for start in range(0, count, ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            append(np.stack([columns[name][part].astype("<i4") for name in ("r_a", "s_a", "s_x")], axis=1).tobytes())
        return count


if __name__ == "__main__":
    peer = Peer()
    protocol.serve(peer.title, peer.solve, peer.prepare)
