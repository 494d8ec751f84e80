#include "algorithms/subgraph_matching/fsig/enumeration/steps.hpp"

#include <numbers>
#include <numeric>

#include "algorithms/subgraph_matching/fsig/enumeration/join.cuh"
#include "algorithms/subgraph_matching/fsig/enumeration/totals.cuh"
#include "algorithms/subgraph_matching/match_digest.cuh"

namespace warpbench::matching::fsig {
namespace {

constexpr int kJoinThreads = ExtensionTuning::kThreads;

/// Kernels that give each row of a table, or each element of a list, a thread.
struct RowTuning {
  static constexpr int kThreads = 128;
  static constexpr std::int64_t kMaxBlocks = 132 * 64;
};
constexpr int kRowThreads = RowTuning::kThreads;

struct OneStarTuning {
  static constexpr int kThreads = 128;
  static constexpr int kStagedWords = 2048;  ///< of the rows that a tile extends, in shared memory
};
constexpr int kOneStarThreads = OneStarTuning::kThreads;

Grid grid_of_rows(std::int64_t rows) {
  return grid_for(rows, kRowThreads, RowTuning::kMaxBlocks);
}

// ---- bounds ----

__global__ void __launch_bounds__(kRowThreads)
    bounds_kernel(MatchTable table, DeviceLevel level, Auxiliary auxiliary, View<std::int64_t> bounds) {
  if (grid::index<kRowThreads>() == 0) bounds[table.rows] = 0;
  const BackwardEdge edge = level.backward[0];
  for (const std::int64_t row : grid::strided<kRowThreads>(table.rows)) {
    bounds[row] = list_of(auxiliary, edge, table.row(row)[edge.column]).size();
  }
}

__global__ void __launch_bounds__(kRowThreads) chunk_starts_kernel(View<const std::int64_t> bounds, std::int64_t first,
                                                                   std::int64_t step, View<ChunkStart> starts) {
  for (const std::int64_t i : grid::strided<kRowThreads>(starts.size())) {
    const std::int64_t row = find_segment(bounds, first + i * step);
    starts[i] = {row, bounds[row]};
  }
}

__global__ void __launch_bounds__(kRowThreads)
    spread_rows_kernel(MatchTable table, std::int64_t first, std::int64_t stride, View<Vertex> rows) {
  for (const std::int64_t i : grid::strided<kRowThreads>(rows.size())) {
    const std::int64_t row = i / table.width;
    rows[i] = table.row((first + row) * stride % table.rows)[i - row * table.width];
  }
}

/// Steps of the golden section visit all rows, each far from those before it, as they have no common divisor.
std::int64_t golden_stride(std::int64_t rows) {
  auto stride = static_cast<std::int64_t>(static_cast<double>(rows) / std::numbers::phi);
  while (std::gcd(stride, rows) > 1) ++stride;
  return stride;
}

// ---- the join, and its output ----

__device__ __forceinline__ void set_tile_count(View<std::int64_t> places, int count) {
  if (block::rank<kJoinThreads>() != 0) return;
  places[block::index()] = count;
  if (block::index() == 0) places[grid::blocks()] = 0;
}

__global__ void __launch_bounds__(kJoinThreads)
    count_results_kernel(TableExtension extension, View<std::int64_t> places) {
  const auto found = join_tile(extension, block::index());
  set_tile_count(places, block::reduce_sum(found.count()));
}

__global__ void __launch_bounds__(kJoinThreads)
    collect_results_kernel(TableExtension extension, View<Result> results, View<std::int64_t> places) {
  const auto found = join_tile(extension, block::index());
  const View<Result> own = results.subview(block::index() * kTile, kTile);
  const int count = place_found(found, [&](int place, int k) {
    own[place] = {static_cast<std::uint32_t>(found.rows[k]), found.vertices[k]};
  });
  set_tile_count(places, count);
}

__global__ void __launch_bounds__(kJoinThreads)
    write_by_joining_kernel(TableExtension extension, View<const std::int64_t> places, View<Vertex> rows) {
  const auto found = join_tile(extension, block::index());
  const std::int64_t begin = places[block::index()];
  place_found(found, [&](int place, int k) {
    write_row(extension.table.row(found.rows[k]), found.vertices[k], rows, begin + place);
  });
}

/// The results of the block's tile.
__device__ __forceinline__ View<const Result> results_of_tile(View<const Result> results,
                                                              View<const std::int64_t> places) {
  return results.subview(block::index() * kTile, segment(places, block::index()).size());
}

__global__ void __launch_bounds__(kRowThreads)
    write_by_rows_kernel(MatchTable table, View<const Result> results, View<const std::int64_t> places,
                         View<Vertex> rows) {
  const View<const Result> own = results_of_tile(results, places);
  for (const std::int64_t i : block::strided<kRowThreads>(own.size())) {
    write_row(table.row(own[i].row), own[i].vertex, rows, places[block::index()] + i);
  }
}

/// The rows that a tile extends, in shared memory where they fit.
class StagedRows {
 public:
  /// Rows [first, last] of the table. All threads of the block call, and synchronise before they read.
  __device__ StagedRows(Vertex* staged, const MatchTable& table, std::uint32_t first, std::uint32_t last)
      : staged_(staged), table_(table), first_(first) {
    const std::int64_t words = (std::int64_t{last} - first + 1) * table.width;
    fits_ = words <= OneStarTuning::kStagedWords;
    if (!fits_) return;
    const Vertex* const source = table.row(first).data();
    for (const int i : block::strided<kOneStarThreads>(static_cast<int>(words))) staged_[i] = source[i];
  }
  __device__ __forceinline__ Vertex vertex(std::uint32_t row, int column) const {
    return fits_ ? staged_[static_cast<int>(row - first_) * table_.width + column] : table_.row(row)[column];
  }

