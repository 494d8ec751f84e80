#include "problems/subgraph_matching/reference_candidates.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace warpbench::matching {
namespace {

/// Of so many, starting threads takes longer than looking at them.
constexpr std::size_t kFewVertices = 256;
/// Every so many vertices, or edges, the clock is looked at.
constexpr std::size_t kLook = 64;
/// Lists are kept as long as they take no more for each slot of the graph.
constexpr std::size_t kListBytesPerSlot = 16;

/// Calls body(neighbour, edge label) for each edge at v.
template <typename Body>
void for_each_edge(const Graph& graph, Vertex v, const Body& body) {
  for (std::uint64_t slot = graph.offsets[v]; slot < graph.offsets[std::size_t{v} + 1]; ++slot) {
    body(graph.neighbors[slot], graph.edge_labels[slot]);
  }
}

bool has_label(const Graph& graph, Vertex v, Label label) {
  const auto end = graph.label_offsets[std::size_t{v} + 1];
  for (std::uint64_t i = graph.label_offsets[v]; i < end; ++i) {
    if (graph.labels[i] == label) return true;
  }
  return false;
}

/// So many neighbours of one label by edges of one label.
struct Need {
  Label edge_label;
  Label vertex_label;
  std::uint64_t neighbors;
};

std::vector<Need> needs_of(const Graph& query, Vertex u, bool injective) {
  std::map<std::pair<Label, Label>, std::uint64_t> neighbors;
  for_each_edge(query, u, [&](Vertex w, Label edge_label) {
    for (std::uint64_t i = query.label_offsets[w]; i < query.label_offsets[std::size_t{w} + 1]; ++i) {
      ++neighbors[{edge_label, query.labels[i]}];
    }
  });
  std::vector<Need> needs;
  for (const auto& [labels, count] : neighbors) needs.push_back({labels.first, labels.second, injective ? count : 1});
  return needs;
}

bool meets(const Need& need, const Graph& data, Vertex v) {
  std::uint64_t found = 0;
  for_each_edge(data, v, [&](Vertex to, Label label) {
    if (found < need.neighbors && label == need.edge_label && has_label(data, to, need.vertex_label)) ++found;
  });
  return found == need.neighbors;
}

/// Calls body(i) for i < count, in parallel, until `stop` has a cause. Bodies do not throw.
template <typename Body>
void for_each_until(Stop& stop, std::size_t count, const Body& body) {
#pragma omp parallel for schedule(dynamic, 256) if (count > kFewVertices)
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kLook == 0) stop.look_at_the_clock();
    if (stop.cause() == Stop::Cause::none) body(i);
  }
}

}  // namespace

bool has_labels_of(const Graph& query, Vertex u, const Graph& data, Vertex v) {
  for (std::uint64_t i = query.label_offsets[u]; i < query.label_offsets[std::size_t{u} + 1]; ++i) {
    if (!has_label(data, v, query.labels[i])) return false;
  }
  return true;
}

ReferenceCandidates::ReferenceCandidates(const Graph& query, const Graph& data, bool injective, Stop& stop)
    : data_(data),
      stop_(stop),
      edges_(static_cast<std::size_t>(query.vertices())),
      of_(edges_.size()),
      is_candidate_(edges_.size()) {
  std::vector<Vertex> all(static_cast<std::size_t>(data.vertices()));
  std::iota(all.begin(), all.end(), Vertex{0});
  std::size_t numbers = 0;
  for (Vertex u = 0; u < edges_.size(); ++u) {
    std::map<Vertex, std::vector<Label>> neighbors;
    for_each_edge(query, u, [&](Vertex w, Label label) { neighbors[w].push_back(label); });
    for (auto& [w, labels] : neighbors) edges_[u].push_back({numbers++, u, w, std::move(labels)});
    const std::vector<Need> needs = needs_of(query, u, injective);
    set(u, passing(all, [&](Vertex v) {
          return has_labels_of(query, u, data, v) &&
                 std::ranges::all_of(needs, [&](const Need& need) { return meets(need, data, v); });
        }));
  }
  bool changed = true;
  for (std::size_t round = 0; changed && round < edges_.size(); ++round) {
    changed = false;
    for (Vertex u = 0; u < edges_.size(); ++u) {
      std::vector<Vertex> left = passing(of_[u], [&](Vertex v) {
        return std::ranges::all_of(edges_[u], [&](const ReferenceEdge& edge) { return has_beside(edge, v); });
      });
      if (left.size() == of_[u].size()) continue;
      set(u, std::move(left));
      changed = true;
    }
  }
  std::size_t bytes_left = kListBytesPerSlot * data.neighbors.size();
  for (const std::vector<ReferenceEdge>& edges : edges_) {
    for (const ReferenceEdge& edge : edges) {
      beside_.push_back(lists_of(edge, bytes_left));
      bytes_left -= beside_.back().bytes();
    }
  }
}

