// ProximityGraph: the index of all graph searches (yu2023 Definition 2): a directed graph over the points in which a
// vertex has at most `degree` out-neighbours, each close to it. Builders make it, searches walk it, on a CPU or a GPU.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "problems/nearest_neighbors/problem.hpp"
#include "solvers/nearest_neighbors/distinct_points.hpp"

namespace warpbench::nearest_neighbors {

/// One layer. Row v: out-neighbours of v, ascending by (distance to v, id) but in graphs whose edges were chosen
/// (construction/prune.hpp), then kNone<std::uint32_t>.
struct Layer {
  std::int64_t vertices = 0;             ///< the layer holds the vertices 0 .. vertices - 1
  std::int64_t degree = 0;               ///< d_max: the length of a row
  std::vector<std::uint32_t> neighbors;  ///< vertices × degree

  [[nodiscard]] std::span<const std::uint32_t> row(std::int64_t v) const {
    return std::span(neighbors).subspan(static_cast<std::size_t>(v * degree), static_cast<std::size_t>(degree));
  }
};

/// NSW and KNN graphs have one layer. In an HNSW graph layer 0 holds all vertices and each further one a prefix of the
/// one below: vertices are points in shuffled order, so that a lower id reaches higher (yu2023 §4.3.4).
struct ProximityGraph {
  std::vector<Layer> layers;
  DistinctPoints points = {};

  /// The first point of a vertex, whose coordinates all of its points have.
  [[nodiscard]] std::uint32_t point(std::uint32_t vertex) const {
    return points.point_of.empty() ? vertex : points.point_of[vertex];
  }
  /// Adds all points of a vertex to `ids`, but only until there are `limit`.
  void append_points(std::uint32_t vertex, std::size_t limit, std::vector<std::uint32_t>& ids) const {
    for (std::uint32_t next = point(vertex); next != kNone<std::uint32_t> && ids.size() < limit;) {
      ids.push_back(next);
      next = points.next_equal.empty() ? kNone<std::uint32_t> : points.next_equal[next];
    }
  }
};

/// Throws std::logic_error that names the first breach: row lengths, ids beyond the layer, a vertex beside itself, an
/// id twice in a row, an id after kNone, a point of no vertex or of two. O(places log degree).
void validate(const ProximityGraph& graph, std::int64_t points);

/// `mean_out_degree` of layer 0, and `graph_recall` of up to `samples` vertices spread over the graph: the share of the
/// d nearest other vertices that a row of length d holds, 0 where all rows are empty: low where edges were chosen by
/// other means than nearness. O(samples × points × dimension).
std::map<std::string, double> quality(const ProximityGraph& graph, const NearestNeighbors::Input& input,
                                      std::int64_t samples = 100);

/// NSW by inserting the distinct points one after the other with beam search for the d_min nearest so far (Algorithm 4,
/// `ef` candidates, at least d_min) and links in both directions, rows cut to the d_max nearest: GraphCon_NSW of yu2023
/// §4.4. One thread, in float: O(points × ef × d_max × dimension). Throws std::logic_error unless 1 <= d_min <= d_max.
ProximityGraph build_nsw(const NearestNeighbors::Input& input, std::int64_t d_min, std::int64_t d_max, std::int64_t ef);

}  // namespace warpbench::nearest_neighbors
