// Strips: a pair of blocks in parts, so that the candidates of a part find room even if all its pairs are candidates.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "solvers/set_similarity_join/blocks.hpp"
#include "solvers/set_similarity_join/bounds.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"

namespace warpbench::similarity {

/// Some sets, and those to probe with: a rectangle of the matrix of all pairs.
struct Strip {
  SetRange sets;
  SetRange probes;

  [[nodiscard]] std::int64_t pairs() const { return sets.count() * probes.count(); }
};

/// Strips take so many probing sets at once, or a multiple of it.
inline constexpr std::int64_t kStripUnit = 128;

/// All `probes` with the sets that `sets_of` gives for some of them, in strips of at most `capacity` pairs, as large as
/// that allows. `capacity` is at least kStripUnit, or the number of all pairs.
[[nodiscard]] std::vector<Strip> strips_of(const SetRange& probes, std::int64_t capacity,
                                           const std::function<SetRange(const SetRange&)>& sets_of);

/// The sets of a pair's smaller block that some of `probes` can be similar to and that do not come after them all: the
/// length filter of a strip.
[[nodiscard]] SetRange similar_by_size(const BlockPair& pair, const SetRange& probes, const OrderedSets& sets,
                                       const Bounds& bounds);

}  // namespace warpbench::similarity
