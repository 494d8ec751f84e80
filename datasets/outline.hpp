// Outline: what is known of a dataset before it is read or generated.
#pragma once

#include <cstdint>
#include <optional>

#include "datasets/source.hpp"

namespace warpbench::datasets {

/// Numbers of the data that load() would give; those that only the data tell are absent.
struct Outline {
  std::optional<std::int64_t> queries;       ///< of vectors
  std::optional<std::int64_t> test_ratings;  ///< 0, or absent
  std::optional<std::int64_t> sets;
};

/// Reads and generates nothing. Throws like validate().
[[nodiscard]] Outline outline_of(const Source& source);

}  // namespace warpbench::datasets
