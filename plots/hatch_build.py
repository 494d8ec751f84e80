"""Puts the files of the checkout that the package reads into its wheel, see warpbench_plots/locations.py."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = (
    "plots/data/**/*.yaml",
    "plots/data/*.json",
    "results/schema/*.json",
    "problems/*/quantities.yaml",
    "datasets/registry/*.yaml",
)


class CheckoutFiles(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """An editable install reads the checkout itself."""
        if version == "editable":
            return
        checkout = Path(self.root).parent
        for pattern in FILES:
            for file in sorted(checkout.glob(pattern)):
                place = file.relative_to(checkout)
                build_data["force_include"][str(file)] = f"warpbench_plots/checkout/{place}"
