"""The documents: the targets of links, and the files, folders and experiments that they name, exist."""

import re
import unittest
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (
    "device",
    "datasets",
    "problems",
    "solvers",
    "algorithms",
    "baselines",
    "harness",
)
FOLDERS += ("configs", "results", "plots", "scripts", "tests", "docs")
SOURCES = (".hpp", ".cpp", ".cuh", ".cu", ".py", ".sh", ".yaml")

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
# A path from the root in backticks. Placeholders (<problem>, PROBLEM, *), examples (mine), future results and prefixes
# of test names, which end in a full stop, are not paths.
PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/(?!mine|PROBLEM|<)[\w./-]*[\w/-])`")
SUITE = re.compile(r"\b(?:SUITE=|warpbench (?:run|plan) )((?:che2019|yu2023|bellas2022|gsi2020)/[\w.-]+)")
CITED = re.compile(r"([\w/-]+\.md)\b")


def files(endings: Iterable[str]) -> list[Path]:
    found = [path for ending in endings for path in ROOT.glob(f"*{ending}")]
    return found + [path for name in FOLDERS for path in (ROOT / name).rglob("*") if path.suffix in endings]


class Documents(unittest.TestCase):
    def check(
        self,
        paths: list[Path],
        pattern: re.Pattern[str],
        exists: Callable[[Path, str], bool],
    ) -> None:
        self.assertGreater(len(paths), 5)
        missing = []
        for path in paths:
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                for name in pattern.findall(line):
                    if not exists(path, name):
                        missing.append(f"{path.relative_to(ROOT)}:{number}: {name}")
        self.assertEqual(missing, [])

    def test_links_lead_to_a_file(self):
        self.check(
            files([".md"]),
            LINK,
            lambda path, name: "://" in name or (path.parent / name).exists(),
        )

    def test_named_paths_exist(self):
        self.check(files([".md"]), PATH, lambda _, name: (ROOT / name).exists())

    def test_named_experiments_exist(self):
        help_texts = list((ROOT / "harness" / "cli").glob("*.cpp"))
        self.check(
            files([".md"]) + help_texts,
            SUITE,
            lambda _, name: (ROOT / "configs" / f"{name}.yaml").exists(),
        )

    def test_documents_that_sources_cite_exist(self):
        self.check(
            files(SOURCES),
            CITED,
            lambda path, name: (ROOT / name).exists() or (path.parent / name).exists(),
        )

    def test_one_version_is_named_everywhere(self):
        found = {
            name: re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE).group(1)
            for name, pattern in (
                ("CMakeLists.txt", r"^project\(warpbench VERSION ([\d.]+)"),
                ("CITATION.cff", r"^version: ([\d.]+)"),
                ("plots/pyproject.toml", r'^version = "([\d.]+)"'),
                ("CHANGELOG.md", r"release will be ([\d.]+)\."),
            )
        }
        self.assertEqual(len(set(found.values())), 1, found)


if __name__ == "__main__":
    unittest.main()
