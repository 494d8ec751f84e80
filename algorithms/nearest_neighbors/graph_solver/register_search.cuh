// register_search<Classes>(): puts a search into the table and instantiates the kernels that solvers and constructions
// run it with. A search is one file that calls this once, and the header of its class:
//
//   [[maybe_unused]] const bool third_registered =
//       register_search<SearchesByLanes<ThirdSearch>>({.name = "third"});
//
// for a template ThirdSearch<kLanes>; a search with other choices brings its own Classes.
#pragma once

#include <stdexcept>
#include <utility>

#include "algorithms/nearest_neighbors/construction/build_kernels.cuh"
#include "algorithms/nearest_neighbors/graph_search/search_kernel.cuh"
#include "algorithms/nearest_neighbors/graph_search/search_method.hpp"

namespace warpbench::nearest_neighbors {

/// Classes: a search with a class for each number of threads a query, in single precision.
template <template <int> typename Search>
struct SearchesByLanes {
  static constexpr bool kTakesLess = false;  ///< than single precision

  /// Calls body.template operator()<Search>() with the class for a shape and a number of lanes.
  template <typename T, typename Body>
  static void choose(const SearchShape& /*shape*/, int lanes, const Body& body) {
    switch (lanes) {
      case 4:
        return body.template operator()<Search<4>>();
      case 8:
        return body.template operator()<Search<8>>();
      case 16:
        return body.template operator()<Search<16>>();
      case 32:
        return body.template operator()<Search<32>>();
      default:
        throw std::logic_error("no search by that many threads");
    }
  }
};

/// The same for a template of a number of threads and a stride, 0 for any: whole warps have classes for the strides of
/// SIFT, NYTimes and GIST.
template <template <int, int> typename Search>
struct SearchesByStride {
  template <int kLanes>
  using AnyStride = Search<kLanes, 0>;
  static constexpr bool kTakesLess = false;

  template <typename T, typename Body>
  static void choose(const SearchShape& shape, int lanes, const Body& body) {
    if (lanes != kWarpSize) return SearchesByLanes<AnyStride>::template choose<T>(shape, lanes, body);
    switch (shape.stride) {
      case 128:
        return body.template operator()<Search<kWarpSize, 128>>();
      case 256:
        return body.template operator()<Search<kWarpSize, 256>>();
      case 960:
        return body.template operator()<Search<kWarpSize, 960>>();
      default:
        return body.template operator()<Search<kWarpSize, 0>>();
    }
  }
};

template <typename Classes, typename T>
SearchLaunch<T> search_launch() {
  return [](const Points<T>& points, const GraphView& graph, const QueryBatch& batch, const SearchShape& shape,
            int lanes, Stream& stream) {
    std::size_t bytes = 0;
    Classes::template choose<T>(
        shape, lanes, [&]<typename Search>() { bytes = launch_search<Search>(points, graph, batch, shape, stream); });
    return bytes;
  };
}

/// Constructions search by whole warps, so their kernels are instantiated for those classes alone.
template <typename Search>
concept ByWarps = Search::Team::kSize == kWarpSize;

/// `method` without its launches. True, so that a constant can be initialised with it.
template <typename Classes>
bool register_search(SearchMethod method) {
  method.search = search_launch<Classes, float>();
  if constexpr (Classes::kTakesLess) {
    method.search_halves = search_launch<Classes, Half>();
    method.search_bytes = search_launch<Classes, Byte>();
  }
  method.build_local = [](const LocalBuild& build, std::int64_t blocks, Stream& stream) {
    Classes::template choose<float>(build.shape, kWarpSize, [&]<typename Search>() {
      if constexpr (ByWarps<Search>) launch_build_local<Search>(build, blocks, stream);
    });
  };
  method.build_batch = [](const BatchBuild& build, const WarpBlocks& blocks, Stream& stream) {
    Classes::template choose<float>(build.shape, kWarpSize, [&]<typename Search>() {
      if constexpr (ByWarps<Search>) launch_build_batch<Search>(build, blocks, stream);
    });
  };
  add_search_method(std::move(method));
  return true;
}

}  // namespace warpbench::nearest_neighbors
