// MatchTable: partial matches in device memory, as all GPU solvers of this problem keep them.
#pragma once

#include <cstdint>

#include "device/view.hpp"
#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching {

/// `rows` partial matches of `width` data vertices each, row after row; a column is a query vertex.
struct MatchTable {
  View<const Vertex> vertices;
  std::int64_t rows = 0;
  int width = 0;

  [[nodiscard]] WARPBENCH_HOST_DEVICE View<const Vertex> row(std::int64_t i) const {
    return vertices.subview(i * width, width);
  }
};

}  // namespace warpbench::matching
