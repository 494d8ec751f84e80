// Parts of relations.
#pragma once

#include <cstdint>

#include "datasets/relations.hpp"

namespace warpbench::datasets {

/// The first `count` tuples, of which there must be as many. O(1): a view.
[[nodiscard]] Relation first_tuples(const Relation& relation, std::int64_t count);

/// The first `count` tuples of R and of S; 0: all. Throws InputError if one of them has fewer. O(1): views.
[[nodiscard]] Relations first_tuples(const Relations& relations, std::int64_t count);

}  // namespace warpbench::datasets
