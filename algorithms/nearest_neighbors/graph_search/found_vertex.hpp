// FoundVertex: what a search found, for a caller that orders it further.
#pragma once

#include <cstdint>

namespace warpbench::nearest_neighbors {

struct FoundVertex {
  float distance;        ///< as the search computed it, of scaled coordinates
  std::uint32_t vertex;  ///< kNone: nothing was found
};

}  // namespace warpbench::nearest_neighbors
