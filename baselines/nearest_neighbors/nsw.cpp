// nsw: beam search on an NSW graph on the CPU (yu2023, Algorithm 4; GraphCon_NSW of §4.4, which is the SONG authors'
// code and single-threaded). The graph is built by one thread in prepare(); queries run in parallel, each on one
// thread. Differs from the document: a sorted list instead of two heaps (beam_search.hpp), a stamp per vertex instead
// of a hash table, one vertex for equal points (distinct_points.hpp).
#include "baselines/nearest_neighbors/cpu_solver.hpp"
#include "problems/first_failure.hpp"
#include "solvers/nearest_neighbors/beam_search.hpp"

namespace warpbench::nearest_neighbors {
namespace {

class Nsw final : public CpuSolver {
 public:
  using CpuSolver::CpuSolver;

  void solve(Phases& phases) override {
    const auto scope = phases.cpu("search");
    const std::int64_t queries = input().queries();
    const std::int64_t ef = std::max(parameters().integer("ef"), input().k);
    threads_ = threads_of(parameters(), queries);
    while (searches_.size() < static_cast<std::size_t>(threads_)) searches_.emplace_back(input().points());
    for (BeamSearch& search : searches_) search.reset_counts();
    FirstFailure failure;
#pragma omp parallel num_threads(threads_)
    {
      BeamSearch& search = searches_[static_cast<std::size_t>(omp_get_thread_num())];
      std::vector<std::uint32_t> ids;
#pragma omp for schedule(dynamic)
      for (std::int64_t query = 0; query < queries; ++query) {
        failure.guard([&] {
          const KeysFrom keys(space(), space().query(query), graph_.points.point_of);
          ids.clear();
          for (const Visited& found : search.search(graph_, ef, keys)) {
            graph_.append_points(found.vertex, static_cast<std::size_t>(input().k), ids);
          }
          rows().store(query, ids);
        });
      }
    }
    failure.rethrow();
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    std::map<std::string, double> counters{{"threads", threads_}};
    for (const BeamSearch& search : searches_) {
      counters["distances"] += static_cast<double>(search.distances());
      counters["hops"] += static_cast<double>(search.explored());
    }
    return counters;
  }

  /// The quality of the graph.
  [[nodiscard]] std::map<std::string, double> index_counters() override {
    return quality(graph_, input());
  }

 private:
  void build(Phases& phases) override {
    const auto scope = phases.cpu("build");
    graph_ = build_nsw(input(), parameters().integer("d_min"), parameters().integer("d_max"),
                       parameters().integer("ef_construction"));
    searches_.clear();
  }

  ProximityGraph graph_;
  int threads_ = 0;
  std::vector<BeamSearch> searches_;  // one a thread
};

/// A row holds the d_min neighbours that its vertex found.
void validate(const Parameters& parameters) {
  require_at_most(parameters, "d_min", "d_max");
}

WARPBENCH_SOLVER(
    NearestNeighbors, Nsw,
    {.id = "nsw",
     .title = "Beam search on an NSW graph (Algorithm 4, GraphCon_NSW)",
     .source = "yu2023, §4.1.2, §4.4",
     .role = Role::cpu_baseline,
     .device = Target::cpu,
     .parameters = {parameter("d_min", 16).range(1, 512).at(Stage::prepare).means("links of a new vertex"),
                    parameter("d_max", 32).range(1, 1024).at(Stage::prepare).means("links a vertex may have"),
                    parameter("ef_construction", 64)
                        .range(1, 65536)
                        .at(Stage::prepare)
                        .means("candidates of a search while building; at least d_min are kept"),
                    parameter("ef", 64).range(1, 65536).means("candidates of a search; at least k are kept"),
                    threads_parameter()},
     .smoke = {{"threads", 2}, {"d_min", 8}, {"d_max", 16}},
     .validate = validate})

}  // namespace
}  // namespace warpbench::nearest_neighbors
