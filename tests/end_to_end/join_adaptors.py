"""What the tests of adaptors of theta_join share: a running adaptor, relations, and what it shall answer."""

import array
import json
import random
import subprocess
import sys

from program import EndToEnd


class Adaptor:
    """A running adaptor, and the folder that it reads relations from."""

    def __init__(self, test, command, **options):
        self.folder = test.folder / "shared"
        self.folder.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            command.split(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            **options,
        )
        test.addCleanup(self.end)
        self.ready = self.hear()

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def hear(self):
        return json.loads(self.process.stdout.readline() or '{"ended": true}')

    def ask(self, kind, request):
        """The answer to a request, without the lines of the clock."""
        self.say({kind: {"folder": str(self.folder), **request}})
        while "clock" in (said := self.hear()):
            self.say(said)
        return said

    def say(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def prepare(self, r, s):
        for name, columns in (("r", r), ("s", s)):
            for column, values in zip("ax", columns, strict=True):
                (self.folder / f"{name}_{column}.i32").write_bytes(array.array("i", values).tobytes())
        return self.ask("prepare", {"r_tuples": len(r[0]), "s_tuples": len(s[0])})

    def solve(self, query, output="digest", theta="R.a > S.a", threads=2):
        task = {"query": query, "output": output, "theta": theta}
        return self.ask("solve", {"task": task, "parameters": {"threads": threads, "work_mem": 4}})

    def stop(self):
        """Ends its input; returns what is left in the folder beside the relations."""
        self.process.stdin.close()
        self.process.wait(timeout=10)
        return {path.name for path in self.folder.iterdir()} - {
            f"{name}_{column}.i32" for name in "rs" for column in "ax"
        }


THETAS = ("R.a > S.a", "R.a = S.x", "R.x != S.a", "R.a <= S.a and R.x >= S.x")


class Adaptors(EndToEnd):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)  # for a server of another user
        seed = random.randrange(2**32)
        print(f"seed {seed}", file=sys.stderr)
        source = random.Random(seed)
        extremes = [-(2**31), 2**31 - 1]
        self.r, self.s = (
            [extremes + [source.randint(-9, 9) for _ in range(count)] for _ in range(2)] for count in (83, 45)
        )

    def pairs(self, theta):
        theta = compile(theta.replace(" = ", " == ").replace("R.", "R_").replace("S.", "S_"), "theta", "eval")
        return sorted(
            (a, b, y)
            for a, x in zip(*self.r, strict=True)
            for b, y in zip(*self.s, strict=True)
            if eval(theta, {"R_a": a, "R_x": x, "S_a": b, "S_x": y})
        )

    def assert_answers(self, adaptor, *thetas):
        """Each query and output, of these predicates, and of empty relations."""
        for theta in thetas:
            pairs = self.pairs(theta)
            total = adaptor.solve("aggregate", theta=theta)["answered"]
            self.assertEqual(int(total["sum"]), sum(pair[2] for pair in pairs))
            self.assertIn(theta, total["facts"]["query"])
            for output in ("count", "digest", "rows", "file"):
                answer = adaptor.solve("select", output, theta)["answered"]
                self.assertEqual(int(answer["count"]), len(pairs))
                self.assertIn("count(*)" if output == "count" else "S.x", answer["facts"]["query"])
            rows = array.array("i", (adaptor.folder / "rows.i32").read_bytes())
            self.assertEqual(sorted(zip(rows[0::3], rows[1::3], rows[2::3], strict=True)), pairs)
        self.assertEqual(adaptor.prepare([[], []], self.s), {"prepared": {}})
        self.assertEqual(adaptor.solve("aggregate")["answered"]["sum"], "0")
        self.assertEqual(adaptor.solve("select", "rows")["answered"]["count"], "0")
