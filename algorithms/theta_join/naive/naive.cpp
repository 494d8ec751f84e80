// naive: a thread for each pair of tuples, in blocks of 32 x 32 over the join matrix (bellas2022 §3.3.2, §3.4.1).
//
// aggregate: each matching pair adds S.x to one sum in global memory by atomicAdd. The document removes fields that the
// query does not need on the host; solvers/theta_join/tuples.hpp says what a layout then holds. The sum has 64 bits,
// and a launch covers at most 2^32 pairs, so that it is exact.
//
// select: each matching pair takes the next place of one counter in global memory.
#include "algorithms/theta_join/aggregate/block_shape.hpp"
#include "algorithms/theta_join/naive/aggregate.hpp"
#include "algorithms/theta_join/naive/select.hpp"
#include "solvers/theta_join/layout.hpp"
#include "solvers/theta_join/query_solver.hpp"

namespace warpbench::theta {
namespace {

class Naive final : public QuerySolver {
 public:
  explicit Naive(const Parameters& parameters) : QuerySolver(make_naive_aggregate, make_naive_select, parameters) {}
};

WARPBENCH_SOLVER(
    ThetaJoin, Naive,
    {.id = "naive",
     .title = "A thread a pair, an atomic operation a match",
     .source = "bellas2022, §3.3.2, §3.4.1",
     .role = Role::gpu_baseline,
     .device = Target::gpu,
     .parameters = {layout_parameter("aos"), block_parameter(),
                    parameter("output", "atomic")
                        .one_of({"atomic", "compressed"})
                        .means("of select, where a row goes: the next place of a counter; its pair's cell, "
                               "compacted afterwards")},
     .smoke = {{"threads_per_block", 64}},
     .exact = true})

}  // namespace
}  // namespace warpbench::theta
