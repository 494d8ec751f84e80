"""The folders of the checkout that the package reads; hence `pip install -e`."""

from pathlib import Path

_PLOTS = Path(__file__).resolve().parent.parent

CHECKOUT = _PLOTS.parent
DATA = _PLOTS / "data"
SCHEMAS = CHECKOUT / "results" / "schema"
PROBLEMS = CHECKOUT / "problems"
REGISTRY = CHECKOUT / "datasets" / "registry"
