// How many neighbours a method looks up: the work that its time is set against (che2019, "Discussion of MPS and BMP":
// BMP does exactly min(d(u), d(v)) lookups an edge).
#pragma once

#include <cstdint>

#include "datasets/csr.hpp"

namespace warpbench::common_neighbors {

/// Sum over edges of the lower degree: the lookups of the document's BMP. O(slots) over all threads.
std::int64_t bitmap_lookups(const datasets::Csr& graph);

/// Sum over edges, pointing from the lower (degree, id) to the higher, of the smaller out-degree of the two ends: the
/// lookups of oriented counting. O(slots) over all threads.
std::int64_t oriented_lookups(const datasets::Csr& graph);

}  // namespace warpbench::common_neighbors
