// Tests of fsig alone: each of its parameters against backtracking, tables so small that chunks wait at every level,
// the filter, the matching order, and counts beyond 64 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "algorithms/subgraph_matching/fsig/enumeration/chunks.hpp"
#include "algorithms/subgraph_matching/fsig/enumeration/memory.hpp"
#include "algorithms/subgraph_matching/fsig/enumeration/steps.hpp"
#include "algorithms/subgraph_matching/fsig/filter/filter.hpp"
#include "algorithms/subgraph_matching/fsig/graph.hpp"
#include "algorithms/subgraph_matching/fsig/matching_order.hpp"
#include "device/arena.hpp"
#include "device/backend/work_limit.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "tests/problems/support/subgraph_cases.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench {
namespace {

using matching::Graph;
using matching::Vertex;
using testing::RandomGraphs;
using testing::SmallGraph;
using testing::SubgraphRun;
using Given = std::map<std::string, Value>;

constexpr std::uint64_t kSeed = 20235;
const std::vector<std::string> kSchemes{"two_phase", "prealloc_combine", "one_star"};

std::string text(const Given& given) {
  std::string all;
  for (const auto& [name, value] : given) all += name + "=" + to_string(value) + " ";
  return all;
}

void expect_exact(const datasets::Dataset& dataset, const testing::SubgraphTask& task,
                  const std::vector<Given>& points) {
  const SubgraphMatching::Input input = testing::subgraph_input(dataset, task);
  const SubgraphMatching::Reference reference = SubgraphMatching::reference(input);
  for (const Given& given : points) {
    const SubgraphRun run = testing::run_subgraph_solver("fsig", given, input, reference);
    EXPECT_EQ(run.refused, "");
    EXPECT_EQ(run.judgement.verdict, Verdict::exact)
        << dataset.name << ": " << text(task) << "| " << text(given) << ": " << run.judgement.difference;
    EXPECT_EQ(run.counters.at("unsolved"), 0);
  }
}

RandomGraphs of_several_labels() {
  RandomGraphs how;
  how.vertices = 14;
  how.edge_labels = 2;
  how.several_vertex_labels = true;
  how.parallel_edges = true;
  return how;
}

/// Graphs with and without several labels, under both semantics. In CI each of the four has one half of the points for
/// counts and the other for digests, so that each point has both in each kind of graph and under each semantics.
TEST(Fsig, AnswersRandomQueriesWithEveryScheme) {
  std::vector<Given> points{Given{}};
  for (const std::string& scheme : kSchemes) {
    points.push_back({{"output", scheme}, {"filter_rounds", 0}, {"multiply_leaves", true}});
    points.push_back({{"output", scheme}, {"filter_rounds", 3}, {"multiply_leaves", true}, {"pipeline", false}});
  }
  points.push_back({{"small_levels", true}});
  points.push_back({{"masks", true}});
  points.push_back({{"small_levels", true}, {"multiply_leaves", true}});
  for (std::uint64_t seed = kSeed; seed < kSeed + 2; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const bool is_plain = seed % 2 == 0;
    const datasets::Dataset dataset =
        testing::random_subgraph_case(seed, is_plain ? RandomGraphs{} : of_several_labels());
    for (const char* semantics : {"isomorphism", "homomorphism"}) {
      const Value value = semantics;
      const bool counts_odd_points = is_plain == (value == Value("isomorphism"));
      std::vector<Given> counted;
      std::vector<Given> digested;
      for (std::size_t i = 0; i < points.size(); ++i) {
        const bool is_counted = (i % 2 == 1) == counts_odd_points;
        if (is_counted || testing::is_thorough()) counted.push_back(points[i]);
        if (!is_counted || testing::is_thorough()) digested.push_back(points[i]);
      }
      expect_exact(dataset, {{"semantics", value}}, counted);
      expect_exact(dataset, {{"semantics", value}, {"output", "digest"}}, digested);
      expect_exact(dataset, {{"semantics", value}, {"output", "matches"}}, {Given{}});
    }
  }
}

TEST(Fsig, GivesSomeMatches) {
  const datasets::Dataset dataset = testing::random_subgraph_case(kSeed, RandomGraphs{});
  for (const std::int64_t first : {1, 7, 1'000'000}) {
    expect_exact(dataset, {{"output", "first"}, {"first", first}},
                 {Given{},
                  {{"table_memory", 2000}},
                  {{"small_levels", true}},
                  {{"spread", true}, {"table_memory", 2000}},
                  {{"spread", true}, {"table_memory", 2000}, {"output", "two_phase"}},
                  {{"spread", true}, {"table_memory", 2000}, {"output", "prealloc_combine"}},
                  {{"spread", true}, {"small_levels", true}, {"table_memory", 12'000}}});
  }
}

/// Paths of four vertices with a leaf of its own kind at both ends. A clique, which comes first, has many of these
/// paths, but all its vertices share one leaf; the ends of forty short paths have one each.
datasets::Dataset late_matches() {
  constexpr Vertex kClique = 10;
  constexpr Vertex kPaths = 40;
  std::vector<SmallGraph::Label> labels(kClique + 4 * kPaths, 0);
  labels.resize(labels.size() + 1 + 2 * kPaths, 1);
  SmallGraph data(labels);
  Vertex leaf = kClique + 4 * kPaths;
  for (Vertex v = 0; v < kClique; ++v) {
    for (Vertex u = 0; u < v; ++u) data.edge(u, v);
    data.edge(v, leaf);
  }
  for (Vertex begin = kClique; begin < kClique + 4 * kPaths; begin += 4) {
    for (Vertex v = begin; v < begin + 3; ++v) data.edge(v, v + 1);
    data.edge(begin, ++leaf);
    data.edge(begin + 3, ++leaf);
  }
  SmallGraph query(std::vector<SmallGraph::Label>{1, 0, 0, 0, 0, 1});
  for (Vertex v = 0; v < 5; ++v) query.edge(v, v + 1);
  return testing::dataset_of("late", data, {query});
}

TEST(Fsig, FindsTheFirstMatchSoonerBySpreadRows) {
  const SubgraphMatching::Input input =
      testing::subgraph_input(late_matches(), {{"output", "first"}, {"first", std::int64_t{1}}});
  const SubgraphRun in_order = testing::run_subgraph_solver("fsig", {{"table_memory", 20'000}}, input);
  const SubgraphRun spread = testing::run_subgraph_solver("fsig", {{"table_memory", 20'000}, {"spread", true}}, input);
  for (const SubgraphRun* const run : {&in_order, &spread}) {
    EXPECT_EQ(run->judgement.verdict, Verdict::exact) << run->judgement.difference;
    EXPECT_GT(run->counters.at("parked_blocks"), 0);
  }
  EXPECT_LT(2 * spread.counters.at("rows"), in_order.counters.at("rows"));
}

TEST(Fsig, TakesMoreQueryVerticesThanAMaskHas) {
  SmallGraph ring = testing::cycle(70);
  ring.edge(0, 30);
  expect_exact(testing::dataset_of("ring", ring, {testing::path(32), testing::path(33)}), {}, {{{"masks", true}}});
}

// ---- the pipeline ----

TEST(Fsig, SizesChunksByTheirRoom) {
  using matching::fsig::ChunkRoom;
  using matching::fsig::max_chunk_elements;
  using matching::fsig::max_first_chunk_elements;
  constexpr std::int64_t kMuch = std::int64_t{1} << 31;
  constexpr std::int64_t kSmallest = std::int64_t{1} << 20;
  EXPECT_EQ(max_chunk_elements({1000, 300, 0, 4}, 0.5), 600) << "as the rows fit";
  EXPECT_EQ(max_chunk_elements({1000, 600, 0, 4}, 0.5), 1000);
  EXPECT_EQ(max_chunk_elements({1000, 0, 0, 4}, 0), 1000);
  EXPECT_EQ(max_chunk_elements({1000, 0, 0, 4}, 0.5), 1);
  const ChunkRoom roomy{kMuch, kMuch, 100 * kMuch, 4};
  EXPECT_EQ(max_first_chunk_elements(roomy, 0.6, 7), kSmallest);
  EXPECT_EQ(max_first_chunk_elements(roomy, 0.6, 8), 2 * kSmallest);
  EXPECT_EQ(max_first_chunk_elements(roomy, 0.6, 17), 4 * kSmallest);
  EXPECT_EQ(max_first_chunk_elements(roomy, 0.6, 1'000'000), 1024 * kSmallest);
  EXPECT_EQ(max_first_chunk_elements({kMuch, kMuch, 24 * kSmallest, 4}, 0.6, 1000), 3 * kSmallest)
      << "its rows take half of the room for those that wait";
  EXPECT_EQ(max_first_chunk_elements({kMuch, kMuch, 0, 4}, 0.6, 1000), kSmallest);
  EXPECT_EQ(max_first_chunk_elements({kMuch, kMuch, -100 * kMuch, 4}, 0.6, 1000), kSmallest);
  EXPECT_EQ(max_first_chunk_elements({6400, 6400, 6400, 4}, 0.5, 0), 100) << "with little memory";
  EXPECT_EQ(max_first_chunk_elements({1000, 7, 0, 4}, 0.5, 1000), 14);
}

/// Layers of `size` vertices, each beside all of the next; a query is a path through them.
datasets::Dataset layers(unsigned count, unsigned size) {
  std::vector<testing::SmallGraph::Label> labels;
  std::vector<testing::SmallGraph::Label> of_query;
  for (unsigned layer = 0; layer < count; ++layer) {
    of_query.push_back(layer);
    labels.insert(labels.end(), size, layer);
  }
  testing::SmallGraph data(labels);
  testing::SmallGraph query(of_query);
  for (unsigned layer = 0; layer + 1 < count; ++layer) {
    query.edge(layer, layer + 1);
    for (unsigned i = 0; i < size * size; ++i) data.edge(layer * size + i / size, (layer + 1) * size + i % size);
  }
  return testing::dataset_of("layers", data, {query});
}

TEST(Fsig, KeepsRowsThatWaitForTheFirstMatchesOnTheDevice) {
  const SubgraphMatching::Input input =
      testing::subgraph_input(layers(14, 4), {{"output", "first"}, {"first", std::int64_t{100'000}}});
  for (const bool spread : {false, true}) {
    const auto run_within = [&](std::int64_t memory) {
      const SubgraphRun run =
          testing::run_subgraph_solver("fsig", {{"table_memory", memory}, {"spread", spread}}, input);
      EXPECT_EQ(run.judgement.verdict, Verdict::exact) << run.judgement.difference;
      EXPECT_EQ(run.counters.at("parked_host_bytes"), 0) << memory;
      return run.counters.at("leaf_nodes");
    };
    EXPECT_GT(run_within(400'000), 500);
    EXPECT_LT(run_within(6'400'000), 35) << "chunks grow where there is room";
  }
}

/// All rows, each once, and in any sixteenth of many rows some of each quarter of the table.
TEST(Fsig, SpreadsRows) {
  for (const std::int64_t rows : {1, 2, 3, 64, 1000, 4181}) {
    SCOPED_TRACE(rows);
    constexpr int kWidth = 3;
    std::vector<Vertex> values(static_cast<std::size_t>(rows * kWidth));
    std::iota(values.begin(), values.end(), Vertex{0});
    Stream stream;
    const Buffer<Vertex> table(values, stream);
    Buffer<Vertex> spread(table.size(), stream);
    const std::int64_t cut = rows / 3;
    matching::fsig::spread_rows({table.view(), rows, kWidth}, 0, cut, spread.view(), stream);
    matching::fsig::spread_rows({table.view(), rows, kWidth}, cut, rows,
                                spread.view().subview(cut * kWidth, (rows - cut) * kWidth), stream);
    const std::vector<Vertex> found = spread.to_vector(stream);
    std::vector<std::int64_t> order;
    for (std::size_t i = 0; i < found.size(); i += kWidth) {
      order.push_back(found[i] / kWidth);
      for (std::size_t column = 0; column < kWidth; ++column) EXPECT_EQ(found[i + column], found[i] + column);
    }
    const std::int64_t part = rows / 16;
    for (std::int64_t first = 0; part >= 8 && first + part <= rows; first += part) {
      std::set<std::int64_t> quarters;
      for (std::int64_t i = first; i < first + part; ++i)
        quarters.insert(4 * order[static_cast<std::size_t>(i)] / rows);
      EXPECT_EQ(quarters.size(), 4U) << first;
    }
    std::ranges::sort(order);
    for (std::int64_t i = 0; i < rows; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  }
}

/// Matches of every length in plenty: a clique's paths, and a query with a core.
datasets::Dataset many_matches() {
  SmallGraph lollipop(5);
  lollipop.edge(0, 1).edge(1, 2).edge(0, 2).edge(2, 3).edge(3, 4);
  return testing::dataset_of("clique", testing::clique(7), {testing::path(4), testing::cycle(4), lollipop});
}

TEST(Fsig, ParksBlocksAtEveryLevel) {
  std::vector<Given> points;
  for (const std::string& scheme : kSchemes) {
    points.push_back({{"output", scheme}, {"table_memory", 4000}});
  }
  points.push_back({{"table_memory", 4000}, {"alpha", 0.0}, {"multiply_leaves", true}});
  points.push_back({{"table_memory", 4000}, {"alpha", 1.0}, {"multiply_leaves", true}});
  const datasets::Dataset dataset = many_matches();
  expect_exact(dataset, {}, points);
  expect_exact(dataset, {{"output", "digest"}}, points);
  expect_exact(dataset, {{"output", "matches"}}, {points[0]});
}

TEST(Fsig, SaysWhatWaited) {
  const SubgraphMatching::Input input = testing::subgraph_input(many_matches(), {{"output", "digest"}});
  const SubgraphRun roomy = testing::run_subgraph_solver("fsig", {}, input);
  EXPECT_EQ(roomy.counters.at("parked_blocks"), 0);
  EXPECT_EQ(roomy.counters.at("leaf_nodes"), 1);
  const SubgraphRun narrow = testing::run_subgraph_solver("fsig", {{"table_memory", 2000}}, input);
  EXPECT_GT(narrow.counters.at("parked_blocks"), 50);
  EXPECT_GT(narrow.counters.at("leaf_nodes"), 50);
  EXPECT_GT(narrow.counters.at("parked_host_bytes"), 0);
  EXPECT_LT(narrow.counters.at("parked_host_bytes"), 4000) << "rows wait once, also of a table that is cut twice";
  EXPECT_EQ(narrow.counters.at("rows"), roomy.counters.at("rows"));
  EXPECT_LT(narrow.counters.at("peak_device_bytes"), roomy.counters.at("peak_device_bytes"));
  const SubgraphRun less = testing::run_subgraph_solver("fsig", {{"table_memory", 32'000}}, input);
  EXPECT_GT(less.counters.at("parked_blocks"), 3);
  EXPECT_EQ(less.counters.at("parked_host_bytes"), 0) << "what is taken gives its room back";
  const SubgraphRun spread = testing::run_subgraph_solver("fsig", {{"table_memory", 2000}, {"spread", true}}, input);
  for (const char* same : {"rows", "parked_blocks", "leaf_nodes", "peak_device_bytes"}) {
    EXPECT_EQ(spread.counters.at(same), narrow.counters.at(same)) << same << ": all matches are asked for";
  }
}

// ---- small levels ----

/// With little memory no level is small, with more the first ones are, and with enough all of them.
TEST(Fsig, GoesThroughSmallLevelsUpToTheFirstLargeOne) {
  const datasets::Dataset dataset = many_matches();
  std::vector<Given> listed;
  std::vector<Given> multiplied;
  for (const std::int64_t memory : {2000, 12'000, 0}) {
    listed.push_back({{"small_levels", true}, {"table_memory", memory}});
    multiplied.push_back({{"small_levels", true}, {"table_memory", memory}, {"multiply_leaves", true}});
  }
  for (const char* output : {"count", "digest", "matches"}) expect_exact(dataset, {{"output", output}}, listed);
  expect_exact(dataset, {}, multiplied);
}

TEST(Fsig, SaysWhatSmallLevelsTook) {
  for (const char* output : {"count", "digest"}) {
    SCOPED_TRACE(output);
    const SubgraphMatching::Input input = testing::subgraph_input(many_matches(), {{"output", output}});
    const SubgraphRun by_host = testing::run_subgraph_solver("fsig", {}, input);
    const SubgraphRun by_block = testing::run_subgraph_solver("fsig", {{"small_levels", true}}, input);
    for (const char* same : {"rows", "bytes_written", "leaf_nodes", "parked_blocks"}) {
      EXPECT_EQ(by_block.counters.at(same), by_host.counters.at(same)) << same;
    }
    EXPECT_GT(by_host.counters.at("res_bytes"), 0);
    EXPECT_EQ(by_block.counters.at("res_bytes"), 0) << "no level was large";
    EXPECT_LT(by_block.counters.at("peak_device_bytes"), by_host.counters.at("peak_device_bytes"));
    const SubgraphRun narrow = testing::run_subgraph_solver("fsig", {{"table_memory", 12'000}}, input);
    const SubgraphRun by_both =
        testing::run_subgraph_solver("fsig", {{"small_levels", true}, {"table_memory", 12'000}}, input);
    EXPECT_EQ(by_both.counters.at("rows"), narrow.counters.at("rows"));
    EXPECT_GT(by_both.counters.at("res_bytes"), 0) << "the last levels were large";
    EXPECT_LT(by_both.counters.at("res_bytes"), narrow.counters.at("res_bytes"));
  }
}

TEST(Fsig, CutsLongListsInTwo) {
  // The only row of the first table has a list longer than what fits; with the least memory each element is a block.
  const datasets::Dataset dataset =
      testing::dataset_of("star", testing::star(40), {testing::path(2), testing::star(2)});
  expect_exact(dataset, {{"output", "digest"}}, {{{"table_memory", 3000}}});
  const datasets::Dataset small = testing::dataset_of("star", testing::star(5), {testing::path(2), testing::star(3)});
  expect_exact(small, {{"output", "digest"}}, {{{"table_memory", 1}}});
}

TEST(Fsig, IsOutOfMemoryWithoutThePipeline) {
  const SubgraphMatching::Input input = testing::subgraph_input(many_matches(), {{"output", "digest"}});
  for (const std::string& scheme : kSchemes) {
    const Given given{{"output", scheme}, {"pipeline", false}, {"table_memory", 4000}};
    EXPECT_THROW(static_cast<void>(testing::run_subgraph_solver("fsig", given, input)), OutOfDeviceMemory) << scheme;
  }
}

TEST(Fsig, StopsWhenTheTimeIsUp) {
  const datasets::Dataset dataset = testing::dataset_of("clique", testing::clique(24), {testing::cycle(9)});
  const SubgraphMatching::Input input = testing::subgraph_input(dataset, {{"query_timeout", 0.05}});
  for (const bool small : {false, true}) {
    const Given given{{"table_memory", 20'000}, {"small_levels", small}};
    const SubgraphRun run = testing::run_subgraph_solver("fsig", given, input, {{0}, {}});
    EXPECT_EQ(run.counters.at("unsolved"), 1);
    EXPECT_FALSE(run.answer.queries[0].solved);
  }
}

/// A query that the host cannot hold is unsolved, as one that the device cannot: it does not end the trial.
TEST(Fsig, ParksAgainAfterAFailure) {
  Stream stream;
  const Buffer<Vertex> rows(std::vector<Vertex>{1, 2, 3}, stream);
  matching::fsig::ParkedRows parked;
  parked.begin({});
  const matching::Deadline deadline(1000);
  fail_call(1);
  EXPECT_THROW(parked.park(rows.view(), deadline, stream), DeviceError);
  fail_call(0);
  EXPECT_EQ(parked.park(rows.view(), deadline, stream), 0) << "and all is well afterwards";
  EXPECT_EQ(parked.host_bytes(), rows.bytes());
}

/// Ten gigabytes of the host take seconds to get.
TEST(Fsig, ParksNoLongerThanItsTime) {
  Stream stream;
  const Buffer<Vertex> rows(std::vector<Vertex>{1, 2, 3}, stream);
  matching::fsig::ParkedRows parked;
  parked.begin({});
  EXPECT_THROW(parked.park(rows.view(), matching::Deadline(0), stream), GaveUp);
  EXPECT_EQ(parked.size(), 0);
}

/// Rows that lie in the memory of the device, and in several pieces of the host's.
TEST(Fsig, ParksRowsInPieces) {
  constexpr std::int64_t kPiece = std::int64_t{1} << 22;
  Stream stream;
  Buffer<std::byte> device(4 * sizeof(Vertex), stream);
  std::vector<Vertex> values(kPiece + 20);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Vertex>(i * i);
  const Buffer<Vertex> rows(values, stream);
  matching::fsig::ParkedRows parked;
  const matching::Deadline deadline(1000);
  parked.begin(device.view());
  EXPECT_EQ(parked.park(rows.view().first(7), deadline, stream), 0);
  const std::int64_t place = parked.park(rows.view(), deadline, stream);
  EXPECT_EQ(place, 7);
  EXPECT_EQ(parked.device_bytes(), device.bytes());
  EXPECT_EQ(parked.host_bytes(), (7 + rows.size()) * std::int64_t{sizeof(Vertex)} - device.bytes());
  Buffer<Vertex> back(rows.size() - 3, stream);
  parked.copy(place + 3, back.view(), deadline, stream);
  EXPECT_EQ(back.to_vector(stream), std::vector<Vertex>(values.begin() + 3, values.end()));
  parked.release(0);
  parked.copy(2, back.view().first(5), deadline, stream);
  EXPECT_EQ(back.to_vector(stream)[4], values[6]) << "until others are parked there";
}

// ---- counts ----

TEST(Fsig, CountsUpTo64Bits) {
  for (const bool small : {false, true}) {
    const Given given{{"multiply_leaves", true}, {"small_levels", small}};
    const auto count = [&given](const SmallGraph& data, const SmallGraph& query) {
      const SubgraphMatching::Input input =
          testing::subgraph_input(testing::dataset_of("leaves", data, {query}), {{"semantics", "homomorphism"}});
      return testing::run_subgraph_solver("fsig", given, input, {{0}, {}}).answer.queries[0].count;
    };
    // The middle to the middle and 12 leaves anywhere, or the middle to a leaf and all leaves to the middle.
    EXPECT_EQ(count(testing::star(40), testing::star(12)), 16'777'216'000'000'000'000U + 40U);
    EXPECT_THROW(count(testing::star(40), testing::star(13)), std::overflow_error);    // a product
    EXPECT_THROW(count(testing::clique(41), testing::star(12)), std::overflow_error);  // a sum
  }
}

// ---- candidate sets ----

/// Random sets of several parts, the last one not full: members ascend, and ranks count those before.
TEST(FsigCandidates, AreArraysAndRanksOfBitmaps) {
  namespace fsig = matching::fsig;
  constexpr std::int64_t kVertices = 2 * 32 * fsig::CandidateBitmaps::kWordsPerPart + 70;
  constexpr std::int64_t kSets = 3;
  Stream stream;
  Arena arena(1 << 21, stream, 1 << 16);
  const fsig::CandidateBitmaps sets = fsig::take_bitmaps(kSets, kVertices, arena);
  const fsig::Candidates candidates = fsig::take_candidates(sets, kSets * kVertices, arena);
  std::mt19937 random(kSeed);
  std::vector<std::uint32_t> bits(static_cast<std::size_t>(sets.bits.size()));
  std::vector<std::int64_t> offsets{0};
  std::vector<Vertex> members;
  for (std::int64_t u = 0; u < kSets; ++u) {
    for (std::int64_t v = 0; v < kVertices; ++v) {
      if (random() % (2 + 50 * static_cast<unsigned>(u)) != 0) continue;
      bits[static_cast<std::size_t>(u * sets.words + v / 32)] |= 1U << static_cast<unsigned>(v % 32);
      members.push_back(static_cast<Vertex>(v));
    }
    offsets.push_back(std::ssize(members));
  }
  runtime::copy(sets.bits.data(), bits.data(), sets.bits.bytes(), runtime::Copy::kUpload, *stream.handle());
  fsig::count_members(sets, stream);
  fsig::compact(sets, candidates, stream);
  const auto down = [&stream](auto view, auto host) {
    runtime::copy(host.data(), view.data(), view.bytes(), runtime::Copy::kDownload, *stream.handle());
    stream.synchronize();
    return host;
  };
  EXPECT_EQ(down(candidates.offsets, std::vector<std::int64_t>(kSets + 1)), offsets);
  EXPECT_EQ(down(candidates.vertices.first(offsets.back()), std::vector<Vertex>(members.size())), members);
  const auto words = down(candidates.words, std::vector<fsig::RankWord>(bits.size()));
  std::uint32_t before = 0;
  for (std::size_t word = 0; word < bits.size(); ++word) {
    if (word % static_cast<std::size_t>(sets.words) == 0) before = 0;
    ASSERT_EQ(words[word].before, before) << "word " << word << ", seed " << kSeed;
    ASSERT_EQ(words[word].bits, bits[word]);
    before += static_cast<std::uint32_t>(std::popcount(bits[word]));
  }
}

// ---- the filter ----

struct FilterCase {
  const Graph& data;
  const Graph& query;
  bool injective;
};

std::vector<std::set<Vertex>> candidates_of(const FilterCase& given, std::int64_t rounds, bool by_masks) {
  namespace fsig = matching::fsig;
  Stream stream;
  fsig::ResidentGraph graph;
  Phases prepared;
  graph.prepare(given.data, prepared);
  EXPECT_TRUE(prepared.seconds().contains("neighbor_label_counters")) << "it is outside the time of a solve";
  graph.upload(stream);
  Arena arena(1 << 20, stream, 1 << 16);
  const fsig::QueryTables tables = query_tables(given.query, graph.label_counters(), given.injective);
  const std::int64_t max_candidates = given.query.vertices() * given.data.vertices();
  const fsig::DeviceQuery query = put(tables, arena, stream);
  const auto filter_graph = by_masks ? fsig::filter_by_masks : fsig::filter;
  const fsig::Candidates candidates = filter_graph(graph.view(), query, {rounds, !tables.exact, max_candidates}, arena,
                                                   matching::Deadline(1000), stream);
  const auto down = [&stream](auto view, auto& host) {
    runtime::copy(host.data(), view.data(), view.bytes(), runtime::Copy::kDownload, *stream.handle());
    stream.synchronize();
  };
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(given.query.vertices()) + 1);
  down(candidates.offsets, offsets);
  std::vector<Vertex> vertices(static_cast<std::size_t>(offsets.back()));
  down(candidates.vertices.first(offsets.back()), vertices);
  std::vector<std::set<Vertex>> sets;
  for (std::size_t u = 0; u + 1 < offsets.size(); ++u) {
    sets.emplace_back(vertices.begin() + offsets[u], vertices.begin() + offsets[u + 1]);
  }
  return sets;
}

/// Neighbour label frequencies as yu2023 §5.1.1 defines them; presence alone where a match need not be injective.
bool has_frequencies(const FilterCase& given, Vertex u, Vertex v) {
  const auto count = [](const Graph& graph, Vertex at, matching::Label edge_label, matching::Label label) {
    std::size_t found = 0;
    for (const Vertex w : graph.row(at, edge_label))
      found += static_cast<std::size_t>(std::ranges::count(graph.labels_of(w), label));
    return found;
  };
  for (matching::Label edge_label = 0; edge_label < given.data.edge_label_count; ++edge_label) {
    for (matching::Label label = 0; label < given.data.vertex_label_count; ++label) {
      const std::size_t needed = count(given.query, u, edge_label, label);
      if (count(given.data, v, edge_label, label) < (given.injective ? needed : std::min<std::size_t>(needed, 1))) {
        return false;
      }
    }
  }
  return fits(given.query, u, given.data, v, given.injective);
}

/// One round of Algorithm 7.
std::vector<std::set<Vertex>> filtered(const FilterCase& given, const std::vector<std::set<Vertex>>& sets) {
  std::vector<std::set<Vertex>> next(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto u = static_cast<Vertex>(i);
    for (const Vertex v : sets[i]) {
      bool stays = true;
      for (std::size_t j = 0; j < given.query.row(u).size(); ++j) {
        const std::set<Vertex>& others = sets[given.query.row(u)[j]];
        stays = stays && std::ranges::any_of(given.data.row(v, given.query.row_labels(u)[j]),
                                             [&](Vertex w) { return others.contains(w); });
      }
      if (stays) next[i].insert(v);
    }
  }
  return next;
}

void expect_filtered(const FilterCase& given) {
  std::vector<std::set<Vertex>> expected(static_cast<std::size_t>(given.query.vertices()));
  for (std::size_t u = 0; u < expected.size(); ++u) {
    for (std::int64_t v = 0; v < given.data.vertices(); ++v) {
      if (has_frequencies(given, static_cast<Vertex>(u), static_cast<Vertex>(v))) {
        expected[u].insert(static_cast<Vertex>(v));
      }
    }
  }
  for (const std::int64_t rounds : {0, 1, 2, 5}) {
    std::vector<std::set<Vertex>> sets = expected;
    for (std::int64_t round = 0; round < rounds; ++round) sets = filtered(given, sets);
    SCOPED_TRACE(std::to_string(rounds) + " rounds, injective " + std::to_string(given.injective));
    EXPECT_EQ(candidates_of(given, rounds, false), sets);
    if (given.data.edge_label_count > 1 || given.query.vertices() > 32) continue;
    EXPECT_EQ(candidates_of(given, rounds, true), sets) << "by masks";
  }
}

void expect_filtered(const datasets::Dataset& dataset) {
  SCOPED_TRACE(dataset.name);
  const SubgraphMatching::Input input = testing::subgraph_input(dataset);
  for (const Graph& query : input.queries()) {
    if (std::ranges::count(query.labels, kNone<matching::Label>) > 0) continue;
    for (const bool injective : {false, true}) expect_filtered({input.data(), query, injective});
  }
}

TEST(FsigFilter, KeepsWhatTheDocumentKeeps) {
  for (std::uint64_t seed = kSeed; seed < kSeed + 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomGraphs sparse;
    sparse.vertices = 80;
    sparse.degree = 1.5;
    sparse.vertex_labels = 3;
    expect_filtered(testing::random_subgraph_case(seed, sparse));
    expect_filtered(testing::random_subgraph_case(seed, of_several_labels()));
  }
}

TEST(FsigFilter, LooksAtSeveralGroups) {
  std::vector<SmallGraph::Label> labels;
  for (Vertex i = 0; i < 450; ++i) labels.push_back(i % 3);
  SmallGraph path(labels);
  for (Vertex i = 0; i + 1 < labels.size(); ++i) path.edge(i, i + 1);
  expect_filtered(testing::dataset_of("path", path, {SmallGraph({2, 1, 0}).edge(0, 1).edge(1, 2)}));
}

TEST(FsigFilter, FindsNothingOfALargerDegree) {
  const auto star = [](Vertex leaves) {
    std::vector<SmallGraph::Label> labels(leaves + 1, 1);
    labels[0] = 0;
    SmallGraph made(labels);
    for (Vertex leaf = 1; leaf <= leaves; ++leaf) made.edge(0, leaf);
    return made;
  };
  expect_filtered(testing::dataset_of("star", star(10), {star(31)}));
}

/// Hubs of label 0 with a leaf each of its own label, and queries for the first ten.
datasets::Dataset hubs_of(std::size_t hubs) {
  std::vector<SmallGraph::Label> labels(2 * hubs, 0);
  for (std::size_t i = 0; i < hubs; ++i) labels[hubs + i] = static_cast<SmallGraph::Label>(i + 1);
  SmallGraph data(labels);
  for (Vertex i = 0; i < hubs; ++i) data.edge(i, static_cast<Vertex>(i + hubs));
  std::vector<SmallGraph> queries;
  for (SmallGraph::Label label = 1; label <= 10; ++label) queries.emplace_back(std::vector{0U, label}).edge(0, 1);
  return testing::dataset_of("hubs", data, queries);
}

TEST(FsigFilter, HasACounterForEachOfSomePairs) {
  expect_filtered(hubs_of(11));  // counters of two words
}

TEST(FsigFilter, CountsWherePairsShareACounter) {
  expect_filtered(hubs_of(70));  // more labels than counters
}

TEST(FsigFilter, CountsBeyondACounter) {
  // Two vertices of 20 leaves, 17 and 18 of them of label 0: a counter says 15 or more.
  const auto star_of = [](const std::vector<std::size_t>& zeros) {
    std::vector<SmallGraph::Label> labels(zeros.size(), 0);
    for (const std::size_t count : zeros) {
      for (std::size_t leaf = 0; leaf < 20; ++leaf) labels.push_back(leaf < count ? 0 : 1);
    }
    SmallGraph stars(labels);
    for (Vertex i = 0; i < zeros.size(); ++i) {
      for (std::size_t leaf = 0; leaf < 20; ++leaf) stars.edge(i, static_cast<Vertex>(zeros.size() + 20 * i + leaf));
    }
    return stars;
  };
  expect_filtered(testing::dataset_of("stars", star_of({17, 18}), {star_of({17}), star_of({18}), star_of({19})}));
}

TEST(FsigFilter, TakesManyQueryVertices) {
  // More than a warp has lanes, and more sets than are counted without waiting on simt.
  SmallGraph ring = testing::cycle(70);
  ring.edge(0, 30);
  SmallGraph path = testing::path(40);
  path.edge(3, 36);
  // As many as masks of 16 and of 32 bits hold, and one more.
  expect_filtered(testing::dataset_of(
      "ring", ring, {path, testing::path(16), testing::path(17), testing::path(32), testing::path(33)}));
}

TEST(FsigFilter, ListsMoreVerticesThanWaitInAWarp) {
  // Nearly all are candidates.
  expect_filtered(testing::dataset_of("path", testing::path(5000), {testing::path(3)}));
}

TEST(FsigFilter, TakesQueryVerticesOfSeveralLabels) {
  using Labels = SmallGraph::Labels;
  SmallGraph path(std::vector<Labels>{{0}, {1}, {0, 1}});
  path.edge(0, 1).edge(1, 2);
  SmallGraph edge(std::vector<Labels>{{1}, {0}});
  edge.edge(0, 1);
  SmallGraph single(std::vector<SmallGraph::Label>{0, 1, 2, 0, 1});
  single.edge(0, 1).edge(1, 2).edge(2, 3).edge(3, 4);
  expect_filtered(testing::dataset_of("single", single, {edge, path}));
  SmallGraph several(std::vector<Labels>{{0}, {1, 2}, {0, 1}, {2}, {1}});
  several.edge(0, 1).edge(1, 2).edge(2, 3).edge(3, 4);
  expect_filtered(testing::dataset_of("several", several, {edge, path}));
}

TEST(FsigFilter, LooksAtListsOfAnyLength) {
  // Neighbours of a hub and of others; of the last ones only one has what the query asks for. A query vertex of more
  // edges than a warp has lanes.
  for (const std::size_t leaves : {7U, 8U, 9U, 255U, 256U, 257U, 600U}) {
    std::vector<SmallGraph::Label> labels(leaves + 3, 1);
    labels[0] = 0;
    labels[leaves] = labels[leaves + 1] = labels[leaves + 2] = 2;
    SmallGraph hub(labels);
    for (Vertex leaf = 1; leaf <= leaves; ++leaf) hub.edge(0, leaf);
    hub.edge(static_cast<Vertex>(leaves), static_cast<Vertex>(leaves + 1));
    SmallGraph path(std::vector<SmallGraph::Label>{1, 0, 2, 2});
    path.edge(0, 1).edge(1, 2).edge(2, 3);
    SmallGraph longer(std::vector<SmallGraph::Label>{1, 0, 2, 2, 2});
    longer.edge(0, 1).edge(1, 2).edge(2, 3).edge(3, 4);
    expect_filtered(testing::dataset_of("hub", hub, {path, longer}));
  }
  expect_filtered(testing::dataset_of("star", testing::star(60), {testing::star(40), testing::star(2)}));
}

TEST(FsigFilter, KeepsTheImagesOfAllMatches) {
  for (std::uint64_t seed = kSeed + 10; seed < kSeed + 13; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const datasets::Dataset dataset = testing::random_subgraph_case(seed, of_several_labels());
    const SubgraphMatching::Input input = testing::subgraph_input(dataset, {{"output", "matches"}});
    const SubgraphRun run = testing::run_subgraph_solver("fsig", {{"filter_rounds", 0}}, input);
    ASSERT_EQ(run.judgement.verdict, Verdict::exact) << run.judgement.difference;
    for (std::size_t q = 0; q < input.queries().size(); ++q) {
      const Graph& query = input.queries()[q];
      const std::vector<std::set<Vertex>> sets = candidates_of({input.data(), query, true}, 5, false);
      const std::vector<Vertex>& matches = run.answer.queries[q].matches;
      for (std::size_t i = 0; i < matches.size(); ++i) EXPECT_TRUE(sets[i % sets.size()].contains(matches[i]));
    }
  }
}

// ---- the order ----

TEST(FsigOrder, IsCoreForestLeaves) {
  // A triangle 0 1 2, a path 2 3 4 from it, and leaves: 5 at 0, 6 and 7 at 4. Labels 0, but 7's is 1.
  SmallGraph query(std::vector<SmallGraph::Label>{0, 0, 0, 0, 0, 0, 0, 1});
  query.edge(0, 1).edge(1, 2).edge(0, 2).edge(2, 3).edge(3, 4).edge(0, 5).edge(4, 6).edge(4, 7);
  const SubgraphMatching::Input input = testing::subgraph_input(testing::dataset_of("query", query, {query}));
  const Graph& graph = input.queries()[0];
  const std::vector<std::int64_t> candidates{5, 5, 4, 1, 1, 1, 1, 1};
  const std::vector<std::int64_t> edges(static_cast<std::size_t>(graph.slots()), 5);
  const auto ordered = [&](bool injective) {
    return matching::fsig::matching_order({graph, candidates, edges, injective, true});
  };
  const matching::fsig::MatchingOrder order = ordered(true);
  const std::vector<std::uint32_t>& column = order.column;
  EXPECT_EQ(std::max({column[0], column[1], column[2]}), 2U);
  EXPECT_EQ(column[2], 0U);  // fewest candidates for its degree
  EXPECT_EQ(column[3], 3U);
  EXPECT_EQ(column[4], 4U);
  EXPECT_EQ(order.independent_leaves, 2U);  // 7, and one of 5 and 6
  EXPECT_GE(column[7], 6U);
  EXPECT_EQ(ordered(false).independent_leaves, 3U);
  for (std::size_t i = 1; i < order.levels.size(); ++i) {
    ASSERT_FALSE(order.levels[i].backward.empty());
    EXPECT_EQ(column[order.levels[i].vertex], i);
  }
  EXPECT_EQ(order.levels[2].backward.size(), 2U);
  EXPECT_EQ(order.levels[column[7]].colliding.size(), 0U);
  EXPECT_EQ(order.levels[column[6]].colliding.size(), std::min<std::size_t>(column[6], 6U));
}

}  // namespace
}  // namespace warpbench
