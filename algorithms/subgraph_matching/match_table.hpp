// MatchTable: partial matches in device memory, as all GPU solvers of this problem keep them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/stream.hpp"
#include "device/view.hpp"
#include "problems/subgraph_matching/graph.hpp"
#include "solvers/subgraph_matching/query_solver.hpp"

namespace warpbench::matching {

/// `rows` partial matches of `width` data vertices each, row after row; a column is a query vertex.
struct MatchTable {
  View<const Vertex> vertices;
  std::int64_t rows = 0;
  int width = 0;

  [[nodiscard]] WARPBENCH_HOST_DEVICE View<const Vertex> row(std::int64_t i) const {
    return vertices.subview(i * width, width);
  }
  /// Rows [first, last).
  [[nodiscard]] MatchTable part(std::int64_t first, std::int64_t last) const {
    return {vertices.subview(first * width, (last - first) * width), last - first, width};
  }
};

/// Copies rows that are whole matches behind `matches`, their vertices in the order of query vertices; columns[c]: the
/// query vertex of column c. False once `deadline` has passed.
[[nodiscard]] bool append_matches(const MatchTable& table, std::span<const Vertex> columns,
                                  std::vector<Vertex>& matches, const Deadline& deadline, Stream& stream);

}  // namespace warpbench::matching
