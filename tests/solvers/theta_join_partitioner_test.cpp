// The partitioner of the join matrix: every pair in one part, no part too large, how many there are.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "device/error.hpp"
#include "device/integers.hpp"
#include "solvers/theta_join/partitioner.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::theta {
namespace {

constexpr std::int64_t kRowBytes = 12;

/// With memory for `rows` rows.
Partition parts_of(std::int64_t r, std::int64_t s, std::int64_t rows) {
  return partition(r, s, kRowBytes, rows * kRowBytes);
}

void expect_tiling(const Partition& found, std::int64_t r, std::int64_t s, std::int64_t rows) {
  std::vector<int> covered(static_cast<std::size_t>(r * s));
  for (const JoinPart& part : found.parts) {
    EXPECT_LE(part.pairs(), rows);
    EXPECT_GT(part.pairs(), 0);
    for (std::int64_t i = part.r_begin; i < part.r_end; ++i) {
      for (std::int64_t j = part.s_begin; j < part.s_end; ++j) ++covered.at(static_cast<std::size_t>(i * s + j));
    }
  }
  for (const int times : covered) ASSERT_EQ(times, 1);
  EXPECT_EQ(found.least_parts, ceil_div(r * s, rows));
  EXPECT_GE(static_cast<std::int64_t>(found.parts.size()), found.least_parts);
}

TEST(ThetaPartitioner, CutsSquaresWhereBothSizesAreMultiplesOfTheSide) {
  const Partition found = parts_of(8, 8, 16);  // Figure 3.1
  EXPECT_EQ(found.kind, PartitionCase::squares);
  EXPECT_EQ(found.parts, (std::vector<JoinPart>{{0, 4, 0, 4}, {0, 4, 4, 8}, {4, 8, 0, 4}, {4, 8, 4, 8}}));
  EXPECT_EQ(parts_of(12, 8, 16).kind, PartitionCase::squares);
  EXPECT_EQ(parts_of(12, 8, 16).parts.size(), 6);
}

TEST(ThetaPartitioner, TakesAllOfAMuchSmallerRelationByPartsOfTheOther) {
  const Partition wide = parts_of(100, 3, 60);
  EXPECT_EQ(wide.kind, PartitionCase::strips);
  EXPECT_EQ(wide.parts,
            (std::vector<JoinPart>{{0, 20, 0, 3}, {20, 40, 0, 3}, {40, 60, 0, 3}, {60, 80, 0, 3}, {80, 100, 0, 3}}));
  const Partition high = parts_of(3, 100, 60);
  EXPECT_EQ(high.kind, PartitionCase::strips);
  EXPECT_EQ(high.parts.at(1), (JoinPart{0, 3, 20, 40}));
}

TEST(ThetaPartitioner, CoversTheRestOfSquaresBySmallerRectangles) {
  const Partition found = parts_of(10, 9, 16);  // t = 6, side 3
  EXPECT_EQ(found.kind, PartitionCase::remainders);
  EXPECT_EQ(found.parts.size(), 4 * 3);
  EXPECT_EQ(found.parts.front(), (JoinPart{0, 3, 0, 3}));
  EXPECT_EQ(found.parts.back(), (JoinPart{9, 10, 6, 9}));
}

TEST(ThetaPartitioner, LeavesWholeWhatFits) {
  EXPECT_EQ(parts_of(10, 9, 90).parts, (std::vector<JoinPart>{{0, 10, 0, 9}}));
  EXPECT_EQ(parts_of(9, 9, 100).parts, (std::vector<JoinPart>{{0, 9, 0, 9}}));
  EXPECT_EQ(parts_of(10, 9, 90).max_pairs(), 90);
}

TEST(ThetaPartitioner, HasNoPartsOfNoPairs) {
  EXPECT_TRUE(parts_of(0, 9, 1).parts.empty());
  EXPECT_TRUE(parts_of(9, 0, 0).parts.empty());
  EXPECT_EQ(parts_of(0, 0, 1).max_pairs(), 0);
}

TEST(ThetaPartitioner, RefusesMemoryForLessThanOneRow) {
  EXPECT_THROW((void)partition(5, 5, kRowBytes, kRowBytes - 1), OutOfDeviceMemory);
  EXPECT_EQ(partition(5, 5, kRowBytes, kRowBytes).parts.size(), 25);
}

/// The document's example (§3.2.2): 50K × 25K tuples of rows of 16 bytes are 20 GB.
TEST(ThetaPartitioner, CountsThePartsOfTheDocumentsExample) {
  const Partition found = partition(50'000, 25'000, 16, 4'000'000'000);
  EXPECT_EQ(found.least_parts, 5);
  EXPECT_EQ(found.kind, PartitionCase::remainders);
  EXPECT_EQ(found.parts.size(), 8);  // of side 15811
}

TEST(ThetaPartitioner, CutsTheLargestRelations) {
  const std::int64_t most = (std::int64_t{1} << 31) - 1;
  const Partition found = partition(most, most, kRowBytes, std::int64_t{1} << 62);
  EXPECT_GE(static_cast<std::int64_t>(found.parts.size()), found.least_parts);
  std::int64_t pairs = 0;
  for (const JoinPart& part : found.parts) pairs += part.pairs();
  EXPECT_EQ(pairs, most * most);
}

TEST(ThetaPartitioner, TilesAnyMatrix) {
  for (const std::int64_t s : {1, 2, 7}) {
    for (const std::int64_t rows : {1, 2, 3, 5, 50, 1000}) {
      expect_tiling(parts_of(97, s, rows), 97, s, rows);
      expect_tiling(parts_of(s, 97, rows), s, 97, rows);
    }
  }
  const std::uint64_t seed = 20223;
  std::mt19937_64 random(seed);
  for (std::uint64_t round = 0; round < testing::usual_or_thorough(100, 1000); ++round) {
    const auto r = static_cast<std::int64_t>(1 + random() % 60);
    const auto s = static_cast<std::int64_t>(1 + random() % 60);
    const auto rows = static_cast<std::int64_t>(1 + random() % 400);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ", round " << round << ": " << r << " x " << s << ", "
                                      << rows << " rows");
    expect_tiling(parts_of(r, s, rows), r, s, rows);
  }
}

}  // namespace
}  // namespace warpbench::theta
