// Sums of 128 bits on the device: cells that each fit 64 bits, and blocks' sums that do not.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "algorithms/theta_join/aggregate/total.cuh"
#include "device/buffer.hpp"

namespace warpbench::theta {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

/// What add_cells() adds to `start`.
template <typename Cell>
Int128 total_of(const std::vector<Cell>& cells, Int128 start = 0) {
  Stream stream;
  const Buffer<Cell> on_device(cells, stream);
  const std::vector<SumWord> words{static_cast<SumWord>(start), static_cast<SumWord>(start >> 64)};
  Buffer<SumWord> total(words, stream);
  add_cells(on_device.view(), total.view(), stream);
  const std::vector<SumWord> found = total.to_vector(stream);
  return value_of({found[0], static_cast<std::int64_t>(found[1])});
}

bool is(Int128 found, Int128 expected) {
  return found == expected;
}

TEST(ThetaTotal, AddsUpCellsOf64Bits) {
  for (const std::int64_t cell : {kLowest, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, kHighest}) {
    for (const std::int64_t count : {1, 2, 255, 256, 257, 1000}) {
      const std::vector<SumWord> cells(static_cast<std::size_t>(count), static_cast<SumWord>(cell));
      EXPECT_TRUE(is(total_of(cells), Int128{cell} * count)) << count << " times " << cell;
    }
  }
}

TEST(ThetaTotal, AddsUpCellsOf128Bits) {
  for (const Int128 cell : {Int128{kLowest} << 20, (Int128{kHighest} << 20) + 12345, Int128{-1}}) {
    const std::vector<Int128> cells(300, cell);
    EXPECT_TRUE(is(total_of(cells), cell * 300));
  }
}

TEST(ThetaTotal, CarriesFromOneCallToTheNext) {
  const Int128 low_words_full = (Int128{5} << 64) - 1;
  EXPECT_TRUE(is(total_of(std::vector<SumWord>{1}, low_words_full), Int128{5} << 64));
  EXPECT_TRUE(
      is(total_of(std::vector<SumWord>{static_cast<SumWord>(std::int64_t{-1})}, Int128{5} << 64), low_words_full));
}

}  // namespace
}  // namespace warpbench::theta
