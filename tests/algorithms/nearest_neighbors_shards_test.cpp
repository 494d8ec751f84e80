// Shards of ganns: never a wrong answer on awkward sets, the recall of one graph, as few as device memory allows, and
// what is said where none are few enough.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "algorithms/nearest_neighbors/shards/nearest_of_shards.hpp"
#include "algorithms/nearest_neighbors/shards/shard_plan.hpp"
#include "device/device.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/nearest_neighbors_solvers.hpp"
#include "tests/problems/support/vectors.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/untouched_memory.hpp"

namespace warpbench::testing {
namespace {

using Input = NearestNeighbors::Input;
using nearest_neighbors::fewest_shards;
using nearest_neighbors::first_of_shard;
using nearest_neighbors::FoundVertex;
using nearest_neighbors::NearestOfShards;
using nearest_neighbors::ShardMemory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kSeed = 2023;

/// The point `best` with shorter lists, as simt takes long for them.
Given sharded(std::int64_t shards, Given more = {}) {
  more.insert({{"shards", integer(shards)},
               {"intermediate_degree", integer(16)},
               {"graph_degree", integer(8)},
               {"build_candidates", integer(32)},
               {"d_min", integer(4)},
               {"d_max", integer(8)},
               {"candidates", integer(32)},
               {"visited", integer(64)}});
  const Given& best = entry_of("ganns").info.best;
  more.insert(best.begin(), best.end());
  return more;
}

double recall(const Input& input, const Given& given, const std::string& name) {
  const Judgement judgement = judged(input, Prepared("ganns", input, given).answer());
  EXPECT_EQ(judgement.difference, "") << name;
  return judgement.metrics.at("recall");
}

VectorSet first_queries(VectorSet set, std::int64_t max_queries) {
  const std::int64_t queries = std::min(set.query_count(), max_queries);
  set.queries = std::vector<float>(set.queries.begin(), set.queries.begin() + queries * set.dimension());
  return set;
}

/// Among them points that are equal within a shard and beyond it, and fewer points than shards, or than k.
TEST(Shards, AreNeverWrongOnAwkwardSets) {
  for (const auto& [name, all] : adversarial_vectors()) {
    const VectorSet set = first_queries(all, 4);
    for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
      const Input input{&set, metric, 10};
      EXPECT_GE(recall(input, sharded(3), name), 0.9) << name << ' ' << to_string(metric);
    }
  }
}

TEST(Shards, FindAsMuchAsOneGraph) {
  const VectorSet set = clustered(300, 20, 16, kSeed);
  for (const Metric metric : kMetrics) {
    const Input input{&set, metric, 10};
    const std::string name(to_string(metric));
    const double one = recall(input, sharded(1), name);
    EXPECT_GE(recall(input, sharded(4), name), one - 0.005) << name;
  }
}

/// Each is in several shards. They are as far apart as 8 bits can stand.
TEST(Shards, FindPointsOfEveryIsland) {
  constexpr std::size_t kDimension = 8;
  const auto islands = [](std::size_t count, std::uint64_t stream) {
    std::vector<float> values = around_centres(count, kDimension, 20, 0.7F, kSeed, stream);
    for (std::size_t v = 0; v < count; ++v) values[v * kDimension] += 8.0F * static_cast<float>(v % 4);
    return values;
  };
  const VectorSet set = vectors_of(kDimension, islands(400, 1), islands(12, 2));
  const Input input{&set, Metric::euclidean, 10};
  const double one = recall(input, sharded(1), "islands");
  EXPECT_GE(recall(input, sharded(3), "islands"), std::max(one - 0.005, 0.9));
}

/// A shard each, and more shards than points.
TEST(Shards, MayHaveOnePointEach) {
  const VectorSet set = clustered(12, 3, 5, kSeed);
  for (const std::int64_t shards : {12, 40}) {
    Prepared prepared("ganns", {&set, Metric::euclidean, 10}, sharded(shards));
    EXPECT_EQ(judged({&set, Metric::euclidean, 10}, prepared.answer()).verdict, Verdict::exact) << shards;
    EXPECT_EQ(prepared.solver->counters().at("shards"), 12) << shards;
  }
}

/// Shards whose coordinates have scales of their own: their distances are compared in the units of the points.
TEST(Shards, MayHaveCoordinatesOfDifferentRange) {
  VectorSet set = clustered(300, 10, 12, kSeed);
  std::vector<float> points(set.points.begin(), set.points.end());
  for (std::size_t i = points.size() / 3; i < points.size(); ++i) points[i] *= 1000;
  set.points = points;
  EXPECT_GE(recall({&set, Metric::euclidean, 10}, sharded(3), "ranges"), 0.95);
  EXPECT_GE(recall({&set, Metric::inner_product, 10}, sharded(3), "ranges"), 0.95);
}

TEST(Shards, TakeNewSolveParameters) {
  const VectorSet set = clustered(400, 10, 24, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  const auto& declared = entry_of("ganns").info.parameters;
  const Given few = sharded(3, {{"explore", integer(1)}, {"rerank", integer(16)}});
  const Given many = sharded(3, {{"explore", integer(32)}, {"rerank", integer(32)}});
  const Ids of_few = Prepared("ganns", input, few).answer();
  const Ids of_many = Prepared("ganns", input, many).answer();
  EXPECT_NE(of_few, of_many) << "points that show no difference";
  Prepared prepared("ganns", input, few);
  for (int round = 0; round < 2; ++round) {
    prepared.solver->configure(Parameters(declared, many));
    EXPECT_EQ(prepared.answer(), of_many);
    prepared.solver->configure(Parameters(declared, few));
    EXPECT_EQ(prepared.answer(), of_few);
  }
}

TEST(Shards, AreSearchedInEightBits) {
  const auto& validate = entry_of("ganns").info.validate;
  const auto& declared = entry_of("ganns").info.parameters;
  validate(Parameters(declared, sharded(2)));
  EXPECT_THROW(validate(Parameters(declared, sharded(2, {{"precision", word("fp16")}}))), ParameterError);
  EXPECT_THROW(validate(Parameters(declared, sharded(0, {{"rerank", word("none")}}))), ParameterError);
  EXPECT_THROW(validate(Parameters(declared, sharded(2, {{"graph", word("knn")}}))), ParameterError);
}

/// The peak of device memory of a preparation and a solve.
std::int64_t peak_of(const Input& input, const Given& given, double& shards) {
  const std::int64_t before = memory_in_use();
  reset_peak_memory();
  Prepared prepared("ganns", input, given);
  const Judgement judgement = judged(input, prepared.answer());
  EXPECT_GE(judgement.metrics.at("recall"), 0.9);
  const auto counters = prepared.solver->counters();
  shards = counters.contains("shards") ? counters.at("shards") : 1;
  return peak_memory_in_use() - before;
}

TEST(Shards, AreAsFewAsDeviceMemoryAllows) {
  const VectorSet set = clustered(1200, 4, 16, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  double shards = 0;
  const std::int64_t roomy = peak_of(input, sharded(0), shards);
  EXPECT_EQ(shards, 1) << "there is room for one graph";
  const MemoryLimit limit(memory_in_use() + roomy / 3);
  const std::int64_t narrow = peak_of(input, sharded(0), shards);
  EXPECT_LE(narrow, roomy / 3);
  // What is foreseen is no less than what is taken, and not much more: 3 shards would do but for what sorts on a GPU
  // take and for points that are equal.
  EXPECT_GE(shards, 3);
  EXPECT_LE(shards, 5);
}

TEST(Shards, SayHowMuchMemoryIsNeeded) {
  const VectorSet set = clustered(500, 4, 16, kSeed);
  const Input input{&set, Metric::euclidean, 10};
  // 16 bytes of coordinates and 8 edges a point, 16 coordinates a query, and in each of 2 or 5 shards 32 vertices that
  // it finds, and the shard's counters.
  const auto needed = [](std::int64_t shards) { return 500 * (16 + 8 * 4) + 4 * 64 + shards * (4 * 32 * 8 + 36); };
  for (const std::int64_t shards : {0, 5}) {
    const std::int64_t bytes = needed(shards == 0 ? 2 : shards);
    const MemoryLimit limit(memory_in_use() + bytes - 1);
    try {
      Prepared("ganns", input, sharded(shards));
      FAIL() << "no error";
    } catch (const Unsupported& error) {
      EXPECT_THAT(error.what(), HasSubstr(fmt::format("500 points in 8 bits and their graphs need {} bytes of device "
                                                      "memory, and {} may be used",
                                                      bytes, bytes - 1)));
    }
  }
}

// ---- how many ----

/// 1,000 bytes a point while a shard is built, 100 in a search.
ShardMemory thousand_and_hundred(std::int64_t points) {
  return {[](std::int64_t of_shard) { return 1000 * of_shard; },
          [points](std::int64_t shards) { return 100 * points + shards; }};
}

TEST(ShardPlan, TakesTheFewestThatFit) {
  const std::int64_t points = 100'000'000;
  const ShardMemory memory = thousand_and_hundred(points);
  EXPECT_EQ(fewest_shards(points, 1000 * points, memory), 1);
  EXPECT_EQ(fewest_shards(points, 1000 * points - 1, memory), 2);
  EXPECT_EQ(fewest_shards(points, 500 * points, memory), 2);
  EXPECT_EQ(fewest_shards(points, 500 * points - 1, memory), 3);
  EXPECT_EQ(fewest_shards(points, 101 * points, memory), 10);
  EXPECT_THROW(static_cast<void>(fewest_shards(points, 100 * points, memory)), Unsupported);
}

TEST(ShardPlan, SaysWhatAShardNeedsWhereTheMostAreTooFew) {
  const ShardMemory memory{[](std::int64_t points) { return 1000 * points; },
                           [](std::int64_t /*shards*/) { return 0; }};
  try {
    static_cast<void>(fewest_shards(10, 999, memory));
    FAIL() << "no error";
  } catch (const Unsupported& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("one of 10 shards needs 1000 bytes of device memory while it is built, and 999"));
  }
}

TEST(ShardPlan, CutsPointsIntoEqualParts) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t points : {std::int64_t{10}, std::int64_t{100'000'007}, std::int64_t{1} << 32, most}) {
    for (const std::int64_t shards : {1, 3, 7, 10}) {
      EXPECT_EQ(first_of_shard(0, shards, points), 0);
      EXPECT_EQ(first_of_shard(shards, shards, points), points);
      for (std::int64_t s = 0; s < shards; ++s) {
        const std::int64_t size = first_of_shard(s + 1, shards, points) - first_of_shard(s, shards, points);
        EXPECT_GE(size, points / shards) << points << ' ' << shards;
        EXPECT_LE(size, points / shards + (points % shards == 0 ? 0 : 1)) << points << ' ' << shards;
      }
    }
  }
}

