"""Peers that are programs of their own: unavailable, unsupported, and running, with a small program for LIBMF."""

import importlib.util
import json
import os
import subprocess
import sys
import time
import unittest

from program import ROOT, EndToEnd, records

SPEC = """
experiment: test/peers
title: Peers
problem: matrix_factorization
task: {{k: 3, iterations: 2}}
datasets: [{{name: ratings-small, users: 200, items: 80, train_ratings: 2000, test_ratings: 200}}]
solvers: [{solver}]
protocol: {{warmup: 0, repetitions: 2, minimum_repetitions: 2, {timeout}}}
"""

# Prints as mf-train does; its model leaves user 0 out and is cut behind the last item but one.
MF_TRAIN = """#!/usr/bin/env python3
import sys
options = dict(zip(sys.argv[1:-2:2], sys.argv[2:-2:2]))
rows = [[float(word) for word in line.split()] for line in open(sys.argv[-2])]
m, n, k = int(max(r[0] for r in rows)) + 1, int(max(r[1] for r in rows)), int(options["-k"])
assert options["-l2"] == "0.05,0.05" and options["-r"] == "0.2" and options["-s"] == "2", options
assert sum(1 for _ in open(options["-p"])) > 100
mean = sum(r[2] for r in rows) / len(rows)
print("iter      tr_rmse      va_rmse          obj")
for i in range(int(options["-t"])):
    print(f"{i:4}       2.1720       1.2231   2.8014e+04", flush=True)
with open(sys.argv[-1], "w") as model:
    print(f"f 0\\nm {m}\\nn {n}\\nk {k}\\nb {mean}", file=model)
    print("p0 F", "0 " * k, file=model)
    for u in range(1, m):
        print(f"p{u} T", " ".join([str(mean)] + ["0"] * (k - 1)), "", file=model)
    for v in range(n):
        print(f"q{v} T", "1 " * k, file=model)
"""

ADAPTOR = f"""
import sys
sys.path.insert(0, {str(ROOT / "peers")!r})
import protocol
def solve(request):
    print("not of the protocol", flush=True)
    if request["k"] == 1: raise protocol.Unsupported("one")
    if request["k"] == 2: raise ValueError("two")
    if request["k"] == 4: return {{"rmse": [1.5, float("nan"), float("inf")]}}
    return request
protocol.serve(lambda: "fake 1", solve)
"""