template <typename Test>
std::vector<Vertex> ReferenceCandidates::passing(const std::vector<Vertex>& vertices, const Test& test) const {
  std::vector<char> passes(vertices.size());
  for_each_until(stop_, vertices.size(), [&](std::size_t i) { passes[i] = test(vertices[i]) ? 1 : 0; });
  std::vector<Vertex> kept;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (passes[i] != 0) kept.push_back(vertices[i]);
  }
  return kept;
}

void ReferenceCandidates::set(Vertex u, std::vector<Vertex> candidates) {
  is_candidate_[u].assign(static_cast<std::size_t>(data_.vertices()), false);
  for (const Vertex v : candidates) is_candidate_[u][v] = true;
  of_[u] = std::move(candidates);
}

bool ReferenceCandidates::has_beside(const ReferenceEdge& edge, Vertex v) const {
  return std::ranges::all_of(edge.labels, [&](Label label) {
    bool found = false;
    for_each_edge(data_, v, [&](Vertex to, Label of) { found = found || (of == label && is_candidate_[edge.to][to]); });
    return found;
  });
}

template <typename Body>
void ReferenceCandidates::for_each_beside(const ReferenceEdge& edge, Vertex v, const Body& body) const {
  std::size_t looked = 0;
  for_each_edge(data_, v, [&](Vertex to, Label of) {
    if (of != edge.labels[0] || !is_candidate_[edge.to][to] || stop_.cause() != Stop::Cause::none) return;
    std::size_t labels = 1;
    for (std::size_t i = 1; i < edge.labels.size(); ++i) {
      if (++looked % kLook == 0) stop_.look_at_the_clock();
      for_each_edge(data_, v,
                    [&](Vertex other, Label label) { labels += other == to && label == edge.labels[i] ? 1 : 0; });
    }
    if (labels == edge.labels.size()) body(to);
  });
}

ReferenceCandidates::Lists ReferenceCandidates::lists_of(const ReferenceEdge& edge, std::size_t max_bytes) const {
  const std::vector<Vertex>& from = of_[edge.from];
  Lists lists;
  lists.offsets.assign(from.size() + 1, 0);
  for_each_until(stop_, from.size(), [&](std::size_t i) {
    for_each_beside(edge, from[i], [&](Vertex /*to*/) { ++lists.offsets[i + 1]; });
  });
  std::partial_sum(lists.offsets.begin(), lists.offsets.end(), lists.offsets.begin());
  const std::uint64_t vertices = lists.offsets.back();
  if (lists.bytes() + vertices * sizeof(Vertex) > max_bytes) return {};
  lists.vertices.resize(vertices);
  for_each_until(stop_, from.size(), [&](std::size_t i) {
    const auto begin = lists.vertices.begin() + static_cast<std::ptrdiff_t>(lists.offsets[i]);
    auto end = begin;
    for_each_beside(edge, from[i], [&](Vertex to) { *end++ = to; });
    std::sort(begin, end);
  });
  return lists;
}

std::span<const Vertex> ReferenceCandidates::beside(const ReferenceEdge& edge, Vertex v,
                                                    std::vector<Vertex>& memory) const {
  const Lists& lists = beside_[edge.number];
  if (lists.offsets.empty()) {
    memory.clear();
    for_each_beside(edge, v, [&](Vertex to) { memory.push_back(to); });
    std::ranges::sort(memory);
    return memory;
  }
  const std::vector<Vertex>& from = of_[edge.from];
  const auto i = static_cast<std::size_t>(std::ranges::lower_bound(from, v) - from.begin());
  return std::span(lists.vertices).subspan(lists.offsets[i], lists.offsets[i + 1] - lists.offsets[i]);
}

Vertex ReferenceCandidates::rarest() const {
  Vertex best = 0;
  for (Vertex u = 1; u < of_.size(); ++u) {
    if (of_[u].size() < of_[best].size()) best = u;
  }
  return best;
}

}  // namespace warpbench::matching
