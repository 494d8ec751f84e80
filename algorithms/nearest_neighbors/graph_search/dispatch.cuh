// From run-time choices to the search class that a kernel is compiled for.
#pragma once

#include <stdexcept>

#include "algorithms/nearest_neighbors/construction/build.hpp"
#include "algorithms/nearest_neighbors/ganns/ganns_search.cuh"
#include "algorithms/nearest_neighbors/ganns/pipelined_search.cuh"
#include "algorithms/nearest_neighbors/song/song_search.cuh"

namespace warpbench::nearest_neighbors {

template <typename T, typename Body>
void with_pipelined_search(int candidates, const Body& body) {
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

template <int kLanes, typename Body>
void with_document_search(SearchMethod method, const Body& body) {
  if (method == SearchMethod::song) return body.template operator()<SongSearch<kLanes>>();
  return body.template operator()<GannsSearch<kLanes>>();
}

/// Calls body.template operator()<Search>() with the class for `method`, coordinates T, as many candidates and as many
/// threads a search, which only the document's searches leave open.
template <typename T, typename Body>
void with_search(SearchMethod method, int candidates, int threads, const Body& body) {
  if (method == SearchMethod::pipelined) return with_pipelined_search<T>(candidates, body);
  if constexpr (std::is_same_v<T, float>) {
    switch (threads) {
      case 4:
        return with_document_search<4>(method, body);
      case 8:
        return with_document_search<8>(method, body);
      case 16:
        return with_document_search<16>(method, body);
      case 32:
        return with_document_search<32>(method, body);
      default:
        throw std::logic_error("no search by that many threads");
    }
  } else {
    throw std::logic_error("only the pipelined search takes half precision");
  }
}

/// The searches by whole warps, as the construction uses them.
template <typename Body>
void with_warp_search(SearchMethod method, int candidates, const Body& body) {
  if (method == SearchMethod::pipelined) return with_pipelined_search<float>(candidates, body);
  with_document_search<kWarpSize>(method, body);
}

}  // namespace warpbench::nearest_neighbors
