// Counters that all solvers of subgraph_matching keep of their queries: times, matches, queries left unsolved.
#include "solvers/subgraph_matching/query_solver.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "device/error.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/subgraph_cases.hpp"

namespace warpbench {
namespace {

using testing::clique;
using testing::dataset_of;
using testing::path;
using testing::SmallGraph;
using testing::subgraph_input;

/// A count that does not fit into device memory.
constexpr std::uint64_t kTooLarge = 1000000;
/// One that fails although there is room.
constexpr std::uint64_t kFault = 1000001;
/// One that the host has no memory for.
constexpr std::uint64_t kTooLargeForHost = 1000002;

/// Says of its queries, one after the other, that they have so many matches; none: unsolved.
class Saying final : public matching::QuerySolver {
 public:
  explicit Saying(std::vector<std::optional<std::uint64_t>> counts) : counts_(std::move(counts)) {}
  void configure(const Parameters& /*parameters*/) override {}

 protected:
  void prepare_graph(const matching::Graph& /*data*/, Phases& /*phases*/) override {}
  void match(const matching::Graph& /*query*/, const matching::Deadline& /*deadline*/, QueryAnswer& answer,
             Phases& /*phases*/) override {
    const std::optional<std::uint64_t> count = counts_[next_++ % counts_.size()];
    if (count == kTooLarge) throw OutOfDeviceMemory(1000, 10);
    if (count == kTooLargeForHost) throw std::bad_alloc();
    if (count == kFault) throw OutOfDeviceMemory(1000, 1000);
    answer.solved = count.has_value();
    answer.count = count.value_or(0);
  }
  [[nodiscard]] std::map<std::string, double> query_counters() const override {
    return {{"rows", static_cast<double>(next_)}, {"peak_bytes", static_cast<double>(10 - next_)}};
  }

 private:
  std::vector<std::optional<std::uint64_t>> counts_;
  std::size_t next_ = 0;
};

std::map<std::string, double> counters_of(const std::vector<std::optional<std::uint64_t>>& counts) {
  const auto input = subgraph_input(dataset_of("these", clique(3), std::vector<SmallGraph>(counts.size(), path(2))),
                                    {{"query_timeout", 7.0}});
  Saying solver(counts);
  Phases phases;
  solver.prepare(input, phases);
  solver.solve(phases);
  return solver.counters();
}

TEST(QuerySolver, CountsQuartilesOfTheMatchesOfSolvedQueries) {
  const auto counters = counters_of({40, 10, std::nullopt, 20, 0, 30});
  EXPECT_EQ(counters.at("unsolved"), 1);
  EXPECT_EQ(counters.at("matches"), 100);
  EXPECT_EQ(counters.at("matches_min"), 0);
  EXPECT_EQ(counters.at("matches_q1"), 10);
  EXPECT_EQ(counters.at("matches_median"), 20);
  EXPECT_EQ(counters.at("matches_q3"), 30);
  EXPECT_EQ(counters.at("matches_max"), 40);
}

TEST(QuerySolver, TakesTheLimitForTheTimeOfAnUnsolvedQuery) {
  const auto counters = counters_of({1, 1, 1, std::nullopt});
  EXPECT_EQ(counters.at("query_max_s"), 7);
  EXPECT_LT(counters.at("query_median_s"), 1);
  EXPECT_GE(counters.at("query_q3_s"), 7.0 / 4);
  EXPECT_LE(counters.at("query_min_s"), counters.at("query_q1_s"));
  EXPECT_NEAR(counters.at("query_mean_s"), 7.0 / 4, 0.5);
}

/// Finds what it finds after its time.
class Late final : public matching::QuerySolver {
 public:
  void configure(const Parameters& /*parameters*/) override {}

 protected:
  void prepare_graph(const matching::Graph& /*data*/, Phases& /*phases*/) override {}
  void match(const matching::Graph& /*query*/, const matching::Deadline& deadline, QueryAnswer& answer,
             Phases& /*phases*/) override {
    while (!deadline.passed()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    answer = {true, 6, 0, {}};
  }
};

TEST(QuerySolver, DoesNotTakeWhatComesAfterTheLimit) {
  const auto input = subgraph_input(dataset_of("late", clique(3), {path(2)}), {{"query_timeout", 0.002}});
  Late solver;
  Phases phases;
  solver.prepare(input, phases);
  solver.solve(phases);
  EXPECT_EQ(solver.counters().at("unsolved"), 1);
  EXPECT_EQ(solver.counters().at("query_max_s"), 0.002);
  SubgraphMatching::Answer answer;
  solver.download(answer, phases);
  EXPECT_FALSE(answer.queries.at(0).solved);
}

TEST(QuerySolver, PutsQuartilesBetweenNeighbours) {
  const auto counters = counters_of({1, 2});
  EXPECT_EQ(counters.at("matches_q1"), 1.25);
  EXPECT_EQ(counters.at("matches_median"), 1.5);
  EXPECT_EQ(counters.at("matches_q3"), 1.75);
}

TEST(QuerySolver, HasNoQuartilesWhereNothingIsSolved) {
  const auto counters = counters_of({std::nullopt, std::nullopt});
  EXPECT_EQ(counters.at("matches"), 0);
  EXPECT_FALSE(counters.contains("matches_min"));
}

TEST(QuerySolver, TakesMeansOfAQuerysCountersAndTheLargestOfPeaks) {
  const auto counters = counters_of({1, 1, 1});
  EXPECT_DOUBLE_EQ(counters.at("rows"), 2);
  EXPECT_EQ(counters.at("peak_bytes"), 9);
}

TEST(QuerySolver, LeavesQueriesUnsolvedThatDoNotFitIntoDeviceMemory) {
  const auto counters = counters_of({3, kTooLarge, 4});
  EXPECT_EQ(counters.at("matches"), 7);
  EXPECT_EQ(counters.at("unsolved"), 1);
  EXPECT_EQ(counters.at("out_of_memory"), 1);
  EXPECT_EQ(counters.at("query_max_s"), 7);
  EXPECT_FALSE(counters_of({3}).contains("out_of_memory"));
}

TEST(QuerySolver, LeavesQueriesUnsolvedThatDoNotFitIntoHostMemory) {
  const auto counters = counters_of({3, kTooLargeForHost, 4, kTooLarge});
  EXPECT_EQ(counters.at("matches"), 7);
  EXPECT_EQ(counters.at("unsolved"), 2);
  EXPECT_EQ(counters.at("out_of_host_memory"), 1);
  EXPECT_EQ(counters.at("out_of_memory"), 1);
  EXPECT_EQ(counters.at("query_max_s"), 7);
  EXPECT_THROW(static_cast<void>(counters_of({kTooLargeForHost, kTooLargeForHost})), std::bad_alloc);
}

TEST(QuerySolver, FailsWhereNoQueryFitsIntoDeviceMemory) {
  EXPECT_THROW(static_cast<void>(counters_of({kTooLarge, kTooLarge})), OutOfDeviceMemory);
}

TEST(QuerySolver, FailsWhereAnAllocationFailsAlthoughThereIsRoom) {
  EXPECT_THROW(static_cast<void>(counters_of({3, kFault, 4})), OutOfDeviceMemory);
}

}  // namespace
}  // namespace warpbench
