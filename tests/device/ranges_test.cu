// The ranges: every element is visited once, by whom the range says, for blocks and bounds of many sizes.
#include <numeric>

#include "device/integers.hpp"
#include "device/ranges.cuh"
#include "device/segments.cuh"
#include "tests/device/support.hpp"

namespace warpbench {
namespace {

using testing::error_of;
using testing::holds;
using testing::under_all_orders;
using Ranges = testing::DeviceTest;
using RangesStrict = testing::StrictTest;
using Visits = std::vector<unsigned>;

constexpr int kThreads = 96;

/// The range that a kernel walks.
enum class Walk {
  grid,
  grid_of_size,
  grid_y,
  grid_warps,
  grid_warps_of_size,
  grid_blocks,
  block,
  block_warps,
  warp,
  teams
};

template <typename Index>
__global__ void visit_kernel(Walk walk, Index begin, Index end, View<unsigned> visits) {
  const auto visit = [&](auto range) {
    for (const Index i : range) atomicAdd(&visits[static_cast<std::int64_t>(i)], 1U);
  };
  if (walk == Walk::grid) visit(grid::strided(begin, end));
  if (walk == Walk::grid_of_size) visit(grid::strided<kThreads>(begin, end));
  if (walk == Walk::grid_y) visit(grid::strided<kThreads, Axis::y>(begin, end));
  if (walk == Walk::grid_warps) visit(grid::per_warp(begin, end));
  if (walk == Walk::grid_warps_of_size) visit(grid::per_warp<kThreads>(begin, end));
  if (walk == Walk::grid_blocks) visit(grid::per_block(begin, end));
  if (walk == Walk::block) visit(block::strided(begin, end));
  if (walk == Walk::block_warps) visit(block::per_warp(begin, end));
  if (walk == Walk::warp) visit(warp::strided(begin, end));
  if (walk == Walk::teams) visit(warp::strided<8>(begin, end));
}

/// The number of visits to each of 0 … size - 1 where a launch walks [begin, end).
template <typename Index>
Visits visits_of(Walk walk, const Grid& grid, Index begin, Index end, std::int64_t size, Stream& stream) {
  Buffer<unsigned> visits(size, stream);
  visits.fill(0, stream);
  launch(visit_kernel<Index>, grid, stream, walk, begin, end, visits.view());
  return visits.to_vector(stream);
}

/// `times` at [begin, end), else 0.
Visits expected_visits(std::int64_t begin, std::int64_t end, std::int64_t size, unsigned times) {
  Visits visits(static_cast<std::size_t>(size), 0);
  for (std::int64_t i = begin; i < end; ++i) visits[static_cast<std::size_t>(i)] = times;
  return visits;
}

template <typename Index>
void check_visits(Walk walk, const Grid& grid, unsigned times, Stream& stream) {
  for (const std::int64_t begin : {0, 5}) {
    for (const std::int64_t end : {0, 1, 31, 32, 33, 95, 96, 97, 700}) {
      EXPECT_EQ(visits_of<Index>(walk, grid, static_cast<Index>(begin), static_cast<Index>(end), 701, stream),
                expected_visits(begin, end, 701, times))
          << "walk " << static_cast<int>(walk) << ", [" << begin << ", " << end << "), index of " << sizeof(Index);
    }
  }
}

template <typename Index>
void check_all_visits(Stream& stream) {
  check_visits<Index>(Walk::grid, Grid{3, kThreads}, 1, stream);
  check_visits<Index>(Walk::grid_of_size, Grid{3, kThreads}, 1, stream);
  check_visits<Index>(Walk::grid_y, Grid{{2, 3}, kThreads}, 2, stream);
  check_visits<Index>(Walk::grid_warps, Grid{2, {32, 3}}, 32, stream);
  check_visits<Index>(Walk::grid_warps_of_size, Grid{2, kThreads}, 32, stream);
  check_visits<Index>(Walk::grid_blocks, Grid{3, 7}, 7, stream);
  check_visits<Index>(Walk::block, Grid{1, {16, 3}}, 1, stream);
  check_visits<Index>(Walk::block_warps, Grid{1, {32, 3}}, 32, stream);
  check_visits<Index>(Walk::warp, Grid{1, 64}, 2, stream);
  check_visits<Index>(Walk::teams, Grid{1, 32}, 4, stream);
}

TEST_F(Ranges, VisitEachElementOnce) {
  check_all_visits<std::int32_t>(stream());
  check_all_visits<std::uint32_t>(stream());
  check_all_visits<std::int64_t>(stream());
  check_all_visits<std::uint64_t>(stream());
}

TEST_F(Ranges, AreEmptyWhereTheEndIsBelowTheBegin) {
  EXPECT_EQ(visits_of<std::int64_t>(Walk::grid, Grid{1, 32}, 9, 3, 10, stream()), Visits(10, 0));
  EXPECT_EQ(visits_of<int>(Walk::block, Grid{1, 32}, 3, -7, 10, stream()), Visits(10, 0));
}

__global__ void far_kernel(std::uint32_t begin, std::uint32_t end, View<std::uint32_t> visited, View<int> count) {
  for (const std::uint32_t i : grid::strided(begin, end)) {
    static_assert(sizeof(*grid::strided(begin, end).begin()) == 4);
    visited[static_cast<std::int64_t>(i - begin)] = i;
    atomicAdd(&count[0], 1);
  }
}

// A counter of 32 bits would wrap to 0 after the last element and start again.
TEST_F(Ranges, OfAGridGoUpToTheLastIndexOf32Bits) {
  constexpr std::uint32_t kBegin = 0xffffff00U;
  Buffer<std::uint32_t> visited(255, stream());
  Buffer<int> count(1, stream());
  count.fill(0, stream());
  launch(far_kernel, Grid{2, 64}, stream(), kBegin, 0xffffffffU, visited.view(), count.view());
  std::vector<std::uint32_t> expected(255);
  std::iota(expected.begin(), expected.end(), kBegin);
  EXPECT_EQ(visited.to_vector(stream()), expected);
  EXPECT_EQ(count.to_vector(stream()), std::vector<int>{255});
}

__global__ void rounds_kernel(std::int64_t begin, std::int64_t end, View<unsigned> by_warp, View<unsigned> by_block) {
  for (const auto [i, inside] : warp::rounds(begin, end)) {
    const unsigned votes = __ballot_sync(kFullMask, inside ? 1 : 0);  // hangs unless all lanes come
    if (inside) by_warp[i] = static_cast<unsigned>(__popc(votes));
  }
  for (const auto [i, inside] : block::rounds(begin, end)) {
    const auto present = static_cast<unsigned>(__syncthreads_count(inside ? 1 : 0));
    if (inside) by_block[i] = present;
  }
}

TEST_F(Ranges, RoundsHaveAllThreads) {
  under_all_orders([&] {
    Buffer<unsigned> by_warp(75, stream());
    Buffer<unsigned> by_block(75, stream());
    by_warp.fill(0, stream());
    by_block.fill(0, stream());
    launch(rounds_kernel, Grid{1, 64}, stream(), 5, 75, by_warp.view(), by_block.view());
    const Visits warps = by_warp.to_vector(stream());
    const Visits blocks = by_block.to_vector(stream());
    for (std::size_t i = 0; i < 75; ++i) {
      EXPECT_EQ(warps[i], i < 5 ? 0U : i < 69 ? 32U : 6U) << i;
      EXPECT_EQ(blocks[i], i < 5 ? 0U : i < 69 ? 64U : 6U) << i;
    }
  });
}

__global__ void places_kernel(View<std::int64_t> places) {
  if (grid::index() == 0) places[0] = grid::size();
  if (block::rank() == 0) places[1 + block::index()] = block::size<kThreads>() + block::warps();
  if (grid::index<kThreads>() == grid::size<kThreads>() - 1) places[4] = grid::blocks() * 10 + block::warp_rank();
}

TEST_F(Ranges, KnowTheirGrid) {
  Buffer<std::int64_t> places(5, stream());
  launch(places_kernel, Grid{3, kThreads}, stream(), places.view());
  EXPECT_EQ(places.to_vector(stream()), (std::vector<std::int64_t>{288, 99, 99, 99, 32}));
}

__global__ void segments_kernel(View<const std::uint64_t> offsets, View<const std::uint32_t> values,
                                View<std::int64_t> owners, View<std::uint32_t> sums) {
  for (const std::int64_t i : grid::per_warp(offsets.size() - 1)) {
    std::uint32_t sum = 0;
    for (const std::int64_t slot : warp::strided(segment(offsets, i))) {
      sum += values[slot];
      owners[slot] = find_segment(offsets, static_cast<std::uint64_t>(slot));
    }
    sum = warp::reduce_sum(sum);
    const View<const std::uint32_t> own = segment(offsets, values, static_cast<std::uint32_t>(i));
    if (warp::lane() == 0) sums[i] = sum * 100 + static_cast<std::uint32_t>(own.size());
  }
}

TEST_F(Ranges, WalkSegments) {
  const std::vector<std::uint64_t> offsets{0, 0, 3, 3, 40, 41, 41};
  const std::vector<std::uint32_t> values(41, 2);
  const Buffer<std::uint64_t> device_offsets(offsets, stream());
  const Buffer<std::uint32_t> device_values(values, stream());
  Buffer<std::int64_t> owners(41, stream());
  Buffer<std::uint32_t> sums(6, stream());
  launch(segments_kernel, warp_grid_for(6, 64), stream(), device_offsets.view(), device_values.view(), owners.view(),
         sums.view());
  EXPECT_EQ(sums.to_vector(stream()), (std::vector<std::uint32_t>{0, 603, 0, 7437, 201, 0}));
  const std::vector<std::int64_t> found = owners.to_vector(stream());
  for (std::size_t slot = 0; slot < 41; ++slot) EXPECT_EQ(found[slot], slot < 3 ? 1 : slot < 40 ? 3 : 4) << slot;
}

TEST_F(RangesStrict, RefuseBlocksOfAnotherShape) {
  const auto run = [&](Walk walk, const Grid& grid) {
    return error_of([&] {
      Stream stream;
      visits_of<std::int64_t>(walk, grid, 0, 9, 10, stream);
    });
  };
  EXPECT_TRUE(holds(run(Walk::grid, Grid{1, {32, 2}}), {"blocks of one dimension", "visit_kernel"}));
  EXPECT_TRUE(holds(run(Walk::grid_of_size, Grid{1, 64}), {"the block does not have the named size"}));
}

TEST_F(RangesStrict, RefuseBoundsWithoutRoomForAStride) {
  const auto run = [&](std::int32_t end) {
    return error_of([&] {
      Stream stream;
      visits_of<std::int32_t>(Walk::block, Grid{1, 32}, end, end, 1, stream);
    });
  };
  EXPECT_EQ(run(0x7fffffff - 32), "");
  EXPECT_TRUE(holds(run(0x7fffffff - 31), {"a range's end plus its stride overflows its index"}));
}

TEST(Integers, Divide) {
  static_assert(ceil_div(0, 4) == 0 && ceil_div(1, 4) == 1 && ceil_div(4, 4) == 1 && ceil_div(5, 4) == 2);
  static_assert(ceil_div(std::int64_t{1} << 40, 3) == 366503875926);
  static_assert(round_up(0U, 8U) == 0 && round_up(9U, 8U) == 16 && round_up(16U, 8U) == 16);
  static_assert(kNone<std::uint32_t> == 0xffffffffU && kNone<std::uint64_t> == ~std::uint64_t{0});
  EXPECT_EQ(grid_for(1000, 256).blocks, Dim3(4));
  EXPECT_EQ(grid_for(1000, 256, 3).blocks, Dim3(3));
  EXPECT_EQ(grid_for(0, 256).blocks, Dim3(0));
  EXPECT_EQ(warp_grid_for(9, 128).blocks, Dim3(3));
  EXPECT_EQ(warp_grid_for(9, 128, 2).blocks, Dim3(2));
}

}  // namespace
}  // namespace warpbench
