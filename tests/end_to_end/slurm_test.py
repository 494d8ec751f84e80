"""The scripts for Slurm, with an `sbatch` that runs each job at once. scripts/slurm/check.sh tries a real one."""

import os
import stat
import subprocess
import unittest

from program import PROGRAM, ROOT, SMALL, SMALL_TRIALS, EndToEnd, trials

SBATCH = """#!/usr/bin/env bash
script=${@: -1}
printf '%s\\n' "$*" >>"$(dirname "$0")/calls"
case "$*" in
  *refuse*) exit 1 ;;
  *--array=1-3*) for i in 1 2 3; do SLURM_ARRAY_TASK_ID=$i bash "$script" >&2 || true; done; echo 7 ;;
  *--dependency=afterany:7*) bash "$script" >&2 && echo '8;cluster' ;;
  *) exit 1 ;;
esac
"""


class Slurm(EndToEnd):
    def submit(self, *words, expect=0):
        path = self.folder / "bin"
        path.mkdir(exist_ok=True)
        (path / "sbatch").write_text(SBATCH, encoding="utf-8")
        (path / "sbatch").chmod(stat.S_IRWXU)
        done = subprocess.run(
            [ROOT / "scripts" / "slurm" / "submit.sh", *map(str, words)],
            env={
                **os.environ,
                "PATH": f"{path}:{os.environ['PATH']}",
                "WARPBENCH": PROGRAM,
                "RUN_OPTIONS": "--no-ceilings",
            },
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def test_the_shares_are_merged(self):
        spec, out = self.spec(SMALL), self.folder / "a folder"
        self.assertEqual(self.submit(spec, 3, out, "--partition=gpu").stdout, "7 8\n")
        self.assertEqual(len(trials(out / "merged")), SMALL_TRIALS)
        self.assertIn("all well", self.warpbench("verify", out / "merged").stdout)
        calls = (self.folder / "bin" / "calls").read_text(encoding="utf-8").splitlines()
        self.assertIn("--partition=gpu", calls[0])
        self.assertNotIn("--partition=gpu", calls[1])

    def test_earlier_times_are_the_same_for_all_shares(self):
        spec, earlier, out = self.spec(SMALL), self.folder / "earlier", self.folder / "out"
        self.run_trials(spec, earlier)
        self.environment("TIMES", str(self.folder))  # OUT is in it
        self.submit(spec, 3, out)
        self.assertEqual(
            [str(p.relative_to(out)) for p in out.rglob("times/**/*.jsonl")], ["times/earlier/results.jsonl"]
        )
        self.assertIn("all well", self.warpbench("verify", out / "merged").stdout)

    def test_a_merge_that_is_refused_leaves_the_id_of_the_shares(self):
        self.environment("MERGE_OPTIONS", "--refuse")
        done = self.submit(self.spec(SMALL), 3, self.folder / "out", expect=1)
        self.assertEqual(done.stdout, "7\n")
        self.assertIn("the shares are submitted, the job that merges them is not", done.stderr)

    def test_experiments_of_several_are_merged_one_by_one(self):
        out = self.folder / "out"
        request = self.spec(SMALL)
        other = self.spec(SMALL.replace("experiment: ", "experiment: other/"), "other.yaml")
        for number in (1, 2, 3):
            self.warpbench(
                "run", request, other, "--no-ceilings", "--shard", f"{number}/3", "--out", out / f"shards/{number}"
            )
        merge = [ROOT / "scripts" / "slurm" / "merge.sh", out]
        subprocess.run(merge, env={**os.environ, "WARPBENCH": PROGRAM}, check=True, capture_output=True, timeout=240)
        self.assertIn("all well", self.warpbench("verify", out / "merged").stdout)
        self.assertEqual(len(list((out / "merged").rglob("results.jsonl"))), 2)

    def test_bad_requests_are_refused(self):
        (self.folder / "old").mkdir()
        for words, said in (
            (["quick", 0, self.folder / "new"], "the number of jobs: expected 1 or more, found '0'"),
            (["quick", 2, self.folder / "old"], "exists; name a new folder"),
        ):
            self.assertIn(said, self.submit(*words, expect=1).stderr)
        self.assertIn("usage: scripts/slurm/submit.sh REQUEST N OUT", self.submit("quick", expect=2).stderr)


if __name__ == "__main__":
    unittest.main()
