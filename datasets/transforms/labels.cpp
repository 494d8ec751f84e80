#include "datasets/transforms/labels.hpp"

#include <vector>

#include "datasets/generators/fixed_math.hpp"
#include "datasets/generators/random.hpp"
#include "datasets/generators/weights.hpp"

namespace warpbench::datasets {

LabelledGraph with_power_law_labels(const Csr& graph, std::int64_t labels, double exponent, std::uint64_t seed) {
  const auto slope = static_cast<std::uint64_t>(exponent * static_cast<double>(kOne));
  std::vector<std::uint32_t> weights(static_cast<std::size_t>(labels));
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weights[k] = static_cast<std::uint32_t>((power_ratio_q62(k + 1, 1, slope) >> 32U) + 1);  // never impossible
  }
  const WeightedChoice choice(weights);
  const Random random(seed, 88);
  std::vector<std::uint32_t> vertex_labels(static_cast<std::size_t>(graph.vertices()));
  for (std::size_t v = 0; v < vertex_labels.size(); ++v) {
    vertex_labels[v] = choice.find(random.below(choice.total(), v));
  }
  LabelledGraph labelled;
  labelled.graph = graph;
  labelled.vertex_labels = std::move(vertex_labels);
  return labelled;
}

}  // namespace warpbench::datasets
