// The four structures for N(v, l) on the device: each gives what the graph has.
#include <gtest/gtest.h>

#include <vector>

#include "algorithms/subgraph_matching/gsi/neighbor_store.hpp"
#include "tests/problems/support/subgraph_cases.hpp"

namespace warpbench::matching::gsi {
namespace {

/// Row v of `lists`: the elements of N(v, l) in order, of at most `width`; sizes[v]: |N(v, l)|; hits[v]: how many of
/// all vertices contains() finds. A warp a block.
template <typename Neighbors>
__global__ void read_lists_kernel(Neighbors neighbors, std::int64_t width, View<Vertex> lists,
                                  View<std::uint32_t> sizes, View<std::uint32_t> hits) {
  const std::int64_t v = blockIdx.x;
  const typename Neighbors::List list = neighbors.locate(static_cast<Vertex>(v));
  const std::uint32_t size = list.count_by_warp();
  if (warp::lane() != 0) return;
  sizes[v] = size;
  std::int64_t written = 0;
  for (std::uint32_t i = 0; i < list.elements(); ++i) {
    Vertex x = 0;
    if (list.get(i, x)) lists[v * width + written++] = x;
  }
  hits[v] = 0;
  for (std::uint32_t w = 0; w < gridDim.x; ++w) hits[v] += list.contains(w) ? 1 : 0;
}

void expect_lists(const Graph& graph, Structure structure, int gpn, const std::string& what) {
  Stream stream;
  NeighborStore store(graph, structure, gpn);
  store.upload(stream);
  const std::int64_t vertices = graph.vertices();
  Buffer<Vertex> lists(vertices * vertices, stream);
  Buffer<std::uint32_t> sizes(vertices, stream);
  Buffer<std::uint32_t> hits(vertices, stream);
  for (Label label = 0; label < static_cast<Label>(graph.edge_label_count); ++label) {
    store.at(label, [&](const auto& neighbors) {
      launch(read_lists_kernel<std::decay_t<decltype(neighbors)>>, Grid{vertices, 32}, stream, neighbors, vertices,
             lists.view(), sizes.view(), hits.view());
    });
    const std::vector<Vertex> found = lists.to_vector(stream);
    const std::vector<std::uint32_t> found_sizes = sizes.to_vector(stream);
    const std::vector<std::uint32_t> found_hits = hits.to_vector(stream);
    for (std::size_t v = 0; v < static_cast<std::size_t>(vertices); ++v) {
      const auto expected = graph.row(static_cast<Vertex>(v), label);
      ASSERT_EQ(found_sizes[v], expected.size()) << what << ", vertex " << v << ", label " << label;
      ASSERT_EQ(found_hits[v], expected.size()) << what << ", vertex " << v << ", label " << label;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(found[v * static_cast<std::size_t>(vertices) + i], expected[i])
            << what << ", vertex " << v << ", label " << label;
      }
    }
  }
}

TEST(GsiNeighbors, AreTheSameInAllStructures) {
  testing::RandomGraphs how;
  how.vertices = 60;
  how.degree = 6;
  how.edge_labels = 3;
  how.parallel_edges = true;
  const SubgraphMatching::Input input = testing::subgraph_input(testing::random_subgraph_case(11, how));
  expect_lists(input.data(), Structure::csr, 16, "csr, seed 11");
  expect_lists(input.data(), Structure::basic, 16, "basic, seed 11");
  expect_lists(input.data(), Structure::compressed, 16, "compressed, seed 11");
  for (const int gpn : {2, 5, 16}) {
    expect_lists(input.data(), Structure::pcsr, gpn, "pcsr of " + std::to_string(gpn) + ", seed 11");
  }
}

}  // namespace
}  // namespace warpbench::matching::gsi
