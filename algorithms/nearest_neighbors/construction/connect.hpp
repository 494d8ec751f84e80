// Edges to vertices that no path from vertex 0 reaches, where searches begin.
#pragma once

#include <cstdint>

#include "algorithms/nearest_neighbors/graph_search/search.cuh"
#include "device/buffer.hpp"
#include "device/stream.hpp"

namespace warpbench::nearest_neighbors {

/// A vertex that cannot be reached gets an edge from the first vertex of its list that can; where no vertex of any such
/// list can be reached, from a pseudo-random one. A row gives a free place, else its last ones, each once and at most
/// half of them: what loses its edge so may be cut off itself. `rows` have `degree` places, `lists` have `length`.
/// Returns how many vertices stay out of reach after kMaxConnectRounds. Enqueues and waits. O(rounds × edges).
inline constexpr int kMaxConnectRounds = 16;
std::int64_t connect(Buffer<Vertex>& rows, int degree, View<const Vertex> lists, int length, Stream& stream);

}  // namespace warpbench::nearest_neighbors
