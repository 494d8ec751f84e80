// GraphQueries: a labelled graph and the query graphs that are matched against it, the input of subgraph_matching
// (gsi2020 §VIII-A, yu2023 §5.4.1).
#pragma once

#include <cstdint>
#include <string>

#include "datasets/graphs/labelled_graph.hpp"

namespace warpbench::datasets {

struct GraphQueries {
  static constexpr Kind kKind = Kind::GraphQueries;

  LabelledGraph data;
  LabelledGraph queries;  // all query graphs in one
  Array<std::uint64_t>
      query_offsets;  // count + 1 offsets: query i has the vertices [offsets[i], offsets[i + 1]) of `queries`
  Array<std::uint64_t> published_counts;  // for each query, the published number of isomorphic matches; may be empty

  [[nodiscard]] std::int64_t count() const noexcept {
    return query_offsets.empty() ? 0 : static_cast<std::int64_t>(query_offsets.size() - 1);
  }
  /// A copy of query i with its vertices numbered from 0. O(its size).
  [[nodiscard]] LabelledGraph query(std::int64_t i) const;

  /// Checks both graphs. There must be at least one query; each is connected and has at least one vertex; no edge joins
  /// two queries. Edge labels are in both graphs or in neither, unless no query has an edge. Published counts are for
  /// all queries or for none. Throws InputError. O(slots).
  void validate() const;

  /// LabelledGraph::describe of the data, plus queries and the means query_vertices and query_edges. With queries also
  /// the means smallest_candidates, by signature, and smallest_candidates_by_degree (statistics/candidates.hpp).
  [[nodiscard]] Properties describe() const;

  /// The arrays in canonical order, for the digest and the cache (see dataset.hpp).
  template <typename Self, typename Visitor>
  static void visit_arrays(Self& self, Visitor&& visit) {
    LabelledGraph::visit_arrays(self.data, visit);
    LabelledGraph::visit_arrays(
        self.queries, [&visit](std::string_view name, auto& array) { visit("queries." + std::string(name), array); });
    visit("query_offsets", self.query_offsets);
    visit("published_counts", self.published_counts);
  }

  friend bool operator==(const GraphQueries&, const GraphQueries&) = default;
};

/// The number of vertices that a search from vertex 0 reaches: all if the graph is connected. O(slots).
[[nodiscard]] std::int64_t reached_from_first(const Csr& graph);

/// The first `count` queries. Throws InputError if there are fewer.
[[nodiscard]] GraphQueries first_queries(const GraphQueries& graphs, std::int64_t count);

/// Puts query graphs beside `data`. Throws InputError if some have edge labels and others, with edges, have none.
[[nodiscard]] GraphQueries with_queries(LabelledGraph data, std::span<const LabelledGraph> queries);

}  // namespace warpbench::datasets
