// Launches that leave room to look at the clock. A GPU's kernel cannot be ended, so what keeps a query's time limit
// launches long work in slices and waits for each. On simt, which is slower by orders of magnitude, slices are smaller.
#pragma once

#include <algorithm>
#include <cstdint>

#include "device/stream.hpp"
#include "solvers/subgraph_matching/query_solver.hpp"

namespace warpbench::matching {

/// Elements of a slice: of the first one, and the most that later ones may grow to. The first must be short on every
/// input: a few milliseconds on a GPU.
struct SliceSizes {
  std::int64_t first;
  std::int64_t most;
};

/// For work of which an element may take `steps` elementary steps, a thread each: as many elements as take 2^30 steps,
/// within [2^16, 2^20], and up to 2^24 later.
[[nodiscard]] SliceSizes slices_of_lists(std::int64_t steps);
/// `sizes` on this backend.
[[nodiscard]] SliceSizes on_this_backend(const SliceSizes& sizes);
/// The size after a slice of `size` elements that took `seconds`: twice or half of it, if that was short or long.
[[nodiscard]] std::int64_t next_slice(std::int64_t size, double seconds, const SliceSizes& sizes);

/// Calls launch_slice(first, last) for slices of `elements` elements, and waits between them. False once `deadline` has
/// passed; then elements are left.
template <typename LaunchSlice>
[[nodiscard]] bool in_slices(std::int64_t elements, const SliceSizes& sizes, const Deadline& deadline, Stream& stream,
                             const LaunchSlice& launch_slice) {
  const SliceSizes here = on_this_backend(sizes);
  std::int64_t size = here.first;
  for (std::int64_t first = 0; first < elements;) {
    if (deadline.passed()) return false;
    const auto start = Deadline::Clock::now();
    const std::int64_t last = std::min(elements, first + size);
    launch_slice(first, last);
    first = last;
    if (first == elements) break;  // who reads the result waits
    stream.synchronize();
    size = next_slice(size, std::chrono::duration<double>(Deadline::Clock::now() - start).count(), here);
  }
  return true;
}

/// Many short launches in a row, which are not waited for one by one.
class PacedLaunches {
 public:
  PacedLaunches(const Deadline& deadline, Stream& stream) : deadline_(deadline), stream_(stream) {}

  /// To be asked before launches of `steps` elementary steps. Waits for earlier ones where together they may be long.
  /// False once the deadline has passed.
  [[nodiscard]] bool go_on(std::int64_t steps);

 private:
  const Deadline& deadline_;
  Stream& stream_;
  std::int64_t under_way_ = 0;
};

}  // namespace warpbench::matching
