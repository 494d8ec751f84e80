// Csr: an undirected graph in compressed sparse rows, the input of common_neighbors and, with
// labels, of subgraph_matching.
//
// Every undirected edge {u, v} takes two *slots*, one in u's row and one in v's, so slots() is twice edges() (che2019
// Table 1 counts edges, its "CSR" memory counts slots). Rows are sorted ascending, without duplicates and without
// self-loops: merges, binary searches and galloping searches rely on that.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "datasets/array.hpp"
#include "datasets/kind.hpp"
#include "datasets/parameters/property.hpp"

namespace warpbench::datasets {

using Vertex = std::uint32_t;

/// The maximum vertex id: 2^32 - 1 is left for solvers as "no vertex".
inline constexpr std::uint64_t kMaxVertex = 0xFFFF'FFFEu;

/// The degree ratio above which an intersection is highly skewed: 50, the example of che2019 Table 2.
inline constexpr double kSkewThreshold = 50.0;

/// One line of an edge list, before duplicates and loops are removed.
struct Edge {
  Vertex source = 0;
  Vertex target = 0;
  friend bool operator==(const Edge&, const Edge&) = default;
};

struct DegreeStatistics {
  std::int64_t minimum = 0;
  std::int64_t median = 0;  // lower median
  std::int64_t maximum = 0;
  std::int64_t isolated = 0;  // vertices without a neighbour
  double average = 0.0;       // slots / vertices
};

struct Csr {
  static constexpr Kind kKind = Kind::Graph;

  Array<std::uint64_t> offsets;    // vertices + 1; offsets[v] .. offsets[v + 1] is v's row
  Array<std::uint32_t> neighbors;  // slots

  [[nodiscard]] std::int64_t vertices() const noexcept {
    return offsets.empty() ? 0 : static_cast<std::int64_t>(offsets.size() - 1);
  }
  [[nodiscard]] std::int64_t slots() const noexcept { return static_cast<std::int64_t>(neighbors.size()); }
  [[nodiscard]] std::int64_t edges() const noexcept { return slots() / 2; }
  [[nodiscard]] std::int64_t degree(Vertex v) const noexcept {
    return static_cast<std::int64_t>(offsets[std::size_t{v} + 1] - offsets[v]);
  }
  /// v's row, sorted ascending.
  [[nodiscard]] std::span<const std::uint32_t> row(Vertex v) const noexcept {
    return neighbors.span().subspan(offsets[v], offsets[std::size_t{v} + 1] - offsets[v]);
  }
  /// The slot of v's i-th neighbour is first_slot(v) + i.
  [[nodiscard]] std::uint64_t first_slot(Vertex v) const noexcept { return offsets[v]; }

  /// O(log degree(u)).
  [[nodiscard]] bool has_edge(Vertex u, Vertex v) const noexcept;

  /// 0 for a graph without vertices. O(vertices).
  [[nodiscard]] std::int64_t max_degree() const noexcept;

  /// O(vertices) time and memory.
  [[nodiscard]] DegreeStatistics degree_statistics() const;

  /// Share (0..1) of the edges {u, v} with max(degree)/min(degree) > threshold (che2019 Table 2); 0 for a graph without
  /// edges. O(slots).
  [[nodiscard]] double skewed_share(double threshold = kSkewThreshold) const noexcept;

  /// Checks the invariants named above: offsets rise from 0 to slots, rows are sorted and unique, ids are in range,
  /// there are no self-loops, and u is in v's row exactly if v is in u's. Throws InputError("csr", …) at the first
  /// violation. O(slots).
  void validate() const;

  /// vertices, edges, average_degree, max_degree, skewed_share.
  [[nodiscard]] Properties describe() const;

  /// The arrays in canonical order, for the digest and the cache (see dataset.hpp).
  template <typename Self, typename Visitor>
  static void visit_arrays(Self& self, Visitor&& visit) {
    visit("offsets", self.offsets);
    visit("neighbors", self.neighbors);
  }

  friend bool operator==(const Csr&, const Csr&) = default;
};

/// The edges that build_csr left out.
struct EdgeCounts {
  std::int64_t self_loops_dropped = 0;
  std::int64_t duplicates_merged = 0;  // {u, v} repeated, in either direction
};

/// Builds the undirected simple graph of an edge list: both directions of every pair once, rows sorted, self-loops
/// dropped. The result is the same for any order of `edges` and any `threads` (0 = all cores). O(edges log max_degree /
/// threads) time, 16 bytes per edge besides the result. Throws InputError if an endpoint is not below `vertices` or
/// `vertices` exceeds 2^32 - 1.
[[nodiscard]] Csr build_csr(std::span<const Edge> edges, std::int64_t vertices, int threads = 0,
                            EdgeCounts* counts = nullptr);

}  // namespace warpbench::datasets
