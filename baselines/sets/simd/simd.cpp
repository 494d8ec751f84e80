// simd: vectorised intersection of sorted integers (bellas2022 §6.2.3, after Lemire et al.); simd_intersect.hpp has the
// algorithm and what differs.
#include "baselines/sets/simd/simd_intersect.hpp"

#include "baselines/sets/pair_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench::cpu_sets {
namespace {

struct Vectorised {
  explicit Vectorised(const Parameters& parameters)
      : function(intersect_function(simd_from(parameters.text("simd")))) {}

  std::size_t operator()(List a, List b, Token* common) const { return function(a, b, common); }

  IntersectFunction function;
};

using SimdSolver = PairSolver<MergeTechnique<Vectorised>>;

WARPBENCH_SOLVER(
    SetIntersection, SimdSolver,
    {.id = "simd",
     .title = "SIMD intersection of sorted integers: V1, V3 and galloping by the ratio of the lengths",
     .source = "bellas2022 §6.2.3",
     .role = Role::cpu_baseline,
     .device = Target::cpu,
     .parameters = {threads_parameter(),
                    simd_parameter("instruction set; auto: the best of this CPU; none: a galloping merge")},
     .smoke = {{"threads", 2}}})

}  // namespace
}  // namespace warpbench::cpu_sets
