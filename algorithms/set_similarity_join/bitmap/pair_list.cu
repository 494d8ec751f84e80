#include "algorithms/set_similarity_join/bitmap/pair_list.hpp"

#include "algorithms/set_similarity_join/engine/device_pair_sink.cuh"
#include "algorithms/set_similarity_join/engine/warp_overlap.cuh"
#include "device/kernel.hpp"
#include "device/ranges.cuh"

namespace warpbench::similarity {
namespace {

constexpr int kListThreads = 256;

__global__ void __launch_bounds__(kListThreads)
    verify_list_kernel(PairListView list, SetsView sets, Bounds bounds, PairSinkView sink) {
  PairTally tally;
  for (const std::int64_t at : grid::per_warp(static_cast<std::int64_t>(list.count[0]))) {
    const auto [set, probe] = list.pairs[at];
    const std::uint32_t required = bounds.min_overlap(sets.size(set), sets.size(probe));
    const std::uint32_t overlap = warp_overlap(sets.set(set), sets.set(probe), required, sink.wants_overlap());
    if (overlap >= required && warp::lane() == 0) tally.take(sink, sets, set, probe, overlap);
  }
  tally.finish(sink);
}

}  // namespace

void verify_by_warps(const PairListView& list, const SetsView& sets, const Bounds& bounds, const PairSinkView& sink,
                     Stream& stream) {
  // The host does not know how many pairs there are.
  Grid grid = warp_grid_for(list.pairs.size(), kListThreads, max_resident_blocks(verify_list_kernel, kListThreads));
  launch(verify_list_kernel, grid, stream, list, sets, bounds, sink);
}

}  // namespace warpbench::similarity
