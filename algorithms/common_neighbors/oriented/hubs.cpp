#include "algorithms/common_neighbors/oriented/hubs.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "algorithms/common_neighbors/counter/degree_order.hpp"

namespace warpbench::common_neighbors {
namespace {

/// The out-degrees of all vertices of at least this degree, together.
std::int64_t sum_of_out_degrees(const datasets::Csr& graph, std::int64_t least_degree) {
  const std::int64_t vertices = graph.vertices();
  std::int64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : sum)
  for (std::int64_t i = 0; i < vertices; ++i) {
    const auto u = static_cast<datasets::Vertex>(i);
    if (graph.degree(u) < least_degree) continue;
    sum += std::ranges::count_if(graph.row(u), [&](datasets::Vertex v) { return comes_before(graph, v, u); });
  }
  return sum;
}

}  // namespace

HubChoice choose_hubs(const datasets::Csr& graph) {
  std::vector<std::int64_t> degrees;  // of all that may be hubs: a degree is at least the out-degree
  for (std::int64_t v = 0; v < graph.vertices(); ++v) {
    const std::int64_t degree = graph.degree(static_cast<datasets::Vertex>(v));
    if (degree >= HubTuning::kLeastOutDegree) degrees.push_back(degree);
  }
  HubChoice hubs{.least_degree = HubTuning::kLeastOutDegree};
  if (std::ssize(degrees) > HubTuning::kMost) {
    const auto first_left_out = degrees.begin() + HubTuning::kMost;
    std::ranges::nth_element(degrees, first_left_out, std::greater{});
    hubs.least_degree = *first_left_out + 1;
  }
  hubs.count = std::ranges::count_if(degrees, [&](std::int64_t degree) { return degree >= hubs.least_degree; });
  // The edges between hubs, since edges point to higher degrees.
  const std::int64_t edges = hubs.count == 0 ? 0 : sum_of_out_degrees(graph, hubs.least_degree);
  return edges >= HubTuning::kLeastOutDegree * std::max<std::int64_t>(hubs.count, 1) ? hubs : HubChoice{};
}

}  // namespace warpbench::common_neighbors
