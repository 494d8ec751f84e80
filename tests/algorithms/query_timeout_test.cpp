// Every solver of subgraph_matching ends a query within twice its limit of time, whatever it is at when its time is up,
// and answers rightly afterwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <random>
#include <string>

#include "build_info.hpp"
#include "device/error.hpp"
#include "problems/subgraph_matching/problem.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/solver_ids.hpp"
#include "tests/problems/support/subgraph_cases.hpp"

namespace warpbench {
namespace {

using datasets::Dataset;
using testing::clique;
using testing::dataset_of;
using testing::path;
using testing::SmallGraph;
using testing::star;

constexpr double kLimit = 0.2;
/// What is promised. Instrumented programs are slower between two looks at the clock, on a busy machine several times.
constexpr double kLatest = (build_info::kSanitizer[0] == '\0' ? 2 : 10) * kLimit;

/// Of one label, so that every vertex is a candidate.
SmallGraph random_graph(std::size_t vertices, std::size_t edges) {
  SmallGraph graph(vertices);
  std::mt19937 random(7);
  std::uniform_int_distribution<SmallGraph::Vertex> any(0, static_cast<SmallGraph::Vertex>(vertices - 1));
  for (std::size_t i = 0; i < edges; ++i) {
    const SmallGraph::Vertex u = any(random);
    const SmallGraph::Vertex v = any(random);
    if (u != v) graph.edge(u, v);
  }
  return graph;
}

/// Seconds by the clock or on all processors of this process, whichever are fewer: the first grow while other processes
/// run, the second with the number of threads. But no fewer than a tenth of those by the clock: who waits takes long,
/// too.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    const std::chrono::duration<double> by_clock = Clock::now() - start_;
    const double on_processors = static_cast<double>(std::clock() - processors_) / CLOCKS_PER_SEC;
    return std::max(std::min(by_clock.count(), on_processors), 0.1 * by_clock.count());
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  std::clock_t processors_ = std::clock();
};

class QueryTimeout : public ::testing::TestWithParam<std::string> {
 protected:
  /// The query has more matches than anybody can count.
  static void expect_kept_on(const Dataset& dataset, const std::string& output) {
    const SubgraphMatching::Input input =
        testing::subgraph_input(dataset, {{"output", output}, {"query_timeout", kLimit}});
    const auto& entries = solvers_of<SubgraphMatching>();
    const auto entry = std::ranges::find(entries, GetParam(), [](const auto& one) { return one.info.id; });
    const auto solver = entry->make(Parameters(entry->info.parameters, entry->info.smoke));
    Phases phases;
    solver->prepare(input, phases);
    solver->upload(phases);
    const Stopwatch watch;
    try {
      solver->solve(phases);
    } catch (const OutOfDeviceMemory&) {  // on a GPU, which is fast enough to fill its memory in that time
      EXPECT_LT(watch.seconds(), kLatest) << dataset.name;
      return;
    }
    EXPECT_LT(watch.seconds(), kLatest) << dataset.name;
    EXPECT_EQ(solver->counters().at("unsolved"), 1) << dataset.name;
    EXPECT_NO_THROW(static_cast<void>(phases.seconds()));
  }
};

TEST_P(QueryTimeout, IsKeptInAClique) {
  expect_kept_on(dataset_of("clique", clique(64), {clique(9)}), "digest");
}

TEST_P(QueryTimeout, IsKeptAmongManyCandidates) {
  static const Dataset dataset = dataset_of("random", random_graph(20000, 100000), {path(9)});
  expect_kept_on(dataset, "count");
}

TEST_P(QueryTimeout, IsKeptAroundAHub) {
  static const Dataset dataset = dataset_of("star", star(20000), {star(4)});
  expect_kept_on(dataset, "digest");
}

/// What a query that was given up left behind does no harm to the next.
TEST_P(QueryTimeout, HarmsNoLaterQuery) {
  const SubgraphMatching::Input input = testing::subgraph_input(
      dataset_of("clique", clique(30), {path(2), clique(9), path(2)}), {{"query_timeout", 2 * kLimit}});
  const testing::SubgraphRun run = testing::run_subgraph_solver(GetParam(), {}, input, {{870, 0, 870}, {}});
  EXPECT_EQ(run.judgement.verdict, Verdict::exact) << run.judgement.difference;
  EXPECT_TRUE(run.answer.queries[2].solved);
  EXPECT_FALSE(run.answer.queries[1].solved);
}

INSTANTIATE_TEST_SUITE_P(Solvers, QueryTimeout,
                         ::testing::ValuesIn(testing::solver_ids<SubgraphMatching>([](const SolverInfo&) {
                           return true;
                         })),
                         testing::name_of_solver);

}  // namespace
}  // namespace warpbench
