#include "baselines/subgraph_matching/cfl/candidates.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "device/integers.hpp"

namespace warpbench::matching::cfl {
namespace {

std::vector<std::int64_t> greatest_neighbor_degrees(const Graph& graph) {
  std::vector<std::int64_t> greatest(static_cast<std::size_t>(graph.vertices()), 0);
  for (std::size_t v = 0; v < greatest.size(); ++v) {
    for (const Vertex w : graph.row(static_cast<Vertex>(v))) greatest[v] = std::max(greatest[v], graph.degree(w));
  }
  return greatest;
}

class PathIndexBuilder {
 public:
  PathIndexBuilder(const IndexedQuery& query, const DataIndex& data, int threads, std::vector<std::uint32_t>& counts,
                   Progress& progress)
      : query_(query), data_(data), threads_(threads), counts_(counts), progress_(progress) {}

  CompactPathIndex build() {
    index_.nodes.resize(query_.edges.size());
    const std::vector<Region> regions = core_forest_leaf(*query_.graph);
    grow_tree(root_of(regions));
    for (std::size_t u = 0; u < index_.nodes.size(); ++u) index_.nodes[u].region = regions[u];
    index_.nodes[index_.root()].region = Region::core;  // of a tree the root alone is the core
    top_down();
    bottom_up();
    for (const Vertex u : std::span(index_.order).subspan(1)) connect(u);
    return std::move(index_);
  }

 private:
  using Node = CompactPathIndex::Node;

  /// work(v, result) for all of a list; neighbours in the list share a result. The results, in the order of the list.
  template <typename Result, typename Work>
  std::vector<Result> in_slices(std::span<const Vertex> list, const Work& work) {
    constexpr std::size_t kSlice = 256;
    std::vector<Result> results(ceil_div(list.size(), kSlice));
    if (results.empty()) return results;
    const auto threads = std::min<std::size_t>(static_cast<std::size_t>(threads_), results.size());
    search(results.size(), static_cast<int>(threads), progress_, [&](Collector& collector) {
      return [&](std::size_t slice) {
        const std::size_t first = slice * kSlice;
        for (const Vertex v : list.subspan(first, std::min(kSlice, list.size() - first))) {
          if (!collector.alive()) return;
          work(v, results[slice]);
        }
      };
    });
    return results;
  }

  /// Of a list what passes the test, in its order.
  template <typename Test>
  std::vector<Vertex> passing(std::span<const Vertex> list, const Test& test) {
    return joined_up(in_slices<std::vector<Vertex>>(list, [&](Vertex v, std::vector<Vertex>& passed) {
      if (test(v)) passed.push_back(v);
    }));
  }