/// What a shard plan sees as one shard's size is the largest.
TEST(ShardPlan, NoShardIsLargerThanWasForeseen) {
  const std::int64_t points = 100'000'000;
  for (std::int64_t shards = 1; shards < 50; ++shards) {
    for (std::int64_t s = 0; s < shards; ++s) {
      EXPECT_LE(first_of_shard(s + 1, shards, points) - first_of_shard(s, shards, points),
                (points + shards - 1) / shards);
    }
  }
}

// ---- order ----

TEST(NearestOfShards, OrdersByExactDistances) {
  // On a line, where 8 bits saw 4 and 5 the wrong way round.
  const VectorSet set = vectors_of(1, {0, 1, 2, 3, 4, 5, 6, 7}, {4.4F, 0});
  const Input input{&set, Metric::euclidean, 3};
  NearestOfShards nearest(input);
  nearest.add(0, {}, 1);
  nearest.add(4, {}, 2);
  const std::uint32_t none = kNone<std::uint32_t>;
  // Vertices 0 to 3 of the second shard are points 4 to 7; its distances are four times as large.
  const std::vector<FoundVertex> found{{2, 3}, {6, 2}, {9, 1},  {0, 0},  {1, 1},   {4, 2},
                                       {1, 1}, {2, 0}, {12, 2}, {64, 0}, {100, 1}, {0, none}};
  std::vector<std::uint32_t> answers(6);
  nearest.order(found, 3, 3, answers);
  EXPECT_THAT(answers, ElementsAre(4, 5, 3, 0, 1, 2));
  // With two that are ordered anew a third place stays empty.
  nearest.order(found, 3, 2, answers);
  EXPECT_THAT(answers, ElementsAre(4, 5, none, 0, 1, none));
}

