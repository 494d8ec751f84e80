// GraphQueries: a labelled graph and the query graphs that are matched against it, the input of subgraph_matching
// (gsi2020 §VIII-A, yu2023 §5.4.1).
#pragma once

#include <cstdint>
#include <string>

#include "datasets/labelled_graph.hpp"

namespace warpbench::datasets {

struct GraphQueries {
  static constexpr Kind kKind = Kind::GraphQueries;

  LabelledGraph data;
  LabelledGraph queries;               // all query graphs side by side
  Array<std::uint64_t> query_offsets;  // count + 1: query i has the vertices [offsets[i], offsets[i + 1]) of `queries`
  Array<std::uint64_t> published_counts;  // of each query its isomorphic matches, as others counted them; may be empty

  [[nodiscard]] std::int64_t count() const noexcept {
    return query_offsets.empty() ? 0 : static_cast<std::int64_t>(query_offsets.size() - 1);
  }
  /// A copy of one, its vertices numbered from 0. O(its size).
  [[nodiscard]] LabelledGraph query(std::int64_t i) const;

  /// Both graphs, at least one query, each connected and of at least one vertex, no edge between two queries; edge
  /// labels in both graphs or in neither, unless no query has an edge; published counts of all queries or of none.
  /// Throws InputError. O(slots).
  void validate() const;

  /// LabelledGraph::describe of the data, plus queries, and query_vertices and query_edges, the means.
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

/// The vertices that a search from vertex 0 reaches: all of them where the graph is connected. O(slots).
[[nodiscard]] std::int64_t reached_from_first(const Csr& graph);

/// The first `count` queries. Throws InputError where there are fewer.
[[nodiscard]] GraphQueries first_queries(const GraphQueries& graphs, std::int64_t count);

/// Query graphs side by side. Throws InputError where some have edge labels and others, with edges, have none.
[[nodiscard]] GraphQueries with_queries(LabelledGraph data, std::span<const LabelledGraph> queries);

}  // namespace warpbench::datasets
