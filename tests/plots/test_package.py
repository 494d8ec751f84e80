"""The package, installed by itself, reads nothing of the checkout."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUN = ROOT / "results" / "h200" / "paper" / "yu2023" / "fig-3.2"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--target", target, ROOT / "plots"], check=True)
    return target


def outcome(package: Path, folder: Path, *arguments: str | Path) -> str:
    """What the command prints, run in `folder` with the package that lies in `package`."""
    environment = {**os.environ, "PYTHONPATH": str(package)}
    command = [sys.executable, "-m", "warpbench_plots", *arguments]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=folder, env=environment, timeout=300
    ).stdout


def test_installed_by_itself_it_does_what_it_does_in_the_checkout(installed: Path, tmp_path: Path) -> None:
    claims = outcome(installed, tmp_path, "claims", RUN)
    assert "yu2023/mf/" in claims
    assert claims == outcome(ROOT / "plots", tmp_path, "claims", RUN)
    outcome(installed, tmp_path, "report", RUN, "--out", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "Updates per second by size of a block" in page
    assert str(installed) not in page


def test_it_has_every_file_that_it_may_read(installed: Path) -> None:
    copy = installed / "warpbench_plots" / "checkout"
    for folder, pattern in (
        ("plots/data", "**/*"),
        ("results/schema", "*"),
        ("datasets/registry", "*.yaml"),
        ("problems", "*/quantities.yaml"),
    ):
        here = {file.relative_to(ROOT) for file in (ROOT / folder).glob(pattern) if file.is_file()}
        there = {file.relative_to(copy) for file in (copy / folder).glob(pattern) if file.is_file()}
        assert here and there == here


def test_installed_by_itself_it_names_runs_as_they_were_given(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(RUN, tmp_path / "my-run")
    outcome(installed, tmp_path, "report", "my-run", "--out", "report.html")
    page = (tmp_path / "report.html").read_text()
    revision = json.loads((RUN / "environment.json").read_text())["git"]["revision"]
    assert f"In a checkout of revision {revision}" in page
    assert "warpbench run my-run/spec.yaml --out results/again/my-run" in page
    assert str(tmp_path) not in page


def test_installed_by_itself_it_knows_the_checkout_of_a_run(installed: Path, tmp_path: Path) -> None:
    outcome(installed, tmp_path, "report", RUN, "--out", "report.html")
    page = (tmp_path / "report.html").read_text()
    assert f"warpbench run {RUN.relative_to(ROOT)}/spec.yaml" in page and "In the root of a checkout" in page


def test_every_file_tells_the_same_version() -> None:
    def found(file: str, pattern: str) -> str:
        match = re.search(pattern, (ROOT / file).read_text(), re.MULTILINE)
        assert match, f"{file}: no {pattern}"
        return match[1]

    version = found("plots/warpbench_plots/__init__.py", r'^__version__ = "(.*)"')
    assert found("plots/pyproject.toml", r'^version = "(.*)"') == version
    assert found("CITATION.cff", r"^version: (.*)") == version
    assert found("CMakeLists.txt", r"project\(\s*\w+[^)]*?VERSION ([0-9.]+)") == version
    # The newest release, or the first while there is none.
    assert found("CHANGELOG.md", r"(?:^## \[?|first release will be )([0-9]+\.[0-9]+\.[0-9]+)") == version
