#include "datasets/transforms/labels.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/generators/weights.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

enum Stream : std::uint64_t { kVertices = 88, kEdges = 89 };

}  // namespace

LabelledGraph with_power_law_labels(const Csr& graph, std::int64_t labels, double exponent, std::uint64_t seed) {
  const WeightedChoice choice(power_law_label_weights(labels, exponent));
  const Random random(seed, kVertices);
  std::vector<std::uint32_t> vertex_labels(static_cast<std::size_t>(graph.vertices()));
  for (std::size_t v = 0; v < vertex_labels.size(); ++v) {
    vertex_labels[v] = choice.find(random.below(choice.total(), v));
  }
  LabelledGraph labelled;
  labelled.graph = graph;
  labelled.vertex_labels = std::move(vertex_labels);
  return labelled;
}

LabelledGraph with_power_law_edge_labels(LabelledGraph graph, std::int64_t labels, double exponent, std::uint64_t seed,
                                         int threads) {
  const WeightedChoice choice(power_law_label_weights(labels, exponent));
  const Random random(seed, kEdges);
  const Csr& csr = graph.graph;
  std::vector<std::uint32_t> edge_labels(csr.neighbors.size());
  for_chunks(static_cast<std::size_t>(csr.vertices()), 1 << 10, threads,
             [&](std::size_t begin, std::size_t end, std::size_t) {
               for (std::size_t v = begin; v < end; ++v) {
                 for (std::uint64_t slot = csr.offsets[v]; slot < csr.offsets[v + 1]; ++slot) {
                   const std::uint64_t low = std::min<std::uint64_t>(v, csr.neighbors[slot]);
                   const std::uint64_t high = std::max<std::uint64_t>(v, csr.neighbors[slot]);
                   edge_labels[slot] = choice.find(random.below(choice.total(), (low << 32U) | high));
                 }
               }
             });
  graph.edge_labels = std::move(edge_labels);
  graph.edge_label_offsets = {};
  return graph;
}

LabelledGraph with_single_label(const Csr& graph) {
  LabelledGraph labelled;
  labelled.graph = graph;
  labelled.vertex_labels = std::vector<std::uint32_t>(static_cast<std::size_t>(graph.vertices()), 0);
  return labelled;
}

}  // namespace warpbench::datasets
