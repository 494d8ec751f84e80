"""Writes the site: pages, figures, and the tables as CSV, Markdown and LaTeX."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from warpbench_plots.claims.evaluate import evaluate_runs
from warpbench_plots.errors import InputError, PlotsError
from warpbench_plots.figures.build import build_all, write_drawn
from warpbench_plots.files import read_bytes, read_text, write_whole
from warpbench_plots.site import choosers, tables
from warpbench_plots.site.history import histories, is_in_history
from warpbench_plots.site.load import load
from warpbench_plots.site.pages import Pages
from warpbench_plots.site.script import ABSENT, NAME, plotly_script

_TEMPLATES = Path(__file__).with_name("templates")
_NO_HISTORY = (
    "there is no page of times over revisions, because git has no history of these results; "
    "render the site in a git checkout that holds them"
)
_FILES = "files.txt"  # the names of the site's files, so that a later one in the same folder can remove them


@dataclass(frozen=True)
class Site:
    """The page to begin with, why runs or figures are left out, and what else the reader should know."""

    index: Path
    left_out: list[str]
    notes: list[str]


def write_site(directories: Sequence[Path], out: Path, specs: Path | None = None) -> Site:
    """Renders what can be rendered before it writes."""
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: is a file, expected the name of a folder")
    loaded = load(directories, specs)
    drawn = build_all(loaded.experiments)
    plotly = plotly_script()
    history = [one for directory in directories for one in histories(directory)]
    notes = [] if plotly else [ABSENT]
    if not any(map(is_in_history, directories)):
        notes.append(_NO_HISTORY)
    choices = choosers.choices(loaded.experiments)
    pages = Pages(loaded, drawn, evaluate_runs(loaded.runs), history, choices, notes, interactive=plotly is not None)
    files: dict[str, str | bytes] = dict(_render(pages))
    if choices:
        files["figures/choosers.svg"], files["figures/choosers.png"] = choosers.drawing(choices)
    for path, table in pages.tables.items():
        files |= {f"{path}.{ending}": text for ending, text in table.files().items()}
    style = read_text(_TEMPLATES.parent.parent / "report" / "report.css")
    files["site.css"] = style + read_text(_TEMPLATES / "site.css")
    files["site.js"] = read_text(_TEMPLATES / "site.js")
    if plotly is not None:
        files[NAME] = read_bytes(plotly)
        files["figures.js"] = read_text(_TEMPLATES / "figures.js")
    drawings = write_drawn(drawn.figures, out / "figures")
    for path, content in files.items():
        write_whole(out / path, content)
    _forget_others(out, {*files, *(str(path.relative_to(out)) for path in drawings)})
    reasons: list[tuple[object, PlotsError]] = [*loaded.left_out, *((one.name, one.reason) for one in drawn.skipped)]
    left_out = [f"{name} was left out: {reason}" for name, reason in reasons]
    return Site(out / "index.html", left_out, notes)


def _forget_others(out: Path, written: set[str]) -> None:
    """Removes what an earlier site in this folder had and this one has not; other files stay."""
    listed = out / _FILES
    earlier = read_text(listed).splitlines() if listed.is_file() else []
    for path in set(earlier) - written:
        if (out / path).resolve().is_relative_to(out.resolve()):
            (out / path).unlink(missing_ok=True)
    write_whole(listed, "".join(f"{path}\n" for path in sorted(written)))


def _render(pages: Pages) -> dict[str, str]:
    environment = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined)
    environment.filters |= {"shown": tables.shown, "sort_value": tables.sort_value, "link": tables.link}
    return {
        path: environment.get_template(template).render(values, root="../" * path.count("/"))
        for path, (template, values) in pages.all().items()
    }
