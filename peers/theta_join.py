"""What the peers of theta_join share: the query, and the file of rows."""

import contextlib
import errno
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import protocol

ROW_BYTES = 12


def query_of(task: dict[str, Any], total: str) -> str:
    """The task in SQL; `total` is an exact sum of S.x."""
    if task["query"] == "aggregate":
        what = total
    elif task["output"] == "count":
        what = "count(*)"
    else:
        what = "R.a AS r_a, S.a AS s_a, S.x AS s_x"
    return f"SELECT {what} FROM R, S WHERE {task['theta']}"


def brings_rows(task: dict[str, Any]) -> bool:
    return bool(task["query"] == "select" and task["output"] != "count")


@contextlib.contextmanager
def row_file(folder: Path) -> Iterator[Callable[[Any], Any]]:
    """Gives what appends bytes to the file of rows; where they do not all come, the file goes."""
    path = folder / "rows.i32"
    try:
        with path.open("wb") as file:
            yield file.write
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise protocol.Unsupported(
                f"expected room for the file of rows in {folder.parent}, found less: {error.strerror}; "
                "set TMPDIR to a folder with room"
            ) from error
        raise
