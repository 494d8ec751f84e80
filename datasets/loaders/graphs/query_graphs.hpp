// Query graphs in files beside a labelled graph.
#pragma once

#include "datasets/loaders/kind_rules.hpp"

namespace warpbench::datasets {

/// The graphs of a file, folder or archive become the queries of a labelled graph, with their published counts if the
/// source names any.
[[nodiscard]] const QueryRules& query_graph_rules();

}  // namespace warpbench::datasets
