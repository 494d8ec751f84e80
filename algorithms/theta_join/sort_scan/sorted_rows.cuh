// The kernels of sort-scan's select.
#pragma once

#include <cstdint>

#include "algorithms/theta_join/sort_scan/matches.cuh"
#include "algorithms/theta_join/sort_scan/rank_rows.cuh"
#include "device/digest.cuh"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/search.cuh"
#include "device/warp.cuh"
#include "problems/theta_join/rows.hpp"

namespace warpbench::theta {

struct SortedTuning {
  static constexpr int kThreads = 256;
  static constexpr int kWarps = kThreads / kWarpSize;
  /// Rows that a warp gathers in shared memory, to write them 16 bytes a lane.
  static constexpr int kTileRows = 128;
  static constexpr int kTileWords = kTileRows * 3;
  static constexpr std::int64_t kTileBytes = kTileRows * std::int64_t{sizeof(Row)};
  static constexpr std::int64_t kWarpRows = 8 * kTileRows;
  static constexpr std::int64_t kMaxBlocks = 4096;
};

/// The tuples of sorted S that match a tuple of R in one condition: from `start` on, where the first tuple follows the
/// last one.
struct SortedJoin {
  View<const std::int32_t> r_a;
  View<const FieldsOfS> s;  ///< sorted
  View<const std::int32_t> starts;

  /// The place in S of the `nth` match from `start` on. Both are below 2^31, so that 32 bits hold their sum.
  [[nodiscard]] __device__ __forceinline__ FieldsOfS match(std::int32_t start, std::int64_t nth) const {
    const auto size = static_cast<std::uint32_t>(s.size());
    const std::uint32_t at = static_cast<std::uint32_t>(start) + static_cast<std::uint32_t>(nth);
    return s[at < size ? at : at - size];
  }
};

/// Counts the matches of a tuple of R in one condition, and keeps where they start. O(log |S|).
struct RangeOfTuple {
  Comparison comparison;
  View<const std::int32_t> r_keys;
  View<const std::int32_t> s_keys;  ///< ascending
  View<std::int32_t> starts;

  __device__ __forceinline__ std::int64_t operator()(std::int64_t r) const {
    const Matches matches = matches_of(comparison, r_keys[r], s_keys);
    const std::int64_t size = matches.range.size();
    starts[r] = static_cast<std::int32_t>(matches.all_others ? matches.range.end : matches.range.begin);
    return matches.all_others ? s_keys.size() - size : size;
  }
};

/// A part of all rows. The last one counts all that are left, so that the host sees if they are more than its size.
struct PartOfRows {
  std::int64_t first;
  std::int64_t size;
  bool is_last;

  /// The rows to write, where there are `total` in all.
  [[nodiscard]] __device__ __forceinline__ std::int64_t written(std::int64_t total) const {
    return total - first < size ? total - first : size;
  }
  [[nodiscard]] __device__ __forceinline__ std::int64_t counted(std::int64_t total) const {
    return is_last ? total - first : size;
  }
};

/// The rows of one tuple of R: [begin, end) of all rows.
struct RowsOfTuple {
  std::int64_t r;
  std::int64_t begin;
  std::int64_t end;
  std::int32_t a;
  std::int32_t start;

  __device__ __forceinline__ RowsOfTuple(const SortedJoin& join, View<const std::int64_t> places, std::int64_t tuple)
      : r(tuple), begin(places[tuple]), end(places[tuple + 1]), a(join.r_a[tuple]), start(join.starts[tuple]) {}

