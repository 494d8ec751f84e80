// The header of every kernel file (.cu). It includes CUDA's own headers for nvcc and the simt model of them for the
// host compiler. It has launch(), View, Buffer, and dynamic_shared<T>(), the portable spelling of extern __shared__.
#pragma once

#if defined(WARPBENCH_CUDA)
#include <cuda_runtime.h>
#else
#include "device/simt/language/cuda.hpp"
#endif

#include "device/buffer.hpp"
#include "device/launch.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"

namespace warpbench {

#if defined(WARPBENCH_CUDA)
extern __shared__ __align__(16) unsigned char dynamic_shared_bytes[];

/// The block's dynamic shared memory from byte `offset` on, as T; Grid::shared_bytes says how much there is.
/// offset must be a multiple of alignof(T).
template <typename T>
__device__ __forceinline__ T* dynamic_shared(std::size_t offset = 0) {
  return reinterpret_cast<T*>(dynamic_shared_bytes + offset);
}
#else
template <typename T>
inline T* dynamic_shared(std::size_t offset = 0,
                         const std::source_location& location = std::source_location::current()) {
  return static_cast<T*>(simt::dynamic_shared_bytes(offset, alignof(T), location));
}
#endif

/// All 32 lanes, the mask of a converged full warp.
inline constexpr unsigned kFullMask = 0xffffffffU;
inline constexpr int kWarpSize = 32;

}  // namespace warpbench
