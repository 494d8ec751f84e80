// The aggregate of theta_join on a GPU beyond the conformance suite: every θ and layout at sizes around those of blocks
// and groups, relations of either order of sizes, sums that need more than 32 and 64 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/theta_join/aggregate/pair_sums.hpp"
#include "problems/theta_join/problem.hpp"
#include "solvers/solver.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::theta {
namespace {

constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();

datasets::Relation relation(std::vector<std::int32_t> a, std::vector<std::int32_t> x) {
  datasets::Relation relation;
  relation.a = std::move(a);
  relation.x = std::move(x);
  return relation;
}

/// `count` tuples: keys of few values or of all, some of them extreme.
datasets::Relation random_relation(std::size_t count, bool few_keys, std::mt19937_64& random) {
  const auto value = [&](std::int32_t low, std::int32_t high) {
    const std::uint64_t kind = random() % 16;
    if (kind == 0) return kLowest;
    if (kind == 1) return kHighest;
    return std::uniform_int_distribution<std::int32_t>(low, high)(random);
  };
  std::vector<std::int32_t> a(count);
  std::vector<std::int32_t> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    a[i] = few_keys ? value(-3, 3) : value(kLowest, kHighest);
    x[i] = few_keys ? value(-3, 3) : value(kLowest, kHighest);
  }
  return relation(std::move(a), std::move(x));
}

ThetaJoin::Input aggregate_of(const datasets::Relations& relations, const std::string& theta) {
  ThetaJoin::Input input;
  input.relations = &relations;
  input.predicate = parse(theta);
  return input;
}

/// The sum that `solver` finds, twice on one upload, since the second run must not see what the first left behind.
Sum sum_by(Solver<ThetaJoin>& solver, const ThetaJoin::Input& input) {
  Phases phases;
  ThetaJoin::Answer first;
  ThetaJoin::Answer second;
  solver.prepare(input, phases);
  solver.upload(phases);
  solver.solve(phases);
  solver.download(first, phases);
  solver.solve(phases);
  solver.download(second, phases);
  EXPECT_EQ(first.sum, second.sum) << "solved again";
  return first.sum;
}

std::string text_of(const Sum& sum) {
  return std::to_string(sum.high) + " * 2^64 + " + std::to_string(sum.low);
}

struct Point {
  const char* id;
  std::map<std::string, Value> parameters;
  std::string name;

  [[nodiscard]] std::unique_ptr<Solver<ThetaJoin>> make() const {
    for (const SolverEntry<ThetaJoin>& entry : solvers_of<ThetaJoin>()) {
      if (entry.info.id == id) return entry.make(Parameters(entry.info.parameters, parameters));
    }
    throw std::logic_error(std::string(id) + " is not registered");
  }

  friend std::ostream& operator<<(std::ostream& out, const Point& point) { return out << point.name; }
};

const std::vector<Point> kPoints{
    {"naive", {{"threads_per_block", 64}}, "naive"},
    {"naive", {{"threads_per_block", 1024}, {"layout", "soa"}}, "naive_soa_1024"},
    {"naive", {{"threads_per_block", 64}, {"layout", "aos_padded"}}, "naive_aos_padded"},
    {"partial-sums", {{"threads_per_block", 64}}, "partial_sums"},
    {"partial-sums", {{"threads_per_block", 64}, {"layout", "soa"}}, "partial_sums_soa"},
    {"shared-memory", {{"threads_per_block", 32}}, "shared_memory_32"},
    {"shared-memory", {{"threads_per_block", 64}, {"layout", "soa"}}, "shared_memory_soa"},
    {"shared-memory", {{"threads_per_block", 64}, {"layout", "aos"}}, "shared_memory_aos"},
    {"shared-memory", {{"threads_per_block", 64}, {"layout", "aos_padded"}}, "shared_memory_aos_padded"},
    {"shared-memory", {}, "shared_memory_1024"},
    {"sort-scan", {}, "sort_scan"}};

const std::vector<std::string> kThetas{"R.a < S.a",
                                       "R.a <= S.a",
                                       "R.a > S.a",
                                       "R.a >= S.a",
                                       "R.a = S.a",
                                       "R.a != S.a",
                                       "R.x > S.a",
                                       "R.a < S.x",
                                       "R.a > S.a and R.x < S.x",
                                       "R.a >= S.x and R.x != S.a",
                                       "R.a != S.a and R.x != S.x",
                                       "R.x != S.x and R.a <= S.a",
                                       "R.a = S.a and R.x >= S.x"};

class ThetaAggregate : public ::testing::TestWithParam<Point> {
 protected:
  static void expect_right(const datasets::Relations& relations, const std::string& theta) {
    const ThetaJoin::Input input = aggregate_of(relations, theta);
    const Sum expected = ThetaJoin::reference(input).sum;
    const Sum found = sum_by(*GetParam().make(), input);
    EXPECT_EQ(found, expected) << theta << " on " << relations.r.count() << " x " << relations.s.count()
                               << ": expected " << text_of(expected) << ", found " << text_of(found);
  }
};

TEST_P(ThetaAggregate, AddsUpUnderEveryCondition) {
  const std::uint64_t seed = 20;
  std::mt19937_64 random(seed);
  SCOPED_TRACE("seed " + std::to_string(seed));
  const datasets::Relations larger_r{random_relation(70, true, random), random_relation(41, true, random)};
  const datasets::Relations larger_s{random_relation(41, false, random), random_relation(70, false, random)};
  for (const std::string& theta : kThetas) {
    expect_right(larger_r, theta);
    expect_right(larger_s, theta);
  }
}

