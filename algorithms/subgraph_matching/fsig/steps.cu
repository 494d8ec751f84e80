#include "algorithms/subgraph_matching/fsig/steps.hpp"

#include <algorithm>

#include "algorithms/subgraph_matching/fsig/join.cuh"
#include "device/primitives.hpp"
#include "problems/subgraph_matching/counting.hpp"

namespace warpbench::matching::fsig {
namespace {

constexpr int kStagedWords = 2048;  ///< of the rows that a tile extends, in shared memory

/// So many threads for `count` elements that each takes several where there are many.
Grid strided(std::int64_t count) {
  constexpr std::int64_t kMostBlocks = 132 * 64;
  return {std::min((count + kThreads - 1) / kThreads, kMostBlocks), kThreads};
}
__device__ __forceinline__ std::int64_t first_element() {
  return std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
}
__device__ __forceinline__ std::int64_t stride() {
  return std::int64_t{gridDim.x} * kThreads;
}

// ---- bounds ----

__global__ void __launch_bounds__(kThreads)
    bounds_kernel(Table table, DeviceLevel level, Auxiliary auxiliary, View<std::int64_t> bounds) {
  if (first_element() == 0) bounds[table.count] = 0;
  const BackwardEdge edge = level.backward[0];
  for (std::int64_t row = first_element(); row < table.count; row += stride()) {
    bounds[row] = list_of(auxiliary, edge, row_of(table, row)[edge.column]).size;
  }
}

__global__ void __launch_bounds__(kThreads) block_starts_kernel(View<const std::int64_t> bounds, std::int64_t first,
                                                                std::int64_t step, View<BlockStart> starts) {
  for (std::int64_t i = first_element(); i < starts.size(); i += stride()) {
    const std::int64_t row = owner_of(bounds, 0, bounds.size() - 2, first + i * step);
    starts[i] = {row, bounds[row]};
  }
}

// ---- the join, and its output ----

__device__ __forceinline__ void set_tile_count(View<std::int64_t> places, int count) {
  if (threadIdx.x != 0) return;
  places[blockIdx.x] = count;
  if (blockIdx.x == 0) places[gridDim.x] = 0;
}

__global__ void __launch_bounds__(kThreads) count_results_kernel(Join join, View<std::int64_t> places) {
  const Found found = join_tile(join);
  set_tile_count(places, block::reduce_sum(found.count()));
}

/// Calls visit(place, k) for the elements k that this thread found, in their places among those of the block; returns
/// how many the block has.
template <typename Visit>
__device__ __forceinline__ int place_found(const Found& found, Visit visit) {
  int count = 0;
  int place = block::exclusive_scan(found.count(), count);
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    if (((found.bits >> k) & 1U) != 0) visit(place++, k);
  }
  return count;
}

__global__ void __launch_bounds__(kThreads)
    collect_results_kernel(Join join, View<Result> results, View<std::int64_t> places) {
  const Found found = join_tile(join);
  const View<Result> own = results.subview(std::int64_t{blockIdx.x} * kTile, kTile);
  const int count = place_found(found, [&](int place, int k) {
    own[place] = {static_cast<std::uint32_t>(found.rows[k]), found.vertices[k]};
  });
  set_tile_count(places, count);
}

/// One thread writes a whole row.
__device__ __forceinline__ void write_row(const Table& table, std::int64_t row, Vertex vertex, View<Vertex> rows,
                                          std::int64_t place) {
  const std::int64_t begin = place * (table.columns + 1);
  for (std::int64_t column = 0; column < table.columns; ++column) {
    rows[begin + column] = row_of(table, row)[column];
  }
  rows[begin + table.columns] = vertex;
}

__global__ void __launch_bounds__(kThreads)
    write_by_joining_kernel(Join join, View<const std::int64_t> places, View<Vertex> rows) {
  const Found found = join_tile(join);
  const std::int64_t begin = places[blockIdx.x];
  place_found(found,
              [&](int place, int k) { write_row(join.table, found.rows[k], found.vertices[k], rows, begin + place); });
}

__global__ void __launch_bounds__(kThreads)
    write_by_rows_kernel(Table table, View<const Result> results, View<const std::int64_t> places, View<Vertex> rows) {
  const std::int64_t begin = places[blockIdx.x];
  const std::int64_t count = places[std::int64_t{blockIdx.x} + 1] - begin;
  for (std::int64_t i = threadIdx.x; i < count; i += kThreads) {
    const Result result = results[std::int64_t{blockIdx.x} * kTile + i];
    write_row(table, result.row, result.vertex, rows, begin + i);
  }
}

/// The results of a tile, and the rows that they extend where there is room, lie in shared memory; thread i writes
/// words i, i + kThreads, … of the new rows, and knows from the width of a row which ones they are.
__global__ void __launch_bounds__(kThreads)
    write_together_kernel(Table table, View<const Result> results, View<const std::int64_t> places, View<Vertex> rows) {
  __shared__ Result staged[kTile];
  __shared__ Vertex staged_rows[kStagedWords];
  const std::int64_t begin = places[blockIdx.x];
  const auto count = static_cast<int>(places[std::int64_t{blockIdx.x} + 1] - begin);
  if (count == 0) return;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) {
    staged[i] = results[std::int64_t{blockIdx.x} * kTile + i];
  }
  __syncthreads();
  const auto columns = static_cast<int>(table.columns);
  const std::uint32_t first_row = staged[0].row;  // results keep the order of rows
  const std::int64_t words = std::int64_t{staged[count - 1].row - first_row + 1} * columns;
  const bool rows_fit = words <= kStagedWords;
  if (rows_fit) {
    for (int i = static_cast<int>(threadIdx.x); i < words; i += kThreads) {
      staged_rows[i] = row_of(table, first_row)[i];
    }
  }
  __syncthreads();
  const int width = columns + 1;
  for (int i = static_cast<int>(threadIdx.x); i < count * width; i += kThreads) {
    const Result result = staged[i / width];
    const int column = i % width;
    Vertex value = result.vertex;
    if (column < columns) {
      value = rows_fit ? staged_rows[static_cast<int>(result.row - first_row) * columns + column]
                       : row_of(table, result.row)[column];
    }
    rows[begin * width + i] = value;
  }
}

