// wukong-g: Wukong+G (Wang et al. 2018; gsi2020 §VIII, §IX), an RDF engine that explores a graph pattern by pattern: a
// table of bindings begins with the vertices of a label, from an index, and takes one query edge after the other. A row
// looks its vertex up in the key-value store of the edge's label and is extended by all neighbours found there, or is
// kept if the vertex it has already is among them. Patterns on labels are passes of their own: no candidates are
// computed beforehand. A thread a row.
//
// It finds homomorphisms; as in gsi2020 it is extended to isomorphism, by removing rows that have a vertex
// twice, in the pass that tests labels. Wukong+G's strength, swapping segments of a store that exceeds the GPU's
// memory, is left out: the whole store is resident. The order of patterns is by the mean number of neighbours along a
// label and the frequency of the far end's. The counters of candidates are what the index says: the frequency of a
// query vertex's rarest label.
#include <algorithm>

#include "algorithms/subgraph_matching/edge_join/solver.cuh"
#include "algorithms/subgraph_matching/wukong_g/store.hpp"
#include "solvers/solver.hpp"

namespace warpbench::matching {
namespace {

using namespace edge_join;

/// A segment of the store on the device.
struct DeviceSegment {
  StoreSegment segment;
  View<const StoreEntry> entries;
  View<const Vertex> neighbors;

  __device__ __forceinline__ SlotRange range(Vertex v) const {
    if (segment.buckets == 0) return {};
    std::int64_t bucket = bucket_of(segment, v);
    do {
      for (std::int64_t i = 0; i + 1 < kBucketEntries; ++i) {
        const StoreEntry& entry = entries[bucket * kBucketEntries + i];
        if (entry.vertex != v) continue;
        const auto begin = static_cast<std::int64_t>(entry.offset);
        return {begin, begin + entry.size};
      }
      bucket = static_cast<std::int64_t>(entries[(bucket + 1) * kBucketEntries - 1].offset);
    } while (bucket != 0);
    return {};
  }
  __device__ __forceinline__ Vertex vertex(std::int64_t slot) const { return neighbors[slot]; }
};

/// The index from a label to its vertices.
struct LabelIndex {
  std::vector<std::int64_t> offsets;  // vertex labels + 1
  std::vector<Vertex> vertices;

  explicit LabelIndex(const Graph& graph) : offsets(static_cast<std::size_t>(graph.vertex_label_count) + 1, 0) {
    for (const Label label : graph.labels) ++offsets[std::size_t{label} + 1];
    for (std::size_t l = 1; l < offsets.size(); ++l) offsets[l] += offsets[l - 1];
    std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
    vertices.resize(graph.labels.size());
    for (std::int64_t i = 0; i < graph.vertices(); ++i) {
      const auto v = static_cast<Vertex>(i);
      for (const Label label : graph.labels_of(v)) vertices[static_cast<std::size_t>(next[label]++)] = v;
    }
  }
};

class WukongG final : public EdgeJoinSolver {
 public:
  explicit WukongG(const Parameters& /*parameters*/) {}

 private:
  void pin_graph(const Graph& data) override {
    const LabelPartitions partitions = partition_by_label(data);
    KeyValueStore store = make_store(partitions);
    entries_.pin(store.entries);
    segments_ = std::move(store.segments);
    fan_out_.clear();
    for (std::size_t label = 0; label < segments_.size(); ++label) fan_out_.push_back(mean_size(partitions, label));
    LabelIndex index(data);
    indexed_.pin(index.vertices);
    index_offsets_ = std::move(index.offsets);
    neighbors_.pin(data.neighbors);
  }
  void upload_graph() override {
    entries_.upload(stream());
    indexed_.upload(stream());
    neighbors_.upload(stream());
  }

  /// The mean number of neighbours along a label, of vertices that have such an edge.
  static double mean_size(const LabelPartitions& partitions, std::size_t label) {
    const auto first = partitions.sizes.begin() + static_cast<std::ptrdiff_t>(partitions.vertex_offsets[label]);
    const auto last = partitions.sizes.begin() + static_cast<std::ptrdiff_t>(partitions.vertex_offsets[label + 1]);
    const double all = std::accumulate(first, last, 0.0);
    return first == last ? 0.0 : all / static_cast<double>(last - first);
  }

  void find(const Graph& query, JoinRun& run, QueryAnswer& answer, Phases& phases) override {
    std::vector<std::int64_t> sizes;
    for (std::int64_t i = 0; i < query.vertices(); ++i) {
      sizes.push_back(rarest_frequency(query, static_cast<Vertex>(i), label_frequencies()));
    }
    if (!report_candidates(sizes, answer)) return;
    const QueryLabels labels(query, stream());
    const auto first = static_cast<Vertex>(std::ranges::min_element(sizes) - sizes.begin());
    bool in_time = false;
    filtered(phases, [&] { in_time = start(query, labels, first, run); });
    if (!in_time) return;
    const auto scope = phases.gpu("join", stream());
    const std::vector<Edge> edges = edges_of(query);
    const EdgeJoinPlan plan = plan_joins(edges, first, [&](std::size_t edge, Vertex, Vertex to) {
      const Label label = edges[edge].label;
      return (label < fan_out_.size() ? fan_out_[label] : 0.0) * static_cast<double>(sizes[to]);
    });
    join_edges<1>(
        run, plan, Testing::in_passes,
        [&](const EdgeJoin& join) {
          return DeviceSegment{segment(join.label), entries_.view(), neighbors_.view()};
        },
        [&](Vertex u) {
          return Conditions{injective(), device_labels(), labels.of(u)};
        },
        answer);
  }

  /// The vertices with the rarest label of u, as the index has them, and with the others.
  [[nodiscard]] bool start(const Graph& query, const QueryLabels& labels, Vertex u, JoinRun& run) {
    const auto frequency = [&](Label label) { return label_frequencies()[label]; };
    const Label rarest = *std::ranges::min_element(query.labels_of(u), {}, frequency);
    const View<const Vertex> vertices = indexed_.view().subview(index_offsets_[rarest], frequency(rarest));
    if (!run.start(u, vertices)) return false;
    if (query.labels_of(u).size() == 1) return true;
    return run.join<1>(RowTest{{false, device_labels(), labels.of(u)}}, std::nullopt);
  }

  [[nodiscard]] StoreSegment segment(Label label) const {
    return label < segments_.size() ? segments_[label] : StoreSegment{};
  }

  std::vector<StoreSegment> segments_;
  std::vector<double> fan_out_;  // of edge labels
  std::vector<std::int64_t> index_offsets_;
  Resident<StoreEntry> entries_;
  Resident<Vertex> indexed_;
  Resident<Vertex> neighbors_;
};

}  // namespace

WARPBENCH_SOLVER(SubgraphMatching, WukongG,
                 {.id = "wukong-g",
                  .title = "Wukong+G: exploration pattern by pattern in a key-value store of neighbours",
                  .source = "gsi2020 §VIII, §IX",
                  .role = Role::gpu_baseline,
                  .device = Target::gpu})

}  // namespace warpbench::matching
