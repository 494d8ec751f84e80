// Prober: the filtering of one thread (bellas2022 Algorithm 4.1): the candidates of a set among smaller ones. It serves
// the joins of a CPU, the filter of the co-processing join, and the CPU's side of HySet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/set_similarity_join/prefix_index.hpp"
#include "solvers/set_similarity_join/signatures.hpp"

namespace warpbench::similarity {

enum class Filter {
  allpairs,  ///< prefixes and lengths
  ppjoin     ///< and positions of first matches
};

/// A set whose index prefix shares a token with the probing prefix.
struct Candidate {
  std::uint32_t set;
  std::uint32_t overlap;         ///< of the first `probe_position` tokens of the one and `position` of the other
  std::uint32_t probe_position;  ///< behind the last common token that filtering has looked at
  std::uint32_t position;
};

/// Beyond the document's filters.
struct ProberOptions {
  const Signatures* signatures = nullptr;  ///< outlive the prober; leave out sets that differ by too many bits
  bool checks_sides = true;                ///< whether sets of one side are no candidates of each other
};

class Prober {
 public:
  /// `sets` outlive it. Memory: 4 bytes a set. O(sets).
  Prober(const OrderedSets& sets, const Bounds& bounds, Filter filter, ProberOptions options = {});

  /// Of the sets in `index` with numbers below that of `probe`, and of the other side. A view, valid until the next
  /// call of any function. O(lists of the probing prefix); fastest where probes of one index ascend.
  [[nodiscard]] std::span<const Candidate> candidates(const PrefixIndex& index, std::int64_t probe) {
    clear();
    add(index, probe);
    return all();
  }

  /// For candidates of several probes, one after the other: forgets all; adds those of a probe, and returns how many.
  void clear() { count_ = 0; }
  std::size_t add(const PrefixIndex& index, std::int64_t probe);
  [[nodiscard]] std::span<const Candidate> all() const { return std::span(candidates_).first(count_); }

 private:
  /// What a probe of the present size demands of the sets of a size.
  struct Demand {
    std::uint32_t end;       // of the sets of this size
    std::uint32_t required;  // τ
    std::uint32_t reach;     // the last position of a first match
    std::uint32_t allowed;   // bits in which signatures may differ
  };
  struct Scan;  // prober.cpp

  void turn_to(std::int64_t probe);
  void turn_to(const PrefixIndex& index, std::uint32_t first);
  [[nodiscard]] std::uint32_t start_of(const PrefixIndex& index, datasets::Token token, std::uint32_t first);
  template <bool kPositional, int kWords>
  void scan(std::span<const Posting> list, const Scan& scan);

  const OrderedSets* sets_;
  Bounds bounds_;
  Filter filter_;
  ProberOptions options_;
  void (Prober::*scan_)(std::span<const Posting>, const Scan&);
  std::vector<std::uint32_t> sizes_;   // those that sets have
  std::vector<std::uint32_t> firsts_;  // the first set of each, and the number of sets

  std::size_t size_ = 0;  // of the last probe, its place in sizes_
  std::uint32_t prefix_ = 0;
  std::uint32_t smallest_ = 0;   // the first set that is not too small
  std::vector<Demand> demands_;  // of sets from there up to the probe's size

  // Where the lists of an index begin for probes from a size on: where they are long, their beginnings are passed once.
  std::uint64_t build_ = 0;
  std::uint32_t passed_ = 0;
  bool keeps_starts_ = false;
  std::vector<std::uint32_t> starts_;

  std::vector<std::uint32_t> place_of_;  // of a set, 1 + its place among the candidates of this probe; or 0
  std::vector<Candidate> candidates_;
  std::size_t count_ = 0;
};

/// The overlap of two sets, or 0 as soon as it is known to be below `required`. Of sets that reach it, stops at
/// `required` unless `whole`. The merge begins where the candidate says. O(tokens of both).
[[nodiscard]] std::uint32_t verified_overlap(std::span<const datasets::Token> probe,
                                             std::span<const datasets::Token> set, const Candidate& candidate,
                                             std::uint32_t required, bool whole);

}  // namespace warpbench::similarity
