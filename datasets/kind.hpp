// The kinds of data a problem can ask for, and their names in specs and registry files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpbench::datasets {

/// A new kind needs a value here, its name in kind.cpp and its model in Data (dataset.hpp).
enum class Kind { None, Graph, LabelledGraph, GraphQueries, Ratings, Vectors, Sets, Relation, Text };

/// `graph`, `labelled_graph`, `ratings`, …
[[nodiscard]] std::string_view to_string(Kind kind) noexcept;

/// The names of all kinds but None.
[[nodiscard]] std::vector<std::string> kind_names();

/// The kind of that name, if there is one.
[[nodiscard]] std::optional<Kind> kind_from_string(std::string_view name) noexcept;

}  // namespace warpbench::datasets
