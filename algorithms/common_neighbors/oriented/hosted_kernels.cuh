// The kernels of a graph with its rows in host memory (hosted.hpp).
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/counter/degree_order.hpp"
#include "algorithms/common_neighbors/counter/rows_of_tile.cuh"
#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "device/ranges.cuh"
#include "device/segments.cuh"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {

struct HostedTuning {
  static constexpr int kThreads = 256;
  static constexpr std::int64_t kChunkSlots = std::int64_t{1} << 24;  ///< copied at once at most, if no row is longer
};

/// Some rows whose slots are on the device.
struct RowChunk {
  View<const std::uint64_t> offsets;  ///< of all rows
  View<const std::uint32_t> degrees;  ///< of all vertices
  Extent<std::int64_t> rows;
  View<const std::uint32_t> slots;
  std::int64_t first_slot;

  /// Calls visit(u, forward, v, number of forward slots of u before the lane's) with the slots of each row, 32 at a
  /// time, by a warp a row; then done(u, number of forward slots of u).
  template <typename Visit, typename Done>
  __device__ __forceinline__ void for_each_slot(Visit visit, Done done) const {
    for (const std::int64_t i : grid::per_warp<HostedTuning::kThreads>(rows.size())) {
      const auto u = static_cast<std::uint32_t>(rows.begin + i);
      const Extent<std::int64_t> own = segment(offsets, u);
      std::uint32_t before = 0;
      for (const auto [slot, inside] : warp::rounds(own)) {
        const std::uint32_t v = inside ? slots[slot - first_slot] : 0;
        const bool forward = inside && comes_before(degrees[v], v, own.size(), u);
        const warp::Slot place = warp::compact(forward);
        visit(u, forward, v, before + static_cast<std::uint32_t>(place.index));
        before += static_cast<std::uint32_t>(place.count);
      }
      done(u, before);
    }
  }
};

/// out_degrees[i]: of the i-th row of the chunk; one more element, 0, for a scan.
__global__ void __launch_bounds__(HostedTuning::kThreads)
    count_forward(RowChunk chunk, View<std::uint32_t> out_degrees) {
  chunk.for_each_slot([](std::uint32_t, bool, std::uint32_t, std::uint32_t) {},
                      [&](std::uint32_t u, std::uint32_t forward) {
                        if (warp::lane() == 0) out_degrees[u - chunk.rows.begin] = forward;
                      });
  if (grid::index() == 0) out_degrees[chunk.rows.size()] = 0;
}

/// Continues the offsets of out-lists over the chunk's rows: the first row's is known, `starts` are relative to it.
__global__ void continue_offsets(Extent<std::int64_t> rows, View<const std::uint32_t> starts,
                                 View<std::uint32_t> out_offsets) {
  const std::uint32_t first = out_offsets[rows.begin];
  for (const std::int64_t i : grid::strided(1, rows.size() + 1)) out_offsets[rows.begin + i] = first + starts[i];
}

__global__ void __launch_bounds__(HostedTuning::kThreads)
    gather_rows(RowChunk chunk, View<const std::uint32_t> out_offsets, View<std::uint32_t> out_neighbors) {
  chunk.for_each_slot(
      [&](std::uint32_t u, bool forward, std::uint32_t v, std::uint32_t place) {
        if (forward) out_neighbors[out_offsets[u] + place] = v;
      },
      [](std::uint32_t, std::uint32_t) {});
}

/// One warp a tile: the counts of its slots, in mapped host memory, whose edges are counted in graph.counts. Rows and
/// counts cross the bus in whole lines.
__global__ void __launch_bounds__(SlotTuning::kThreads) fill_hosted_slots(OutGraph graph, View<std::uint32_t> counts) {
  for_each_slot_with_row(graph.row_offsets, counts.size(), [&](std::uint32_t u, std::int64_t slot, bool inside) {
    if (!inside) return;
    const std::uint32_t v = graph.rows[slot];
    const bool from_u = graph.is_from_first(slot, u, v);
    const Extent<std::uint32_t> list = graph.out_list(from_u ? u : v);
    if (!graph.counts.has_any_of(list)) return;
    const std::uint32_t edge = graph.find(list, from_u ? v : u);
    if (graph.counts.has(edge)) counts[slot] = graph.counts.of(edge);
  });
}

}  // namespace warpbench::common_neighbors
