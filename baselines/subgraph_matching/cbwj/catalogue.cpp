#include "baselines/subgraph_matching/cbwj/catalogue.hpp"

#include <algorithm>

#include "device/mix64.hpp"

namespace warpbench::matching::cbwj {
namespace {

constexpr std::uint64_t kWalks = 200;  // an entry; the publication samples up to 1000 edges

/// A walk along the vertices of a pattern: each image drawn from what the lists from those before have in common,
/// so that a match has the probability 1 / weight.
class Walk {
 public:
  Walk(const IndexedQuery& query, const DataIndex& data, std::uint64_t number)
      : query_(query), data_(data), number_(number), images_(query.edges.size()) {}

  /// The weight; 0 where no image is left for some vertex.
  double along(const std::vector<Vertex>& pattern) {
    double weight = 1;
    for (std::size_t i = 0; i < pattern.size() && weight > 0; ++i) {
      const Vertex u = pattern[i];
      std::span<const Vertex> all = data_.by_label.rarest(query_.graph->labels_of(u));
      if (i > 0) {
        common(std::span(pattern).first(i), u);
        all = common_;
      }
      weight *= static_cast<double>(all.size());
      if (all.empty()) break;
      images_[u] = all[mix64(number_ * 64 + i) % all.size()];
      if (!query_.has_labels(u, *data_.graph, images_[u])) weight = 0;
    }
    return weight;
  }

  /// The lists to `next`, and how many vertices they have in common.
  Extension to(const std::vector<Vertex>& pattern, Vertex next) {
    Extension found;
    found.lists = common(pattern, next);
    found.matches = static_cast<double>(
        std::ranges::count_if(common_, [&](Vertex v) { return query_.has_labels(next, *data_.graph, v); }));
    return found;
  }

 private:
  /// The sum of lengths; what the lists to u have in common is in common_.
  double common(std::span<const Vertex> from, Vertex u) {
    double lengths = 0;
    lists_.clear();
    for (const QueryEdge& edge : query_.edges[u]) {
      if (std::ranges::find(from, edge.to) == from.end()) continue;
      for (const Label label : edge.labels) {
        lists_.push_back(data_.adjacency.list(images_[edge.to], label, query_.rarest[u]));
        lengths += static_cast<double>(lists_.back().size());
      }
    }
    common_ = intersection(lists_, scratch_);
    return lengths;
  }

  const IndexedQuery& query_;
  const DataIndex& data_;
  std::uint64_t number_;
  std::vector<Vertex> images_;
  std::span<const Vertex> common_;
  std::vector<Vertex> scratch_;
  std::vector<std::span<const Vertex>> lists_;
};

}  // namespace

IndexedQuery::IndexedQuery(const Graph& query, const DataIndex& data) : graph(&query), edges(edges_by_neighbor(query)) {
  for (std::size_t u = 0; u < edges.size(); ++u) {
    rarest.push_back(data.by_label.rarest_label(query.labels_of(static_cast<Vertex>(u))));
  }
}

Extension Catalogue::extension(const IndexedQuery& query, const std::vector<Vertex>& pattern, Vertex next) {
  const auto [entry, is_new] = entries_.try_emplace(key_of(query, pattern, next));
  if (is_new) entry->second = sampled(query, pattern, next);
  return entry->second;
}

double Catalogue::vertices(const IndexedQuery& query, Vertex u) const {
  const auto all = data_->by_label.rarest(query.graph->labels_of(u));
  if (query.graph->labels_of(u).size() == 1) return static_cast<double>(all.size());
  return static_cast<double>(
      std::ranges::count_if(all, [&](Vertex v) { return query.has_labels(u, *data_->graph, v); }));
}

/// All labels of vertices and of edges among them, in the pattern's order.
Catalogue::Key Catalogue::key_of(const IndexedQuery& query, const std::vector<Vertex>& pattern, Vertex next) {
  Key key;
  const auto add = [&key](std::span<const Label> labels) {
    key.push_back(static_cast<std::uint32_t>(labels.size()));
    key.insert(key.end(), labels.begin(), labels.end());
  };
  const auto add_vertex = [&](Vertex u, std::size_t before) {
    add(query.graph->labels_of(u));
    for (std::size_t i = 0; i < before; ++i) {
      const QueryEdge* const edge = edge_between(query.edges, u, pattern[i]);
      add(edge == nullptr ? std::span<const Label>() : std::span<const Label>(edge->labels));
    }
  };
  for (std::size_t i = 0; i < pattern.size(); ++i) add_vertex(pattern[i], i);
  add_vertex(next, pattern.size());
  return key;
}

Extension Catalogue::sampled(const IndexedQuery& query, const std::vector<Vertex>& pattern, Vertex next) const {
  Extension sum;
  double weights = 0;
  for (std::uint64_t i = 0; i < kWalks; ++i) {
    Walk walk(query, *data_, i);
    const double weight = walk.along(pattern);
    if (weight == 0) continue;
    const Extension found = walk.to(pattern, next);
    sum.lists += weight * found.lists;
    sum.matches += weight * found.matches;
    weights += weight;
  }
  if (weights == 0) return sum;
  return {sum.lists / weights, sum.matches / weights};
}

}  // namespace warpbench::matching::cbwj
