#include "datasets/generators/graphs/hub.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/generators/sample.hpp"
#include "datasets/generators/size.hpp"
#include "datasets/generators/weights.hpp"
#include "datasets/input_error.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {
namespace {

enum Stream : std::uint64_t { kIds = 1, kSources = 2, kTargets = 3, kFirstHub = 1000 };

/// The edges of the hubs (ranks 0 .. hubs - 1), as ranks.
std::vector<Edge> hub_edges(std::int64_t vertices, std::int64_t hubs, std::int64_t hub_degree, std::uint64_t seed,
                            int threads) {
  std::vector<Edge> edges;
  for (std::int64_t hub = 0; hub < hubs; ++hub) {
    const auto count = static_cast<std::size_t>(hub_degree * 4 / (4 + hub));
    const std::size_t first = edges.size();
    edges.resize(first + count);
    // The first values of a permutation are distinct. One may be the hub itself: a loop, which is dropped.
    const Permutation neighbours(static_cast<std::uint64_t>(vertices), seed,
                                 kFirstHub + static_cast<std::uint64_t>(hub));
    for_chunks(count, 1 << 16, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) {
        edges[first + i] = {static_cast<Vertex>(hub), static_cast<Vertex>(neighbours(i))};
      }
    });
  }
  return edges;
}

}  // namespace

Content generate_hub(const Properties& values, std::uint64_t seed, int threads) {
  const GraphSize size = scaled_size("hub", values);
  const std::int64_t hubs = std::min(integer(values, "hubs"), size.vertices);
  const auto hub_degree = std::min(static_cast<std::int64_t>(std::llround(
                                       static_cast<double>(integer(values, "hub_degree")) * real(values, "scale"))),
                                   size.vertices - 1);
  std::vector<Edge> edges = hub_edges(size.vertices, hubs, hub_degree, seed, threads);
  const std::int64_t rest = size.edges - static_cast<std::int64_t>(edges.size());
  if (rest < size.vertices / 2) {
    throw InputError("hub", 0,
                     "edges for the hubs and at least half of the vertices, " +
                         std::to_string(size.edges - rest + size.vertices / 2),
                     std::to_string(size.edges));
  }
  const GraphSize background{size.vertices, rest};
  const auto weights =
      power_law_weights("hub", static_cast<std::uint64_t>(size.vertices), real(values, "exponent"),
                        scaled_max_degree(values, background), 2.0 * static_cast<double>(rest), threads);
  const WeightedChoice choice(weights);
  const Random sources(seed, kSources);
  const Random targets(seed, kTargets);
  const std::vector<Vertex> ids = shuffled_ids(weights.size(), seed, kIds, threads);
  for_chunks(edges.size(), 1 << 16, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) edges[i] = {ids[edges[i].source], ids[edges[i].target]};
  });
  Content content;
  content.data = build_with_draws(std::move(edges), size.edges, size.vertices, threads, [&](std::uint64_t i) {
    return Edge{ids[choice.find(sources.below(choice.total(), i))], ids[choice.find(targets.below(choice.total(), i))]};
  });
  return content;
}

}  // namespace warpbench::datasets
