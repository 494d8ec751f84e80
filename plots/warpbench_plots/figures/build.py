"""Builds the figures of an experiment: selects and checks the records, draws, and writes the files."""

import json
import os
import sys
import traceback
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from multiprocessing import get_context
from pathlib import Path

from warpbench_plots.errors import PlotsError, Refused
from warpbench_plots.fields.field import Field, field
from warpbench_plots.figures.bars import draw_bars
from warpbench_plots.figures.boxes import draw_boxes
from warpbench_plots.figures.breakdown import draw_breakdown
from warpbench_plots.figures.cells import draw_table, draw_verdicts
from warpbench_plots.figures.check import refuse_unknown
from warpbench_plots.figures.collect import collect
from warpbench_plots.figures.curves import draw_curves
from warpbench_plots.figures.grammar import VARIANT, FigureSpec, figure_name, parse_figure
from warpbench_plots.figures.lines import draw_lines, draw_pareto
from warpbench_plots.figures.machines import side_by_side
from warpbench_plots.figures.notes import notes_of, terms_of
from warpbench_plots.figures.points import GAP, FigureData, Namer, best_of_groups, group_of
from warpbench_plots.figures.shown import Shown, shown_by
from warpbench_plots.figures.sidecar import sidecar
from warpbench_plots.figures.speedup import to_speedups
from warpbench_plots.figures.style import drawn_files, style
from warpbench_plots.figures.tooltips import Tooltips
from warpbench_plots.files import write_whole
from warpbench_plots.guards import one_source, same_conditions
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Experiment

DEBUG = "WARPBENCH_PLOTS_DEBUG"  # set: an error that was not foreseen is printed with its traceback
_DRAW = {
    "bars": draw_bars,
    "lines": draw_lines,
    "pareto": draw_pareto,
    "table": draw_table,
    "breakdown": draw_breakdown,
    "boxes": draw_boxes,
    "curves": draw_curves,
}
_PUBLISHED_SIZES = (
    "published numbers are of the documents' datasets in full; the stand-ins have the sizes in their names"
)
_INTERPOLATED = "numbers between two trials of a frontier are their geometric mean, weighted by how near each is"
_GAPS = (f"{GAP}: no trial has this combination",)
_NOT_TIMES = (
    "not measured as performance: GPU solvers executed on the CPU (backend simt), answers verified, no times",
)


@dataclass(frozen=True)
class BuiltFigure:
    """A drawn figure, not yet on disk."""

    data: FigureData
    experiment: Experiment
    functional: bool
    svg: str
    png: bytes
    shown: Shown | None = None  # None of a matrix, which pages have as a table

    @property
    def name(self) -> str:
        return self.data.spec.name + ("-functional" if self.functional else "")


class Undrawn(PlotsError):
    """Drawing met an error that nobody foresaw."""

    exit_code = 1


@dataclass(frozen=True)
class SkippedFigure:
    """A figure that its spec asks for and that cannot be drawn, with the reason."""

    name: str
    reason: PlotsError
    experiment: str = ""


@dataclass(frozen=True)
class Drawn:
    """What came of the figures that were asked for."""

    figures: list[BuiltFigure]
    skipped: list[SkippedFigure]


def build_figures(experiment: Experiment, wanted: frozenset[str] | None = None) -> list[BuiltFigure]:
    """The figures of the experiment's spec, or those with a wanted name; the first that cannot be drawn is refused."""
    drawn = _draw_experiment(experiment, wanted)
    for skipped in drawn.skipped:
        raise skipped.reason
    return drawn.figures


def build_all(experiments: Sequence[Experiment], wanted: frozenset[str] | None = None) -> Drawn:
    """The figures of all experiments in their order, or those with a wanted name, drawn on all cores. Refuses inputs
    that must not be mixed before it draws; a figure that cannot be drawn is skipped."""
    draw = partial(_draw_experiment, wanted=wanted)
    processes = min(len(experiments), len(os.sched_getaffinity(0)))
    if processes < 2:
        return _joined(map(draw, experiments))
    with ProcessPoolExecutor(processes, get_context("fork")) as pool:
        try:
            return _joined(pool.map(draw, experiments))
        except BrokenProcessPool as error:
            raise PlotsError(f"a process that drew figures was killed, perhaps for want of memory: {error}") from error


def _joined(parts: Iterable[Drawn]) -> Drawn:
    """One after the other; a name that two figures have is refused, since their files would have it too."""
    kept = list(parts)
    figures = [figure for part in kept for figure in part.figures]
    names = [figure.name for figure in figures]
    for name in names:
        if names.count(name) > 1:
            raise Refused(f"two figures of the given runs are named {name}: give `name:` to one of them")
    return Drawn(figures, [figure for part in kept for figure in part.skipped])


