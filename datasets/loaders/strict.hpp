// `strict: true` of all graph loaders: no self-loops, and no undirected edge twice (with labels: no edge twice with the
// same label).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "datasets/graphs/csr.hpp"
#include "datasets/input_error.hpp"

namespace warpbench::datasets {

/// Throws InputError at the first edge, in the file's order, that is a self-loop or repeats a pair {u, v} (with
/// `labels`: and its label). line_of(index) gives the line of the index-th edge; it is called only for that edge and
/// its first occurrence. O(edges log edges) time, 16 bytes per edge.
template <typename LineOf>
void refuse_loops_and_repeats(const std::string& file, std::span<const Edge> edges, LineOf&& line_of,
                              std::span<const std::uint32_t> labels = {}) {
  struct Pair {
    Vertex low;
    Vertex high;
    std::uint32_t label;
    std::uint64_t index;
    [[nodiscard]] bool same(const Pair& other) const {
      return std::tie(low, high, label) == std::tie(other.low, other.high, other.label);
    }
  };
  std::vector<Pair> pairs;
  pairs.reserve(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto [low, high] = std::minmax(edges[i].source, edges[i].target);
    pairs.push_back({low, high, labels.empty() ? 0 : labels[i], i});
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return std::tie(a.low, a.high, a.label, a.index) < std::tie(b.low, b.high, b.label, b.index);
  });
  const Pair* offender = nullptr;
  const Pair* first = nullptr;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool loop = pairs[i].low == pairs[i].high;
    const bool repeat = i > 0 && pairs[i - 1].same(pairs[i]);
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
  const std::string label = labels.empty() ? "" : " with label " + std::to_string(offender->label);
  throw InputError(file, line_of(offender->index), labels.empty() ? "each edge once" : "each edge and label once",
                   "edge " + pair + label + " of line " + std::to_string(line_of(first->index)) + " again");
}

}  // namespace warpbench::datasets
