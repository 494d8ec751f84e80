// partial-sums: naive's aggregate with a sum for each thread block in global memory, still by atomicAdd, and a second
// kernel that adds them up (bellas2022 §3.3.3, "Employing partial sums").
#include "algorithms/theta_join/aggregate/pair_sums.hpp"

namespace warpbench::theta {
namespace {

class PartialSums final : public PairSums {
 public:
  explicit PartialSums(const Parameters& parameters) : PairSums(parameters, SumCells::one_per_block) {}
};

WARPBENCH_SOLVER(ThetaJoin, PartialSums,
                 {.id = "partial-sums",
                  .title = "A thread a pair, an atomic sum a block",
                  .source = "bellas2022, §3.3.3",
                  .role = Role::gpu_baseline,
                  .device = Target::gpu,
                  .parameters = {layout_parameter("aos"), block_parameter()},
                  .smoke = {{"threads_per_block", 64}},
                  .exact = true})

}  // namespace
}  // namespace warpbench::theta
