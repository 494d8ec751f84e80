"""The documents' claims as data (data/claims.yaml)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from warpbench_plots.errors import InputError
from warpbench_plots.files import read_yaml
from warpbench_plots.locations import DATA


@dataclass(frozen=True)
class Claim:
    id: str
    document: str
    where: str
    statement: str
    datasets: tuple[str, ...]
    published: tuple[Mapping[str, Any], ...]


@cache
def catalogue() -> Mapping[str, Claim]:
    """All claims by id."""
    raw = read_yaml(DATA / "claims.yaml")
    return {entry["id"]: _claim(entry) for entry in raw["claims"]}


def claim(identifier: str, where: str) -> Claim:
    found = catalogue().get(identifier)
    if found is None:
        raise InputError(f"{where}: claims: {identifier} is not in data/claims.yaml")
    return found


def expand(identifier: str, where: str) -> list[Claim]:
    """The claims an entry of a spec names: one id, or all below a prefix written `che2019/common_neighbors/*`."""
    if not identifier.endswith("/*"):
        return [claim(identifier, where)]
    found = [c for key, c in catalogue().items() if key.startswith(identifier[:-1])]
    if not found:
        raise InputError(f"{where}: claims: {identifier} names no claim of data/claims.yaml")
    return found


def _claim(raw: Mapping[str, Any]) -> Claim:
    return Claim(
        id=raw["id"],
        document=raw["source"]["document"],
        where=raw["source"]["where"],
        statement=raw["statement"],
        datasets=tuple(str(name) for name in raw["datasets"]),
        published=tuple(raw["published"]),
    )
