// gsi: its structures by themselves, and the solver with every combination of its techniques.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "algorithms/subgraph_matching/gsi/join_order.hpp"
#include "algorithms/subgraph_matching/gsi/pcsr.hpp"
#include "algorithms/subgraph_matching/gsi/signatures.hpp"
#include "algorithms/subgraph_matching/label_partitions.hpp"
#include "datasets/graphs/candidates.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "problems/judgement.hpp"
#include "solvers/profiled_part.hpp"
#include "tests/problems/support/subgraph_cases.hpp"

namespace warpbench::matching::gsi {
namespace {

using testing::RandomGraphs;
using testing::SmallGraph;
using Given = std::map<std::string, Value>;
using Input = SubgraphMatching::Input;

/// A graph with parallel edges of some labels, from which its own dataset's queries are taken.
datasets::Dataset labelled_case(std::uint64_t seed, std::size_t vertices = 40, double degree = 5) {
  RandomGraphs how;
  how.vertices = vertices;
  how.degree = degree;
  how.vertex_labels = 3;
  how.edge_labels = 4;
  how.parallel_edges = true;
  how.queries = 2;
  return testing::random_subgraph_case(seed, how);
}

void expect_right(const Given& given, const Input& input, const SubgraphMatching::Reference& reference,
                  const std::string& what) {
  const testing::SubgraphRun run = testing::run_subgraph_solver("gsi", given, input, reference);
  EXPECT_EQ(run.refused, "") << what;
  EXPECT_EQ(run.judgement.verdict, Verdict::exact) << what << ": " << run.judgement.difference;
  EXPECT_EQ(run.counters.at("unsolved"), 0) << what;
}

void expect_right(const Given& given, const datasets::Dataset& dataset, const testing::SubgraphTask& task,
                  const std::string& what) {
  const Input input = testing::subgraph_input(dataset, task);
  expect_right(given, input, SubgraphMatching::reference(input), what);
}

// ---- PCSR ----

/// N(v, l) by following a chain of groups, as §IV says.
std::vector<Vertex> look_up(const Pcsr& pcsr, const LabelPartitions& partitions, int gpn, Vertex v, Label label) {
  const std::size_t groups = partitions.size(label);
  if (groups == 0) return {};
  const std::size_t words = 2 * static_cast<std::size_t>(gpn);
  for (std::uint32_t group = group_of(v, groups); group != kNone<std::uint32_t>;) {
    const std::uint32_t* pairs = &pcsr.pairs[(partitions.vertex_offsets[label] + group) * words];
    for (std::size_t k = 0; k + 2 < words; k += 2) {
      if (pairs[k] != v) continue;
      const auto base = pcsr.column_index.begin() + static_cast<std::ptrdiff_t>(partitions.slot_offsets[label]);
      return {base + pairs[k + 1], base + pairs[k + 3]};
    }
    group = pairs[words - 2];
  }
  return {};
}

TEST(GsiPcsr, HoldsEveryNeighborList) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Input input = testing::subgraph_input(labelled_case(seed, 300));
    const Graph& graph = input.data();
    const LabelPartitions partitions = partition_by_label(graph);
    for (const int gpn : {2, 3, 16}) {
      const Pcsr pcsr = build_pcsr(graph, partitions, gpn);
      for (std::int64_t v = 0; v < graph.vertices(); ++v) {
        for (Label label = 0; label < partitions.labels(); ++label) {
          const auto expected = graph.row(static_cast<Vertex>(v), label);
          const std::vector<Vertex> found = look_up(pcsr, partitions, gpn, static_cast<Vertex>(v), label);
          ASSERT_TRUE(std::ranges::equal(found, expected))
              << "vertex " << v << ", label " << label << ", gpn " << gpn << ", seed " << seed;
        }
      }
      EXPECT_GT(pcsr.longest_conflict, 1U);
      EXPECT_EQ(pcsr.overflows > 0, gpn < 16) << "gpn " << gpn << ", seed " << seed;
    }
  }
}

/// With one key a group every conflict needs an empty group; all of them find one (Claim 1).
TEST(GsiPcsr, HasAsManyGroupsAsVertices) {
  const Input input = testing::subgraph_input(testing::dataset_of("star", testing::star(500), {testing::path(2)}));
  const LabelPartitions partitions = partition_by_label(input.data());
  const Pcsr pcsr = build_pcsr(input.data(), partitions, 2);
  ASSERT_EQ(pcsr.pairs.size(), 501U * 4);
  std::vector<Vertex> keys;
  for (std::size_t group = 0; group < 501; ++group) keys.push_back(pcsr.pairs[4 * group]);
  std::ranges::sort(keys);
  for (Vertex v = 0; v < 501; ++v) EXPECT_EQ(keys[v], v);
}

