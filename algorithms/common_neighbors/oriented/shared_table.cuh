// SharedTable: a set of vertices with a counter each, in shared memory; the index of an out-list (oriented.hpp).
#pragma once

#include <cstdint>

#include "device/kernel.hpp"

namespace warpbench::common_neighbors {

inline constexpr std::uint32_t kEmpty = 0xffffffffU;  // no vertex has this id (datasets::kMaxVertex)

/// Open addressing with linear probing over 2^bits keys, at most half of them taken, with a counter a key; before it
/// a bit filter of eight bits a key slot, which turns away nearly all that the table does not hold.
struct SharedTable {
  std::uint32_t* keys;
  std::uint32_t* counters;
  std::uint32_t* filter;
  int bits;

  static constexpr int kFilterBits = 3;  // more than the table's

  /// Words of shared memory for a table of 2^bits keys.
  WARPBENCH_HOST_DEVICE static constexpr int words(int bits) {
    return 2 * (1 << bits) + ((1 << (bits + kFilterBits)) / 32);
  }
  __device__ static SharedTable at(std::uint32_t* memory, int bits) {
    return {memory, memory + (1 << bits), memory + 2 * (1 << bits), bits};
  }

  __device__ static std::uint32_t hash(std::uint32_t w) { return w * 2654435769U; }  // Knuth: 2^32 / phi
  __device__ std::uint32_t next(std::uint32_t place) const { return (place + 1) & ((1U << bits) - 1U); }

  /// Empties the part of `rank` among `size` threads; a barrier must follow.
  __device__ void clear(unsigned rank, unsigned size) const {
    for (unsigned i = rank; i < (1U << bits); i += size) {
      keys[i] = kEmpty;
      counters[i] = 0;
    }
    for (unsigned i = rank; i < (1U << (bits + kFilterBits)) / 32; i += size) filter[i] = 0;
  }
  /// Where `w`, which was not there yet, now is.
  __device__ std::uint32_t insert(std::uint32_t w) const {
    const std::uint32_t bit = hash(w) >> (32 - bits - kFilterBits);
    atomicOr(&filter[bit / 32], 1U << (bit % 32));
    std::uint32_t place = hash(w) >> (32 - bits);
    while (atomicCAS(&keys[place], kEmpty, w) != kEmpty) place = next(place);
    return place;
  }
  /// Where `w` is, or kEmpty.
  __device__ std::uint32_t find(std::uint32_t w) const {
    std::uint32_t place = hash(w) >> (32 - bits);
    while (true) {
      const std::uint32_t key = keys[place];
      if (key == w) return place;
      if (key == kEmpty) return kEmpty;
      place = next(place);
    }
  }
  /// False only for what the table does not hold.
  template <bool kFilter>
  __device__ bool may_hold(std::uint32_t w) const {
    if constexpr (!kFilter) return keys[hash(w) >> (32 - bits)] != kEmpty;
    const std::uint32_t bit = hash(w) >> (32 - bits - kFilterBits);
    return ((filter[bit / 32] >> (bit % 32)) & 1U) != 0;
  }
};

}  // namespace warpbench::common_neighbors
