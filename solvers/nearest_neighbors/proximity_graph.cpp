#include "solvers/nearest_neighbors/proximity_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "problems/first_failure.hpp"
#include "problems/nearest_neighbors/distance.hpp"
#include "solvers/nearest_neighbors/beam_search.hpp"
#include "solvers/nearest_neighbors/float_space.hpp"

namespace warpbench::nearest_neighbors {
namespace {

[[noreturn]] void breach(const std::string& what) {
  throw std::logic_error("a proximity graph: " + what);
}

std::span<const std::uint32_t> filled(std::span<const std::uint32_t> row) {
  return row.first(static_cast<std::size_t>(std::ranges::find(row, kNone<std::uint32_t>) - row.begin()));
}

void validate_row(const Layer& layer, std::size_t number, std::int64_t v) {
  const std::span<const std::uint32_t> row = layer.row(v);
  const std::span<const std::uint32_t> ids = filled(row);
  const std::string where = fmt::format("layer {}, row {}", number, v);
  for (const std::uint32_t id : row.subspan(ids.size())) {
    if (id != kNone<std::uint32_t>)
      breach(fmt::format("{}: expected no id after the end of the row, found {}", where, id));
  }
  for (const std::uint32_t id : ids) {
    if (static_cast<std::int64_t>(id) >= layer.vertices) {
      breach(fmt::format("{}: expected ids below {}, found {}", where, layer.vertices, id));
    }
    if (static_cast<std::int64_t>(id) == v) breach(fmt::format("{}: the vertex is its own neighbour", where));
  }
  std::vector<std::uint32_t> sorted(ids.begin(), ids.end());
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) breach(fmt::format("{}: holds {} twice", where, *twice));
}

void validate_layer(const Layer& layer, std::size_t number, std::int64_t max_vertices) {
  if (layer.vertices < 1 || layer.vertices > max_vertices) {
    breach(fmt::format("layer {}: expected 1 to {} vertices, found {}", number, max_vertices, layer.vertices));
  }
  if (layer.degree < 0 || layer.neighbors.size() != static_cast<std::size_t>(layer.vertices * layer.degree)) {
    breach(fmt::format("layer {}: expected {} rows of {} ids, found {} ids", number, layer.vertices, layer.degree,
                       layer.neighbors.size()));
  }
  for (std::int64_t v = 0; v < layer.vertices; ++v) validate_row(layer, number, v);
}

void validate_points(const ProximityGraph& graph, std::int64_t points) {
  const auto count = static_cast<std::size_t>(points);
  const std::vector<std::uint32_t>& next_equal = graph.points.next_equal;
  if (!next_equal.empty() && next_equal.size() != count) {
    breach(fmt::format("next_equal: expected {} points, found {}", count, next_equal.size()));
  }
  std::vector<bool> seen(count);
  for (std::uint32_t vertex = 0; vertex < graph.layers[0].vertices; ++vertex) {
    for (std::uint32_t point = graph.point(vertex); point != kNone<std::uint32_t>;) {
      if (point >= count) breach(fmt::format("vertex {}: expected points below {}, found {}", vertex, count, point));
      if (seen[point]) breach(fmt::format("vertex {}: point {} belongs to a vertex twice", vertex, point));
      seen[point] = true;
      point = next_equal.empty() ? kNone<std::uint32_t> : next_equal[point];
    }
  }
  const auto lost = std::ranges::find(seen, false);
  if (lost != seen.end()) breach(fmt::format("point {} belongs to no vertex", lost - seen.begin()));
}

/// The number of those in `row`, the neighbours of `v`, that are among the row.size() nearest other vertices, within
/// the judge's tolerance.
std::int64_t true_neighbors(const ProximityGraph& graph, const NearestNeighbors::Input& input, std::uint32_t v,
                            std::span<const std::uint32_t> row) {
  const auto at = [&](std::uint32_t vertex) {
    return input.vectors->point(static_cast<std::int64_t>(graph.point(vertex)));
  };
  std::vector<double> distances;
  for (std::int64_t i = 0; i < graph.layers[0].vertices; ++i) {
    const auto other = static_cast<std::uint32_t>(i);
    if (other != v) distances.push_back(distance(input.metric, at(v), at(other)));
  }
  const auto last = distances.begin() + static_cast<std::ptrdiff_t>(row.size()) - 1;
  std::ranges::nth_element(distances, last);
  const double limit = *last + 1e-6 * std::abs(*last);
  return std::ranges::count_if(row, [&](std::uint32_t u) { return distance(input.metric, at(v), at(u)) <= limit; });
}

/// GraphCon_NSW: the graph so far and the keys of its links.
class NswBuilder {
 public:
  NswBuilder(const NearestNeighbors::Input& input, std::int64_t d_min, std::int64_t d_max, std::int64_t ef)
      : space_(input),
        d_min_(d_min),
        ef_(std::max(ef, d_min)),
        search_(input.points()),
        points_(distinct_points(*input.vectors, input.metric)) {
    const std::int64_t vertices = points_.point_of.empty() ? input.points() : std::ssize(points_.point_of);
    const auto places = static_cast<std::size_t>(vertices * d_max);
    layer_ = {vertices, d_max, std::vector<std::uint32_t>(places, kNone<std::uint32_t>)};
    keys_.resize(places);
    degrees_.resize(static_cast<std::size_t>(vertices));
  }

