#include "algorithms/theta_join/sort_scan/rank_rows.cuh"

#include <bit>
#include <utility>

#include "device/primitives.hpp"

namespace warpbench::theta {
namespace {

constexpr int kThreads = 256;

/// Second keys and fields of S in the order of `places`.
__global__ void __launch_bounds__(kThreads)
    gather_rows(View<const std::int32_t> places, View<const std::int32_t> seconds, View<const FieldsOfS> fields,
                View<std::int32_t> sorted_seconds, View<FieldsOfS> sorted_fields) {
  for (const std::int64_t i : grid::strided<kThreads>(places.size())) {
    sorted_seconds[i] = seconds[places[i]];
    sorted_fields[i] = fields[places[i]];
  }
}

}  // namespace

RankRows::RankRows(std::int64_t size, Stream& stream)
    : size_(size),
      bits_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size)))),
      zeros_(bits_ * (size + 1), stream),
      fields_((bits_ + 1) * size, stream),
      first_(size, stream),
      second_(size, stream),
      numbers_(size, stream),
      places_(size, stream),
      unsorted_seconds_(size, stream),
      ranks_(size, stream),
      next_ranks_(size, stream) {}

void RankRows::build(View<const std::int32_t> first, View<const std::int32_t> second, View<const FieldsOfS> fields,
                     Stream& stream) {
  const auto level_fields = [this](int level) { return fields_.view().subview(level * size_, size_); };
  iota(numbers_.view(), stream);
  sort_pairs(first, first_.view(), numbers_.view(), places_.view(), stream);
  launch(gather_rows, grid_for(size_, kThreads), stream, places_.view(), second, fields, unsorted_seconds_.view(),
         level_fields(0));
  sort_pairs(unsorted_seconds_.view(), second_.view(), numbers_.view(), places_.view(), stream);
  ranks_of_places(places_.view(), ranks_.view(), stream);
  zeros_.fill(0, stream);
  for (int level = 0; level < bits_; ++level) {
    partition_by_bit<FieldsOfS>(ranks_.view(), level_fields(level), bits_ - 1 - level,
                                zeros_.view().subview(level * (size_ + 1), size_ + 1), next_ranks_.view(),
                                level_fields(level + 1), stream);
    std::swap(ranks_, next_ranks_);
  }
}

}  // namespace warpbench::theta
