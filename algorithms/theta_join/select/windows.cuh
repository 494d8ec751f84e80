// Windows: how a block of one dimension walks a part of the join matrix, a tuple of R a thread, S in chunks through
// shared memory (bellas2022 §3.4.2, Alg. 3.4, Fig. 3.10).
//
//   const OwnTuple own(join, part);
//   for_each_window(join, part, chunk, [&](const StagedTuple* window, int size) { … });
//
// All threads of the block call it, also those without a tuple of R; the grid is window_grid()'s. The last chunk may be
// shorter, so that p need not divide |S'|.
#pragma once

#include <cstdint>

#include "algorithms/theta_join/select/join_view.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"
#include "solvers/theta_join/partitioner.hpp"

namespace warpbench::theta {

/// A tuple of S in shared memory; 16 bytes, so that one load brings it.
struct alignas(16) StagedTuple {
  Keys keys;
  std::int32_t a;
  std::int32_t x;
};

inline Grid window_grid(const JoinPart& part, std::int64_t threads, std::int64_t chunk) {
  if (part.pairs() == 0) return Grid{0, threads};
  return Grid{ceil_div(part.r_count(), threads), threads, static_cast<std::size_t>(chunk) * sizeof(StagedTuple)};
}

/// The thread's tuple of R, in registers.
struct OwnTuple {
  __device__ __forceinline__ OwnTuple(const JoinView& join, const JoinPart& part) {
    const std::int64_t at = part.r_begin + grid::index();
    exists = at < part.r_end;
    if (!exists) return;
    keys = join.r_keys(at);
    a = join.r.a(at);
  }

  Keys keys;
  std::int32_t a = 0;
  bool exists = false;
};

/// body(window, size) for S's tuples [part.s_begin, part.s_end), `chunk` at a time.
template <typename Body>
__device__ __forceinline__ void for_each_window(const JoinView& join, const JoinPart& part, int chunk,
                                                const Body& body) {
  auto* const window = dynamic_shared<StagedTuple>();
  for (std::int64_t first = part.s_begin; first < part.s_end; first += chunk) {
    const std::int64_t left = part.s_end - first;
    const int size = left < chunk ? static_cast<int>(left) : chunk;
    __syncthreads();  // the window before is done with
    for (const int j : block::strided(size)) {
      const std::int64_t at = first + j;
      window[j] = {join.s_keys(at), join.s.a(at), join.s.x(at)};
    }
    __syncthreads();
    body(static_cast<const StagedTuple*>(window), size);
  }
}

}  // namespace warpbench::theta
