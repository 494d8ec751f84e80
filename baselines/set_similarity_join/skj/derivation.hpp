// Derivation: the answer of a set y out of that of a similar, earlier set x, which is answer-level skipping (bellas2022
// §4.1.2; after Wang et al. 2017). A set z that is similar to y is in the answer of x, or shares so few tokens with x
// that it must have some of those which y has and x has not:
//
//   |z ∩ (y \ x)| ≥ τ(y, z) − (τ(x, z) − 1) ≥ 1
//
// The sets of the answer of x need no index: their overlaps with x are known, and that with y differs by tokens in
// which x and y differ. The others are in the lists of y \ x, all of whose tokens but the most frequent have to be
// looked up, and there in a range of positions. Only a self-join can do so: of two collections, x is never joined with
// what y is joined with.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "baselines/set_similarity_join/skj/scratch_search.hpp"

namespace warpbench::similarity::skj {

class Derivation {
 public:
  /// All outlive it.
  Derivation(const OrderedSets& sets, const Bounds& bounds, const SizeBlockIndex& index);

  /// Before the first set of a solve. O(sets).
  void begin(bool whole_overlaps);

  /// Takes the answer of x, by ascending set and with whole overlaps. It outlives the calls that follow.
  void from(std::uint32_t x, std::span<const Similar> answer);

  /// Finds out what to look up for the answer of y, at `place` in that of x. Whether that costs less than `most`: a
  /// posting in the lists of y \ x, or a set of the answer of x, counts as one. O(tokens of x and y + blocks of lists).
  [[nodiscard]] bool plan(std::size_t place, std::uint64_t most);
  /// As planned: the later sets that are similar to y, in any order; of no y twice in a solve. A view, valid until the
  /// next call.
  [[nodiscard]] std::span<const Similar> answer();

  [[nodiscard]] std::uint64_t probed_postings() const { return probed_postings_; }

 private:
  /// A token of y at a position.
  struct Gained {
    datasets::Token token;
    std::uint32_t position;
  };

  /// Postings of sets of one size, whose overlap with y must be at least `required`.
  struct Range {
    std::span<const Posting> postings;
    std::uint32_t required;
  };

  void find_differences();
  [[nodiscard]] std::size_t looked_up(std::uint32_t size_of_z) const;
  [[nodiscard]] Range range_of(const SizeBlock& block, std::uint32_t position) const;
  void take_known();
  void search(const Range& range);
  [[nodiscard]] std::uint32_t size(std::uint32_t set) const {
    return static_cast<std::uint32_t>(sets_->sets.size(set));
  }

  const OrderedSets* sets_;
  Bounds bounds_;
  const SizeBlockIndex* index_;
  bool whole_overlaps_ = false;

  std::uint32_t x_ = 0;
  std::span<const Similar> of_x_;
  std::size_t place_ = 0;
  std::uint32_t y_ = 0;
  std::vector<Gained> gained_;         ///< y \ x, the rarest first
  std::vector<datasets::Token> lost_;  ///< x \ y
  std::vector<Range> ranges_;          ///< that are looked up
  std::vector<std::uint32_t> found_by_;
  std::vector<Similar> answer_;
  std::uint64_t probed_postings_ = 0;
};

}  // namespace warpbench::similarity::skj
