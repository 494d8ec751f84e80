// groupjoin: PPJoin on groups of sets of one size and probing prefix, which expand in verification (bellas2022 §4.2,
// after Bouros et al.).
#include "baselines/set_similarity_join/join.hpp"
#include "solvers/solver.hpp"

namespace warpbench::similarity {
namespace {

class GroupJoinSolver final : public PrefixJoin {
 public:
  explicit GroupJoinSolver(const Parameters& parameters) : PrefixJoin(Method::groupjoin, parameters) {}
};

WARPBENCH_SOLVER(SetSimilarityJoin, GroupJoinSolver,
                 {.id = "groupjoin",
                  .title = "GroupJoin: PPJoin on groups of sets with one prefix",
                  .source = "bellas2022 §4.2, §5.5.3; Bouros, Ge, Mamoulis, PVLDB 2012",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = PrefixJoin::parameters(PrefixJoin::Method::groupjoin),
                  .smoke = {{"threads", 2}},
                  .best = PrefixJoin::best(PrefixJoin::Method::groupjoin),
                  .exact = true})

}  // namespace
}  // namespace warpbench::similarity
