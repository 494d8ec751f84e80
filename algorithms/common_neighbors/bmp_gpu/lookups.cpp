#include "algorithms/common_neighbors/bmp_gpu/lookups.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/common_neighbors/counter/degree_order.hpp"
#include "algorithms/common_neighbors/oriented/oriented.hpp"
#include "problems/first_failure.hpp"

namespace warpbench::common_neighbors {
namespace {

/// Whether the edge between u and v points from u to v.
bool points_forward(const datasets::Csr& graph, datasets::Vertex u, datasets::Vertex v) {
  return comes_before(graph, v, u);
}

}  // namespace

std::int64_t bitmap_lookups(const datasets::Csr& graph) {
  const std::int64_t vertices = graph.vertices();
  std::int64_t lookups = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : lookups)
  for (std::int64_t i = 0; i < vertices; ++i) {
    const auto u = static_cast<datasets::Vertex>(i);
    for (const datasets::Vertex v : graph.row(u)) {
      if (u < v) lookups += std::min(graph.degree(u), graph.degree(v));
    }
  }
  return lookups;
}

std::int64_t filtered_lookups(const datasets::Csr& graph, int range_shift) {
  const std::int64_t vertices = graph.vertices();
  std::int64_t lookups = 0;
  FirstFailure failure;
#pragma omp parallel reduction(+ : lookups)
  {
    std::vector<bool> filter;
    failure.guard([&] { filter.resize(static_cast<std::size_t>((vertices - 1) >> range_shift) + 1); });
#pragma omp for schedule(dynamic, 64)
    for (std::int64_t i = 0; i < vertices; ++i) {
      if (failure.has_failed()) continue;
      const auto u = static_cast<datasets::Vertex>(i);
      for (const datasets::Vertex x : graph.row(u)) filter[x >> range_shift] = true;
      for (const datasets::Vertex v : graph.row(u)) {
        if (!comes_before(graph, u, v)) continue;
        lookups += std::ranges::count_if(graph.row(v), [&](datasets::Vertex w) { return filter[w >> range_shift]; });
      }
      for (const datasets::Vertex x : graph.row(u)) filter[x >> range_shift] = false;
    }
  }
  failure.rethrow();
  return lookups;
}

std::int64_t oriented_lookups(const datasets::Csr& graph, const HubChoice& hubs) {
  const std::int64_t vertices = graph.vertices();
  std::vector<std::int64_t> out_degrees(static_cast<std::size_t>(vertices));
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::int64_t i = 0; i < vertices; ++i) {
    const auto u = static_cast<datasets::Vertex>(i);
    out_degrees[u] =
        std::ranges::count_if(graph.row(u), [&](datasets::Vertex v) { return points_forward(graph, u, v); });
  }
  std::int64_t lookups = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : lookups)
  for (std::int64_t i = 0; i < vertices; ++i) {
    const auto u = static_cast<datasets::Vertex>(i);
    if (hubs.has(graph.degree(u))) continue;  // its edges point to hubs
    for (const datasets::Vertex v : graph.row(u)) {
      if (points_forward(graph, u, v)) lookups += oriented_lookups(out_degrees[u], out_degrees[v]);
    }
  }
  return lookups;
}

}  // namespace warpbench::common_neighbors
