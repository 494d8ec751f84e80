// Signature: 128 bits that bound the overlap of two sets. Each token of a set toggles one bit. In the exclusive or of
// two signatures common tokens cancel out, and each other token toggles one bit, so that at most as many bits are set
// as tokens are in one set alone: popcount(x ^ y) <= |i| + |j| - 2 |i ∩ j|. (The bitmap filter of bellas2022 §4.1.2
// with toggled bits, which saturate later than bits that are set.)
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"

namespace warpbench::similarity {

using Signature = uint4;

namespace signature {

/// The number of bits that differ. Three population counts for four words: a full adder makes two of three words.
__device__ __forceinline__ int distance(const Signature& a, const Signature& b) {
  const unsigned x = a.x ^ b.x;
  const unsigned y = a.y ^ b.y;
  const unsigned z = a.z ^ b.z;
  const unsigned ones = x ^ y ^ z;
  const unsigned twos = (x & y) | (z & (x ^ y));
  return __popc(ones) + __popc(a.w ^ b.w) + 2 * __popc(twos);
}

/// Of a set, by a warp; in all its lanes. Tokens are ranks, so that their lowest bits spread them evenly.
__device__ __forceinline__ Signature of_set(View<const datasets::Token> set) {
  std::uint32_t words[4] = {};
  for (const std::int64_t k : warp::strided(set.size())) {
    const std::uint32_t bit = set[k] & 127U;
#pragma unroll
    for (std::uint32_t w = 0; w < 4; ++w) words[w] ^= (bit >> 5U) == w ? 1U << (bit & 31U) : 0U;
  }
#pragma unroll
  for (std::uint32_t& word : words) word = warp::reduce(word, [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
  return {words[0], words[1], words[2], words[3]};
}

}  // namespace signature

}  // namespace warpbench::similarity