/// A path on which no two edges have the same label.
Input path_of_labels(Vertex vertices) {
  SmallGraph data(vertices);
  for (Vertex v = 1; v < vertices; ++v) data.edge(v - 1, v, v);
  SmallGraph query(2);
  query.edge(0, 1, 7);
  return testing::subgraph_input(testing::dataset_of("path_of_labels", data, {query}));
}

TEST(GsiPartitions, AreMadeForThousandsOfLabels) {
  const Input input = path_of_labels(2000);
  const LabelPartitions partitions = partition_by_label(input.data());
  ASSERT_EQ(partitions.labels(), 1999U);
  const Pcsr pcsr = build_pcsr(input.data(), partitions, 16);
  for (Vertex v = 1; v < 2000; ++v) {
    EXPECT_EQ(look_up(pcsr, partitions, 16, v, v - 1), std::vector<Vertex>{v - 1});
    EXPECT_EQ(look_up(pcsr, partitions, 16, v, v >= 1998 ? 0 : v + 1), std::vector<Vertex>{});
  }
}

// ---- Signatures and join order ----

TEST(GsiSignatures, TellNoneOneAndSeveralPairsApart) {
  SmallGraph data(std::vector<std::uint32_t>{5, 6, 6, 6});
  data.edge(0, 1).edge(0, 2).edge(1, 3);
  const Input input = testing::subgraph_input(testing::dataset_of("signatures", data, {data}));
  const SignatureScheme scheme{4, false};
  const auto states = [&](Vertex v, bool once) {
    std::vector<std::uint32_t> signature(4);
    encode(scheme, input.data(), v, once, signature);
    EXPECT_EQ(signature[0], input.data().labels_of(v)[0]);
    std::map<std::uint32_t, int> count;
    for (int group = 0; group < 48; ++group) ++count[signature[1 + group / 16] >> (group % 16 * 2) & 3U];
    return count;
  };
  EXPECT_EQ(states(0, false), (std::map<std::uint32_t, int>{{0, 47}, {3, 1}})) << "two neighbours of one label";
  EXPECT_EQ(states(0, true), (std::map<std::uint32_t, int>{{0, 47}, {1, 1}})) << "which count once";
  EXPECT_EQ(states(3, false), (std::map<std::uint32_t, int>{{0, 47}, {1, 1}})) << "one neighbour";
}

TEST(GsiJoinOrder, StartsWithTheLeastScoreAndFollowsRareEdges) {
  // A triangle 0 1 2 with a tail 2 - 3; edges 0-1 of label 0, 0-2 and 1-2 of label 1, 2-3 of label 2.
  SmallGraph query(4);
  query.edge(0, 1, 0).edge(0, 2, 1).edge(1, 2, 1).edge(2, 3, 2);
  const Input input = testing::subgraph_input(testing::dataset_of("order", query, {query}));
  const std::vector<std::int64_t> candidates{8, 9, 21, 100};  // scores 4, 4.5, 7, 100
  const std::vector<std::uint64_t> frequencies{50, 3, 2};
  const std::vector<JoinStep> steps = join_order(input.queries()[0], candidates, frequencies);
  // After 0: 1 has 4.5 * 50, 2 has 7 * 3; after 2: 1 has 4.5 * 50 * 3, 3 has 100 * 2.
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[0].vertex, 0U);
  EXPECT_EQ(steps[1].vertex, 2U);
  EXPECT_EQ(steps[2].vertex, 3U);
  EXPECT_EQ(steps[3].vertex, 1U);
  EXPECT_TRUE(steps[0].links.empty());
  ASSERT_EQ(steps[3].links.size(), 2U);
  EXPECT_EQ(steps[3].links[0].column, 1) << "the rarer label first";
  EXPECT_EQ(steps[3].links[0].label, 1U);
  EXPECT_EQ(steps[3].links[1].column, 0);
}

// ---- The solver ----

/// Every combination of techniques; thresholds so small that neighbour lists of small graphs reach each layer.
std::vector<Given> combinations() {
  std::vector<Given> all;
  for (const char* neighbors : {"csr", "basic", "compressed", "pcsr"}) {
    for (const char* output : {"two_step", "prealloc_combine"}) {
      const Given base{{"neighbors", std::string(neighbors)},
                       {"output", std::string(output)},
                       {"gpn", 3},
                       {"w1", 6},
                       {"w2", 4},
                       {"w3", 2}};
      Given naive = base;
      naive["set_operations"] = "naive";
      naive["load_balance"] = "none";
      naive["duplicate_removal"] = false;
      all.push_back(naive);
      for (int switches = 0; switches < 8; ++switches) {
        Given fused = base;
        fused["write_cache"] = (switches & 1) != 0;
        fused["duplicate_removal"] = (switches & 2) != 0;
        fused["load_balance"] = std::string((switches & 4) != 0 ? "four_layer" : "none");
        all.push_back(fused);
      }
    }
  }
  return all;
}