// ---- totals ----

/// Adds high * 2^64 + low.
__device__ void add_to(Totals totals, unsigned long long low, unsigned long long high) {
  const unsigned long long before = atomicAdd(&totals[0], low);
  if (before + low < before) ++high;
  if (high != 0) atomicAdd(&totals[1], high);
}

__global__ void __launch_bounds__(kThreads) count_matches_kernel(Join join, Totals totals) {
  const Found found = join_tile(join);
  const int count = block::reduce_sum(found.count());
  if (threadIdx.x == 0 && count > 0) add_to(totals, static_cast<unsigned long long>(count), 0);
}

/// How many data vertices the leaf may map to beside the row: its list without what the row has used.
__device__ std::int64_t leaf_images(const DeviceLevel& leaf, const Auxiliary& auxiliary, const Vertex* row) {
  const BackwardEdge edge = leaf.backward[0];
  const List list = list_of(auxiliary, edge, row[edge.column]);
  std::int64_t images = list.size;
  for (const std::uint32_t column : leaf.colliding) {
    if (is_candidate(auxiliary.candidates, leaf.vertex, row[column]) && contains(list, row[column])) --images;
  }
  return images;
}

/// A sum that may exceed 64 bits, in halves that cannot.
struct WideSum {
  unsigned long long low_halves = 0;
  unsigned long long high_halves = 0;
  unsigned long long above = 0;  ///< in units of 2^64, or some of them: any is too much

  __device__ void add_product(const View<const DeviceLevel>& leaves, const Auxiliary& auxiliary, const Vertex* row) {
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
};

__global__ void __launch_bounds__(kThreads)
    count_leaves_kernel(Table table, View<const DeviceLevel> leaves, Auxiliary auxiliary, Totals totals) {
  WideSum sum;
  for (std::int64_t row = first_element(); row < table.count; row += stride()) {
    sum.add_product(leaves, auxiliary, row_of(table, row));
  }
  const unsigned long long low_halves = block::reduce_sum(sum.low_halves);
  const unsigned long long high_halves = block::reduce_sum(sum.high_halves);
  const unsigned long long above = block::reduce_sum(sum.above);
  if (threadIdx.x != 0) return;
  const unsigned long long low = low_halves + (high_halves << 32);
  add_to(totals, low, (high_halves >> 32) + above + (low < low_halves ? 1 : 0));
}

__global__ void __launch_bounds__(kThreads) digest_kernel(Table table, View<const Vertex> order, Totals totals) {
  unsigned long long digest = 0;
  for (std::int64_t row = first_element(); row < table.count; row += stride()) {
    std::uint64_t parts = 0;
    for (std::int64_t c = 0; c < table.columns; ++c) parts += digest_part(order[c], row_of(table, row)[c]);
    digest += digest_of_match(parts);
  }
  digest = block::reduce_sum(digest);
  if (threadIdx.x == 0) atomicAdd(&totals[2], digest);
}

Grid tiles(const Join& join) {
  return {join.tiles(), kThreads};
}

}  // namespace

void scan_bounds(const Table& table, const DeviceLevel& level, const Auxiliary& auxiliary, View<std::int64_t> bounds,
                 Stream& stream) {
  launch(bounds_kernel, strided(table.count), stream, table, level, auxiliary, bounds);
  exclusive_scan(bounds, bounds, stream);
}

void find_block_starts(View<const std::int64_t> bounds, std::int64_t first, std::int64_t step, View<BlockStart> starts,
                       Stream& stream) {
  launch(block_starts_kernel, strided(starts.size()), stream, bounds, first, step, starts);
}

void count_results(const Join& join, View<std::int64_t> places, Stream& stream) {
  launch(count_results_kernel, tiles(join), stream, join, places);
  exclusive_scan(places, places, stream);
}

void collect_results(const Join& join, View<Result> results, View<std::int64_t> places, Stream& stream) {
  launch(collect_results_kernel, tiles(join), stream, join, results, places);
  exclusive_scan(places, places, stream);
}

void write_by_joining(const Join& join, View<const std::int64_t> places, View<Vertex> rows, Stream& stream) {
  launch(write_by_joining_kernel, tiles(join), stream, join, places, rows);
}

void write_by_rows(const Join& join, View<const Result> results, View<const std::int64_t> places, View<Vertex> rows,
                   Stream& stream) {
  launch(write_by_rows_kernel, tiles(join), stream, join.table, results, places, rows);
}

void write_together(const Join& join, View<const Result> results, View<const std::int64_t> places, View<Vertex> rows,
                    Stream& stream) {
  launch(write_together_kernel, tiles(join), stream, join.table, results, places, rows);
}

void count_matches(const Join& join, Totals totals, Stream& stream) {
  launch(count_matches_kernel, tiles(join), stream, join, totals);
}

void count_leaves(const Table& table, View<const DeviceLevel> leaves, const Auxiliary& auxiliary, Totals totals,
                  Stream& stream) {
  launch(count_leaves_kernel, strided(table.count), stream, table, leaves, auxiliary, totals);
}

void digest_rows(const Table& table, View<const Vertex> order, Totals totals, Stream& stream) {
  launch(digest_kernel, strided(table.count), stream, table, order, totals);
}

}  // namespace warpbench::matching::fsig
