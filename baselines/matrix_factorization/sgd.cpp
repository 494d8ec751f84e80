// sgd: stochastic gradient descent on one thread (yu2023, Algorithm 1): one rating after the other, in an order that
// stays the same in all iterations. Differs from the document: q_i takes the old p_u, as in all solvers (see
// problems/matrix_factorization/problem.hpp), and an update uses vector instructions.
#include "baselines/matrix_factorization/cpu_solver.hpp"

namespace warpbench::matrix_factorization {
namespace {

class Sgd final : public CpuSolver {
 public:
  using CpuSolver::CpuSolver;

 private:
  GridPlan sort(const Input& input) override {
    GridPlan plan{same_places(input.users()), same_places(input.items()), even_bands(input.users(), 1),
                  even_bands(input.items(), 1)};
    const RatingOrder order = parameters().flag("shuffle") ? RatingOrder::random : RatingOrder::file;
    ratings_ = RatingGrid(input.ratings->train, plan, order, input.seed);
    return plan;
  }
  void iterate(const UpdateRule& rule, Phases& /*phases*/) override { update(ratings_.all(), rule); }

  RatingGrid ratings_;
};

WARPBENCH_SOLVER(
    MatrixFactorization, Sgd,
    {.id = "sgd",
     .title = "Stochastic gradient descent on one thread (Algorithm 1)",
     .source = "yu2023, §3.1.2",
     .role = Role::cpu_baseline,
     .device = Target::cpu,
     .parameters = {
         parameter("shuffle", true).at(Stage::prepare).means("take ratings in a random order; false: in the file's"),
         update_simd_parameter()}})

}  // namespace
}  // namespace warpbench::matrix_factorization
