// What ganns and song share: an index of points and a proximity graph on the device, built once in prepare(), and a
// kernel that walks it. Transfers of a solve are the queries and the answers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/nearest_neighbors/construction/build.hpp"
#include "device/buffer.hpp"
#include "device/half.hpp"
#include "problems/nearest_neighbors/problem.hpp"
#include "solvers/nearest_neighbors/proximity_graph.hpp"
#include "solvers/solver.hpp"

namespace warpbench::nearest_neighbors {

/// The parameters of the graph and its construction; `search` is the one that `build_search` says where nothing is
/// said.
std::vector<ParameterSpec> graph_parameters(const char* search);
/// Refuses combinations of them that make no sense.
void validate_graph(const Parameters& parameters);

class GraphSearcher : public Solver<NearestNeighbors> {
 public:
  explicit GraphSearcher(const Parameters& parameters);
  void prepare(const Input& input, Phases& phases) override;
  void configure(const Parameters& parameters) override;
  void upload(Phases& phases) override;
  void solve(Phases& phases) override;
  void download(Answer& answer, Phases& phases) override;
  [[nodiscard]] std::map<std::string, double> counters() const override;

 protected:
  /// How to search, of the solve-parameters; lengths as wanted, not yet rounded.
  struct Search {
    SearchMethod method = SearchMethod::ganns;
    std::int64_t candidates = 64;
    std::int64_t explore = 64;
    std::int64_t entries = 1;
    std::int64_t visited = 0;  ///< places; 0: what the method needs
    int threads = 32;
    bool profile = false;
  };
  virtual Search search_of(const Parameters& parameters) const = 0;

 private:
  void load_points(Phases& phases);
  void build(Phases& phases);
  [[nodiscard]] SearchShape shape() const;
  template <typename T>
  void enqueue(const Points<T>& points);
  [[nodiscard]] ProximityGraph host_graph() const;

  Parameters parameters_;
  BuildPlan plan_;
  bool build_on_cpu_ = false;
  bool half_ = false;
  Search search_;

  Input input_;
  mutable Stream stream_;
  int stride_ = 0;
  float scale_ = 1;
  std::vector<std::uint32_t> order_;  ///< vertex → point; empty: the same
  Buffer<float> points_;
  Buffer<Half> half_points_;
  Buffer<std::uint32_t> point_of_;
  DeviceGraph graph_;
  PinnedBuffer<float> host_queries_;
  PinnedBuffer<std::uint32_t> host_answers_;
  Buffer<float> queries_;
  Buffer<std::uint32_t> answers_;
  Buffer<std::uint32_t> next_;
  Buffer<WorkTotals> totals_;
  std::size_t shared_bytes_ = 0;  ///< of a query of the last solve()
  mutable std::optional<std::map<std::string, double>> quality_;
};

}  // namespace warpbench::nearest_neighbors
