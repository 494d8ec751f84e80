// SizeBlockIndex: the inverted lists of skj (bellas2022 §4.1.2; after Wang et al. 2017). A list has blocks of sets of
// equal size, small sizes first. The postings of a block ascend by position, so those that the positional filter lets
// through are its first ones, or a range of it.
//
// All tokens of all sets are indexed: a set that is similar through tokens outside its prefix has to be found where
// answers are derived. So one index serves every threshold, but for SizeBlock::prefix.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/set_similarity_join/bounds.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"
#include "solvers/set_similarity_join/prefix_index.hpp"

namespace warpbench::similarity::skj {

struct SizeBlock {
  std::uint64_t begin;   ///< its first posting
  std::uint32_t size;    ///< of its sets
  std::uint32_t prefix;  ///< how many of its postings lie within the probe prefixes of their sets
};

struct SizeBlockIndex {
  std::vector<std::uint64_t> lists;  ///< distinct_tokens + 1: the first block of each token
  std::vector<SizeBlock> blocks;     ///< and one more, which begins where the last one ends
  std::vector<Posting> postings;

  [[nodiscard]] std::span<const SizeBlock> list(datasets::Token token) const {
    return std::span(blocks).subspan(lists[token], lists[token + 1] - lists[token]);
  }
  /// `block` is one of `blocks`, not the last.
  [[nodiscard]] std::span<const Posting> postings_of(const SizeBlock& block) const {
    return std::span(postings).subspan(block.begin, (&block + 1)->begin - block.begin);
  }
  [[nodiscard]] std::int64_t bytes() const;
};

/// O(tokens of all sets).
[[nodiscard]] SizeBlockIndex size_block_index(const OrderedSets& sets, const Bounds& bounds);

}  // namespace warpbench::similarity::skj
