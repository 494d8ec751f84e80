// The technique that the document finds best on a device for sets and a threshold like these (bellas2022 Figure 5.16).
#pragma once

#include <string>

#include "solvers/set_similarity_join/bounds.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"

namespace warpbench::similarity {

/// The id of a technique. Numbers of sets are taken for 10^5, 10^6 or 10^7, whichever is nearest by ratio. Where two
/// names share a cell, the number of distinct tokens decides. Where the cell has the CPU alone, HySet still has a
/// device to use: fgssjoin, which stands in the cells beside it.
[[nodiscard]] std::string technique_by_table(const OrderedSets& sets, const Bounds& bounds);

}  // namespace warpbench::similarity