 private:
  Vertex* staged_;
  const MatchTable& table_;
  std::uint32_t first_;
  bool fits_;
};

/// The results of a tile lie in shared memory, and so do the rows that they extend where there is room. Thread i writes
/// words i, i + kThreads, … of the new rows; the width of a row says which ones they are.
__global__ void __launch_bounds__(kOneStarThreads)
    write_together_kernel(MatchTable table, View<const Result> results, View<const std::int64_t> places,
                          View<Vertex> rows) {
  __shared__ Result staged[kTile];
  __shared__ Vertex staged_rows[OneStarTuning::kStagedWords];
  const View<const Result> own = results_of_tile(results, places);
  const auto count = static_cast<int>(own.size());
  if (count == 0) return;
  for (const int i : block::strided<kOneStarThreads>(count)) staged[i] = own[i];
  __syncthreads();
  const StagedRows extended(staged_rows, table, staged[0].row, staged[count - 1].row);  // results keep the rows' order
  __syncthreads();
  const int width = table.width + 1;
  const View<Vertex> written = rows.subview(places[block::index()] * width, std::int64_t{count} * width);
  for (const int i : block::strided<kOneStarThreads>(count * width)) {
    const Result result = staged[i / width];
    const int column = i % width;
    written[i] = column < table.width ? extended.vertex(result.row, column) : result.vertex;
  }
}

// ---- totals ----

__global__ void __launch_bounds__(kJoinThreads) count_matches_kernel(TableExtension extension, Totals totals) {
  const auto found = join_tile(extension, block::index());
  const int count = block::reduce_sum(found.count());
  if (block::rank() == 0 && count > 0) add_to(totals, static_cast<unsigned long long>(count), 0);
}

__global__ void __launch_bounds__(kRowThreads)
    count_leaves_kernel(MatchTable table, View<const DeviceLevel> leaves, Auxiliary auxiliary, Totals totals) {
  SplitSum sum;
  for (const std::int64_t row : grid::strided<kRowThreads>(table.rows)) {
    sum.add_product(leaves, auxiliary, table.row(row));
  }
  sum.add_block_to(totals);
}

Grid grid_of_tiles(const TableExtension& extension) {
  static_assert(kRowThreads == kJoinThreads && kOneStarThreads == kJoinThreads);
  return {extension.tiles(), kJoinThreads};
}

}  // namespace

void find_bounds(const MatchTable& table, const DeviceLevel& level, const Auxiliary& auxiliary,
                 View<std::int64_t> bounds, Stream& stream) {
  launch(bounds_kernel, grid_of_rows(table.rows), stream, table, level, auxiliary, bounds);
}

void spread_rows(const MatchTable& table, std::int64_t first, std::int64_t last, View<Vertex> rows, Stream& stream) {
  const View<Vertex> written = rows.first((last - first) * table.width);
  launch(spread_rows_kernel, grid_of_rows(written.size()), stream, table, first, golden_stride(table.rows), written);
}

void find_chunk_starts(View<const std::int64_t> bounds, std::int64_t first, std::int64_t step, View<ChunkStart> starts,
                       Stream& stream) {
  launch(chunk_starts_kernel, grid_of_rows(starts.size()), stream, bounds, first, step, starts);
}

void count_results(const TableExtension& extension, View<std::int64_t> places, Stream& stream) {
  launch(count_results_kernel, grid_of_tiles(extension), stream, extension, places);
}

void collect_results(const TableExtension& extension, View<Result> results, View<std::int64_t> places, Stream& stream) {
  launch(collect_results_kernel, grid_of_tiles(extension), stream, extension, results, places);
}

void write_by_joining(const TableExtension& extension, View<const std::int64_t> places, View<Vertex> rows,
                      Stream& stream) {
  launch(write_by_joining_kernel, grid_of_tiles(extension), stream, extension, places, rows);
}

void write_by_rows(const TableExtension& extension, View<const Result> results, View<const std::int64_t> places,
                   View<Vertex> rows, Stream& stream) {
  launch(write_by_rows_kernel, grid_of_tiles(extension), stream, extension.table, results, places, rows);
}

void write_together(const TableExtension& extension, View<const Result> results, View<const std::int64_t> places,
                    View<Vertex> rows, Stream& stream) {
  launch(write_together_kernel, grid_of_tiles(extension), stream, extension.table, results, places, rows);
}

void count_matches(const TableExtension& extension, Totals totals, Stream& stream) {
  launch(count_matches_kernel, grid_of_tiles(extension), stream, extension, totals);
}

void count_leaves(const MatchTable& table, View<const DeviceLevel> leaves, const Auxiliary& auxiliary, Totals totals,
                  Stream& stream) {
  launch(count_leaves_kernel, grid_of_rows(table.rows), stream, table, leaves, auxiliary, totals);
}

bool digest_rows(const MatchTable& table, View<const Vertex> columns, Totals totals, const Deadline& deadline,
                 Stream& stream) {
  return add_digests_of(table, columns, totals.subview(2, 1), deadline, stream);
}

}  // namespace warpbench::matching::fsig
