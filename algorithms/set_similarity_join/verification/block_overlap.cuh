// BlockOverlap: all threads of a block find the overlap of two sets by Intersect Path in shared memory (bellas2022
// §4.3.2): cross diagonals ceil((|r| + |s|) / B) apart, a part of the path a thread, which merges it. The document
// partitions at grid level, too; here a block has the whole pair. Sets that do not fit come in windows.
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/block.cuh"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "solvers/sets/intersect_path.cuh"

namespace warpbench::similarity {

/// Copies tokens [begin, end) of a set to shared memory: by all threads of a block, who are done with what was there
/// when this begins and may read when it ends.
__device__ inline void stage(View<const datasets::Token> set, std::uint32_t begin, std::uint32_t end,
                             datasets::Token* to) {
  __syncthreads();
  for (const std::uint32_t i : block::strided(begin, end)) to[i - begin] = set[i];
  __syncthreads();
}

class BlockOverlap {
 public:
  /// Of a block with room for `room` tokens of each set.
  static std::size_t shared_bytes(std::uint32_t room, int threads) {
    return (std::size_t{2} * room + static_cast<std::size_t>(threads) + 1) * sizeof(std::uint32_t);
  }

  /// By all threads of a block, as all that follows.
  __device__ BlockOverlap(View<const datasets::Token> probe, std::uint32_t room)
      : probe_(probe), room_(static_cast<int>(room)) {
    if (probe_is_whole()) stage(probe_, 0, static_cast<std::uint32_t>(probe_.size()), probe_window());
  }

  /// The overlap of the probing set and `set`. Ends after a window where `required` is out of reach or, unless `whole`,
  /// reached.
  __device__ std::uint32_t with(View<const datasets::Token> set, std::uint32_t required, bool whole) {
    const int probe_size = static_cast<int>(probe_.size());
    const int set_size = static_cast<int>(set.size());
    std::uint32_t overlap = 0;
    for (sets::PathPoint<int> at{0, 0, false};;) {
      const int probe_left = probe_size - at.a;
      const int set_left = set_size - at.b;
      const auto most = overlap + static_cast<std::uint32_t>(probe_left < set_left ? probe_left : set_left);
      if (most < required || most == overlap || (!whole && overlap >= required)) return overlap;
      overlap += window(set, at);
    }
  }

 private:
  [[nodiscard]] __device__ bool probe_is_whole() const { return probe_.size() <= room_; }
  [[nodiscard]] __device__ datasets::Token* probe_window() const { return dynamic_shared<datasets::Token>(); }
  [[nodiscard]] __device__ datasets::Token* set_window() const { return probe_window() + room_; }
  [[nodiscard]] __device__ std::uint32_t* cuts() const { return set_window() + room_; }

  /// The overlap from `at` on, which moves to the window's end.
  __device__ std::uint32_t window(View<const datasets::Token> set, sets::PathPoint<int>& at) {
    const int threads = block::size();
    const int rank = block::rank();
    const int probe_left = static_cast<int>(probe_.size()) - at.a;
    const int set_left = static_cast<int>(set.size()) - at.b;
    const int probe_here = probe_is_whole() || probe_left < room_ ? probe_left : room_;
    const int set_here = set_left < room_ ? set_left : room_;
    // A path as long as a window never leaves it; one of what is left of both sets ends with them.
    const bool is_last = probe_here == probe_left && set_here == set_left;
    const int tokens = is_last ? probe_left + set_left : room_;

    if (!probe_is_whole()) {
      stage(probe_, static_cast<std::uint32_t>(at.a), static_cast<std::uint32_t>(at.a + probe_here), probe_window());
    }
    stage(set, static_cast<std::uint32_t>(at.b), static_cast<std::uint32_t>(at.b + set_here), set_window());
    const datasets::Token* const a = probe_window() + (probe_is_whole() ? at.a : 0);
    const datasets::Token* const b = set_window();

    const int begin = sets::diagonal_at(tokens, threads, rank);
    const sets::PathPoint<int> end =
        sets::path_point(a, probe_here, b, set_here, sets::diagonal_at(tokens, threads, rank + 1));
    if (rank == 0) cuts()[0] = 0;
    cuts()[rank + 1] = static_cast<std::uint32_t>(end.a);
    __syncthreads();
    const int a_begin = static_cast<int>(cuts()[rank]);
    const int a_end = static_cast<int>(cuts()[threads]);
    const std::uint32_t common = merge(a + a_begin, end.a - a_begin, b + begin - a_begin, end.b - (begin - a_begin));
    at = {at.a + a_end, at.b + tokens - a_end, false};
    return block::reduce_sum(common + (end.in_cell ? 1 : 0));
  }

  /// The number of common tokens of two parts, by one thread.
  __device__ static std::uint32_t merge(const datasets::Token* a, int a_size, const datasets::Token* b, int b_size) {
    std::uint32_t common = 0;
    for (int i = 0, j = 0; i < a_size && j < b_size;) {
      const datasets::Token of_a = a[i];
      const datasets::Token of_b = b[j];
      common += of_a == of_b ? 1 : 0;
      i += of_a <= of_b ? 1 : 0;
      j += of_b <= of_a ? 1 : 0;
    }
    return common;
  }

  View<const datasets::Token> probe_;
  int room_;
};

}  // namespace warpbench::similarity
