// The data graph of fsig on the device, and a query as its filter's kernels read it.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/subgraph_matching/fsig/neighbor_label_counters.hpp"
#include "device/arena.hpp"
#include "device/resident.hpp"
#include "problems/subgraph_matching/graph.hpp"
#include "solvers/phases.hpp"

namespace warpbench::matching::fsig {

/// Graph's arrays (problems/subgraph_matching/graph.hpp), and degrees and counters, which the filter reads most.
struct DataGraphView {
  View<const std::uint64_t> offsets;
  View<const Vertex> neighbors;
  View<const Label> edge_labels;  ///< empty where all are 0
  View<const std::uint32_t> degrees;
  View<const Label> labels;                 ///< a vertex each, or as label_offsets says
  View<const std::uint64_t> label_offsets;  ///< empty where each vertex has one label
  View<const std::uint32_t> counters;       ///< NeighborLabelCounters::words
  std::int64_t vertices;
};

class ResidentGraph {
 public:
  /// Builds what depends on the graph alone, and its pinned copies. The graph outlives this.
  void prepare(const Graph& data, Phases& phases);
  /// Allocates once. Throws OutOfDeviceMemory.
  void upload(Stream& stream);

  [[nodiscard]] DataGraphView view() const;
  [[nodiscard]] std::int64_t bytes() const;
  [[nodiscard]] const Graph& host() const { return *data_; }
  [[nodiscard]] const NeighborLabelCounters& label_counters() const { return label_counters_; }
  /// An upper bound on the candidates of `u`: the data vertices with its rarest label.
  [[nodiscard]] std::int64_t max_candidates(const Graph& query, Vertex u) const;

 private:
  const Graph* data_ = nullptr;
  NeighborLabelCounters label_counters_;  ///< without its words once they are pinned
  std::vector<std::int64_t> label_frequencies_;
  Resident<std::uint64_t> offsets_;
  Resident<Vertex> neighbors_;
  Resident<Label> edge_labels_;
  Resident<std::uint32_t> degrees_;
  Resident<Label> labels_;
  Resident<std::uint64_t> label_offsets_;
  Resident<std::uint32_t> counters_;
};

/// A query vertex: ranges of DeviceQuery's arrays.
struct QueryVertex {
  std::uint32_t labels_begin;
  std::uint32_t labels_end;
  std::uint32_t needs_begin;
  std::uint32_t needs_end;
  std::uint32_t slots_begin;
  std::uint32_t slots_end;
  std::uint32_t degree;  ///< 0 where a match need not be injective: then edges may fall together
};
/// A query vertex has `count` neighbours with `label` by edges of `edge_label` (1 where they may fall together).
struct Need {
  Label edge_label;
  Label label;
  std::uint32_t count;
  std::uint32_t group;  ///< of NeighborLabelCounters
};
struct QuerySlot {
  Vertex to;
  Label edge_label;
};
struct DeviceQuery {
  View<const QueryVertex> vertices;
  View<const Label> labels;
  View<const Need> needs;
  View<const QuerySlot> slots;  ///< as the query's own
};
/// The same on the host.
struct QueryTables {
  std::vector<QueryVertex> vertices;
  std::vector<Label> labels;
  std::vector<Need> needs;
  std::vector<QuerySlot> slots;
  bool exact = true;        ///< the counters alone decide: each is of one pair and counts far enough
  bool impossible = false;  ///< the query asks for a label that the data graph does not have
};
[[nodiscard]] QueryTables query_tables(const Graph& query, const NeighborLabelCounters& counters, bool injective);
[[nodiscard]] DeviceQuery put(const QueryTables& tables, Arena& arena, Stream& stream);

}  // namespace warpbench::matching::fsig
