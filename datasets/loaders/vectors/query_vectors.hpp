// Queries of vectors in a second file.
#pragma once

#include "datasets/loaders/kind_rules.hpp"

namespace warpbench::datasets {

/// The rows of the queries' file become the queries of the points and take their metric.
[[nodiscard]] const QueryRules& query_vector_rules();

}  // namespace warpbench::datasets
