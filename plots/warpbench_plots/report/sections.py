"""The report's sections, one function each."""

from collections.abc import Mapping, Sequence

from warpbench_plots.claims.table import grouped, heading, measured, origin
from warpbench_plots.claims.verdict import UNTESTED, CheckResult, ClaimResult, counted
from warpbench_plots.fields.comparable import comparable_time
from warpbench_plots.fields.field import plain
from warpbench_plots.figures.axes import number, seconds
from warpbench_plots.figures.build import Drawn
from warpbench_plots.figures.points import NOT_RUN
from warpbench_plots.report.markup import Markup, badge, join, table, tag
from warpbench_plots.report.reproduction import commands, where
from warpbench_plots.results.environment import Environment
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Experiment, Run


def tally(experiments: Sequence[Experiment], claims: Sequence[ClaimResult]) -> Markup:
    """The totals: trials, verified samples, verdicts."""
    records = [record for experiment in experiments for record in experiment.records]
    judged = [record.judgement for record in records if record.judgement is not None]
    entries = [
        (f"{sum(r.status == 'ok' for r in records)} of {len(records)}", "trials ok"),
        (
            f"{sum(j.verified for j in judged)} of {sum(j.samples for j in judged)}",
            "samples verified",
        ),
        (f"{sum(r.functional for r in records)}", "functional only (simt)"),
    ]
    parts = [record.solved for record in records if record.solved is not None]
    if parts:
        entries.append((f"{sum(p.solved for p in parts)} of {sum(p.asked for p in parts)}", "queries solved"))
    if claims:
        entries += [(str(count), f"claims: {verdict}") for verdict, count in counted(claims).items()]
    return tag(
        "ul",
        *(tag("li", tag("b", value), label) for value, label in entries),
        class_="tally",
    )


def environment(runs: Sequence[Run]) -> Markup:
    """Each machine once, with the ceilings measured on it; folded, since it is not what was found."""
    seen: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        seen.setdefault((run.environment.machine, run.environment.revision), []).append(run)
    parts = []
    for (machine, revision), members in seen.items():
        first = members[0].environment
        content = [_machine(first, [run.environment.started_at for run in members])]
        rows = [(c.name, "–" if c.value is None else number(c.value), c.unit, c.samples) for c in first.ceilings]
        if rows:
            content.append(tag("p", "Ceilings measured on this machine by the same command:"))
            content.append(table(["ceiling", "value", "unit", "samples"], rows, numeric=(1, 3)))
        parts.append(tag("details", tag("summary", f"Machine {machine}, revision {revision}"), *content))
    return join(parts)


def _machine(e: Environment, started: Sequence[str]) -> Markup:
    gpus = [
        f"{g.name}, {_bytes(g.memory_bytes)}, compute capability {g.compute_capability}, driver {g.driver}"
        for g in e.gpus
    ]
    entries = {
        "CPU": f"{e.cpu_model}, {e.cores} cores, {e.threads} threads, {e.simd}",
        "memory": _bytes(e.memory_bytes),
        "GPU": "; ".join(gpus) or "none",
        "backend": e.backend
        + (" (kernels executed on the CPU: answers count, times do not)" if e.backend == "simt" else ""),
        "compiler": f"{e.raw['compiler']} {e.raw['flags']}",
        "toolkit": e.raw["toolkit"] or "none",
        "system": f"{e.raw['kernel']}, governor {e.raw['governor'] or 'unknown'}",
        "source": f"{e.revision}{' with uncommitted changes' if e.dirty else ''}",
        "started": ", ".join(sorted(started)),
    }
    return tag(
        "dl",
        *(part for key, value in entries.items() for part in (tag("dt", key), tag("dd", value))),
    )


def coverage(experiments: Sequence[Experiment]) -> Markup:
    """Solvers × datasets, with the number of trials for each status."""
    parts = []
    for experiment in experiments:
        names = list(dict.fromkeys(r.dataset.name for r in experiment.records))
        stand_ins = {r.dataset.name for r in experiment.records if r.dataset.stand_in}
        solvers = list(dict.fromkeys([*experiment.spec.solvers, *(r.solver.name for r in experiment.records)]))
        rows = []
        for solver in solvers:
            own = [r for r in experiment.records if r.solver.name == solver]
            rows.append(
                [
                    tag("code", solver),
                    *(_counts([r for r in own if r.dataset.name == name]) for name in names),
                ]
            )
        head = [
            "solver",
            *(f"{name} (stand-in)" if name in stand_ins else name for name in names),
        ]
        parts += [tag("h3", experiment.spec.experiment), table(head, rows)]
    return join(parts)


def _counts(records: Sequence[Record]) -> Markup:
    if not records:
        return badge(NOT_RUN)
    counts: dict[str, int] = {}
    for record in records:
        word = "functional" if record.functional and record.status == "ok" else record.status
        counts[word] = counts.get(word, 0) + 1
    return join(
        (join((badge(word), f" × {count}" if count > 1 else "")) for word, count in counts.items()),
        " ",
    )


def results(experiments: Sequence[Experiment]) -> Markup:
    """Every trial with its numbers. Its id is the anchor of its row."""
    head = [
        "trial",
        "dataset",
        "solver",
        "time",
        "interval",
        "prepare",
        "phases",
        "peak memory",
        "of ceiling",
        "verified",
        "status",
    ]
    parts = []
    anchors: set[str] = set()  # runs of two experiments may hold the same trial: the first row is its anchor
    for experiment in experiments:
        parts.append(tag("h3", f"{experiment.spec.experiment}: {experiment.spec.title}"))
        parts.append(
            table(
                head,
                (_row(record, anchors) for record in experiment.records),
                numeric=(3, 4, 5, 7, 8),
            )
        )
    return join(parts)


