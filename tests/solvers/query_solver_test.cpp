// Counters that all solvers of subgraph_matching keep of their queries: times, matches, queries left unsolved.
#include "solvers/subgraph_matching/query_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "device/backend/work_limit.hpp"
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

TEST(QuerySolver, CountsQueriesThatWereTooLargeInNoMean) {
  EXPECT_DOUBLE_EQ(counters_of({1, kTooLarge, 1}).at("rows"), 2);
  EXPECT_DOUBLE_EQ(counters_of({kTooLarge, kTooLargeForHost, 1}).at("rows"), 3);
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

// ---- side by side ----

/// What a query does where it is matched beside others; alone it always has as many matches as its number says.
enum class Beside { solved, unsolved, device_full, host_full, gave_up, faulty, late, slow };
/// What a slow query takes, beside others and alone.
constexpr std::chrono::milliseconds kSlow{250};

/// Query i, which has i + 2 vertices, has i matches.
class SideBySide final : public matching::QuerySolver {
 public:
  SideBySide(std::size_t places, std::map<std::int64_t, Beside> beside) : places_(places), beside_(std::move(beside)) {}
  void configure(const Parameters& /*parameters*/) override {}

  std::set<std::int64_t> alone;       ///< queries that match() was asked for
  std::vector<std::size_t> opened;    ///< by open_places()
  std::atomic<int> most_at_once = 0;  ///< queries that were matched at the same time

 protected:
  void prepare_graph(const matching::Graph& /*data*/, Phases& /*phases*/) override {}
  void match(const matching::Graph& query, const matching::Deadline& deadline, QueryAnswer& answer,
             Phases& phases) override {
    const auto found = beside_.find(number_of(query));
    if (found != beside_.end() && found->second == Beside::slow) {
      std::this_thread::sleep_for(kSlow);
      EXPECT_TRUE(deadline.passed()) << "both times count";
    }
    alone.insert(number_of(query));
    phases.add("match", 1);
    answer = {true, static_cast<std::uint64_t>(number_of(query)), 0, {}};
  }
  [[nodiscard]] std::map<std::string, double> query_counters() const override { return {{"rows", 8}}; }
  [[nodiscard]] std::size_t places() const override { return places_; }
  void open_places(std::size_t places) override { opened.push_back(places); }
  std::map<std::string, double> match_at(std::size_t place, const matching::Graph& query,
                                         const matching::Deadline& deadline, QueryAnswer& answer,
                                         Phases& phases) override {
    EXPECT_LT(place, opened.back());
    const int now = ++at_once_;
    for (int most = most_at_once; most < now && !most_at_once.compare_exchange_weak(most, now);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    --at_once_;
    phases.add("match", 1);
    answer = {true, static_cast<std::uint64_t>(number_of(query)), 0, {}};
    const auto found = beside_.find(number_of(query));
    if (found == beside_.end()) return {{"rows", 8}};
    switch (found->second) {
      case Beside::device_full:
        throw OutOfDeviceMemory(1000, 10);
      case Beside::host_full:
        throw std::bad_alloc();
      case Beside::gave_up:
        throw GaveUp();
      case Beside::faulty:
        throw std::runtime_error("query " + std::to_string(number_of(query)));
      case Beside::slow:
        std::this_thread::sleep_for(kSlow);
        throw GaveUp();
      case Beside::late:
        while (!deadline.passed()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        [[fallthrough]];
      case Beside::unsolved:
        answer.solved = false;
        break;
      case Beside::solved:
        break;
    }
    return {{"rows", 1000}};
  }

 private:
  static std::int64_t number_of(const matching::Graph& query) { return query.vertices() - 2; }

  std::size_t places_;
  std::map<std::int64_t, Beside> beside_;
  std::atomic<int> at_once_ = 0;
};

SubgraphMatching::Input numbered_queries(std::size_t count, double timeout = 8) {
  std::vector<SmallGraph> queries;
  for (std::size_t i = 0; i < count; ++i) queries.push_back(path(i + 2));
  return subgraph_input(dataset_of("numbered", clique(3), queries), {{"query_timeout", timeout}});
}

TEST(QuerySolver, MatchesSideBySide) {
  const auto input = numbered_queries(9);
  for (const std::size_t places : {1U, 2U, 4U, 30U}) {
    SCOPED_TRACE(std::to_string(places) + " places");
    SideBySide solver(places, {});
    Phases phases;
    solver.prepare(input, phases);
    solver.solve(phases);
    SubgraphMatching::Answer answer;
    solver.download(answer, phases);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(answer.queries.at(i).count, i);
    EXPECT_EQ(solver.alone.size(), places == 1 ? 9U : 0U);
    EXPECT_EQ(solver.opened, places == 1 ? std::vector<std::size_t>{} : std::vector{std::min<std::size_t>(places, 9)});
    EXPECT_GE(solver.most_at_once, places == 1 ? 0 : 2);
    EXPECT_LE(solver.most_at_once, static_cast<int>(places));
    EXPECT_DOUBLE_EQ(solver.counters().at("rows"), 8);
    EXPECT_EQ(solver.counters().at("unsolved"), 0);
    EXPECT_EQ(phases.seconds().at("match"), 9);
  }
}

/// What did not succeed beside others, for whatever reason that they may have given, is asked again.
TEST(QuerySolver, AsksAgainAlone) {
  const auto input = numbered_queries(7, 0.4);
  SideBySide solver(3, {{0, Beside::device_full},
                        {2, Beside::unsolved},
                        {3, Beside::host_full},
                        {5, Beside::gave_up},
                        {6, Beside::late}});
  Phases phases;
  solver.prepare(input, phases);
  solver.solve(phases);
  EXPECT_EQ(solver.alone, (std::set<std::int64_t>{0, 2, 3, 5, 6}));
  const auto counters = solver.counters();
  EXPECT_EQ(counters.at("unsolved"), 0);
  EXPECT_EQ(counters.at("matches"), 21);
  EXPECT_DOUBLE_EQ(counters.at("rows"), 8) << "those of the second time alone";
  EXPECT_FALSE(counters.contains("out_of_memory"));
  EXPECT_FALSE(counters.contains("out_of_host_memory"));
  EXPECT_GT(counters.at("query_max_s"), 0.4 / 16) << "the time of both";
  EXPECT_LT(counters.at("query_max_s"), 0.4);
  EXPECT_LT(counters.at("query_median_s"), 0.4 / 16);
}

TEST(QuerySolver, TakesTheTimesOfBothAttemptsTogether) {
  const auto input = numbered_queries(3, 0.4);
  SideBySide solver(2, {{1, Beside::slow}});
  Phases phases;
  solver.prepare(input, phases);
  solver.solve(phases);
  EXPECT_EQ(solver.counters().at("unsolved"), 1);
  EXPECT_EQ(solver.counters().at("query_max_s"), 0.4);
}

/// As one after the other would.
TEST(QuerySolver, FailsWithTheFirstFailureInTheOrderOfQueries) {
  const auto input = numbered_queries(12);
  SideBySide solver(4, {{2, Beside::device_full}, {3, Beside::faulty}, {4, Beside::faulty}, {5, Beside::faulty}});
  Phases phases;
  solver.prepare(input, phases);
  try {
    solver.solve(phases);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "query 3");
  }
  EXPECT_EQ(solver.alone, (std::set<std::int64_t>{2}));
}

}  // namespace
}  // namespace warpbench
