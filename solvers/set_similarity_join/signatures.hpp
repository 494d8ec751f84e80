// Signatures: some bits of each set that bound how much two sets differ (the bitmap filter of bellas2022 §4.1.2), as
// one more filter on the CPU, which is beyond the document. A bit is the parity of the tokens that hash to it, so that
// common tokens cancel out, and large sets do not fill it.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/set_similarity_join/bounds.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"

namespace warpbench::similarity {

struct Signatures {
  int words = 0;  ///< of 64 bits for each set: 1, 2 or 4
  std::vector<std::uint64_t> bits;

  [[nodiscard]] const std::uint64_t* of(std::int64_t set) const {
    return bits.data() + static_cast<std::size_t>(set) * static_cast<std::size_t>(words);
  }
  [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(bits.size() * sizeof(std::uint64_t)); }
};

/// The fewest words that tell most sets of mean size apart from those that share only few tokens.
[[nodiscard]] int words_for(const OrderedSets& sets, const Bounds& bounds);

/// In the memory of earlier ones; O(tokens).
void rebuild(Signatures& signatures, const OrderedSets& sets, int words, int threads);

}  // namespace warpbench::similarity
