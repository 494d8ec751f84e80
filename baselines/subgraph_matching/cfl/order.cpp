#include "baselines/subgraph_matching/cfl/order.hpp"

#include <algorithm>

namespace warpbench::matching::cfl {
namespace {

struct Path {
  std::vector<Vertex> vertices;    // from the root
  std::vector<double> embeddings;  // of the path from its i-th vertex on, by all candidates of that vertex
};

/// The path to u, its embeddings counted from u up.
Path path_to(Vertex u, const CompactPathIndex& index) {
  Path path;
  std::vector<double> weights(index.nodes[u].candidates.size(), 1);
  for (;;) {
    const CompactPathIndex::Node& node = index.nodes[u];
    path.vertices.push_back(u);
    double sum = 0;
    for (const double weight : weights) sum += weight;
    path.embeddings.push_back(sum);
    if (u == index.root()) break;
    std::vector<double> above(index.nodes[node.parent].candidates.size(), 0);
    for (std::uint32_t i = 0; i < above.size(); ++i) {
      for (const std::uint32_t place : node.below_of(i)) above[i] += weights[place];
    }
    weights = std::move(above);
    u = node.parent;
  }
  std::ranges::reverse(path.vertices);
  std::ranges::reverse(path.embeddings);
  return path;
}

class OrderBuilder {
 public:
  OrderBuilder(const IndexedQuery& query, const CompactPathIndex& index)
      : query_(query), index_(index), placed_(index.nodes.size(), false) {}

  std::vector<Vertex> build() {
    place(index_.root());
    add_paths(Region::core);
    add_paths(Region::forest);
    return order_;
  }

 private:
  void place(Vertex u) {
    if (placed_[u]) return;
    placed_[u] = true;
    order_.push_back(u);
  }

  /// The paths that end in a vertex of `region` with no child in it, best first.
  void add_paths(Region region) {
    std::vector<bool> inner(index_.nodes.size(), false);
    for (const Vertex u : index_.order) {
      if (index_.nodes[u].region == region) inner[index_.nodes[u].parent] = true;
    }
    std::vector<Path> paths;
    for (const Vertex u : index_.order) {
      if (index_.nodes[u].region == region && !inner[u] && !placed_[u]) paths.push_back(path_to(u, index_));
    }
    while (!paths.empty()) {
      const auto best = std::ranges::min_element(paths, {}, [&](const Path& path) { return cost(path); });
      for (const Vertex u : best->vertices) place(u);
      paths.erase(best);
    }
  }

  [[nodiscard]] double cost(const Path& path) const {
    if (order_.size() == 1) return path.embeddings[0] / std::max(1.0, non_tree_edges(path));
    std::size_t joint = 0;
    while (joint + 1 < path.vertices.size() && placed_[path.vertices[joint + 1]]) ++joint;
    const double candidates = static_cast<double>(index_.nodes[path.vertices[joint]].candidates.size());
    return path.embeddings[joint] / std::max(1.0, candidates);
  }

  [[nodiscard]] double non_tree_edges(const Path& path) const {
    double edges = 0;
    for (const Vertex u : path.vertices) {
      edges += static_cast<double>(std::ranges::count_if(query_.edges[u], [&](const QueryEdge& edge) {
        return index_.nodes[u].parent != edge.to && index_.nodes[edge.to].parent != u;
      }));
    }
    return edges;
  }

  const IndexedQuery& query_;
  const CompactPathIndex& index_;
  std::vector<bool> placed_;
  std::vector<Vertex> order_;
};

}  // namespace

std::vector<Vertex> matching_order(const IndexedQuery& query, const CompactPathIndex& index) {
  return OrderBuilder(query, index).build();
}

}  // namespace warpbench::matching::cfl
