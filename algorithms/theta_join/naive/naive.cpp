// naive: a thread for each pair of tuples, in blocks of 32 x 32 over the join matrix (bellas2022 §3.3.2, §3.4.1).
//
// aggregate: each matching pair adds S.x to one sum in global memory by atomicAdd. The document's tuples have unneeded
// fields removed on the host; here that leaves R's keys, and S's with x, an array for each. Its sum is of 32 bits, ours
// of 64, and a launch covers at most 2^32 pairs so that it is exact.
#include "algorithms/theta_join/aggregate/block_shape.hpp"
#include "algorithms/theta_join/naive/aggregate.hpp"
#include "solvers/theta_join/query_solver.hpp"

namespace warpbench::theta {
namespace {

class Naive final : public QuerySolver {
 public:
  explicit Naive(const Parameters& parameters) : QuerySolver(make_naive_aggregate, nullptr, parameters) {}
};

WARPBENCH_SOLVER(ThetaJoin, Naive,
                 {.id = "naive",
                  .title = "A thread a pair, an atomic operation a match",
                  .source = "bellas2022, §3.3.2, §3.4.1",
                  .role = Role::gpu_baseline,
                  .device = Target::gpu,
                  .parameters = {block_parameter()},
                  .smoke = {{"threads_per_block", 64}},
                  .exact = true})

}  // namespace
}  // namespace warpbench::theta
