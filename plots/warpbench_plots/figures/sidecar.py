"""FIG.json says where each point of a figure came from; `explain` reads it back and checks the source."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from warpbench_plots.errors import InputError, Refused
from warpbench_plots.figures.points import ZERO, FigureData, Point
from warpbench_plots.files import read_text
from warpbench_plots.results.reader import checksum
from warpbench_plots.results.records import Record
from warpbench_plots.results.run import Experiment

SCHEMA = "figure-1.0"


def sidecar(data: FigureData, experiment: Experiment, name: str, folder: Path) -> dict[str, Any]:
    """The JSON beside a figure in `folder`; paths are relative to it, so that both can be moved together."""
    return {
        "schema": SCHEMA,
        "figure": name,
        "title": data.title,
        "experiment": experiment.spec.experiment,
        "asked": dict(data.spec.raw),
        **_source(experiment),
        "runs": [_relative(run.path, folder) for run in experiment.runs],
        "notes": [note for note in data.notes if note],
        "points": [_point(point, folder) for point in data.points],
    }


def _source(experiment: Experiment) -> dict[str, Any]:
    """The machine and the revision; of each name, where several machines are compared."""
    first = experiment.records[0]
    if not experiment.machines:
        return {"machine": first.machine, "revision": first.revision}
    return {"machines": {name: _source(one) for name, one in experiment.machines.items()}}


def _point(point: Point, folder: Path) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "gid": point.gid,
        "facet": point.facet or None,
        "series": point.series or None,
        "x": point.x,
        "y": 0.0 if point.mark == ZERO else point.y,
        "low": point.low,
        "high": point.high,
        "mark": None if point.mark == ZERO else point.mark,
    }
    if point.machine:
        entry["machine"] = point.machine
    if point.parts:
        entry["parts"] = dict(point.parts)
    if point.steps:
        entry["steps"] = [list(step) for step in point.steps]
    if point.published:
        entry["published"] = [
            {"label": value.label, "value": value.value} | ({} if value.x is None else {"x": value.x})
            for value in point.published
        ]
    if point.record is not None:
        entry |= _behind(point.record, folder)
    if point.below is not None:
        entry["below"] = _behind(point.below, folder)
    return entry


def _behind(record: Record, folder: Path) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "run": record.run,
        "trial": record.trial,
        "results": f"{_relative(record.place.path, folder)}:{record.place.line}",
        "line_crc32": record.place.crc32,
        "status": record.status,
        "verified": record.verification,
    }
    if record.solved is not None:
        entry["solved"] = [record.solved.solved, record.solved.asked]
    return entry


def _relative(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()


def explain(target: str) -> str:
    """Describes the record behind FIG.svg#TRIAL; refuses one whose line changed since the figure was drawn."""
    file, hash_sign, gid = target.partition("#")
    if not (hash_sign and gid and file):
        raise InputError(f"{target}: expected FIG.svg#TRIAL")
    path = Path(file).with_suffix(".json")
    figure = _read_sidecar(path)
    point = _find(figure["points"], gid)
    if point is None:
        known = ", ".join(str(p["gid"]) for p in figure["points"][:6])
        raise InputError(f"{path}: has no point {gid}; it has {known}, …")
    lines = [
        f"figure      {figure['figure']} ({figure['experiment']})",
        f"point       {_shown(point)}",
    ]
    if "trial" not in point:
        return "\n".join(
            [
                *lines,
                "record      none: the experiment names this cell, but no run holds it",
            ]
        )
    lines += _of_record(path.parent, figure, point)
    if "below" in point:
        lines += ["", "between it and", *_of_record(path.parent, figure, point["below"])]
    return "\n".join(lines)


def _read_sidecar(path: Path) -> Mapping[str, Any]:
    try:
        figure = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: is not JSON: {error.msg}") from error
    if not isinstance(figure, Mapping) or figure.get("schema") != SCHEMA:
        raise InputError(f"{path}: is not the {SCHEMA} file of a figure")
    return figure


def _find(points: Sequence[Mapping[str, Any]], gid: str) -> Mapping[str, Any] | None:
    """The point of a gid; `TRIAL.interval`, `TRIAL.published` and `TRIAL.PHASE` belong to TRIAL."""
    owners = [p for p in points if gid == p["gid"] or gid.startswith(f"{p['gid']}.")]
    return max(owners, key=lambda p: len(p["gid"]), default=None)


def _shown(point: Mapping[str, Any]) -> str:
    place = ", ".join(f"{key} {point[key]}" for key in ("facet", "series", "x") if point[key] is not None)
    if point["mark"]:
        return f"{place}: {point['mark']}"
    interval = f" [{point['low']:.6g}, {point['high']:.6g}]" if point["low"] is not None else ""
    return f"{place}: {point['y']:.6g}{interval}"


def _of_record(folder: Path, figure: Mapping[str, Any], point: Mapping[str, Any]) -> list[str]:
    file, _, number = point["results"].rpartition(":")
    source = (folder / file).resolve()
    try:
        line = source.read_bytes().split(b"\n")[int(number) - 1]
    except (OSError, IndexError) as error:
        raise InputError(f"{source}:{number}: run {point['run']}: the line of this point is gone") from error
    if checksum(line) != point["line_crc32"]:
        raise Refused(f"{source}:{number}: run {point['run']}: the line was altered since the figure was drawn")
    raw = json.loads(line)
    dataset, solver = raw["dataset"], raw["solver"]
    parameters = ", ".join(f"{key}={json.dumps(value)}" for key, value in solver["parameters"].items())
    return [
        f"trial       {raw['trial']}",
        f"run         {raw['run']}",
        f"results     {source}:{number} (crc32 {point['line_crc32']}, unchanged)",
        f"machine     {raw['environment']['machine']}",
        f"revision    {raw['environment']['revision']}",
        f"dataset     {dataset['name']}{' (stand-in)' if dataset['stand_in'] else ''}, digest {dataset['digest']}",
        f"solver      {solver['name']} on {solver['device']} ({parameters or 'no parameters'}){_point_of(solver)}",
        f"backend     {raw['backend']}",
        f"status      {raw['status']}{': ' + raw['reason'] if raw['reason'] else ''}",
        f"verified    {point['verified']}",
        f"time        {json.dumps(raw['time'])}",
    ]


def _point_of(solver: Mapping[str, Any]) -> str:
    return f", point {solver['point']}" if "point" in solver else ""
