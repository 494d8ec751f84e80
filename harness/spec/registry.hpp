// Registry: the datasets described in datasets/registry/*.yaml. configs/README.md has the grammar of an entry.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "datasets/source.hpp"
#include "harness/spec/home.hpp"
#include "harness/spec/yaml_tree.hpp"

namespace warpbench::harness {

using Registry = std::map<std::string, datasets::Source>;

/// Reads all entries of the *.yaml files in `folder`; names are unique over all files. Throws SpecError at the first
/// malformed entry, or one that datasets::validate() refuses.
[[nodiscard]] Registry read_registry(const std::filesystem::path& folder);

/// The registry in `folder`/datasets/registry, read once for each folder.
[[nodiscard]] const Registry& registry(const std::filesystem::path& folder = home());

[[nodiscard]] std::vector<std::string> names_of(const Registry& registry);

/// A parameter of a generator or a transform; true and false become 1 and 0. Throws SpecError.
[[nodiscard]] datasets::Property read_property(const YamlNode& node, const std::string& what);
/// A map of such parameters. Throws SpecError.
[[nodiscard]] datasets::Properties read_properties(const YamlNode& map, const std::string& what);
/// The text of a format's option. A list is its entries between commas, as option `columns` has them. Throws SpecError.
[[nodiscard]] std::string read_option(const YamlNode& node, const std::string& what);
/// `options:` of a format, with values as written. Throws SpecError.
[[nodiscard]] datasets::Options read_options(const YamlNode& map, const std::string& what);
/// `queries:` beside a file of vectors or of a labelled graph, `test:` beside one of ratings, `s:` beside one of a
/// relation: the keys of a file, `match` and `first`. A missing `format` is that of the data. Without `file`, which
/// then requires `member`, the queries are in the data's own file. `of` names the dataset in messages. Throws
/// SpecError.
[[nodiscard]] datasets::QueriesSource read_queries(const YamlEntry& entry, const std::string& of,
                                                   const datasets::FileSource& points);
/// `transforms:`, a list of names or of one-key maps from name to parameters. Throws SpecError.
[[nodiscard]] std::vector<datasets::TransformSource> read_transforms(const YamlNode& list);

}  // namespace warpbench::harness