class Peers(EndToEnd):
    def record_of(self, solver, timeout="timeout: 60s"):
        out = self.folder / "run"
        self.warpbench(
            "run", self.spec(SPEC.format(solver=solver, timeout=timeout)), "--out", out, "--no-ceilings", expect=None
        )
        (record,) = records(out)
        return record

    def test_an_adaptor_answers_what_comes_after_what_it_cannot_do(self):
        program = self.folder / "program.py"
        program.write_text(ADAPTOR, encoding="utf-8")
        requests = "".join(f'{{"solve": {{"k": {k}}}}}\n' for k in (1, 2, 3, 4))
        done = subprocess.run(
            [sys.executable, program], input=requests, capture_output=True, text=True, check=True, timeout=60
        )
        said = [json.loads(line) for line in done.stdout.splitlines()]
        failed = {"failed": "ValueError: two"}
        answers = [{"answered": {"k": 3}}, {"answered": {"rmse": [1.5, None, None]}}]
        self.assertEqual(said, [{"ready": "fake 1"}, {"unsupported": "one"}, failed, *answers])
        self.assertIn("not of the protocol", done.stderr)

    def test_without_a_command_they_are_unavailable(self):
        for variable in ("WARPBENCH_LIBMF", "WARPBENCH_ALS_IMPLICIT"):
            self.environment(variable, "")
        listed = self.warpbench("list", "solvers").stdout
        for solver, remedy in (("libmf", "mf-train"), ("als-implicit", "pip install implicit")):
            (line,) = [line for line in listed.splitlines() if f" {solver} " in line]
            self.assertRegex(line, rf"peer .*unavailable: needs .*{remedy}")
        record = self.record_of("libmf")
        self.assertEqual(record["status"], "unsupported")
        self.assertIn("export WARPBENCH_LIBMF", record["reason"])

    def test_libmf_learns_and_is_timed(self):
        program = self.folder / "mf-train"
        program.write_text(MF_TRAIN, encoding="utf-8")
        program.chmod(0o755)
        self.environment("WARPBENCH_LIBMF", f"{sys.executable} {ROOT}/peers/libmf.py {program}")
        record = self.record_of("{libmf: {threads: 2, eta: 0.2}}")
        self.assertEqual(record["status"], "ok", record["reason"])
        self.assertIsNone(record["memory"]["host_peak_bytes"], "most of the memory is another process's")
        metrics = record["judgement"]["metrics"]
        self.assertEqual(metrics["rmse_after_1"], 1.2231)
        self.assertAlmostEqual(metrics["rmse"], metrics["mean_rmse"], delta=0.2)
        self.assertGreater(metrics["time_after_2_s"], metrics["time_after_1_s"])
        self.assertGreater(metrics["time_after_1_s"], 0)
        self.assertIn("untimed_program_s", record["extra"])
        self.assertEqual(record["facts"]["program"], "LIBMF")
        logs = "".join(log.read_text(encoding="utf-8") for log in (self.folder / "run").rglob("*.log"))
        self.assertIn("external program: LIBMF", logs)

    def test_libmf_that_fails_says_so(self):
        program = self.folder / "mf-train"
        program.write_text("#!/bin/sh\necho cannot open it\nexit 1\n", encoding="utf-8")
        program.chmod(0o755)
        self.environment("WARPBENCH_LIBMF", f"{sys.executable} {ROOT}/peers/libmf.py {program}")
        record = self.record_of("libmf")
        self.assertEqual(record["status"], "crash")
        self.assertIn("mf-train did 0 iterations, exit code 1: cannot open it", record["reason"])

    def hanging_peer(self):
        """Sets up a mf-train that never ends, and returns the file that its process id and its parent's come to."""
        program, pids, temporary = (self.folder / name for name in ("mf-train", "pids", "temporary"))
        program.write_text(f"#!/bin/sh\necho $$ $PPID > {pids}\nexec sleep 600\n", encoding="utf-8")
        program.chmod(0o755)
        temporary.mkdir()
        self.environment("WARPBENCH_LIBMF", f"{sys.executable} {ROOT}/peers/libmf.py {program}")
        self.environment("TMPDIR", str(temporary))
        return pids

    def test_a_peer_that_hangs_ends_with_its_trial(self):
        pids = self.hanging_peer()
        record = self.record_of("libmf", timeout="timeout: 1s")
        self.assertEqual(record["status"], "timeout", record["reason"])
        for process in pids.read_text(encoding="ascii").split():
            self.assert_ends(int(process))
        self.assertEqual(list((self.folder / "temporary").iterdir()), [])

    def test_a_peer_ends_with_a_killed_warpbench_and_its_files_with_the_next_run(self):
        pids = self.hanging_peer()
        spec = self.spec(SPEC.format(solver="libmf", timeout="timeout: 60s"))
        running = self.start("run", spec, "--out", self.folder / "killed", "--no-ceilings")
        for _ in range(600):
            if pids.exists() and pids.read_text(encoding="ascii").endswith("\n"):
                break
            time.sleep(0.05)
        running.kill()
        running.wait()
        processes = pids.read_text(encoding="ascii").split()
        for process in processes:
            self.assert_ends(int(process))
        self.assertEqual(len(list((self.folder / "temporary").iterdir())), 2, "the run's own and the peer's")
        os.environ["WARPBENCH_LIBMF"] = f"{sys.executable} {ROOT}/peers/libmf.py /nowhere/mf-train"
        self.assertEqual(self.record_of("libmf")["status"], "unsupported")
        self.assertEqual(list((self.folder / "temporary").iterdir()), [])

    def test_a_command_without_its_program_is_unavailable(self):
        self.environment("WARPBENCH_LIBMF", "/nowhere/python3 libmf.py mf-train")
        listed = self.warpbench("list", "solvers").stdout
        (line,) = [line for line in listed.splitlines() if " libmf " in line]
        self.assertIn("unavailable: WARPBENCH_LIBMF names /nowhere/python3, which is no program here", line)

    def test_missing_programs_are_unsupported(self):
        self.environment("WARPBENCH_LIBMF", f"{sys.executable} {ROOT}/peers/libmf.py /nowhere/mf-train")
        record = self.record_of("libmf")
        self.assertEqual(record["status"], "unsupported")
        self.assertIn("not at '/nowhere/mf-train'", record["reason"])

    @unittest.skipIf(importlib.util.find_spec("implicit"), "implicit is installed")
    def test_a_missing_library_is_unsupported(self):
        self.environment("WARPBENCH_ALS_IMPLICIT", f"{sys.executable} {ROOT}/peers/als_implicit.py")
        record = self.record_of("als-implicit")
        self.assertEqual(record["status"], "unsupported")
        self.assertIn("pip install implicit", record["reason"])

    @unittest.skipUnless(importlib.util.find_spec("implicit"), "implicit is not installed")
    def test_als_learns_ratings(self):
        self.environment("WARPBENCH_ALS_IMPLICIT", f"{sys.executable} {ROOT}/peers/als_implicit.py")
        record = self.record_of("{als-implicit: {threads: 2, lambda: 1}}")
        self.assertEqual(record["status"], "ok", record["reason"])
        metrics = record["judgement"]["metrics"]
        self.assertLess(metrics["rmse"], 1.2 * metrics["mean_rmse"])
        self.assertGreater(metrics["time_after_2_s"], metrics["time_after_1_s"])


if __name__ == "__main__":
    unittest.main()
