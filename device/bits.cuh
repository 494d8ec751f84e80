// Bit sets: bit i of a set lies in word i / 32. Words are a pointer (shared memory) or a View, whose accesses simt
// checks. And what is asked of one word, a lane mask for instance.
//
//   Buffer<std::uint32_t> words(words_for(vertices), stream);  words.fill(0, stream);
//   atomic_set_bit(words, v);                    where threads set bits of one word; set_bit(words, v) where not
//   if (test_bit(words, v)) …
//   before[word_of(v)] + __popc(words[word_of(v)] & bits_below(v))       the rank of v
//   for (const int lane : set_bits(__ballot_sync(kFullMask, found))) …   ascending
#pragma once

#include <concepts>
#include <cstdint>

#include "device/integers.hpp"
#include "device/kernel.hpp"

namespace warpbench {

inline constexpr int kBitsPerWord = 32;

/// Words of a set of `bits` bits.
template <std::integral T>
[[nodiscard]] WARPBENCH_HOST_DEVICE constexpr T words_for(T bits) {
  return ceil_div(bits, T{kBitsPerWord});
}

/// The word that holds bit i, and the bit's mask in it.
template <std::integral T>
[[nodiscard]] WARPBENCH_HOST_DEVICE constexpr T word_of(T i) {
  return static_cast<T>(i / T{kBitsPerWord});
}
template <std::integral T>
[[nodiscard]] WARPBENCH_HOST_DEVICE constexpr std::uint32_t mask_of(T i) {
  return 1U << (static_cast<std::uint32_t>(i) % kBitsPerWord);
}

/// The bits of i's word below bit i.
template <std::integral T>
[[nodiscard]] WARPBENCH_HOST_DEVICE constexpr std::uint32_t bits_below(T i) {
  return mask_of(i) - 1;
}

/// The lowest `count` bits, 0 <= count <= 32.
[[nodiscard]] WARPBENCH_HOST_DEVICE constexpr std::uint32_t low_bits(int count) {
  return count >= kBitsPerWord ? ~0U : (1U << count) - 1;
}

template <typename Words, std::integral T>
[[nodiscard]] WARPBENCH_HOST_DEVICE constexpr bool test_bit(const Words& words, T i) {
  return (words[word_of(i)] & mask_of(i)) != 0;
}

/// For a word that no other thread writes meanwhile.
template <typename Words, std::integral T>
WARPBENCH_HOST_DEVICE constexpr void set_bit(const Words& words, T i) {
  words[word_of(i)] |= mask_of(i);
}
template <typename Words, std::integral T>
WARPBENCH_HOST_DEVICE constexpr void clear_bit(const Words& words, T i) {
  words[word_of(i)] &= ~mask_of(i);
}

/// For words that many threads write. Returns whether the bit was set before.
template <typename Words, std::integral T>
__device__ __forceinline__ bool atomic_set_bit(const Words& words, T i) {
  return (atomicOr(&words[word_of(i)], mask_of(i)) & mask_of(i)) != 0;
}
template <typename Words, std::integral T>
__device__ __forceinline__ bool atomic_clear_bit(const Words& words, T i) {
  return (atomicAnd(&words[word_of(i)], ~mask_of(i)) & mask_of(i)) != 0;
}

/// The place of the lowest bit that is set, of a mask that is not 0.
__device__ __forceinline__ int lowest_bit(std::uint32_t mask) {
  return __ffs(static_cast<int>(mask)) - 1;
}

/// The places of the bits that are set in a mask, ascending: a range.
class SetBits {
 public:
  struct Sentinel {};
  class Iterator {
   public:
    __device__ __forceinline__ explicit Iterator(std::uint32_t left) : left_(left) {}
    __device__ __forceinline__ int operator*() const { return lowest_bit(left_); }
    __device__ __forceinline__ Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    __device__ __forceinline__ bool operator!=(Sentinel /*end*/) const { return left_ != 0; }

   private:
    std::uint32_t left_;
  };

  __device__ __forceinline__ explicit SetBits(std::uint32_t mask) : mask_(mask) {}
  [[nodiscard]] __device__ __forceinline__ Iterator begin() const { return Iterator(mask_); }
  [[nodiscard]] __device__ __forceinline__ Sentinel end() const { return {}; }

 private:
  std::uint32_t mask_;
};
__device__ __forceinline__ SetBits set_bits(std::uint32_t mask) {
  return SetBits(mask);
}

}  // namespace warpbench
