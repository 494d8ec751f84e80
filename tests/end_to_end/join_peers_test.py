"""Adaptors of the database systems beside theta_join: with small programs for PostgreSQL's, and with the real systems
where they are installed."""

import importlib.util
import os
import pwd
import resource
import shutil
import signal
import sys
import time
import unittest
from pathlib import Path

from join_adaptors import THETAS, Adaptor, Adaptors
from program import ROOT, EndToEnd, records

POSTGRESQL = f"{sys.executable} {ROOT}/peers/postgresql.py"

# Small programs in place of PostgreSQL's. One fails where the file `behaviour` names it. Those of the server run as a
# user who may not start this Python.
REFUSAL = """#!/bin/sh
test "$1" != --version || { echo 'postgres (PostgreSQL) 99.1 (Fake)'; exit; }
test "$(cat "${0%/*}/behaviour")" != "${0##*/}" || { echo "${0##*/}: no luck" >&2; exit 1; }
"""
INITDB = f"{REFUSAL}mkdir data\n"
SERVER = f"""{REFUSAL}case "$*" in *--listen_addresses=\\ *) ;; *) exit 2 ;; esac
trap 'kill $!; sleep 0.1; echo cleanly > "${{0%/*}}/ended"; exit' QUIT
echo $$ > pid
sleep 600 &
wait
"""
CLIENT = f"""#!{sys.executable}
import os, pathlib, struct, sys, time
behaviour = (pathlib.Path(sys.argv[0]).parent / "behaviour").read_text()
folder = next(pathlib.Path(word[7:]) for word in sys.argv if word.startswith("--host="))
if sys.argv[0].endswith("pg_isready"):
    sys.exit(not (folder / "pid").exists())
commands = [word[10:] for word in sys.argv if word.startswith("--command=")]
for command in commands:
    if command.startswith("COPY"): (folder.parent / command.split()[1]).write_bytes(sys.stdin.buffer.read())
    if "pg_settings" in command: print(os.environ["PGOPTIONS"])
    if command.startswith("EXPLAIN"): print("Nested Loop")
if commands:
    sys.exit()
HEADER = b"PGCOPY\\n\\377\\r\\n\\0" + struct.pack(">ii", 0, 0)
ROW = ">hiiiiii"
def tuples(relation):
    data = (folder.parent / relation).read_bytes()
    assert data.startswith(HEADER) and data.endswith(b"\\xff\\xff")
    rows = [row[2::2] for row in struct.iter_unpack(ROW, data[19:-2])]
    assert [row[0] for row in rows] == list(range(len(rows)))
    return rows
for line in sys.stdin:
    if line == "SELECT 1;\\n":
        print(1, flush=True)
        continue
    if behaviour == "query":
        sys.exit("NOTICE:  x\\nERROR:  no luck")
    while behaviour == "hang":
        time.sleep(1)
    theta = line.partition("WHERE ")[2].partition(")")[0].partition(";")[0].replace(" = ", " == ")
    theta = compile(theta.replace("R.", "R_").replace("S.", "S_"), "theta", "eval")
    rows = [(a, b, y) for _, a, x in tuples("r") for _, b, y in tuples("s")
            if eval(theta, {{"R_a": a, "R_x": x, "S_a": b, "S_x": y}})]
    if "SUM(S.x::bigint)" in line: print(sum(row[2] for row in rows) if rows else "", flush=True)
    elif "count(*)" in line: print(len(rows), flush=True)
    else:
        out = [HEADER] + [struct.pack(ROW, 3, *(v for value in row for v in (4, value))) for row in rows]
        sys.stdout.buffer.write(b"".join(out) + b"\\xff\\xff")
        sys.stdout.buffer.flush()
"""


SPEC = """
experiment: test/join-peers
title: Peers of theta joins
problem: theta_join
task: {task}
datasets: [{{name: relations, generator: theta_relations, r_tuples: {tuples}, s_tuples: {tuples}}}]
solvers: [postgresql: {{threads: 2}}]
protocol: {{warmup: 0, repetitions: 2, minimum_repetitions: 2, timeout: {timeout}}}
"""


def small_programs(folder, behaviour=""):
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    for name, text in {"initdb": INITDB, "postgres": SERVER, "pg_isready": CLIENT, "psql": CLIENT}.items():
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    (programs / "behaviour").write_text(behaviour, encoding="utf-8")
    (programs / "ended").touch()
    (programs / "ended").chmod(0o666)
    return programs


