// auto: joins small relations on the CPU, where a GPU's launches and transfers take longer than the pairs; others on
// the GPU by comparing all pairs or, from some tuples on, by sorting.
//
// The model is of seconds with transfers, fitted to theta-medium, where half of the pairs join, of 300 x 100 to 500,000
// x 50,000 tuples in runs of bellas2022/choice and choice-select that were not kept (an H200, 25804752). On the GPU
// rows are written even where they are only counted.
#include <omp.h>

#include <vector>

#include "problems/theta_join/problem.hpp"
#include "solvers/choosing_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench {
namespace {

constexpr double kTransferSeconds = 3e-5;   ///< at least
constexpr double kBytesPerSecond = 5.5e10;  ///< over the bus, as that machine's ceilings say
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
    const double moved = kTransferSeconds + tuples * kTupleBytes / kBytesPerSecond;
    const double looked_at = pairs * 5.2e-11 / threads;  // by the CPU
    if (input.query == ThetaJoin::Query::aggregate) {
      return {{"nested-loop", {}, 0, 3e-6 + looked_at},
              {"shared-memory", {}, 0, moved + 3.5e-5 + pairs * 3.3e-13},
              {"sort-scan", {}, 0, moved + 6.5e-5 + tuples * 1.3e-10, true}};
    }
    const double rows = pairs / 2;
    const bool writes = input.output != ThetaJoin::Output::count;
    const bool come_down = input.output == ThetaJoin::Output::rows || input.output == ThetaJoin::Output::file;
    const double out = come_down ? rows * kRowBytes / kBytesPerSecond : 0;
    return {{"nested-loop", {}, 0, 3e-6 + (writes ? rows * 4.5e-9 / threads : looked_at)},
            {"sliding-window", {}, 0, moved + out + 3e-5 + tuples * 2.5e-8 + pairs * 1.6e-12},
            {"sort-scan", {}, 0, moved + out + 6e-5 + rows * 2.9e-12, true}};
  }
};

WARPBENCH_SOLVER(ThetaJoin, Auto,
                 {.id = "auto",
                  .title = "the method that a cost model of the relations' sizes chooses",
                  .source = "this project",
                  .role = Role::peer,
                  .device = Target::hybrid,
                  .ours = true})

}  // namespace
}  // namespace warpbench
