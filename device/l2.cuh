// Reads and writes of global memory that pass by the multiprocessor's own cache (L1), which does not see what other
// multiprocessors write: for rows that blocks change while others read them.
//
//   const Pack pack = l2::load(packs + i);      T of 8 or 16 bytes, aligned to its size
//   l2::store(packs + i, pack);
#pragma once

#include <bit>
#include <type_traits>

#include "device/kernel.hpp"

namespace warpbench::l2 {

#if defined(WARPBENCH_CUDA)
template <typename T>
using Words = std::conditional_t<sizeof(T) == sizeof(uint4), uint4, uint2>;
#endif

template <typename T>
__device__ __forceinline__ T load(const T* at) {
  static_assert((sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) == sizeof(T));
#if defined(WARPBENCH_CUDA)
  return std::bit_cast<T>(__ldcg(reinterpret_cast<const Words<T>*>(at)));
#else
  return *at;
#endif
}

template <typename T>
__device__ __forceinline__ void store(T* at, const T& value) {
  static_assert((sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) == sizeof(T));
#if defined(WARPBENCH_CUDA)
  __stcg(reinterpret_cast<Words<T>*>(at), std::bit_cast<Words<T>>(value));
#else
  *at = value;
#endif
}

}  // namespace warpbench::l2
