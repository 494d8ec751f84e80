// PrefixStarts: the tokens of each set that a join looks at, one set's after the other's: where those of each begin.
//
// Which tokens suffice: let i be no larger than j, and both similar, so that they share o >= τ(|i|, |j|) tokens. Tokens
// ascend, and behind the least common one both have o - 1 more that are common. So it is among the first |i| - o + 1 of
// i and among the first |j| - o + 1 of j. τ rises with either size. Hence
//
//   |i| - o + 1 <= |i| - τ(|i|, |i|) + 1                        as |j| >= |i|: Bounds::index_prefix(|i|)
//   |j| - o + 1 <= |j| - τ(min_size(|j|), |j|) + 1              as |i| >= min_size(|j|): Bounds::probe_prefix(|j|)
//
// The document says the same of an index of smaller sets, which larger ones probe (bellas2022 §4.1.2). Here larger sets
// are indexed and smaller ones probe (§5.1.1), so that the longer prefix is the index's and the shorter one probes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/buffer.hpp"
#include "solvers/set_similarity_join/blocks.hpp"
#include "solvers/set_similarity_join/bounds.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"

namespace warpbench::similarity {

enum class Prefix {
  towards_larger,   ///< the tokens that a set shows to sets that are no smaller
  towards_smaller,  ///< to sets that are no larger
  whole             ///< all
};

class PrefixStarts {
 public:
  explicit PrefixStarts(Prefix prefix) : prefix_(prefix) {}

  /// The sets outlive it. Throws OutOfDeviceMemory.
  void prepare(const OrderedSets& sets, const Bounds& bounds, Stream& stream);
  /// Enqueues the starts.
  void compute(const SetsView& sets, Stream& stream);

  /// On the device: tokens of the sets before each, and last of all; sets + 1.
  [[nodiscard]] View<const std::uint64_t> view(const SetsView& sets) const {
    return prefix_ == Prefix::whole ? sets.offsets : starts_.view();
  }
  /// On the host: the tokens of these sets.
  [[nodiscard]] std::int64_t tokens(SetRange sets) const;
  /// Of up to `block_size` sets in succession, wherever they begin.
  [[nodiscard]] std::int64_t most_tokens(std::int64_t block_size) const;

 private:
  Prefix prefix_;
  Bounds bounds_;
  std::vector<std::uint64_t> computed_starts_;
  std::span<const std::uint64_t> host_starts_;
  Buffer<std::uint64_t> lengths_;
  Buffer<std::uint64_t> starts_;
};

}  // namespace warpbench::similarity
