// S from a second file.
#pragma once

#include "datasets/loaders/kind_rules.hpp"

namespace warpbench::datasets {

/// The tuples of the second file become S, in place of those of the first.
[[nodiscard]] const QueryRules& second_relation_rules();

}  // namespace warpbench::datasets
