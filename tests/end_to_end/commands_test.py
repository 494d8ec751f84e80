"""Basic use of the commands that measure nothing, and the specs of configs/."""

import json
import re
import unittest

from program import ROOT, SMALL, SMALL_TRIALS, EndToEnd, records

# Solver id → parameters that must exist under these names.
SOLVERS = {
    "merge": {"threads"},
    "mps": {"threads", "skew_threshold", "simd"},
    "bmp": {"threads", "range_filter"},
    "mps-gpu": {"skew_threshold", "warps_per_block", "co_processing", "passes"},
    "bmp-gpu": {"range_filter", "warps_per_block", "co_processing", "passes"},
}


class Commands(EndToEnd):
    def test_list_names_the_tasks_as_their_document_does(self):
        text = (
            "# Tasks\n\nThe parameters of each problem: keys of a spec's `task`, or of a dataset's own. "
            "`warpbench list tasks` prints the same.\n"
        )
        problem = None
        for task in json.loads(self.warpbench("list", "tasks", "--json").stdout):
            if task["problem"] != problem:
                problem = task["problem"]
                text += f"\n## {problem}\n\n| parameter | default | value | meaning |\n| --- | --- | --- | --- |\n"
            text += f"| `{task['parameter']}` | `{task['default']}` | {task['value']} | {task['meaning']} |\n"
        self.maxDiff = None
        self.assertEqual((ROOT / "docs/tasks.md").read_text(encoding="utf-8"), text, "docs/tasks.md is to be")
        one = self.warpbench("list", "tasks", "--problem", "nearest_neighbors").stdout
        self.assertIn("neighbours of each query", one)
        self.assertNotIn("theta", one)
        self.assertIn("theta_jion", self.warpbench("list", "tasks", "--problem", "theta_jion", expect=2).stderr)

    def test_the_site_knows_what_is_listed_of_solvers(self):
        def parameter(one):
            words = {value: name for name, value in one["aliases"].items()}
            default = one["default"] if isinstance(one["default"], str) else json.dumps(one["default"])
            known = {"name": one["name"], "default": words.get(one["default"], default)}
            shown = {f"{v:.4g}" if isinstance(v, float) else json.dumps(v): word for v, word in words.items()}
            return known | {key: one[key] for key in ("unit", "meaning")} | ({"words": shown} if shown else {})

        entries = [
            {key: one[key] for key in ("problem", "solver", "title", "source")}
            | {"parameters": [parameter(p) for p in one["parameters"]]}
            for one in json.loads(self.warpbench("list", "solvers", "--json").stdout)
        ]
        lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in entries)
        self.maxDiff = None
        text = (ROOT / "plots/data/solvers.json").read_text(encoding="utf-8")
        self.assertEqual(text, f"[\n{lines}\n]\n", "plots/data/solvers.json is to be")

    def test_list_names_every_solver_with_its_parameters(self):
        listed = {
            solver["solver"]: {parameter["name"] for parameter in solver["parameters"]}
            for solver in json.loads(self.warpbench("list", "solvers", "--json").stdout)
            if solver["problem"] == "common_neighbors"
        }
        for solver, parameters in SOLVERS.items():
            with self.subTest(solver):
                self.assertLessEqual(parameters, listed.get(solver, set()))

    def test_plan_counts_what_would_run(self):
        spec, out = self.spec(SMALL), self.folder / "out"
        self.assertRegex(self.warpbench("plan", spec).stdout, rf"\b{SMALL_TRIALS}\b")
        self.warpbench("run", spec, "--out", out, "--dry-run")
        self.assertFalse(list(out.rglob("results.jsonl")), "a dry run ran")

    def timed(self, run):
        """The records whose time counts: not of GPU solvers on simt."""
        return [record for record in records(run) if record["backend"] == "cuda" or record["solver"]["device"] == "cpu"]

    def test_a_run_has_ceilings_and_compared_with_itself_has_not_changed(self):
        spec, run = self.spec(SMALL), self.folder / "run"
        self.warpbench("run", spec, "--out", run, "--calibrate")
        self.assertIn("host_gather", json.loads((run / "environment.json").read_text(encoding="utf-8"))["ceilings"])
        calibration = (run / "calibration.jsonl").read_text(encoding="utf-8").splitlines()
        self.assertEqual(len(calibration), len(self.timed(run)))
        self.assertRegex(self.warpbench("compare", run, run).stdout, rf"{SMALL_TRIALS} cells: \d+ ambiguous")
        self.warpbench("verify", run)

    def test_a_run_is_exported_to_google_benchmark(self):
        spec, run = (
            self.spec(SMALL.replace("repetitions: 2, minimum_repetitions: 2", "repetitions: 3")),
            self.folder / "run",
        )
        self.run_trials(spec, run)
        exported = self.folder / "exported.json"
        said = self.warpbench("export", "--format", "google-benchmark", run, "--out", exported).stderr
        benchmarks = json.loads(exported.read_text(encoding="utf-8"))["benchmarks"]
        timed = self.timed(run)
        self.assertEqual(len(benchmarks), 4 * len(timed), "three samples and their median each")
        self.assertEqual("left out" in said, len(timed) < SMALL_TRIALS)
        self.assertTrue(all(entry["real_time"] > 0 for entry in benchmarks))

    def test_datasets(self):
        self.assertIn("livejournal-like", self.warpbench("datasets", "list").stdout)
        self.assertIn("livejournal", self.warpbench("datasets", "info", "livejournal-like").stdout)

    def test_stand_ins_of_hard_points_have_the_higher_intrinsic_dimension(self):
        def dimension(name, scale):
            shown = self.warpbench("datasets", "info", name, "--measure", "--scale", scale).stdout
            return float(re.search(r"(?m)^intrinsic_dimension +- +([0-9.]+) ", shown)[1])

        hard = dimension("nytimes-like", 0.02)  # 5,800 points
        self.assertGreater(hard, 1.3 * dimension("sift1m-like", 0.0058))

    def test_the_stand_in_of_livejournal_has_its_share_of_skewed_intersections(self):
        # A fifth is the least that shows it: a smaller graph's degrees have too short a tail. It takes seconds.
        shown = self.warpbench("datasets", "info", "livejournal-like", "--measure", "--scale", 0.2).stdout
        self.assertRegex(shown, r"(?m)^skewed_share +0\.012 +0\.\d+ ")
        self.assertIn("Off by more than 1.5 x: nothing\n", shown)

    def test_datasets_of_sets(self):
        listed = self.warpbench("datasets", "list").stdout
        for source in (
            "bms-pos",
            "enron-words",
            "orkut-groups",
            "twitter-words",
            "words",
        ):
            self.assertRegex(listed, rf"(?m)^{source} +sets ")
            self.assertRegex(listed, rf"(?m)^{source}-like +sets +generated, stand-in")
        self.assertIn("universe", self.warpbench("datasets", "info", "sisi-zipf-1e9-1e7").stdout)

    def test_a_record_has_the_threads_that_solvers_took(self):
        solvers = SMALL[SMALL.index("  - merge") : SMALL.index("protocol")]
        spec = self.spec(SMALL.replace(solvers, "  - merge: {threads: [all, 2]}\n"))
        # The first run computes the reference, on threads of its own; the second loads it.
        environment = {"OMP_NUM_THREADS": "3", "WARPBENCH_CACHE": str(self.folder / "cache")}
        for run in (self.folder / "computed", self.folder / "cached"):
            with self.subTest(run.name):
                self.run_trials(spec, run, environment=environment)
                self.assertEqual([record["time"]["threads"] for record in records(run)], [3, 2])


