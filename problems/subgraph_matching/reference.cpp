#include "problems/subgraph_matching/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <vector>

#include "problems/first_failure.hpp"
#include "problems/subgraph_matching/counting.hpp"
#include "problems/subgraph_matching/reference_candidates.hpp"
#include "problems/subgraph_matching/reference_stop.hpp"

namespace warpbench::matching {
namespace {

class Search {
 public:
  Search(const ReferenceCandidates& candidates, bool injective, bool with_digest, std::uint64_t enough, Stop& stop)
      : candidates_(candidates),
        injective_(injective),
        with_digest_(with_digest),
        enough_(enough),
        stop_(stop),
        images_(candidates.query_vertices(), kNone<Vertex>),
        left_(images_.size() + 1, std::vector<std::span<const Vertex>>(images_.size())),
        shortened_(images_.size() + 1, std::vector<std::vector<Vertex>>(images_.size())) {
    for (std::size_t u = 0; u < images_.size(); ++u) left_[0][u] = candidates.of(static_cast<Vertex>(u));
  }

  /// The matches in which u maps to v.
  Counted from(Vertex u, Vertex v) {
    found_ = {};
    match(0, u, v);
    return found_;
  }

 private:
  void match(std::size_t matched, Vertex u, Vertex v) {
    images_[u] = v;
    if (check_forward(matched, u, v)) extend(matched + 1);
    images_[u] = kNone<Vertex>;
  }

  /// Leaves to each unmatched neighbour of u the candidates beside v. False where one is left none.
  bool check_forward(std::size_t matched, Vertex u, Vertex v) {
    const auto& before = left_[matched];
    auto& after = left_[matched + 1];
    after = before;
    for (const ReferenceEdge& edge : candidates_.edges_at(u)) {
      if (images_[edge.to] != kNone<Vertex>) continue;
      std::vector<Vertex>& kept = shortened_[matched + 1][edge.to];
      if (before[edge.to].size() == candidates_.of(edge.to).size()) {
        after[edge.to] = candidates_.beside(edge, v, kept);
      } else {
        const std::span<const Vertex> beside = candidates_.beside(edge, v, beside_);
        kept.clear();
        std::ranges::set_intersection(before[edge.to], beside, std::back_inserter(kept));
        after[edge.to] = kept;
      }
      if (after[edge.to].empty()) return false;
    }
    return true;
  }

  void extend(std::size_t matched) {
    if (++steps_ % 256 == 0) stop_.look_at_the_clock();
    if (stop_.cause() != Stop::Cause::none) return;
    if (matched == images_.size()) {
      if (with_digest_) found_.digest += digest_of_match(images_);
      add(1);
      return;
    }
    const Vertex u = next_vertex(matched);
    const std::span<const Vertex> left = left_[matched][u];
    if (matched + 1 == images_.size() && !with_digest_) {
      add(left.size() - used_among(left));
      return;
    }
    for (const Vertex v : left) {
      if (injective_ && std::ranges::find(images_, v) != images_.end()) continue;
      match(matched, u, v);
      if (stop_.cause() != Stop::Cause::none) return;
    }
  }

  void add(std::uint64_t matches) {
    found_.count = checked_add(found_.count, matches);
    if (found_.count >= enough_) stop_.because_of(Stop::Cause::enough);
  }

  /// Of the unmatched neighbours of matched vertices the one with the fewest candidates left.
  [[nodiscard]] Vertex next_vertex(std::size_t matched) const {
    const auto& left = left_[matched];
    Vertex best = kNone<Vertex>;
    for (std::size_t i = 0; i < images_.size(); ++i) {
      if (images_[i] == kNone<Vertex>) continue;
      for (const ReferenceEdge& edge : candidates_.edges_at(static_cast<Vertex>(i))) {
        if (images_[edge.to] != kNone<Vertex>) continue;
        if (best == kNone<Vertex> || left[edge.to].size() < left[best].size()) best = edge.to;
      }
    }
    return best;
  }

