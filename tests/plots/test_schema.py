"""The schemas are valid themselves, and accept what the fixtures hold."""

import json
from pathlib import Path

import pytest
from builders import environment
from jsonschema import Draft202012Validator
from warpbench_plots.errors import InputError
from warpbench_plots.results.schema import MAJOR, MINORS, validate

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = Path(__file__).resolve().parent / "fixtures"


@pytest.mark.parametrize("kind", ["record", "environment"])
def test_schemas_are_valid_json_schema(kind: str) -> None:
    Draft202012Validator.check_schema(
        json.loads((ROOT / "results" / "schema" / f"{kind}-{MAJOR}.{MINORS[kind]}.json").read_text())
    )


@pytest.mark.parametrize("name", ["simt-run", "cuda-run"])
def test_fixtures_are_valid(name: str) -> None:
    validate(
        "environment",
        json.loads((FIXTURES / name / "environment.json").read_text()),
        name,
    )
    for line in (FIXTURES / name / "results.jsonl").read_text().splitlines():
        validate("record", json.loads(line), name)
        assert line.endswith('"}') and '"crc32":"' in line[-19:], "the checksum is a line's last field"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hostname": "secret"}, "hostname"),
        ({"gpu": None}, "gpu"),
        ({"started_at": "yesterday"}, "started_at"),
        ({"ceilings": {"copy": 3}}, "ceilings.copy"),
        ({"schema": "3.0"}, "newer"),
    ],
)
def test_bad_environments_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        validate("environment", environment() | change, "environment.json")
