"""`plan` names before anything is measured: figures that cannot be drawn, what archives lack, trials that cannot
succeed. `run` refuses such figures."""

import io
import json
import os
import re
import shutil
import tarfile
import time
import unittest
from pathlib import Path

from program import ROOT, SMALL, SMALL_TRIALS, EndToEnd, records

GRAPH = "0 1\n0 2\n1 2\n2 3\n"
DATA_GRAPH = "t 3 3\nv 0 0 2\nv 1 0 2\nv 2 1 2\ne 0 1\ne 1 2\ne 0 2\n"
QUERY = "t 2 1\nv 0 0 1\nv 1 1 1\ne 0 1\n"
TWO_ON_ONE_PLACE = SMALL.replace("{kind: bars}", "{kind: bars, series: solver, where: {solver: [merge, mps]}}")


def readme_spec():
    """The first spec of configs/README.md, as it stands."""
    return re.search(r"```yaml\n(experiment:.*?)```", (ROOT / "configs/README.md").read_text(encoding="utf-8"), re.S)[1]


class Figures(EndToEnd):
    def setUp(self):
        super().setUp()
        if not (ROOT / ".venv" / "bin" / "python").exists():
            self.skipTest("needs the plots' Python: make setup")

    def figure_faults(self, text, *arguments):
        done = self.warpbench("plan", self.spec(text), *arguments, expect=None)
        return re.findall(r"(?m)^\S+: figure: (.*)", done.stdout)

    def test_the_first_spec_of_the_documents_is_planned_run_and_reported(self):
        data = self.folder / "data"
        (data / "my").mkdir(parents=True)
        (data / "my" / "graph.txt").write_text(GRAPH, encoding="utf-8")
        self.assertEqual(self.figure_faults(readme_spec(), "--data", data), [])
        # Without the graph that must be fetched, and with little to do.
        small = "datasets=[{name: livejournal-like, scale: 0.0001}, {file: my/graph.txt, format: snap}]"
        out, said = self.folder / "run", ("--set", small, "--set", "protocol.repetitions=6", "--data", data)
        self.run_trials(self.spec(readme_spec()), out, *said)
        self.assertEqual(len(records(out)), 10)
        page = self.folder / "report.html"
        self.warpbench("report", out, "--out", page)
        figures = {path.name for path in self.folder.rglob("*.svg")}
        self.assertEqual(figures, {"demo-merge-against-bitmaps.svg"})

    def test_trials_that_would_fall_on_one_place_are_planned_as_a_fault(self):
        (fault,) = self.figure_faults(TWO_ON_ONE_PLACE)
        self.assertIn("fall on one place (livejournal-like(scale=0.0001), merge), and differ in threads (1, 2)", fault)

    def test_figures_that_cannot_be_drawn_are_not_measured(self):
        for figure in ("{kind: bars, x: foo}", "{kind: boxes}", "{kind: bars, y: foo_per_second}"):
            with self.subTest(figure):
                spec, out = self.spec(SMALL.replace("{kind: bars}", figure)), self.folder / "out"
                done = self.warpbench("run", spec, "--out", out, "--no-ceilings", expect=2)
                self.assertRegex(done.stderr, r"(?m)^test/small: figure: .*(foo|five fields)")
                self.assertIn("--no-figures", done.stderr.splitlines()[-1])
                self.assertFalse(out.exists(), "a refused request left a run directory")

    def test_a_run_without_figures_is_measured(self):
        spec, out = self.spec(SMALL.replace("{kind: bars}", "{kind: bars, x: foo}")), self.folder / "out"
        self.run_trials(spec, out, "--no-figures")
        self.assertEqual(len(records(out)), SMALL_TRIALS)

    def test_a_share_of_the_trials_is_checked_as_the_whole(self):
        figure = "{kind: bars, where: {solver: [merge, mps]}, groups: {A: {solver: merge}, B: {solver: mps}}}"
        spec = self.spec(SMALL.replace("{kind: bars}", figure))
        for share in ("1/4", "4/4"):
            self.run_trials(spec, self.folder / share[0], "--shard", share)

    def test_without_the_plots_python_nothing_is_refused(self):
        home = self.folder / "home"
        (home / "datasets").mkdir(parents=True)
        shutil.copytree(ROOT / "datasets" / "registry", home / "datasets" / "registry")
        spec, out = self.spec(SMALL.replace("{kind: bars}", "{kind: bars, x: foo}")), self.folder / "out"
        elsewhere = {"WARPBENCH_HOME": str(home)}
        self.run_trials(spec, out, environment=elsewhere)
        self.assertEqual(len(records(out)), SMALL_TRIALS)
        self.assertIn("figures: not checked", self.warpbench("plan", spec, environment=elsewhere).stdout)

    def test_specs_without_figures_are_not_checked(self):
        home, started = self.folder / "home", self.folder / "started"
        shutil.copytree(ROOT / "datasets" / "registry", home / "datasets" / "registry")
        python = home / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(f"#!/bin/sh\ntouch {started}\n", encoding="utf-8")
        python.chmod(0o755)
        text = SMALL.replace("figure: {kind: bars}\n", "")
        for figure, checked in (("", False), ("figure: {kind: bars}\n", True)):
            with self.subTest(figure):
                done = self.warpbench("plan", self.spec(text + figure), environment={"WARPBENCH_HOME": str(home)})
                self.assertNotIn("figures: not checked", done.stdout)
                self.assertEqual(started.exists(), checked)

    def test_the_check_is_quick(self):
        def seconds(*options):
            begun = time.monotonic()
            self.warpbench("run", spec, "--dry-run", *options)
            return time.monotonic() - begun

        spec = self.spec(SMALL)
        # A third of a second on a quiet machine.
        self.assertLess(seconds() - seconds("--no-figures"), 5)


