// The catalogue that cbwj estimates costs from, after Mhedhbi and Salihoglu (VLDB 2019). For a small pattern and one
// more vertex it has the lengths of the lists that are intersected, and the number of vertices that are left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "baselines/subgraph_matching/cbwj/adjacency.hpp"
#include "baselines/subgraph_matching/neighbor_labels.hpp"

namespace warpbench::matching::cbwj {

/// The data graph as cbwj prepares it before any query.
struct DataIndex {
  explicit DataIndex(const Graph& of) : graph(&of), adjacency(of), by_label(of) {}

  const Graph* graph;
  LabelledAdjacency adjacency;
  VerticesByLabel by_label;
};

/// A query as cbwj reads it.
struct IndexedQuery {
  IndexedQuery(const Graph& query, const DataIndex& data);

  /// u may be mapped to v, which has u's rarest label.
  [[nodiscard]] bool has_labels(Vertex u, const Graph& data, Vertex v) const {
    return graph->labels_of(u).size() == 1 || std::ranges::includes(data.labels_of(v), graph->labels_of(u));
  }

  const Graph* graph;
  QueryEdges edges;
  std::vector<Label> rarest;  // of each vertex's labels: that by which lists lead to it
};

/// One vertex more: the lists to it are those of its edges to the vertices of a pattern.
struct Extension {
  double lists = 0;    ///< mean sum of their lengths
  double matches = 0;  ///< mean number of vertices that they have in common
};

/// Entries are sampled when they are first asked for and kept from query to query.
class Catalogue {
 public:
  explicit Catalogue(const DataIndex& data) : data_(&data) {}

  /// The extension of a match of `pattern`, query vertices each of which but the first has an edge to an earlier one,
  /// to `next`, which has an edge to one of them.
  [[nodiscard]] Extension extension(const IndexedQuery& query, const std::vector<Vertex>& pattern, Vertex next);
  /// The number of data vertices with u's labels.
  [[nodiscard]] double vertices(const IndexedQuery& query, Vertex u) const;

 private:
  using Key = std::vector<std::uint32_t>;
  static Key key_of(const IndexedQuery& query, const std::vector<Vertex>& pattern, Vertex next);
  [[nodiscard]] Extension sampled(const IndexedQuery& query, const std::vector<Vertex>& pattern, Vertex next) const;

  const DataIndex* data_;
  std::map<Key, Extension> entries_;
};

}  // namespace warpbench::matching::cbwj
