// Counts of matches in fsig's kernels, which may exceed 64 bits.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/fsig/enumeration/join.cuh"
#include "algorithms/subgraph_matching/fsig/enumeration/steps.hpp"
#include "device/block.cuh"

namespace warpbench::matching::fsig {

/// Adds high * 2^64 + low.
__device__ __forceinline__ void add_to(Totals totals, unsigned long long low, unsigned long long high) {
  const unsigned long long before = atomicAdd(&totals[0], low);
  if (before + low < before) ++high;
  if (high != 0) atomicAdd(&totals[1], high);
}

/// The number of images of the leaf beside the row: its list without vertices that the row has used.
__device__ __forceinline__ std::int64_t leaf_images(const DeviceLevel& leaf, const Auxiliary& auxiliary,
                                                    View<const Vertex> row) {
  const BackwardEdge edge = leaf.backward[0];
  const View<const Vertex> list = list_of(auxiliary, edge, row[edge.column]);
  std::int64_t images = list.size();
  for (const std::uint32_t column : leaf.colliding) {
    const Vertex used = row[column];
    if (is_candidate(auxiliary.candidates, leaf.vertex, used) && binary_search(list, used)) --images;
  }
  return images;
}

/// A sum that may exceed 64 bits, in halves that cannot.
struct SplitSum {
  unsigned long long low_halves = 0;
  unsigned long long high_halves = 0;
  unsigned long long above = 0;  ///< units of 2^64, or some of them: any is too much

  /// The product of the numbers of images of all leaves.
  __device__ __forceinline__ void add_product(const View<const DeviceLevel>& leaves, const Auxiliary& auxiliary,
                                              View<const Vertex> row) {
    unsigned long long product = 1;
    unsigned long long excess = 0;
    for (const DeviceLevel& leaf : leaves) {
      const auto images = static_cast<unsigned long long>(leaf_images(leaf, auxiliary, row));
      if (images == 0) return;
      if (__umul64hi(product, images) != 0) excess = 1;
      product *= images;
    }
    low_halves += product & 0xffffffffULL;
    high_halves += product >> 32;
    above += excess;
  }
  /// Adds the sum over the block to the totals. All threads must call.
  __device__ __forceinline__ void add_block_to(Totals totals) const {
    const unsigned long long lows = block::reduce_sum(low_halves);
    const unsigned long long highs = block::reduce_sum(high_halves);
    const unsigned long long excess = block::reduce_sum(above);
    if (block::rank() != 0) return;
    const unsigned long long low = lows + (highs << 32);
    add_to(totals, low, (highs >> 32) + excess + (low < lows ? 1 : 0));
  }
};

}  // namespace warpbench::matching::fsig
