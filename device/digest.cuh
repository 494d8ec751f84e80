// Digests of answers where the answers are: an order-independent sum of mixed tuples, modulo 2^64.
//
//   Buffer<DigestWord> digest(1, stream);  digest.fill(0, stream);
//   add_digests(rows, DigestOfRow{table}, digest.view(), stream);      // digest[0] += the sum of digest_of(i), i <
//   rows
//
// where DigestOfRow has `__device__ std::uint64_t operator()(std::int64_t i) const`. A kernel that meets its tuples by
// itself adds them up in a register and ends with block::accumulate(digest[0], sum).
#pragma once

#include <cstdint>

#include "device/block.cuh"
#include "device/integers.hpp"
#include "device/kernel.hpp"
#include "device/mix64.hpp"

namespace warpbench {

/// atomicAdd()'s type of 64 bits.
using DigestWord = unsigned long long;

/// The digest of values at places first_place, first_place + 1, …: the sum of mix64(place, value).
template <typename T>
struct DigestOfValues {
  View<const T> values;
  std::uint64_t first_place = 0;

  __device__ __forceinline__ std::uint64_t operator()(std::int64_t i) const {
    return mix64(first_place + static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(values[i]));
  }
};

namespace detail {

inline constexpr int kDigestThreads = 256;
inline constexpr std::int64_t kMaxDigestBlocks = 4096;

template <typename DigestOf>
__global__ void __launch_bounds__(kDigestThreads)
    add_digests_kernel(std::int64_t count, DigestOf digest_of, View<DigestWord> digest) {
  DigestWord sum = 0;
  for (const std::int64_t i : grid::strided<kDigestThreads>(count)) sum += digest_of(i);
  block::accumulate(digest[0], sum);
}

}  // namespace detail

/// Enqueues digest[0] += digest_of(0) + … + digest_of(count - 1).
template <typename DigestOf>
void add_digests(std::int64_t count, const DigestOf& digest_of, View<DigestWord> digest, Stream& stream) {
  launch(detail::add_digests_kernel<DigestOf>, grid_for(count, detail::kDigestThreads, detail::kMaxDigestBlocks),
         stream, count, digest_of, digest);
}

}  // namespace warpbench
