// What `strict: true` means for all graph loaders: each undirected edge given once, no self-loops.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "datasets/csr.hpp"
#include "datasets/input_error.hpp"

namespace warpbench::datasets {

/// Throws InputError at the first edge, in the file's order, that is a self-loop or names a pair
/// {u, v} again. line_of(index) gives the line of the index-th edge; it is asked only for the
/// offender and its first occurrence. O(edges log edges) time, 16 bytes an edge.
template <typename LineOf>
void refuse_loops_and_repeats(const std::string& file, std::span<const Edge> edges, LineOf&& line_of) {
  struct Pair {
    Vertex low;
    Vertex high;
    std::uint64_t index;
  };
  std::vector<Pair> pairs;
  pairs.reserve(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    pairs.push_back({std::min(edges[i].source, edges[i].target), std::max(edges[i].source, edges[i].target), i});
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return std::tie(a.low, a.high, a.index) < std::tie(b.low, b.high, b.index);
  });
  const Pair* offender = nullptr;
  const Pair* first = nullptr;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool loop = pairs[i].low == pairs[i].high;
    const bool repeat = i > 0 && pairs[i - 1].low == pairs[i].low && pairs[i - 1].high == pairs[i].high;
    if ((loop || repeat) && (offender == nullptr || pairs[i].index < offender->index)) {
      offender = &pairs[i];
      first = repeat && !loop ? &pairs[i - 1] : nullptr;
    }
  }
  if (offender == nullptr) return;
  const std::string pair = std::to_string(offender->low) + ' ' + std::to_string(offender->high);
  if (first == nullptr) {
    throw InputError(file, line_of(offender->index), "an edge between two different vertices", "the self-loop " + pair);
  }
  throw InputError(file, line_of(offender->index), "each edge once",
                   "edge " + pair + " of line " + std::to_string(line_of(first->index)) + " again");
}

}  // namespace warpbench::datasets
