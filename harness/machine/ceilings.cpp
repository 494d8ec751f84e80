// The host's ceilings; the device's are in device_ceilings.cpp.
#include "harness/machine/ceilings.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "harness/machine/cpu_affinity.hpp"
#include "harness/machine/environment.hpp"
#include "problems/judgement.hpp"

namespace warpbench::harness {
namespace {

constexpr int kSamples = 5;
constexpr std::int64_t kCopyWords = std::int64_t{32} << 20;  // 128 MiB a side
constexpr std::int64_t kGatherReads = std::int64_t{8} << 20;

/// The best of a few samples of `amount` per time; the first sample warms up and is dropped.
Ceiling best_rate(double amount, const char* unit, const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  Ceiling ceiling{0.0, unit, {}};
  for (int i = 0; i <= kSamples; ++i) {
    const auto start = Clock::now();
    work();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (i > 0) ceiling.samples.push_back(amount / seconds);
  }
  ceiling.value = *std::ranges::max_element(ceiling.samples);
  return ceiling;
}

/// Leaves the memory uninitialised, so that the thread that will use a page touches it first.
std::unique_ptr<std::uint32_t[]> words(std::int64_t count) {
  return std::make_unique_for_overwrite<std::uint32_t[]>(static_cast<std::size_t>(count));
}

Ceiling host_copy() {
  const auto from = words(kCopyWords);
  const auto to = words(kCopyWords);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < kCopyWords; ++i) from[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(i);
  return best_rate(8.0 * static_cast<double>(kCopyWords), "bytes/s", [&] {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < kCopyWords; ++i) to[static_cast<std::size_t>(i)] = from[static_cast<std::size_t>(i)];
    asm volatile("" : : "r"(to.get()) : "memory");
  });
}

/// 32-bit reads at random over a quarter of a GiB, or over one GiB if the machine has memory to spare.
Ceiling host_gather() {
  const std::int64_t memory = host_environment().memory_bytes;
  const std::int64_t count = memory > (std::int64_t{64} << 30) ? std::int64_t{256} << 20 : std::int64_t{64} << 20;
  const auto mask = static_cast<std::uint64_t>(count - 1);
  const auto table = words(count);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) table[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(i);
  return best_rate(4.0 * static_cast<double>(kGatherReads), "bytes/s", [&] {
    std::uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (std::int64_t i = 0; i < kGatherReads; ++i) sum += table[mix64(static_cast<std::uint64_t>(i)) & mask];
    asm volatile("" : : "r"(sum));
  });
}

}  // namespace

Ceilings measure_host_ceilings() {
  set_openmp_threads(0);
  Ceilings ceilings;
  ceilings["host_copy"] = host_copy();
  ceilings["host_gather"] = host_gather();
  return ceilings;
}

}  // namespace warpbench::harness
