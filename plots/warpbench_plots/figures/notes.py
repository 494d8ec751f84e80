"""The lines below a figure: what its numbers are of, machines, task, stand-ins."""

from collections.abc import Sequence

from warpbench_plots.figures.points import FigureData
from warpbench_plots.results.environment import Environment
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Experiment

_LISTED = 4  # trials named in a note


def terms_of(data: FigureData, records: Sequence[Record]) -> tuple[str, ...]:
    """What the numbers of a timed figure are of: samples, their interval, and what a time covers."""
    if data.spec.curve is not None and not data.spec.curve.timed:
        return ()
    times = [r.time for r in records if r.timed and r.time is not None]
    shown = data.spec.values
    if not times or not any(one.timed for one in shown):
        return ()
    covers = sorted({"+".join(sorted(t.covers)) for t in times})
    terms = f"time covers {' or '.join(covers)}"
    if data.spec.kind == "boxes":
        return (f"of one solve; {terms}",)
    what = "medians over the samples"
    if any(", mean" in one.label for one in shown):
        what = "each number is a mean within a sample; shown is its median over the samples"
    confidence = sorted({f"{t.confidence:.0%}" for t in times if t.confidence > 0})
    if confidence and any(point.low is not None for point in data.points):
        what += f", with the {'/'.join(confidence)} interval of that median (whiskers or brackets)"
    return (f"{what}; {terms}",)


def notes_of(records: Sequence[Record], experiment: Experiment) -> tuple[str, ...]:
    """Machine, revision, task, device, what is unsolved, stand-ins. Several machines have a line each."""
    if experiment.machines:
        notes = [_machine(name, one.runs[0].environment) for name, one in experiment.machines.items()]
    else:
        notes = [f"machine {records[0].machine}, revision {records[0].revision}"]
    if task := _task(records):
        notes.append(f"task: {task}")
    if devices := [] if experiment.machines else _devices(records, experiment):
        notes.append(f"device: {', '.join(dict.fromkeys(devices))}")
    unsolved = [f"{r.solver.shown} on {r.dataset.name} {r.solved}" for r in records if r.incomplete]
    if unsolved:
        more = f", and {len(unsolved) - _LISTED} more trials" if len(unsolved) > _LISTED else ""
        notes.append(f"in times, what is unsolved counts with its limit: {', '.join(unsolved[:_LISTED])}{more}")
    stand_ins = sorted({r.dataset.name for r in records if r.dataset.stand_in})
    if stand_ins:
        notes.append(f"stand-ins for the documents' datasets: {', '.join(stand_ins)}")
    return tuple(notes)


def _machine(name: str, environment: Environment) -> str:
    """`h200: machine x, Intel Xeon 8480, 16 threads, NVIDIA H200, revision 0123456789ab`."""
    gpus = ", ".join(dict.fromkeys(gpu.name for gpu in environment.gpus)) or "no GPU"
    source = f"revision {environment.revision}{' with uncommitted changes' if environment.dirty else ''}"
    threads = f"{environment.threads} threads"
    return f"{name}: machine {environment.machine}, {environment.cpu_model}, {threads}, {gpus}, {source}"


def _devices(records: Sequence[Record], experiment: Experiment) -> list[str]:
    """The GPUs behind the measured numbers; none where only CPUs were measured."""
    if all(r.solver.device == "cpu" or r.functional for r in records):
        return []
    return [gpu.name for run in experiment.runs for gpu in run.environment.gpus]


def _task(records: Sequence[Record]) -> str:
    """`k = 10, gamma = 0.005 (a), gamma = 0.01 (b)`: datasets are named where not all have the same values."""
    names = {record.dataset.name for record in records}
    short = {name: name.partition("(")[0] for name in names}
    shown = short if len(set(short.values())) == len(names) else {name: name for name in names}
    datasets: dict[str, dict[str, dict[str, None]]] = {}  # of each parameter and value
    for record in records:
        for key, value in record.raw["task"].items():
            if value != "published":
                datasets.setdefault(key, {}).setdefault(str(value), {})[shown[record.dataset.name]] = None
    words = []
    for key, values in datasets.items():
        differ = len({frozenset(having) for having in values.values()}) > 1
        words += [
            f"{key} = {value}" + (f" ({', '.join(having)})" if differ else "") for value, having in values.items()
        ]
    return ", ".join(words)
