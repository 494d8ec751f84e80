// The search "pipelined": `method: pipelined` of ganns, and `build_search: pipelined` of all constructions.
#include "algorithms/nearest_neighbors/ganns/pipelined_search.cuh"

#include <stdexcept>

#include "algorithms/nearest_neighbors/graph_solver/register_search.cuh"

namespace warpbench::nearest_neighbors {
namespace {

/// A class for each length of N.
struct PipelinedSearches {
  static constexpr bool kTakesLess = true;

  template <typename T, typename Body>
  static void choose(const SearchShape& shape, int /*lanes*/, const Body& body) {
    static_assert(kMaxCandidates == 16 * kWarpSize);
    switch (shape.candidates / kWarpSize) {
      case 1:
        return body.template operator()<PipelinedSearch<T, 1>>();
      case 2:
        return body.template operator()<PipelinedSearch<T, 2>>();
      case 4:
        return body.template operator()<PipelinedSearch<T, 4>>();
      case 8:
        return body.template operator()<PipelinedSearch<T, 8>>();
      case 16:
        return body.template operator()<PipelinedSearch<T, 16>>();
      default:
        throw std::logic_error("no pipelined search with that many candidates");
    }
  }
};

[[maybe_unused]] const bool pipelined_registered = register_search<PipelinedSearches>(
    {.name = "pipelined", .min_candidates = kWarpSize, .build_entries = kWarpSize, .visited = [](int /*candidates*/) {
       return 512;
     }});

}  // namespace
}  // namespace warpbench::nearest_neighbors
