// Beam search on a proximity graph on one CPU thread (yu2023, Algorithm 4), with `ef` results kept while the best k of
// them are asked for.
//
// Algorithm 4 has a heap C of candidates and a heap N of explored vertices. Here one sorted list of the `ef` best
// visited vertices, each explored or not, takes the place of both. The search is the same. It ends when the nearest
// unexplored vertex is farther than the ef best explored ones, and then all in the list are explored. A vertex that
// falls off the list's end is farther than ef visited ones and would never be explored. Ties are broken by id.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "solvers/nearest_neighbors/float_space.hpp"
#include "solvers/nearest_neighbors/proximity_graph.hpp"

namespace warpbench::nearest_neighbors {

/// A vertex that was visited: its key (see FloatSpace) as seen from the query.
struct Visited {
  float key = 0;
  std::uint32_t vertex = 0;
  bool explored = false;

  friend bool operator<(const Visited& a, const Visited& b) {
    return a.key < b.key || (a.key == b.key && a.vertex < b.vertex);
  }
};

/// The memory of one thread's searches and what they cost. O(vertices) bytes.
class alignas(64) BeamSearch {
 public:
  explicit BeamSearch(std::int64_t vertices) : stamps_(static_cast<std::size_t>(vertices)) {}

  /// The up to `ef` nearest vertices that a search of one layer from `entry` finds, the nearest first; valid until the
  /// next search.
  std::span<const Visited> search(const Layer& layer, std::uint32_t entry, std::int64_t ef, const KeysFrom& key) {
    start(static_cast<std::size_t>(ef));
    mark(entry);
    offer(entry, key);
    while (next_ < list_.size()) {
      Visited& nearest = list_[next_];
      nearest.explored = true;
      ++explored_;
      const std::uint32_t vertex = nearest.vertex;
      while (next_ < list_.size() && list_[next_].explored) ++next_;
      visit(layer.row(vertex), key);
    }
    return list_;
  }

  /// The same from the top of a hierarchy: on each upper layer the nearest vertex that a beam of 1 finds is the entry
  /// of the next. The first entry is vertex 0, which is on all layers.
  std::span<const Visited> search(const ProximityGraph& graph, std::int64_t ef, const KeysFrom& key) {
    std::uint32_t entry = 0;
    for (std::size_t layer = graph.layers.size() - 1; layer > 0; --layer) {
      entry = search(graph.layers[layer], entry, 1, key).front().vertex;
    }
    return search(graph.layers[0], entry, ef, key);
  }

  /// Since the last reset_counts(): distances computed, and vertices explored.
  [[nodiscard]] std::uint64_t distances() const { return distances_; }
  [[nodiscard]] std::uint64_t explored() const { return explored_; }
  void reset_counts() { distances_ = explored_ = 0; }

 private:
  void start(std::size_t ef) {
    if (++stamp_ == 0) {
      std::ranges::fill(stamps_, 0U);
      stamp_ = 1;
    }
    ef_ = ef;
    list_.clear();
    next_ = 0;
  }

  /// Whether the vertex was not marked yet.
  bool mark(std::uint32_t vertex) { return std::exchange(stamps_[vertex], stamp_) != stamp_; }

  void visit(std::span<const std::uint32_t> row, const KeysFrom& key) {
    fresh_.clear();
    for (const std::uint32_t vertex : row) {
      if (vertex == kNone<std::uint32_t>) break;
      if (!mark(vertex)) continue;
      key.prefetch(vertex);
      fresh_.push_back(vertex);
    }
    for (const std::uint32_t vertex : fresh_) offer(vertex, key);
  }

  void offer(std::uint32_t vertex, const KeysFrom& key) {
    ++distances_;
    const Visited visited{key(vertex), vertex, false};
    if (list_.size() == ef_) {
      if (!(visited < list_.back())) return;
      list_.pop_back();
    }
    const auto place = std::ranges::upper_bound(list_, visited, std::less{});
    next_ = std::min(next_, static_cast<std::size_t>(place - list_.begin()));
    list_.insert(place, visited);
  }

  std::vector<std::uint32_t> stamps_;  ///< == stamp_: visited by this search
  std::uint32_t stamp_ = 0;
  std::size_t ef_ = 0;
  std::vector<Visited> list_;
  std::size_t next_ = 0;  ///< the first unexplored one in list_
  std::vector<std::uint32_t> fresh_;
  std::uint64_t distances_ = 0;
  std::uint64_t explored_ = 0;
};

}  // namespace warpbench::nearest_neighbors
