#include "device/ceilings.hpp"

#include <algorithm>
#include <stdexcept>

#include "device/kernel.hpp"
#include "device/ranges.cuh"

namespace warpbench::ceiling {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kReadsPerThread = 16;
constexpr std::int64_t kSharedReadsPerThread = 1024;
constexpr int kSharedBits = 11;  // of a place in a table of 8 KiB, of which as many blocks as may be are resident
constexpr int kSharedWords = 1 << kSharedBits;

/// A cheap mixer: neighbours in `x` come far apart, so that no two lanes share a sector.
__device__ std::uint64_t scatter(std::uint64_t x) {
  x *= 0x9e3779b97f4a7c15ULL;
  x ^= x >> 32;
  return x * 0xd6e8feb86659fd93ULL;
}

__global__ void copy_kernel(View<const uint4> from, View<uint4> to) {
  const std::int64_t tid = grid::index<kThreads>();
  if (tid < from.size()) to[tid] = from[tid];
}

__global__ void gather_kernel(View<const std::uint32_t> table, View<std::uint32_t> sums, std::int64_t threads) {
  const std::int64_t tid = grid::index<kThreads>();
  if (tid >= threads) return;
  const std::uint64_t mask = static_cast<std::uint64_t>(table.size()) - 1;
  std::uint32_t sum = 0;
  for (std::int64_t i = 0; i < kReadsPerThread; ++i) {
    sum += table[static_cast<std::int64_t>((scatter(static_cast<std::uint64_t>(tid + i * threads)) >> 20) & mask)];
  }
  sums[tid] = sum;
}

/// Random places of a table in shared memory: lanes of a warp meet in its banks by chance.
__global__ void gather_shared_kernel(View<std::uint32_t> sums, std::int64_t threads) {
  __shared__ std::uint32_t table[kSharedWords];
  for (const int i : block::strided<kThreads>(kSharedWords)) table[i] = static_cast<std::uint32_t>(i);
  __syncthreads();
  const std::int64_t tid = grid::index<kThreads>();
  if (tid >= threads) return;
  auto random = static_cast<std::uint32_t>(scatter(static_cast<std::uint64_t>(tid)) >> 32);
  std::uint32_t sum = 0;
#pragma unroll 8
  for (std::int64_t i = 0; i < kSharedReadsPerThread; ++i) {
    random = random * 1664525U + 1013904223U;  // Knuth's generator, whose high bits are good
    sum += table[random >> (32 - kSharedBits)];
  }
  sums[tid] = sum;
}

__global__ void add_kernel(View<std::uint32_t> counters, std::int64_t targets, std::int64_t adds) {
  const std::int64_t tid = grid::index<kThreads>();
  if (tid >= adds) return;
  const std::uint64_t mask = static_cast<std::uint64_t>(targets) - 1;
  atomicAdd(&counters[static_cast<std::int64_t>((scatter(static_cast<std::uint64_t>(tid)) >> 20) & mask)], 1U);
}

__global__ void nothing_kernel() {}

void need_power_of_two(std::int64_t count, std::int64_t available) {
  if (count <= 0 || (count & (count - 1)) != 0 || count > available) {
    throw std::invalid_argument("a ceiling's table needs a power of two of words");
  }
}

}  // namespace

void copy(View<const std::uint32_t> from, View<std::uint32_t> to, Stream& stream) {
  if (from.size() != to.size() || from.size() % 4 != 0) throw std::invalid_argument("copy: sizes");
  const View<const uint4> wide_from(reinterpret_cast<const uint4*>(from.data()), from.size() / 4);
  const View<uint4> wide_to(reinterpret_cast<uint4*>(to.data()), to.size() / 4);
  launch(copy_kernel, grid_for(wide_from.size(), kThreads), stream, wide_from, wide_to);
}

void gather(View<const std::uint32_t> table, View<std::uint32_t> sums, std::int64_t reads, Stream& stream) {
  need_power_of_two(table.size(), table.size());
  const std::int64_t threads = reads / kReadsPerThread;
  if (threads > sums.size()) throw std::invalid_argument("gather: too few sums");
  launch(gather_kernel, grid_for(threads, kThreads), stream, table, sums, threads);
}

void gather_shared(View<std::uint32_t> sums, std::int64_t reads, Stream& stream) {
  const std::int64_t threads = reads / kSharedReadsPerThread;
  if (threads > sums.size()) throw std::invalid_argument("gather_shared: too few sums");
  launch(gather_shared_kernel, grid_for(threads, kThreads), stream, sums, threads);
}

void add_atomically(View<std::uint32_t> counters, std::int64_t targets, std::int64_t adds, Stream& stream) {
  need_power_of_two(targets, counters.size());
  launch(add_kernel, grid_for(adds, kThreads), stream, counters, targets, adds);
}

void launch_nothing(Stream& stream) {
  launch(nothing_kernel, Grid{1, 1, 0}, stream);
}

}  // namespace warpbench::ceiling
