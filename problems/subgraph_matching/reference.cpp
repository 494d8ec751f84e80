#include "problems/subgraph_matching/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
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
struct Plan {
  std::vector<Vertex> order;
  std::vector<std::vector<Backward>> backward;
};

std::vector<Vertex> fitting(const Graph& query, Vertex u, const Graph& data, bool injective) {
  std::vector<Vertex> all;
  for (std::int64_t v = 0; v < data.vertices(); ++v) {
    if (fits(query, u, data, static_cast<Vertex>(v), injective)) all.push_back(static_cast<Vertex>(v));
  }
  return all;
}

/// From `first` along edges: always the unmatched vertex with the most edges to matched ones.
Plan plan_from(const Graph& query, Vertex first) {
  Plan plan;
  std::vector<bool> matched(static_cast<std::size_t>(query.vertices()), false);
  const auto edges_to_matched = [&](Vertex u) {
    return std::ranges::count_if(query.row(u), [&](Vertex w) { return matched[w]; });
  };
  for (Vertex next = first; plan.order.size() < matched.size();) {
    std::vector<Backward> backward;
    for (std::size_t i = 0; i < query.row(next).size(); ++i) {
      if (matched[query.row(next)[i]]) backward.push_back({query.row(next)[i], query.row_labels(next)[i]});
    }
    plan.order.push_back(next);
    plan.backward.push_back(std::move(backward));
    matched[next] = true;
    std::int64_t most = -1;
    for (std::int64_t i = 0; i < query.vertices(); ++i) {
      const auto u = static_cast<Vertex>(i);
      if (!matched[u] && edges_to_matched(u) > most) {
        most = edges_to_matched(u);
        next = u;
      }
    }
  }
  return plan;
}

class Backtracking {
 public:
  Backtracking(const Graph& query, const Graph& data, const Plan& plan, bool injective, bool with_digest)
      : query_(query),
        data_(data),
        plan_(plan),
        injective_(injective),
        with_digest_(with_digest),
        images_(static_cast<std::size_t>(query.vertices())) {}

  Counted from(Vertex first_image) {
    found_ = {};
    images_[plan_.order[0]] = first_image;
    extend(1);
    return found_;
  }

 private:
  void extend(std::size_t depth) {
    if (depth == plan_.order.size()) {
      found_.count = checked_add(found_.count, 1);
      if (with_digest_) found_.digest += digest();
      return;
    }
    const Vertex u = plan_.order[depth];
    const std::vector<Backward>& backward = plan_.backward[depth];
    std::span<const Vertex> shortest = data_.row(images_[backward[0].to], backward[0].label);
    for (const Backward& edge : backward) {
      const std::span<const Vertex> row = data_.row(images_[edge.to], edge.label);
      if (row.size() < shortest.size()) shortest = row;
    }
    for (const Vertex v : shortest) {
      if (!possible(depth, v)) continue;
      images_[u] = v;
      extend(depth + 1);
    }
  }

  bool possible(std::size_t depth, Vertex v) const {
    const Vertex u = plan_.order[depth];
    if (!fits(query_, u, data_, v, injective_)) return false;
    for (std::size_t i = 0; injective_ && i < depth; ++i) {
      if (images_[plan_.order[i]] == v) return false;
    }
    return std::ranges::all_of(plan_.backward[depth],
                               [&](const Backward& edge) { return data_.has_edge(images_[edge.to], v, edge.label); });
  }

  [[nodiscard]] std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (std::size_t u = 0; u < images_.size(); ++u) sum += digest_part(static_cast<Vertex>(u), images_[u]);
    return digest_of_match(sum);
  }

  const Graph& query_;
  const Graph& data_;
  const Plan& plan_;
  bool injective_;
  bool with_digest_;
  std::vector<Vertex> images_;
  Counted found_;
};

}  // namespace

Counted backtrack(const Graph& query, const Graph& data, bool injective, bool with_digest) {
  Vertex first = 0;
  std::vector<Vertex> images = fitting(query, 0, data, injective);
  for (std::int64_t i = 1; i < query.vertices(); ++i) {
    std::vector<Vertex> others = fitting(query, static_cast<Vertex>(i), data, injective);
    if (others.size() >= images.size()) continue;
    first = static_cast<Vertex>(i);
    images = std::move(others);
  }
  const Plan plan = plan_from(query, first);
  Counted all;
  std::exception_ptr failure;  // none may leave a parallel region
#pragma omp parallel
  {
    Backtracking search(query, data, plan, injective, with_digest);
    Counted own;
#pragma omp for schedule(dynamic, 1) nowait
    for (std::size_t i = 0; i < images.size(); ++i) {
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
