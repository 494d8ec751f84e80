#include "algorithms/theta_join/sort_scan/rank_rows.cuh"

#include <bit>
#include <utility>

namespace warpbench::theta {
RankRows::RankRows(std::int64_t size, Stream& stream)
    : size_(size),
      bits_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size)))),
      zeros_(bits_ * (size + 1), stream),
      fields_((bits_ + 1) * size, stream),
      orders_(size, stream),
      next_ranks_(size, stream) {}

void RankRows::build(View<const std::int32_t> first, View<const std::int32_t> second, View<const FieldsOfS> fields,
                     Stream& stream) {
  const auto level_fields = [this](int level) { return fields_.view().subview(level * size_, size_); };
  orders_.sort(first, second, stream);
  gather(orders_.places.view(), fields, level_fields(0), stream);
  zeros_.fill(0, stream);
  for (int level = 0; level < bits_; ++level) {
    partition_by_bit<FieldsOfS>(orders_.ranks.view(), level_fields(level), bits_ - 1 - level,
                                zeros_.view().subview(level * (size_ + 1), size_ + 1), next_ranks_.view(),
                                level_fields(level + 1), stream);
    std::swap(orders_.ranks, next_ranks_);
  }
}

}  // namespace warpbench::theta
