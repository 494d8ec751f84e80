// Kernels that join a table of partial matches with the candidates of one query edge, row by row, by the two-step
// output scheme (gsi2020 §I, Example 1). The first kernel counts the matches of each row, a prefix sum says where a row
// writes, and the second kernel does the same join again and writes.
//
// A step says which slots a row looks at, which of them it accepts and, if it extends rows, which vertex a slot adds.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/edge_join/graph.cuh"
#include "algorithms/subgraph_matching/match_digest.cuh"
#include "device/block.cuh"

namespace warpbench::matching::edge_join {

/// The conditions on a vertex that is to extend `row`, apart from edges.
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
  __device__ __forceinline__ SlotRange slots(View<const Vertex> row) const {
    const SlotRange all = table.range(row[from]);
    return extends() ? all : slot_of(all, row[to]);
  }
  __device__ __forceinline__ bool accepts(View<const Vertex> row, std::int64_t slot) const {
    return conditions.hold(row, table.vertex(slot));
  }
  __device__ __forceinline__ Vertex added(std::int64_t slot) const { return table.vertex(slot); }

 private:
  /// The one slot that has v, or none.
  __device__ __forceinline__ SlotRange slot_of(SlotRange range, Vertex v) const {
    std::int64_t low = range.begin;
    for (std::int64_t size = range.size(); size > 0;) {
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
  __device__ __forceinline__ SlotRange slots(View<const Vertex> /*row*/) const { return {0, 1}; }
  __device__ __forceinline__ bool accepts(View<const Vertex> row, std::int64_t /*slot*/) const {
    return conditions.hold(row.first(row.size() - 1), row[row.size() - 1]);
  }
  __device__ __forceinline__ Vertex added(std::int64_t /*slot*/) const { return 0; }
};

/// The rows [first, last) for this thread: kLanes neighbouring threads share a row.
template <int kLanes>
__device__ __forceinline__ auto rows_of_team(std::int64_t first, std::int64_t last) {
  static_assert(kLanes == 1 || kLanes == kWarpSize);
  if constexpr (kLanes == 1) return grid::strided<kThreads>(first, last);
  if constexpr (kLanes == kWarpSize) return grid::per_warp<kThreads>(first, last);
}
template <int kLanes>
__device__ __forceinline__ bool leads_team() {
  return warp::lane() % kLanes == 0;
}

/// {slot, inside} in rounds of a slot a lane.
template <int kLanes>
__device__ __forceinline__ auto slot_rounds(SlotRange slots) {
  if constexpr (kLanes == 1) return RoundsRange<std::int64_t>(slots, 0, 1);
  if constexpr (kLanes == kWarpSize) return warp::rounds(slots);
}
template <int kLanes>
__device__ __forceinline__ warp::Slot compact_in_team(bool accepted) {
  if constexpr (kLanes == 1) return {0, accepted ? 1 : 0};
  if constexpr (kLanes == kWarpSize) return warp::compact(accepted);
}

/// The number of matches that a row gives, in all its lanes.
template <int kLanes, typename Step>
__device__ __forceinline__ std::int64_t count_of_row(const Step& step, View<const Vertex> row) {
  const SlotRange slots = step.slots(row);
  if (step.accepts_all()) return slots.size();
  std::int64_t count = 0;
  for (const std::int64_t slot : warp::strided<kLanes>(slots)) count += step.accepts(row, slot) ? 1 : 0;
  if constexpr (kLanes > 1) count = warp::reduce_sum(count);
  return count;
}

/// The first of the two steps: counts[i] = what row i gives, of rows [first, last).
template <int kLanes, typename Step>
__global__ void __launch_bounds__(kThreads)
    count_rows_kernel(Step step, MatchTable table, std::int64_t first, std::int64_t last, View<std::int64_t> counts) {
  for (const std::int64_t i : rows_of_team<kLanes>(first, last)) {
    const std::int64_t count = count_of_row<kLanes>(step, table.row(i));
    if (leads_team<kLanes>()) counts[i] = count;
  }
}

template <typename Step>
__device__ __forceinline__ void write_row(const Step& step, View<const Vertex> row, std::int64_t slot,
                                          View<Vertex> written) {
  for (std::int64_t c = 0; c < row.size(); ++c) written[c] = row[c];
  if (step.extends()) written[row.size()] = step.added(slot);
}

/// The second: the same join again, row i to places offsets[i] on. Places from `limit` on are left out.
template <int kLanes, typename Step>
__global__ void __launch_bounds__(kThreads)
    write_rows_kernel(Step step, MatchTable table, std::int64_t first, std::int64_t last,
                      View<const std::int64_t> offsets, std::int64_t limit, View<Vertex> written) {
  const int width = table.width + (step.extends() ? 1 : 0);
  for (const std::int64_t i : rows_of_team<kLanes>(first, last)) {
    const View<const Vertex> row = table.row(i);
    std::int64_t next = offsets[i];
    for (const auto [slot, inside] : slot_rounds<kLanes>(step.slots(row))) {
      if (next >= limit) break;
      const bool accepted = inside && (step.accepts_all() || step.accepts(row, slot));
      const warp::Slot place = compact_in_team<kLanes>(accepted);
      const std::int64_t at = next + place.index;
      if (accepted && at < limit) write_row(step, row, slot, written.subview(at * width, width));
      next += place.count;
    }
  }
}

/// The number of matches, and the sum of their digests.
struct CountAndDigest {
  DigestWord count = 0;
  DigestWord digest = 0;
};

/// Adds the matches of a row's slots to this lane's sums. columns[c]: the query vertex of column c.
template <int kLanes, typename Step>
__device__ __forceinline__ void add_matches(const Step& step, View<const Vertex> row, View<const Vertex> columns,
                                            CountAndDigest& sums) {
  const std::uint64_t parts = digest_parts(row, columns);
  for (const std::int64_t slot : warp::strided<kLanes>(step.slots(row))) {
    if (!step.accepts_all() && !step.accepts(row, slot)) continue;
    const std::uint64_t added = step.extends() ? digest_part(columns[row.size()], step.added(slot)) : 0;
    ++sums.count;
    sums.digest += digest_of_match(parts + added);
  }
}

/// The last join where the matches themselves are not asked for: totals[0] += their number, totals[1] += their digests.
template <int kLanes, bool kDigest, typename Step>
__global__ void __launch_bounds__(kThreads)
    finish_rows_kernel(Step step, MatchTable table, std::int64_t first, std::int64_t last, View<const Vertex> columns,
                       View<DigestWord> totals) {
  CountAndDigest sums;
  for (const std::int64_t i : rows_of_team<kLanes>(first, last)) {
    if constexpr (kDigest) {
      add_matches<kLanes>(step, table.row(i), columns, sums);
    } else {
      const std::int64_t count = count_of_row<kLanes>(step, table.row(i));
      if (leads_team<kLanes>()) sums.count += static_cast<DigestWord>(count);
    }
  }
  block::accumulate(totals[0], sums.count);
  if constexpr (kDigest) block::accumulate(totals[1], sums.digest);
}

}  // namespace warpbench::matching::edge_join
