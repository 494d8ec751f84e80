// How many vertices a file may claim. Declared sizes and highest ids come from outside: 20 bytes can
// name vertex 4,294,967,294, for which an honest loader would allocate 32 GiB.
#pragma once

#include <cstdint>

namespace warpbench::datasets {

/// Real sparse-id files stay far below (SNAP's twitter has 0.1 ids an edge); 64 ids an edge bound the
/// offsets array to 512 bytes an edge. The constant lets small hand-written files be as sparse as they like.
inline constexpr std::uint64_t kIdsPerEdge = 64;
inline constexpr std::uint64_t kIdsAlways = 4096;

[[nodiscard]] constexpr std::uint64_t most_vertices(std::uint64_t edges) noexcept {
  return kIdsPerEdge * edges + kIdsAlways;
}

}  // namespace warpbench::datasets
