// Verifier: the verification of one thread (bellas2022 Algorithm 4.1): which candidates are similar.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/set_similarity_join/pair_sink.hpp"
#include "solvers/set_similarity_join/prober.hpp"

namespace warpbench::similarity {

class Verifier {
 public:
  /// `sets` outlive it.
  Verifier(const OrderedSets& sets, const Bounds& bounds) : sets_(&sets), bounds_(bounds) {}

  /// Hands the pair of `probe` and the candidate, which is no larger, to `sink` if it is similar. O(tokens of both).
  void verify(std::int64_t probe, const Candidate& candidate, PairSink& sink) {
    const std::span<const datasets::Token> larger = sets_->sets.set(probe);
    const std::span<const datasets::Token> smaller = sets_->sets.set(candidate.set);
    const std::uint32_t required = required_overlap(larger.size(), smaller.size());
    const std::uint32_t overlap = verified_overlap(larger, smaller, candidate, required, sink.wants_overlap());
    if (overlap > 0) sink.add(probe, candidate.set, overlap);
  }

  /// Asks for the memory of candidates some places behind the first, which is verified now: where their tokens lie, and
  /// half as far ahead, the tokens.
  void prefetch(std::span<const Candidate> candidates) const {
    const Candidate& far = candidates[std::min(2 * kAhead, candidates.size() - 1)];
    const Candidate& near = candidates[std::min(kAhead, candidates.size() - 1)];
    __builtin_prefetch(sets_->sets.offsets.data() + far.set);
    __builtin_prefetch(sets_->sets.tokens.data() + sets_->sets.offsets[near.set] + near.position);
  }

 private:
  static constexpr std::size_t kAhead = 8;

  /// Divisions, and roots, once for each two sizes that follow each other often.
  [[nodiscard]] std::uint32_t required_overlap(std::size_t larger, std::size_t smaller) {
    if (larger != larger_) {
      larger_ = larger;
      least_ = bounds_.min_size(static_cast<std::uint32_t>(larger));
      required_.assign(larger - least_ + 1, 0);
    }
    std::uint32_t& required = required_[smaller - least_];
    if (required == 0) {
      required = bounds_.min_overlap(static_cast<std::uint32_t>(larger), static_cast<std::uint32_t>(smaller));
    }
    return required;
  }

  const OrderedSets* sets_;
  Bounds bounds_;
  std::size_t larger_ = 0;
  std::size_t least_ = 0;
  std::vector<std::uint32_t> required_;  // τ with each size from `least_` on; 0: not computed yet
};

}  // namespace warpbench::similarity
