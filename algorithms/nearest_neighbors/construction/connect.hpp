// Edges to vertices that no path from vertex 0 reaches, where searches begin.
#pragma once

#include <cstdint>

#include "algorithms/nearest_neighbors/graph_search/search.cuh"
#include "device/buffer.hpp"
#include "device/stream.hpp"

namespace warpbench::nearest_neighbors {

inline constexpr int kMaxConnectRounds = 16;

/// Adds edges until a path from vertex 0 reaches every vertex, in at most kMaxConnectRounds rounds. In a round each
/// vertex out of reach asks one reached vertex of its list for a place: the nearest in the first two rounds, any in
/// later ones. After a round in which nobody gave a place it asks a pseudo-random vertex first. The new edge takes a
/// free place of the giver's row, else its last places in turn, at most half of the row. An edge that is replaced may
/// have been the only one to its end, hence the rounds.
/// `rows` have `degree` places, `lists` have `length`. Returns how many vertices stay out of reach. Enqueues and waits.
/// O(rounds × edges).
std::int64_t connect(Buffer<Vertex>& rows, int degree, View<const Vertex> lists, int length, Stream& stream);

/// Device memory that connect() takes for so many vertices.
std::int64_t connect_bytes(std::int64_t vertices);

}  // namespace warpbench::nearest_neighbors
