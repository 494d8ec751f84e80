"""Writes the report: one self-contained HTML file, with the figures' files beside it."""

from collections.abc import Sequence
from pathlib import Path

from warpbench_plots.claims.evaluate import evaluate_runs
from warpbench_plots.errors import InputError
from warpbench_plots.figures.build import SkippedFigure, build_all, write_drawn
from warpbench_plots.files import read_text, write_whole
from warpbench_plots.report import sections
from warpbench_plots.report.inline import inline_svgs
from warpbench_plots.report.markup import Markup, join, tag
from warpbench_plots.results.run import Run, by_experiment


def write_report(runs: Sequence[Run], out: Path) -> tuple[list[Path], list[SkippedFigure]]:
    """Computes everything before it writes, so that a refusal leaves no files. Returns the files written,
    and the figures that could not be drawn: the report says why."""
    if out.is_dir():
        raise InputError(f"{out}: is a directory, expected the name of an HTML file")
    experiments = by_experiment(runs)
    drawn = build_all(experiments)
    claims = evaluate_runs(runs)
    folder = out.with_name(f"{out.stem}-figures")
    inlined = inline_svgs({figure.name: figure.svg for figure in drawn.figures})
    # What was found comes first; what it was found on comes last, folded.
    page = _page(
        "Warpbench report" if len(experiments) > 1 else experiments[0].spec.title,
        [
            ("Summary", sections.tally(experiments, claims)),
            (
                "Claims",
                (sections.claims(claims) if claims else tag("p", "The specs of these runs name no claims.")),
            ),
            ("Figures", sections.figures(drawn, inlined.svgs, folder.name)),
            ("Results", sections.results(experiments)),
            ("Trials that did not end well", sections.failures(experiments)),
            ("Coverage", sections.coverage(experiments)),
            ("How to reproduce", sections.reproduction(runs)),
            ("Environment", sections.environment(runs)),
        ],
        [warning for run in runs for warning in run.warnings],
        inlined.css,
    )
    written = write_drawn(drawn.figures, folder)
    write_whole(out, page)
    return [*written, out], drawn.skipped


def _page(title: str, parts: Sequence[tuple[str, Markup]], warnings: Sequence[str], css: str) -> str:
    style = read_text(Path(__file__).with_name("report.css")) + css
    anchors = {name: name.lower().replace(" ", "-") for name, _ in parts}
    head = tag(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        tag("title", title),
        tag("style", Markup(style)),
    )
    menu = tag("nav", *(tag("a", name, href=f"#{anchor}") for name, anchor in anchors.items()))
    notices = join(tag("p", warning, class_="warn") for warning in warnings)
    body = [join((tag("h2", name, id=anchors[name]), content)) for name, content in parts]
    main = tag("main", tag("h1", title), menu, notices, *body)
    return f'<!doctype html>\n<html lang="en">{head.html}{tag("body", main).html}</html>\n'
