// Limits the labels and the number of vertices that a file may claim. Declared sizes and highest ids cannot be trusted:
// 20 bytes can name vertex 4,294,967,294, for which an honest loader would allocate 32 GiB.
#pragma once

#include <cstdint>
#include <limits>

namespace warpbench::datasets {

/// Real files with sparse ids stay far below (SNAP's twitter has 0.1 ids per edge). With 64 ids per edge the offsets
/// take at most 512 bytes per edge. The added constant lets small hand-written files be as sparse as they like.
inline constexpr std::uint64_t kIdsPerEdge = 64;
inline constexpr std::uint64_t kIdsAlways = 4096;

[[nodiscard]] constexpr std::uint64_t max_vertices(std::uint64_t edges) noexcept {
  return kIdsPerEdge * edges + kIdsAlways;
}

/// Labels of vertices and edges, and relations, are 32 bits wide.
inline constexpr std::uint64_t kMaxLabel = std::numeric_limits<std::uint32_t>::max();

}  // namespace warpbench::datasets
