// Labels for graphs that have none, drawn from a power law as in gsi2020 §VIII-A and yu2023 §5.4.1.
#pragma once

#include <cstdint>

#include "datasets/graphs/labelled_graph.hpp"

namespace warpbench::datasets {

/// Vertex labels 0 .. labels - 1 with P(label = k) proportional to (k + 1)^-exponent, drawn per vertex from
/// (seed, vertex). Exponent 0 is uniform. O(vertices + labels).
[[nodiscard]] LabelledGraph with_power_law_labels(const Csr& graph, std::int64_t labels, double exponent,
                                                  std::uint64_t seed);

/// Edge labels drawn in the same way from (seed, the edge's two ends), in place of existing ones: both slots of an edge
/// agree whatever the graph's source. O(slots / threads + labels).
[[nodiscard]] LabelledGraph with_power_law_edge_labels(LabelledGraph graph, std::int64_t labels, double exponent,
                                                       std::uint64_t seed, int threads = 0);

/// Label 0 for every vertex, for graphs that only have edge labels.
[[nodiscard]] LabelledGraph with_single_label(const Csr& graph);

}  // namespace warpbench::datasets
