// SharedTable: a set of vertices with a counter each, in shared memory: the index of an out-list (oriented.hpp).
// kNone<std::uint32_t> is no vertex's id (datasets::kMaxVertex).
#pragma once

#include <cstdint>

#include "device/bits.cuh"
#include "device/integers.hpp"
#include "device/kernel.hpp"
#include "device/ranges.cuh"

namespace warpbench::common_neighbors {

/// Open addressing with linear probing over 2^bits keys, at most half of them taken, with a counter a key. A bit filter
/// before it, eight bits a key slot, turns away nearly all that the table does not hold.
struct SharedTable {
  std::uint32_t* keys;
  std::uint32_t* counters;
  std::uint32_t* filter;
  int bits;

  static constexpr int kFilterBits = 3;  // more than the table's

  /// Words of shared memory for a table of 2^bits keys.
  WARPBENCH_HOST_DEVICE static constexpr int words(int bits) {
    return 2 * (1 << bits) + words_for(1 << (bits + kFilterBits));
  }
  __device__ static SharedTable at(std::uint32_t* memory, int bits) {
    return {memory, memory + (1 << bits), memory + 2 * (1 << bits), bits};
  }

  __device__ static std::uint32_t hash(std::uint32_t w) { return w * 2654435769U; }  // Knuth: 2^32 / phi
  __device__ std::uint32_t next(std::uint32_t place) const { return (place + 1) & ((1U << bits) - 1U); }

  /// Empties the table, by a whole block; a barrier must follow.
  __device__ void clear() const {
    for (const int i : block::strided(1 << bits)) {
      keys[i] = kNone<std::uint32_t>;
      counters[i] = 0;
    }
    for (const int i : block::strided(words_for(1 << (bits + kFilterBits)))) filter[i] = 0;
  }
  /// Adds `w`, which was not there yet; its place.
  __device__ std::uint32_t insert(std::uint32_t w) const {
    atomic_set_bit(filter, hash(w) >> (32 - bits - kFilterBits));
    std::uint32_t place = hash(w) >> (32 - bits);
    while (atomicCAS(&keys[place], kNone<std::uint32_t>, w) != kNone<std::uint32_t>) place = next(place);
    return place;
  }
  /// The place of `w`, or kNone.
  __device__ std::uint32_t find(std::uint32_t w) const {
    std::uint32_t place = hash(w) >> (32 - bits);
    while (true) {
      const std::uint32_t key = keys[place];
      if (key == w) return place;
      if (key == kNone<std::uint32_t>) return kNone<std::uint32_t>;
      place = next(place);
    }
  }
  /// False only for what the table does not hold.
  template <bool kFilter>
  __device__ bool may_hold(std::uint32_t w) const {
    if constexpr (!kFilter) return keys[hash(w) >> (32 - bits)] != kNone<std::uint32_t>;
    return test_bit(filter, hash(w) >> (32 - bits - kFilterBits));
  }
};

}  // namespace warpbench::common_neighbors
