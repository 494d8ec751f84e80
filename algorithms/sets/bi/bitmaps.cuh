// Sets as bitmaps: bit t of a bitmap is set where the set holds token t (bellas2022 §6.2.1, BI).
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/sets/engine/pair_table.cuh"
#include "device/stream.hpp"

namespace warpbench::sets {

/// Words of 32 bits for tokens below `universe`.
[[nodiscard]] inline std::int64_t bitmap_words(std::int64_t universe) {
  return (universe + 31) / 32;
}

__device__ inline void set_bit(std::uint32_t* bitmap, std::uint32_t token) {
  atomicOr(&bitmap[token / 32], 1U << token % 32);
}
__device__ inline bool has_bit(const std::uint32_t* bitmap, std::uint32_t token) {
  return (bitmap[token / 32] >> token % 32 & 1U) != 0;
}

/// The set's tokens into a bitmap of zeros, by the threads of a block of any shape; no barrier.
__device__ inline void set_bits_by_block(std::uint32_t* bitmap, DeviceSet set, int tid, int threads) {
  for (std::int64_t i = tid; i < set.size; i += threads) set_bit(bitmap, set.tokens[i]);
}
/// The bits of the set's tokens to 0 again: costs as much as the set, not as the universe.
__device__ inline void clear_bits_by_block(std::uint32_t* bitmap, DeviceSet set, int tid, int threads) {
  for (std::int64_t i = tid; i < set.size; i += threads) {
    atomicAnd(&bitmap[set.tokens[i] / 32], ~(1U << set.tokens[i] % 32));
  }
}

/// Enqueues one set's bitmap, made by many blocks; `bitmap` is all zeros before.
void make_bitmap(View<const std::uint32_t> tokens, View<std::uint32_t> bitmap, std::int64_t threads, Stream& stream);
/// So many blocks that each thread has one of `work` elements, within what a device runs well.
[[nodiscard]] inline std::int64_t blocks_for(std::int64_t work, std::int64_t threads) {
  return std::clamp<std::int64_t>(work / threads, 1, 4096);
}

}  // namespace warpbench::sets
