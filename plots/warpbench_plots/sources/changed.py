"""Which records no longer speak for the code, as what their solvers are made of has changed since."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from warpbench_plots.errors import InputError
from warpbench_plots.results.run import Run
from warpbench_plots.sources.revision import Revision, read_revision


@dataclass(frozen=True)
class Changed:
    """`files`: what the changed solvers are made of now and were not; first the files of most of them."""

    run: Run
    solvers: int
    changed: tuple[str, ...]
    files: tuple[str, ...]
    unknown: str = ""  # why nothing can be said

    @property
    def line(self) -> str:
        named = ", ".join(self.files[:3])
        more = f" and {len(self.files) - 3} more" if len(self.files) > 3 else ""
        if self.unknown:
            told = f"not known: {self.unknown}"
        elif not self.changed:
            told = "unchanged"
        else:
            told = f"{len(self.changed)} of {self.solvers} solvers changed ({', '.join(self.changed)}): {named}{more}"
        return f"{self.run.spec.experiment} at {self.run.environment.revision[:8]}: {told}"


def changed_since(run: Run, repository: Path, present: Revision) -> Changed:
    """The run's solvers whose code is another at present. A comment, a blank, an #include and the name of a file are
    not code. O(bytes of the two revisions' sources)."""
    solvers = sorted({(record.problem, record.solver.name) for record in run.records})
    if run.environment.dirty:
        return Changed(run, len(solvers), (), (), "it was built with changes that were not committed")
    try:
        before = read_revision(repository, run.environment.revision)
    except InputError as error:
        return Changed(run, len(solvers), (), (), str(error))
    changed = []
    files: Counter[str] = Counter()
    for problem, solver in solvers:
        parts, earlier = present.parts(problem, solver), before.parts(problem, solver)
        other = [path for code, path in parts.items() if code not in earlier]
        if other or not parts:
            changed.append(solver)
            files.update(other or [f"{solver} is gone"])
    return Changed(run, len(solvers), tuple(changed), tuple(path for path, _ in files.most_common()))


def as_text(found: Sequence[Changed]) -> str:
    unchanged = sum(not one.changed and not one.unknown for one in found)
    return "\n".join([*(one.line for one in found), f"{unchanged} of {len(found)} runs are of the present code"])
