"""The published statistics of the registry are those that the documents' tables print."""

from itertools import product
from typing import Any

import pytest
from warpbench_plots.claims.stand_ins import FULL_SCALE, OFF_FACTOR, SCALE_FREE
from warpbench_plots.files import read_text, read_yaml
from warpbench_plots.locations import DATA, REGISTRY

# Of each table: the columns by the registry's names, and a factor for other units.
TABLES: dict[str, dict[str, tuple[str, float]]] = {
    "che2019-table-1": {
        "vertices": ("vertices", 1),
        "edges": ("edges", 1),
        "average_degree": ("avg_degree", 1),
        "max_degree": ("max_degree", 1),
    },
    "che2019-table-2": {"skewed_share": ("highly_skewed", 0.01)},
    "gsi2020-table-III": {
        name: (name, 1) for name in ("vertices", "edges", "vertex_labels", "edge_labels", "max_degree")
    },
    "gsi2020-table-IV": {
        "smallest_candidates": ("min_candidates_GSI", 1),
        "smallest_candidates_by_degree": ("min_candidates_GunrockSM", 1),
    },
    "yu2023-table-3.1": {
        "users": ("m", 1),
        "items": ("n", 1),
        "train_ratings": ("train_ratings", 1),
        "test_ratings": ("test_ratings", 1),
    },
    "yu2023-table-4.1": {"points": ("vertices", 1), "dimension": ("dimension", 1)},
    "yu2023-table-5.2": {
        "vertices": ("vertices", 1),
        "edges": ("edges", 1),
        "average_degree": ("avg_degree", 1),
        "vertex_labels": ("vertex_labels", 1),
        "max_degree": ("max_degree", 1),
    },
}
NAMES = {
    "LJ": "livejournal",
    "OR": "orkut",
    "WI": "web-it",
    "TW": "twitter",
    "FR": "friendster",
    "UQ_V": "uq-v",
    "Yahoo!Music": "yahoo-music",
    "US Patents": "patents",
}


def stand_ins(table: str, dataset: str) -> dict[str, dict[str, Any]]:
    """What the registry has as published of the stand-ins for one row's dataset, with and without queries."""
    name = NAMES.get(dataset, dataset.lower()) + "-like"
    entries = {key: entry for path in REGISTRY.glob("*.yaml") for key, entry in read_yaml(path).items()}
    kept = {key: entries[key] for key in (name, f"{name}-queries") if key in entries}
    if table == "gsi2020-table-IV":  # of the queries, not of the graph
        del kept[name]
    return {key: entry.get("published", {}) for key, entry in kept.items()}


@pytest.mark.parametrize("table", TABLES)
def test_stand_ins_have_the_statistics_of_the_table(table: str) -> None:
    printed = read_yaml(DATA / "tables" / f"{table}.yaml")
    for row in printed["rows"]:
        cells = dict(zip(printed["columns"], row, strict=True))
        found = stand_ins(table, cells["dataset"])
        assert found, cells["dataset"]
        expected = {name: pytest.approx(cells[column] * unit) for name, (column, unit) in TABLES[table].items()}
        for name, published in found.items():
            assert {key: published.get(key) for key in expected} == expected, name


def test_sets_have_the_sizes_of_the_table() -> None:
    printed = read_yaml(DATA / "tables" / "bellas2022-table-6.1.yaml")
    registry = read_yaml(REGISTRY / "sets.yaml")
    names = {"BMS": "bms-pos", "ENRON": "enron-words", "ORKUT": "orkut-groups", "TWITTER": "twitter-words"}
    suffixes = {10_000: "_10k", 50_000: "_50k", 100_000: ""}
    for dataset, cardinality, size, universe in printed["rows"]:
        source = dataset.partition("-")[0]
        published = registry[f"{names.get(source, source.lower())}-like"]["published"]
        assert published["mean_size" + suffixes[cardinality]] == size, dataset
        assert published["universe"] == universe, dataset


SIMILARITY_NAMES = {
    "BMS-POS": "bms-pos-full",
    "DBLP": "dblp-100k",
    "ENRON": "enron-full",
    "LIVEJOURNAL": "livejournal-sets",
    "ORKUT": "orkut-full",
    "TWITTER": "twitter-full",
}


@pytest.mark.parametrize("table", ["4.3", "5.2", "5.4"])
def test_sets_for_similarity_joins_have_the_statistics_of_the_table(table: str) -> None:
    printed = read_yaml(DATA / "tables" / f"bellas2022-table-{table}.yaml")
    registry = read_yaml(REGISTRY / "similarity_sets.yaml")
    for row in printed["rows"]:
        cells = dict(zip(printed["columns"], row, strict=True))
        source = cells["dataset"]
        name = SIMILARITY_NAMES.get(source, source.lower())
        if table == "5.4":
            name = f"{source.lower().replace('bms', 'bms-pos')}-{cells['factor']}"
        published = registry[f"{name}-like"]["published"]
        if not (table == "4.3" and source in ("BMS-POS", "KOSARAK")):  # Table 5.2 has more sets of these
            assert published["sets"] == cells["cardinality"], source
        assert published["mean_size"] == cells["avg_set_size"], source
        assert published["distinct_tokens"] == cells["distinct_elements"], source


def test_synthetic_sets_are_the_cross_product_of_the_table() -> None:
    printed = read_yaml(DATA / "tables" / "bellas2022-table-5.6.yaml")
    sizes, universes, means = (values for _, values in printed["rows"])
    registry = read_yaml(REGISTRY / "similarity_sets.yaml")
    found = {
        name: tuple(entry["published"][key] for key in ("sets", "distinct_tokens", "mean_size"))
        for name, entry in registry.items()
        if name.startswith("synthetic-")
    }
    assert sorted(found.values()) == sorted(product(sizes, universes, means))
    for name, (size, universe, mean) in found.items():
        assert name == f"synthetic-{size // 10**6}m-{universe // 1000}k-{mean}"
        parameters = registry[name]["parameters"]
        assert (parameters["sets"], parameters["universe"], parameters["mean_size"]) == (size, universe, mean)


def test_relations_have_the_selectivities_of_the_tables() -> None:
    registry = read_yaml(REGISTRY / "relations.yaml")
    printed = read_yaml(DATA / "tables" / "bellas2022-table-3.3.yaml")["caption"]
    found = [registry[f"theta-{level}"] for level in ("low", "medium", "high")]
    assert f"({', '.join(str(entry['published']['selectivity_greater']) for entry in found)})" in printed
    for entry in found:
        assert entry["parameters"]["selectivity"] == entry["published"]["selectivity_greater"]


def test_the_readme_names_what_a_stand_in_is_judged_by() -> None:
    readme = " ".join(read_text(REGISTRY / "README.md").split())
    assert "on the scale: " + ", ".join(f"`{name}`" for name in SCALE_FREE) + "." in readme
    assert all(f"`{name}`" in readme for name in FULL_SCALE)
    assert f"off by more than {OFF_FACTOR} x" in readme
