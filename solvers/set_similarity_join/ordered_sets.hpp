// OrderedSets: a collection as every join reads it (bellas2022 §4.1.1): tokens by ascending frequency, so that prefixes
// are rare tokens; sets by size, equally large ones in lexicographic order; without empty sets, which are similar to
// none. The document leaves this order out of its times.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/sets.hpp"
#include "problems/set_similarity_join/problem.hpp"
#include "solvers/set_similarity_join/bounds.hpp"

namespace warpbench::similarity {

struct OrderedSets {
  datasets::SetCollection sets;          ///< tokens 0 … tokens() - 1, the rarest first
  std::vector<std::uint32_t> originals;  ///< the numbers that these sets have in the collection
  std::vector<std::uint8_t> sides;       ///< 0: of the left collection, 1: of the right; empty in a self-join
  std::int64_t distinct_tokens = 0;

  [[nodiscard]] std::int64_t count() const { return sets.count(); }
  [[nodiscard]] bool is_self_join() const { return sides.empty(); }
  /// Whether two different sets are joined at all.
  [[nodiscard]] bool joins(std::int64_t i, std::int64_t j) const {
    return sides.empty() || sides[static_cast<std::size_t>(i)] != sides[static_cast<std::size_t>(j)];
  }
};

/// O(tokens log max_size + sets log sets × tokens compared).
[[nodiscard]] OrderedSets ordered(const SetSimilarityJoin::Input& input, int threads = 0);

[[nodiscard]] inline Bounds bounds_of(const SetSimilarityJoin::Input& input) {
  return {input.measure, input.threshold};
}

}  // namespace warpbench::similarity
