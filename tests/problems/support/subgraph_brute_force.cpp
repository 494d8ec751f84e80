#include "tests/problems/support/subgraph_brute_force.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <tuple>

#include "problems/subgraph_matching/counting.hpp"

namespace warpbench::testing {
namespace {

using datasets::Vertex;

/// Calls body(map) for each of the targets^places maps.
void for_each_map(std::size_t places, std::size_t targets, const std::function<void(const Map&)>& body) {
  if (targets == 0) return;
  Map map(places, 0);
  for (std::size_t place = 0; place < places;) {
    body(map);
    for (place = 0; place < places && ++map[place] == targets; ++place) map[place] = 0;
  }
}

bool distinct(const Map& map) {
  return std::set<std::size_t>(map.begin(), map.end()).size() == map.size();
}

bool within(std::span<const std::uint32_t> part, std::span<const std::uint32_t> whole) {
  return std::ranges::all_of(part, [&](std::uint32_t one) { return std::ranges::find(whole, one) != whole.end(); });
}

/// Whether every label and edge of the query is kept.
bool keeps(const datasets::LabelledGraph& query, const datasets::LabelledGraph& data, const Map& map) {
  for (std::size_t u = 0; u < map.size(); ++u) {
    if (!within(query.labels(static_cast<Vertex>(u)), data.labels(static_cast<Vertex>(map[u])))) return false;
    for (std::uint64_t slot = query.graph.offsets[u]; slot < query.graph.offsets[u + 1]; ++slot) {
      const std::size_t to = map[query.graph.neighbors[slot]];
      const auto row = data.graph.row(static_cast<Vertex>(map[u]));
      const auto found = std::ranges::find(row, to);
      if (found == row.end()) return false;
      const auto data_slot = data.graph.offsets[map[u]] + static_cast<std::uint64_t>(found - row.begin());
      if (!within(query.slot_labels(slot), data.slot_labels(data_slot))) return false;
    }
  }
  return true;
}

/// The labels of the vertices that both have.
std::set<std::uint32_t> shared(const datasets::LabelledGraph& graph, const LabelledEdge& a, const LabelledEdge& b) {
  std::set<std::uint32_t> labels;
  for (const Vertex end : {a.u, a.v}) {
    if (end == b.u || end == b.v) labels.insert(graph.labels(end)[0]);
  }
  return labels;
}

/// Whether different edges go to different ones of their labels, edges that share a vertex to such that share one of
/// its label (gsi2020 §VII-A).
bool keeps_edges(const datasets::LabelledGraph& query, const std::vector<LabelledEdge>& query_edges,
                 const datasets::LabelledGraph& data, const std::vector<LabelledEdge>& data_edges, const Map& map) {
  const auto labels = [](const datasets::LabelledGraph& graph, const LabelledEdge& edge) {
    return std::multiset<std::uint32_t>{graph.labels(edge.u)[0], graph.labels(edge.v)[0]};
  };
  for (std::size_t i = 0; i < map.size(); ++i) {
    const LabelledEdge& image = data_edges[map[i]];
    if (query_edges[i].label != image.label || labels(query, query_edges[i]) != labels(data, image)) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (!std::ranges::includes(shared(data, image, data_edges[map[j]]),
                                 shared(query, query_edges[i], query_edges[j]))) {
        return false;
      }
    }
  }
  return distinct(map);
}

}  // namespace

std::vector<LabelledEdge> edges_of(const datasets::LabelledGraph& graph) {
  std::vector<LabelledEdge> edges;
  for (std::int64_t i = 0; i < graph.vertices(); ++i) {
    const auto u = static_cast<Vertex>(i);
    for (std::uint64_t slot = graph.graph.offsets[u]; slot < graph.graph.offsets[u + 1]; ++slot) {
      const Vertex v = graph.graph.neighbors[slot];
      if (u > v) continue;
      if (!graph.has_edge_labels()) edges.push_back({u, v, 0});
      for (const std::uint32_t label : graph.slot_labels(slot)) edges.push_back({u, v, label});
    }
  }
  std::ranges::sort(edges, {}, [](const LabelledEdge& edge) { return std::tuple(edge.u, edge.label, edge.v); });
  return edges;
}

std::vector<Map> all_matches(const datasets::GraphQueries& graphs, std::int64_t i, const std::string& semantics) {
  const datasets::LabelledGraph query = graphs.query(i);
  std::vector<Map> matches;
  if (semantics == "edge_isomorphism") {
    const std::vector<LabelledEdge> query_edges = edges_of(query);
    const std::vector<LabelledEdge> data_edges = edges_of(graphs.data);
    for_each_map(query_edges.size(), data_edges.size(), [&](const Map& map) {
      if (keeps_edges(query, query_edges, graphs.data, data_edges, map)) matches.push_back(map);
    });
    return matches;
  }
  for_each_map(static_cast<std::size_t>(query.vertices()), static_cast<std::size_t>(graphs.data.vertices()),
               [&](const Map& map) {
                 if ((semantics == "homomorphism" || distinct(map)) && keeps(query, graphs.data, map)) {
                   matches.push_back(map);
                 }
               });
  return matches;
}

std::uint64_t digest_of(const std::vector<Map>& matches) {
  std::uint64_t sum = 0;
  for (const Map& match : matches) {
    std::uint64_t parts = 0;
    for (std::size_t u = 0; u < match.size(); ++u) {
      parts += matching::digest_part(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(match[u]));
    }
    sum += matching::digest_of_match(parts);
  }
  return sum;
}

}  // namespace warpbench::testing