  static std::vector<Vertex> joined_up(const std::vector<std::vector<Vertex>>& parts) {
    std::vector<Vertex> all;
    for (const std::vector<Vertex>& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

  /// Labels, degrees, greatest degree of a neighbour, labels around: cheap tests first.
  [[nodiscard]] bool verified(Vertex u, Vertex v) const {
    if (!fits(*query_.graph, u, *data_.graph, v, query_.injective)) return false;
    if (query_.injective && data_.greatest_neighbor_degree[v] < query_.greatest_neighbor_degree[u]) return false;
    return query_.neighbor_labels.covered_by(u, data_.neighbor_labels, v, query_.injective);
  }

  /// The core vertex of fewest candidates by degree; the three best by labels and degrees are compared by all tests.
  Vertex root_of(const std::vector<Region>& regions) {
    const bool tree = std::ranges::find(regions, Region::core) == regions.end();
    std::vector<std::pair<double, Vertex>> ranked;
    const auto rank = [&](Vertex u, auto&& test) {
      const std::size_t count = passing(data_.by_label.rarest(query_.graph->labels_of(u)), test).size();
      return std::pair(
          static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(1, query_.edges[u].size())), u);
    };
    for (std::size_t i = 0; i < regions.size(); ++i) {
      const auto u = static_cast<Vertex>(i);
      if (!tree && regions[i] != Region::core) continue;
      ranked.push_back(rank(u, [&](Vertex v) { return fits(*query_.graph, u, *data_.graph, v, query_.injective); }));
    }
    std::ranges::sort(ranked);
    if (ranked.size() > 3) ranked.resize(3);
    for (auto& [value, u] : ranked) {
      const Vertex here = u;
      value = rank(here, [&](Vertex v) { return verified(here, v); }).first;
    }
    return std::ranges::min(ranked).second;
  }

  void grow_tree(Vertex root) {
    std::vector<bool> seen(index_.nodes.size(), false);
    index_.order = {root};
    index_.nodes[root].parent = root;
    seen[root] = true;
    for (std::size_t i = 0; i < index_.order.size(); ++i) {
      const Vertex u = index_.order[i];
      for (const QueryEdge& edge : query_.edges[u]) {
        if (seen[edge.to]) continue;
        seen[edge.to] = true;
        index_.nodes[edge.to].parent = u;
        index_.nodes[edge.to].level = index_.nodes[u].level + 1;
        index_.order.push_back(edge.to);
      }
    }
  }

  /// Level by level: candidates that neighbours with candidates reach, then those of the same level against each other.
  void top_down() {
    const Vertex root = index_.root();
    index_.nodes[root].candidates =
        passing(data_.by_label.rarest(query_.graph->labels_of(root)), [&](Vertex v) { return verified(root, v); });
    std::vector<std::size_t> place(index_.order.size());
    for (std::size_t i = 0; i < place.size(); ++i) place[index_.order[i]] = i;
    for (std::size_t first = 1; first < index_.order.size();) {
      std::size_t last = first;
      const auto level = [&](std::size_t i) { return index_.nodes[index_.order[i]].level; };
      while (last < index_.order.size() && level(last) == level(first)) ++last;
      for (std::size_t i = first; i < last; ++i) reach(index_.order[i], place);
      for (std::size_t i = last; i-- > first;) {
        for (const QueryEdge& edge : query_.edges[index_.order[i]]) {
          if (place[edge.to] > i && place[edge.to] < last) prune(index_.order[i], edge);
        }
      }
      first = last;
    }
  }

  /// The candidates of u: what every neighbour that comes before it reaches from a candidate of its own.
  void reach(Vertex u, const std::vector<std::size_t>& place) {
    std::vector<Vertex> reached;
    std::uint32_t before = 0;
    for (const QueryEdge& edge : query_.edges[u]) {
      if (place[edge.to] > place[u]) continue;
      const auto parts = in_slices<std::vector<Vertex>>(index_.nodes[edge.to].candidates,
                                                        [&](Vertex v, std::vector<Vertex>& first_reached) {
                                                          for_each_joined(*data_.graph, v, edge.labels, [&](Vertex w) {
                                                            if (count_once(w, before) && before == 0)
                                                              first_reached.push_back(w);
                                                          });
                                                        });
      if (before == 0) reached = joined_up(parts);
      ++before;
    }
    std::vector<Vertex>& candidates = index_.nodes[u].candidates;
    candidates = passing(reached, [&](Vertex v) { return counts_[v] == before && verified(u, v); });
    for (const Vertex v : reached) counts_[v] = 0;
    std::ranges::sort(candidates);
  }

  /// Raises a vertex's count from `before`, for one of the threads that find it there.
  bool count_once(Vertex v, std::uint32_t before) {
    const std::atomic_ref<std::uint32_t> count(counts_[v]);
    if (count.load(std::memory_order_relaxed) != before) return false;
    if (threads_ > 1) return count.compare_exchange_strong(before, before + 1, std::memory_order_relaxed);
    count.store(before + 1, std::memory_order_relaxed);
    return true;
  }

  /// Takes from u the candidates without a neighbour among those of edge.to.
  void prune(Vertex u, const QueryEdge& edge) {
    for (const Vertex v : index_.nodes[edge.to].candidates) counts_[v] = 1;
    std::vector<Vertex>& candidates = index_.nodes[u].candidates;
    candidates = passing(candidates, [&](Vertex v) {
      return any_joined(*data_.graph, v, edge.labels, [&](Vertex w) { return counts_[w] == 1; });
    });
    for (const Vertex v : index_.nodes[edge.to].candidates) counts_[v] = 0;
  }

  /// Each vertex against its neighbours on lower levels, which have been pruned themselves.
  void bottom_up() {
    for (std::size_t i = index_.order.size(); i-- > 0;) {
      const Vertex u = index_.order[i];
      for (const QueryEdge& edge : query_.edges[u]) {
        if (index_.nodes[edge.to].level > index_.nodes[u].level) prune(u, edge);
      }
    }
  }

  /// Data edges from candidates of u's parent to candidates of u.
  void connect(Vertex u) {
    Node& node = index_.nodes[u];
    const QueryEdge& edge = *edge_between(query_.edges, node.parent, u);
    for (std::size_t i = 0; i < node.candidates.size(); ++i)
      counts_[node.candidates[i]] = static_cast<std::uint32_t>(i + 1);
    struct Part {
      std::vector<std::uint64_t> ends;
      std::vector<std::uint32_t> below;
    };
    const auto parts = in_slices<Part>(index_.nodes[node.parent].candidates, [&](Vertex v, Part& part) {
      for_each_joined(*data_.graph, v, edge.labels, [&](Vertex w) {
        if (counts_[w] > 0) part.below.push_back(counts_[w] - 1);
      });
      part.ends.push_back(part.below.size());
    });
    node.offsets.assign(1, 0);
    for (const Part& part : parts) {
      const std::uint64_t base = node.below.size();
      for (const std::uint64_t end : part.ends) node.offsets.push_back(base + end);
      node.below.insert(node.below.end(), part.below.begin(), part.below.end());
    }
    for (const Vertex v : node.candidates) counts_[v] = 0;
  }

  const IndexedQuery& query_;
  const DataIndex& data_;
  int threads_;
  std::vector<std::uint32_t>& counts_;
  Progress& progress_;
  CompactPathIndex index_;
};

}  // namespace

DataIndex::DataIndex(const Graph& of)
    : graph(&of), neighbor_labels(of), by_label(of), greatest_neighbor_degree(greatest_neighbor_degrees(of)) {}

IndexedQuery::IndexedQuery(const Graph& query, bool is_injective)
    : graph(&query),
      injective(is_injective),
      edges(edges_by_neighbor(query)),
      neighbor_labels(query),
      greatest_neighbor_degree(greatest_neighbor_degrees(query)) {}

std::uint64_t CompactPathIndex::candidates() const {
  return std::accumulate(nodes.begin(), nodes.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Node& node) { return sum + node.candidates.size(); });
}

CompactPathIndex compact_path_index(const IndexedQuery& query, const DataIndex& data, int threads,
                                    std::vector<std::uint32_t>& counts, Progress& progress) {
  return PathIndexBuilder(query, data, threads, counts, progress).build();
}

}  // namespace warpbench::matching::cfl
