"""The library that draws interactive figures: plotly.js, as the Python package plotly ships it."""

from importlib.util import find_spec
from pathlib import Path

NAME = "plotly.min.js"  # as the site has it
ABSENT = (
    "figures are pictures only, because the Python package plotly is not installed; "
    "'pip install -r plots/requirements.txt' installs it"
)


def plotly_script() -> Path | None:
    """The script's file. The package itself is not loaded: that takes a second."""
    spec = find_spec("plotly")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        if (path := Path(folder) / "package_data" / NAME).is_file():
            return path
    return None
