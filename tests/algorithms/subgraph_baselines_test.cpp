// The GPU baselines of gsi2020: gpsm, gunrock-sm, magiq and wukong-g. Tests of short time, of little memory, and of how
// much each filter leaves.
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/subgraph_matching/edge_join/plan.hpp"
#include "algorithms/subgraph_matching/label_partitions.hpp"
#include "algorithms/subgraph_matching/wukong_g/store.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "tests/problems/support/real_queries.hpp"
#include "tests/problems/support/solver_ids.hpp"
#include "tests/problems/support/subgraph_cases.hpp"

namespace warpbench {
namespace {

using datasets::Dataset;
using testing::RandomGraphs;
using testing::SmallGraph;
using testing::SubgraphRun;
using testing::SubgraphTask;

constexpr std::uint64_t kSeed = 20200420;

class SubgraphBaselines : public ::testing::TestWithParam<std::string> {
 protected:
  /// All queries solved, and rightly.
  static SubgraphRun expect_right(const Dataset& dataset, const SubgraphTask& task, const std::string& what) {
    const SubgraphMatching::Input input = testing::subgraph_input(dataset, task);
    SubgraphRun run = testing::run_subgraph_solver(GetParam(), {}, input);
    EXPECT_EQ(run.judgement.verdict, Verdict::exact)
        << dataset.name << ", " << what << ": " << run.judgement.difference;
    EXPECT_EQ(run.judgement.metrics["solved"], static_cast<double>(input.queries().size()))
        << dataset.name << ", " << what;
    return run;
  }
};

/// Rows of more than a warp's neighbours, tables of more than a block's rows.
TEST_P(SubgraphBaselines, FindAllMatchesInALargerGraph) {
  RandomGraphs how;
  how.vertices = 60;
  how.degree = 34;
  how.vertex_labels = 3;
  how.edge_labels = 2;
  how.parallel_edges = true;
  how.queries = 2;
  how.query_vertices = 3;
  expect_right(testing::random_subgraph_case(kSeed, how), {{"output", "digest"}}, "isomorphism");
}

/// hprd alone: the tables of the other real queries may exceed any memory.
TEST_P(SubgraphBaselines, CountAsPublished) {
  if (backend_name() == "simt" && GetParam() == "magiq") {
    GTEST_SKIP() << "a hundred products with all rows take simt half a minute";
  }
  const testing::RealQueries& files = testing::kRealQueries[0];
  const auto counted = testing::counted_queries(files, backend_name() == "simt" ? 1 : 20);
  if (!counted) GTEST_SKIP() << files.graph << " is not here: set WARPBENCH_DATA";
  const SubgraphMatching::Input input = testing::subgraph_input(*counted);
  const SubgraphRun run = testing::run_subgraph_solver(GetParam(), {}, input);
  EXPECT_EQ(run.judgement.verdict, Verdict::exact) << files.name << ": " << run.judgement.difference;
  EXPECT_EQ(run.counters.at("unsolved"), 0);
}

TEST_P(SubgraphBaselines, CountAlone) {
  const Dataset dataset = testing::random_subgraph_case(kSeed, {});
  for (const std::string semantics : {"isomorphism", "homomorphism"}) {
    const SubgraphRun run = expect_right(dataset, {{"semantics", semantics}, {"output", "count"}}, semantics);
    EXPECT_TRUE(run.answer.queries.at(0).matches.empty());
  }
}

TEST_P(SubgraphBaselines, GiveTheFirstMatches) {
  const Dataset dataset =
      testing::dataset_of("clique", testing::clique(6), {testing::path(3), testing::clique(3), SmallGraph(1)});
  const auto first = [&](std::int64_t count) {
    return expect_right(dataset, {{"output", "first"}, {"first", count}}, std::to_string(count));
  };
  EXPECT_EQ(first(1).answer.queries.at(1).count, 1U);
  const SubgraphRun seven = first(7);
  EXPECT_EQ(seven.answer.queries.at(0).count, 7U);
  EXPECT_EQ(seven.answer.queries.at(0).matches.size(), 21U);
  EXPECT_EQ(seven.answer.queries.at(2).count, 6U);
  EXPECT_EQ(first(1000).answer.queries.at(0).count, 120U);
}

TEST_P(SubgraphBaselines, LeaveAQueryUnsolvedWhenItsTimeIsUp) {
  SubgraphMatching::Input input =
      testing::subgraph_input(testing::dataset_of("clique", testing::clique(6), {testing::path(3), SmallGraph(1)}));
  input.query_timeout_seconds = 0;
  const SubgraphRun run = testing::run_subgraph_solver(GetParam(), {}, input);
  EXPECT_FALSE(run.answer.queries.at(0).solved);
  EXPECT_FALSE(run.answer.queries.at(1).solved);
  EXPECT_EQ(run.counters.at("unsolved"), 2);
}

TEST_P(SubgraphBaselines, SayThatDeviceMemoryIsShort) {
  const auto limit = memory_limit();
  const SubgraphMatching::Input input =
      testing::subgraph_input(testing::dataset_of("clique", testing::clique(14), {testing::path(4)}));
  set_memory_limit(memory_in_use() + 20000);
  EXPECT_THROW(static_cast<void>(testing::run_subgraph_solver(GetParam(), {}, input)), OutOfDeviceMemory);
  set_memory_limit(limit);
  EXPECT_EQ(testing::run_subgraph_solver(GetParam(), {}, input).judgement.verdict, Verdict::exact);
}

TEST_P(SubgraphBaselines, CountWhatTheyDo) {
  // Vertices 0 to 3 in a row, of labels 0 1 1 0, and the same labels asked for: two candidates each by label.
  const SmallGraph row = SmallGraph(std::vector<SmallGraph::Label>{0, 1, 1, 0}).edge(0, 1).edge(1, 2).edge(2, 3);
  const SubgraphRun run = expect_right(testing::dataset_of("row", row, {row}), {}, "isomorphism");
  EXPECT_EQ(run.counters.at("candidates_min"), 2);
  EXPECT_EQ(run.counters.at("candidates_mean"), 2);
  EXPECT_GE(run.counters.at("filter_s"), 0);
  EXPECT_GE(run.counters.at("largest_table_rows"), 2);
  EXPECT_GT(run.counters.at("peak_device_bytes"), 0);
}

/// Outputs that need no matches leave the last table unwritten, and the record says so.
TEST_P(SubgraphBaselines, SayWhatTheyDoNotWrite) {
  const Dataset dataset = testing::dataset_of("clique", testing::clique(5), {testing::path(3)});
  for (const std::string output : {"count", "digest", "matches"}) {
    const SubgraphRun run = expect_right(dataset, {{"output", output}}, output);
    EXPECT_EQ(run.counters.at("unwritten_rows"), output == "matches" ? 0 : 60) << output;
  }
}

/// The calls to the device of one solve on a prepared solver.
std::vector<std::string> calls_of_a_solve(const std::string& id, const SubgraphMatching::Input& input) {
  const auto& entry = *std::ranges::find(solvers_of<SubgraphMatching>(), id, [](const auto& e) { return e.info.id; });
  const auto solver = entry.make(Parameters(entry.info.parameters, entry.info.smoke));
  Phases prepared;
  solver->prepare(input, prepared);
  EXPECT_TRUE(prepared.seconds().contains("pin")) << id;
  solver->upload(prepared);
  std::vector<std::string> calls;
  while (true) {
    fail_call(static_cast<std::int64_t>(calls.size()) + 1);
    Phases phases;
    try {
      solver->solve(phases);
      fail_call(0);
      return calls;
    } catch (const DeviceError& error) {
      const std::string what = error.what();
      calls.push_back(what.substr(0, what.find(" failed")));
    }
  }
}

TEST_P(SubgraphBaselines, PinNothingWithinAQuery) {
  const Dataset dataset = testing::dataset_of("clique", testing::clique(5), {testing::path(3)});
  const SubgraphMatching::Input input = testing::subgraph_input(dataset, {{"output", "count"}});
  const std::vector<std::string> calls = calls_of_a_solve(GetParam(), input);
  EXPECT_GT(calls.size(), 10U);
  EXPECT_EQ(std::ranges::count(calls, "allocate_pinned"), 0);
}

/// Candidates are few, though all vertices have their label: a query vertex costs a flag a data vertex, not a list.
TEST(Gpsm, HoldsNoListsOfAllVerticesOfALabel) {
  constexpr SmallGraph::Vertex kVertices = 2000;
  // A clique in a long path, which the query has once.
  const auto peak_for = [&](SmallGraph::Vertex size) {
    SmallGraph data(kVertices);
    for (SmallGraph::Vertex v = 1; v < kVertices; ++v) data.edge(v - 1, v);
    for (SmallGraph::Vertex v = 0; v < size; ++v) {
      for (SmallGraph::Vertex w = v + 2; w < size; ++w) data.edge(v, w);
    }
    const SubgraphMatching::Input input =
        testing::subgraph_input(testing::dataset_of("path", data, {testing::clique(size)}));
    reset_peak_memory();
    const SubgraphRun run = testing::run_subgraph_solver("gpsm", {}, input);
    EXPECT_EQ(run.judgement.verdict, Verdict::exact) << run.judgement.difference;
    return static_cast<std::int64_t>(run.counters.at("peak_device_bytes"));
  };
  EXPECT_LT(peak_for(5) - peak_for(4), 2 * kVertices);
}

INSTANTIATE_TEST_SUITE_P(Gsi2020, SubgraphBaselines,
                         ::testing::ValuesIn(testing::solver_ids<SubgraphMatching>([](const SolverInfo& solver) {
                           return solver.role == Role::gpu_baseline;
                         })),
                         testing::name_of_solver);

/// A solver's mean over the queries of its smallest candidate sets.
double smallest_candidates(const std::string& solver, const SubgraphMatching::Input& input) {
  return testing::run_subgraph_solver(solver, {}, input).counters.at("candidates_min");
}

/// gsi2020 table IV: GunrockSM's filter leaves more than GpSM's.
TEST(SubgraphBaselineFilters, GpsmLeavesNoMoreThanGunrock) {
  bool fewer = false;
  for (std::uint64_t seed = kSeed; seed < kSeed + 6; ++seed) {
    RandomGraphs how;
    how.vertices = 30;
    how.queries = 4;
    const SubgraphMatching::Input input = testing::subgraph_input(testing::random_subgraph_case(seed, how));
    const double gpsm = smallest_candidates("gpsm", input);
    const double gunrock = smallest_candidates("gunrock-sm", input);
    EXPECT_LE(gpsm, gunrock) << "seed " << seed;
    fewer = fewer || gpsm < gunrock;
  }
  EXPECT_TRUE(fewer);
}

/// A fork of labels 0 to 1 and 2; the data graph has a triangle of these and a fork of 0 to 1 and 1.
TEST(SubgraphBaselineFilters, LookAtNeighborsOrDoNot) {
  const std::vector<SmallGraph::Label> labels{0, 1, 2, 0, 1, 1};
  SmallGraph data(labels);
  data.edge(0, 1).edge(1, 2).edge(0, 2).edge(3, 4).edge(3, 5);  // 3 has no neighbour of label 2
  const SmallGraph query = SmallGraph(std::vector<SmallGraph::Label>{0, 1, 2}).edge(0, 1).edge(0, 2);
  const SubgraphMatching::Input input = testing::subgraph_input(testing::dataset_of("fork", data, {query}));
  const auto mean = [&](const char* solver) {
    return testing::run_subgraph_solver(solver, {}, input).counters.at("candidates_mean");
  };
  EXPECT_DOUBLE_EQ(mean("gpsm"), 1);        // 0; 1; 2
  EXPECT_DOUBLE_EQ(mean("magiq"), 1);       // the same
  EXPECT_DOUBLE_EQ(mean("gunrock-sm"), 2);  // 0, 3; 1, 4, 5; 2
  EXPECT_DOUBLE_EQ(mean("wukong-g"), 2);    // labels alone
}

/// GpSM's filter waits once, not for each vertex and round.
TEST(SubgraphBaselineFilters, GpsmWaitsOnce) {
  if (backend_name() != "simt") GTEST_SKIP() << "the names of calls are simt's";
  const auto waits = [](std::size_t vertices) {
    const Dataset dataset = testing::dataset_of("clique", testing::clique(5), {testing::path(vertices)});
    const SubgraphMatching::Input input = testing::subgraph_input(dataset, {{"output", "count"}});
    return std::ranges::count(calls_of_a_solve("gpsm", input), "stream synchronize");
  };
  EXPECT_LE(waits(4) - waits(2), 2 * 3) << "two more edges: a count, a table and a join each";
}

// ---- what they stand on ----

TEST(EdgeJoinPlan, JoinsEachEdgeOnceAndClosesAtOnce) {
  using namespace matching::edge_join;
  const std::vector<matching::Edge> triangle_and_leaf{{0, 1, 0}, {0, 2, 0}, {1, 2, 0}, {1, 2, 5}, {2, 3, 0}};
  const EdgeJoinPlan plan = plan_joins(triangle_and_leaf, 3, [](auto, auto, matching::Vertex to) { return 3.0 - to; });
  ASSERT_EQ(plan.joins.size(), 5U);
  EXPECT_EQ(plan.joins[0].to, 2U);  // the only way
  EXPECT_EQ(plan.joins[1].to, 1U);  // cheaper than 0
  EXPECT_EQ(plan.joins[1].edge, 2U);
  EXPECT_FALSE(plan.joins[2].extends);
  EXPECT_EQ(plan.joins[2].label, 5U);
  EXPECT_EQ(plan.joins[3].to, 0U);
  EXPECT_FALSE(plan.joins[4].extends);
}

TEST(WukongStore, FindsAllVerticesOfCrowdedBuckets) {
  using namespace matching::edge_join;
  constexpr std::uint32_t kVertices = 3000;
  matching::LabelPartitions partitions;
  partitions.vertex_offsets = {0, 0, kVertices};  // none of label 0
  partitions.slot_offsets.resize(3);
  for (std::uint32_t v = 0; v < kVertices; ++v) {
    partitions.vertices.push_back(v);
    partitions.first_slots.push_back(10 * v);
    partitions.sizes.push_back(v % 7 + 1);
  }
  const KeyValueStore store = make_store(partitions);
  EXPECT_EQ(store.segments.at(0).buckets, 0);
  const StoreSegment segment = store.segments.at(1);
  const std::int64_t buckets = static_cast<std::int64_t>(store.entries.size()) / kBucketEntries;
  EXPECT_GT(buckets, segment.first_bucket + segment.buckets);  // some overflowed
  for (std::uint32_t v = 0; v < kVertices; ++v) {
    const StoreEntry* found = nullptr;
    for (std::int64_t bucket = bucket_of(segment, v); found == nullptr;) {
      const StoreEntry* entries = &store.entries.at(static_cast<std::size_t>(bucket * kBucketEntries));
      for (std::int64_t i = 0; i + 1 < kBucketEntries; ++i) found = entries[i].vertex == v ? &entries[i] : found;
      bucket = static_cast<std::int64_t>(entries[kBucketEntries - 1].offset);
      ASSERT_TRUE(found != nullptr || bucket != 0) << "vertex " << v;
    }
    EXPECT_EQ(found->offset, 10 * v);
    EXPECT_EQ(found->size, v % 7 + 1);
  }
}

}  // namespace
}  // namespace warpbench
