"""The JSON schemas of results/schema, and the rule for versions: a newer major is refused, a newer minor is read."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from warpbench_plots.errors import InputError
from warpbench_plots.files import read_text
from warpbench_plots.locations import SCHEMAS

MAJOR = 1
MINORS = {"record": 2, "environment": 0}


@cache
def _schema(kind: str) -> Mapping[str, Any]:
    schema: Mapping[str, Any] = json.loads(read_text(SCHEMAS / f"{kind}-{MAJOR}.{MINORS[kind]}.json"))
    return schema


@cache
def _validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(_schema(kind))


def statuses() -> tuple[str, ...]:
    """The words for how a trial ended."""
    return tuple(_schema("record")["properties"]["status"]["enum"])


def record_schema() -> Mapping[str, Any]:
    """The schema of a record."""
    return _schema("record")


def check_version(value: Any, where: str, known_minor: int) -> tuple[int, int]:
    """(major, minor) of a `schema` field, or an InputError for another major version."""
    text = value if isinstance(value, str) else ""
    major, dot, minor = text.partition(".")
    if not (dot and major.isdecimal() and minor.isdecimal()):
        raise InputError(f'{where}: "schema" should be a version such as "{MAJOR}.{known_minor}", found {value!r}')
    if int(major) != MAJOR:
        age = "newer" if int(major) > MAJOR else "older"
        raise InputError(
            f"{where}: schema {text} is {age} than this reader, which reads {MAJOR}.x; use its own version"
        )
    return int(major), int(minor)


def validate(kind: str, document: Any, where: str) -> None:
    """Checks `document` against the `record` or `environment` schema; `where` opens the message."""
    if not isinstance(document, Mapping):
        raise InputError(f"{where}: expected a JSON object, found {type(document).__name__}")
    _, minor = check_version(document.get("schema"), where, MINORS[kind])
    for error in _validator(kind).iter_errors(document):
        # A newer minor version may add fields: unknown fields are ignored, known ones are still checked.
        if minor > MINORS[kind] and error.validator == "additionalProperties":
            continue
        raise InputError(f"{where}: {_sentence(error)}")


def _sentence(error: ValidationError) -> str:
    """One line for one violation: the deepest cause, with its place in the document."""
    while error.context:
        # Where null or an object may stand, the error of the object says more than "is not of type null".
        error = max(error.context, key=lambda e: (len(e.absolute_path), e.validator != "type"))
    place = ".".join(str(part) for part in error.absolute_path) or "record"
    message = error.message if len(error.message) < 200 else error.message[:197] + "..."
    return f"{place}: {message}"
