// The data graph of fsig on the device, and a query as its filter's kernels read it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/subgraph_matching/fsig/neighbor_label_counters.hpp"
#include "device/arena.hpp"
#include "device/buffer.hpp"
#include "device/resident.hpp"
#include "problems/subgraph_matching/graph.hpp"
#include "solvers/phases.hpp"

namespace warpbench::matching::fsig {

/// The data vertices by label, those of a label by falling class of degree: a query asks for some labels and least
/// degrees alone. Degrees and counters are in this order, too. All are empty where vertices are not ordered.
struct LabelOrderView {
  View<const Vertex> vertices;
  View<const std::uint32_t> degrees;
  View<const std::uint32_t> counters;  ///< as DataGraphView's
};

/// Graph's arrays (problems/subgraph_matching/graph.hpp), and degrees and counters, which the filter reads most.
struct DataGraphView {
  View<const std::uint64_t> offsets;
  View<const Vertex> neighbors;
  View<const Label> edge_labels;  ///< empty where all are 0
  View<const std::uint32_t> degrees;
  View<const Label> labels;                 ///< a vertex each, or as label_offsets says
  View<const std::uint64_t> label_offsets;  ///< empty where each vertex has one label
  View<const std::uint32_t> counters;       ///< NeighborLabelCounters::words
  LabelOrderView by_label;
  std::int64_t vertices;
};

/// Data vertices that are to be looked at for some query vertices: places in DataGraphView::by_label, or vertices where
/// that is empty.
struct PlaceRange {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t first_group;      ///< groups of PlaceRange::kGroup places in the ranges before
  Label label;                   ///< of all of them; kNone: they have to be asked
  std::uint32_t query_vertices;  ///< a bit each

  static constexpr std::int64_t kGroup = 128;
};

/// Groups of all ranges together.
[[nodiscard]] std::int64_t groups_of(std::span<const PlaceRange> ranges);

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
  View<const PlaceRange> places;
};
/// The same on the host.
struct QueryTables {
  std::vector<QueryVertex> vertices;
  std::vector<Label> labels;
  std::vector<Need> needs;
  std::vector<QuerySlot> slots;
  std::vector<PlaceRange> places;
  bool exact = true;        ///< the counters alone decide: each is of one pair and counts far enough
  bool impossible = false;  ///< the query asks for a label that the data graph does not have
};

class ResidentGraph {
 public:
  /// Builds what depends on the graph alone, and its pinned copies; `by_label`: that order, too, where vertices have
  /// one label each. The graph outlives this.
  void prepare(const Graph& data, bool by_label, Phases& phases);
  /// Allocates once. Goes without the order where there is no room for it. Throws OutOfDeviceMemory.
  void upload(Stream& stream);

  [[nodiscard]] DataGraphView view() const;
  [[nodiscard]] std::int64_t bytes() const;
  [[nodiscard]] const Graph& host() const { return *data_; }
  [[nodiscard]] const NeighborLabelCounters& label_counters() const { return label_counters_; }
  /// An upper bound on the candidates of `u`: the data vertices with its rarest label.
  [[nodiscard]] std::int64_t max_candidates(const Graph& query, Vertex u) const;
  /// Where candidates for the query vertices can be, of which there are at most 32.
  [[nodiscard]] std::vector<PlaceRange> places_of(const QueryTables& query) const;

 private:
  void order_by_label();
  void upload_order(Stream& stream);

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
  /// Where the vertices of each class of each label begin in the order; empty where there is none.
  std::vector<std::int64_t> class_offsets_;
  Resident<Vertex> ordered_vertices_;
  Buffer<std::uint32_t> ordered_degrees_;
  Buffer<std::uint32_t> ordered_counters_;
};

[[nodiscard]] QueryTables query_tables(const Graph& query, const NeighborLabelCounters& counters, bool injective);
[[nodiscard]] DeviceQuery put(const QueryTables& tables, Arena& arena, Stream& stream);

}  // namespace warpbench::matching::fsig
