// A thread a pair (bellas2022 §5.1.1).
#include <algorithm>

#include "algorithms/set_similarity_join/bitmap/candidate_filters.cuh"
#include "device/block.cuh"
#include "device/kernel.hpp"
#include "device/ranges.cuh"

namespace warpbench::similarity {
namespace {

constexpr int kFlagThreads = 256;
constexpr std::int64_t kMaxRowsOfBlocks = 128;  ///< whose threads keep their set for many probing sets

__global__ void __launch_bounds__(kFlagThreads)
    flag_kernel(SignatureFilter filter, Strip strip, View<std::uint8_t> flags, View<std::uint32_t> counts,
                FilterCounters counters) {
  const std::int64_t column = grid::index<kFlagThreads>();
  const std::int64_t set = strip.sets.begin + column;
  const std::uint32_t largest = set < strip.sets.end ? filter.bounds.max_size(filter.sets.size(set)) : 0;
  Total compared = 0;
  Total candidates = 0;
  for (const std::int64_t row : grid::per_block<Axis::y>(strip.probes.count())) {
    const std::int64_t probe = strip.probes.begin + row;
    const bool is_compared = set < probe && filter.sets.size(probe) <= largest && filter.sets.joins(set, probe);
    const bool is_candidate = is_compared && filter.may_overlap(set, probe);
    if (is_candidate) flags[row * strip.sets.count() + column] = 1;
    const int found = __syncthreads_count(is_candidate ? 1 : 0);
    if (found > 0 && threadIdx.x == 0) atomicAdd(&counts[row], static_cast<std::uint32_t>(found));
    compared += is_compared ? 1 : 0;
    candidates += is_candidate ? 1 : 0;
  }
  if (!counters.counts) return;
  block::accumulate(counters.totals[0], candidates);
  block::accumulate(counters.totals[1], compared);
}

}  // namespace

void flag_candidates(const SignatureFilter& filter, const Strip& strip, View<std::uint8_t> flags,
                     View<std::uint32_t> counts, const FilterCounters& counters, Stream& stream) {
  const Dim3 blocks(ceil_div(strip.sets.count(), kFlagThreads), std::min(strip.probes.count(), kMaxRowsOfBlocks));
  launch(flag_kernel, Grid{blocks, kFlagThreads}, stream, filter, strip, flags, counts, counters);
}

}  // namespace warpbench::similarity
