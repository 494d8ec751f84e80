#include "algorithms/common_neighbors/oriented/hubs.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace warpbench::common_neighbors {

HubChoice choose_hubs(const datasets::Csr& graph, std::span<const std::int64_t> out_degrees) {
  const auto degree_of = [&](std::size_t v) { return graph.degree(static_cast<datasets::Vertex>(v)); };
  std::vector<std::int64_t> degrees;  // of all that may be hubs: a degree is at least the out-degree
  for (std::size_t v = 0; v < out_degrees.size(); ++v) {
    if (degree_of(v) >= HubTuning::kLeastOutDegree) degrees.push_back(degree_of(v));
  }
  HubChoice hubs{.least_degree = HubTuning::kLeastOutDegree};
  if (std::ssize(degrees) > HubTuning::kMost) {
    const auto first_left_out = degrees.begin() + HubTuning::kMost;
    std::ranges::nth_element(degrees, first_left_out, std::greater{});
    hubs.least_degree = *first_left_out + 1;
  }
  std::int64_t edges = 0;  // between hubs, since edges point to higher degrees
  for (std::size_t v = 0; v < out_degrees.size(); ++v) {
    if (degree_of(v) < hubs.least_degree) continue;
    ++hubs.count;
    edges += out_degrees[v];
  }
  return edges >= HubTuning::kLeastOutDegree * hubs.count ? hubs : HubChoice{};
}

}  // namespace warpbench::common_neighbors