std::string text_of(const Given& given) {
  std::string text;
  for (const auto& [name, value] : given) text += name + "=" + to_string(value) + " ";
  return text;
}

TEST(Gsi, IsRightWithEveryCombinationOfTechniques) {
  std::uint64_t seed = 20;
  for (const Given& given : combinations()) {
    const datasets::Dataset dataset = labelled_case(++seed, 14, 3);
    for (const char* semantics : {"isomorphism", "homomorphism"}) {
      expect_right(given, dataset, {{"semantics", std::string(semantics)}, {"output", "digest"}},
                   text_of(given) + semantics + ", seed " + std::to_string(seed));
    }
  }
}

/// Few rows with lists and buffers of several batches, on which batches, caches and layers follow each other: four
/// hubs, all joined, and leaves that some of them share.
TEST(Gsi, IsRightOnLongLists) {
  std::vector<std::uint32_t> labels(204, 1);
  std::fill_n(labels.begin(), 4, 0);
  SmallGraph data(labels);
  const std::vector<std::uint64_t> shares{40, 90, 110, 150};  // of 200
  for (Vertex hub = 0; hub < 4; ++hub) {
    for (Vertex other = 0; other < hub; ++other) data.edge(other, hub);
    for (Vertex leaf = 4; leaf < 204; ++leaf) {
      if (mix64(leaf * 4 + hub) % 200 < shares[hub]) data.edge(hub, leaf);
    }
  }
  SmallGraph triangle(std::vector<std::uint32_t>{0, 0, 1});
  triangle.edge(0, 1).edge(0, 2).edge(1, 2);
  SmallGraph tetrahedron(std::vector<std::uint32_t>{0, 1, 0, 0});
  tetrahedron.edge(0, 1).edge(0, 2).edge(0, 3).edge(1, 2).edge(1, 3).edge(2, 3);
  const Input input =
      testing::subgraph_input(testing::dataset_of("hubs", data, {triangle, tetrahedron}), {{"output", "digest"}});
  const SubgraphMatching::Reference reference = SubgraphMatching::reference(input);
  for (Given given : combinations()) {
    // The others' lists are pcsr's once they are located.
    if (given.at("neighbors") != Value("csr") && given.at("neighbors") != Value("pcsr")) {
      continue;
    }
    given["w1"] = 130;
    given["w2"] = 100;
    given["w3"] = 60;
    expect_right(given, input, reference, text_of(given));
  }
}

/// Hubs of sizes for each layer, whose lists every row needs, so that warps share them.
TEST(Gsi, BalancesEachLayerAndSharesHubs) {
  const std::vector<std::size_t> leaves{5, 20, 40, 65};
  std::vector<std::uint32_t> labels(4, 0);
  for (const std::size_t more : leaves) labels.insert(labels.end(), more, 1);
  SmallGraph data(labels);
  Vertex next = 4;
  for (Vertex hub = 0; hub < 4; ++hub) {
    for (std::size_t i = 0; i < leaves[hub]; ++i) data.edge(hub, next++);
  }
  for (Vertex leaf = 9; leaf + 1 < next; leaf += 3) data.edge(leaf, leaf + 1);
  SmallGraph triangle(std::vector<std::uint32_t>{0, 1, 1});
  triangle.edge(0, 1).edge(1, 2).edge(0, 2);
  SmallGraph two_leaves(std::vector<std::uint32_t>{1, 0, 1});
  two_leaves.edge(0, 1).edge(1, 2);
  const Input input =
      testing::subgraph_input(testing::dataset_of("hubs", data, {triangle, two_leaves}), {{"output", "digest"}});
  const SubgraphMatching::Reference reference = SubgraphMatching::reference(input);
  for (const char* output : {"two_step", "prealloc_combine"}) {
    for (const bool shared : {false, true}) {
      for (const std::int64_t threads : {32, 128}) {
        expect_right({{"output", std::string(output)},
                      {"load_balance", "four_layer"},
                      {"duplicate_removal", shared},
                      {"threads_per_block", threads},
                      {"w1", 50},
                      {"w2", 30},
                      {"w3", 10}},
                     input, reference, std::string(output) + (shared ? ", shared, " : ", ") + std::to_string(threads));
      }
    }
  }
}

