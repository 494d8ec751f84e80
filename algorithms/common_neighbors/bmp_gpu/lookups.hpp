// The number of neighbours that a method looks up, against which its time is set: exactly min(d(u), d(v)) an edge for
// BMP (che2019, "Discussion of MPS and BMP").
#pragma once

#include <cstdint>

#include "algorithms/common_neighbors/oriented/hubs.hpp"
#include "datasets/graphs/csr.hpp"

namespace warpbench::common_neighbors {

/// Sum over edges of the lower degree: the lookups of the document's BMP. O(slots) over all threads.
std::int64_t bitmap_lookups(const datasets::Csr& graph);

/// Those of them that reach the bitmap: a filter that has a bit for 2^range_shift vertices lets them through.
/// O(lookups) over all threads.
std::int64_t filtered_lookups(const datasets::Csr& graph, int range_shift);

/// The lookups of oriented counting (oriented/oriented.hpp), over all edges but those between two hubs. O(slots) over
/// all threads.
std::int64_t oriented_lookups(const datasets::Csr& graph, const HubChoice& hubs);

/// The counter of bytes read at random of a table of so many bytes in device memory, by the ceiling that is for them.
constexpr const char* gather_counter(std::int64_t table_bytes, std::int64_t l2_bytes) {
  return table_bytes <= l2_bytes ? "gather_l2_bytes" : "gather_bytes";
}

}  // namespace warpbench::common_neighbors