def _draw_experiment(experiment: Experiment, wanted: frozenset[str] | None) -> Drawn:
    what = f"figure of {experiment.spec.experiment}"
    for name, one in experiment.sides.items():
        if not one.records:
            runs = ", ".join(str(run.path) for run in one.runs)
            raise Refused(f"{experiment.spec.experiment}: no finished trial in {runs}")
        one_source(one.records, f"{what}, {name}" if name else what)
    same_conditions({name: one.records for name, one in experiment.sides.items()}, what)
    drawn = Drawn([], [])
    shown: dict[frozenset[str], str] = {}  # functional trials → the figure that holds their verdicts
    for number, raw in enumerate(experiment.spec.figures):
        name = str(figure_name(raw, experiment.spec.experiment, number))
        if wanted is not None and name not in wanted:
            continue
        try:
            spec = parse_figure(raw, experiment.spec.experiment, experiment.spec.title, number)
            refuse_unknown(spec, experiment)
            drawn.figures.extend(_build(spec, experiment, shown))
        except Exception as error:  # one bad figure must not cost the others, whatever is wrong with it
            drawn.skipped.append(
                SkippedFigure(name, _reason(error, name, experiment.spec.experiment), experiment.spec.experiment)
            )
    return drawn


def _reason(error: Exception, name: str, experiment: str) -> PlotsError:
    """The sentence of an error that was foreseen; of another its kind and text, and the traceback on request."""
    if isinstance(error, PlotsError):
        return error
    if os.environ.get(DEBUG):
        print("".join(traceback.format_exception(error)), file=sys.stderr)
    text = " ".join(str(error).split())
    return Undrawn(f"figure {name} of {experiment}: {type(error).__name__}: {text} ({DEBUG}=1 prints where)")


def _build(spec: FigureSpec, experiment: Experiment, shown: dict[frozenset[str], str]) -> list[BuiltFigure]:
    chosen = {name: spec.selected(one.records) for name, one in experiment.sides.items()}
    if not any(chosen.values()):
        by = "sweeps" if spec.sweeps else f"where: {{{spec.where}}}"
        raise Refused(f"figure {spec.name}: no trial is selected by {by}")
    if spec.groups and not any(group_of(spec, record) is not None for own in chosen.values() for record in own):
        told = (f"{name} {{{one}}}" for name, several in spec.groups.items() for one in several)
        raise Refused(f"figure {spec.name}: no trial is selected by groups: {', '.join(told)}")
    functional = {name: [r for r in own if spec.timed and r.functional] for name, own in chosen.items()}
    timed = {
        name: best_of_groups(spec, [r for r in own if not (spec.timed and r.functional)])
        for name, own in chosen.items()
    }
    trials = frozenset(record.trial for own in functional.values() for record in own)
    first = trials not in shown
    partner = shown.get(trials, f"{spec.name}-functional") if trials else ""
    figures = []
    if any(timed.values()):
        for name in (name for name, own in timed.items() if not own):
            raise Refused(f"figure {spec.name}: nothing of {name} is measured for it, so there is nothing to compare")
        figures.append(_timed_figure(spec, experiment, timed, partner))
    if trials and first:
        figures.append(_functional_figure(spec, experiment, functional))
        shown[trials] = partner
    return figures


def _collected(spec: FigureSpec, experiment: Experiment, chosen: Mapping[str, Sequence[Record]]) -> FigureData:
    """The points of the records chosen on each side."""
    sides, namer = experiment.sides, Namer(spec, _all(chosen))
    parts = {name: collect(spec, sides[name], own, namer) for name, own in chosen.items() if own}
    if spec.kind == "speedup":
        parts = {name: to_speedups(data, sides[name].records) for name, data in parts.items()}
    return side_by_side(parts) if experiment.machines else parts[""]


def _all(chosen: Mapping[str, Sequence[Record]]) -> list[Record]:
    return [record for own in chosen.values() for record in own]


