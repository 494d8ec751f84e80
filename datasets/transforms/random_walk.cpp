#include "datasets/transforms/random_walk.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr int kWalks = 2000;
constexpr std::uint64_t kStepsPerVertex = 200;  // a walk that finds no new vertex for so long is in a small component
constexpr std::uint64_t kFirstStream = 5000;

/// The random numbers of one query, in sequence.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t query) : random_(seed, kFirstStream + query) {}
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return random_.below(bound, next_++); }

 private:
  Random random_;
  std::uint64_t next_ = 0;
};

/// An edge of the query: its two vertices and its slot in the data graph.
struct InducedEdge {
  std::uint32_t source;
  std::uint32_t target;
  std::uint64_t slot;
};

/// The distinct vertices that a random walk visits, in the order of first visits; fewer than `vertices` if it got
/// stuck.
std::vector<Vertex> walk(const Csr& graph, std::size_t vertices, Draws& draws) {
  std::vector<Vertex> seen{static_cast<Vertex>(draws.below(static_cast<std::uint64_t>(graph.vertices())))};
  Vertex at = seen.front();
  for (std::uint64_t step = 0; seen.size() < vertices && step < kStepsPerVertex * vertices; ++step) {
    const auto row = graph.row(at);
    if (row.empty()) break;
    at = row[draws.below(row.size())];
    if (std::ranges::find(seen, at) == seen.end()) seen.push_back(at);
  }
  return seen;
}

std::vector<InducedEdge> induced_edges(const Csr& graph, const std::vector<Vertex>& vertices) {
  std::vector<InducedEdge> edges;
  for (std::uint32_t i = 0; i < vertices.size(); ++i) {
    const auto row = graph.row(vertices[i]);
    for (std::uint32_t j = i + 1; j < vertices.size(); ++j) {
      const auto found = std::lower_bound(row.begin(), row.end(), vertices[j]);
      if (found == row.end() || *found != vertices[j]) continue;
      edges.push_back({i, j, graph.first_slot(vertices[i]) + static_cast<std::uint64_t>(found - row.begin())});
    }
  }
  return edges;
}

/// Keeps `count` edges: first, in random order, those that join two parts (Kruskal), then others.
std::vector<InducedEdge> connected_part(std::vector<InducedEdge> edges, std::size_t vertices, std::size_t count,
                                        Draws& draws) {
  for (std::size_t i = edges.size(); i > 1; --i) std::swap(edges[i - 1], edges[draws.below(i)]);
  std::vector<std::uint32_t> part(vertices);
  std::iota(part.begin(), part.end(), std::uint32_t{0});
  const auto root = [&part](std::uint32_t v) {
    while (part[v] != v) v = part[v];
    return v;
  };
  std::vector<InducedEdge> kept;
  std::vector<InducedEdge> others;
  for (const InducedEdge& edge : edges) {
    const std::uint32_t source = root(edge.source);
    const std::uint32_t target = root(edge.target);
    part[source] = target;
    (source != target ? kept : others).push_back(edge);
  }
  kept.insert(kept.end(), others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count - kept.size()));
  return kept;
}

/// Stores lists as values and ends; sets offsets only if some list does not have exactly one value.
void put_labels(const std::vector<std::span<const std::uint32_t>>& lists, Array<std::uint32_t>& labels,
                Array<std::uint64_t>& offsets) {
  std::vector<std::uint32_t> values;
  std::vector<std::uint64_t> ends{0};
  for (const auto& list : lists) {
    values.insert(values.end(), list.begin(), list.end());
    ends.push_back(values.size());
  }
  const bool single = std::ranges::all_of(lists, [](const auto& list) { return list.size() == 1; });
  if (!single) offsets = std::move(ends);
  labels = std::move(values);
}

LabelledGraph query_of(const LabelledGraph& data, const std::vector<Vertex>& vertices,
                       const std::vector<InducedEdge>& edges) {
  std::vector<Edge> pairs;
  for (const InducedEdge& edge : edges) pairs.push_back({edge.source, edge.target});
  LabelledGraph query;
  query.graph = build_csr(pairs, static_cast<std::int64_t>(vertices.size()), 1);
  std::vector<std::span<const std::uint32_t>> labels;
  for (const Vertex v : vertices) labels.push_back(data.labels(v));
  put_labels(labels, query.vertex_labels, query.vertex_label_offsets);
  if (!data.has_edge_labels()) return query;
  std::vector<std::span<const std::uint32_t>> slot_labels(query.graph.neighbors.size());
  const auto slot = [&query](Vertex u, Vertex v) {
    const auto row = query.graph.row(u);
    return query.graph.first_slot(u) +
           static_cast<std::uint64_t>(std::lower_bound(row.begin(), row.end(), v) - row.begin());
  };
  for (const InducedEdge& edge : edges) {
    slot_labels[slot(edge.source, edge.target)] = data.slot_labels(edge.slot);
    slot_labels[slot(edge.target, edge.source)] = data.slot_labels(edge.slot);
  }
  put_labels(slot_labels, query.edge_labels, query.edge_label_offsets);
  return query;
}

[[noreturn]] void refuse(const std::string& expected, const std::string& found, const std::string& fix = {}) {
  throw InputError("transform random_walk_queries", 0, expected, found, fix);
}

LabelledGraph draw_query(const LabelledGraph& data, QuerySize size, std::uint64_t seed, std::uint64_t number) {
  Draws draws(seed, number);
  const auto vertices = static_cast<std::size_t>(size.vertices);
  const auto wanted = static_cast<std::size_t>(size.edges);
  for (int attempt = 0; attempt < kWalks; ++attempt) {
    const std::vector<Vertex> seen = walk(data.graph, vertices, draws);
    if (seen.size() < vertices) continue;
    std::vector<InducedEdge> edges = induced_edges(data.graph, seen);
    if (edges.size() < wanted) continue;
    if (wanted != 0) edges = connected_part(std::move(edges), vertices, wanted, draws);
    return query_of(data, seen, edges);
  }
  const std::string among = size.edges == 0 ? "" : " with at least " + std::to_string(size.edges) + " edges among them";
  refuse("random walks that see " + std::to_string(size.vertices) + " vertices" + among,
         "none in " + std::to_string(kWalks) + " for query " + std::to_string(number),
         size.edges == 0 ? "ask smaller queries" : "ask smaller queries or fewer edges");
}

void check(const LabelledGraph& data, QuerySize size) {
  if (size.vertices > data.vertices()) {
    refuse("queries of at most " + std::to_string(data.vertices()) + " vertices, those of the graph",
           std::to_string(size.vertices));
  }
  if (size.edges == 0) return;
  const std::int64_t most = size.vertices * (size.vertices - 1) / 2;
  if (size.edges < size.vertices - 1 || size.edges > most) {
    refuse(std::to_string(size.vertices - 1) + " to " + std::to_string(most) + " edges for " +
               std::to_string(size.vertices) + " connected vertices, or 0 for all",
           std::to_string(size.edges));
  }
}

}  // namespace

GraphQueries random_walk_queries(LabelledGraph data, std::int64_t count, QuerySize size, std::uint64_t seed,
                                 int threads) {
  check(data, size);
  std::vector<LabelledGraph> queries(static_cast<std::size_t>(count));
  for_chunks(queries.size(), 1, threads,
             [&](std::size_t i, std::size_t, std::size_t) { queries[i] = draw_query(data, size, seed, i); });
  return with_queries(std::move(data), queries);
}

}  // namespace warpbench::datasets
