// GraphSolver: the base of the solvers that search a proximity graph. Points and graph are on the device, built once in
// prepare(); a solve walks them with a search that it finds by name. Transfers of a solve are the queries and answers.
// Equal points share a vertex (distinct_points.hpp), of which the document does not speak.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "algorithms/nearest_neighbors/construction/build.hpp"
#include "algorithms/nearest_neighbors/construction/prune.hpp"
#include "algorithms/nearest_neighbors/graph_search/search_method.hpp"
#include "algorithms/nearest_neighbors/graph_solver/search_parameters.hpp"
#include "algorithms/nearest_neighbors/graph_solver/usual_range.hpp"
#include "device/buffer.hpp"
#include "device/half.hpp"
#include "device/resident.hpp"
#include "problems/nearest_neighbors/problem.hpp"
#include "solvers/nearest_neighbors/proximity_graph.hpp"
#include "solvers/solver.hpp"

namespace warpbench::nearest_neighbors {

/// The parameters of the graph and its construction; `search` is the default of `build_search`.
std::vector<ParameterSpec> graph_parameters(const char* search);
/// Refuses combinations of them that make no sense.
void validate_graph(const Parameters& parameters);

/// What a search in 8 bits reads, in host memory.
struct GraphPart {
  std::vector<Byte> points;  ///< rows of `stride` coordinates
  int stride = 0;
  float scale = 1;   ///< of coordinates, after
  float offset = 0;  ///< has been taken off
  std::vector<Vertex> rows;
  int degree = 0;
  DistinctPoints distinct;
  std::int64_t unreached = 0;  ///< vertices
};

class GraphSolver : public Solver<NearestNeighbors> {
 public:
  explicit GraphSolver(const Parameters& parameters);
  void prepare(const Input& input, Phases& phases) override;
  /// Takes another precision than that of prepare(), too, so that a graph need not be built for each. 8 bits only where
  /// it was prepared with them.
  void configure(const Parameters& parameters) override;
  void upload(Phases& phases) override;
  void solve(Phases& phases) override;
  void download(Answer& answer, Phases& phases) override;
  [[nodiscard]] std::map<std::string, double> counters() const override;
  /// The quality of the graph.
  [[nodiscard]] std::map<std::string, double> index_counters() override;

  /// After prepare() with 8 bits and a graph of one layer. The solver is then of no use any more.
  [[nodiscard]] GraphPart take_part();
  /// Device memory that prepare() takes at most, by the parameters; but for what a GPU's sorts take beside their
  /// arrays. Graphs of kind knn and searches that are not pipelined are not foreseen.
  [[nodiscard]] static std::int64_t device_bytes(const Parameters& parameters, std::int64_t points,
                                                 std::int64_t queries, std::int64_t dimension, std::int64_t k);

 protected:
  virtual SearchParameters search_of(const Parameters& parameters) const = 0;

 private:
  enum class Precision { single, half, byte };

  static Precision precision_of(const Parameters& parameters);
  void load_points(Phases& phases);
  void choose_byte_scale(UsualRange& of_points);
  [[nodiscard]] float scale_of_halves() const;
  void reduce_points();
  void change_precision(Precision precision);
  void build(Phases& phases);
  /// Each vertex's nearest by a search of `graph`, for its edges to be chosen from.
  void find_lists(const DeviceProximityGraph& graph, int length, View<Vertex> lists);
  template <typename T>
  [[nodiscard]] Points<T> points(const Buffer<T>& coordinates) const;
  /// Enqueues the search of `batch`, whose scales it sets, at the points' precision. Shared memory of a query in bytes.
  std::size_t search(const SearchMethod& method, const DeviceProximityGraph& graph, const SearchShape& shape,
                     QueryBatch batch, int threads);
  [[nodiscard]] ProximityGraph host_graph() const;

  Parameters parameters_;
  BuildPlan plan_;
  PrunePlan prune_;
  bool build_on_cpu_ = false;
  Precision precision_ = Precision::single;
  SearchParameters search_;

  Input input_;
  mutable Stream stream_;
  int stride_ = 0;
  float half_scale_ = 1;  ///< of half_points_
  float byte_scale_ = 0;  ///< of byte_points_, whose coordinates had byte_offset_ taken off; 0: not prepared for them
  float byte_offset_ = 0;
  DistinctPoints distinct_;  ///< in the order of insertion
  Buffer<float> points_;
  Buffer<Half> half_points_;
  Buffer<Byte> byte_points_;
  Buffer<Vertex> point_of_;
  Buffer<Vertex> next_equal_;
  DeviceProximityGraph graph_;
  ProximityGraph cpu_graph_;  ///< builder: cpu; no layers otherwise
  Resident<float> queries_;
  PinnedBuffer<Vertex> host_answers_;
  Buffer<Vertex> answers_;
  Buffer<std::uint32_t> next_;
  Buffer<WorkTotals> totals_;
  PinnedBuffer<WorkTotals> host_totals_;  ///< of the last download()
  std::size_t shared_bytes_ = 0;          ///< of a query of the last solve()
};

}  // namespace warpbench::nearest_neighbors
