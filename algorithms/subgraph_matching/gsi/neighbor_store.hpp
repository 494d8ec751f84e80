// NeighborStore: the data graph in one of the four structures for N(v, l) (gsi2020 §IV), made on the host, resident on
// the device. The document has the partition of one edge label on the GPU at a time; here all are there, so that a
// query copies none.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithms/subgraph_matching/gsi/neighbors.cuh"
#include "algorithms/subgraph_matching/label_partitions.hpp"
#include "device/buffer.hpp"
#include "device/resident.hpp"
#include "solvers/solver.hpp"

namespace warpbench::matching::gsi {

enum class Structure { csr, basic, compressed, pcsr };

class NeighborStore {
 public:
  /// `gpn`: of PCSR. `graph` outlives the store. Throws OutOfDeviceMemory where a basic representation could never fit
  /// on the device, Unsupported.
  NeighborStore(const Graph& graph, Structure structure, int gpn);
  void upload(Stream& stream);

  /// The number of edges with each label.
  [[nodiscard]] std::vector<std::uint64_t> frequencies() const;
  /// PCSR: the most vertices of a group, and the groups that others overflow to; else 0.
  [[nodiscard]] std::uint32_t longest_conflict() const { return longest_conflict_; }
  [[nodiscard]] std::uint64_t overflows() const { return overflows_; }
  /// The highest degree: no N(v, l) is longer.
  [[nodiscard]] std::int64_t longest_row() const { return longest_row_; }

  /// Calls body(neighbors) with the structure's partition of `label`.
  template <typename Body>
  void at(Label label, Body body) const {
    switch (structure_) {
      case Structure::csr:
        return body(CsrNeighbors{csr_offsets_.view(), column_index_.view(), edge_labels_.view(), label});
      case Structure::basic:
        return body(BasicNeighbors{
            basic_offsets_.view().subview(std::int64_t{label} * (graph_->vertices() + 1), graph_->vertices() + 1),
            columns(label)});
      case Structure::compressed:
        return body(compressed(label));
      case Structure::pcsr:
        return body(PcsrNeighbors{pairs_.view().subview(first(label) * group_words_, size(label) * group_words_),
                                  columns(label), group_words_});
    }
    throw std::logic_error("no such structure of neighbours");
  }

 private:
  [[nodiscard]] std::int64_t first(Label label) const {
    return static_cast<std::int64_t>(partitions_.vertex_offsets[label]);
  }
  [[nodiscard]] std::int64_t size(Label label) const { return static_cast<std::int64_t>(partitions_.size(label)); }
  [[nodiscard]] View<const Vertex> columns(Label label) const {
    return column_index_.view().subview(static_cast<std::int64_t>(partitions_.slot_offsets[label]),
                                        static_cast<std::int64_t>(partitions_.slots(label)));
  }
  [[nodiscard]] CompressedNeighbors compressed(Label label) const {
    return {vertices_.view().subview(first(label), size(label)),
            offsets_.view().subview(first(label) + label, size(label) + 1), columns(label)};
  }
  void pin_compressed();
  void pin_pcsr(int gpn);
  void make_basic_offsets(Stream& stream);

  const Graph* graph_;
  Structure structure_;
  int group_words_;
  LabelPartitions partitions_;
  std::int64_t longest_row_ = 0;
  std::uint32_t longest_conflict_ = 0;
  std::uint64_t overflows_ = 0;

  // Each structure fills some of these.
  Resident<std::uint64_t> csr_offsets_;
  Resident<Label> edge_labels_;
  Resident<Vertex> column_index_;
  Resident<Vertex> vertices_;
  Resident<std::uint32_t> offsets_;
  Resident<std::uint32_t> pairs_;
  Buffer<std::uint32_t> basic_offsets_;
};

}  // namespace warpbench::matching::gsi
