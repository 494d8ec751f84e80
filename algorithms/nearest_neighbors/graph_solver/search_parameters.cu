#include "algorithms/nearest_neighbors/graph_solver/search_parameters.hpp"

#include <algorithm>
#include <bit>

#include "solvers/registry.hpp"

namespace warpbench::nearest_neighbors {
namespace {

constexpr std::int64_t kUsualRerank = 32;

}  // namespace

void SearchParameters::settle_for(std::int64_t k) {
  if (k > candidates) {
    throw Unsupported("k = " + std::to_string(k) + " neighbours do not fit a list of " + std::to_string(candidates));
  }
  if (rerank_as_needed) {
    const auto needed = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(k)));
    rerank = std::min(std::max(kUsualRerank, needed), candidates);
  }
  if (rerank > 0 && k > rerank) {
    throw Unsupported("k = " + std::to_string(k) + " neighbours are more than the " + std::to_string(rerank) +
                      " that are ordered anew: raise rerank");
  }
}

SearchShape SearchParameters::shape(int degree, int stride) const {
  SearchShape shape = search_method(method).shape(candidates, degree, stride);
  shape.explore = static_cast<int>(std::min<std::int64_t>(explore, shape.candidates));
  shape.entries = static_cast<int>(entries);
  shape.profile = profile;
  if (visited) shape.visited = static_cast<int>(*visited);
  return shape;
}

}  // namespace warpbench::nearest_neighbors
