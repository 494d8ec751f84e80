#include "algorithms/subgraph_matching/fsig/graph.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "algorithms/subgraph_matching/keep_on_device.hpp"

namespace warpbench::matching::fsig {
namespace {

std::uint32_t size_of(const auto& values) {
  return static_cast<std::uint32_t>(values.size());
}

}  // namespace

void ResidentGraph::prepare(const Graph& data) {
  data_ = &data;
  neighbor_labels_ = fsig::neighbor_labels(data);
  host_degrees_.resize(static_cast<std::size_t>(data.vertices()));
  for (std::size_t v = 0; v < host_degrees_.size(); ++v) {
    host_degrees_[v] = static_cast<std::uint32_t>(data.degree(static_cast<Vertex>(v)));
  }
  label_vertices_.assign(static_cast<std::size_t>(data.vertex_label_count), 0);
  for (const Label label : data.labels) ++label_vertices_[label];
}

void ResidentGraph::upload(Stream& stream) {
  keep_on_device(offsets_, data_->offsets, stream);
  keep_on_device(neighbors_, data_->neighbors, stream);
  if (data_->edge_label_count > 1) keep_on_device(edge_labels_, data_->edge_labels, stream);
  keep_on_device(degrees_, host_degrees_, stream);
  keep_on_device(labels_, data_->labels, stream);
  if (!data_->single_labels()) keep_on_device(label_offsets_, data_->label_offsets, stream);
  keep_on_device(counters_, neighbor_labels_.words, stream);
}

DeviceGraph ResidentGraph::view() const {
  return {offsets_.view(), neighbors_.view(),     edge_labels_.view(), degrees_.view(),
          labels_.view(),  label_offsets_.view(), counters_.view(),    data_->vertices()};
}

std::int64_t ResidentGraph::bytes() const {
  return offsets_.bytes() + neighbors_.bytes() + edge_labels_.bytes() + degrees_.bytes() + labels_.bytes() +
         label_offsets_.bytes() + counters_.bytes();
}

std::int64_t ResidentGraph::most_candidates(const Graph& query, Vertex u) const {
  std::int64_t most = data_->vertices();
  for (const Label label : query.labels_of(u)) {
    most = std::min(most, label == kNoLabel ? 0 : label_vertices_[label]);
  }
  return most;
}

QueryTables query_tables(const Graph& query, const NeighborLabels& numbers, bool injective) {
  QueryTables tables;
  tables.exact = numbers.exact();
  for (std::int64_t i = 0; i < query.vertices(); ++i) {
    const auto u = static_cast<Vertex>(i);
    QueryVertex vertex{};
    vertex.degree = injective ? static_cast<std::uint32_t>(query.degree(u)) : 0;
    vertex.labels_begin = size_of(tables.labels);
    vertex.needs_begin = size_of(tables.needs);
    vertex.slots_begin = size_of(tables.slots);
    for (const Label label : query.labels_of(u)) {
      tables.impossible |= label == kNoLabel;
      tables.labels.push_back(label);
    }
    std::map<std::pair<Label, Label>, std::uint32_t> counts;
    for (std::size_t j = 0; j < query.row(u).size(); ++j) {
      const QuerySlot slot{query.row(u)[j], query.row_labels(u)[j]};
      tables.impossible |= slot.edge_label == kNoLabel;
      tables.slots.push_back(slot);
      for (const Label label : query.labels_of(slot.to)) ++counts[{slot.edge_label, label}];
    }
    for (const auto& [pair, count] : counts) {
      if (pair.first == kNoLabel || pair.second == kNoLabel) continue;  // impossible anyway
      const std::uint32_t needed = injective ? count : 1;
      tables.exact &= needed <= NeighborLabels::kMost;
      tables.needs.push_back({pair.first, pair.second, needed, numbers.group(pair.first, pair.second)});
    }
    vertex.labels_end = size_of(tables.labels);
    vertex.needs_end = size_of(tables.needs);
    vertex.slots_end = size_of(tables.slots);
    tables.vertices.push_back(vertex);
  }
  return tables;
}

DeviceQuery put(const QueryTables& tables, QueryMemory& memory, Stream& stream) {
  return {memory.put<QueryVertex>(tables.vertices, stream), memory.put<Label>(tables.labels, stream),
          memory.put<Need>(tables.needs, stream), memory.put<QuerySlot>(tables.slots, stream)};
}

}  // namespace warpbench::matching::fsig
