// Kernels that join a table of partial matches with the candidates of one query edge, a row of the table at a time:
// what gsi2020 §I (Example 1) calls the two-step output scheme. A first kernel counts what each row gives, a prefix
// sum says where a row writes, a second kernel does the same join again and writes.
//
// A step is what a row is joined with. It says which slots a row looks at, which of them it accepts, and which vertex a
// slot adds to the row, if the step extends rows.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/edge_join/graph.cuh"
#include "device/block.cuh"
#include "problems/subgraph_matching/counting.hpp"

namespace warpbench::matching::edge_join {

/// Partial matches, row after row of `width` data vertices.
struct Rows {
  View<const Vertex> vertices;
  std::int64_t width = 0;

  __device__ __forceinline__ View<const Vertex> row(std::int64_t i) const { return vertices.subview(i * width, width); }
};

/// What is asked of a vertex that follows `row`, apart from edges.
struct Conditions {
  bool distinct = false;  ///< from all vertices of the row
  DeviceLabels labels;    ///< not read where nothing is wanted
  View<const Label> wanted;

  [[nodiscard]] WARPBENCH_HOST_DEVICE bool none() const { return !distinct && wanted.empty(); }
  __device__ __forceinline__ bool hold(View<const Vertex> row, Vertex v) const {
    for (std::int64_t i = 0; distinct && i < row.size(); ++i) {
      if (row[i] == v) return false;
    }
    return wanted.empty() || labels.hold(v, wanted);
  }
};

/// One query edge. Table: range(v), the slots of v's neighbours along the edge, ascending, and vertex(slot).
template <typename Table>
struct EdgeStep {
  Table table;
  std::int64_t from;      ///< the row's column that has the edge's near end
  std::int64_t to;        ///< the column of its far end; -1: the edge extends the row
  Conditions conditions;  ///< of the new vertex

  [[nodiscard]] WARPBENCH_HOST_DEVICE bool extends() const { return to < 0; }
  [[nodiscard]] WARPBENCH_HOST_DEVICE bool accepts_all() const { return !extends() || conditions.none(); }
  __device__ __forceinline__ Slots slots(View<const Vertex> row) const {
    const Slots all = table.range(row[from]);
    return extends() ? all : slot_of(all, row[to]);
  }
  __device__ __forceinline__ bool accepts(View<const Vertex> row, std::int64_t slot) const {
    return conditions.hold(row, table.vertex(slot));
  }
  __device__ __forceinline__ Vertex added(std::int64_t slot) const { return table.vertex(slot); }

 private:
  /// The one slot that has v, or none.
  __device__ __forceinline__ Slots slot_of(Slots range, Vertex v) const {
    std::int64_t low = range.begin;
    for (std::int64_t size = range.end - low; size > 0;) {
      const std::int64_t half = size / 2;
      const bool less = table.vertex(low + half) < v;
      low += less ? half + 1 : 0;
      size = less ? size - half - 1 : half;
    }
    const bool found = low < range.end && table.vertex(low) == v;
    return {low, found ? low + 1 : low};
  }
};

/// Keeps the rows whose last vertex satisfies conditions: a pass of its own over a table.
struct RowTest {
  Conditions conditions;

