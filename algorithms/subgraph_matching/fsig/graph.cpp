#include "algorithms/subgraph_matching/fsig/graph.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "solvers/subgraph_matching/label_statistics.hpp"

namespace warpbench::matching::fsig {
namespace {

std::uint32_t size_of(const auto& values) {
  return static_cast<std::uint32_t>(values.size());
}

}  // namespace

void ResidentGraph::prepare(const Graph& data, Phases& phases) {
  data_ = &data;
  {
    const auto scope = phases.cpu("neighbor_label_counters");
    label_counters_ = count_neighbor_labels(data);
    label_frequencies_ = label_frequencies(data);
  }
  const auto scope = phases.cpu("pin");
  std::vector<std::uint32_t> degrees(static_cast<std::size_t>(data.vertices()));
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    degrees[v] = static_cast<std::uint32_t>(data.degree(static_cast<Vertex>(v)));
  }
  offsets_.pin(data.offsets);
  neighbors_.pin(data.neighbors);
  if (data.edge_label_count > 1) edge_labels_.pin(data.edge_labels);
  degrees_.pin(degrees);
  labels_.pin(data.labels);
  if (!data.single_labels()) label_offsets_.pin(data.label_offsets);
  counters_.pin(std::exchange(label_counters_.words, {}));
}

void ResidentGraph::upload(Stream& stream) {
  offsets_.upload(stream);
  neighbors_.upload(stream);
  edge_labels_.upload(stream);
  degrees_.upload(stream);
  labels_.upload(stream);
  label_offsets_.upload(stream);
  counters_.upload(stream);
}

DataGraphView ResidentGraph::view() const {
  return {offsets_.view(), neighbors_.view(),     edge_labels_.view(), degrees_.view(),
          labels_.view(),  label_offsets_.view(), counters_.view(),    data_->vertices()};
}

std::int64_t ResidentGraph::bytes() const {
  return offsets_.bytes() + neighbors_.bytes() + edge_labels_.bytes() + degrees_.bytes() + labels_.bytes() +
         label_offsets_.bytes() + counters_.bytes();
}

std::int64_t ResidentGraph::max_candidates(const Graph& query, Vertex u) const {
  return std::min(data_->vertices(), rarest_frequency(query, u, label_frequencies_));
}

QueryTables query_tables(const Graph& query, const NeighborLabelCounters& counters, bool injective) {
  QueryTables tables;
  tables.exact = counters.exact();
  for (std::int64_t i = 0; i < query.vertices(); ++i) {
    const auto u = static_cast<Vertex>(i);
    QueryVertex vertex{};
    vertex.degree = injective ? static_cast<std::uint32_t>(query.degree(u)) : 0;
    vertex.labels_begin = size_of(tables.labels);
    vertex.needs_begin = size_of(tables.needs);
    vertex.slots_begin = size_of(tables.slots);
    for (const Label label : query.labels_of(u)) {
      tables.impossible |= label == kNone<Label>;
      tables.labels.push_back(label);
    }
    std::map<std::pair<Label, Label>, std::uint32_t> counts;
    for (std::size_t j = 0; j < query.row(u).size(); ++j) {
      const QuerySlot slot{query.row(u)[j], query.row_labels(u)[j]};
      tables.impossible |= slot.edge_label == kNone<Label>;
      tables.slots.push_back(slot);
      for (const Label label : query.labels_of(slot.to)) ++counts[{slot.edge_label, label}];
    }
    for (const auto& [pair, count] : counts) {
      if (pair.first == kNone<Label> || pair.second == kNone<Label>) continue;  // impossible anyway
      const std::uint32_t needed = injective ? count : 1;
      tables.exact &= needed <= NeighborLabelCounters::kMaxCount;
      tables.needs.push_back({pair.first, pair.second, needed, counters.group(pair.first, pair.second)});
    }
    vertex.labels_end = size_of(tables.labels);
    vertex.needs_end = size_of(tables.needs);
    vertex.slots_end = size_of(tables.slots);
    tables.vertices.push_back(vertex);
  }
  return tables;
}

DeviceQuery put(const QueryTables& tables, Arena& arena, Stream& stream) {
  const auto [vertices, labels, needs, slots] = arena.put_all(
      stream, std::span(tables.vertices), std::span(tables.labels), std::span(tables.needs), std::span(tables.slots));
  return {vertices, labels, needs, slots};
}

}  // namespace warpbench::matching::fsig
