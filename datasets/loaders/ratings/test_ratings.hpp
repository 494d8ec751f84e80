// Test ratings in a second file.
#pragma once

#include "datasets/loaders/kind_rules.hpp"

namespace warpbench::datasets {

/// The ratings of the second file become the test ratings. Both files' ids mean the same users and items, and are
/// compacted together if the option `relabel` of the training file says so.
[[nodiscard]] const QueryRules& test_rating_rules();

}  // namespace warpbench::datasets
