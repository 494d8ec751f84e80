// Sets as bitmaps: bit t of a bitmap is set where the set holds token t (bellas2022 §6.2.1, BI).
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/sets/engine/pair_tile.cuh"
#include "device/bits.cuh"
#include "device/stream.hpp"

namespace warpbench::sets {

/// A set as a bitmap.
struct Bitmap {
  View<std::uint32_t> words;

  __device__ bool holds(std::uint32_t token) const { return test_bit(words, token); }
  /// Sets the bits of the set's tokens, by the threads of a block; no barrier.
  __device__ void insert_by_block(DeviceSet set) const {
    for (const std::int64_t i : block::strided(set.size())) atomic_set_bit(words, set[i]);
  }
  /// Clears them again: costs as much as the set, not as the universe.
  __device__ void erase_by_block(DeviceSet set) const {
    for (const std::int64_t i : block::strided(set.size())) atomic_clear_bit(words, set[i]);
  }
};

/// Bitmaps of one size, one after the other.
struct Bitmaps {
  View<std::uint32_t> words;
  std::int64_t words_each;

  __host__ __device__ Bitmap operator[](std::int64_t i) const { return {words.subview(i * words_each, words_each)}; }
};

/// Enqueues one set's bitmap, made by many blocks; `bitmap` is all zeros before.
void make_bitmap(DeviceSet set, Bitmap bitmap, int threads, Stream& stream);
/// Enqueues the bitmaps of sets [first, last), each made by `blocks` blocks: bitmap i is that of set first + i, and all
/// zeros before.
void make_bitmaps(const DeviceSets& sets, std::int64_t first, std::int64_t last, const Bitmaps& bitmaps,
                  std::int64_t blocks, int threads, Stream& stream);
/// Enqueues the way back to all zeros, at the cost of the sets, not of the universe.
void clear_bitmaps(const DeviceSets& sets, std::int64_t first, std::int64_t last, const Bitmaps& bitmaps,
                   std::int64_t blocks, int threads, Stream& stream);
/// Blocks whose threads have one of `work` elements each, within what a device runs well.
[[nodiscard]] inline std::int64_t blocks_for(std::int64_t work, int threads) {
  return std::clamp<std::int64_t>(work / threads, 1, 4096);
}

}  // namespace warpbench::sets