class Archives(EndToEnd):
    """Query graphs in an archive, looked up by name."""

    def setUp(self):
        super().setUp()
        (self.folder / "data.graph").write_text(DATA_GRAPH, encoding="utf-8")
        for name in ("queries.tar", "queries.tar.gz"):
            with tarfile.open(
                self.folder / name, "w:gz" if name.endswith("gz") else "w", format=tarfile.USTAR_FORMAT
            ) as tar:
                for member in ("q/dense_1.graph", "q/dense_2.graph", "q/README"):
                    info = tarfile.TarInfo(member)
                    info.size = len(QUERY)
                    tar.addfile(info, io.BytesIO(QUERY.encode()))

    def missing(self, queries):
        text = "experiment: test/archive\nproblem: subgraph_matching\nsolvers: [vf2]\ndatasets:\n"
        text += f"  - {{file: data.graph, format: graph, queries: {{format: graph, {queries}}}}}\n"
        done = self.warpbench("plan", self.spec(text), "--data", self.folder, expect=None)
        found = re.findall(r"(?m)^missing: (.*)", done.stdout)
        self.assertEqual(done.returncode, 1 if found else 0, done.stdout + done.stderr)
        return found

    def test_what_an_archive_has_is_not_missing(self):
        for name in ("queries.tar", "queries.tar.gz"):
            for asked in ("", ", match: dense_", ", first: 2", ", member: q/dense_2.graph"):
                with self.subTest(name + asked):
                    self.assertEqual(self.missing(f"file: {name}{asked}"), [])

    def test_what_an_archive_lacks_is_named(self):
        for name in ("queries.tar", "queries.tar.gz"):
            for asked, said in (
                ("match: sparse_", 'whose names begin with "sparse_" and end in .graph or .igraph, found 3 others'),
                ("first: 3", "expected at least 3 queries, found 2"),
                ("match: dense_2, first: 2", "expected at least 2 queries, found 1"),
                (
                    "member: q/dense_7.graph",
                    'expected a tar member "q/dense_7.graph", found 3 others (did you mean "q/d',
                ),
            ):
                with self.subTest(f"{name}, {asked}"):
                    (sentence,) = self.missing(f"file: {name}, {asked}")
                    self.assertIn(f"{name}: ", sentence)
                    self.assertIn(said, sentence)

    def test_a_damaged_archive_is_named(self):
        with tarfile.open(self.folder / "whole.tar.gz", "w:gz", format=tarfile.USTAR_FORMAT) as tar:
            info = tarfile.TarInfo("q_1.graph")
            info.size = 1 << 16
            tar.addfile(info, io.BytesIO(os.urandom(info.size)))
        whole = (self.folder / "whole.tar.gz").read_bytes()
        (self.folder / "cut.tar.gz").write_bytes(whole[: len(whole) // 2])
        (sentence,) = self.missing("file: cut.tar.gz")
        self.assertIn("expected a whole archive", sentence)


class Foreseen(EndToEnd):
    """Trials that cannot succeed, whatever the data are."""

    def refused(self, problem, solver, datasets, **more):
        for name, text in (("data.fvecs", ""), ("ratings.txt", "0 0 1\n")):
            (self.folder / name).write_text(text, encoding="utf-8")
        extra = "".join(f"{key}: {value}\n" for key, value in more.items())
        text = f"experiment: test/known\nproblem: {problem}\nsolvers: [{solver}]\ndatasets: [{datasets}]\n{extra}"
        done = self.warpbench("plan", self.spec(text), "--data", self.folder, expect=None)
        return done.stderr if done.returncode == 2 else done.stdout

    def test_vectors_without_queries(self):
        said = "vectors with queries, found points only (name a file of them as `queries`"
        made = "{generator: uniform_vectors, points: 100, dimension: 8, name: x%s}"
        for dataset in ("{file: data.fvecs, format: fvecs}", made % ", queries: 0"):
            with self.subTest(dataset):
                self.assertIn(said, self.refused("nearest_neighbors", "exact", dataset))
        for dataset in (made % "", made % ", queries: 0, transforms: [hold_out: {queries: 3}]"):
            with self.subTest(dataset):
                self.assertIn("1 trials", self.refused("nearest_neighbors", "exact", dataset))

    def test_ratings_without_a_test_part(self):
        file = "{file: ratings.txt, format: libmf%s}"
        said = "at least one test rating, found none (name a file of them as `test`"
        self.assertIn(said, self.refused("matrix_factorization", "fpsgd", file % ""))
        for more in (
            ", transforms: [hold_out_ratings: {test_share: 0.5}]",
            ", test: {file: ratings.txt, format: libmf}",
        ):
            with self.subTest(more):
                self.assertIn("1 trials", self.refused("matrix_factorization", "fpsgd", file % more))

    def test_one_pair_of_many_sets(self):
        sets = "{generator: set_collection, sets: 60, universe: 100, mean_size: 5, name: x%s}"
        said = "two sets, for mode: single, found 60 (take two of them"
        one = {"task": "{mode: single}"}
        self.assertIn(said, self.refused("set_intersection", "static-index", sets % "", **one))
        self.assertIn("1 trials", self.refused("set_intersection", "static-index", sets % ", first: 2", **one))
        both = self.refused("set_intersection", "static-index", sets % "", task="{mode: [single, multi]}")
        self.assertIn("1 trials", both)
        self.assertIn("1 combinations left out, the first because of dataset 'x': expected two sets", both)

    def test_a_program_of_ones_own_that_no_variable_names(self):
        text = SMALL.replace("  - bmp-gpu: {warps_per_block: [1, 2, 4]}\n", "  - external: {program: [mine, other]}\n")
        program = {"WARPBENCH_EXTERNAL_MINE": str(Path("/bin/true"))}
        shown = self.warpbench("plan", self.spec(text), environment=program).stdout
        self.assertRegex(shown, r"(?m)^external +1$")
        lacks = "external: {program: other} has no command here: export WARPBENCH_EXTERNAL_OTHER="
        self.assertRegex(shown, rf"(?m)^external \(unsupported: {re.escape(lacks)}.*\) +1$")
        shown = self.warpbench("plan", self.spec(text)).stdout
        self.assertRegex(shown, rf"(?m)^external \(unsupported: {re.escape(lacks)}.*\) +1$")


class Directories(EndToEnd):
    """Where `run` refuses --out, `plan` does, in its words."""

    def refused(self, out, *requests, said):
        sentences = []
        for command in (("plan",), ("run", "--no-ceilings")):
            done = self.warpbench(*command, *requests, "--out", out, expect=2)
            self.assertEqual(done.stdout, "")
            sentences.append(done.stderr.splitlines()[-1])
        self.assertEqual(sentences[0], sentences[1])
        self.assertIn(said, sentences[0])

    def test_that_run_refuses_are_refused(self):
        spec = self.spec(SMALL)
        other = self.spec(SMALL.replace("test/small", "test/other"), "other.yaml")
        larger = self.spec(SMALL.replace("threads: [1, 2]", "threads: [1, 2, 3]"), "larger.yaml")
        suite = self.folder / "suite"
        run = suite / "test" / "small"
        self.run_trials(spec, run)
        (self.folder / "file").write_text("")
        kept = {name: (run / name).read_text() for name in ("environment.json", "results.jsonl", "spec.yaml")}

        self.refused(run, other, said="holds results of the experiment 'test/small', but ")
        self.refused(run, spec, other, said="is the run directory of one experiment, but 2 are asked for")
        self.refused(suite, other, said=f"give test/other a folder of its own, such as --out {suite}/test/other")
        self.refused("file/x/y", spec, said="mkdir")

        elsewhere = json.loads(kept["environment.json"]) | {"machine": "elsewhere"}
        (run / "environment.json").write_text(json.dumps(elsewhere))
        self.refused(run, larger, said="was begun on elsewhere (")
        self.assertIn("nothing is left", self.warpbench("plan", spec, "--out", run).stdout)  # nor does `run` refuse it
        (run / "environment.json").write_text(kept["environment.json"])

        (run / "results.jsonl").write_text(kept["results.jsonl"].replace('"backend":"', '"backend":"x', 1))
        self.refused(run, spec, said="results.jsonl:1: own_crc32 is ")
        self.refused(suite, spec, self.spec(SMALL.replace("test/small", "more"), "more.yaml"), said="own_crc32 is ")
        (run / "results.jsonl").write_text(kept["results.jsonl"])
        (run / "spec.yaml").unlink()
        self.refused(run, spec, said="holds results without their spec.yaml")
        (run / "spec.yaml").write_text(kept["spec.yaml"])
        self.assertIn("10 of 10 trials are done", self.warpbench("plan", spec, "--out", run).stdout)

    def test_nothing_is_written(self):
        spec, out = self.spec(SMALL), self.folder / "out"
        self.warpbench("plan", spec, "--out", out)
        self.assertFalse(out.exists())
        self.run_trials(spec, out)
        with (out / "results.jsonl").open("a") as file:
            file.write('{"half":')
        before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
        self.warpbench("plan", self.spec(SMALL.replace("A few", "Some")), "--out", out)
        self.assertEqual({path: path.read_bytes() for path in out.rglob("*") if path.is_file()}, before)


if __name__ == "__main__":
    unittest.main()
