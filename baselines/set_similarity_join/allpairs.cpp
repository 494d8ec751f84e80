// allpairs: candidates by the prefix and the length filter (bellas2022 §4.2, after Bayardo et al.).
#include "baselines/set_similarity_join/join.hpp"
#include "solvers/solver.hpp"

namespace warpbench::similarity {
namespace {

class AllPairs final : public PrefixJoin {
 public:
  explicit AllPairs(const Parameters& parameters) : PrefixJoin(Method::allpairs, parameters) {}
};

WARPBENCH_SOLVER(SetSimilarityJoin, AllPairs,
                 {.id = "allpairs",
                  .title = "AllPairs: prefix and length filters on the CPU",
                  .source = "bellas2022 §4.1.2, §4.2, §5.5.3; Bayardo, Ma, Srikant, WWW 2007",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = PrefixJoin::parameters(PrefixJoin::Method::allpairs),
                  .smoke = {{"threads", 2}},
                  .best = PrefixJoin::best(PrefixJoin::Method::allpairs),
                  .exact = true})

}  // namespace
}  // namespace warpbench::similarity
