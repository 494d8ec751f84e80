#include "algorithms/set_similarity_join/compact/bands.cuh"

#include <algorithm>
#include <utility>

#include "device/primitives.hpp"
#include "device/segments.cuh"

namespace warpbench::similarity {
namespace {

constexpr int kBandThreads = 256;

/// bands[distinct tokens] = 0, so that their scan ends with the sum.
__global__ void __launch_bounds__(kBandThreads)
    count_bands(View<const std::int64_t> offsets, View<std::int64_t> bands) {
  for (const std::int64_t token : grid::strided<kBandThreads>(bands.size())) {
    const bool is_token = token + 1 < bands.size();
    bands[token] = is_token ? ceil_div(segment(offsets, token).size(), std::int64_t{TileTuning::kRows}) : 0;
  }
}

/// The first set with more than `size` tokens.
__device__ std::int64_t first_larger(const SetsView& sets, std::uint32_t size) {
  Extent<std::int64_t> range{0, sets.count()};
  while (!range.empty()) {
    const std::int64_t middle = range.begin + range.size() / 2;
    if (sets.size(middle) <= size) {
      range.begin = middle + 1;
    } else {
      range.end = middle;
    }
  }
  return range.begin;
}

/// A thread a band. Columns begin behind the first row's set, and end where sets are too large for the last row's.
__global__ void __launch_bounds__(kBandThreads)
    plan_bands(SetsView sets, Bounds bounds, ListsView rows, ListsView columns, View<const std::int64_t> band_starts,
               View<Band> bands, View<std::int64_t> tiles) {
  const std::int64_t count = band_starts[band_starts.size() - 1];
  for (const std::int64_t b : grid::strided<kBandThreads>(bands.size())) {
    tiles[b] = 0;
    if (b >= count) continue;
    const std::int64_t token = find_segment(band_starts, b);
    const std::int64_t list_end = rows.offsets[token + 1];
    const std::int64_t first_row = rows.offsets[token] + (b - band_starts[token]) * TileTuning::kRows;
    const std::int64_t end_row = first_row + TileTuning::kRows < list_end ? first_row + TileTuning::kRows : list_end;
    const std::uint32_t largest = bounds.max_size(sets.size(rows.postings[end_row - 1].set));
    const std::int64_t first_column = columns.first_from(token, std::int64_t{rows.postings[first_row].set} + 1);
    const std::int64_t end_column = columns.first_from(token, first_larger(sets, largest));
    if (end_column <= first_column) continue;
    bands[b] = {first_row, first_column, static_cast<std::uint32_t>(end_row - first_row),
                static_cast<std::uint32_t>(end_column - first_column)};
    tiles[b] = ceil_div(end_column - first_column, std::int64_t{TileTuning::kColumns});
  }
}

}  // namespace

std::int64_t Bands::most_bands(std::int64_t rows, std::int64_t distinct_tokens) {
  // All but the last band of each list are full.
  return rows / TileTuning::kRows + std::min(rows, distinct_tokens);
}

void Bands::prepare(std::int64_t most_rows, std::int64_t distinct_tokens, Stream& stream) {
  list_bands_ = Buffer<std::int64_t>(distinct_tokens + 1, stream);
  band_starts_ = Buffer<std::int64_t>(distinct_tokens + 1, stream);
  const std::int64_t most = most_bands(most_rows, distinct_tokens);
  bands_ = Buffer<Band>(most, stream);
  tiles_ = Buffer<std::int64_t>(most, stream);
  tile_ends_ = Buffer<std::int64_t>(most, stream);
}

void Bands::plan(const SetsView& sets, const Bounds& bounds, const ListsView& rows, const ListsView& columns,
                 Stream& stream) {
  count_ = most_bands(rows.postings.size(), list_bands_.size() - 1);
  launch(count_bands, grid_for(list_bands_.size(), kBandThreads), stream, rows.offsets, list_bands_.view());
  exclusive_scan(std::as_const(list_bands_).view(), band_starts_.view(), stream);
  launch(plan_bands, grid_for(count_, kBandThreads), stream, sets, bounds, rows, columns,
         std::as_const(band_starts_).view(), bands_.view().first(count_), tiles_.view().first(count_));
  inclusive_scan(std::as_const(tiles_).view().first(count_), tile_ends_.view().first(count_), stream);
}

}  // namespace warpbench::similarity
