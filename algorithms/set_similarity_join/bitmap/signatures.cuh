// Signatures of sets (bellas2022 §4.1.2, bitmap filter): bit `token mod bits` of a signature is set if an odd number of
// the set's tokens fall on it.
//
// A token that two sets share flips the same bit of both signatures. So the signatures differ in at most as many bits
// as the sets differ in tokens, |r| + |s| - 2 |r ∩ s|, and the filter loses no similar pair:
//
//   |r ∩ s| ≤ ⌊(|r| + |s| - popcount(b_r xor b_s)) / 2⌋
//
// The document leaves the construction open. Sandes et al., whose filter it is, have three, and all are safe:
//   * set: a bit is set if any token falls on it. Each bit that differs has a token that only one of the sets has. But
//     in the signatures of large sets all bits are set, and nothing differs.
//   * next: a token takes the next bit that is free. Which bits are taken does not depend on the order of the tokens:
//     those of r ∩ s are taken in both signatures, and each other token takes one more. Useless above `bits` tokens.
//   * xor, this one. What differs depends on the tokens that differ, whatever the sizes. It is the tightest where pairs
//     are nearly similar: for two sets of 88 tokens with 60 in common, 128 bits bound the overlap by 69 on average,
//     next by 72 and set by 75.
// Tokens are ranks by frequency. So mod spreads the frequent ones evenly, which a random hash would not.
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/bits.cuh"
#include "device/kernel.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"

namespace warpbench::similarity {

/// Word 0 of all signatures, then word 1 of all, and so on: neighbouring threads read neighbouring words.
struct SignaturesView {
  View<std::uint32_t> words;
  std::int64_t sets = 0;
  int words_per_set = 0;

  [[nodiscard]] WARPBENCH_HOST_DEVICE int bits() const { return words_per_set * kBitsPerWord; }
  [[nodiscard]] WARPBENCH_HOST_DEVICE std::uint32_t& word(std::int64_t set, int k) const {
    return words[k * sets + set];
  }
  /// The number of bits in which two signatures differ.
  [[nodiscard]] __device__ std::uint32_t difference(std::int64_t i, std::int64_t j) const {
    int different = 0;
    for (int k = 0; k < words_per_set; ++k) different += __popc(word(i, k) ^ word(j, k));
    return static_cast<std::uint32_t>(different);
  }
};

/// Enqueues the signatures of all sets; their bits are a power of two. O(tokens).
void make_signatures(const SetsView& sets, const SignaturesView& signatures, Stream& stream);

}  // namespace warpbench::similarity
