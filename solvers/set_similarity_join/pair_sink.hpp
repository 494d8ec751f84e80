// PairSink: takes the similar pairs that one thread finds, and makes what the output asks for of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "problems/set_similarity_join/problem.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"

namespace warpbench::similarity {

class PairSink {
 public:
  /// `sets` outlive it.
  PairSink(const OrderedSets& sets, const SetSimilarityJoin::Input& input)
      : sets_(&sets), measure_(input.measure), output_(input.output) {}

  /// Whether add() needs the whole overlap; else one that suffices will do.
  [[nodiscard]] bool wants_overlap() const { return output_ == SetSimilarityJoin::Output::pairs; }

  /// Two similar sets of the ordered collection, in any order.
  void add(std::int64_t i, std::int64_t j, std::uint32_t overlap) {
    ++count_;
    if (output_ == SetSimilarityJoin::Output::count) return;
    const auto [a, b] =
        std::minmax(sets_->originals[static_cast<std::size_t>(i)], sets_->originals[static_cast<std::size_t>(j)]);
    if (output_ == SetSimilarityJoin::Output::digest) {
      digest_ += digest_of_pair(a, b);
    } else {
      const auto size = [&](std::int64_t set) { return static_cast<std::uint32_t>(sets_->sets.size(set)); };
      pairs_.push_back({a, b, value_of(measure_, overlap, size(i), size(j))});
    }
  }

  void clear() {
    count_ = 0;
    digest_ = 0;
    pairs_.clear();
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  /// Valid until the next add() or clear().
  [[nodiscard]] std::span<const Pair> pairs() const { return pairs_; }
  [[nodiscard]] std::span<Pair> pairs() { return pairs_; }

 private:
  const OrderedSets* sets_;
  Measure measure_;
  SetSimilarityJoin::Output output_;
  std::uint64_t count_ = 0;
  std::uint64_t digest_ = 0;
  std::vector<Pair> pairs_;
};

}  // namespace warpbench::similarity
