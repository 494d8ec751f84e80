"""What choosers lose: which trials they are compared with, and the page that says so."""

from pathlib import Path
from typing import Any

import pytest
from builders import judgement, record, write_run
from warpbench_plots.cli import main
from warpbench_plots.results.run import by_experiment, read_run
from warpbench_plots.site.choosers import Choice, choices, drawing

Raw = dict[str, Any]


def found(tmp_path: Path, *records: Raw) -> list[Choice]:
    return choices(by_experiment([read_run(write_run(tmp_path / "run", records))]))


def auto(median: float, **changes: Any) -> Raw:
    return record("auto", median, counters={"chose_bmp": 1, "predicted_s_bmp": 0.5}, **changes)


def test_a_chooser_stands_beside_the_fastest_on_its_data(tmp_path: Path) -> None:
    (one,) = found(
        tmp_path,
        auto(3.0),
        record("merge", 2.0),
        record("bmp", 4.0),
        record("mps", 1.0, "friendster-like"),
        record("forward", 1.0, task={"k": 8}),
        record("bmp-gpu", 1.0, protocol={"include_transfers": False}),
        record("mps", None, status="timeout"),
    )
    assert (one.regret, one.chosen, one.fastest.solver.name) == (1.5, "bmp", "merge")


def test_a_chooser_alone_loses_nothing_that_is_known(tmp_path: Path) -> None:
    assert found(tmp_path, auto(3.0)) == []
    assert found(tmp_path, auto(3.0), record("auto", 1.0, parameters={"threads": 2})) == []


def test_a_search_is_compared_with_those_of_the_recall_that_is_wanted(tmp_path: Path) -> None:
    def search(solver: str, median: float, reached: float, **parameters: float) -> Raw:
        return record(solver, median, parameters=parameters, judgement=judgement(recall=reached))

    (one,) = found(
        tmp_path,
        search("auto", 2.0, 0.96, recall=0.95),
        search("ganns", 1.0, 0.94, explore=32),
        search("ganns", 1.6, 0.951, explore=64),
        search("ganns", 1.9, 0.99, explore=128),
    )
    assert one.regret == 1.25 and one.chosen is None
    assert found(tmp_path, search("auto", 2.0, 0.94, recall=0.95), search("ganns", 1.6, 0.951, explore=64)) == []


def test_hyset_with_given_techniques_chooses_a_split_alone(tmp_path: Path) -> None:
    def hyset(median: float, split: float, cpu: str = "ppjoin", threads: int = 1) -> Raw:
        return record("hyset-dichotomy", median, parameters={"cpu": cpu, "split": split, "threads": threads})

    others = [hyset(2.0, 0.5), hyset(1.5, 0.5, threads=2), hyset(1.2, 0.5, "allpairs"), record("bitmap", 1.0)]
    (one,) = found(tmp_path, hyset(3.0, -1), *others)
    assert one.regret == 1.5
    (one,) = found(tmp_path, hyset(3.0, -1, "auto"), *others)
    assert one.regret == 3.0


def test_the_largest_loss_of_a_problem_comes_first(tmp_path: Path) -> None:
    several = found(tmp_path, *(r for n in "abc" for r in (auto(1.0 + ord(n), dataset=n), record("bmp", 2.0, n))))
    assert [one.chooser.dataset.name for one in several] == ["c", "b", "a"]
    svg, png = drawing(several)
    assert "common neighbors (3)" in svg and png.startswith(b"\x89PNG")


def test_the_site_has_a_page_of_choosers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpbench_plots.site.write.plotly_script", lambda: None)
    run = write_run(tmp_path / "run", [auto(3.0), record("merge", 2.0)])
    main(["site", str(run), "--out", str(tmp_path / "site")])
    page = (tmp_path / "site" / "choosers.html").read_text()
    assert "0 of 1 choices lose a tenth or less." in page and "figures/choosers.svg" in page
    assert "choosers.html" in (tmp_path / "site" / "index.html").read_text()
    assert "bmp,false,3.0,merge" in (tmp_path / "site" / "choosers.csv").read_text()
    assert (tmp_path / "site" / "figures" / "choosers.png").is_file()
    write_run(tmp_path / "run", [record("merge", 2.0)])
    main(["site", str(run), "--out", str(tmp_path / "site")])
    assert not (tmp_path / "site" / "choosers.html").exists()
