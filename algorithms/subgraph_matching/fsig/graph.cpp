#include "algorithms/subgraph_matching/fsig/graph.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "algorithms/subgraph_matching/fsig/filter/label_order.hpp"
#include "device/integers.hpp"
#include "solvers/subgraph_matching/label_statistics.hpp"

namespace warpbench::matching::fsig {
namespace {

/// More labels would make the table of their offsets large.
constexpr std::int64_t kMostOrderedLabels = 1 << 16;

std::uint32_t size_of(const auto& values) {
  return static_cast<std::uint32_t>(values.size());
}

/// The class of each vertex.
std::vector<std::size_t> classes_of(const Graph& data) {
  std::vector<std::size_t> classes;
  classes.reserve(static_cast<std::size_t>(data.vertices()));
  for (std::int64_t i = 0; i < data.vertices(); ++i) {
    const auto v = static_cast<Vertex>(i);
    classes.push_back(class_of(data.labels[v], static_cast<std::uint32_t>(data.degree(v))));
  }
  return classes;
}

}  // namespace

void ResidentGraph::prepare(const Graph& data, bool by_label, Phases& phases) {
  data_ = &data;
  {
    const auto scope = phases.cpu("neighbor_label_counters");
    label_counters_ = count_neighbor_labels(data);
    label_frequencies_ = label_frequencies(data);
  }
  class_offsets_.clear();
  ordered_vertices_ = {};
  ordered_degrees_.reset();
  ordered_counters_.reset();
  if (by_label && data.single_labels() && data.vertex_label_count <= kMostOrderedLabels) {
    const auto scope = phases.cpu("order_by_label");
    order_by_label();
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
  upload_order(stream);
}

/// A counting sort by class.
void ResidentGraph::order_by_label() {
  const std::vector<std::size_t> classes = classes_of(*data_);
  class_offsets_.assign(first_class(static_cast<Label>(data_->vertex_label_count)) + 1, 0);
  for (const std::size_t of_vertex : classes) ++class_offsets_[of_vertex + 1];
  std::partial_sum(class_offsets_.begin(), class_offsets_.end(), class_offsets_.begin());
  std::vector<Vertex> order(classes.size());
  std::vector<std::int64_t> next = class_offsets_;
  for (std::size_t v = 0; v < classes.size(); ++v) {
    order[static_cast<std::size_t>(next[classes[v]]++)] = static_cast<Vertex>(v);
  }
  ordered_vertices_.pin(order);
}

DataGraphView ResidentGraph::view() const {
  return {offsets_.view(),     neighbors_.view(),
          edge_labels_.view(), degrees_.view(),
          labels_.view(),      label_offsets_.view(),
          counters_.view(),    {ordered_vertices_.view(), ordered_degrees_.view(), ordered_counters_.view()},
          data_->vertices()};
}

std::int64_t ResidentGraph::bytes() const {
  return offsets_.bytes() + neighbors_.bytes() + edge_labels_.bytes() + degrees_.bytes() + labels_.bytes() +
         label_offsets_.bytes() + counters_.bytes() + ordered_vertices_.view().bytes() + ordered_degrees_.bytes() +
         ordered_counters_.bytes();
}

std::vector<PlaceRange> ResidentGraph::places_of(const QueryTables& query) const {
  std::vector<PlaceRange> ranges;
  const bool ordered = !ordered_vertices_.view().empty();
  for (std::size_t u = 0; u < query.vertices.size(); ++u) {
    const QueryVertex& vertex = query.vertices[u];
    const Label label = ordered ? query.labels[vertex.labels_begin] : kNone<Label>;
    auto range = std::ranges::find(ranges, label, &PlaceRange::label);
    if (range == ranges.end()) range = ranges.insert(range, {0, ordered ? 0 : data_->vertices(), 0, label, 0});
    range->query_vertices |= 1U << u;
    if (!ordered) continue;
    range->begin = class_offsets_[first_class(label)];
    range->end = std::max(range->end, class_offsets_[class_of(label, vertex.degree) + 1]);
  }
  std::int64_t groups = 0;
  for (PlaceRange& range : ranges) {
    range.first_group = groups;
    groups += ceil_div(range.end - range.begin, PlaceRange::kGroup);
  }
  return ranges;
}

std::int64_t ResidentGraph::max_candidates(const Graph& query, Vertex u) const {
  return std::min(data_->vertices(), rarest_frequency(query, u, label_frequencies_));
}

std::int64_t groups_of(std::span<const PlaceRange> ranges) {
  if (ranges.empty()) return 0;
  const PlaceRange& last = ranges.back();
  return last.first_group + ceil_div(last.end - last.begin, PlaceRange::kGroup);
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
  const auto [vertices, labels, needs, slots, places] =
      arena.put_all(stream, std::span(tables.vertices), std::span(tables.labels), std::span(tables.needs),
                    std::span(tables.slots), std::span(tables.places));
  return {vertices, labels, needs, slots, places};
}

}  // namespace warpbench::matching::fsig
