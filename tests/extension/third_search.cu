// A third graph search from outside: this file is all that was added. It is SONG's, with all lanes of a warp.
#include <bit>

#include "algorithms/nearest_neighbors/graph_solver/register_search.cuh"
#include "algorithms/nearest_neighbors/song/song_search.cuh"

namespace warpbench::nearest_neighbors {
namespace {

struct ThirdSearches {
  static constexpr bool kTakesLess = false;

  template <typename T, typename Body>
  static void choose(const SearchShape& /*shape*/, int /*lanes*/, const Body& body) {
    body.template operator()<SongSearch<kWarpSize, 0>>();
  }
};

/// As song's: at most half full.
int places_of_table(int candidates) {
  return static_cast<int>(std::bit_ceil(4U * static_cast<unsigned>(candidates)));
}

[[maybe_unused]] const bool registered = register_search<ThirdSearches>({.name = "third", .visited = places_of_table});

}  // namespace
}  // namespace warpbench::nearest_neighbors
