// M: the scalar merge, che2019's CPU baseline (slide "MPS's Edge-Centric Unit Computation", Table 4). For every edge
// with u < v one pass over both neighbour lists; the count goes to the reverse slot too. The document runs it on one
// thread and so does the default; `threads` and `symmetric` are ours, for ablations.
#include "baselines/common_neighbors/edge_tasks.hpp"
#include "problems/common_neighbors/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {
namespace {

class Merge final : public Solver<CommonNeighbors> {
 public:
  explicit Merge(const Parameters& parameters) : parameters_(parameters) {}

  void configure(const Parameters& parameters) override { parameters_ = parameters; }

  void prepare(const CommonNeighbors::Input& input, Phases& /*phases*/) override {
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
    counters["threads"] = tasks_.threads;
    return counters;
  }

 private:
  template <bool kCounting>
  Operations count() {
    return count_edges<kCounting>(*graph_, tasks_, parameters_.flag("symmetric"), counts_,
                                  [](List a, List b, Meter<kCounting>& meter) { return count_merge(a, b, meter); });
  }

  Parameters parameters_;
  const Csr* graph_ = nullptr;
  EdgeTasks tasks_;
  std::vector<std::uint32_t> counts_;
  Operations operations_;
};

WARPBENCH_SOLVER(CommonNeighbors, Merge,
                 {.id = "merge",
                  .title = "Scalar merge of the two neighbour lists (M)",
                  .source = "che2019, slide 'MPS's Edge-Centric Unit Computation', Table 4",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = {threads_parameter(1).document({1}), task_size_parameter(), symmetric_parameter(),
                                 count_operations_parameter()},
                  .smoke = {{"threads", 1}, {"task_size", 100}}})

}  // namespace
}  // namespace warpbench::common_neighbors