  ProximityGraph build() {
    for (std::int64_t v = 1; v < layer_.vertices; ++v) insert(static_cast<std::uint32_t>(v));
    return {.layers = {std::move(layer_)}, .points = std::move(points_)};
  }

 private:
  void insert(std::uint32_t v) {
    const std::uint32_t point = points_.point_of.empty() ? v : points_.point_of[v];
    const KeysFrom keys(space_, space_.point(point), points_.point_of);
    const std::span<const Visited> found = search_.search(layer_, 0, ef_, keys);
    const std::size_t count = std::min(found.size(), static_cast<std::size_t>(d_min_));
    for (const Visited& near : found.first(count)) {
      link(v, near.vertex, near.key);
      link(near.vertex, v, near.key);
    }
  }

  /// Puts `to` into the row of `from` where its key belongs, behind equal keys: they came with lower ids. The last one
  /// drops out of a full row.
  void link(std::uint32_t from, std::uint32_t to, float key) {
    const auto width = static_cast<std::size_t>(layer_.degree);
    const std::size_t first = from * width;
    std::size_t& degree = degrees_[from];
    std::size_t place = degree;
    while (place > 0 && key < keys_[first + place - 1]) --place;
    if (place == width) return;
    if (degree < width) ++degree;
    for (std::size_t i = degree - 1; i > place; --i) {
      layer_.neighbors[first + i] = layer_.neighbors[first + i - 1];
      keys_[first + i] = keys_[first + i - 1];
    }
    layer_.neighbors[first + place] = to;
    keys_[first + place] = key;
  }

  FloatSpace space_;
  std::int64_t d_min_;
  std::int64_t ef_;
  BeamSearch search_;
  Layer layer_;
  std::vector<float> keys_;
  std::vector<std::size_t> degrees_;
  DistinctPoints points_;
};

}  // namespace

void validate(const ProximityGraph& graph, std::int64_t points) {
  if (graph.layers.empty()) breach("expected at least one layer, found none");
  std::int64_t max_vertices = points;
  for (std::size_t number = 0; number < graph.layers.size(); ++number) {
    validate_layer(graph.layers[number], number, max_vertices);
    max_vertices = graph.layers[number].vertices;
  }
  const std::int64_t mapped = std::ssize(graph.points.point_of);
  if (mapped != 0 && mapped != graph.layers[0].vertices) {
    breach(fmt::format("point_of: expected {} vertices, found {}", graph.layers[0].vertices, mapped));
  }
  validate_points(graph, points);
}

std::map<std::string, double> quality(const ProximityGraph& graph, const NearestNeighbors::Input& input,
                                      std::int64_t samples) {
  const Layer& layer = graph.layers.at(0);
  const auto edges =
      static_cast<std::int64_t>(layer.neighbors.size()) - std::ranges::count(layer.neighbors, kNone<std::uint32_t>);
  const std::int64_t sampled = std::min(samples, layer.vertices);
  std::int64_t hits = 0;
  std::int64_t places = 0;
  FirstFailure failure;
#pragma omp parallel for schedule(dynamic) reduction(+ : hits, places)
  for (std::int64_t i = 0; i < sampled; ++i) {
    const std::int64_t v = i * layer.vertices / sampled;
    const std::span<const std::uint32_t> row = filled(layer.row(v));
    if (row.empty()) continue;
    failure.guard([&] { hits += true_neighbors(graph, input, static_cast<std::uint32_t>(v), row); });
    places += static_cast<std::int64_t>(row.size());
  }
  failure.rethrow();
  return {{"mean_out_degree", static_cast<double>(edges) / static_cast<double>(layer.vertices)},
          {"graph_recall", places == 0 ? 0.0 : static_cast<double>(hits) / static_cast<double>(places)}};
}

ProximityGraph build_nsw(const NearestNeighbors::Input& input, std::int64_t d_min, std::int64_t d_max,
                         std::int64_t ef) {
  if (d_min < 1 || d_max < d_min) {
    throw std::logic_error(fmt::format("build_nsw: expected 1 <= d_min <= d_max, found {} and {}", d_min, d_max));
  }
  return NswBuilder(input, d_min, d_max, ef).build();
}

}  // namespace warpbench::nearest_neighbors