def server_pids(server):
    """The process id of the server in that folder, if there is one."""
    files = (server / "pid", server / "data" / "postmaster.pid")
    return [int(text.split()[0]) for file in files if file.exists() and (text := file.read_text(encoding="ascii"))]


def server_of(adaptor):
    """The process id of an adaptor's server."""
    return server_pids(adaptor.folder / "server")[0]


class Postgresql(Adaptors):
    """With small programs in place of PostgreSQL's."""

    def adaptor(self, behaviour="", **options):
        return Adaptor(self, f"{POSTGRESQL} {small_programs(self.folder, behaviour)}", **options)

    def test_queries_are_answered_and_told(self):
        adaptor = self.adaptor()
        self.assertEqual(adaptor.ready, {"ready": "PostgreSQL 99.1"})
        self.assertEqual(adaptor.prepare(self.r, self.s), {"prepared": {}})
        facts = adaptor.solve("select", "file", threads=3)["answered"]["facts"]
        self.assertEqual(facts["plan"], "Nested Loop")
        self.assertEqual(facts["settings"], "-c work_mem=4MB -c max_parallel_workers_per_gather=2")
        rows = "SELECT R.a AS r_a, S.a AS s_a, S.x AS s_x FROM R, S WHERE R.a > S.a"
        self.assertEqual(facts["query"], f"COPY ({rows}) TO STDOUT (FORMAT binary)")
        self.assert_answers(adaptor, THETAS[-1])
        server = server_of(adaptor)
        self.assertEqual(adaptor.stop(), {"rows.i32", "r", "s"})
        self.assert_ends(server)

    def test_without_the_programs_it_is_unsupported(self):
        said = Adaptor(self, f"{POSTGRESQL} /nowhere").ready
        self.assertIn("apt-get install postgresql", said["unsupported"])

    def test_a_server_that_does_not_start_is_named(self):
        for program, says in (
            ("initdb", "initdb ended with 1: initdb: no luck"),
            ("postgres", "the server ended with 1: postgres: no luck"),
        ):
            adaptor = self.adaptor(program)
            self.assertIn(says, adaptor.prepare(self.r, self.s)["failed"])
            self.assertEqual(adaptor.stop(), set())

    def test_a_query_that_fails_is_named_and_leaves_no_rows(self):
        adaptor = self.adaptor("query")
        adaptor.prepare(self.r, self.s)
        for query in ("aggregate", "select"):
            self.assertIn("psql ended with 1: ERROR:  no luck", adaptor.solve(query)["failed"])
        self.assertFalse((adaptor.folder / "rows.i32").exists())

    def test_rows_without_room_are_unsupported_and_leave_no_file(self):
        adaptor = self.adaptor(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        adaptor.prepare(self.r, self.s)
        said = adaptor.solve("select", "file", "R.a != S.x")["unsupported"]
        self.assertIn(f"expected room for the file of rows in {self.folder}", said)
        self.assertFalse((adaptor.folder / "rows.i32").exists())
        self.assertIn("answered", adaptor.solve("select", "count"))

    def test_the_server_ends_with_a_killed_adaptor(self):
        adaptor = self.adaptor()
        adaptor.prepare(self.r, self.s)
        server = server_of(adaptor)
        adaptor.process.kill()
        self.assert_ends(server)

    def test_a_folder_that_the_server_may_not_enter_is_named(self):
        if os.geteuid() != 0:
            self.skipTest("only a server that root starts is another user's")
        adaptor = self.adaptor()
        self.folder.chmod(0o700)
        said = adaptor.prepare(self.r, self.s)["unsupported"]
        self.assertRegex(said, rf"runs as the user \w+, who may not enter {self.folder}: set TMPDIR")

    def test_a_path_that_is_too_long_for_a_socket_is_named(self):
        adaptor = self.adaptor()
        adaptor.folder = self.folder / ("x" * 100)
        adaptor.folder.mkdir()
        self.assertIn("set TMPDIR to a folder with a shorter path", adaptor.prepare(self.r, self.s)["unsupported"])


INSTALLED = shutil.which("postgres") or any(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
NOT_INSTALLED = "PostgreSQL is not installed: apt-get install postgresql"


@unittest.skipUnless(INSTALLED, NOT_INSTALLED)
class RealPostgresql(Adaptors):
    def prepared(self, command=POSTGRESQL, relation=None, **options):
        adaptor = Adaptor(self, command, **options)
        self.assertEqual(adaptor.prepare(relation or self.r, relation or self.s), {"prepared": {}}, adaptor.ready)
        return adaptor

    def test_queries_are_answered_and_told(self):
        adaptor = self.prepared()
        self.assertRegex(adaptor.ready["ready"], r"PostgreSQL \d+")
        facts = adaptor.solve("aggregate", threads=3)["answered"]["facts"]
        self.assertRegex(facts["settings"], r"max_parallel_workers_per_gather = 2, .*work_mem = 4MB")
        self.assertIn("Nested Loop", facts["plan"])
        self.assert_answers(adaptor, *THETAS)
        self.assertEqual(adaptor.stop(), {"rows.i32"})

    def test_a_user_who_is_not_root_runs_it_too(self):
        python = shutil.which("python3", path="/usr/bin:/bin")
        may_enter = all(folder.stat().st_mode & 0o001 for folder in (ROOT, *ROOT.parents))
        if os.geteuid() != 0 or python is None or not may_enter:
            self.skipTest("needs root, and a Python and a checkout that another user can read")
        nobody = pwd.getpwnam("nobody")
        (self.folder / "shared").mkdir()
        os.chown(self.folder / "shared", nobody.pw_uid, nobody.pw_gid)
        user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        adaptor = self.prepared(f"{python} {ROOT}/peers/postgresql.py", cwd="/", **user)
        self.assertEqual(int(adaptor.solve("select", "count")["answered"]["count"]), len(self.pairs("R.a > S.a")))
        self.assertEqual(adaptor.stop(), set())

    def long_query(self):
        """An adaptor in the midst of a query of minutes, its server, and the server's process that runs the query."""
        many = [list(range(200_000)), [1] * 200_000]
        adaptor = self.prepared(relation=many)
        request = {"task": {"query": "aggregate", "output": "digest", "theta": "R.a > S.a"}}
        request |= {"parameters": {"threads": 2, "work_mem": 64}, "folder": str(adaptor.folder)}
        adaptor.say({"solve": request})
        self.assertEqual(adaptor.hear(), {"clock": True})
        adaptor.say({"clock": True})
        server = server_of(adaptor)
        for _ in range(100):
            for process in self.processes_of(server):
                if b" SELECT" in Path(f"/proc/{process}/cmdline").read_bytes():
                    return adaptor, server, process
            time.sleep(0.05)
        return self.fail("no process runs the query")

    def processes_of(self, server):
        """The process ids of a server and of what it has started."""
        children = Path(f"/proc/{server}/task/{server}/children").read_text(encoding="ascii")
        return [server, *map(int, children.split())]

    def test_a_server_that_loses_a_process_ends_and_is_named(self):
        """As it may where memory is short."""
        adaptor, server, backend = self.long_query()
        os.kill(backend, signal.SIGKILL)
        self.assertRegex(
            adaptor.hear()["failed"], "the query failed, psql ended with [1-9]: .*connection to server was lost"
        )
        self.assert_ends(server)
        self.assertIn("failed", adaptor.solve("aggregate"))
        self.assertEqual(adaptor.stop(), set())

    def test_the_server_ends_with_an_adaptor_that_is_killed_in_a_query(self):
        adaptor, server, _ = self.long_query()
        processes = self.processes_of(server)
        self.assertGreater(len(processes), 3)
        adaptor.process.kill()
        for process in processes:
            self.assert_ends(process)


class Trials(EndToEnd):
    """Of Warpbench, with the real PostgreSQL or with small programs in its place."""

    def setUp(self):
        super().setUp()
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        for folder in (self.folder, self.temporary):
            folder.chmod(0o755)
        self.environment("TMPDIR", str(self.temporary))

    def run_with(self, command, task, tuples, timeout="60s"):
        """Starts a run."""
        self.environment("WARPBENCH_POSTGRESQL", command)
        spec = self.spec(SPEC.format(task=task, tuples=tuples, timeout=timeout))
        return self.start("run", spec, "--out", self.folder / "run", "--no-ceilings")

    def server_of_run(self):
        for _ in range(600):
            for server in self.temporary.glob("warpbench-external-*/server"):
                if pids := server_pids(server):
                    return pids[0]
            time.sleep(0.05)
        return self.fail("no server starts")

    def test_without_a_command_they_are_unavailable(self):
        for variable in ("WARPBENCH_POSTGRESQL", "WARPBENCH_DUCKDB"):
            self.environment(variable, "")
        listed = self.warpbench("list", "solvers").stdout
        for solver, remedy in (("postgresql", "apt-get install postgresql"), ("duckdb", "pip install duckdb")):
            (line,) = [line for line in listed.splitlines() if f" {solver} " in line]
            self.assertRegex(line, rf"peer .*unavailable: needs .*{remedy}")

    def test_a_trial_is_exact_and_tells_its_query(self):
        command = f"{POSTGRESQL} {small_programs(self.folder)}"
        self.assertEqual(self.run_with(command, "{query: select, output: rows}", 60).wait(), 0)
        (record,) = records(self.folder / "run")
        self.assertEqual(record["status"], "ok", record["reason"])
        self.assertEqual(record["judgement"]["verdict"], "exact")
        self.assertEqual(record["facts"]["program"], "PostgreSQL 99.1")
        self.assertRegex(record["facts"]["query"], r"COPY \(SELECT .* WHERE R.a > S.a\) TO STDOUT")
        self.assertEqual(set(record["prepare"]["phases_s"]), {"start", "write", "load"})
        self.assertEqual(set(record["phases_s"]), {"query"})
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_a_server_shuts_down_cleanly_after_a_query_that_is_too_slow(self):
        programs = small_programs(self.folder, "hang")
        self.run_with(f"{POSTGRESQL} {programs}", "{query: aggregate}", 60, timeout="2s").wait()
        (record,) = records(self.folder / "run")
        self.assertEqual(record["status"], "timeout", record["reason"])
        self.assertEqual((programs / "ended").read_text(encoding="ascii"), "cleanly\n")
        self.assertEqual(list(self.temporary.iterdir()), [])

    @unittest.skipUnless(INSTALLED, NOT_INSTALLED)
    def test_a_query_that_is_too_slow_ends_with_its_server(self):
        before = set(Path("/dev/shm").iterdir())
        running = self.run_with(POSTGRESQL, "{query: aggregate}", 200_000, timeout="5s")
        server = self.server_of_run()
        running.wait()
        (record,) = records(self.folder / "run")
        self.assertEqual(record["status"], "timeout", record["reason"])
        self.assert_ends(server)
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertEqual(set(Path("/dev/shm").iterdir()) - before, set())

    @unittest.skipUnless(INSTALLED, NOT_INSTALLED)
    def test_a_server_ends_with_a_killed_warpbench(self):
        running = self.run_with(POSTGRESQL, "{query: aggregate}", 200_000)
        server = self.server_of_run()
        running.kill()
        running.wait()
        self.assert_ends(server)


DUCKDB = importlib.util.find_spec("duckdb") and importlib.util.find_spec("numpy")


class Duckdb(Adaptors):
    def adaptor(self):
        return Adaptor(self, f"{sys.executable} {ROOT}/peers/duckdb_peer.py")

    @unittest.skipIf(DUCKDB, "DuckDB is installed for this Python")
    def test_without_duckdb_it_is_unsupported(self):
        self.assertIn("pip install duckdb numpy", self.adaptor().ready["unsupported"])

    @unittest.skipUnless(DUCKDB, "DuckDB is not installed for this Python: pip install duckdb numpy")
    def test_queries_are_answered_and_told(self):
        adaptor = self.adaptor()
        self.assertRegex(adaptor.ready["ready"], r"DuckDB \d+")
        adaptor.prepare(self.r, self.s)
        facts = adaptor.solve("aggregate")["answered"]["facts"]
        self.assertRegex(facts["settings"], r"threads = 2, memory_limit = .*B")
        self.assertRegex(facts["plan"], "^UNGROUPED_AGGREGATE < .*JOIN")
        self.assert_answers(adaptor, *THETAS)
        self.assertEqual(adaptor.stop(), {"rows.i32"})


if __name__ == "__main__":
    unittest.main()
