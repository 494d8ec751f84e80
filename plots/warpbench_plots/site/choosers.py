"""What choosers lose: their time over that of the fastest configuration that was recorded beside them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from warpbench_plots.fields.comparable import comparable_time
from warpbench_plots.figures.style import MUTED, colour, drawn_files, style
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Experiment

_TICKS = [digit * 10**power for power in range(-3, 4) for digit in (1, 2, 5)]
_CHOICE = "chose_"  # the counter that names the solver that was chosen


@dataclass(frozen=True)
class Choice:
    """A chooser's trial and the fastest other one of the same experiment, machine, revision, dataset and task."""

    chooser: Record
    fastest: Record
    seconds: float
    fastest_seconds: float

    @property
    def regret(self) -> float:
        """1 where nothing is lost; below where the chooser has a configuration that nobody ran by hand."""
        return self.seconds / self.fastest_seconds

    @property
    def is_timed(self) -> bool:
        """Whether the choice is in the time; otherwise the preparation made it."""
        return "choose" in self.chooser.phases_s

    @property
    def chosen(self) -> str | None:
        """The solver that was chosen; None of hyset, which may take several."""
        names = [
            name.removeprefix(_CHOICE) for name in self.chooser.raw.get("counters") or () if name.startswith(_CHOICE)
        ]
        return names[0] if names else None


def is_chooser(record: Record) -> bool:
    """`auto`, and hyset where it chooses how much each processor takes, which records say by a split of -1."""
    return record.solver.name == "auto" or record.solver.parameters.get("split") == -1


def choices(experiments: Iterable[Experiment]) -> list[Choice]:
    """Of all experiments, problem by problem, the largest loss first."""
    found = [one for e in experiments for r in e.records if is_chooser(r) and (one := _choice(r, e.records))]
    return sorted(found, key=lambda one: (one.chooser.problem, -one.regret))


def _choice(chooser: Record, records: Sequence[Record]) -> Choice | None:
    own = comparable_time(chooser)
    timed = [(time[0], r) for r in records if _is_beside(r, chooser) and (time := comparable_time(r))]
    if own is None or not timed or not _reaches(chooser, chooser):
        return None
    seconds, fastest = min(timed, key=lambda one: one[0])
    return Choice(chooser, fastest, own[0], seconds) if seconds > 0 else None


def _is_beside(record: Record, chooser: Record) -> bool:
    """Whether it does the same work at the same revision on the same machine by a configuration that no chooser made.
    Of searches, those that reach the recall that is wanted of the chooser."""
    same = all(
        (
            record.dataset == chooser.dataset,
            record.raw["task"] == chooser.raw["task"],
            _counts_transfers(record) == _counts_transfers(chooser),
            record.revision == chooser.revision,
            record.machine == chooser.machine,
        )
    )
    return same and _reaches(record, chooser) and not is_chooser(record) and _may_take(chooser, record)


def _reaches(record: Record, chooser: Record) -> bool:
    wanted = chooser.solver.parameters.get("recall")
    reached = record.judgement.metrics.get("recall") if record.judgement else None
    return wanted is None or (reached or 0) >= float(wanted)


def _counts_transfers(record: Record) -> bool | None:
    return (record.raw.get("protocol") or {}).get("include_transfers")


def _may_take(chooser: Record, record: Record) -> bool:
    """Hyset whose techniques are given chooses their shares alone."""
    given = chooser.solver.parameters
    if chooser.solver.name == "auto" or given.get("cpu") == "auto":
        return True
    other = record.solver.parameters
    return record.solver.name == chooser.solver.name and {**given, "split": 0} == {**other, "split": 0}


def drawing(found: Sequence[Choice]) -> tuple[str, bytes]:
    """A dot a choice, a row a problem, as SVG and PNG."""
    problems = list(dict.fromkeys(one.chooser.problem for one in found))
    with style("choosers"):
        figure = Figure(figsize=(7.5, 0.9 + 0.42 * len(problems)), layout="constrained")
        axes = figure.subplots()
        axes.axvline(1, color=MUTED, linewidth=0.8)
        for row, problem in enumerate(problems):
            own = [one.regret for one in found if one.chooser.problem == problem]
            # Dots that would hide each other are stacked around the row's middle.
            heights = [row + 0.3 * ((7 * i) % 11 / 11 - 0.45) for i in range(len(own))]
            axes.scatter(own, heights, s=16, color=colour(row), alpha=0.75, linewidths=0)
        axes.set_xscale("log")
        axes.set_xlabel("time of the chooser over that of the fastest recorded configuration")
        names = [f"{p.replace('_', ' ')} ({sum(o.chooser.problem == p for o in found)})" for p in problems]
        axes.set_yticks(range(len(problems)), names)
        axes.invert_yaxis()
        axes.grid(visible=True, axis="x")
        low, high = axes.get_xlim()
        axes.set_xticks([tick for tick in _TICKS if low <= tick <= high])
        axes.minorticks_off()
        axes.xaxis.set_major_formatter("{x:g}")
        return drawn_files(figure)
