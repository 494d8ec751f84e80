// The CPU solvers of subgraph_matching: the answers of the reference on many random graphs and on real ones, on any
// number of threads, and the fate of a query whose time is up.
#include <gtest/gtest.h>

#include <iostream>

#include "problems/subgraph_matching/reference.hpp"
#include "solvers/solver.hpp"
#include "solvers/threads.hpp"
#include "tests/problems/support/host_memory.hpp"
#include "tests/problems/support/real_queries.hpp"
#include "tests/problems/support/solver_ids.hpp"
#include "tests/problems/support/subgraph_cases.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench {
namespace {

using datasets::Dataset;
using testing::run_subgraph_solver;
using testing::SmallGraph;
using testing::subgraph_input;
using testing::SubgraphRun;
using testing::SubgraphTask;
using Given = std::map<std::string, Value>;

constexpr std::uint64_t kSeed = 2'020'033;
const std::vector<std::string> kOutputs{"count", "digest", "matches", "first"};

/// The problem's CPU solvers.
std::vector<std::string> solvers() {
  return testing::solver_ids<SubgraphMatching>([](const SolverInfo& info) { return info.device == Target::cpu; });
}

const SolverInfo& info_of(const std::string& id) {
  return std::ranges::find_if(solvers_of<SubgraphMatching>(), [&](const auto& one) { return one.info.id == id; })->info;
}

bool has_threads(const std::string& id) {
  return std::ranges::find(info_of(id).parameters, "threads", &ParameterSpec::name) != info_of(id).parameters.end();
}

/// Want of memory in the midst of a query leaves nothing behind: no mark of a vertex that was matched.
TEST(CpuSubgraphs, AnswerRightlyAfterWantOfMemory) {
  SmallGraph lollipop(5);
  lollipop.edge(0, 1).edge(1, 2).edge(0, 2).edge(2, 3).edge(3, 4);
  const Dataset dataset = testing::dataset_of("clique", testing::clique(6), {lollipop, testing::path(3)});
  const std::int64_t slower = testing::usual_or_thorough(8, 64);  // later allocations are much the same
  for (const std::string output : {"count", "matches"}) {
    const SubgraphMatching::Input input = subgraph_input(dataset, {{"output", output}});
    const SubgraphMatching::Reference reference = SubgraphMatching::reference(input);
    for (const std::string& id : solvers()) {
      const auto entry =
          std::ranges::find(solvers_of<SubgraphMatching>(), id, [](const auto& one) { return one.info.id; });
      std::map<std::string, Value> values = entry->info.smoke;
      if (has_threads(id)) values["threads"] = 2;
      const auto solver = entry->make(Parameters(entry->info.parameters, values));
      Phases phases;
      solver->prepare(input, phases);
      SubgraphMatching::Answer answer;
      std::int64_t k = 0;
      for (bool failed = true; failed;) {
        k += 1 + k / slower;
        testing::fail_host_allocation(k);
        try {
          solver->solve(phases);
        } catch (const std::bad_alloc&) {  // of all queries, or outside of them
        }
        failed = testing::fail_host_allocation(0);
        solver->solve(phases);
        solver->download(answer, phases);
        const Judgement judgement = SubgraphMatching::judge(input, answer, reference);
        ASSERT_EQ(judgement.verdict, Verdict::exact)
            << id << ", " << output << ", allocation " << k << ": " << judgement.difference;
      }
      EXPECT_GT(k, 5) << id;
    }
  }
}

/// Boost's VF2 alone maps one to one by construction.
bool may_refuse(const std::string& id, const SubgraphMatching::Input& input) {
  return id == "vf2" && !input.injective();
}

void expect_exact(const std::string& id, const Given& given, const SubgraphMatching::Input& input,
                  const SubgraphMatching::Reference& reference, const std::string& what) {
  const SubgraphRun run = run_subgraph_solver(id, given, input, reference);
  if (!run.refused.empty()) {
    EXPECT_TRUE(may_refuse(id, input)) << id << ", " << what << ": " << run.refused;
    return;
  }
  EXPECT_FALSE(may_refuse(id, input)) << id << ", " << what;
  EXPECT_EQ(run.judgement.verdict, Verdict::exact) << id << ", " << what << ": " << run.judgement.difference;
  EXPECT_EQ(run.counters.at("unsolved"), 0) << id << ", " << what;
}

/// Every solver, where it has threads on so many.
void expect_exact(const Dataset& dataset, const SubgraphTask& task, std::int64_t threads = 1) {
  const ThreadLimit limit(1);  // the graphs are so small that starting threads would take all the time
  const SubgraphMatching::Input input = subgraph_input(dataset, task);
  const SubgraphMatching::Reference reference = SubgraphMatching::reference(input);
  std::string what = dataset.name;
  for (const auto& [name, value] : task) what += ", " + to_string(value);
  for (const std::string& id : solvers()) {
    expect_exact(id, has_threads(id) ? Given{{"threads", threads}} : Given{}, input, reference, what);
  }
}

/// Boost's vf2 takes longer than seconds for some of these queries: its time may be up, that of no other.
TEST(CpuSubgraphs, AnswerAGreatStar) {
  for (const bool many : {false, true}) {
    const Dataset dataset = testing::great_star(testing::usual_or_thorough(20'000, 100'000), many);
    for (const char* semantics : {"isomorphism", "homomorphism"}) {
      SubgraphMatching::Input input = subgraph_input(dataset, {{"semantics", std::string(semantics)}});
      const SubgraphMatching::Reference reference = SubgraphMatching::reference(input);
      for (const std::string& id : solvers()) {
        input.query_timeout_seconds = id == "vf2" ? 0.5 : 100;
        const SubgraphRun run = run_subgraph_solver(id, {}, input, reference);
        if (may_refuse(id, input)) continue;
        EXPECT_EQ(run.judgement.verdict, Verdict::exact) << id << ": " << run.judgement.difference;
        if (id == "vf2") continue;
        EXPECT_EQ(run.counters.at("unsolved"), 0) << id;
      }
    }
  }
}

TEST(CpuSubgraphs, AgreeOnRandomGraphs) {
  for (std::uint64_t i = 0; i < testing::usual_or_thorough(150, 500); ++i) {
    const Dataset dataset = testing::random_subgraph_case(kSeed + i);
    for (const std::string& semantics : testing::semantics_for(dataset)) {
      expect_exact(dataset,
                   {{"semantics", semantics},
                    {"output", kOutputs[i % kOutputs.size()]},
                    {"first", static_cast<std::int64_t>(1 + i % 90)}},
                   i % 20 == 0 ? 3 : 1);
    }
  }
}

/// Larger than what a solver's estimates and filters cannot tell apart.
TEST(CpuSubgraphs, AgreeOnLargerRandomGraphs) {
  for (std::uint64_t i = 0; i < testing::usual_or_thorough(6, 12); ++i) {
    testing::RandomGraphs how;
    how.vertices = 120;
    how.degree = 5;
    how.vertex_labels = 4 + static_cast<std::uint32_t>(i % 5);
    how.edge_labels = static_cast<std::uint32_t>(i % 3);
    how.several_vertex_labels = i % 4 == 3;
    how.parallel_edges = i % 2 == 1;
    how.queries = 4;
    how.query_vertices = 7;
    const Dataset dataset = testing::random_subgraph_case(kSeed + i, how);
    expect_exact(dataset, {{"output", i % 2 == 0 ? "count" : "digest"}});
    how.query_vertices = 5;
    const Dataset small = testing::random_subgraph_case(kSeed + i, how);
    expect_exact(small, {{"semantics", "homomorphism"}, {"output", i % 2 == 0 ? "count" : "digest"}});
  }
}

/// Trees, mostly, whose leaves are all after the same vertices.
TEST(CpuSubgraphs, AgreeOnQueriesOfManyLeaves) {
  for (std::uint64_t i = 0; i < 60; ++i) {
    testing::RandomGraphs how;
    how.vertices = 13;
    how.degree = 2 + static_cast<double>(i % 3) / 2;
    how.vertex_labels = 1 + static_cast<std::uint32_t>(i % 2);
    how.several_vertex_labels = i % 4 == 3;
    how.query_vertices = 9;
    expect_exact(testing::random_subgraph_case(kSeed + i, how), {});
  }
}

TEST(CpuSubgraphs, AnswerTheSameOnAnyNumberOfThreads) {
  const Dataset dataset = testing::random_subgraph_case(kSeed, {.vertices = 60, .degree = 6, .queries = 3});
  for (const std::string& output : kOutputs) {
    const SubgraphMatching::Input input = subgraph_input(dataset, {{"output", output}});
    const SubgraphMatching::Reference reference = SubgraphMatching::reference(input);
    for (const std::string& id : solvers()) {
      if (!has_threads(id)) continue;
      for (const std::int64_t threads : {0, 1, 3, 32}) {
        expect_exact(id, {{"threads", threads}}, input, reference,
                     output + ", seed " + std::to_string(kSeed) + ", " + std::to_string(threads) + " threads");
      }
    }
  }
}

// ---- time limits ----

TEST(CpuSubgraphs, LeaveQueriesUnsolvedWhenTheirTimeIsUp) {
  const Dataset dataset = testing::dataset_of("a clique", testing::clique(64), {testing::clique(9), testing::path(9)});
  for (const std::string& output : kOutputs) {
    SubgraphMatching::Input input = subgraph_input(dataset, {{"output", output}, {"first", 1'000'000'000}});
    const SubgraphMatching::Reference unasked{{0, 0}, {0, 0}};
    for (const double seconds : {0.0, 0.02}) {
      input.query_timeout_seconds = seconds;
      for (const std::string& id : solvers()) {
        // 64 · 63 · … · 56 matches: nobody lists or digests so many.
        const SubgraphRun run = run_subgraph_solver(id, {}, input, unasked);
        EXPECT_EQ(run.judgement.verdict, Verdict::exact) << id << ", " << output << ": " << run.judgement.difference;
        EXPECT_EQ(run.counters.at("unsolved"), 2) << id << ", " << output << ", " << seconds << " s";
        EXPECT_LT(run.counters.at("query_max_s"), 10) << id << ", " << output;
      }
    }
  }
}

TEST(CpuSubgraphs, StopWhenTheyHaveEnough) {
  const Dataset dataset = testing::dataset_of("a clique", testing::clique(64), {testing::clique(9), testing::path(9)});
  const SubgraphMatching::Input input = subgraph_input(dataset, {{"output", "first"}, {"first", 50}});
  const SubgraphMatching::Reference many{{1'000'000, 1'000'000}, {}};
  for (const std::string& id : solvers()) expect_exact(id, {}, input, many, "the first 50");
}

TEST(CpuCfl, CountsLeavesThatNobodyCouldList) {
  // Ten leaves of one kind at a vertex of forty; ten of two kinds at vertices that share some of their leaves.
  const auto count = [](const SmallGraph& data, const SmallGraph& query) {
    const SubgraphMatching::Input input = subgraph_input(testing::dataset_of("stars", data, {query}));
    return run_subgraph_solver("cfl", {}, input, {{0}, {}}).answer.queries[0].count;
  };
  std::uint64_t ways = 1;
  for (std::uint64_t free = 40; free > 30; --free) ways *= free;
  EXPECT_EQ(count(testing::star(40), testing::star(10)), ways);

  std::vector<std::uint32_t> labels(44, 2);
  labels[0] = 0;
  labels[1] = 1;
  SmallGraph data(labels);  // vertices 0 and 1 with twenty-two leaves each, of which they share two
  data.edge(0, 1);
  for (datasets::Vertex leaf = 2; leaf < 24; ++leaf) data.edge(0, leaf);
  for (datasets::Vertex leaf = 22; leaf < 44; ++leaf) data.edge(1, leaf);
  SmallGraph query(std::vector<std::uint32_t>{0, 1, 2, 2, 2, 2, 2, 2, 2, 2});
  query.edge(0, 1);
  for (datasets::Vertex leaf = 2; leaf < 6; ++leaf) query.edge(0, leaf);
  for (datasets::Vertex leaf = 6; leaf < 10; ++leaf) query.edge(1, leaf);
  const auto falling = [](std::uint64_t n, std::uint64_t k) {
    std::uint64_t product = 1;
    for (std::uint64_t i = 0; i < k; ++i) product *= n - i;
    return product;
  };
  // The first four take none, one or both of the shared leaves; of the second four's twenty-two so many are left.
  const std::uint64_t none = falling(20, 4) * falling(22, 4);
  const std::uint64_t one = 2 * 4 * falling(20, 3) * falling(21, 4);
  const std::uint64_t both = 4 * 3 * falling(20, 2) * falling(20, 4);
  EXPECT_EQ(count(data, query), none + one + both);

  EXPECT_THROW(count(testing::star(60), testing::star(20)), std::overflow_error) << "60 · 59 · … · 41";
  // More leaves than there are: no match, whatever the others' product.
  EXPECT_EQ(count(testing::star(60), testing::star(61)), 0U);
}

// ---- what they say of their work ----

double counter(const std::string& id, const Dataset& dataset, const std::string& name) {
  const SubgraphMatching::Input input = subgraph_input(dataset);
  const SubgraphRun run = run_subgraph_solver(id, {}, input);
  EXPECT_EQ(run.judgement.verdict, Verdict::exact) << id << ": " << run.judgement.difference;
  return run.counters.at(name);
}

TEST(CpuCfl, LeavesOnlyCandidatesThatTheirPathsLeave) {
  // A path 0 - 1 - 2 - 3 of labels, and two that end too early at either end.
  SmallGraph data({0, 1, 2, 3, 0, 1, 2, 1, 2, 3});
  data.edge(0, 1).edge(1, 2).edge(2, 3).edge(4, 5).edge(5, 6).edge(7, 8).edge(8, 9);
  SmallGraph query({0, 1, 2, 3});
  query.edge(0, 1).edge(1, 2).edge(2, 3);
  EXPECT_EQ(counter("cfl", testing::dataset_of("paths", data, {query}), "candidates"), 4);
}

TEST(CpuCbwj, IntersectsForCliquesAndJoinsWhereLittleIsShared) {
  const testing::RandomGraphs how{.vertices = 60, .degree = 20, .vertex_labels = 1};
  const auto graphs = testing::random_subgraph_case(kSeed, how);
  const auto joins = [&](const SmallGraph& query) {
    Dataset dataset = graphs;
    const std::vector<datasets::LabelledGraph> queries{query.graph()};
    dataset.data = datasets::with_queries(graphs.as<datasets::GraphQueries>().data, queries);
    return counter("cbwj", dataset, "joins");
  };
  EXPECT_EQ(joins(testing::clique(4)), 0);
  SmallGraph bow_tie(5);  // two triangles that share a vertex
  bow_tie.edge(0, 1).edge(1, 2).edge(0, 2).edge(2, 3).edge(3, 4).edge(2, 4);
  EXPECT_GT(joins(bow_tie), 0);
}

// ---- real data ----

class RealQueriesNamed : public ::testing::TestWithParam<testing::RealQueries> {};

/// A slow solver on a slow machine leaves queries unsolved, which is no error here.
TEST_P(RealQueriesNamed, HaveAsManyMatchesAsPublished) {
  constexpr std::int64_t kQueries = 5;
  const auto queries = testing::counted_queries(GetParam(), kQueries);
  if (!queries) GTEST_SKIP() << GetParam().graph << " is not here: set WARPBENCH_DATA";
  const SubgraphMatching::Input input = subgraph_input(*queries, {{"query_timeout", 0.3}});
  ASSERT_EQ(input.graphs->published_counts.size(), static_cast<std::size_t>(kQueries));
  double solved = 0;
  for (const std::string& id : solvers()) {
    const SubgraphRun run = run_subgraph_solver(id, {}, input);
    EXPECT_EQ(run.judgement.verdict, Verdict::exact) << id << ": " << run.judgement.difference;
    std::cout << "  " << id << ": " << run.judgement.metrics.at("solved") << " of " << kQueries << " queries in "
              << run.counters.at("query_mean_s") << " s each\n";
    solved += run.judgement.metrics.at("solved");
  }
  EXPECT_GT(solved, 0);
}

INSTANTIATE_TEST_SUITE_P(All, RealQueriesNamed, ::testing::ValuesIn(testing::kRealQueries),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace warpbench
