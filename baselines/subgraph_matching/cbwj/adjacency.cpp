#include "baselines/subgraph_matching/cbwj/adjacency.hpp"

#include <algorithm>
#include <tuple>

#include "baselines/subgraph_matching/neighbor_labels.hpp"
#include "solvers/gallop.hpp"

namespace warpbench::matching::cbwj {

LabelledAdjacency::LabelledAdjacency(const Graph& graph) {
  using Entry = std::tuple<Label, Label, Vertex>;
  std::vector<Entry> row;
  offsets_.assign(1, 0);
  for (std::int64_t v = 0; v < graph.vertices(); ++v) {
    row.clear();
    for_each_neighbor_label(graph, static_cast<Vertex>(v),
                            [&row](Label edge, Label vertex, Vertex to) { row.emplace_back(edge, vertex, to); });
    std::ranges::sort(row);
    for (const auto& [edge, vertex, to] : row) {
      if (lists_.size() == offsets_.back() || lists_.back().edge != edge || lists_.back().vertex != vertex) {
        lists_.push_back({edge, vertex, neighbors_.size()});
      }
      neighbors_.push_back(to);
    }
    offsets_.push_back(lists_.size());
  }
  lists_.push_back({kNone<Label>, kNone<Label>, neighbors_.size()});
}

std::span<const Vertex> LabelledAdjacency::list(Vertex v, Label edge, Label vertex) const {
  const auto own = std::span(lists_).subspan(offsets_[v], offsets_[std::size_t{v} + 1] - offsets_[v]);
  const auto found = std::ranges::lower_bound(own, std::pair(edge, vertex), {},
                                              [](const List& list) { return std::pair(list.edge, list.vertex); });
  if (found == own.end() || found->edge != edge || found->vertex != vertex) return {};
  const List* const list = &*found;
  return std::span(neighbors_).subspan(list->first, (list + 1)->first - list->first);
}

namespace {

void keep_common(std::vector<Vertex>& common, std::span<const Vertex> list) {
  std::size_t at = 0;
  std::size_t kept = 0;
  for (const Vertex v : common) {
    at = gallop<Vertex>(list, at, v);
    if (at == list.size()) break;
    if (list[at] == v) common[kept++] = v;
  }
  common.resize(kept);
}

}  // namespace

std::span<const Vertex> intersection(std::vector<std::span<const Vertex>>& lists, std::vector<Vertex>& common) {
  if (lists.size() == 1) return lists[0];
  std::ranges::sort(lists, {}, [](std::span<const Vertex> list) { return list.size(); });
  common.assign(lists[0].begin(), lists[0].end());
  for (std::size_t i = 1; i < lists.size() && !common.empty(); ++i) keep_common(common, lists[i]);
  return common;
}

}  // namespace warpbench::matching::cbwj
