#include "algorithms/set_similarity_join/dense/fgssjoin_matrix.cuh"

#include "algorithms/set_similarity_join/engine/device_pair_sink.cuh"
#include "algorithms/set_similarity_join/engine/overlap.cuh"

namespace warpbench::similarity {
namespace {

/// A thread a candidate: the length filter, then a merge.
__global__ void __launch_bounds__(LaunchShape::kMaxThreads)
    verify_counted(CountMatrix counts, SetsView sets, Bounds bounds, PairSinkView sink, View<Total> candidates) {
  PairTally tally;
  Total counted = 0;
  for_each_counted(counts, [&](std::int64_t i, std::int64_t j, std::uint32_t /*partial_overlap*/) {
    ++counted;
    const std::uint32_t smaller = sets.size(i);
    const std::uint32_t larger = sets.size(j);
    if (!sets.joins(i, j) || smaller < bounds.min_size(larger)) return;
    const std::uint32_t required = bounds.min_overlap(smaller, larger);
    const std::uint32_t overlap = merged_overlap(sets.set(i), sets.set(j), required, sink.wants_overlap());
    if (overlap >= required) tally.take(sink, sets, i, j, overlap);
  });
  tally.finish(sink);
  block::accumulate(candidates[0], counted);
}

}  // namespace

void FgssjoinMatrix::select(const CountMatrix& counts, const SetsView& sets, const PairSinkView& sink,
                            View<Total> candidates, Stream& stream) {
  launch(verify_counted, shape().row_grid(verify_counted, counts.rows.size()), stream, counts, sets, bounds(), sink,
         candidates);
}

}  // namespace warpbench::similarity
