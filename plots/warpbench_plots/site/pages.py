"""What each page of the site says, as the values that its template is given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from warpbench_plots.claims.table import grouped, origin, sentence
from warpbench_plots.claims.verdict import ClaimResult
from warpbench_plots.figures.build import BuiltFigure, Drawn
from warpbench_plots.files import read_yaml
from warpbench_plots.locations import DATA
from warpbench_plots.report.markup import badge
from warpbench_plots.report.sections import tally
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Experiment
from warpbench_plots.site import bearing, content, script, subjects
from warpbench_plots.site.choosers import Choice
from warpbench_plots.site.history import SPREAD, TrialHistory
from warpbench_plots.site.load import Loaded
from warpbench_plots.site.names import document_of, document_order, slugs
from warpbench_plots.site.printed import published_table
from warpbench_plots.site.quoted import beside
from warpbench_plots.site.tables import Table


@dataclass
class Pages:
    """The site's pages and the tables that are written beside them; paths are relative to the site."""

    loaded: Loaded
    drawn: Drawn
    claims: list[ClaimResult]
    history: Sequence[TrialHistory] = ()
    choices: Sequence[Choice] = ()
    notes: Sequence[str] = ()  # what the reader of the index should know
    interactive: bool = False  # whether pages have what figures show, and the scripts that draw it
    tables: dict[str, Table] = field(default_factory=dict)

    def __post_init__(self) -> None:
        records = [record for experiment in self.loaded.experiments for record in experiment.records]
        self._experiments = slugs(experiment.spec.experiment for experiment in self.loaded.experiments)
        documents = {document_of(name) for name in self._experiments} | {
            result.claim.document for result in self.claims
        }
        self._documents = slugs(sorted(documents), taken={"index", "history", "choosers"})
        self._datasets = slugs(record.dataset.name for record in records)
        self._solvers = slugs(record.solver.name for record in records)
        self._anchors = slugs(result.claim.id for result in self.claims)

    def all(self) -> dict[str, tuple[str, Mapping[str, Any]]]:
        """Path → template and its values."""
        pages: dict[str, tuple[str, Mapping[str, Any]]] = {}
        about = read_yaml(DATA / "claims.yaml")["documents"]
        names = [document_of(e.spec.experiment) for e in self.loaded.experiments]
        for name in sorted({*names, *(result.claim.document for result in self.claims)}):
            pages[f"{self._documents[name]}.html"] = ("document.html", self._document(name, about.get(name, {})))
        for experiment in self.loaded.experiments:
            pages[self._records_page(experiment)] = ("records.html", self._records(experiment))
        for dataset, path in self._datasets.items():
            values = self._subject(dataset, f"datasets/{path}", _dataset, subjects.about_dataset)
            pages[f"datasets/{path}.html"] = ("subject.html", values)
        for solver, path in self._solvers.items():
            values = self._subject(solver, f"solvers/{path}", _solver, subjects.about_solver)
            pages[f"solvers/{path}.html"] = ("subject.html", values)
        if self.history:
            pages["history.html"] = ("subject.html", self._history())
        if self.choices:
            pages["choosers.html"] = ("subject.html", self._choosers())
        pages["index.html"] = ("index.html", self._index(pages))
        return pages

    def _records_page(self, experiment: Experiment) -> str:
        return f"records/{self._experiments[experiment.spec.experiment]}.html"

    def _link(self, experiment: Experiment) -> dict[str, str]:
        name = experiment.spec.experiment
        return {"anchor": f"experiment-{self._experiments[name]}", "short": name.partition("/")[2] or name}

    def _place(self, experiment: Experiment) -> str:
        """Where its document's page has it."""
        page = self._documents[document_of(experiment.spec.experiment)]
        return f"{page}.html#{self._link(experiment)['anchor']}"

    def _keep(self, path: str, table: Table) -> str:
        self.tables[path] = table
        return path

    def _document(self, name: str, about: Mapping[str, str]) -> dict[str, Any]:
        own = [e for e in self.loaded.experiments if document_of(e.spec.experiment) == name]
        own.sort(key=lambda e: document_order(e.spec.experiment))
        results: dict[str, list[ClaimResult]] = {}
        for result in self.claims:
            if result.claim.document == name:
                results.setdefault(result.claim.id, []).append(result)
        measured = {key: bearing.experiments_of(found[0], own) for key, found in results.items()}
        drawn = [f for f in self.drawn.figures if document_of(f.experiment.spec.experiment) == name]
        shown = bearing.figures_of(results, measured, drawn)
        experiments = [self._experiment(e, results, measured, shown) for e in own]
        has_shown = any(figure["shown"] for e in experiments for figure in e["figures"])
        return {
            "title": f"{name}: {about['title']}" if about else name,
            "about": f"{about['author']}, {about['kind']}" if about else "",
            "scripts": script.NAME if has_shown else "",
            "experiments": experiments,
            "claims": [self._claim(found, self._places(shown[key], measured[key])) for key, found in results.items()],
        }

    def _experiment(
        self,
        experiment: Experiment,
        results: Mapping[str, list[ClaimResult]],
        measured: Mapping[str, list[Experiment]],
        shown: Mapping[str, list[BuiltFigure]],
    ) -> dict[str, Any]:
        name = experiment.spec.experiment
        published = published_table(name)
        figures = [f for f in self.drawn.figures if f.experiment.spec.experiment == name]
        on_figure = {
            f.name: [self._bearing(results[key][0]) for key, members in shown.items() if f in members] for f in figures
        }
        spec_names = {one.name: one for one in self.drawn.skipped if one.experiment == name}
        return self._link(experiment) | {
            "title": experiment.spec.title,
            "records": self._records_page(experiment),
            "claims": [self._bearing(results[key][0]) for key, members in measured.items() if experiment in members],
            "skipped": [(one.name, str(one.reason)) for one in spec_names.values()],
            "figures": [self._figure(f, on_figure[f.name], f is figures[0]) for f in figures],
            "quoted": content.published_figures(name),
            "published": published
            and {
                "caption": published.caption,
                "table": published.table,
                "notes": published.notes,
                "files": self._keep(f"tables/{self._experiments[name]}-published", published.table),
            },
        }

    def _bearing(self, result: ClaimResult) -> dict[str, Any]:
        """A claim beside what it bears on."""
        return {"id": result.claim.id, "anchor": f"claim-{self._anchors[result.claim.id]}", "badge": _badge(result)}

    def _places(self, figures: list[BuiltFigure], experiments: list[Experiment]) -> list[dict[str, str]]:
        """Where a claim leads: to its figures, and to those of its experiments that have none of them."""
        told = {figure.experiment.spec.experiment for figure in figures}
        links = [self._link(e) for e in experiments if e.spec.experiment not in told]
        return [{"anchor": f.name, "name": f.name} for f in figures] + [
            {"anchor": link["anchor"], "name": link["short"]} for link in links
        ]

    def _figure(self, figure: BuiltFigure, claims: list[dict[str, Any]], is_first: bool) -> dict[str, Any]:
        """`is_first`: whether it is the one that repeats the document's, so that its published numbers belong there."""
        files = f"figures/{figure.name}"
        data = content.figure_data(figure)
        self._keep(files, data)
        notes = [note for note in figure.data.notes if note]
        title = figure.data.spec.title
        return {
            "name": figure.name,
            "title": title,
            "files": files,
            "data": data,
            "matrices": self._matrices(files, content.figure_matrices(figure)),
            "notes": notes,
            "claims": claims,
            "beside": self._beside(figure) if is_first else None,
            "shown": content.shown_json(figure) if self.interactive else None,
        }

    def _beside(self, figure: BuiltFigure) -> dict[str, Any] | None:
        """The numbers that the document's text gives of the figure, with ours."""
        name, page = figure.experiment.spec.experiment, self._records_page(figure.experiment)
        entries = [entry for _, found in content.quoted_figures(name) for entry in found]
        table = beside(figure, entries, page)
        if table is None:
            return None
        caption = "Numbers that the document gives of this figure, and ours at the same place"
        if figure.data.spec.kind == "pareto":
            caption += " or, where none is there, of the best trial beyond it"
        return {
            "caption": caption,
            "table": table,
            "files": self._keep(f"tables/{self._experiments[name]}-quoted", table),
        }

    def _matrices(self, files: str, tables: Mapping[str, Table]) -> list[dict[str, Any]]:
        """The tables of a figure's panels, each with files of its own."""
        paths = {panel: f"-{name}" if len(tables) > 1 else "" for panel, name in slugs(tables).items()}
        return [
            {"panel": panel, "table": table, "files": self._keep(f"{files}-table{paths[panel]}", table)}
            for panel, table in tables.items()
        ]

    def _claim(self, results: list[ClaimResult], places: list[dict[str, str]]) -> dict[str, Any]:
        claim = results[0].claim
        return {
            "id": claim.id,
            "anchor": f"claim-{self._anchors[claim.id]}",
            "statement": claim.statement,
            "where": claim.where,
            "places": places,
            "results": [
                {
                    "badge": _badge(result),
                    "reason": result.reason,
                    "origin": origin(result),
                    "parts": [
                        {"text": sentence(check, group), "trials": self._trials(check.measured)}
                        for check, group in grouped(result.checks)
                    ],
                }
                for result in results
            ],
        }

    def _trials(self, measured: Any) -> list[dict[str, str]]:
        found = {(r.experiment, r.trial) for r in (measured.records if measured else ())}
        return [
            {"trial": trial, "href": f"records/{self._experiments[experiment]}.html#{trial}"}
            for experiment, trial in sorted(found)
        ]

    def _records(self, experiment: Experiment) -> dict[str, Any]:
        name, first = experiment.spec.experiment, experiment.records[0]
        shown = content.records(experiment)
        return {
            "title": f"Records of {name}",
            "about": f"{experiment.spec.problem}, machine {first.machine}, revision {first.revision}",
            "experiment": name,
            "document": self._place(experiment),
            "datasets": [(n, f"datasets/{self._datasets[n]}.html") for n in _unique(experiment, _dataset)],
            "solvers": [(n, f"solvers/{self._solvers[n]}.html") for n in _unique(experiment, _solver)],
            "shown": shown,
            "back": self._back(experiment),
            "files": self._keep(self._records_page(experiment).removesuffix(".html"), shown),
        }

    def _back(self, experiment: Experiment) -> dict[str, list[tuple[str, str]]]:
        """Trial → name and place of the figures that show it and of the claims that were measured by it."""
        name = experiment.spec.experiment
        found: dict[str, dict[tuple[str, str], None]] = {}
        for figure in self.drawn.figures:
            if figure.experiment.spec.experiment == name:
                place = f"{self._documents[document_of(name)]}.html#{figure.name}"
                for point in figure.data.points:
                    if point.record:
                        found.setdefault(point.record.trial, {})[figure.name, place] = None
        for result in self.claims:
            claim = result.claim
            place = f"{self._documents[claim.document]}.html#claim-{self._anchors[claim.id]}"
            for check in result.checks:
                for record in check.measured.records if check.measured else ():
                    if record.experiment == name:
                        found.setdefault(record.trial, {})[claim.id, place] = None
        return {trial: list(places) for trial, places in found.items()}

    def _subject(
        self,
        name: str,
        path: str,
        key: Callable[[Record], str],
        about: Callable[[list[Record]], tuple[list[str], str, Table]],
    ) -> dict[str, Any]:
        """The page of a dataset or a solver: its properties or parameters, and all of its trials."""
        own = {
            e.spec.experiment: (e, records)
            for e in self.loaded.experiments
            if (records := [record for record in e.records if key(record) == name])
        }
        records = [record for _, found in own.values() for record in found]
        lines, heading, shown = about(records)
        trials = subjects.trials(
            records,
            experiment=lambda r: self._place(own[r.experiment][0]),
            dataset=lambda r: f"datasets/{self._datasets[r.dataset.name]}.html",
            solver=lambda r: f"solvers/{self._solvers[r.solver.name]}.html",
            row=lambda r: f"{self._records_page(own[r.experiment][0])}#{r.trial}",
        )
        return {
            "title": name,
            "about": lines,
            "figure": None,
            "experiments": [(n, self._records_page(e)) for n, (e, _) in own.items()],
            "tables": [
                (heading, shown, self._keep(f"{path}-about", shown)),
                ("Trials", trials, self._keep(path, trials)),
            ],
        }

    def _history(self) -> dict[str, Any]:
        table = content.history(self.history)
        slower = sum(one.mark == "slower" for one in self.history)
        return {
            "title": "Times over revisions",
            "about": [
                f"{len(self.history)} trials have times of two revisions or more; {slower} became slower: the last "
                f"time is more than {1 + SPREAD:.1f} times the one before, more than two runs of one program differ by."
            ],
            "figure": None,
            "experiments": [],
            "tables": [("Trials, the most slowed first", table, self._keep("history", table))],
        }

    def _choosers(self) -> dict[str, Any]:
        table = content.choices(self.choices, lambda r: f"records/{self._experiments[r.experiment]}.html#{r.trial}")
        near = sum(one.regret <= 1.1 for one in self.choices)
        timed = sum(one.is_timed for one in self.choices)
        return {
            "title": "What choosers lose",
            "about": [
                "A chooser picks solver and parameters for the data. Beside it is the fastest configuration of the "
                "same experiment, machine, revision, data and task; of searches, the fastest that reaches the recall "
                f"that is wanted. The choice is in the time of {timed} records; the others prepare with it.",
                f"{near} of {len(self.choices)} choices lose a tenth or less.",
            ],
            "figure": {"files": "figures/choosers", "text": "time of each chooser over that of the fastest"},
            "experiments": [],
            "tables": [("Choices, by problem, the largest loss first", table, self._keep("choosers", table))],
        }

    def _index(self, pages: Mapping[str, tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
        documents = [(path, values) for path, (kind, values) in pages.items() if kind == "document.html"]
        entries: dict[str, list[dict[str, str]]] = {"Documents": [], "Figures and tables": [], "Claims": []}
        for path, values in documents:
            entries["Documents"].append({"href": path, "name": values["title"], "text": values["about"]})
            for e in values["experiments"]:
                name = f"{path.removesuffix('.html')}/{e['short']}"
                entries["Figures and tables"].append(
                    {"href": f"{path}#{e['anchor']}", "name": name, "text": e["title"]}
                )
            for c in values["claims"]:
                verdicts = ", ".join(r.words for r in self.claims if r.claim.id == c["id"])
                text = f"{verdicts}: {c['statement']}"
                entries["Claims"].append({"href": f"{path}#{c['anchor']}", "name": c["id"], "text": text})
        for heading, folder, names in (
            ("Datasets", "datasets", self._datasets),
            ("Solvers", "solvers", self._solvers),
        ):
            entries[heading] = [{"href": f"{folder}/{p}.html", "name": n, "text": ""} for n, p in sorted(names.items())]
        if self.history:
            entries["History"] = [
                {"href": "history.html", "name": "Times over revisions", "text": "what became slower"}
            ]
        if self.choices:
            entries["Choosers"] = [
                {"href": "choosers.html", "name": "What choosers lose", "text": "their time over that of the fastest"}
            ]
        return {
            "title": "Warpbench results",
            "tally": tally(self.loaded.experiments, self.claims),
            "notes": self.notes,
            "left_out": [(str(path), str(reason)) for path, reason in self.loaded.left_out],
            "groups": [(name, found) for name, found in entries.items() if found],
        }


def _badge(result: ClaimResult) -> Any:
    return badge(result.verdict, result.words)


def _dataset(record: Record) -> str:
    return record.dataset.name


def _solver(record: Record) -> str:
    return record.solver.name


def _unique(experiment: Experiment, key: Callable[[Record], str]) -> list[str]:
    return sorted({key(record) for record in experiment.records})