  [[nodiscard]] WARPBENCH_HOST_DEVICE bool extends() const { return false; }
  [[nodiscard]] WARPBENCH_HOST_DEVICE bool accepts_all() const { return conditions.none(); }
  __device__ __forceinline__ Slots slots(View<const Vertex> /*row*/) const { return {0, 1}; }
  __device__ __forceinline__ bool accepts(View<const Vertex> row, std::int64_t /*slot*/) const {
    return conditions.hold(row.first(row.size() - 1), row[row.size() - 1]);
  }
  __device__ __forceinline__ Vertex added(std::int64_t /*slot*/) const { return 0; }
};

/// The row of this thread, kLanes threads a row, of rows from `first` on.
template <int kLanes>
__device__ __forceinline__ std::int64_t row_of_thread(std::int64_t first) {
  return first + thread_of_grid() / kLanes;
}
template <int kLanes>
__device__ __forceinline__ int lane_of_row() {
  return static_cast<int>(threadIdx.x) % kLanes;
}

template <int kLanes, typename Step>
__device__ __forceinline__ std::int64_t count_of_row(const Step& step, View<const Vertex> row) {
  static_assert(kLanes == 1 || kLanes == kWarpSize);
  const Slots slots = step.slots(row);
  if (step.accepts_all()) return slots.end - slots.begin;
  std::int64_t count = 0;
  for (std::int64_t slot = slots.begin + lane_of_row<kLanes>(); slot < slots.end; slot += kLanes) {
    count += step.accepts(row, slot) ? 1 : 0;
  }
  if constexpr (kLanes > 1) count = warp::reduce_sum(count);
  return count;
}

/// The first of the two steps: counts[i] = what row i gives, of rows [first, last).
template <int kLanes, typename Step>
__global__ void __launch_bounds__(kThreads)
    count_rows_kernel(Step step, Rows rows, std::int64_t first, std::int64_t last, View<std::int64_t> counts) {
  const std::int64_t i = row_of_thread<kLanes>(first);
  if (i >= last) return;
  const std::int64_t count = count_of_row<kLanes>(step, rows.row(i));
  if (lane_of_row<kLanes>() == 0) counts[i] = count;
}

template <typename Step>
__device__ __forceinline__ void write_row(const Step& step, View<const Vertex> row, std::int64_t slot,
                                          View<Vertex> written) {
  for (std::int64_t c = 0; c < row.size(); ++c) written[c] = row[c];
  if (step.extends()) written[row.size()] = step.added(slot);
}

/// The second: the same join again, row i to places offsets[i] on; what is at `limit` or beyond is left out.
template <int kLanes, typename Step>
__global__ void __launch_bounds__(kThreads)
    write_rows_kernel(Step step, Rows rows, std::int64_t first, std::int64_t last, View<const std::int64_t> offsets,
                      std::int64_t limit, View<Vertex> written) {
  const std::int64_t i = row_of_thread<kLanes>(first);
  if (i >= last) return;
  const View<const Vertex> row = rows.row(i);
  const Slots slots = step.slots(row);
  const std::int64_t width = rows.width + (step.extends() ? 1 : 0);
  std::int64_t next = offsets[i];
  for (std::int64_t base = slots.begin; base < slots.end && next < limit; base += kLanes) {
    const std::int64_t slot = base + lane_of_row<kLanes>();
    const bool accepted = slot < slots.end && (step.accepts_all() || step.accepts(row, slot));
    warp::Slot place{0, accepted ? 1 : 0};
    if constexpr (kLanes > 1) place = warp::compact(accepted);
    if (accepted && next + place.index < limit) {
      write_row(step, row, slot, written.subview((next + place.index) * width, width));
    }
    next += place.count;
  }
}

/// What the vertices of a row, columns[i] the query vertex of its i-th, contribute to a match's digest.
__device__ __forceinline__ std::uint64_t parts_of_row(View<const Vertex> row, View<const Vertex> columns) {
  std::uint64_t parts = 0;
  for (std::int64_t c = 0; c < row.size(); ++c) parts += digest_part(columns[c], row[c]);
  return parts;
}

/// The last join where the matches themselves are not asked for: totals[0] += their number, totals[1] += their digests.
template <int kLanes, bool kDigest, typename Step>
__global__ void __launch_bounds__(kThreads)
    finish_rows_kernel(Step step, Rows rows, std::int64_t first, std::int64_t last, View<const Vertex> columns,
                       View<unsigned long long> totals) {
  const std::int64_t i = row_of_thread<kLanes>(first);
  unsigned long long found = 0;
  unsigned long long digest = 0;
  if (i < last && !kDigest) {
    const std::int64_t count = count_of_row<kLanes>(step, rows.row(i));
    found = lane_of_row<kLanes>() == 0 ? static_cast<unsigned long long>(count) : 0;
  }
  if (i < last && kDigest) {
    const View<const Vertex> row = rows.row(i);
    const std::uint64_t parts = parts_of_row(row, columns);
    const Slots slots = step.slots(row);
    for (std::int64_t slot = slots.begin + lane_of_row<kLanes>(); slot < slots.end; slot += kLanes) {
      if (!step.accepts_all() && !step.accepts(row, slot)) continue;
      ++found;
      digest += digest_of_match(step.extends() ? parts + digest_part(columns[rows.width], step.added(slot)) : parts);
    }
  }
  found = block::reduce_sum(found);
  if (threadIdx.x == 0) atomicAdd(&totals[0], found);
  if constexpr (kDigest) {
    digest = block::reduce_sum(digest);
    if (threadIdx.x == 0) atomicAdd(&totals[1], digest);
  }
}

}  // namespace warpbench::matching::edge_join
