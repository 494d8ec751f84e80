// Vertex labels for graphs that have none: gsi2020 §7 and yu2023 §5 label theirs by a power law.
#pragma once

#include <cstdint>

#include "datasets/labelled_graph.hpp"

namespace warpbench::datasets {

/// Labels 0 .. labels - 1 with P(label = k) proportional to (k + 1)^-exponent, drawn per vertex from
/// (seed, vertex). Exponent 0 is uniform. O(vertices + labels).
[[nodiscard]] LabelledGraph with_power_law_labels(const Csr& graph, std::int64_t labels, double exponent,
                                                  std::uint64_t seed);

}  // namespace warpbench::datasets
