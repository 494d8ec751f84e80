"""Where the project's own data lie: beside the package in the checkout (hence `pip install -e`)."""

from pathlib import Path

_PLOTS = Path(__file__).resolve().parent.parent

DATA = _PLOTS / "data"
SCHEMAS = _PLOTS.parent / "results" / "schema"
PROBLEMS = _PLOTS.parent / "problems"
