"""The C++ and CUDA sources of one revision, and which of them a solver is made of."""

import re
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from warpbench_plots.errors import InputError

_SUFFIXES = (".cpp", ".cu", ".hpp", ".cuh")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
_COMMENT = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|//[^\n]*|/\*.*?\*/""", re.DOTALL)
_NOT_CODE = re.compile(r"^[ \t]*#[ \t]*(?:include|pragma[ \t]+once)[^\n]*$", re.MULTILINE)
_WORD = re.compile(r'"(?:\\.|[^"\\])*"|\w+|[^\w\s]')
_REGISTERING = ("algorithms/", "baselines/", "solvers/")
_NOT_FOLLOWED = ("datasets/", "harness/", "device/simt/")
# They take the time of every trial.
_MEASURING = ("harness/measure/measure.cpp", "harness/run/trial_run.cpp")


@cache
def code_of(text: str) -> str:
    """The words of a source that the compiler sees, but for those that name other sources."""
    return " ".join(_WORD.findall(_NOT_CODE.sub("", _COMMENT.sub(lambda found: found[1] or " ", text))))


class Revision:
    def __init__(self, texts: Mapping[str, str]) -> None:
        """`texts`: path → text of its sources."""
        self._texts = texts

    def parts(self, problem: str, solver: str) -> dict[str, str]:
        """A solver's code → the file it is in: the file that registers the solver and what this includes between
        quotes, with the .cpp or .cu beside a header; and the two files that take times. Empty without such a solver.

        Of problems/ only headers count, as judging is not timed; nothing of datasets/, as records have the digest of
        their data; and of device/ what a GPU runs. Programs of peers/, compilers and their options do not count.
        """
        found = _reached(self._registering(problem, solver), self._texts)
        if not found:
            return {}
        return {code_of(self._texts[path]): path for path in (*found, *_MEASURING) if path in self._texts}

    def _registering(self, problem: str, solver: str) -> list[str]:
        """Several problems may have a solver of this name; then those in a folder of the problem, if there are any."""
        texts = {path: text for path, text in self._texts.items() if path.startswith(_REGISTERING)}
        files = [path for path, text in texts.items() if f'.id = "{solver}"' in text] or [
            path for path, text in texts.items() if f'"{solver}"' in text and path.endswith((".cpp", ".cu"))
        ]
        return [path for path in files if f"/{problem}/" in path] or files


def _reached(roots: Iterable[str], texts: Mapping[str, str]) -> list[str]:
    reached: dict[str, None] = {}
    waiting = list(roots)
    while waiting:
        path = waiting.pop()
        if path in reached or path not in texts or path.startswith(_NOT_FOLLOWED):
            continue
        reached[path] = None
        for included in _INCLUDE.findall(texts[path]):
            stem = included.rsplit(".", 1)[0]
            beside = [] if included.startswith("problems/") else [f"{stem}.cpp", f"{stem}.cu"]
            waiting += [included, *beside]
    return list(reached)


@cache
def read_revision(repository: Path, name: str) -> Revision:
    """`name`: whatever git knows as a revision. Raises InputError where this repository does not have it."""
    blobs = {}
    for line in _git(repository, "ls-tree", "-r", "--full-tree", name).decode().splitlines():
        facts, path = line.split("\t", 1)
        if path.endswith(_SUFFIXES):
            blobs[path] = facts.split()[2]
    answer = _git(repository, "cat-file", "--batch", given="".join(f"{blob}\n" for blob in blobs.values()))
    texts = {}
    at = 0
    for path in blobs:
        begin = answer.index(b"\n", at) + 1
        at = begin + int(answer[at:begin].split()[2]) + 1
        texts[path] = answer[begin : at - 1].decode()
    return Revision(texts)


def _git(repository: Path, *words: str, given: str = "") -> bytes:
    try:
        done = subprocess.run(["git", "-C", repository, *words], input=given.encode(), capture_output=True, check=False)
    except OSError as error:
        raise InputError(f"git: {error.strerror}; the history of a checkout is read with it") from error
    if done.returncode != 0:
        reason = done.stderr.decode().strip().removeprefix("fatal: ")
        raise InputError(f"expected a checkout of the repository that has the revision, found: {reason}")
    return done.stdout
