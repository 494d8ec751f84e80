// Want of host memory on purpose, and how much is in use: this program's operator new, in place of the library's.
#pragma once

#include <cstdint>
#include <new>

namespace warpbench::testing {

/// The k-th allocation from now on, of any thread, throws std::bad_alloc; 0: none does. Returns whether one threw since
/// the last call.
bool fail_host_allocation(std::int64_t k) noexcept;

/// The most bytes that were in use at a time while it lived, beyond those at its begin. One at a time.
class PeakOfHostMemory {
 public:
  PeakOfHostMemory() noexcept;
  PeakOfHostMemory(const PeakOfHostMemory&) = delete;
  PeakOfHostMemory& operator=(const PeakOfHostMemory&) = delete;
  ~PeakOfHostMemory();
  [[nodiscard]] std::int64_t bytes() const noexcept;
};

/// Runs body() until all of its allocations have failed once, one in each run; it may then throw std::bad_alloc.
/// Returns their number.
template <typename Body>
std::int64_t fail_each_allocation(const Body& body) {
  for (std::int64_t k = 1;; ++k) {
    fail_host_allocation(k);
    try {
      body();
    } catch (const std::bad_alloc&) {  // as it should
    }
    if (!fail_host_allocation(0)) return k - 1;
  }
}

}  // namespace warpbench::testing