def _timed_figure(
    spec: FigureSpec, experiment: Experiment, chosen: Mapping[str, Sequence[Record]], partner: str
) -> BuiltFigure:
    data, records = _collected(spec, experiment, chosen), _all(chosen)
    label, draw = spec.y_label, _DRAW.get(spec.kind, draw_bars)
    if spec.kind == "speedup":
        label = f"speed-up over {_baseline_name(spec)}"
        draw = draw_lines if spec.draw == "lines" else draw_bars
    level_note = (_INTERPOLATED,) if any(point.below for point in data.points) else ()
    partner_note = (f"GPU solvers were executed functionally: see {partner}",) if partner else ()
    sizes_note = (_PUBLISHED_SIZES,) if any(p.published and p.is_cut for p in data.points) else ()
    data = replace(
        data,
        notes=(
            *terms_of(data, records),
            *notes_of(records, experiment),
            *data.notes,
            *level_note,
            *sizes_note,
            *partner_note,
            *(_GAPS if spec.kind == "table" and data.has_gaps else ()),
        ),
    )
    with style(spec.name):
        figure, words = draw(data, label, spec.title, data.notes), Tooltips(data, label)
        svg, png = drawn_files(figure)
        shown = None if spec.kind == "table" else shown_by(figure, data, words)
    return BuiltFigure(data, experiment, False, _titled(svg, data, words), png, shown)


def _baseline_name(spec: FigureSpec) -> str:
    """`merge (threads 1)`, or `the best of 7 solvers`, whose names would not fit an axis."""
    named = {f.text: wanted for f, wanted in (spec.baseline.conditions if spec.baseline else ())}
    solver = named.pop("solver.name", "the baseline")
    if isinstance(solver, list):
        solver = " or ".join(solver) if len(solver) <= 2 else f"the best of {len(solver)} solvers"
    rest = ", ".join(f"{text.rsplit('.', 1)[-1]} {wanted}" for text, wanted in named.items())
    return f"{solver} ({rest})" if rest else str(solver)


def _functional_figure(spec: FigureSpec, experiment: Experiment, chosen: Mapping[str, Sequence[Record]]) -> BuiltFigure:
    """A matrix of verdicts, solver variants × datasets, whatever the kind of the timed figure."""
    records = _all(chosen)
    x, y, series = (field(name, spec.name) for name in (VARIANT, "status", "dataset"))
    axes = replace(spec, kind="table", x=x, y=y, series=series)
    axes = replace(
        axes,
        facet=_swept_task(records),
        groups={},
        quantities={},
        sweeps={},
        right=None,
        at=None,
        log=frozenset(),
        published=(),
    )
    data = _collected(axes, experiment, chosen)
    # `collect` marks every point, because `status` is no number; only failed trials keep their mark.
    points = tuple(replace(p, mark=None if p.record and p.record.status == "ok" else p.mark) for p in data.points)
    gaps = _GAPS if data.has_gaps else ()
    data = replace(data, points=points, notes=(*_NOT_TIMES, *notes_of(records, experiment), *gaps))
    with style(f"{spec.name}-functional"):
        svg, png = drawn_files(draw_verdicts(data, f"{spec.title}: functional", data.notes))
    return BuiltFigure(data, experiment, True, _titled(svg, data, Tooltips(data, "status")), png)


def _swept_task(records: Sequence[Record]) -> Field | None:
    """The task parameter that takes several values on a dataset: each needs a panel, or their trials would overlap."""
    values: dict[tuple[str, str], set[object]] = {}
    for record in records:
        for key, value in record.raw["task"].items():
            values.setdefault((key, record.dataset.name), set()).add(value)
    swept = (key for (key, _), seen in values.items() if len(seen) > 1)
    return next((field(f"task.{key}", "task") for key in swept), None)


def _titled(svg: str, data: FigureData, words: Tooltips) -> str:
    """Gives each point a tooltip, so that a reader need not look up the trial id."""
    for point in data.points:
        title = f"<title>{escape(' · '.join(words(point)))}</title>"
        group = f'<g id="{escape(point.gid)}">'
        svg = svg.replace(group, group + title, 1)
    return svg


def write_figures(
    experiments: Sequence[Experiment], out: Path, wanted: frozenset[str] | None = None
) -> tuple[list[Path], list[SkippedFigure]]:
    """Draws all figures, or those with a wanted name, before it writes any: a refusal leaves no files behind. Returns
    the files and what was skipped; if nothing could be drawn, raises the first reason."""
    drawn = build_all(experiments, wanted)
    if drawn.skipped and not drawn.figures:
        raise drawn.skipped[0].reason
    return write_drawn(drawn.figures, out), drawn.skipped


def write_drawn(figures: Sequence[BuiltFigure], out: Path) -> list[Path]:
    """Writes FIG.json, FIG.png and FIG.svg of each figure."""
    written = []
    for figure in figures:
        files: dict[str, str | bytes] = {
            f"{figure.name}.json": json.dumps(sidecar(figure.data, figure.experiment, figure.name, out), indent=1)
            + "\n",
            f"{figure.name}.png": figure.png,
            f"{figure.name}.svg": figure.svg,
        }
        for name, content in files.items():
            write_whole(out / name, content)
            written.append(out / name)
    return written
