"""The C++ and CUDA sources of one revision, and which of them a solver is made of."""

import os
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath

from warpbench_plots.errors import InputError

_COMPILED = (".cpp", ".cu")
_SUFFIXES = (*_COMPILED, ".hpp", ".cuh")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
# A character is one or an escape: the apostrophes of 10'000 begin none.
_COMMENT = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.[^'\n]*|[^'\\\n])')|//[^\n]*|/\*.*?\*/""", re.DOTALL)
_NOT_CODE = re.compile(r"^[ \t]*#[ \t]*(?:include|pragma[ \t]+once)[^\n]*$", re.MULTILINE)
_WORD = re.compile(r'"(?:\\.|[^"\\])*"|\w+|[^\w\s]')
_QUOTED = re.compile(r'"([^"\\]+)"')
_REGISTERING = ("algorithms/", "baselines/", "solvers/")
_REGISTERS = '. id = "'
_FOLDERS = {"set_intersection": "sets", "set_containment": "sets"}  # those of other problems have their names
_DELEGATING = {"solvers/choosing_solver.hpp", "solvers/delegating_solver.hpp"}
_BY_ID = ("auto",)  # known by the id alone, as other solvers' files quote the word, too
_ON_GPU = ("device/backend/", "device/cuda/")
_NOT_FOLLOWED = re.compile(r"datasets/(?!transforms/)|harness/|device/simt/")
# The functions that take the time of every trial.
_MEASURING = ("harness/measure/measure.cpp", "harness/run/trial_run.cpp")


@cache
def code_of(text: str) -> str:
    """The words of a source that the compiler sees, but for those that name other sources."""
    return " ".join(_WORD.findall(_NOT_CODE.sub("", _COMMENT.sub(lambda found: found[1] or " ", text))))


class Revision:
    def __init__(self, texts: Mapping[str, str]) -> None:
        """`texts`: path → text of its sources."""
        self._texts = texts
        self._included = {path: _INCLUDE.findall(text) for path, text in texts.items()}
        self._compiled = [path for path in texts if path.startswith(_REGISTERING) and path.endswith(_COMPILED)]
        self._helping: dict[str, list[str]] = defaultdict(list)  # folder → its files that register no solver
        self._solvers: Counter[str] = Counter()  # folder → the number of the others
        for path in self._compiled:
            if _REGISTERS in code_of(texts[path]):
                self._solvers[_folder(path)] += 1
            else:
                self._helping[_folder(path)].append(path)

    def parts(self, problem: str, solver: str, device: str) -> dict[str, str]:
        """A solver's code → the file it is in; empty without such a solver. `device`: as in records.

        Its files are the one that registers it, what this includes between quotes, and the two that take times. What a
        header declares is defined in the .cpp or .cu of its name, or in files of its folder that include it and
        register no solver. Such files in the folder of a single solver are its own. A solver that delegates is made of
        the solvers of its problem that it names, too.

        Not counted are problems/*/problem.cpp, where references and judges are, and an RMSE that trainers ask for; of
        datasets/ all but transforms, as records have the digest of their data; what a GPU does not run of device/; the
        programs of peers/, compilers and their options.
        """
        roots = self._registering(problem, solver)
        found = self._reached(roots)
        delegating = [path for path in roots if not _DELEGATING.isdisjoint(self._included[path])]
        if delegating:
            named = {word for path in delegating for word in _QUOTED.findall(code_of(self._texts[path]))}
            roots += [
                path
                for word in sorted(named.difference(_BY_ID))
                for path in self._registering(problem, word, by_id=True)
            ]
            found = self._reached(roots)
        if not found:
            return {}
        on_gpu = [path for path in self._texts if device != "cpu" and path.startswith(_ON_GPU)]
        return {code_of(self._texts[path]): path for path in (*found, *on_gpu, *_MEASURING) if path in self._texts}

    def _registering(self, problem: str, solver: str, *, by_id: bool = False) -> list[str]:
        """The files of the problem that register a solver by its id; without any, those that quote its name; without
        any, those of its name. `by_id`: the first alone."""
        signs: list[Callable[[str], bool]] = [lambda path: f'{_REGISTERS}{solver}"' in code_of(self._texts[path])]
        if not by_id and solver not in _BY_ID:
            signs += [lambda path: f'"{solver}"' in code_of(self._texts[path])]
            signs += [lambda path: PurePosixPath(path).stem == solver]
        own = [path for path in self._compiled if f"/{_FOLDERS.get(problem, problem)}/" in path]
        return next(filter(None, ([path for path in own if sign(path)] for sign in signs)), [])

    def _reached(self, roots: Sequence[str]) -> list[str]:
        reached: dict[str, None] = {}
        waiting = list(roots)
        for folder in map(_folder, roots):
            is_its_own = folder.startswith("algorithms/") and self._solvers[folder] == 1
            waiting += self._helping[folder] if is_its_own else []
        while waiting:
            path = waiting.pop()
            if path in reached or path not in self._texts or _NOT_FOLLOWED.match(path):
                continue
            reached[path] = None
            included = self._included[path]
            waiting += [*included, *(one for header in included for one in self._defining(header))]
        return list(reached)

    def _defining(self, header: str) -> Iterable[str]:
        """The files that may define what a header declares."""
        stem = header.rsplit(".", 1)[0]
        if header.startswith("problems/") and stem.endswith("/problem"):
            return []  # the reference and the judge
        beside = [path for path in self._helping[_folder(header)] if header in self._included[path]]
        return [f"{stem}.cpp", f"{stem}.cu", *beside]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def read_revision(repository: Path, name: str) -> Revision:
    """`name`: whatever git knows as a revision. Raises InputError where this repository does not have it."""
    commit = _git(repository, "rev-parse", "--quiet", "--verify", f"{name}^{{commit}}", of=name)
    return _read_commit(repository, commit.decode().strip())


@cache
def _read_commit(repository: Path, commit: str) -> Revision:
    blobs = {}
    for entry in _git(repository, "ls-tree", "-r", "-z", "--full-tree", commit, of=commit).split(b"\0"):
        facts, _, path = entry.decode(errors="surrogateescape").partition("\t")
        if path.endswith(_SUFFIXES):
            blobs[path] = facts.split()[2]
    if not any(path.startswith(_REGISTERING) for path in blobs):
        raise InputError(f"expected a checkout of this project, found no solver in its revision {commit[:8]}")
    given = "".join(f"{blob}\n" for blob in blobs.values())
    answer = _git(repository, "cat-file", "--batch", of=commit, given=given)
    texts = {}
    at = 0
    for path in blobs:
        begin = answer.index(b"\n", at) + 1
        at = begin + int(answer[at:begin].split()[2]) + 1
        texts[path] = answer[begin : at - 1].decode(errors="surrogateescape")
    return Revision(texts)


def _git(repository: Path, *words: str, of: str, given: str = "") -> bytes:
    try:
        done = subprocess.run(
            ["git", "-C", repository, *words],
            input=given.encode(),
            capture_output=True,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
    except OSError as error:
        raise InputError(f"git: {error.strerror}; the history of a checkout is read with it") from error
    if done.returncode != 0:
        reason = done.stderr.decode(errors="replace").strip().removeprefix("fatal: ")
        if not reason:
            reason = f"no commit '{of}'; `git fetch --unshallow` brings what a shallow checkout lacks"
        raise InputError(f"expected a revision of this checkout, found: {reason}")
    return done.stdout
