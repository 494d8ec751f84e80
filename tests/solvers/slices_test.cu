// Work in slices: each element once, in order, in slices that grow where they are short, until the time is up.
#include "solvers/subgraph_matching/slices.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "device/ranges.cuh"

namespace warpbench {
namespace {

using matching::Deadline;
using matching::SliceSizes;
using Extents = std::vector<Extent<std::int64_t>>;

TEST(Slices, CoverAllElementsInOrder) {
  Stream stream;
  const SliceSizes sizes = matching::on_this_backend({std::int64_t{1} << 12, std::int64_t{1} << 15});
  for (const std::int64_t elements : {std::int64_t{0}, std::int64_t{1}, sizes.first, 100 * sizes.most + 1}) {
    Extents slices;
    EXPECT_TRUE(matching::in_slices(elements, {std::int64_t{1} << 12, std::int64_t{1} << 15}, Deadline(1000), stream,
                                    [&](std::int64_t first, std::int64_t last) {
                                      slices.push_back({first, last});
                                    }));
    std::int64_t next = 0;
    for (const Extent<std::int64_t>& slice : slices) {
      EXPECT_EQ(slice.begin, next);
      EXPECT_GT(slice.size(), 0);
      EXPECT_LE(slice.size(), sizes.most);
      next = slice.end;
    }
    EXPECT_EQ(next, elements);
    if (slices.size() > 1) {
      EXPECT_EQ(slices[0].size(), sizes.first);
    }
  }
}

TEST(Slices, GrowWhereTheyAreShortAndShrinkWhereTheyAreLong) {
  const SliceSizes sizes{64, 1000};
  EXPECT_EQ(matching::next_slice(64, 0.001, sizes), 128);
  EXPECT_EQ(matching::next_slice(600, 0.001, sizes), 1000);
  EXPECT_EQ(matching::next_slice(600, 0.01, sizes), 600);
  EXPECT_EQ(matching::next_slice(600, 0.1, sizes), 300);
  EXPECT_EQ(matching::next_slice(1, 10, sizes), 1);
}

TEST(Slices, EndOnceTheTimeIsUp) {
  Stream stream;
  std::int64_t launched = 0;
  const bool is_done = matching::in_slices(std::int64_t{1} << 40, {std::int64_t{1} << 12, std::int64_t{1} << 12},
                                           Deadline(0.01), stream, [&](std::int64_t, std::int64_t) {
                                             ++launched;
                                             std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                           });
  EXPECT_FALSE(is_done);
  EXPECT_GT(launched, 0);
  EXPECT_LE(launched, 10);
}

TEST(Slices, BeginShortWhereListsAreLong) {
  EXPECT_EQ(matching::slices_of_lists(0).first, std::int64_t{1} << 20);
  EXPECT_EQ(matching::slices_of_lists(20'000).first, std::int64_t{1} << 16);
  EXPECT_EQ(matching::slices_of_lists(1 << 12).first, std::int64_t{1} << 18);
}

/// The clock is asked before each launch, and launches of little work are not waited for.
TEST(Slices, PaceManyLaunches) {
  Stream stream;
  const Deadline long_one(1000);
  matching::PacedLaunches launches(long_one, stream);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(launches.go_on(std::int64_t{1} << 30));
  const Deadline over(0);
  EXPECT_FALSE(matching::PacedLaunches(over, stream).go_on(1));
}

}  // namespace
}  // namespace warpbench
