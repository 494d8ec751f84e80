// What shards take of the device's memory: never more than was foreseen, and not much less.
#include <gtest/gtest.h>

#include "algorithms/nearest_neighbors/shards/sharded_solver.hpp"
#include "device/device.hpp"
#include "tests/problems/support/nearest_neighbors_solvers.hpp"
#include "tests/problems/support/vectors.hpp"
#include "tests/support/untouched_memory.hpp"

namespace warpbench::nearest_neighbors {
namespace {

using testing::Given;
using testing::VectorSet;

constexpr std::uint64_t kSeed = 2023;

Given best(Given more) {
  const Given& best = testing::entry_of("ganns").info.best;
  more.insert(best.begin(), best.end());
  return more;
}

ShardMemory memory_of(const NearestNeighbors::Input& input, const Given& given) {
  SearchParameters search;
  search.rerank = 32;
  return shard_memory(Parameters(testing::entry_of("ganns").info.parameters, given), search, input);
}

TEST(ShardMemory, IsNoMoreThanForeseen) {
  const VectorSet set = testing::clustered(400, 2, 20, kSeed);
  const NearestNeighbors::Input input{&set, datasets::Metric::euclidean, 10};
  const Given small{{"d_min", 4}, {"d_max", 8}, {"build_candidates", 32}, {"candidates", 32}};
  for (const Given& given : {Given{{"intermediate_degree", 16}, {"graph_degree", 8}},
                             Given{{"intermediate_degree", 16}, {"graph_degree", 8}, {"reverse_edges", false}},
                             Given{{"intermediate_degree", 0}}, Given{{"intermediate_degree", 0}, {"groups", 2}}}) {
    Given all = given;
    all.insert(small.begin(), small.end());
    all = best(all);
    const std::int64_t foreseen = memory_of(input, all).building(input.points());
    const std::int64_t before = memory_in_use();
    reset_peak_memory();
    const testing::Prepared prepared("ganns", input, all);
    const std::int64_t taken = peak_memory_in_use() - before;
    const std::string name = Parameters(testing::entry_of("ganns").info.parameters, all).canonical();
    EXPECT_LE(taken, foreseen) << name;
    EXPECT_GE(static_cast<double>(taken), 0.7 * static_cast<double>(foreseen)) << name;
  }
}

/// As in the experiment search-hundred-million.
TEST(ShardMemory, PutsAHundredMillionPointsOnACardOf24GiB) {
  constexpr std::int64_t kPoints = 100'000'000;
  constexpr std::uint32_t kDimension = 96;
  constexpr std::int64_t kFree = std::int64_t{24} << 30;
  const auto coordinates = static_cast<std::size_t>(kPoints) * kDimension;
  const testing::UntouchedMemory memory(coordinates * sizeof(float));
  if (memory.data() == nullptr) GTEST_SKIP() << "no addresses for 38 GB";
  VectorSet set = testing::vectors_of(kDimension, {}, std::vector<float>(1000 * kDimension));
  set.points = datasets::Array<float>(nullptr, {static_cast<const float*>(memory.data()), coordinates});
  const NearestNeighbors::Input input{&set, datasets::Metric::euclidean, 10};
  const ShardMemory of_32 =
      memory_of(input, best({{"intermediate_degree", 64}, {"graph_degree", 32}, {"build_candidates", 64}}));
  EXPECT_EQ(fewest_shards(kPoints, kFree, of_32), 8);
  EXPECT_EQ(of_32.searching(8) / kPoints, 96 + 32 * 4);
  // 64 edges a vertex do not fit.
  EXPECT_THROW(static_cast<void>(fewest_shards(kPoints, kFree, memory_of(input, best({})))), Unsupported);
}

}  // namespace
}  // namespace warpbench::nearest_neighbors
