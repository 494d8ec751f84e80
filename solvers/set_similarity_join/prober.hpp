// Prober: the filtering of one thread (bellas2022 Algorithm 4.1): the candidates of a set among smaller ones. It serves
// the joins of a CPU, the filter of the co-processing join, and the CPU's side of HySet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/set_similarity_join/prefix_index.hpp"

namespace warpbench::similarity {

enum class Filter {
  allpairs,  ///< prefixes and lengths
  ppjoin     ///< and positions of first matches
};

/// A set whose prefix shares tokens with the probing set's.
struct Candidate {
  std::uint32_t set;
  std::uint32_t overlap;         ///< of the two prefixes
  std::uint32_t probe_position;  ///< after the last common token of the prefixes
  std::uint32_t position;
};

class Prober {
 public:
  /// `sets` outlive it.
  Prober(const OrderedSets& sets, const Bounds& bounds, Filter filter);

  /// Of the sets in `index` with numbers below that of `probe`, and of the other side. A view, valid until the next
  /// call. O(lists of the probing prefix).
  [[nodiscard]] std::span<const Candidate> candidates(const PrefixIndex& index, std::int64_t probe);

 private:
  const OrderedSets* sets_;
  Bounds bounds_;
  Filter filter_;
  std::vector<std::uint32_t> place_of_;  ///< of a set among the candidates
  std::vector<Candidate> candidates_;
};

/// The overlap of two sets, or 0 as soon as it is known to be below `required`. Of sets that reach it, stops at
/// `required` unless `whole`. `from` and `known` begin the merge behind the prefixes. O(tokens of both).
[[nodiscard]] std::uint32_t verified_overlap(std::span<const datasets::Token> probe,
                                             std::span<const datasets::Token> set, const Candidate& candidate,
                                             std::uint32_t required, bool whole);

}  // namespace warpbench::similarity
