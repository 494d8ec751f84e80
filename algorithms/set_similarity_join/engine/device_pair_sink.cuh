// What kernels hand similar pairs to: the number and the digest add up in a thread's registers and go to memory once a
// block; pairs find their places by an atomic operation.
//
//   PairTally tally;
//   … tally.take(sink, sets, i, j, overlap);
//   tally.finish(sink);                          all threads of the block, once
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/engine/device_pair_sink.hpp"
#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/block.cuh"
#include "device/kernel.hpp"

namespace warpbench::similarity {

/// A thread's share.
struct PairTally {
  Total count = 0;
  Total digest = 0;

  /// Two similar sets, in any order.
  __device__ void take(const PairSinkView& sink, const SetsView& sets, std::int64_t i, std::int64_t j,
                       std::uint32_t overlap) {
    ++count;
    if (sink.output == SetSimilarityJoin::Output::count) return;
    const std::uint32_t of_i = sets.originals[i];
    const std::uint32_t of_j = sets.originals[j];
    const std::uint32_t a = of_i < of_j ? of_i : of_j;
    const std::uint32_t b = of_i < of_j ? of_j : of_i;
    digest += digest_of_pair(a, b);
    if (sink.output != SetSimilarityJoin::Output::pairs) return;
    const auto place = static_cast<std::int64_t>(atomicAdd(&sink.totals[2], Total{1}));
    if (place < sink.pairs.size()) {
      sink.pairs[place] = {a, b, value_of(sink.measure, overlap, sets.size(i), sets.size(j))};
    }
  }

  /// By all threads of a block.
  __device__ void finish(const PairSinkView& sink) const {
    block::accumulate(sink.totals[0], count);
    block::accumulate(sink.totals[1], digest);
  }
};

}  // namespace warpbench::similarity
