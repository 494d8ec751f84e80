#include "tests/harness/support/spin.hpp"

#include "device/kernel.hpp"

namespace warpbench {
namespace {

__device__ std::uint64_t now_ns() {
#if defined(WARPBENCH_CUDA)
  std::uint64_t ns = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
#else
  return globaltimer();
#endif
}

__global__ void spin_kernel(std::uint64_t nanoseconds, View<std::uint64_t> times) {
  const std::uint64_t start = now_ns();
  while (now_ns() - start < nanoseconds) {
  }
  times[0] = start;
  times[1] = now_ns();
}

}  // namespace

void spin(Stream& stream, std::uint64_t nanoseconds, Buffer<std::uint64_t>& times) {
  launch(spin_kernel, Grid{1, 1}, stream, nanoseconds, times.view());
}

}  // namespace warpbench
