#!/usr/bin/env python3
"""PostgreSQL as an external program: postgresql.py [FOLDER-OF-ITS-PROGRAMS].

Each program that is started has a server of its own, in the request's folder, which only local users with access to
that folder can reach. The server gets SIGQUIT, its immediate shutdown, when this adaptor ends, however that comes: its
own processes would outlive a SIGKILL of the server by the length of a query. Root may not run a server: it then runs
as the user postgres, or as nobody.
"""

import array
import contextlib
import fcntl
import functools
import os
import pwd
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import protocol
import theta_join

PATIENCE_S = 30  # for a server to start
USER = "warpbench"
PORT = 5432  # part of the socket's name
PROGRAMS = ("initdb", "postgres", "psql", "pg_isready")
SETTINGS = ("jit", "max_parallel_workers", "max_parallel_workers_per_gather", "shared_buffers", "work_mem")

PSQL = ["psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--set=ON_ERROR_STOP=1"]

# Without what the user sets for servers of his own, such as PGOPTIONS.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {"LC_ALL": "C"}

# A row in PostgreSQL's binary COPY: the number of fields, then each field's length and its bytes, big-endian.
HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
TRAILER = b"\xff\xff"
FIELDS = 3
RECORD = struct.pack(">h", FIELDS) + (struct.pack(">i", 4) + bytes(4)) * FIELDS


def places() -> Iterator[tuple[int, slice, slice]]:
    """A field, and where each of its bytes lies in records of COPY and in little-endian integers."""
    for field in range(FIELDS):
        for byte in range(4):
            yield field, slice(2 + 8 * field + 7 - byte, None, len(RECORD)), slice(byte, None, 4)