  [[nodiscard]] std::uint64_t used_among(std::span<const Vertex> left) const {
    if (!injective_) return 0;
    return static_cast<std::uint64_t>(
        std::ranges::count_if(images_, [&](Vertex image) { return std::ranges::binary_search(left, image); }));
  }

  const ReferenceCandidates& candidates_;
  bool injective_;
  bool with_digest_;
  std::uint64_t enough_;
  Stop& stop_;
  std::vector<Vertex> images_;  // kNone<Vertex> of unmatched ones
  // After so many were matched, of each query vertex the candidates left, ascending; and where they are kept.
  std::vector<std::vector<std::span<const Vertex>>> left_;
  std::vector<std::vector<std::vector<Vertex>>> shortened_;
  std::vector<Vertex> beside_;
  Counted found_;
  std::uint64_t steps_ = 0;
};

/// O(degree).
bool has_edge(const Graph& graph, Vertex v, Vertex w, Label label) {
  for (std::uint64_t slot = graph.offsets[v]; slot < graph.offsets[std::size_t{v} + 1]; ++slot) {
    if (graph.neighbors[slot] == w && graph.edge_labels[slot] == label) return true;
  }
  return false;
}

}  // namespace

std::optional<Counted> backtrack(const Graph& query, const Graph& data, bool injective, bool with_digest,
                                 const SearchLimits& limits) {
  Stop stop(limits.seconds);
  if (stop.cause() != Stop::Cause::none) return std::nullopt;
  const ReferenceCandidates candidates(query, data, injective, stop);
  if (stop.cause() != Stop::Cause::none) return std::nullopt;
  const Vertex first = candidates.rarest();
  const std::span<const Vertex> images = candidates.of(first);
  Counted all;
  FirstFailure failure;
  std::mutex merging;
  std::atomic<std::size_t> next = 0;
  std::atomic<std::uint64_t> total = 0;
#pragma omp parallel
  {
    try {
      Search search(candidates, injective, with_digest, limits.enough, stop);
      Counted own;
      for (std::size_t i = next++; i < images.size() && stop.cause() == Stop::Cause::none; i = next++) {
        const Counted found = search.from(first, images[i]);
        own.count = checked_add(own.count, found.count);
        own.digest += found.digest;
        if (total.fetch_add(found.count) + found.count >= limits.enough) stop.because_of(Stop::Cause::enough);
      }
      const std::lock_guard lock(merging);
      all.count = checked_add(all.count, own.count);
      all.digest += own.digest;
    } catch (...) {
      failure.keep_current();
      stop.because_of(Stop::Cause::failure);
    }
  }
  failure.rethrow();
  if (stop.cause() == Stop::Cause::time) return std::nullopt;
  return all;
}

std::string fault_of(const Graph& query, const Graph& data, bool injective, std::span<const Vertex> match) {
  for (std::size_t i = 0; i < match.size(); ++i) {
    const auto u = static_cast<Vertex>(i);
    if (static_cast<std::int64_t>(match[i]) >= data.vertices()) {
      return fmt::format("query vertex {}: expected one of {} data vertices, found {}", u, data.vertices(), match[i]);
    }
    if (!has_labels_of(query, u, data, match[i])) {
      return fmt::format("query vertex {} maps to data vertex {}, which lacks a label of it", u, match[i]);
    }
    for (std::size_t j = 0; injective && j < i; ++j) {
      if (match[i] == match[j])
        return fmt::format("query vertices {} and {} both map to data vertex {}", j, i, match[i]);
    }
  }
  for (std::size_t i = 0; i < match.size(); ++i) {
    const auto u = static_cast<Vertex>(i);
    for (std::uint64_t slot = query.offsets[i]; slot < query.offsets[i + 1]; ++slot) {
      const Vertex w = query.neighbors[slot];
      if (!has_edge(data, match[u], match[w], query.edge_labels[slot])) {
        return fmt::format("query edge {{{}, {}}} maps to {{{}, {}}}, which is no edge of its label", u, w, match[u],
                           match[w]);
      }
    }
  }
  return "";
}

}  // namespace warpbench::matching
