// VF3's preparation of a query (Carletti, Foggia, Saggese and Vento, IEEE TPAMI 2018): the sequence in which query
// vertices are matched, and the state of the search at each of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "baselines/subgraph_matching/query_edges.hpp"

namespace warpbench::matching::vf3 {

/// The numbers of vertices of a data graph with each label and with each degree. VF3 estimates probabilities from them.
class Statistics {
 public:
  Statistics() = default;
  explicit Statistics(const Graph& data);

  /// The probability that some data vertex fits query vertex u by labels and degree, taken as independent.
  [[nodiscard]] double probability(const Graph& query, Vertex u) const;

 private:
  double vertices_ = 0;
  std::vector<double> with_label_;         // vertices
  std::vector<double> of_degree_or_more_;  // vertices, by degree
};

/// Neighbours of a query vertex that are not matched before it, by class.
struct LookAhead {
  Label of_class;
  std::uint32_t terminal;  ///< edges to those that have a matched neighbour
  std::uint32_t all;       ///< edges to these and to the rest
};

struct Step {
  Vertex u;
  std::optional<Vertex> parent;       ///< the first of the sequence that u has an edge to; none for the first step
  std::vector<QueryEdge> backward;    ///< to all that come before
  std::vector<LookAhead> look_ahead;  ///< by ascending class
};

/// Always the vertex with the most edges to those before it; of these the one of least probability; of these the one
/// of highest degree.
[[nodiscard]] std::vector<Step> matching_sequence(const Graph& query, const Statistics& data);

}  // namespace warpbench::matching::vf3