class Configs(EndToEnd):
    """The specs of configs/ can be planned, and their claims exist."""

    def test_every_experiment_and_suite_can_be_planned(self):
        files = sorted((ROOT / "configs").rglob("*.yaml"))
        # These need files that not every machine has.
        files = [file for file in files if file.stem not in ("real", "real-graphs")]
        # One process plans all experiments; a fault names its file.
        specs = [f"{file.parent.name}/{file.stem}" for file in files if file.parent.name != "suites"]
        entries = "".join(f"  - spec: {spec}\n" for spec in specs)
        suite = self.spec(f"suite: all\ntitle: All experiments\nexperiments:\n{entries}", "all.yaml")
        plan = self.planned(suite)
        # The plan of an experiment begins with its id and title.
        planned = re.findall(r"^(\S+/\S+): ", plan, re.MULTILINE)
        self.assertEqual(sorted(set(specs) - set(planned)), [], "not planned")
        self.assertEqual(re.findall(r"(?m)^\S+: figure: .*", plan), [], "figures that cannot be drawn")
        for file in files:
            if file.parent.name == "suites":
                with self.subTest(file.name):
                    self.planned(file)

    def planned(self, request):
        """The text of `plan`, which may say that files are missing here, and nothing else."""
        done = self.warpbench("plan", request, expect=None)
        self.assertEqual(done.returncode, 1 if "missing files: " in done.stdout else 0, done.stderr)
        return done.stdout

    def test_every_claim_of_a_tested_family_is_in_some_experiment(self):
        # A claims family is a document's problem, `che2019/common_neighbors`; if no spec mentions it, its specs do not
        # exist yet.
        claims = (ROOT / "plots" / "data" / "claims.yaml").read_text(encoding="utf-8")
        for document in sorted(
            path.name for path in (ROOT / "configs").iterdir() if path.is_dir() and path.name != "suites"
        ):
            known = set(re.findall(rf"^\s*- id: ({document}/\S+)", claims, re.MULTILINE))
            specs = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "configs" / document).glob("*.yaml"))
            listed = set(re.findall(rf"^\s*- ({document}/\S+)", specs, re.MULTILINE))
            families = {claim.rpartition("/")[0] for claim in listed}
            with self.subTest(document):
                self.assertTrue(families)
                self.assertEqual({claim for claim in known if claim.rpartition("/")[0] in families}, listed)


if __name__ == "__main__":
    unittest.main()
