"""`warpbench verify` and `validate` of plots/ agree on which run directories are sound."""

import json
import shutil
import subprocess
import unittest
import zlib

from program import ROOT, SMALL, EndToEnd

PYTHON = ROOT / ".venv" / "bin" / "python"


def sealed(records):
    """results.jsonl of the records, with the checksums that they must have."""
    content, previous = "", "00000000"
    for record in records:
        body = {key: value for key, value in record.items() if key not in ("crc32", "own_crc32")}
        line = json.dumps(body | {"crc32": previous}, separators=(",", ":"))[:-1]
        line += f',"own_crc32":"{zlib.crc32(line.encode()):08x}"}}'
        previous = f"{zlib.crc32(line.encode()):08x}"
        content += line + "\n"
    return content


def last_changed(change):
    """The last record changed and sealed again, as one who knows the format would."""

    def damage(run):
        file = run / "results.jsonl"
        records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        change(records[-1])
        file.write_text(sealed(records), encoding="utf-8")

    return damage


def divide_times(record):
    for key in ("median_s", "low_s", "high_s"):
        record["time"][key] /= 10


def contradict(run):
    """Two solvers give different counts where nothing is verified."""
    file = run / "results.jsonl"
    found = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for count, record in enumerate(found[:2]):
        record["judgement"]["metrics"]["unverified_count_of_query_0"] = 12 + count
    file.write_text(sealed(found), encoding="utf-8")


def calibrated(change):
    """A further execution of the last trial, changed."""

    def damage(run):
        record = json.loads((run / "results.jsonl").read_text(encoding="utf-8").splitlines()[-1])
        change(record)
        (run / "calibration.jsonl").write_text(sealed([record]), encoding="utf-8")

    return damage


def be_wrong(record):
    record.update(status="wrong", reason="one too many", time=None, phases_s=None)


def replaced(name, before, after):
    def damage(run):
        text = (run / name).read_text(encoding="utf-8")
        assert before in text, before
        head, _, tail = text.rpartition(before)
        (run / name).write_text(head + after + tail, encoding="utf-8")

    return damage


DAMAGES = {
    "times of the last trial divided": replaced("results.jsonl", '"samples_s":[', '"samples_s":[0'),
    "times divided and sealed again": last_changed(divide_times),
    "a wrong answer": last_changed(be_wrong),
    "a wrong answer of a further execution": calibrated(be_wrong),
    "a calibration of another run": calibrated(lambda r: r.update(run="another")),
    "a calibration of another backend": calibrated(lambda r: r.update(backend="cuda")),
    "a calibration that is no record": lambda run: (run / "calibration.jsonl").write_text("{}\n", encoding="utf-8"),
    "solvers that contradict each other": contradict,
    "an unjudged sample": last_changed(lambda r: r["judgement"].update(verified_samples=[0, 2])),
    "no judgement": last_changed(lambda r: r.update(judgement=None)),
    "no reason": last_changed(lambda r: r.update(status="crash", time=None)),
    "another machine": last_changed(lambda r: r["environment"].update(machine="elsewhere")),
    "another run": last_changed(lambda r: r.update(run="run-2")),
    "another backend": last_changed(lambda r: r.update(backend="cuda" if r["backend"] == "simt" else "simt")),
    "another experiment": last_changed(lambda r: r.update(experiment="test/other")),
    "a newer schema": last_changed(lambda r: r.update(schema="2.0")),
    "a field missing": last_changed(lambda r: r.pop("work")),
    "no results": lambda run: (run / "results.jsonl").write_bytes(b""),
    "no results file": lambda run: (run / "results.jsonl").unlink(),
    "no spec": lambda run: (run / "spec.yaml").unlink(),
    "the spec of another experiment": replaced("spec.yaml", "test/small", "test/other"),
    "no environment": lambda run: (run / "environment.json").unlink(),
    "the environment of another machine": replaced("environment.json", '"machine": "', '"machine": "not-'),
    "an environment that is cut": replaced("environment.json", "}", ""),
}


