// gsi's filter in so many blocks that what they counted is added up in several rounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/subgraph_matching/gsi/filter.hpp"
#include "device/device.hpp"
#include "device/mix64.hpp"
#include "tests/problems/support/subgraph_cases.hpp"

namespace warpbench::matching::gsi {
namespace {

using testing::SmallGraph;

constexpr std::int64_t kVerticesPerBlock = 256;  // or more: a thread a vertex
constexpr std::int64_t kTwoRounds = 512;         // blocks; more need a third round
constexpr int kMultiprocessors = 65;             // which hold 8 blocks each, so more than two rounds of them

/// A path of vertices whose labels are drawn from three, so that all of its parts have candidates but not the same.
SubgraphMatching::Input long_path(Vertex vertices) {
  std::vector<Label> labels(vertices);
  for (Vertex v = 0; v < vertices; ++v) labels[v] = static_cast<Label>(mix64(v) % 3);
  SmallGraph data(labels);
  for (Vertex v = 1; v < vertices; ++v) data.edge(v - 1, v);
  SmallGraph query(std::vector<Label>{0, 1, 2});
  query.edge(0, 1).edge(1, 2);
  return testing::subgraph_input(testing::dataset_of("long_path", data, {query}));
}

/// Whether v has u's label, and a neighbour of the label of each of u's, which all have different ones.
bool is_plain_candidate(const Graph& query, Vertex u, const Graph& data, Vertex v) {
  const auto label = [](const Graph& graph, Vertex x) { return graph.labels_of(x)[0]; };
  return label(query, u) == label(data, v) && std::ranges::all_of(query.row(u), [&](Vertex wanted) {
           return std::ranges::any_of(data.row(v), [&](Vertex w) { return label(data, w) == label(query, wanted); });
         });
}

std::vector<Vertex> plain_candidates(const Graph& query, Vertex u, const Graph& data) {
  std::vector<Vertex> all;
  for (Vertex v = 0; v < data.vertices(); ++v) {
    if (is_plain_candidate(query, u, data, v)) all.push_back(v);
  }
  return all;
}

std::vector<Vertex> members(View<const std::uint32_t> bits, Stream& stream) {
  Buffer<std::uint32_t> copy(bits.size(), stream);
  copy.copy_from(bits, stream);
  const std::vector<std::uint32_t> words = copy.to_vector(stream);
  std::vector<Vertex> all;
  for (Vertex v = 0; v < words.size() * 32; ++v) {
    if ((words[v / 32] >> (v % 32) & 1U) != 0) all.push_back(v);
  }
  return all;
}

TEST(GsiFilter, AddsUpTheCountsOfManyBlocks) {
  if (current_device().multiprocessors < kMultiprocessors) {
    GTEST_SKIP() << "the device has fewer than " << kMultiprocessors << " multiprocessors, too few for so many blocks";
  }
  const SubgraphMatching::Input input = long_path(140'011);
  const Graph& data = input.data();
  const Graph& query = input.queries()[0];
  Stream stream;
  Filter filter(data, 512);
  filter.upload(stream);
  const CandidateBitsets found = filter.candidates(query, true, data.vertices(), stream);
  ASSERT_GT(found.blocks, kTwoRounds);
  for (Vertex u = 0; u < query.vertices(); ++u) {
    const std::vector<Vertex> expected = plain_candidates(query, u, data);
    const auto far_apart = [](Vertex v, Vertex next) { return next - v >= kVerticesPerBlock; };
    ASSERT_EQ(std::ranges::adjacent_find(expected, far_apart), expected.end()) << "a block may have no candidate";
    EXPECT_EQ(members(found.bits(u), stream), expected) << "query vertex " << u;
    const auto size = static_cast<std::int64_t>(expected.size());
    ASSERT_EQ(found.sizes[u], size) << "query vertex " << u;
    Buffer<Vertex> list(size, stream);
    found.list(u, list.view(), stream);
    EXPECT_EQ(list.to_vector(stream), expected) << "query vertex " << u;
  }
}

}  // namespace
}  // namespace warpbench::matching::gsi
