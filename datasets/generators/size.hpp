// The size parameters that graph generators share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

struct GraphSize {
  std::int64_t vertices = 0;
  std::int64_t edges = 0;
};

[[nodiscard]] ParameterDeclaration scale_parameter();

/// vertices, edges and scale.
[[nodiscard]] std::vector<ParameterDeclaration> size_parameters();

/// exponent and max_degree.
[[nodiscard]] std::vector<ParameterDeclaration> degree_parameters();

/// vertices and edges times scale. Throws InputError(where) if fewer than 2 vertices are left, or if the edges are more
/// than half of all pairs (random draws would hardly find the last ones).
[[nodiscard]] GraphSize scaled_size(const std::string& where, const Properties& values);

/// max_degree times scale^(1 / (exponent - 1)), clamped between four times the average degree (or all vertices) and
/// vertices - 1.
[[nodiscard]] double scaled_max_degree(const Properties& values, const GraphSize& size);

}  // namespace warpbench::datasets
