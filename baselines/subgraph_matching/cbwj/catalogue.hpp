// What cbwj estimates costs from, after the subgraph catalogue of Mhedhbi and Salihoglu (VLDB 2019): of small patterns
// and one more vertex, how long the lists are that are intersected for it, and how many vertices that leaves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "baselines/subgraph_matching/cbwj/rows.hpp"
#include "baselines/subgraph_matching/neighbor_labels.hpp"

namespace warpbench::matching {

/// What cbwj knows of a data graph before any query.
struct CbwjIndex {
  explicit CbwjIndex(const Graph& of) : graph(&of), rows(of), by_label(of) {}

  const Graph* graph;
  PartitionedRows rows;
  VerticesByLabel by_label;
};

/// A query on its way through cbwj.
struct CbwjQuery {
  CbwjQuery(const Graph& query, const CbwjIndex& data);

  /// u may be mapped to v, which has u's rarest label.
  [[nodiscard]] bool has_labels(Vertex u, const Graph& data, Vertex v) const {
    return graph->labels_of(u).size() == 1 || std::ranges::includes(data.labels_of(v), graph->labels_of(u));
  }

  const Graph* graph;
  QueryEdges edges;
  std::vector<Label> rarest;  // of each vertex's labels: that by which lists lead to it
};

/// One vertex more: the lists to it are those of its edges to the vertices of a pattern.
struct CbwjExtension {
  double lists = 0;    ///< mean sum of their lengths
  double matches = 0;  ///< mean number of vertices that they have in common
};

/// Entries are sampled when they are first asked for and kept from query to query.
class CbwjCatalogue {
 public:
  explicit CbwjCatalogue(const CbwjIndex& data) : data_(&data) {}

  /// Of a match of `pattern`, query vertices each of which but the first has an edge to an earlier one, to `next`,
  /// which has an edge to one of them.
  [[nodiscard]] CbwjExtension extension(const CbwjQuery& query, const std::vector<Vertex>& pattern, Vertex next);
  /// The number of data vertices with u's labels.
  [[nodiscard]] double vertices(const CbwjQuery& query, Vertex u) const;

 private:
  using Key = std::vector<std::uint32_t>;
  static Key key_of(const CbwjQuery& query, const std::vector<Vertex>& pattern, Vertex next);
  [[nodiscard]] CbwjExtension sampled(const CbwjQuery& query, const std::vector<Vertex>& pattern, Vertex next) const;

  const CbwjIndex* data_;
  std::map<Key, CbwjExtension> entries_;
};

}  // namespace warpbench::matching