TEST(NearestOfShards, GivesEveryPointOfAVertex) {
  const VectorSet set = vectors_of(1, {9, 1, 1, 8, 1, 3}, {1});
  const Input input{&set, Metric::euclidean, 5};
  const std::uint32_t none = kNone<std::uint32_t>;
  NearestOfShards nearest(input);
  nearest.add(0, {{0, 1}, {none, 2, none}}, 1);
  nearest.add(3, {{0, 1, 2}, {none, none, none}}, 1);
  std::vector<std::uint32_t> answers(5);
  nearest.order(std::vector<FoundVertex>{{0, 1}, {64, 0}, {0, 1}, {4, 2}}, 2, 4, answers);
  EXPECT_THAT(answers, ElementsAre(1, 2, 4, 5, 0));
}

/// An id of a point has 32 bits, its place among the coordinates more. Only the last page of these rows exists.
TEST(NearestOfShards, ReadsRowsBeyondFourBillionCoordinates) {
  constexpr std::int64_t kPoints = 100'000'000;
  constexpr std::uint32_t kDimension = 96;
  const auto bytes = static_cast<std::size_t>(kPoints) * kDimension * sizeof(float);
  const testing::UntouchedMemory memory(bytes);
  if (memory.data() == nullptr) GTEST_SKIP() << "no address space for 38 GB";
  const std::span<float> values(static_cast<float*>(memory.data()), bytes / sizeof(float));
  values[values.size() - 1] = 1;                 // of the last point
  values[values.size() - 2 * kDimension] = 0.5;  // of the one before
  VectorSet set = vectors_of(kDimension, {}, std::vector<float>(kDimension));
  set.points = datasets::Array<float>(nullptr, std::span<const float>(values));
  const Input input{&set, Metric::euclidean, 2};
  ASSERT_EQ(input.points(), kPoints);
  NearestOfShards nearest(input);
  const std::int64_t first = first_of_shard(8, 9, kPoints);
  nearest.add(first, {}, 1);
  const auto last = static_cast<std::uint32_t>(kPoints - 1 - first);
  std::vector<std::uint32_t> answers(2);
  nearest.order(std::vector<FoundVertex>{{0, last}, {1, last - 1}}, 2, 2, answers);
  EXPECT_THAT(answers, ElementsAre(kPoints - 2, kPoints - 1));
}

}  // namespace
}  // namespace warpbench::testing
