// Signature: bits that bound the overlap of two sets. Each token of a set toggles one bit. In the exclusive or of
// two signatures common tokens cancel out, and each other token toggles one bit, so that at most as many bits are set
// as tokens are in one set alone: popcount(x ^ y) <= |i| + |j| - 2 |i ∩ j|. (The bitmap filter of bellas2022 §4.1.2
// with toggled bits, which saturate later than bits that are set.)
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "algorithms/set_similarity_join/engine/signature_bit.hpp"
#include "device/bits.cuh"
#include "device/kernel.hpp"
#include "device/ranges.cuh"

namespace warpbench::similarity {

using Signature = uint4;
/// 512 bits: they do not saturate where sets have some hundred tokens.
struct alignas(16) WideSignature {
  Signature quarters[4];
};

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

/// Lanes that have a word each of a wide signature.
inline constexpr int kWideWords = 16;

/// Of a set, by a warp: both, the wide one made in `words` of shared memory. The narrow one is the exclusive or of
/// its quarters, see signature_bit().
__device__ __forceinline__ void make(View<const datasets::Token> set, std::uint32_t* words, Signature& narrow,
                                     WideSignature& wide) {
  const int lane = warp::lane();
  if (lane < kWideWords) words[lane] = 0;
  __syncwarp();
  for (const std::int64_t k : warp::strided(set.size())) {
    const std::uint32_t bit = signature_bit(set[k], kWideWords * kBitsPerWord);
    atomicXor(&words[word_of(bit)], mask_of(bit));
  }
  __syncwarp();
  if (lane < 4) {
    wide.quarters[lane] = {words[4 * lane], words[4 * lane + 1], words[4 * lane + 2], words[4 * lane + 3]};
  }
  if (lane == 0) {
    const auto folded = [words](int w) { return words[w] ^ words[w + 4] ^ words[w + 8] ^ words[w + 12]; };
    narrow = {folded(0), folded(1), folded(2), folded(3)};
  }
  __syncwarp();
}

/// The number of bits that differ.
__device__ __forceinline__ int wide_distance(const WideSignature& a, const WideSignature& b) {
  int different = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const Signature x = a.quarters[k];
    const Signature y = b.quarters[k];
    different += distance(x, y);
  }
  return different;
}

}  // namespace signature

}  // namespace warpbench::similarity