@unittest.skipUnless(PYTHON.exists(), "no virtual environment: make setup-test")
class Verify(EndToEnd):
    def validate(self, *runs):
        """The exit codes of `validate` on each run, from one start of Python."""
        script = """import sys
from warpbench_plots.cli import main
for run in sys.argv[1:]:
    print("CODE", main(["validate", run]))"""
        done = subprocess.run(
            [str(PYTHON), "-c", script, *map(str, runs)],
            cwd=ROOT / "plots",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return [int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("CODE ")]

    def test_both_programs_refuse_the_same(self):
        sound = self.folder / "sound"
        spec = SMALL.replace("  - mps: {threads: 1, skew_threshold: [0, 10, 50], simd: none}\n", "")
        self.run_trials(self.spec(spec.replace("[1, 2, 4]", "1").replace("[false, true]", "true")), sound)
        calibrated(lambda record: None)(sound)
        self.assertIn("all well", self.warpbench("verify", sound).stdout)
        damaged = {what: self.folder / f"damaged-{number}" for number, what in enumerate(DAMAGES)}
        for what, run in damaged.items():
            shutil.copytree(sound, run)
            DAMAGES[what](run)
        ended_early = self.folder / "ended-early"
        shutil.copytree(sound, ended_early)
        text = (sound / "results.jsonl").read_text(encoding="utf-8")
        (ended_early / "results.jsonl").write_text(text[: text.rindex("\n", 0, -1) + 1], encoding="utf-8")

        first, second, *codes = self.validate(sound, ended_early, *damaged.values())
        self.assertEqual((first, second), (0, 0))
        self.assertIn("3 of 4 planned trials", self.warpbench("verify", ended_early).stdout)
        for (what, run), code in zip(damaged.items(), codes, strict=True):
            with self.subTest(what):
                self.assertNotIn("all well", self.warpbench("verify", run, expect=1).stdout)
                self.assertNotEqual(code, 0)


@unittest.skipUnless(PYTHON.exists(), "no virtual environment: make setup-test")
class ChangedSpec(EndToEnd):
    def verified(self, run):
        """The state of a run directory, and what both programs remark."""
        said = self.warpbench("verify", run).stdout
        done = subprocess.run(
            [str(PYTHON), "-m", "warpbench_plots", "validate", run],
            cwd=ROOT / "plots",
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        told = "spec.yaml: is no longer the one that the records were made from"
        self.assertEqual(told in said, told in done.stdout + done.stderr, said + done.stdout + done.stderr)
        return said

    def test_a_spec_that_was_edited_after_the_run_is_named(self):
        run, small = self.folder / "run", SMALL.replace(
            "  - mps: {threads: 1, skew_threshold: [0, 10, 50], simd: none}\n", ""
        )
        self.run_trials(self.spec(small), run)
        self.assertIn("all well", self.verified(run))
        (run / "spec.yaml").write_text(small.replace("repetitions: 2,", "repetitions: 9,"), encoding="utf-8")
        said = self.verified(run)
        self.assertIn("sound, but with another spec.yaml", said)
        self.assertIn("spec.yaml: is no longer the one that the records were made from", said)
        lines = (run / "results.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        (run / "results.jsonl").write_text("".join(lines[:-1]), encoding="utf-8")
        self.assertIn("sound, but not complete, with another spec.yaml", self.verified(run))
        last_changed(lambda r: r.update(status="crash", reason="SIGSEGV", time=None))(run)
        self.assertIn("sound, but not every trial is ok, not complete, with another spec.yaml", self.verified(run))
        (run / "results.jsonl").write_text("".join(lines), encoding="utf-8")
        # A run with it makes it the run's own again, and so does one with another.
        self.run_trials(run / "spec.yaml", run)
        self.assertIn("all well", self.verified(run))
        self.run_trials(self.spec(small.replace("A few", "Some")), run)
        self.assertIn("all well", self.verified(run))
        merged = self.folder / "merged"
        self.warpbench("merge", run, "--out", merged)
        self.assertIn("all well", self.verified(merged))
        (run / "spec.yaml").write_text(small, encoding="utf-8")
        self.warpbench("merge", run, "--out", self.folder / "again")
        self.assertIn("sound, but with another spec.yaml", self.verified(self.folder / "again"))


if __name__ == "__main__":
    unittest.main()
