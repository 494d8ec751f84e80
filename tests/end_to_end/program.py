"""Shared by the end-to-end tests: the program under test, run directories, and reading results.

Uses only the standard library, so that the tests run without any set-up. ctest sets $WARPBENCH to the program.
"""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("WARPBENCH", str(ROOT / "build" / "simt" / "warpbench"))

# The tests share converted datasets and references, apart from the user's own.
os.environ.setdefault("WARPBENCH_CACHE", str(ROOT / ".cache" / "warpbench"))


class EndToEnd(unittest.TestCase):
    """A test with its own folder, which is removed afterwards."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="warpbench-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def warpbench(self, *arguments, expect=0, timeout=240, environment=None):
        """Runs the program to its end, with these variables besides its own; fails the test if the exit code is not the
        expected one (None: any)."""
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)],
            cwd=self.folder,
            env=os.environ | (environment or {}),
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        said = f"{' '.join(map(str, arguments))}\nstdout: {done.stdout}\nstderr: {done.stderr}"
        if expect is not None:
            self.assertEqual(done.returncode, expect, said)
        return done

    def run_trials(self, spec, out, *arguments, environment=None):
        """`warpbench run` without the machine's ceilings, which take seconds under a sanitizer."""
        return self.warpbench("run", spec, "--out", out, "--no-ceilings", *arguments, environment=environment)

    def start(self, *arguments, stderr=subprocess.DEVNULL):
        """Starts the program in a process group of its own and returns it running."""
        process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=True,
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def environment(self, name, value):
        """Sets a variable until the end of the test."""
        changed = mock.patch.dict(os.environ, {name: value})
        changed.start()
        self.addCleanup(changed.stop)

    def assert_ends(self, process):
        """Within some seconds. Who adopts an orphan may leave it a zombie."""
        for _ in range(100):
            try:
                state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                return
            if state == "Z":
                return
            time.sleep(0.05)
        os.kill(process, signal.SIGKILL)
        self.fail(f"{process} goes on")

    def spec(self, text, name="spec.yaml"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


def run_directories(folder):
    """The run directories in `--out` of a suite, one per experiment."""
    return sorted(file.parent for file in Path(folder).rglob("results.jsonl"))


def lines(run):
    """The raw lines of all results under a folder; omits an incomplete last line."""
    return [
        line
        for directory in run_directories(run)
        for line in (directory / "results.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    ]


def records(run):
    return [json.loads(line) for line in lines(run)]


def trials(run):
    return [record["trial"] for record in records(run)]


# Seconds of work on two cores without a GPU: CPU and GPU solvers, a sweep, several groups.
SMALL = """
experiment: test/small
title: A few quick trials
problem: common_neighbors
datasets:
  - {name: livejournal-like, scale: 0.0001}
solvers:
  - merge: {threads: [1, 2]}
  - mps: {threads: 1, skew_threshold: [0, 10, 50], simd: none}
  - bmp: {threads: 1, range_filter: [false, true]}
  - bmp-gpu: {warps_per_block: [1, 2, 4]}
protocol: {warmup: 0, repetitions: 2, minimum_repetitions: 2}
figure: {kind: bars}
"""
SMALL_TRIALS = 10
