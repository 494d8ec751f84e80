"""The folders of the checkout that the package reads. Installed by itself, it has a copy of their files."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_COPY = _PACKAGE / "checkout"  # made by plots/hatch_build.py

CHECKOUT = _COPY if _COPY.is_dir() else _PACKAGE.parent.parent
DATA = CHECKOUT / "plots" / "data"
SCHEMAS = CHECKOUT / "results" / "schema"
PROBLEMS = CHECKOUT / "problems"
REGISTRY = CHECKOUT / "datasets" / "registry"
