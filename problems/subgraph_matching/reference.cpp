#include "problems/subgraph_matching/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <exception>
#include <vector>

#include "problems/subgraph_matching/counting.hpp"

namespace warpbench::matching {
namespace {

/// An edge from a query vertex to one that is matched before it.
struct Backward {
  Vertex to;
  Label label;
};

/// The order in which query vertices are matched, and for each its edges to earlier ones.
struct BacktrackingOrder {
  std::vector<Vertex> vertices;
  std::vector<std::vector<Backward>> backward;
};

/// The data vertices that fit each query vertex, a bit each: tested once, not at every step of the search.
class Fitting {
 public:
  Fitting(const Graph& query, const Graph& data, bool injective)
      : words_((data.vertices() + 63) / 64), bits_(static_cast<std::size_t>(query.vertices() * words_)) {
    for (std::int64_t u = 0; u < query.vertices(); ++u) {
#pragma omp parallel for
      for (std::int64_t word = 0; word < words_; ++word) {
        std::uint64_t bits = 0;
        for (std::int64_t v = 64 * word; v < std::min(64 * word + 64, data.vertices()); ++v) {
          const bool is = fits(query, static_cast<Vertex>(u), data, static_cast<Vertex>(v), injective);
          bits |= std::uint64_t{is} << (v % 64);
        }
        bits_[static_cast<std::size_t>(u * words_ + word)] = bits;
      }
    }
  }

  [[nodiscard]] bool operator()(Vertex u, Vertex v) const {
    return (of(u)[v / 64] >> (v % 64) & 1U) != 0;
  }
  [[nodiscard]] std::int64_t count(Vertex u) const {
    std::int64_t count = 0;
    for (const std::uint64_t word : of(u)) count += std::popcount(word);
    return count;
  }
  [[nodiscard]] std::vector<Vertex> list(Vertex u) const {
    std::vector<Vertex> all;
    for (std::int64_t v = 0; v < 64 * words_; ++v) {
      if ((*this)(u, static_cast<Vertex>(v))) all.push_back(static_cast<Vertex>(v));
    }
    return all;
  }

 private:
  [[nodiscard]] std::span<const std::uint64_t> of(Vertex u) const {
    return std::span(bits_).subspan(static_cast<std::size_t>(u) * static_cast<std::size_t>(words_),
                                    static_cast<std::size_t>(words_));
  }

  std::int64_t words_;
  std::vector<std::uint64_t> bits_;
};

/// From `first` along edges: always the unmatched vertex with the most edges to matched ones.
BacktrackingOrder order_from(const Graph& query, Vertex first) {
  BacktrackingOrder order;
  std::vector<bool> matched(static_cast<std::size_t>(query.vertices()), false);
  const auto edges_to_matched = [&](Vertex u) {
    return std::ranges::count_if(query.row(u), [&](Vertex w) { return matched[w]; });
  };
  for (Vertex next = first; order.vertices.size() < matched.size();) {
    std::vector<Backward> backward;
    for (std::size_t i = 0; i < query.row(next).size(); ++i) {
      if (matched[query.row(next)[i]]) backward.push_back({query.row(next)[i], query.row_labels(next)[i]});
    }
    order.vertices.push_back(next);
    order.backward.push_back(std::move(backward));
    matched[next] = true;
    std::int64_t max_edges = -1;
    for (std::int64_t i = 0; i < query.vertices(); ++i) {
      const auto u = static_cast<Vertex>(i);
      if (!matched[u] && edges_to_matched(u) > max_edges) {
        max_edges = edges_to_matched(u);
        next = u;
      }
    }
  }
  return order;
}

class Backtracking {
 public:
  Backtracking(const Fitting& fitting, const Graph& data, const BacktrackingOrder& order, bool injective,
               bool with_digest, std::uint64_t enough)
      : fitting_(fitting),
        data_(data),
        order_(order),
        injective_(injective),
        with_digest_(with_digest),
        enough_(enough),
        images_(order.vertices.size()) {}

  Counted from(Vertex first_image) {
    found_ = {};
    images_[order_.vertices[0]] = first_image;
    extend(1);
    return found_;
  }

