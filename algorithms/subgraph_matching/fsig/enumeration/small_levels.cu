#include "algorithms/subgraph_matching/fsig/enumeration/small_levels.hpp"

#include "algorithms/subgraph_matching/fsig/enumeration/join.cuh"
#include "algorithms/subgraph_matching/fsig/enumeration/totals.cuh"
#include "device/block.cuh"

namespace warpbench::matching::fsig {
namespace {

struct SmallLevelsTuning {
  static constexpr int kThreads = 512;
  static constexpr int kItems = 1;  ///< list elements a thread, of a tile
};
constexpr int kThreads = SmallLevelsTuning::kThreads;

/// The extension of the table by the next level, all of it. Writes its bounds. All threads must call.
__device__ TableExtension next_extension(const SmallLevels& input, const MatchTable& table) {
  const DeviceLevel level = input.levels[table.width];
  const BackwardEdge edge = level.backward[0];
  std::int64_t elements = 0;
  for (const auto [row, inside] : block::rounds<kThreads>(table.rows)) {
    const std::int64_t own = inside ? list_of(input.auxiliary, edge, table.row(row)[edge.column]).size() : 0;
    std::int64_t sum = 0;
    const std::int64_t before = block::exclusive_scan(own, sum);
    if (inside) input.bounds[row] = elements + before;
    elements += sum;
  }
  if (block::rank<kThreads>() == 0) input.bounds[table.rows] = elements;
  __syncthreads();
  return {table, input.bounds.first(table.rows + 1), 0, elements, level, input.auxiliary};
}

/// The table that the extension makes, in `rows`. All threads must call.
__device__ MatchTable extended(const TableExtension& extension, View<Vertex> rows) {
  std::int64_t written = 0;
  for (std::int64_t tile = 0; tile < extension.tiles(); ++tile) {
    const auto found = join_tile<SmallLevelsTuning>(extension, tile);
    written += place_found(found, [&](int place, int k) {
      write_row(extension.table.row(found.rows[k]), found.vertices[k], rows, written + place);
    });
  }
  __syncthreads();
  return {rows, written, extension.table.width + 1};
}

__device__ void count_results(const TableExtension& extension, Totals totals) {
  int count = 0;
  for (std::int64_t tile = 0; tile < extension.tiles(); ++tile) {
    count += join_tile<SmallLevelsTuning>(extension, tile).count();
  }
  const int sum = block::reduce_sum(count);
  if (block::rank<kThreads>() == 0) add_to(totals, static_cast<unsigned long long>(sum), 0);
}

__device__ void count_leaves(const SmallLevels& input, const MatchTable& table, Totals totals) {
  const View<const DeviceLevel> leaves = input.levels.subview(table.width, input.levels.size() - table.width);
  SplitSum sum;
  for (const std::int64_t row : block::strided<kThreads>(table.rows)) {
    sum.add_product(leaves, input.auxiliary, table.row(row));
  }
  sum.add_block_to(totals);
}

/// Adds the matches of the last table to the totals. False where that is left to others.
__device__ bool count_matches(const SmallLevels& input, const MatchTable& table, Totals totals) {
  if (table.rows == 0) return true;
  if (input.finish == Finish::rows) return false;
  if (input.finish == Finish::leaves) {
    count_leaves(input, table, totals);
    return true;
  }
  const TableExtension extension = next_extension(input, table);
  if (extension.elements() > input.max_elements) return false;
  count_results(extension, totals);
  return true;
}

/// Notes the table that was made last.
__device__ void note(SmallLevelsReport& report, const MatchTable& table) {
  if (block::rank<kThreads>() != 0) return;
  report.width = table.width;
  report.rows[table.width - 1] = table.rows;
}

/// One block.
__global__ void __launch_bounds__(kThreads) small_levels_kernel(SmallLevels input, View<SmallLevelsReport> reports) {
  SmallLevelsReport& report = reports[0];
  if (block::rank<kThreads>() == 0) report = {};
  MatchTable table{input.first_table, input.first_table.size(), 1};
  note(report, table);
  while (table.rows > 0 && table.width < input.last_width) {
    const TableExtension extension = next_extension(input, table);
    if (extension.elements() > input.max_elements) return;
    table = extended(extension, input.tables[table.width % 2]);
    note(report, table);
  }
  const bool counted = count_matches(input, table, {report.totals, 3});
  if (block::rank<kThreads>() == 0 && counted) report.counted = 1;
}

}  // namespace

void extend_small_levels(const SmallLevels& levels, View<SmallLevelsReport> report, Stream& stream) {
  launch(small_levels_kernel, Grid{1, kThreads}, stream, levels, report);
}

}  // namespace warpbench::matching::fsig
