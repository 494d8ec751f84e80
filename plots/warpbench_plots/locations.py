"""The folders of the checkout that the package reads; hence `pip install -e`."""

from pathlib import Path

_PLOTS = Path(__file__).resolve().parent.parent

DATA = _PLOTS / "data"
SCHEMAS = _PLOTS.parent / "results" / "schema"
PROBLEMS = _PLOTS.parent / "problems"
REGISTRY = _PLOTS.parent / "datasets" / "registry"
