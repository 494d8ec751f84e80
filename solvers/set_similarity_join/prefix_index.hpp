// PrefixIndex: the inverted lists of the index prefixes of some consecutive sets (bellas2022 §4.1.2, §5.4.4): two
// arrays, lists one after the other and where each begins.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/set_similarity_join/blocks.hpp"
#include "solvers/set_similarity_join/bounds.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"

namespace warpbench::similarity {

/// A set that has a token at a place of its index prefix.
struct Posting {
  std::uint32_t set;
  std::uint32_t position;
};

struct PrefixIndex {
  SetRange sets;
  std::vector<std::uint32_t> offsets;  ///< distinct_tokens + 1
  std::vector<Posting> postings;       ///< of each token by ascending set

  [[nodiscard]] std::span<const Posting> list(datasets::Token token) const {
    return std::span(postings).subspan(offsets[token], offsets[token + 1] - offsets[token]);
  }
};

/// On `threads` threads; O(tokens of prefixes + distinct tokens × threads).
[[nodiscard]] PrefixIndex prefix_index(const OrderedSets& sets, const Bounds& bounds, SetRange indexed, int threads);

}  // namespace warpbench::similarity
