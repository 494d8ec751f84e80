#include "algorithms/set_similarity_join/dense/fgssjoin_matrix.cuh"

#include "algorithms/set_similarity_join/engine/device_pair_sink.cuh"
#include "algorithms/set_similarity_join/engine/overlap.cuh"

namespace warpbench::similarity {
namespace {

/// Candidates of a warp on their way to verification: few pairs have a count, and each would else keep a warp busy
/// alone.
struct WaitingPairs {
  uint2 pairs[2 * kWarpSize];
};

/// By a warp, a candidate a lane: the length filter, then a merge.
__device__ __forceinline__ void verify_waiting(const SetsView& sets, const Bounds& bounds, const PairSinkView& sink,
                                               uint2 pair, PairTally& tally) {
  const std::int64_t i = pair.x;
  const std::int64_t j = pair.y;
  const std::uint32_t smaller = sets.size(i);
  const std::uint32_t larger = sets.size(j);
  if (!sets.joins(i, j) || smaller < bounds.min_size(larger)) return;
  const std::uint32_t required = bounds.min_overlap(smaller, larger);
  const std::uint32_t overlap = merged_overlap(sets.set(i), sets.set(j), required, sink.wants_overlap());
  if (overlap >= required) tally.take(sink, sets, i, j, overlap);
}

__global__ void __launch_bounds__(LaunchShape::kMaxThreads)
    verify_counted(CountMatrix counts, SetsView sets, Bounds bounds, PairSinkView sink, View<Total> candidates) {
  __shared__ WaitingPairs waiting_of_warps[LaunchShape::kMaxThreads / kWarpSize];
  uint2* const waiting = waiting_of_warps[block::warp_rank()].pairs;
  int size = 0;
  PairTally tally;
  Total counted = 0;
  for_each_counted(counts, [&](std::int64_t i, std::int64_t j, std::uint32_t partial_overlap) {
    const bool is_candidate = partial_overlap != 0;
    counted += is_candidate ? 1 : 0;
    const warp::Slot place = warp::compact(is_candidate);
    if (is_candidate) waiting[size + place.index] = {static_cast<unsigned>(i), static_cast<unsigned>(j)};
    size += place.count;
    if (size < kWarpSize) return;
    size -= kWarpSize;
    __syncwarp();
    const uint2 pair = waiting[size + warp::lane()];
    __syncwarp();
    verify_waiting(sets, bounds, sink, pair, tally);
  });
  __syncwarp();
  if (warp::lane() < size) verify_waiting(sets, bounds, sink, waiting[warp::lane()], tally);
  tally.finish(sink);
  if (!sink.is_second_try) block::accumulate(candidates[0], counted);
}

}  // namespace

void FgssjoinMatrix::select(const CountMatrix& counts, const SetsView& sets, const PairSinkView& sink,
                            View<Total> candidates, Stream& stream) {
  launch(verify_counted, shape().row_grid(verify_counted, counts.rows.size()), stream, counts, sets, bounds(), sink,
         candidates);
}

}  // namespace warpbench::similarity
