#!/usr/bin/env python3
"""LIBMF's mf-train as an external program: libmf.py PATH-OF-mf-train.

mf-train prints a header when the ratings are sorted, and a line after each iteration: the clock runs from the header
on. It includes the training and test errors that mf-train computes for these lines. mf-train is stopped while the clock
is confirmed, for which it does not wait itself; what it does between the header and that stop is not timed.
"""

import array
import contextlib
import functools
import math
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import protocol


def read_array(path: Path) -> "array.array[Any]":
    values = array.array({".u32": "I", ".f32": "f"}[path.suffix])
    with path.open("rb") as file:
        values.fromfile(file, path.stat().st_size // values.itemsize)
    return values


def write_ratings(folder: Path, name: str) -> Path:
    path = folder / f"{name}.txt"
    if not path.exists():
        columns = [read_array(folder / f"{name}_{part}") for part in ("users.u32", "items.u32", "values.f32")]
        with path.open("w", encoding="ascii") as file:
            file.writelines(f"{user} {item} {value:.9g}\n" for user, item, value in zip(*columns, strict=True))
    return path


def read_model(path: Path, counts: dict[str, int], k: int) -> "dict[str, array.array[Any]]":
    """P and Q of a model file; NaN where mf-train saw no rating: rows marked F, and those behind the last it has."""
    factors = {name: array.array("f", [math.nan]) * (count * k) for name, count in counts.items()}
    with path.open(encoding="ascii") as file:
        for line in file:
            words = line.split()
            name, row = words[0][0], words[0][1:]
            if name not in factors or not row or words[1] != "T":
                continue
            at = int(row) * k
            factors[name][at : at + k] = array.array("f", map(float, words[2 : 2 + k]))
    return factors


def lines_of(words: list[str], result: list[int]) -> Iterator[tuple["subprocess.Popen[bytes]", str]]:
    """The program with each line that it prints, as it comes: to a terminal, since it holds lines back from a pipe."""
    ours, theirs = pty.openpty()
    with os.fdopen(ours, encoding="utf-8", errors="replace") as lines:
        prepare = functools.partial(protocol.end_with, os.getpid())
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=theirs, preexec_fn=prepare) as process:
            os.close(theirs)
            with contextlib.suppress(OSError):  # how a terminal ends
                for line in lines:
                    yield process, line
        result.append(process.returncode)


def turn(process: "subprocess.Popen[bytes]", *clocks: bool) -> None:
    """Turns the clock while the program is stopped."""
    process.send_signal(signal.SIGSTOP)
    try:
        for runs in clocks:
            protocol.clock(runs)
    finally:
        process.send_signal(signal.SIGCONT)


def train(program: str, request: dict[str, Any]) -> dict[str, Any]:
    folder, task, parameters = Path(request["folder"]), request["task"], request["parameters"]
    model = folder / "model.txt"
    model.unlink(missing_ok=True)  # that of an earlier request
    options = {
        "-k": task["k"],
        "-t": task["iterations"],
        "-l2": f"{task['lambda_p']:.9g},{task['lambda_q']:.9g}",
        "-r": f"{parameters['eta']:.9g}",
        "-s": parameters["threads"] or os.cpu_count(),
        "-p": write_ratings(folder, "test"),
    }
    words = [program] + [str(word) for pair in options.items() for word in pair]
    words += [str(write_ratings(folder, "train")), str(model)]
    rmse: list[float] = []
    said = ""
    runs = False
    result: list[int] = []
    for process, line in lines_of(words, result):
        columns = line.split()
        if columns[:3] == ["iter", "tr_rmse", "va_rmse"]:
            turn(process, True)
            runs = True
        elif runs and columns[:1] == [str(len(rmse))]:
            rmse.append(float(columns[2]))
            runs = len(rmse) < task["iterations"]
            turn(process, *((False, True) if runs else (False,)))
        else:
            said = line.strip() or said
    if result != [0] or len(rmse) != task["iterations"]:
        raise RuntimeError(f"mf-train did {len(rmse)} iterations, exit code {result[0]}: {said}")
    factors = read_model(model, {"p": request["users"], "q": request["items"]}, task["k"])
    for name, values in factors.items():
        with (folder / f"{name}.f32").open("wb") as file:
            values.tofile(file)
    # After its last line mf-train's threads update a few blocks more, so that the factors have another error by then.
    return {"rmse": rmse[:-1]}


def title(program: str) -> str:
    if not os.access(program, os.X_OK):
        raise protocol.Unsupported(
            f"LIBMF's mf-train is not at {program!r}: build it (https://github.com/cjlin1/libmf) and name its path"
        )
    return "LIBMF"


if __name__ == "__main__":
    mf_train = sys.argv[1] if len(sys.argv) > 1 else ""
    protocol.serve(lambda: title(mf_train), lambda request: train(mf_train, request))