  [[nodiscard]] __device__ __forceinline__ Row row(const SortedJoin& join, std::int64_t number) const {
    const FieldsOfS fields = join.match(start, number - begin);
    return {a, fields.a, fields.x};
  }
};

/// The tuple of R whose rows, given that they begin at `places`, include row `number`; it is `from` or a later one.
__device__ __forceinline__ std::int64_t tuple_of_row(View<const std::int64_t> places, std::int64_t from,
                                                     std::int64_t number) {
  return from + upper_bound(places.data() + from, places.size() - from, number) - 1;
}

/// Writes the rows of a part. Warps share them evenly, however many each tuple of R has, and write whole sectors: a
/// tile is gathered in shared memory first.
__global__ void __launch_bounds__(SortedTuning::kThreads)
    rows_kernel(SortedJoin join, View<const std::int64_t> places, PartOfRows part, View<Row> rows,
                View<DigestWord> count) {
  using Tuning = SortedTuning;
  auto* const tile_words = dynamic_shared<std::int32_t>() + warp::rank() * Tuning::kTileWords;
  auto* const tile_quads = reinterpret_cast<const uint4*>(tile_words);
  const View<uint4> quads(reinterpret_cast<uint4*>(rows.data()), rows.bytes() / std::int64_t{sizeof(uint4)});
  const View<std::int32_t> words(reinterpret_cast<std::int32_t*>(rows.data()), 3 * rows.size());

  const std::int64_t total = places[places.size() - 1];
  const std::int64_t row_count = part.written(total);
  const std::int64_t first_row = part.first;
  if (grid::index() == 0) count[0] = static_cast<DigestWord>(part.counted(total));
  const std::int64_t begin = (block::index() * Tuning::kWarps + warp::rank()) * Tuning::kWarpRows;
  if (begin >= row_count) return;
  const std::int64_t end = row_count - begin < Tuning::kWarpRows ? row_count : begin + Tuning::kWarpRows;
  const std::int64_t last = first_row + end - 1;
  RowsOfTuple shared(join, places, tuple_of_row(places, 0, first_row + begin));
  for (std::int64_t tile = begin; tile < end; tile += Tuning::kTileRows) {
    __syncwarp();  // the tile before is written
    for (int step = 0; step < Tuning::kTileRows; step += kWarpSize) {
      const std::int64_t next = first_row + tile + step;
      const std::int64_t number = next + warp::lane() < last ? next + warp::lane() : last;
      Row row;
      if (next + kWarpSize <= shared.end) {
        row = shared.row(join, number);
      } else {
        const RowsOfTuple own(join, places, tuple_of_row(places, shared.r, number));
        row = own.row(join, number);
        shared = RowsOfTuple(join, places, __shfl_sync(kFullMask, own.r, kWarpSize - 1));
      }
      std::int32_t* const place = tile_words + (step + warp::lane()) * 3;
      place[0] = row.r_a;
      place[1] = row.s_a;
      place[2] = row.s_x;
    }
    __syncwarp();
    if (end - tile >= Tuning::kTileRows) {
      const std::int64_t first_quad = tile / Tuning::kTileRows * (Tuning::kTileWords / 4);
#pragma unroll
      for (int i = 0; i < Tuning::kTileWords / 4; i += kWarpSize) {
        quads[first_quad + i + warp::lane()] = tile_quads[i + warp::lane()];
      }
    } else {
      for (const std::int64_t i : warp::strided(3 * (end - tile))) words[3 * tile + i] = tile_words[i];
    }
  }
}

/// Two conditions: the tuples of R, and those of S under both orders.
struct RankedJoin {
  Predicate theta;
  View<const std::int32_t> r_a;
  View<const std::int32_t> r_first;
  View<const std::int32_t> r_second;
  RankRowsView s;

  /// body(level, places) for the tuples of S that match a tuple of R.
  template <typename Body>
  __device__ __forceinline__ void for_each_run(std::int64_t r, const Body& body) const {
    s.for_each_run(theta, {r_first[r], r_second[r]}, body);
  }
};

/// Counts the matches of a tuple of R in two conditions. O(log |S|).
struct RunsOfTuple {
  RankedJoin join;

  __device__ __forceinline__ std::int64_t operator()(std::int64_t r) const {
    std::int64_t found = 0;
    join.for_each_run(r, [&](int /*level*/, Wavelet::Places places) { found += places.size(); });
    return found;
  }
};

/// Writes the rows of a part: a warp a tuple of R copies its runs.
__global__ void __launch_bounds__(SortedTuning::kThreads)
    copy_runs_kernel(RankedJoin join, View<const std::int64_t> places, PartOfRows part, View<Row> rows,
                     View<DigestWord> count) {
  const std::int64_t total = places[places.size() - 1];
  const std::int64_t row_count = part.written(total);
  const std::int64_t first_row = part.first;
  if (grid::index() == 0) count[0] = static_cast<DigestWord>(part.counted(total));
  for (const std::int64_t r : grid::per_warp(join.r_a.size())) {
    if (places[r + 1] <= first_row || places[r] >= first_row + row_count) continue;
    const std::int32_t a = join.r_a[r];
    std::int64_t next = places[r] - first_row;
    join.for_each_run(r, [&](int level, Wavelet::Places run) {
      const View<const FieldsOfS> fields = join.s.level(level);
      for (const std::int64_t i : warp::strided(run)) {
        const std::int64_t place = next + i - run.begin;
        if (place >= 0 && place < row_count) rows[place] = {a, fields[i].a, fields[i].x};
      }
      next += run.size();
    });
  }
}

}  // namespace warpbench::theta