def _row(record: Record, anchors: set[str]) -> list[object]:
    time, shown = record.time if record.timed else None, comparable_time(record)
    phases = (
        join(
            (f"{name} {seconds(value)}" for name, value in record.phases_s.items()),
            ", ",
        )
        if time
        else "–"
    )
    share = _of_ceiling(*record.ceiling) if time and record.ceiling else "–"
    judged = f"{record.judgement.verified} of {record.judgement.samples}" if record.judgement else "–"
    verdict = f" {record.judgement.verdict}" if record.judgement and not record.solved_nothing else ""
    verdict += f", {record.solved}" if record.incomplete else ""
    anchor = "" if record.trial in anchors else record.trial
    anchors.add(record.trial)
    return [
        tag("code", record.trial, id=anchor),
        join(
            (
                record.dataset.name,
                tag("small", "stand-in") if record.dataset.stand_in else "",
            )
        ),
        _solver(record),
        (seconds(shown[0]) if shown else ("functional" if record.functional and record.status == "ok" else "–")),
        f"{seconds(shown[1])} – {seconds(shown[2])}" if shown else "–",
        seconds(record.prepare_s) if time and record.prepare_s is not None else "–",
        phases,
        _memory(record),
        share,
        judged + verdict,
        badge(record.status),
    ]


def _of_ceiling(name: str, share: float | None) -> str:
    words = name.replace("_", " ")
    return f"above {words}: nearer memory served it" if share is None else f"{share:.0%} of {words}"


def _solver(record: Record) -> Markup:
    parameters = ", ".join(f"{key} {plain(value)}" for key, value in record.solver.parameters.items())
    return join((tag("code", record.solver.shown), tag("small", parameters)))


def _memory(record: Record) -> Markup:
    sizes = (("device", record.device_peak_bytes), ("host", record.host_peak_bytes))
    return join((tag("small", f"{name} {_bytes(size)}") for name, size in sizes if size), "") or Markup("–")


def _bytes(size: int) -> str:
    for limit, unit in ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if size >= limit:
            return f"{size / limit:.3g} {unit}"
    return f"{size} B"


def figures(drawn: Drawn, svgs: Mapping[str, str], folder: str) -> Markup:
    """Each figure inline, with links to its files beside the report; first, why others could not be drawn."""
    parts = [tag("p", f"{one.name} was not drawn: {one.reason}", class_="warn") for one in drawn.skipped]
    for figure in drawn.figures:
        links = join(
            (tag("a", kind, href=f"{folder}/{figure.name}.{kind.lower()}") for kind in ("JSON", "SVG", "PNG")),
            ", ",
        )
        caption = join(
            (
                tag("code", figure.name),
                " – where each point came from and the files: ",
                links,
            )
        )
        parts.append(
            tag(
                "figure",
                Markup(svgs[figure.name]),
                tag("figcaption", caption),
            )
        )
    return join(parts)


def claims(evaluated: Sequence[ClaimResult]) -> Markup:
    """Published beside measured, claim by claim."""
    several = len({(c.machine, c.revisions) for c in evaluated}) > 1
    rows = []
    for result in evaluated:
        where = f"{result.claim.id} – {result.claim.where}" + (f" – {origin(result)}" if several else "")
        statement = join((result.claim.statement, tag("small", where)))
        parts = tag("div", *(_check(*group) for group in grouped(result.checks)))
        rows.append(
            [
                statement,
                parts,
                join(
                    (
                        badge(result.verdict, result.words),
                        tag("small", result.reason if result.verdict != UNTESTED else ""),
                    )
                ),
            ]
        )
    return table(["claim", "published and measured, part by part", "verdict"], rows)


def _check(check: CheckResult, group: Sequence[CheckResult]) -> Markup:
    if check.measured is None:
        return tag(
            "div",
            f"{heading(check, group)}; not measured ({check.reason})",
            class_="quiet",
        )
    colour = {"holds": "good", "does not hold": "bad"}.get(check.verdict, "quiet")
    reason = f" – {check.reason}" if check.reason else ""
    line = f"measured {measured(check)}, accepted {check.accepted}{reason}"
    return tag("div", f"{heading(check, group)}; ", tag("span", line, class_=colour))


def failures(experiments: Sequence[Experiment]) -> Markup:
    """Trials that are not ok, and those that are but left something unsolved."""
    records = [record for experiment in experiments for record in experiment.records]
    failed = [r for r in records if r.status != "ok" or r.incomplete]
    if not failed:
        return tag("p", "None.")
    rows = []
    for record in failed:
        reason, solver = record.reason or record.verification, _solver(record)
        rows.append(
            [
                badge(record.status),
                record.experiment,
                record.dataset.name,
                solver,
                reason,
                _place(record),
            ]
        )
    return table(["status", "experiment", "dataset", "solver", "reason", "record"], rows)


def _place(record: Record) -> Markup:
    return tag(
        "code",
        tag("a", record.trial, href=f"#{record.trial}"),
        f" {record.place.path.parent.name}/{record.place.path.name}:{record.place.line}",
    )


def reproduction(runs: Sequence[Run]) -> Markup:
    """The commands that reproduce these results."""
    return join(
        (
            tag("p", f"{where(runs)}; data files lie in the folder that $WARPBENCH_DATA names."),
            tag("pre", "\n".join(commands(runs))),
        )
    )
