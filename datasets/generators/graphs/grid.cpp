#include "datasets/generators/graphs/grid.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/generators/sample.hpp"
#include "datasets/generators/size.hpp"
#include "datasets/input_error.hpp"

namespace warpbench::datasets {
namespace {

enum Stream : std::uint64_t { kIds = 1, kTree = 2, kPlaces = 3, kDirections = 4 };

/// Vertices in rows on a square; the last row may be shorter.
struct Square {
  std::uint64_t vertices;
  std::uint64_t width;

  [[nodiscard]] std::uint64_t column(std::uint64_t place) const { return place % width; }

  /// The neighbour to the right, below left, below, or below right of a place; the place itself if there is none.
  [[nodiscard]] std::uint64_t neighbor(std::uint64_t place, std::uint64_t direction) const {
    const bool first = column(place) == 0;
    const bool last = column(place) + 1 == width;
    if ((first && direction == 1) || (last && (direction == 0 || direction == 3))) return place;
    const std::uint64_t step = direction == 0 ? 1 : width + direction - 2;
    return place + step < vertices ? place + step : place;
  }

  /// The left or the upper neighbour, as `coin` says; in the first row or column the only one. Not for place 0.
  [[nodiscard]] std::uint64_t parent(std::uint64_t place, bool coin) const {
    const bool left = column(place) != 0 && (coin || place < width);
    return left ? place - 1 : place - width;
  }
};

}  // namespace

Content generate_grid(const Properties& values, std::uint64_t seed, int threads) {
  const GraphSize size = scaled_size("grid", values);
  if (size.edges < size.vertices - 1 || size.edges > 3 * size.vertices) {
    throw InputError("grid", 0,
                     std::to_string(size.vertices - 1) + " to " + std::to_string(3 * size.vertices) + " edges for " +
                         std::to_string(size.vertices) + " vertices",
                     std::to_string(size.edges));
  }
  const auto n = static_cast<std::uint64_t>(size.vertices);
  const Square square{n, static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(n))))};
  const std::vector<Vertex> ids = shuffled_ids(n, seed, kIds, threads);
  const Random tree(seed, kTree);
  std::vector<Edge> edges(n - 1);
  for_chunks(edges.size(), 1 << 16, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      edges[i] = {ids[i + 1], ids[square.parent(i + 1, tree.below(2, i) == 1)]};
    }
  });
  const Random places(seed, kPlaces);
  const Random directions(seed, kDirections);
  Content content;
  content.data = build_with_draws(std::move(edges), size.edges, size.vertices, threads, [&](std::uint64_t i) {
    const std::uint64_t place = places.below(n, i);
    return Edge{ids[place], ids[square.neighbor(place, directions.below(4, i))]};
  });
  return content;
}

}  // namespace warpbench::datasets
