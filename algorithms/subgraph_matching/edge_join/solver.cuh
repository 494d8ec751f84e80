// EdgeJoinSolver: base of the solvers that join one query edge after another: GpSM, GunrockSM, MAGiQ, Wukong+G. It
// keeps the data graph on the device, runs a filter and a join for each query, and fills the counters that gsi2020
// compares. What it pins it pins in prepare(): a query's time has no allocation on the host.
//
// Counters: candidates_min (gsi2020 table IV) and candidates_mean of the C(u) of a query, filter_s, largest_table_rows,
// unwritten_rows (matches that outputs count and digest leave unwritten), peak_device_bytes (all that this process has
// on the device, table X).
#pragma once

#include <chrono>
#include <map>
#include <numeric>
#include <string>

#include "algorithms/subgraph_matching/edge_join/edge_join.cuh"
#include "device/device.hpp"
#include "solvers/solver.hpp"
#include "solvers/subgraph_matching/label_statistics.hpp"

namespace warpbench::matching::edge_join {

class EdgeJoinSolver : public QuerySolver {
 public:
  void configure(const Parameters& /*parameters*/) final {}
  void upload(Phases& phases) final;

 protected:
  /// Copies to pinned memory what the solver keeps on the device, made from the graph, and uploads it.
  virtual void pin_graph(const Graph& data) = 0;
  virtual void upload_graph() = 0;
  /// The filter, by filtered(); where report_candidates() says that matches are possible, the joins.
  virtual void find(const Graph& query, JoinRun& run, QueryAnswer& answer, Phases& phases) = 0;

  /// Runs body(), the filter.
  template <typename Body>
  void filtered(Phases& phases, const Body& body) {
    const auto start = std::chrono::steady_clock::now();
    {
      const auto scope = phases.gpu("filter", stream_);
      body();
    }
    stream_.synchronize();
    counters_["filter_s"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  /// Reports the sizes |C(u)|. False where one is 0: there is no match, and the answer says so.
  [[nodiscard]] bool report_candidates(const std::vector<std::int64_t>& sizes, QueryAnswer& answer);

  /// By label, and, where matches are injective, by degree. `offsets`: those of the graph's rows.
  [[nodiscard]] VertexTest test_of(const Graph& query, const QueryLabels& labels, Vertex u,
                                   View<const std::uint64_t> offsets) const {
    return {labels_.view(), labels.of(u), offsets, injective() ? query.degree(u) : 0};
  }
  /// By label alone.
  [[nodiscard]] VertexTest label_test(const QueryLabels& labels, Vertex u) const {
    return {labels_.view(), labels.of(u), {}, 0};
  }
  [[nodiscard]] DeviceLabels device_labels() const { return labels_.view(); }
  /// The condition of isomorphism on a new vertex of a row.
  [[nodiscard]] Conditions distinctness() const { return {injective(), {}, {}}; }
  [[nodiscard]] const std::vector<std::int64_t>& label_frequencies() const { return frequencies_; }
  [[nodiscard]] std::int64_t data_vertices() const { return vertices_; }
  [[nodiscard]] Stream& stream() { return stream_; }

 private:
  void prepare_graph(const Graph& data, Phases& phases) final;
  void match(const Graph& query, const Deadline& deadline, QueryAnswer& answer, Phases& phases) final;
  [[nodiscard]] std::map<std::string, double> query_counters() const final { return counters_; }

  PinnedBuffer<std::int64_t> read_back_;  ///< a number for each vertex of the largest query
  Stream stream_;
  std::int64_t vertices_ = 0;
  std::uint64_t max_degree_ = 0;
  std::vector<std::int64_t> frequencies_;
  ResidentLabels labels_;
  std::map<std::string, double> counters_;
};

}  // namespace warpbench::matching::edge_join
