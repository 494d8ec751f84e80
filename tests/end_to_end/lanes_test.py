"""scripts/lanes.sh: a list of experiments on two lanes, its time limit, and what the same call then goes on with."""

import os
import signal
import stat
import subprocess
import time
import unittest

from program import PROGRAM, ROOT, SMALL, SMALL_TRIALS, EndToEnd, records, run_directories, trials

SCRIPT = ROOT / "scripts" / "lanes.sh"

# In place of the program: notes what it is started with.
STUB = """#!/usr/bin/env bash
echo "$CUDA_VISIBLE_DEVICES $(taskset --cpu-list --pid $$ | sed 's/.*: //') $*" >>"$(dirname "$0")/calls"
case $2 in
  killed) kill -9 $$ ;;
  stopped) echo 'The run was interrupted; finished trials are kept.'; exit 1 ;;
  long) sleep 100 ;;
  *) sleep 1 ;;
esac
"""

# A thousand trials, each of a good part of a second: more than any of these tests waits for.
SLOW = SMALL.replace("[0, 10, 50]", str(list(range(1000)))).replace("repetitions: 2", "repetitions: 300")


class Lanes(EndToEnd):
    def lanes(self, *words, expect=0, lanes=2, program=PROGRAM):
        done = subprocess.run(
            [SCRIPT, *map(str, words)],
            cwd=self.folder,
            env={**os.environ, "WARPBENCH": str(program), "LANES": str(lanes)},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        self.assertEqual(done.returncode, expect, done.stderr)
        return done.stderr

    def list_of(self, *requests):
        return self.spec("".join(f"{request}\n" for request in requests), "list")

    def test_all_of_the_list_is_run_and_merged(self):
        spec = self.spec(SMALL)
        other = self.spec(SMALL.replace("test/small", "test/other"), "other.yaml")
        requests = self.list_of(
            "# first what matters most",
            f"{spec} --no-ceilings --shard 1/2",
            "",
            f"  {other} --no-ceilings  # the whole",
            f"{spec} --no-ceilings --shard=2/2",
        )
        self.assertIn("3 of 3 requests have ended", self.lanes(requests, "out", 200))
        self.assertEqual(
            sorted(part.name for part in (self.folder / "out/parts").iterdir()), ["1-of-2", "2-of-2", "all"]
        )
        self.warpbench("merge", *(self.folder / "out/parts").iterdir(), "--out", self.folder / "merged")
        for run in run_directories(self.folder / "merged"):
            self.assertEqual(len(set(trials(run))), SMALL_TRIALS)
        self.assertEqual(len(run_directories(self.folder / "merged")), 2)
        before = trials(self.folder / "out")
        self.lanes(requests, "out", 200)
        self.assertEqual(trials(self.folder / "out"), before)

    def stub(self):
        path = self.spec(STUB, "stub")
        path.chmod(stat.S_IRWXU)
        return path

    def calls(self):
        return [line.split() for line in (self.folder / "calls").read_text(encoding="utf-8").splitlines()]

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one core has no equal parts")
    def test_each_lane_has_a_gpu_and_cores_of_its_own(self):
        self.lanes(self.list_of("a", "b"), "out", 60, program=self.stub())
        first, other = sorted(self.calls())
        self.assertEqual([first[0], other[0]], ["0", "1"])
        self.assertNotEqual(first[1], other[1])
        self.assertEqual({first[3], other[3]}, {"a", "b"})

    def test_a_line_is_taken_once(self):
        requests = [f"experiment-{number}" for number in range(8)]
        self.lanes(self.list_of(*requests), "out", 60, program=self.stub())
        self.assertEqual(sorted(call[3] for call in self.calls()), requests)

    def test_a_run_that_was_killed_or_stopped_is_left(self):
        requests = self.list_of("killed", "stopped", "well")
        said = self.lanes(requests, "out", 60, expect=3, lanes=1, program=self.stub())
        self.assertIn("killed: exit code 137", said)
        self.assertIn("stopped: exit code 1, interrupted: The run was interrupted", said)
        self.assertIn("1 of 3 requests have ended", said)

    def test_what_the_time_cut_off_is_run_next(self):
        requests = self.list_of(f"{self.spec(SLOW)} --no-ceilings", f"{self.spec(SMALL, 'quick.yaml')} --no-ceilings")
        said = self.lanes(requests, "out", 8, expect=3, lanes=1)
        self.assertIn("0 of 2 requests have ended", said)
        run = self.folder / "out/parts/all" / str(self.folder)[1:] / "spec"
        before = [record for record in records(run) if record["status"] == "ok"]
        self.assertGreater(len(before), 0)
        self.assertIn("1 of 2 requests have ended", self.lanes(requests, "out", 20, expect=3))
        after = [record for record in records(run) if record["status"] == "ok"]
        self.assertEqual(after[: len(before)], before)
        self.assertGreater(len(after), len(before))

    def test_a_request_that_is_refused_stops_no_other(self):
        requests = self.list_of("no/such-experiment", f"{self.spec(SMALL)} --no-ceilings")
        said = self.lanes(requests, "out", 200, expect=3, lanes=1)
        self.assertIn("no/such-experiment: exit code 2: ", said)
        self.assertIn("1 of 2 requests have ended", said)
        self.assertIn("left: no/such-experiment", said)
        self.assertEqual(len(trials(self.folder / "out")), SMALL_TRIALS)

    def test_trials_that_are_not_ok_are_told(self):
        spec = self.spec(SMALL.replace("protocol: {", "protocol: {host_memory: 1MiB, "))
        said = self.lanes(self.list_of(f"{spec} --no-ceilings"), "out", 200, expect=1)
        self.assertIn("not all trials are ok: ", said)

    def test_stopping_it_stops_its_runs(self):
        requests, program = self.list_of("long"), self.stub()
        for stop in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            script = subprocess.Popen(
                [SCRIPT, requests, "out", "90"],
                cwd=self.folder,
                env={**os.environ, "WARPBENCH": str(program), "LANES": "1"},
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            self.addCleanup(script.kill)
            for _ in range(600):
                if (self.folder / "calls").exists():
                    break
                time.sleep(0.1)
            busy = self.lanes(requests, "out", 5, expect=1, program=program)
            self.assertIn("in use by another call", busy)
            os.killpg(script.pid, stop)  # as a terminal does
            self.assertIn("stopped", script.communicate(timeout=60)[1])
            self.assertEqual(script.returncode, 3)
            (self.folder / "calls").unlink()
        self.lanes(requests, "out", 1, expect=3, program=program)  # nothing holds the folder

    def test_bad_calls_are_refused(self):
        good = self.list_of("quick")
        twice = self.spec("quick\n quick.yaml  --no-ceilings # again\n", "twice")
        for words, said in (
            ((self.folder / "none", "out", 5), "LIST: no file"),
            ((self.spec("# nothing\n", "empty"), "out", 5), "has no request"),
            ((twice, "out", 5), "'quick' and 'quick.yaml --no-ceilings' have the same folder of results"),
            ((self.spec("--shard 1/2 quick\n", "mixed"), "out", 5), "expected a request and then its options"),
            ((good, "out", "soon"), "SECONDS: expected 1 or more, found 'soon'"),
        ):
            self.assertIn(said, self.lanes(*words, expect=1))
        self.assertIn("LANES: expected at most the", self.lanes(good, "out", 5, expect=1, lanes=10000))
        self.assertIn("usage: scripts/lanes.sh LIST OUT SECONDS", self.lanes(good, expect=2))


if __name__ == "__main__":
    unittest.main()
