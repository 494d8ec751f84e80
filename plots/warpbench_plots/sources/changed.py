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
    solvers: int = 0
    changed: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
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
        revisions = [self.run.environment.revision, *(record.revision for record in self.run.records)]
        at = dict.fromkeys(revision[:8] for revision in revisions)
        return f"{self.run.spec.experiment} at {', '.join(at)}: {told}"


def changed_since(run: Run, repository: Path, present: Revision) -> Changed:
    """The run's solvers whose code is another at present. A comment, a blank, an #include and the name of a file are
    not code. O(bytes of the sources of all revisions)."""
    if run.environment.dirty:
        return Changed(run, unknown="it was built with changes that were not committed")
    if not run.records:
        return Changed(run, unknown="it has no record")
    try:
        before = {revision: read_revision(repository, revision) for revision in {one.revision for one in run.records}}
    except InputError as error:
        return Changed(run, unknown=str(error))
    made_of = sorted({(one.problem, one.solver.name, one.solver.device, one.revision) for one in run.records})
    changed: dict[str, None] = {}
    files: Counter[str] = Counter()
    for problem, solver, device, revision in made_of:
        earlier = before[revision].parts(problem, solver, device)
        parts = present.parts(problem, solver, device)
        other = [path for code, path in parts.items() if code not in earlier]
        if other or not parts:
            changed[solver] = None
            files.update(other or [f"{solver} is gone"])
    solvers = {solver for _, solver, _, _ in made_of}
    return Changed(run, len(solvers), tuple(changed), tuple(path for path, _ in files.most_common()))


def as_text(found: Sequence[Changed], at: str) -> str:
    """A line for each run, and how many are of the code of the revision `at`."""
    unknown = sum(bool(one.unknown) for one in found)
    changed = sum(bool(one.changed) for one in found)
    told = f"{len(found) - unknown - changed} of {len(found)} runs are of the code of {at}, {changed} are not"
    return "\n".join([*(one.line for one in found), f"{told}, {unknown} are not known" if unknown else told])
