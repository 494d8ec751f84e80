// How many matches query graphs have, as others published it: lines `NAME COUNT` or `NAME:COUNT`, where NAME is that of
// a query's file, with its extension or without.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "datasets/loaders/text.hpp"

namespace warpbench::datasets {

/// By the names' stems.
using QueryCounts = std::map<std::string, std::uint64_t, std::less<>>;

/// A file's name without what follows its first dot.
[[nodiscard]] std::string_view stem_of(std::string_view name) noexcept;

/// Throws InputError with the line that is none or that names a query again, and where there is no line.
[[nodiscard]] QueryCounts parse_query_counts(const Text& text);

}  // namespace warpbench::datasets
