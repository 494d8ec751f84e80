// The compact path index of cfl on several threads against one thread's.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "baselines/subgraph_matching/cfl/candidates.hpp"
#include "tests/problems/support/subgraph_cases.hpp"

namespace warpbench::matching::cfl {
namespace {

TEST(CflIndex, IsTheSameOnAnyNumberOfThreads) {
  std::uint64_t candidates = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto dataset = testing::random_subgraph_case(
        seed, {.vertices = 6000, .degree = 8, .vertex_labels = 3, .edge_labels = seed == 2 ? 2U : 0U, .queries = 2});
    const SubgraphMatching::Input input = testing::subgraph_input(dataset);
    const DataIndex data(input.data());
    std::vector<std::uint32_t> counts(static_cast<std::size_t>(input.data().vertices()), 0);
    for (const Graph& graph : input.queries()) {
      const IndexedQuery query(graph, true);
      Progress progress(input, Deadline(1e9));
      const CompactPathIndex one = compact_path_index(query, data, 1, counts, progress);
      candidates += one.candidates();
      for (const int threads : {2, 5}) {
        const CompactPathIndex several = compact_path_index(query, data, threads, counts, progress);
        EXPECT_EQ(several.order, one.order);
        for (std::size_t u = 0; u < one.nodes.size(); ++u) {
          EXPECT_EQ(several.nodes[u].candidates, one.nodes[u].candidates) << "seed " << seed << ", vertex " << u;
          EXPECT_EQ(several.nodes[u].offsets, one.nodes[u].offsets) << "seed " << seed << ", vertex " << u;
          EXPECT_EQ(several.nodes[u].below, one.nodes[u].below) << "seed " << seed << ", vertex " << u;
        }
        EXPECT_EQ(counts, std::vector<std::uint32_t>(counts.size(), 0)) << "zero again";
      }
    }
  }
  EXPECT_GT(candidates, 10000) << "lists must be long enough for several threads";
}

}  // namespace
}  // namespace warpbench::matching::cfl
