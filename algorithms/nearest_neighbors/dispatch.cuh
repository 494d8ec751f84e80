// From run-time choices to the search class that a kernel is compiled for.
#pragma once

#include <stdexcept>

#include "algorithms/nearest_neighbors/build.hpp"
#include "algorithms/nearest_neighbors/ganns_search.cuh"
#include "algorithms/nearest_neighbors/pipelined_search.cuh"
#include "algorithms/nearest_neighbors/song_search.cuh"

namespace warpbench::nearest_neighbors {

/// Calls body.template operator()<Search>() with the class for `method`, coordinates T and as many candidates.
template <typename T, typename Body>
void with_search(SearchMethod method, int candidates, const Body& body) {
  if (method == SearchMethod::pipelined) {
    switch (candidates / kWarpSize) {
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
  if constexpr (std::is_same_v<T, float>) {
    if (method == SearchMethod::song) return body.template operator()<SongSearch>();
    return body.template operator()<GannsSearch>();
  } else {
    throw std::logic_error("only the pipelined search takes half precision");
  }
}

}  // namespace warpbench::nearest_neighbors