TEST_P(ThetaAggregate, AddsUpAtSizesAroundBlocksAndGroups) {
  const std::uint64_t seed = 21;
  std::mt19937_64 random(seed);
  SCOPED_TRACE("seed " + std::to_string(seed));
  constexpr std::array<std::pair<std::size_t, std::size_t>, 11> kSizes{
      {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {4, 5}, {31, 33}, {33, 31}, {32, 32}, {5, 129}, {129, 3}, {128, 64}}};
  for (const auto& [r, s] : kSizes) {
    const datasets::Relations relations{random_relation(r, true, random), random_relation(s, true, random)};
    expect_right(relations, "R.a > S.a");
    expect_right(relations, "R.a >= S.a and R.x != S.x");
  }
}

TEST_P(ThetaAggregate, AddsUpEqualKeys) {
  const std::vector<std::int32_t> keys(67, 5);
  const datasets::Relations relations{relation(keys, keys), relation(keys, keys)};
  for (const char* theta : {"R.a >= S.a", "R.a > S.a", "R.a != S.a and R.x = S.x"}) expect_right(relations, theta);
}

TEST_P(ThetaAggregate, NeedsMoreThan32Bits) {
  const std::vector<std::int32_t> low(65, kLowest);
  const std::vector<std::int32_t> high(33, kHighest);
  const datasets::Relations relations{relation(high, high), relation(low, low)};
  const ThetaJoin::Input input = aggregate_of(relations, "R.a > S.a");
  const Sum expected = sum_of(Int128{33} * 65 * kLowest);
  EXPECT_EQ(sum_by(*GetParam().make(), input), expected);
  const datasets::Relations swapped{relation(low, low), relation(high, high)};
  EXPECT_EQ(sum_by(*GetParam().make(), aggregate_of(swapped, "R.a < S.a")), sum_of(Int128{33} * 65 * kHighest));
}

INSTANTIATE_TEST_SUITE_P(OnDevice, ThetaAggregate, ::testing::ValuesIn(kPoints),
                         [](const auto& point) { return point.param.name; });

TEST(ThetaAggregateSolvers, RefuseSelect) {
  const datasets::Relations relations{relation({1}, {1}), relation({0}, {1})};
  ThetaJoin::Input input = aggregate_of(relations, "R.a > S.a");
  input.query = ThetaJoin::Query::select;
  for (const char* id : {"partial-sums", "shared-memory"}) {
    Phases phases;
    try {
      Point{id, {}, id}.make()->prepare(input, phases);
      FAIL() << id << " accepts it";
    } catch (const Unsupported& refusal) {
      EXPECT_NE(std::string(refusal.what()).find("query: aggregate"), std::string::npos) << refusal.what();
    }
  }
}

// Each launch leaves its sum of 64 bits to a total of 128.
TEST(ThetaPairSums, AddUpOverSeveralLaunches) {
  const std::uint64_t seed = 22;
  std::mt19937_64 random(seed);
  SCOPED_TRACE("seed " + std::to_string(seed));
  const datasets::Relations relations{random_relation(40, true, random), random_relation(101, true, random)};
  const ThetaJoin::Input input = aggregate_of(relations, "R.a <= S.a");
  const Parameters parameters({layout_parameter("aos"), block_parameter()}, {{"threads_per_block", 64}});
  for (const SumCells cells : {SumCells::one, SumCells::one_per_block}) {
    for (const std::int64_t pairs : {1, 40, 200, 4000}) {
      PairSums solver(parameters, cells, pairs);
      EXPECT_EQ(sum_by(solver, input), ThetaJoin::reference(input).sum) << pairs << " pairs a launch";
      EXPECT_EQ(solver.counters().at("launches"),
                static_cast<double>(ceil_div(101, std::max<std::int64_t>(pairs / 40, 1))));
    }
  }
}

// 2^33 pairs of x = -2^31: a sum of -2^64, of which a solver of 64 bits would find 0.
TEST(ThetaSortScan, NeedsMoreThan64Bits) {
  const std::vector<std::int32_t> low(std::size_t{1} << 16, kLowest);
  const std::vector<std::int32_t> high(std::size_t{1} << 17, kHighest);
  const datasets::Relations relations{relation(high, high), relation(low, low)};
  EXPECT_EQ(sum_by(*kPoints.back().make(), aggregate_of(relations, "R.a > S.a")), sum_of(-(Int128{1} << 64)));
}

TEST(ThetaSortScan, AddsUpRandomConjunctions) {
  for (std::uint64_t seed = 1; seed <= testing::usual_or_thorough(1, 20); ++seed) {
    std::mt19937_64 random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const datasets::Relations relations{random_relation(300, random() % 2 == 0, random),
                                        random_relation(1 + random() % 600, random() % 2 == 0, random)};
    for (const std::string& theta : kThetas) {
      const ThetaJoin::Input input = aggregate_of(relations, theta);
      EXPECT_EQ(sum_by(*kPoints.back().make(), input), ThetaJoin::reference(input).sum) << theta;
    }
  }
}

}  // namespace
}  // namespace warpbench::theta
