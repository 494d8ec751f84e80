// M: the scalar merge, che2019's CPU baseline ("MPS's Edge-Centric Unit Computation", Table 4). For every edge with u <
// v one pass over both neighbour lists; the count goes to the reverse slot too. The document runs it on one thread and
// so does the default; `threads` and `symmetric` are ours, for ablations.
#include "baselines/common_neighbors/edge_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {
namespace {

struct ScalarMerge {
  explicit ScalarMerge(const Parameters& /*parameters*/) {}

  template <bool kCounting>
  std::uint32_t operator()(List a, List b, Meter<kCounting>& meter) const {
    return count_merge(a, b, meter);
  }
  [[nodiscard]] static std::map<std::string, double> counters() { return {}; }
};

using Merge = EdgeSolver<ScalarMerge>;

WARPBENCH_SOLVER(CommonNeighbors, Merge,
                 {.id = "merge",
                  .title = "Scalar merge of the two neighbour lists (M)",
                  .source = "che2019, 'MPS's Edge-Centric Unit Computation', Table 4",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = {threads_parameter(1).document({1}), task_size_parameter(), symmetric_parameter(),
                                 count_operations_parameter()},
                  .smoke = {{"threads", 1}, {"task_size", 100}}})

}  // namespace
}  // namespace warpbench::common_neighbors
