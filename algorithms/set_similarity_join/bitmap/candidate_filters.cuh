// The two ways to compare the signatures of a strip: a thread a pair, into a matrix of flags as the document has it, or
// tile by tile, into a list.
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/bitmap/pair_list.hpp"
#include "algorithms/set_similarity_join/bitmap/signature_filter.cuh"
#include "algorithms/set_similarity_join/bitmap/strips.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"

namespace warpbench::similarity {

struct FilterCounters {
  View<Total> totals;  ///< candidates, and pairs of sets whose signatures were compared
  bool counts;         ///< not where a join is repeated
};

/// Sets flags[p * strip.sets.count() + s], which are 0 before, where set s of the strip is a candidate of its probing
/// set p, and adds to the number of candidates of p.
void flag_candidates(const SignatureFilter& filter, const Strip& strip, View<std::uint8_t> flags,
                     View<std::uint32_t> counts, const FilterCounters& counters, Stream& stream);

/// Sets and probing sets of a tile.
inline constexpr int kTileSets = kStripUnit;

/// Puts the candidates on the list, which has room for all pairs of the strip. Compared are all pairs of the tiles that
/// the lengths leave.
void list_candidates(const SignatureFilter& filter, const Strip& strip, const PairListView& list,
                     const FilterCounters& counters, Stream& stream);

}  // namespace warpbench::similarity
