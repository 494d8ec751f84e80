// auto: joins small relations on the CPU, where a GPU's launches and transfers take longer than the pairs; others on
// the GPU by comparing all pairs or, from some tuples on, by sorting.
//
// The model is of seconds with transfers. Times of a pair and of a tuple are those of tables 3.2 and of
// `beyond-the-document-theta` and `-theta-select` (results/h200/paper/bellas2022), of relations of which half of the
// pairs join. What a GPU takes for few tuples is measured for shared-memory alone; the others' is a guess.
#include <omp.h>

#include <vector>

#include "problems/theta_join/problem.hpp"
#include "solvers/choosing_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench {
namespace {

constexpr double kTransfers = 3e-5;
constexpr double kBytesPerSecond = 5.5e10;  ///< over the bus
constexpr double kTupleBytes = 8;
constexpr double kRowBytes = 12;

class Auto final : public ChoosingSolver<ThetaJoin> {
 public:
  explicit Auto(const Parameters& parameters) : ChoosingSolver(parameters) {}

 protected:
  [[nodiscard]] std::vector<Candidate> candidates(const Input& input) const override {
    const auto tuples = static_cast<double>(input.relations->r.count() + input.relations->s.count());
    const auto pairs = static_cast<double>(input.pairs());
    const double threads = omp_get_max_threads();
    const double moved = kTransfers + tuples * kTupleBytes / kBytesPerSecond;
    if (input.query == ThetaJoin::Query::aggregate) {
      return {{"nested-loop", {}, 0, 3e-6 + pairs * 5.2e-11 / threads},
              {"shared-memory", {}, 0, moved + 2.8e-5 + pairs * 3.3e-13},
              {"sort-scan", {}, 0, moved + 5e-5 + tuples * 1.3e-10, true}};
    }
    const double rows = pairs / 2;
    const bool come_down = input.output == ThetaJoin::Output::rows || input.output == ThetaJoin::Output::file;
    const double out = come_down ? rows * kRowBytes / kBytesPerSecond : 0;
    return {{"nested-loop", {}, 0, 3e-6 + rows * 4.5e-9 / threads},
            {"sliding-window", {}, 0, moved + out + 3e-5 + pairs * 2.3e-12},
            {"sort-scan", {}, 0, moved + out + 6e-5 + rows * 4e-12, true}};
  }
};

WARPBENCH_SOLVER(ThetaJoin, Auto,
                 {.id = "auto",
                  .title = "the method that a cost model of the relations' sizes chooses",
                  .source = "this project",
                  .role = Role::peer,
                  .device = Target::gpu,
                  .ours = true})

}  // namespace
}  // namespace warpbench
