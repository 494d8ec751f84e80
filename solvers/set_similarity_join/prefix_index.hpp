// PrefixIndex: the inverted lists of the index prefixes of some consecutive sets (bellas2022 §4.1.2, §5.4.4): two
// arrays, lists one after the other and where each begins.
#pragma once

#include <compare>
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

  friend auto operator<=>(const Posting&, const Posting&) = default;
};

struct PrefixIndex {
  SetRange sets;
  std::uint64_t build = 0;             ///< another number after each build, whatever the index; 0: never built
  std::vector<std::uint32_t> offsets;  ///< distinct_tokens + 1
  std::vector<Posting> postings;       ///< of each token by ascending set

  [[nodiscard]] std::span<const Posting> list(datasets::Token token) const {
    return std::span(postings).subspan(offsets[token], offsets[token + 1] - offsets[token]);
  }
  [[nodiscard]] std::int64_t bytes() const {
    return static_cast<std::int64_t>(std::span(offsets).size_bytes() + std::span(postings).size_bytes());
  }
};

/// PrefixIndex::build of an index that is made now.
[[nodiscard]] std::uint64_t next_build();

/// On `threads` threads; O(tokens of prefixes + distinct tokens × threads). Throws Unsupported where there are 2^32
/// postings or more.
[[nodiscard]] PrefixIndex prefix_index(const OrderedSets& sets, const Bounds& bounds, SetRange indexed, int threads);

/// The same in the memory of an earlier index. `is_indexed`, where not empty, says of each set of the collection
/// whether it is in the index.
void rebuild(PrefixIndex& index, const OrderedSets& sets, const Bounds& bounds, SetRange indexed, int threads,
             std::span<const std::uint8_t> is_indexed = {});

}  // namespace warpbench::similarity
