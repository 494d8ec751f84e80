// Published numbers of matches of query graphs: lines `NAME COUNT` or `NAME:COUNT`, where NAME is the name of a query's
// file, with or without its extension.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "datasets/loaders/text.hpp"

namespace warpbench::datasets {

/// Counts by the stems of the names.
using QueryCounts = std::map<std::string, std::uint64_t, std::less<>>;

/// A file's name up to its first dot.
[[nodiscard]] std::string_view stem_of(std::string_view name) noexcept;

/// Throws InputError with the line if a line is malformed or repeats a query, and if there are no lines.
[[nodiscard]] QueryCounts parse_query_counts(const Text& text);

}  // namespace warpbench::datasets
