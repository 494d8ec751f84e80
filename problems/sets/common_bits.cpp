#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "problems/sets/common_bits.cpp"
#define HWY_WANT_AVX3_DL         // with it an instruction counts the bits of eight words, four times as fast
#include <hwy/foreach_target.h>  // includes this file once for each other target, and goes on with the last
#include <hwy/highway.h>

#include "problems/sets/common_bits.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpbench::pairs::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<std::uint64_t, kWordsOfBlock>;
using Words = hn::Vec<Tag>;

HWY_INLINE Words add_common(Words sum, Words of_column, const std::uint64_t* row) {
  return hn::Add(sum, hn::PopulationCount(hn::And(of_column, hn::LoadU(Tag(), row))));
}

HWY_INLINE std::uint32_t total(Words sums) {
  return static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(Tag(), sums)));
}

/// Four rows at a time, so that the words of a column are loaded once for them.
HWY_INLINE void count_four(const std::uint64_t* rows, const std::uint64_t* column, std::size_t words,
                           std::uint32_t* counts, std::size_t columns) {
  Words sum_0 = hn::Zero(Tag());
  Words sum_1 = sum_0;
  Words sum_2 = sum_0;
  Words sum_3 = sum_0;
  for (std::size_t w = 0; w < words; w += hn::Lanes(Tag())) {
    const Words of_column = hn::LoadU(Tag(), column + w);
    sum_0 = add_common(sum_0, of_column, rows + w);
    sum_1 = add_common(sum_1, of_column, rows + words + w);
    sum_2 = add_common(sum_2, of_column, rows + 2 * words + w);
    sum_3 = add_common(sum_3, of_column, rows + 3 * words + w);
  }
  counts[0] = total(sum_0);
  counts[columns] = total(sum_1);
  counts[2 * columns] = total(sum_2);
  counts[3 * columns] = total(sum_3);
}

HWY_INLINE std::uint32_t count_one(const std::uint64_t* row, const std::uint64_t* column, std::size_t words) {
  Words sum = hn::Zero(Tag());
  for (std::size_t w = 0; w < words; w += hn::Lanes(Tag()))
    sum = add_common(sum, hn::LoadU(Tag(), column + w), row + w);
  return total(sum);
}

void count(std::span<const std::uint64_t> rows, std::span<const std::uint64_t> columns, std::size_t words,
           std::span<std::uint32_t> counts) {
  const std::size_t row_count = rows.size() / words;
  const std::size_t column_count = columns.size() / words;
  for (std::size_t i = 0; i < row_count; i += i + 4 <= row_count ? 4 : 1) {
    const std::uint64_t* const row = rows.data() + i * words;
    for (std::size_t j = 0; j < column_count; ++j) {
      const std::uint64_t* const column = columns.data() + j * words;
      std::uint32_t* const of_pair = counts.data() + i * column_count + j;
      if (i + 4 <= row_count) {
        count_four(row, column, words, of_pair, column_count);
      } else {
        *of_pair = count_one(row, column, words);
      }
    }
  }
}

}  // namespace
}  // namespace warpbench::pairs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpbench::pairs {

HWY_EXPORT(count);

void count_common_bits(std::span<const std::uint64_t> rows, std::span<const std::uint64_t> columns, std::size_t words,
                       std::span<std::uint32_t> counts) {
  HWY_DYNAMIC_DISPATCH(count)(rows, columns, words, counts);
}

}  // namespace warpbench::pairs
#endif
