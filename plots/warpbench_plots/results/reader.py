"""Reads results.jsonl: checks its schema and its chain of checksums, and ignores a cut last line.

Each line ends in `"crc32":"…","own_crc32":"…"}`. The first is the CRC-32 of the bytes of the line before it without its
line feed, so that the line after a dropped or moved line shows the change. The second is that of the line's own bytes
before `,"own_crc32"`, so that the last line, too, shows a change. Lines of schema version 1.0 have only the first. The
writer ends each line with a line feed; bytes after the last line feed were left by a writer that was killed. They are
reported and ignored.
"""

import json
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpbench_plots.errors import InputError
from warpbench_plots.files import read_bytes
from warpbench_plots.results.records import Place, Record, record_of
from warpbench_plots.results.schema import validate

FIRST_CRC = "00000000"
_OWN_CRC = re.compile(rb',"own_crc32":"([0-9a-f]{8})"\}$')


@dataclass(frozen=True)
class ResultsFile:
    records: tuple[Record, ...]
    warnings: tuple[str, ...]


def checksum(line: bytes) -> str:
    """CRC-32 of one line's bytes, 8 lower-case hex digits."""
    return f"{zlib.crc32(line):08x}"


def _parse(line: bytes, where: str) -> Any:
    def refuse(constant: str) -> Any:
        raise InputError(f"{where}: {constant} is not a JSON number")

    try:
        return json.loads(line, parse_constant=refuse)
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: is not UTF-8 (byte {error.start})") from error
    except json.JSONDecodeError as error:
        raise InputError(f"{where}: is not JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise InputError(f"{where}: is nested too deeply") from error


def _check_own(line: bytes, where: str) -> bool:
    """Whether the line ends in a checksum of its own; refuses it if that is not the one of its bytes."""
    found = _OWN_CRC.search(line)
    if found and (computed := checksum(line[: found.start()])) != found[1].decode():
        raise InputError(f"{where}: own_crc32 is {found[1].decode()}, but the line has {computed}: it was altered")
    return found is not None


def read_results(path: Path) -> ResultsFile:
    """All records of a results file, or an InputError naming file:line of the first bad one."""
    content = read_bytes(path)
    *lines, rest = content.split(b"\n")
    warnings = []
    if rest:
        warnings.append(f"{path}:{len(lines) + 1}: the last line is cut after {len(rest)} bytes and was ignored")
    records: list[Record] = []
    expected = FIRST_CRC
    for number, line in enumerate(lines, start=1):
        where = f"{path}:{number}"
        sealed = _check_own(line, where)
        raw = _parse(line, where)
        validate("record", raw, where)
        if not sealed and raw["schema"] != "1.0":
            raise InputError(f"{where}: expected own_crc32 at the end, as schema {raw['schema']} has, found none")
        if raw["crc32"] != expected:
            raise InputError(
                f"{where}: crc32 {raw['crc32']} does not match the line before it ({expected}): "
                f"line {number - 1} was altered or removed (run {raw['run']})"
            )
        expected = checksum(line)
        records.append(record_of(raw, Place(path, number, expected)))
    return ResultsFile(tuple(records), tuple(warnings))


def latest(records: tuple[Record, ...]) -> tuple[Record, ...]:
    """One record per trial: a retried trial's last record stands for it, at the place of the first."""
    newest = {record.trial: record for record in records}
    order = dict.fromkeys(record.trial for record in records)
    return tuple(newest[trial] for trial in order)
