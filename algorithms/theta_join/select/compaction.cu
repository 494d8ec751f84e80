#include "algorithms/theta_join/select/compaction.hpp"

#include "device/block.cuh"
#include "device/growing.hpp"
#include "device/primitives.hpp"

namespace warpbench::theta {
namespace {

struct CompactionTuning {
  static constexpr int kThreads = 256;
  static constexpr std::int64_t kTile = 4096;  ///< cells of a block
};

__device__ __forceinline__ Extent<std::int64_t> cells_of_block(std::int64_t cells) {
  const std::int64_t first = block::index() * CompactionTuning::kTile;
  return {first, cells - first < CompactionTuning::kTile ? cells : first + CompactionTuning::kTile};
}

/// Counts the matches of each tile. The last count, of no tile, is 0, so that the scan ends with the total.
__global__ void __launch_bounds__(CompactionTuning::kThreads)
    count_cells_kernel(View<const std::uint8_t> matches, View<std::int32_t> tile_counts) {
  std::int32_t own = 0;
  for (const std::int64_t cell : block::strided<CompactionTuning::kThreads>(cells_of_block(matches.size()))) {
    own += matches[cell];
  }
  const std::int32_t count = block::reduce_sum(own);
  if (block::rank() > 0) return;
  tile_counts[block::index()] = count;
  if (block::index() == 0) tile_counts[tile_counts.size() - 1] = 0;
}

__global__ void __launch_bounds__(CompactionTuning::kThreads)
    move_cells_kernel(View<const Row> cells, View<const std::uint8_t> matches, View<const std::int64_t> tile_places,
                      View<Row> rows, View<DigestWord> count) {
  std::int64_t place = tile_places[block::index()];
  for (const auto [cell, inside] : block::rounds<CompactionTuning::kThreads>(cells_of_block(matches.size()))) {
    const bool match = inside && matches[cell] != 0;
    const warp::Slot slot = block::compact(match);
    if (match) rows[place + slot.index] = cells[cell];
    place += slot.count;
  }
  if (block::index() == 0 && block::rank() == 0) {
    count[0] = static_cast<DigestWord>(tile_places[tile_places.size() - 1]);
  }
}

}  // namespace

Cells Compaction::cells(std::int64_t count, Stream& stream) {
  count_ = count;
  if (rows_.size() < count) {
    rows_.reset();
    rows_ = Buffer<Row>(count, stream);
    matches_.reset();
    matches_ = Buffer<std::uint8_t>(count, stream);
  }
  return {rows_.view().first(count), matches_.view().first(count)};
}

void Compaction::compact(View<Row> rows, View<DigestWord> count, Stream& stream) {
  const std::int64_t tiles = ceil_div(count_, CompactionTuning::kTile);
  grow(tile_counts_, tiles + 1, stream);
  grow(tile_places_, tiles + 1, stream);
  const View<const std::uint8_t> matches = matches_.view().first(count_);
  const View<std::int32_t> tile_counts = tile_counts_.view().first(tiles + 1);
  const View<std::int64_t> tile_places = tile_places_.view().first(tiles + 1);
  const Grid grid{tiles, CompactionTuning::kThreads};
  launch(count_cells_kernel, grid, stream, matches, tile_counts);
  exclusive_scan(tile_counts, tile_places, stream);
  launch(move_cells_kernel, grid, stream, rows_.view().first(count_), matches, tile_places, rows, count);
}

}  // namespace warpbench::theta
