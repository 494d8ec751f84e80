// The part of CUDA C++ that our kernels use, for the host compiler: execution space words, built-in variables,
// barriers, warp collectives, atomics, bit intrinsics and vector types, with CUDA's names in the global namespace.
// Include device/kernel.hpp instead, which is right on both backends.
//
// Differences to know: `__shared__` is a static thread-local variable, so an `alignas` goes before it; dynamic shared
// memory is dynamic_shared<T>(); textures, cooperative groups and dynamic parallelism are not here. Misuse that a
// GPU leaves undefined is a DeviceError with file and line: see executor.hpp and shadow.hpp.
#pragma once

#include "device/simt/context.hpp"
#include "device/simt/language/arithmetic.hpp"
#include "device/simt/language/atomics.hpp"
#include "device/simt/language/vector_types.hpp"
#include "device/simt/language/warp_intrinsics.hpp"

#include <cassert>  // simt defines what a failed assert() calls, in context.cpp
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>

// NOLINTBEGIN: CUDA's names
#define __global__
#define __device__
#define __host__
#define __constant__
#define __shared__ static thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))

#define threadIdx (::warpbench::simt::builtins.thread_index)
#define blockIdx (::warpbench::simt::builtins.block_index)
#define blockDim (::warpbench::simt::builtins.block_extent)
#define gridDim (::warpbench::simt::builtins.grid_extent)
constexpr int warpSize = 32;

// NOLINTEND

inline void __syncthreads(const std::source_location& location = std::source_location::current()) {
  warpbench::simt::barrier(warpbench::simt::Barrier::kPlain, 0, location);
}
inline int __syncthreads_and(int predicate, const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::barrier(warpbench::simt::Barrier::kAnd, predicate, location);
}
inline int __syncthreads_or(int predicate, const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::barrier(warpbench::simt::Barrier::kOr, predicate, location);
}
inline int __syncthreads_count(int predicate, const std::source_location& location = std::source_location::current()) {
  return warpbench::simt::barrier(warpbench::simt::Barrier::kCount, predicate, location);
}

// Every atomic of simt is sequentially consistent and plain accesses of a block share one OS thread, so what a fence
// orders is ordered already; under ThreadSanitizer blocks must pass data through atomics.
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}

inline void __nanosleep(unsigned) {
  warpbench::simt::yield_thread();
}
inline long long clock64() {
  return static_cast<long long>(warpbench::simt::clock_ticks());
}
inline unsigned long long globaltimer() {
  return warpbench::simt::clock_ticks();
}
[[noreturn]] inline void __trap(const std::source_location& location = std::source_location::current()) {
  warpbench::simt::kernel_failure("__trap()", location);
}
