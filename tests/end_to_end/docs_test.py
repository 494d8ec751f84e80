"""The documents: links lead somewhere, and the files, folders and experiments that they name exist."""

import re
import unittest
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
# A path from the root in backticks. Names with a placeholder (<problem>, PROBLEM, *), examples (mine) and prefixes of
# test names, which end in a full stop, are no paths.
FOLDERS = "device|datasets|problems|solvers|algorithms|baselines|harness|configs|results/h200|plots|scripts|tests|docs"
PATH = re.compile(rf"`((?:{FOLDERS})/(?!mine|PROBLEM)[\w./-]*[\w/-])`")
SUITE = re.compile(
    r"\b(?:SUITE=|warpbench (?:run|plan) )((?:che2019|yu2023|bellas2022|gsi2020)/[\w.-]+)"
)


def documents() -> list[Path]:
    folders = [
        ROOT,
        *(ROOT / name for name in ("configs", "datasets", "docs", "plots", "results")),
    ]
    return [
        path
        for folder in folders
        for path in folder.glob("*.md" if folder == ROOT else "**/*.md")
    ]


class Documents(unittest.TestCase):
    def check(
        self, pattern: re.Pattern[str], exists: Callable[[Path, str], bool]
    ) -> None:
        missing = []
        for document in documents():
            for number, line in enumerate(
                document.read_text(encoding="utf-8").splitlines(), 1
            ):
                for name in pattern.findall(line):
                    if not exists(document, name):
                        missing.append(f"{document.relative_to(ROOT)}:{number}: {name}")
        self.assertEqual(missing, [])

    def test_links_lead_to_a_file(self):
        self.check(
            LINK,
            lambda document, name: "://" in name or (document.parent / name).exists(),
        )

    def test_named_paths_exist(self):
        self.check(PATH, lambda _, name: (ROOT / name).exists())

    def test_named_experiments_exist(self):
        self.check(SUITE, lambda _, name: (ROOT / "configs" / f"{name}.yaml").exists())


if __name__ == "__main__":
    unittest.main()
