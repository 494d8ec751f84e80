"""What each page of the site says, as the values that its template is given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from warpbench_plots.claims.evaluations import evaluations
from warpbench_plots.claims.table import grouped, origin, sentence
from warpbench_plots.claims.verdict import ClaimResult
from warpbench_plots.figures.build import Drawn
from warpbench_plots.files import read_yaml
from warpbench_plots.locations import DATA
from warpbench_plots.report.markup import badge
from warpbench_plots.report.sections import tally
from warpbench_plots.results.history import SPREAD, TrialHistory
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Experiment
from warpbench_plots.site import content, script
from warpbench_plots.site.catalogue import described
from warpbench_plots.site.load import Loaded
from warpbench_plots.site.names import document_of, document_order, slugs
from warpbench_plots.site.tables import Table, without_empty


@dataclass
class Pages:
    """The site's pages and the tables that are written beside them; paths are relative to the site."""

    loaded: Loaded
    drawn: Drawn
    claims: list[ClaimResult]
    history: Sequence[TrialHistory] = ()
    interactive: bool = False  # whether pages have what figures show, and the scripts that draw it
    tables: dict[str, Table] = field(default_factory=dict)

    def __post_init__(self) -> None:
        records = [record for experiment in self.loaded.experiments for record in experiment.records]
        self._experiments = slugs(experiment.spec.experiment for experiment in self.loaded.experiments)
        documents = {document_of(name) for name in self._experiments} | {
            result.claim.document for result in self.claims
        }
        self._documents = slugs(sorted(documents), taken={"index", "history"})
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
            values = self._subject(dataset, f"datasets/{path}", lambda r: r.dataset.name, _about_dataset)
            pages[f"datasets/{path}.html"] = ("subject.html", values)
        for solver, path in self._solvers.items():
            values = self._subject(solver, f"solvers/{path}", lambda r: r.solver.name, _about_solver)
            pages[f"solvers/{path}.html"] = ("subject.html", values)
        if self.history:
            pages["history.html"] = ("subject.html", self._history())
        pages["index.html"] = ("index.html", self._index(pages))
        return pages

    def _records_page(self, experiment: Experiment) -> str:
        return f"records/{self._experiments[experiment.spec.experiment]}.html"

    def _link(self, experiment: Experiment) -> dict[str, str]:
        name = experiment.spec.experiment
        return {"anchor": f"experiment-{self._experiments[name]}", "short": name.partition("/")[2] or name}

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
        bearing = {key: _experiments_of(found[0], own) for key, found in results.items()}
        experiments = [self._experiment(e, results, bearing) for e in own]
        has_shown = any(figure["shown"] for e in experiments for figure in e["figures"])
        return {
            "title": f"{name}: {about['title']}" if about else name,
            "about": f"{about['author']}, {about['kind']}" if about else "",
            "scripts": script.NAME if has_shown else "",
            "experiments": experiments,
            "claims": [self._claim(found, bearing[key]) for key, found in results.items()],
        }

    def _experiment(
        self,
        experiment: Experiment,
        results: Mapping[str, list[ClaimResult]],
        bearing: Mapping[str, list[Experiment]],
    ) -> dict[str, Any]:
        name = experiment.spec.experiment
        published = content.published_table(name)
        spec_names = {one.name: one for one in self.drawn.skipped if one.experiment == name}
        return self._link(experiment) | {
            "title": experiment.spec.title,
            "records": self._records_page(experiment),
            "claims": [
                {"id": key, "anchor": f"claim-{self._anchors[key]}", "badge": _badge(results[key][0])}
                for key, members in bearing.items()
                if experiment in members
            ],
            "skipped": [(one.name, str(one.reason)) for one in spec_names.values()],
            "figures": [self._figure(f) for f in self.drawn.figures if f.experiment.spec.experiment == name],
            "quoted": content.published_figures(name),
            "published": published
            and {
                "caption": published[0],
                "table": published[1],
                "files": self._keep(f"tables/{self._experiments[name]}-published", published[1]),
            },
        }

    def _figure(self, figure: Any) -> dict[str, Any]:
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
            "shown": content.shown_json(figure) if self.interactive else None,
        }

    def _matrices(self, files: str, tables: Mapping[str, Table]) -> list[dict[str, Any]]:
        """The tables of a figure's panels, each with files of its own."""
        paths = {panel: f"-{name}" if len(tables) > 1 else "" for panel, name in slugs(tables).items()}
        return [
            {"panel": panel, "table": table, "files": self._keep(f"{files}-table{paths[panel]}", table)}
            for panel, table in tables.items()
        ]

    def _claim(self, results: list[ClaimResult], experiments: list[Experiment]) -> dict[str, Any]:
        claim = results[0].claim
        return {
            "id": claim.id,
            "anchor": f"claim-{self._anchors[claim.id]}",
            "statement": claim.statement,
            "where": claim.where,
            "experiments": [self._link(experiment) for experiment in experiments],
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
            "document": f"{self._documents[document_of(name)]}.html#{self._link(experiment)['anchor']}",
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
        trials = _trials(records)
        return {
            "title": name,
            "about": lines,
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
            "experiments": [],
            "tables": [("Trials, the most slowed first", table, self._keep("history", table))],
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
        return {
            "title": "Warpbench results",
            "tally": tally(self.loaded.experiments, self.claims),
            "left_out": [(str(path), str(reason)) for path, reason in self.loaded.left_out],
            "groups": [(name, found) for name, found in entries.items() if found],
        }


def _badge(result: ClaimResult) -> Any:
    return badge(result.verdict, result.words)


def _experiments_of(result: ClaimResult, experiments: list[Experiment]) -> list[Experiment]:
    """The experiments that are measured for a claim; those of this document that were run."""
    book = evaluations(result.claim.document)
    evaluation = book.claims.get(result.claim.id) if book else None
    names = evaluation.experiments if evaluation else ()
    return [e for e in experiments if e.spec.experiment in names]


def _dataset(record: Record) -> str:
    return record.dataset.name


def _solver(record: Record) -> str:
    return record.solver.name


def _unique(experiment: Experiment, key: Callable[[Record], str]) -> list[str]:
    return sorted({key(record) for record in experiment.records})


def _trials(records: list[Record]) -> Table:
    head = ("experiment", "dataset", "solver", "parameters", "time (s)", "status", "machine", "revision")
    rows = [
        (
            r.experiment,
            r.dataset.name,
            r.solver.name,
            content.parameters(r),
            r.time.median_s if r.timed and r.time else None,
            r.status,
            r.machine,
            r.revision[:12],
        )
        for r in records
    ]
    return without_empty(head, rows)


def _about_dataset(records: list[Record]) -> tuple[list[str], str, Table]:
    kind = "A stand-in for a document's dataset." if records[0].dataset.stand_in else ""
    digests = ", ".join(sorted({r.dataset.digest for r in records if r.dataset.digest}))
    properties = {key: value for r in records for key, value in r.dataset.properties.items()}
    lines = [line for line in (kind, f"Digest {digests}" if digests else "") if line]
    return lines, "Properties", Table(("property", "value"), tuple(properties.items()))


def _about_solver(records: list[Record]) -> tuple[list[str], str, Table]:
    first, seen = records[0], dict[str, dict[str, None]]()
    for record in records:
        for key, value in record.solver.parameters.items():
            seen.setdefault(key, {})[str(value)] = None
    problems = sorted({r.problem for r in records})
    machines = ", ".join(sorted({r.machine for r in records}))
    known = [one for problem in problems if (one := described(problem, first.solver.name))]
    lines = [
        *dict.fromkeys(f"{one.title}. Source: {one.source}." for one in known),
        f"{', '.join(problems)}; runs on a {first.solver.device}; role: {first.solver.role}",
        f"Ran on {machines}: {sum(r.status == 'ok' for r in records)} of {len(records)} trials ok.",
    ]
    meanings = {key: value for one in known for key, value in one.parameters.items()}
    rows = [(key, ", ".join(values), *meanings.get(key, ("", "", ""))) for key, values in seen.items()]
    head = ("parameter", "values that were run", "default", "unit", "meaning")
    return lines, "Parameters", without_empty(head, rows)
