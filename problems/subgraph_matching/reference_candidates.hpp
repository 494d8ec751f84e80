// What the reference of subgraph matching knows of a query before it searches: the data vertices that may stand for
// each query vertex, and which of them lie side by side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/subgraph_matching/graph.hpp"
#include "problems/subgraph_matching/reference_stop.hpp"

namespace warpbench::matching {

/// Whether data vertex v has all labels of query vertex u.
[[nodiscard]] bool has_labels_of(const Graph& query, Vertex u, const Graph& data, Vertex v);

/// An edge of the query as seen from one of its ends; parallel ones as one.
struct ReferenceEdge {
  std::size_t number;  ///< among the edges as seen from both ends
  Vertex from;
  Vertex to;
  std::vector<Label> labels;
};

class ReferenceCandidates {
 public:
  /// In parallel. A data vertex stays a candidate of a query vertex if it
  /// * has its labels,
  /// * has, by each edge label and neighbour's label, as many neighbours (one, where the match is not `injective`),
  /// * has a candidate of each neighbour beside it; this is repeated until nothing changes, at most once for each query
  ///   vertex.
  /// Not all is known where `stop` has a cause, to which the time may add one.
  ReferenceCandidates(const Graph& query, const Graph& data, bool injective, Stop& stop);

  [[nodiscard]] std::size_t query_vertices() const { return of_.size(); }
  [[nodiscard]] std::span<const ReferenceEdge> edges_at(Vertex u) const { return edges_[u]; }
  /// The candidates of u, ascending.
  [[nodiscard]] std::span<const Vertex> of(Vertex u) const { return of_[u]; }
  /// Those of edge.to, ascending, that edges of all its labels join to v, a candidate of edge.from; in `memory`, unless
  /// they are kept. O(log candidates) where they are, else O(degree).
  [[nodiscard]] std::span<const Vertex> beside(const ReferenceEdge& edge, Vertex v, std::vector<Vertex>& memory) const;
  /// The query vertex with the fewest.
  [[nodiscard]] Vertex rarest() const;

 private:
  /// Empty where they are not kept.
  struct Lists {
    std::vector<std::uint64_t> offsets;  // for each candidate of edge.from, and the end
    std::vector<Vertex> vertices;

    [[nodiscard]] std::size_t bytes() const {
      return offsets.size() * sizeof(std::uint64_t) + vertices.size() * sizeof(Vertex);
    }
  };

  void set(Vertex u, std::vector<Vertex> candidates);
  /// Whether v has an edge of each label of `edge` to a candidate of edge.to.
  [[nodiscard]] bool has_beside(const ReferenceEdge& edge, Vertex v) const;
  /// Those of all candidates of edge.from, if they take at most `max_bytes`.
  [[nodiscard]] Lists lists_of(const ReferenceEdge& edge, std::size_t max_bytes) const;
  /// Calls body(w) for each w beside v.
  template <typename Body>
  void for_each_beside(const ReferenceEdge& edge, Vertex v, const Body& body) const;
  /// Those of `vertices` that pass, in their order.
  template <typename Test>
  [[nodiscard]] std::vector<Vertex> passing(const std::vector<Vertex>& vertices, const Test& test) const;

  const Graph& data_;
  Stop& stop_;
  std::vector<std::vector<ReferenceEdge>> edges_;  // at each query vertex
  std::vector<std::vector<Vertex>> of_;
  std::vector<std::vector<bool>> is_candidate_;  // of each query vertex, each data vertex
  std::vector<Lists> beside_;                    // by ReferenceEdge::number
};

}  // namespace warpbench::matching
