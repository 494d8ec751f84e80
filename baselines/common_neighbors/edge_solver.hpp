// EdgeSolver: the edge-centric solvers (che2019, "OpenMP Skeleton of MPS"), which intersect the two neighbour lists of
// every edge. They differ in how two lists are intersected.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "baselines/common_neighbors/edge_tasks.hpp"
#include "problems/common_neighbors/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {

inline ParameterSpec symmetric_parameter() {
  return parameter("symmetric", true)
      .means("count an edge once and copy to its reverse slot; false: count both slots (ablation)");
}

/// `Intersection` is made from const Parameters&, anew where they change. intersection(a, b, meter) returns |a ∩ b|;
/// intersection.counters() are those that it adds to a solver's.
template <typename Intersection>
class EdgeSolver final : public Solver<CommonNeighbors> {
 public:
  explicit EdgeSolver(const Parameters& parameters) : parameters_(parameters), intersection_(parameters) {}

  void configure(const Parameters& parameters) override {
    intersection_ = Intersection(parameters);
    parameters_ = parameters;
  }

  void prepare(const CommonNeighbors::Input& input, Phases& phases) override {
    const auto scope = phases.cpu("take_memory");
    graph_ = input.graph;
    counts_.resize(graph_->neighbors.size());
  }

  void solve(Phases& phases) override {
    const auto scope = phases.cpu("count");
    tasks_ = EdgeTasks::of(parameters_, graph_->slots());
    operations_ = parameters_.flag("count_operations") ? count<true>() : count<false>();
  }

  void download(CommonNeighbors::Answer& answer, Phases& /*phases*/) override { answer.counts = counts_; }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    std::map<std::string, double> counters = operations_.counters();
    counters.merge(intersection_.counters());
    counters["threads"] = tasks_.threads;
    return counters;
  }

 private:
  /// One thread: counts[e(u,v)] = |N(u) ∩ N(v)| for u < v, copied to e(v,u); without symmetric assignment every slot
  /// is counted by itself.
  template <bool kCounting>
  struct alignas(64) Worker {
    const Csr* graph;
    std::span<std::uint32_t> counts;
    const Intersection* intersection;
    bool symmetric;
    Meter<kCounting> meter;

    void operator()(Vertex u, Vertex v, std::uint64_t slot) {
      if (symmetric && u > v) return;
      meter.add(&Operations::intersections);
      const std::uint32_t count = (*intersection)(graph->row(u), graph->row(v), meter);
      counts[slot] = count;
      if (symmetric) counts[slot_of(*graph, v, u)] = count;
    }
  };

  template <bool kCounting>
  Operations count() {
    std::vector<Worker<kCounting>> workers(
        static_cast<std::size_t>(tasks_.threads),
        Worker<kCounting>{graph_, counts_, &intersection_, parameters_.flag("symmetric"), {}});
    return run_workers(*graph_, tasks_, workers);
  }

  Parameters parameters_;
  Intersection intersection_;
  const Csr* graph_ = nullptr;
  EdgeTasks tasks_;
  std::vector<std::uint32_t> counts_;
  Operations operations_;
};

}  // namespace warpbench::common_neighbors