 private:
  void extend(std::size_t depth) {
    if (depth == order_.vertices.size()) {
      found_.count = checked_add(found_.count, 1);
      if (with_digest_) found_.digest += digest_of_match(images_);
      return;
    }
    const Vertex u = order_.vertices[depth];
    const std::vector<Backward>& backward = order_.backward[depth];
    std::size_t through = 0;  // the backward edge with the fewest images
    std::span<const Vertex> shortest = data_.row(images_[backward[0].to], backward[0].label);
    for (std::size_t i = 1; i < backward.size(); ++i) {
      const std::span<const Vertex> row = data_.row(images_[backward[i].to], backward[i].label);
      if (row.size() >= shortest.size()) continue;
      shortest = row;
      through = i;
    }
    for (const Vertex v : shortest) {
      if (found_.count >= enough_) return;
      if (!possible(depth, v, through)) continue;
      images_[u] = v;
      extend(depth + 1);
    }
  }

  bool possible(std::size_t depth, Vertex v, std::size_t through) const {
    if (!fitting_(order_.vertices[depth], v)) return false;
    for (std::size_t i = 0; injective_ && i < depth; ++i) {
      if (images_[order_.vertices[i]] == v) return false;
    }
    const std::vector<Backward>& backward = order_.backward[depth];
    for (std::size_t i = 0; i < backward.size(); ++i) {
      if (i != through && !data_.has_edge(images_[backward[i].to], v, backward[i].label)) return false;
    }
    return true;
  }

  const Fitting& fitting_;
  const Graph& data_;
  const BacktrackingOrder& order_;
  bool injective_;
  bool with_digest_;
  std::uint64_t enough_;
  std::vector<Vertex> images_;
  Counted found_;
};

}  // namespace

Counted backtrack(const Graph& query, const Graph& data, bool injective, bool with_digest, std::uint64_t enough) {
  const Fitting fitting(query, data, injective);
  Vertex first = 0;
  for (Vertex u = 1; u < static_cast<Vertex>(query.vertices()); ++u) {
    if (fitting.count(u) < fitting.count(first)) first = u;
  }
  const std::vector<Vertex> images = fitting.list(first);
  const BacktrackingOrder order = order_from(query, first);
  Counted all;
  std::exception_ptr failure;  // none may leave a parallel region
#pragma omp parallel
  {
    Backtracking search(fitting, data, order, injective, with_digest, enough);
    Counted own;
#pragma omp for schedule(dynamic, 1) nowait
    for (std::size_t i = 0; i < images.size(); ++i) {
      if (own.count >= enough) continue;  // of a parallel loop, which knows no break
      try {
        const Counted found = search.from(images[i]);
        own.count = checked_add(own.count, found.count);
        own.digest += found.digest;
      } catch (...) {
#pragma omp critical(backtrack)
        failure = std::current_exception();
      }
    }
#pragma omp critical(backtrack)
    try {
      all.count = checked_add(all.count, own.count);
      all.digest += own.digest;
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (failure != nullptr) std::rethrow_exception(failure);
  return all;
}

std::string fault_of(const Graph& query, const Graph& data, bool injective, std::span<const Vertex> match) {
  for (std::size_t i = 0; i < match.size(); ++i) {
    const auto u = static_cast<Vertex>(i);
    if (static_cast<std::int64_t>(match[i]) >= data.vertices()) {
      return fmt::format("query vertex {}: expected one of {} data vertices, found {}", u, data.vertices(), match[i]);
    }
    if (!std::ranges::includes(data.labels_of(match[i]), query.labels_of(u))) {
      return fmt::format("query vertex {} maps to data vertex {}, which lacks a label of it", u, match[i]);
    }
    for (std::size_t j = 0; injective && j < i; ++j) {
      if (match[i] == match[j])
        return fmt::format("query vertices {} and {} both map to data vertex {}", j, i, match[i]);
    }
  }
  for (std::size_t i = 0; i < match.size(); ++i) {
    const auto u = static_cast<Vertex>(i);
    for (std::size_t j = 0; j < query.row(u).size(); ++j) {
      const Vertex w = query.row(u)[j];
      if (!data.has_edge(match[u], match[w], query.row_labels(u)[j])) {
        return fmt::format("query edge {{{}, {}}} maps to {{{}, {}}}, which is no edge of its label", u, w, match[u],
                           match[w]);
      }
    }
  }
  return "";
}

}  // namespace warpbench::matching
