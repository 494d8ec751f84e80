// Queries of vectors in a second file.
#pragma once

#include "datasets/loaders/kind_rules.hpp"

namespace warpbench::datasets {

/// The rows of the queries' file become the queries of the points. Its metric is that of the points.
[[nodiscard]] const QueryRules& query_vector_rules();

}  // namespace warpbench::datasets