TEST(Gsi, GivesWhatIsAskedFor) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const datasets::Dataset dataset = testing::random_subgraph_case(seed);
    for (const char* output : {"count", "digest", "matches", "first"}) {
      for (const char* way : {"two_step", "prealloc_combine"}) {
        expect_right({{"output", std::string(way)}}, dataset, {{"output", std::string(output)}, {"first", 3}},
                     std::string(output) + ", " + way + ", seed " + std::to_string(seed));
      }
    }
  }
}

TEST(Gsi, VerifiesLabelsThatSignaturesConfuse) {
  RandomGraphs how;
  how.vertex_labels = 60;  // more labels than bits for them
  how.several_vertex_labels = true;
  how.vertices = 60;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    expect_right({{"signature_bits", 64}}, testing::random_subgraph_case(seed, how), {},
                 "several labels, seed " + std::to_string(seed));
  }
}

TEST(Gsi, LeavesTheCandidatesThatThePlainCountFinds) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const datasets::Dataset dataset = labelled_case(seed, 200, 8);
    const testing::SubgraphRun run =
        testing::run_subgraph_solver("gsi", {}, testing::subgraph_input(dataset, {{"output", "count"}}));
    const auto& graphs = dataset.as<datasets::GraphQueries>();
    const double counted = datasets::mean_of_smallest(graphs, datasets::count_candidates(graphs).by_signature);
    EXPECT_DOUBLE_EQ(run.counters.at("candidates_min"), counted) << "seed " << seed;
  }
}

TEST(Gsi, RunsInOneBlock) {
  expect_right({{"blocks", 1}}, labelled_case(9, 100, 3), {{"output", "digest"}}, "one block, seed 9");
}

TEST(Gsi, TellsWhatItDid) {
  const Input input = testing::subgraph_input(testing::dataset_of("cycle", testing::cycle(10), {testing::path(3)}),
                                              {{"output", "count"}});
  const testing::SubgraphRun run = testing::run_subgraph_solver("gsi", {}, input);
  EXPECT_EQ(run.counters.at("candidates_min"), 10) << "the middle has two neighbours, as all have";
  EXPECT_EQ(run.counters.at("candidates_mean"), 10);
  EXPECT_EQ(run.counters.at("rows"), 10 + 20);
  EXPECT_EQ(run.counters.at("gba_bytes"), 4 * 20) << "none for the step that is only counted";
  EXPECT_EQ(run.counters.at("table_bytes"), 4 * 2 * 20);
  EXPECT_EQ(run.counters.at("set_operation_kernels"), 2) << "one a step";
  EXPECT_GT(run.counters.at("peak_device_bytes"), 0);
}

TEST(Gsi, HasItsJoinCountedWithoutTheFilter) {
  const SolveProfiler profiler;
  const Input input = testing::subgraph_input(testing::dataset_of("cycle", testing::cycle(10), {testing::path(3)}));
  EXPECT_EQ(testing::run_subgraph_solver("gsi", {}, input).judgement.verdict, Verdict::exact);
  EXPECT_EQ(profiler.part(), "join");
}

TEST(Gsi, LaunchesANaiveOperationForEachRow) {
  const Input input = testing::subgraph_input(testing::dataset_of("cycle", testing::cycle(10), {testing::path(3)}),
                                              {{"output", "count"}});
  const Given once{
      {"set_operations", std::string("naive")}, {"load_balance", std::string("none")}, {"duplicate_removal", false}};
  const double kernels = testing::run_subgraph_solver("gsi", once, input).counters.at("set_operation_kernels");
  EXPECT_EQ(kernels, 2 * (10 + 20)) << "subtraction and candidates, for 10 rows and then for 20";
  Given twice = once;
  twice["output"] = std::string("two_step");
  const double again = testing::run_subgraph_solver("gsi", twice, input).counters.at("set_operation_kernels");
  EXPECT_EQ(again, 4 * 10 + 3 * 20) << "to count and to write; of the last step's second operation only to count";
}

TEST(Gsi, RefusesBasicOffsetsThatDoNotFit) {
  const Input input = path_of_labels(400);
  set_memory_limit(memory_in_use() + 500'000);  // the offsets are 400 * 399 * 4 bytes
  EXPECT_THROW((void)testing::run_subgraph_solver("gsi", {{"neighbors", "basic"}}, input), OutOfDeviceMemory);
  EXPECT_EQ(testing::run_subgraph_solver("gsi", {{"neighbors", "compressed"}}, input).judgement.verdict,
            Verdict::exact);
  set_memory_limit(std::nullopt);
}

}  // namespace
}  // namespace warpbench::matching::gsi
