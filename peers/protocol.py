"""What an adaptor of a peer needs to be an external program (docs/external-programs.md)."""

import ctypes
import functools
import json
import math
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

# Libraries print where they like: standard output is the protocol's alone.
_lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
_libc = ctypes.CDLL(None)


class Unsupported(Exception):
    """This machine, or this input, is not for the peer; the text says why and what to do."""


def finite(value: Any) -> Any:
    """The value with None in place of numbers that are not finite, which JSON does not have."""
    if isinstance(value, dict):
        return {name: finite(member) for name, member in value.items()}
    if isinstance(value, list):
        return [finite(member) for member in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def say(message: dict[str, Any]) -> None:
    _lines.write(json.dumps(finite(message), allow_nan=False) + "\n")
    _lines.flush()


def clock(runs: bool) -> None:
    """What happens between clock(True) and clock(False) is the solve's time; each pair is an iteration. Returns when
    Warpbench has read its clock, and says so with the same line."""
    say({"clock": runs})
    line = sys.stdin.readline()
    if not line:
        sys.exit()  # Warpbench has ended
    if json.loads(line) != {"clock": runs}:
        raise ValueError(f"expected the clock to be confirmed, found {line.strip()}")


def outcome(member: str, work: Callable[[], Any]) -> dict[str, Any]:
    """What work() returns as a line, or why it returns nothing."""
    try:
        return {member: work()}
    except Unsupported as why:
        return {"unsupported": str(why)}
    except Exception as error:  # whatever it is, the trial's record shall hold it
        traceback.print_exc()
        return {"failed": f"{type(error).__name__}: {error}"}


def end_with(parent: int, ended_by: signal.Signals = signal.SIGKILL) -> None:
    """For preexec_fn: the process that is started shall get the signal when its parent, this adaptor, ends."""
    if _libc.prctl(1, ended_by) != 0:  # PR_SET_PDEATHSIG
        raise OSError("prctl")
    if os.getppid() != parent:
        os._exit(1)


Handler = Callable[[dict[str, Any]], dict[str, Any]]


def serve(title: Callable[[], str], solve: Handler, prepare: Handler = lambda _: {}) -> None:
    """Says the title, then answers requests with prepare(request) or solve(request) until there are no more."""
    ready = outcome("ready", title)
    say(ready)
    if "ready" not in ready:
        return
    for line in sys.stdin:
        ((kind, request),) = json.loads(line).items()
        member, handler = {"prepare": ("prepared", prepare), "solve": ("answered", solve)}[kind]
        say(outcome(member, functools.partial(handler, request)))
