// ScratchSearch: the answer of one set after the other by prefixes and positions (bellas2022 §4.1.2), with index-level
// skipping. Sets look for later ones, which are no smaller, so the overlap that a block demands only grows from set to
// set: a posting that fails the positional filter once fails for all later sets, and so do those behind it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "baselines/set_similarity_join/skj/size_block_index.hpp"
#include "solvers/set_similarity_join/prober.hpp"

namespace warpbench::similarity::skj {

/// A set of an answer. The overlap is whole where that was asked for; else it suffices.
struct Similar {
  std::uint32_t set;
  std::uint32_t overlap;

  friend bool operator==(const Similar&, const Similar&) = default;
};

/// Of one thread. A plain join looks at all postings of prefixes in the blocks that it reaches.
struct ProbeCounters {
  std::uint64_t probed_postings = 0;
  std::uint64_t skipped_postings = 0;  ///< those of them that index-level skipping did not look at
  std::uint64_t skipped_blocks = 0;    ///< how often some postings of a block were skipped
};

class ScratchSearch {
 public:
  /// All outlive it.
  ScratchSearch(const OrderedSets& sets, const Bounds& bounds, const SizeBlockIndex& index);

  /// Before the first set of a solve. O(blocks).
  void begin(bool index_skipping, bool whole_overlaps);

  /// The later sets that are similar to this one, in any order. Sets come in ascending order, none of them twice. A
  /// view, valid until the next call.
  [[nodiscard]] std::span<Similar> answer(std::uint32_t set);

  [[nodiscard]] const ProbeCounters& counters() const { return counters_; }

 private:
  /// What is left of a block of the index.
  struct LiveBlock {
    std::uint32_t size;
    std::uint32_t live;    ///< its first postings, which may pass
    std::uint32_t prefix;  ///< as in SizeBlock
  };

  void prefetch(const Candidate& candidate) const;
  void demand_overlaps(std::uint32_t size);
  void probe(std::uint32_t set, std::uint32_t position);
  void scan(std::uint64_t block, std::uint32_t set, std::uint32_t position, std::uint32_t required);

  const OrderedSets* sets_;
  Bounds bounds_;
  const SizeBlockIndex* index_;
  std::uint32_t largest_size_ = 0;
  bool index_skipping_ = true;
  bool whole_overlaps_ = false;

  std::vector<LiveBlock> live_;
  std::vector<std::uint32_t> dead_;      ///< of each token: its first blocks, of sets too small from now on
  std::vector<std::uint32_t> found_by_;  ///< of each set: the last set that found it
  std::uint32_t probing_size_ = 0;
  std::vector<std::uint32_t> required_;  ///< min_overlap() of probing_size_ with it, with the next size, …
  std::vector<Candidate> candidates_;
  std::vector<Similar> answer_;
  ProbeCounters counters_;
};

}  // namespace warpbench::similarity::skj
