// ppjoin: AllPairs and the positional filter (bellas2022 §4.2, after Xiao et al.). Of both sets, the one with fewer
// tokens behind their first match decides.
#include "baselines/set_similarity_join/join.hpp"
#include "solvers/solver.hpp"

namespace warpbench::similarity {
namespace {

class PpJoin final : public PrefixJoin {
 public:
  explicit PpJoin(const Parameters& parameters) : PrefixJoin(Method::ppjoin, parameters) {}
};

WARPBENCH_SOLVER(SetSimilarityJoin, PpJoin,
                 {.id = "ppjoin",
                  .title = "PPJoin: AllPairs with the positional filter",
                  .source = "bellas2022 §4.1.2, §4.2, §5.5.3; Xiao et al., WWW 2008",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = PrefixJoin::parameters(PrefixJoin::Method::ppjoin),
                  .smoke = {{"threads", 2}},
                  .best = PrefixJoin::best(PrefixJoin::Method::ppjoin),
                  .exact = true})

}  // namespace
}  // namespace warpbench::similarity
