"""The command line. Exit codes: 0 done, 1 refused (a run with problems, runs not to be combined, figures that cannot be
drawn), 2 bad input."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from warpbench_plots import __version__
from warpbench_plots.errors import InputError, PlotsError
from warpbench_plots.guards import one_machine
from warpbench_plots.results.checks import changed_spec, missing_trials, problems_of
from warpbench_plots.results.machines import by_machine, parse_machines
from warpbench_plots.results.run import Run, by_experiment, read_run

if TYPE_CHECKING:
    from warpbench_plots.figures.build import SkippedFigure

_EXAMPLES = """examples:
  python -m warpbench_plots validate results/h200/paper/che2019/table-4-techniques
  python -m warpbench_plots figures RUN_DIR… --out figures
  python -m warpbench_plots figures results/h100 --fig yu2023/fig-4.4 --out figures
  python -m warpbench_plots figures --machine h200=RUN_DIR --machine a100=RUN_DIR --out figures
  python -m warpbench_plots claims RUN_DIR… --json claims.json
  python -m warpbench_plots changed results/h200
  python -m warpbench_plots report RUN_DIR… --out report.html
  python -m warpbench_plots site results/h200 --out site
  python -m warpbench_plots explain 'figures/FIGURE.svg#TRIAL'

They are for the root of a checkout.
A RUN_DIR holds results.jsonl, environment.json and spec.yaml; a folder of run directories stands for all of them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; errors that the user can mend are one sentence on stderr."""
    parsed = command_line().parse_args(arguments)
    try:
        specs = getattr(parsed, "specs", None)
        if specs is not None and not specs.is_dir():
            raise InputError(f"--specs {specs}: expected a folder, such as configs")
        return int(parsed.run(parsed))
    except PlotsError as error:
        print(f"warpbench_plots: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # The reader stopped early, as in `… claims RUN | head`; without this the interpreter complains while closing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def command_line() -> argparse.ArgumentParser:
    """The commands and their arguments."""
    parser = argparse.ArgumentParser(
        prog="warpbench_plots",
        description="Figures, claims and the HTML report of Warpbench.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"warpbench_plots {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run, help_text in (
        (
            "validate",
            _validate,
            "check run directories (schema, checksums, records, spec) and count their trials",
        ),
        (
            "figures",
            _figures,
            "draw the figures of the runs' specs as SVG, PNG and JSON",
        ),
        ("claims", _claims, "evaluate the claims of the runs' specs"),
        ("report", _report, "write one self-contained HTML report"),
        ("changed", _changed, "name the runs whose solvers' code has changed since, by the checkout's history"),
    ):
        command = commands.add_parser(name, help=help_text, description=help_text)
        command.add_argument(
            "runs",
            metavar="RUN_DIR",
            nargs="*" if name == "figures" else "+",
            type=Path,
            help="run directory, or a folder of them",
        )
        command.set_defaults(run=run)
        if name == "figures":
            command.add_argument(
                "--out",
                type=Path,
                required=True,
                metavar="DIR",
                help="where the figures go",
            )
            command.add_argument(
                "--fig",
                action="append",
                default=[],
                metavar="NAME",
                help="only this figure, or the figures of an experiment or a document (default: all); may be repeated",
            )
            command.add_argument(
                "--machine",
                action="append",
                default=[],
                metavar="NAME=DIR",
                help="in place of RUN_DIR: the runs of one machine or revision, named so in figures of several; "
                "to be repeated",
            )
        if name == "report":
            command.add_argument(
                "--out",
                type=Path,
                required=True,
                metavar="FILE.html",
                help="the report's file",
            )
        if name in ("figures", "report"):
            _add_specs(command)
        if name == "changed":
            command.add_argument("--at", default="HEAD", metavar="REVISION", help="the present code (default: HEAD)")
        if name == "claims":
            command.add_argument("--json", type=Path, metavar="FILE", help="also write the table as JSON")
    command = commands.add_parser(
        "check",
        help="name the figures of planned trials that cannot be drawn; `warpbench plan` and `run` ask this",
        description="Reads specs and their trials as lines of JSON from standard input.",
    )
    command.set_defaults(run=_check)
    command = commands.add_parser("site", help="render results as static pages: documents, datasets, solvers, records")
    command.add_argument("runs", metavar="RUN_DIR", nargs="+", type=Path, help="run directory, or a folder of them")
    command.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the pages go")
    _add_specs(command)
    command.set_defaults(run=_site)
    command = commands.add_parser("explain", help="the record behind one point of a figure")
    command.add_argument(
        "target",
        metavar="FIG.svg#TRIAL",
        help="a figure and one of its points, quoted for the shell",
    )
    command.set_defaults(run=_explain)
    return parser


def _add_specs(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--specs",
        type=Path,
        metavar="DIR",
        help="draw as the specs of this folder say, such as configs, not as the runs' own do",
    )


def _directories(paths: Sequence[Path]) -> list[Path]:
    """The run directories given, or found below the folders given; each once."""
    found: dict[Path, None] = {}
    for path in paths:
        below = [path] if (path / "results.jsonl").exists() else sorted(p.parent for p in path.rglob("results.jsonl"))
        # What a killed merge leaves is hidden.
        shown = [p for p in below if not any(part.startswith(".") for part in p.relative_to(path).parts)]
        for directory in shown or [path]:
            found[directory] = None
    return list(found)


def _read(
    paths: Sequence[Path], known: Callable[[Run], Sequence[str]] = lambda run: (), specs: Path | None = None
) -> list[Run]:
    """The runs of these directories and of those below them. Warns, but not of what is `known`."""
    runs = [read_run(directory, specs) for directory in _directories(paths)]
    for run in runs:
        told = known(run)
        for warning in run.warnings:
            if warning not in told:
                print(f"warpbench_plots: {warning}", file=sys.stderr)
    return runs


def _validate(parsed: argparse.Namespace) -> int:
    good = True
    for run in _read(parsed.runs, problems_of):
        counts: dict[str, int] = {}
        for record in run.records:
            counts[record.status] = counts.get(record.status, 0) + 1
        statuses = ", ".join(f"{count} {status}" for status, count in counts.items()) or "no finished trial"
        print(f"{run.path}: {run.spec.experiment} on {run.environment.machine}: {len(run.records)} trials ({statuses})")
        for problem in problems_of(run):
            print(f"  problem: {problem}")
            good = False
        for note in filter(None, (changed_spec(run), missing_trials(run))):
            print(f"  note: {note}")
    return 0 if good else 1


def _figures(parsed: argparse.Namespace) -> int:
    # matplotlib takes a second to load: only where needed
    from warpbench_plots.figures.build import write_figures
    from warpbench_plots.figures.choice import choose

    if parsed.machine:
        return _figures_of_machines(parsed)
    if not parsed.runs:
        raise InputError("figures: expected RUN_DIR… or, to compare machines, --machine NAME=DIR for each; found none")
    chosen = choose(_directories(parsed.runs), parsed.fig, parsed.specs)
    runs = _read(chosen.directories, specs=parsed.specs)
    one_machine(runs, "name the machine of each, --machine NAME=DIR, to draw them side by side")
    return _tell(*write_figures(by_experiment(runs), parsed.out, chosen.figures))


def _figures_of_machines(parsed: argparse.Namespace) -> int:
    """Figures in which the named machines stand side by side."""
    from warpbench_plots.figures.build import write_figures
    from warpbench_plots.figures.choice import choose

    if parsed.runs:
        raise InputError(
            f"figures: found {parsed.runs[0]} and --machine: name the machine of each directory, or of none"
        )
    machines = parse_machines(parsed.machine)
    choices = {name: choose(_directories([path]), parsed.fig, parsed.specs) for name, path in machines.items()}
    runs = {name: _read(choice.directories, specs=parsed.specs) for name, choice in choices.items()}
    wanted = next(iter(choices.values())).figures
    return _tell(*write_figures(by_machine(runs), parsed.out, wanted))


def _claims(parsed: argparse.Namespace) -> int:
    from warpbench_plots.claims.evaluate import evaluate_runs
    from warpbench_plots.claims.table import as_json, as_text
    from warpbench_plots.files import write_whole

    results = evaluate_runs(_read(parsed.runs))
    print(as_text(results))
    if parsed.json:
        write_whole(parsed.json, as_json(results))
    return 0


def _changed(parsed: argparse.Namespace) -> int:
    from warpbench_plots.sources.changed import as_text, changed_since
    from warpbench_plots.sources.revision import read_revision

    present = read_revision(Path.cwd(), parsed.at)
    found = [changed_since(run, Path.cwd(), present) for run in _read(parsed.runs)]
    print(as_text(found, parsed.at))
    return 0


def _report(parsed: argparse.Namespace) -> int:
    from warpbench_plots.report.page import write_report

    return _tell(*write_report(_read(parsed.runs, specs=parsed.specs), parsed.out))


def _site(parsed: argparse.Namespace) -> int:
    from warpbench_plots.site.write import write_site

    site = write_site(_directories(parsed.runs), parsed.out, parsed.specs)
    print(site.index)
    for sentence in (*site.notes, *site.left_out):
        print(f"warpbench_plots: {sentence}", file=sys.stderr)
    return 1 if site.left_out else 0


def _tell(written: Sequence[Path], skipped: Sequence["SkippedFigure"]) -> int:
    """Names the files, and the figures that could not be drawn."""
    for path in written:
        print(path)
    for figure in skipped:
        print(f"warpbench_plots: {figure.name} was not drawn: {figure.reason}", file=sys.stderr)
    return 1 if skipped else 0


def _check(parsed: argparse.Namespace) -> int:
    from warpbench_plots.figures.check import faults_of
    from warpbench_plots.figures.planned import read_plans

    for plan in read_plans(sys.stdin):
        for fault in faults_of(plan):
            print(fault)
    return 0


def _explain(parsed: argparse.Namespace) -> int:
    from warpbench_plots.figures.sidecar import explain

    print(explain(parsed.target))
    return 0
