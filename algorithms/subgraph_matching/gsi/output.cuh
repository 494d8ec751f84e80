// The output of a linking edge's kernel: a count alone, a row's buffer (buf_i), or at once the next intermediate table;
// and the write cache of a warp (gsi2020 §V).
#pragma once

#include <cstdint>

#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "device/warp.cuh"
#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::gsi {

/// buf_i of each row i: data[offsets[i] .. offsets[i] + counts[i]).
struct RowBuffers {
  View<const Vertex> data;
  View<const std::uint64_t> offsets;
  View<const std::uint32_t> counts;

  __device__ View<const Vertex> of(std::int64_t row) const {
    return data.subview(static_cast<std::int64_t>(offsets[row]), std::int64_t{counts[row]});
  }
};

enum class Destination { count, buffer, rows };

struct JoinOutput {
  Destination destination;
  View<Vertex> data;                  // of buffers; of rows, one vertex longer than the table's
  View<const std::uint64_t> offsets;  // where row i's part begins: an element of data, or a new row
  View<std::uint32_t> counts;         // count, buffer: how much was found for row i
  std::int64_t max_rows;              // rows: those beyond are not wanted

  /// `x` is the `position`-th of what was found for row i, whose vertices are `row`.
  __device__ void put(std::int64_t i, const Vertex* row, int width, std::int64_t position, Vertex x) const {
    if (destination == Destination::count) return;
    const std::int64_t place = static_cast<std::int64_t>(offsets[i]) + position;
    if (destination == Destination::buffer) {
      data[place] = x;
    } else if (place < max_rows) {
      const View<Vertex> extended = data.subview(place * (width + 1), width + 1);
      for (int c = 0; c < width; ++c) extended[c] = row[c];
      extended[width] = x;
    }
  }
  /// Writes the count of row i. One thread calls.
  __device__ void put_count(std::int64_t i, std::uint32_t count) const {
    if (destination != Destination::rows) counts[i] = count;
  }
  /// A 0 behind the last of `rows` counts, so that a scan ends with the total. All threads of the grid call.
  __device__ void end_counts(std::int64_t rows) const {
    if (grid::index() == 0) put_count(rows, 0);
  }
};

/// The output of a warp for one row, in order. With a write cache, 128 bytes of shared memory, elements of a buffer are
/// written 32 at a time. All lanes call.
class RowOutput {
 public:
  __device__ RowOutput(const JoinOutput& output, std::int64_t i, const Vertex* row, int width, Vertex* cache)
      : output_(output),
        i_(i),
        row_(row),
        width_(width),
        cache_(output.destination == Destination::buffer ? cache : nullptr) {}

  /// Adds x of those lanes where it is `valid`.
  __device__ void append(bool valid, Vertex x) {
    const warp::Slot slot = warp::compact(valid);
    if (cache_ == nullptr) {
      if (valid) output_.put(i_, row_, width_, written_ + slot.index, x);
      written_ += slot.count;
    } else {
      append_cached(valid, x, slot);
    }
  }

  /// Writes what is cached; returns how many were added.
  __device__ std::uint32_t finish() {
    if (cached_ > 0) flush(cached_);
    cached_ = 0;
    return static_cast<std::uint32_t>(written_);
  }

 private:
  __device__ void append_cached(bool valid, Vertex x, warp::Slot slot) {
    const int place = cached_ + slot.index;
    if (valid && place < kWarpSize) cache_[place] = x;
    cached_ += slot.count;
    if (cached_ < kWarpSize) return;
    flush(kWarpSize);
    cached_ -= kWarpSize;
    if (valid && place >= kWarpSize) cache_[place - kWarpSize] = x;
  }

  __device__ void flush(int count) {
    __syncwarp();
    const int lane = warp::lane();
    if (lane < count) output_.put(i_, row_, width_, written_ + lane, cache_[lane]);
    written_ += count;
    __syncwarp();
  }

  const JoinOutput& output_;
  std::int64_t i_;
  const Vertex* row_;
  int width_;
  Vertex* cache_;
  std::int64_t written_ = 0;
  int cached_ = 0;
};

}  // namespace warpbench::matching::gsi