def encoded(columns: list[bytes]) -> bytearray:
    records = bytearray(RECORD * (len(columns[0]) // 4))
    for field, theirs, ours in places():
        records[theirs] = columns[field][ours]
    return records


def decoded(records: bytes) -> bytearray:
    rows = bytearray(len(records) // len(RECORD) * theta_join.ROW_BYTES)
    for field, theirs, ours in places():
        rows[4 * field + ours.start :: theta_join.ROW_BYTES] = records[theirs]
    return rows


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"


def system_user() -> str | None:
    """The user that runs the server; None for this one."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    for name in ("postgres", "nobody"):
        if name in known:
            return name
    raise protocol.Unsupported("PostgreSQL does not run as root, and here is no user postgres or nobody to run it as")


def prepare_child(parent: int, ended_by: signal.Signals) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    protocol.end_with(parent, ended_by)


class Server:
    """A server that runs until stop(), with psql as its client."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs = programs
        self.folder = folder / "server"
        self.process: subprocess.Popen[bytes] | None = None
        socket = self.folder / f".s.PGSQL.{PORT}"
        if len(os.fsencode(socket)) > 107:
            raise protocol.Unsupported(
                f"{socket} is too long for the name of a socket, which has at most 107 bytes: set TMPDIR to a folder "
                "with a shorter path"
            )
        user = system_user()
        self.identity: dict[str, Any] = {}
        if user is not None:
            entry = pwd.getpwnam(user)
            self.identity = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
            folder.chmod(0o711)
            for above in folder.parents:
                if not above.stat().st_mode & 0o001:
                    raise protocol.Unsupported(
                        f"the server runs as the user {user}, who may not enter {above}: set TMPDIR to another folder, "
                        "or do not run as root"
                    )
        self.folder.mkdir(0o700)
        if user is not None:
            os.chown(self.folder, self.identity["user"], self.identity["group"])

    def child(self, words: list[str], ended_by: signal.Signals = signal.SIGKILL, **options: Any) -> Any:
        """Popen() of one of PostgreSQL's programs, which ends with this adaptor."""
        return subprocess.Popen(
            [str(self.programs / words[0]), *words[1:]],
            env=ENVIRONMENT | options.pop("env", {}),
            preexec_fn=functools.partial(prepare_child, os.getpid(), ended_by),
            **options,
        )

    def start(self) -> None:
        words = ["initdb", "--pgdata=data", f"--username={USER}", "--auth=trust", "--encoding=UTF8", "--no-locale"]
        with self.child(
            [*words, "--no-sync"],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            **self.identity,
        ) as initdb:
            said = initdb.communicate()[0].decode(errors="replace")
        if initdb.returncode != 0:
            raise RuntimeError(f"initdb ended with {initdb.returncode}: {last_line(said)}")
        workers = max(8, len(os.sched_getaffinity(0)))
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "port": PORT,
            "max_worker_processes": workers,
            "max_parallel_workers": workers,
            "autovacuum": "off",
            "fsync": "off",
            # After a process was killed, a server that starts over has lost tables without a log.
            "restart_after_crash": "off",
        }
        words = ["postgres", "-D", "data"] + [f"--{name}={value}" for name, value in settings.items()]
        with (self.folder / "log").open("wb") as log:
            self.process = self.child(
                words,
                ended_by=signal.SIGQUIT,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # so that no SIGKILL of this adaptor's group reaches it
                **self.identity,
            )
        end = time.monotonic() + PATIENCE_S
        while self.run(["pg_isready", "--quiet"], check=False).returncode != 0:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}: {self.log_line()}")
            if time.monotonic() > end:
                raise RuntimeError(f"the server does not answer within {PATIENCE_S} s: {self.log_line()}")
            time.sleep(0.02)

    def log_line(self) -> str:
        return last_line((self.folder / "log").read_text(encoding="utf-8", errors="replace"))

    def address(self) -> list[str]:
        return [f"--host={self.folder}", f"--port={PORT}", f"--username={USER}", "--dbname=postgres"]

    def run(self, words: list[str], check: bool = True, **options: Any) -> "subprocess.CompletedProcess[bytes]":
        """Runs one of the client's programs to its end."""
        given = options.pop("input", None)
        with self.child(
            words + self.address(),
            stdin=subprocess.PIPE if given is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **options,
        ) as process:
            out, errors = process.communicate(given)
        if check and process.returncode != 0:
            raise RuntimeError(f"{words[0]} ended with {process.returncode}: {last_line(errors.decode())}")
        return subprocess.CompletedProcess(words, process.returncode, out, errors)

    def sql(self, *statements: str, **options: Any) -> str:
        words = [*PSQL, *(f"--command={statement}" for statement in statements)]
        return self.run(words, **options).stdout.decode().strip()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            try:
                self.process.wait(3)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Session:
    """A psql that stays connected, so that a query's time has no start of a program in it."""

    def __init__(self, server: Server, environment: dict[str, str]) -> None:
        self.errors = (server.folder / "psql.log").open("w+b")
        self.process = server.child(
            PSQL + server.address(),
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            bufsize=0,
        )
        fcntl.fcntl(self.process.stdout, fcntl.F_SETPIPE_SZ, 1 << 20)

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        self.errors.close()

    def ask(self, query: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # it has ended: what it answers says why
            self.process.stdin.write(f"{query};\n".encode())

    def read(self) -> bytes:
        block: bytes = self.process.stdout.read(1 << 20)
        if not block:
            self.process.wait()
            self.errors.seek(0)
            said = last_line(self.errors.read().decode(errors="replace"))
            raise RuntimeError(f"the query failed, psql ended with {self.process.returncode}: {said}")
        return block

    def number(self, query: str) -> str:
        """The only value of a query's answer."""
        self.ask(query)
        answer = b""
        while not answer.endswith(b"\n"):
            answer += self.read()
        return answer.decode().strip()

    def copy_rows(self, query: str, append: Callable[[Any], Any]) -> int:
        """Appends the query's rows as they come. Returns their number."""
        self.ask(f"COPY ({query}) TO STDOUT (FORMAT binary)")
        unread = b""
        while len(unread) < len(HEADER):
            unread += self.read()
        unread = unread[len(HEADER) :]
        count = 0
        while unread != TRAILER:
            whole = len(unread) // len(RECORD)
            append(decoded(unread[: whole * len(RECORD)]))
            count += whole
            unread = unread[whole * len(RECORD) :]
            if unread != TRAILER:
                unread += self.read()
        return count


class Peer:
    def __init__(self, programs: Path | None) -> None:
        self.programs = programs
        self.server: Server | None = None

    def title(self) -> str:
        if self.programs is None:
            raise protocol.Unsupported(
                f"PostgreSQL's programs {', '.join(PROGRAMS)} are not installed: apt-get install postgresql, or name "
                "their folder: peers/postgresql.py FOLDER"
            )
        done = subprocess.run(
            [self.programs / "postgres", "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        )
        version = re.search(r"\d[\w.]*", done.stdout)
        return f"PostgreSQL {version[0]}" if version else done.stdout.strip()

    def prepare(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self.programs is not None
        self.stop()
        folder = Path(request["folder"])
        self.server = Server(self.programs, folder)
        self.server.start()
        for name, tuples in (("r", request["r_tuples"]), ("s", request["s_tuples"])):
            ids = array.array("i", range(tuples)).tobytes()
            columns = [ids, *((folder / f"{name}_{column}.i32").read_bytes() for column in ("a", "x"))]
            self.server.sql(
                f"CREATE UNLOGGED TABLE {name} (id integer, a integer, x integer)",
                f"COPY {name} FROM STDIN (FORMAT binary)",
                f"ANALYZE {name}",
                input=HEADER + encoded(columns) + TRAILER,
            )
        return {}

    def solve(self, request: dict[str, Any]) -> dict[str, Any]:
        server, task, parameters = self.server, request["task"], request["parameters"]
        assert server is not None
        query = theta_join.query_of(task, "SUM(S.x::bigint)")  # numeric; SUM(integer) is a bigint, which may overflow
        threads = parameters["threads"] or len(os.sched_getaffinity(0))
        options = {"work_mem": f"{parameters['work_mem']}MB", "max_parallel_workers_per_gather": threads - 1}
        environment = {"PGOPTIONS": " ".join(f"-c {name}={value}" for name, value in options.items())}
        names = ", ".join(f"'{name}'" for name in SETTINGS)
        told = server.sql(
            # Else a small table has no workers, whatever its joins cost.
            *(f"ALTER TABLE {table} SET (parallel_workers = {threads - 1})" for table in ("r", "s")),
            "SELECT string_agg(name || ' = ' || current_setting(name), ', ' ORDER BY name) FROM pg_settings "
            f"WHERE name IN ({names})",
            f"EXPLAIN (COSTS OFF) {query}",
            env=environment,
        )
        facts = {"query": query}
        facts["settings"], _, facts["plan"] = told.partition("\n")
        with Session(server, environment) as session:
            session.number("SELECT 1")
            if not theta_join.brings_rows(task):
                protocol.clock(True)
                number = session.number(query)
                protocol.clock(False)
                return {"sum" if task["query"] == "aggregate" else "count": number or "0", "facts": facts}
            facts["query"] = f"COPY ({query}) TO STDOUT (FORMAT binary)"
            with theta_join.row_file(Path(request["folder"])) as append:
                protocol.clock(True)
                count = session.copy_rows(query, append)
                protocol.clock(False)
            return {"count": str(count), "facts": facts}

    def stop(self) -> None:
        if self.server is not None:
            self.server.stop()
            self.server = None


def programs_folder(named: list[str]) -> Path | None:
    """Where PROGRAMS lie: as named, in PATH, or where Debian puts the newest version."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name.zfill(8))
    on_path = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    for folder in [Path(name) for name in named] or on_path + debian[::-1]:
        if all(os.access(folder / program, os.X_OK) for program in PROGRAMS):
            return folder
    return None


if __name__ == "__main__":
    peer = Peer(programs_folder(sys.argv[1:2]))
    with contextlib.ExitStack() as stack:
        stack.callback(peer.stop)
        protocol.serve(peer.title, peer.solve, peer.prepare)
