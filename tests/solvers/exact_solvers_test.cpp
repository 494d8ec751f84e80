// Solvers that declare themselves exact are judged as exact.
#include <gtest/gtest.h>

#include "solvers/solver.hpp"
#include "tests/problems/support/nearest_neighbors_solvers.hpp"
#include "tests/problems/support/vectors.hpp"

namespace warpbench::testing {
namespace {

/// Finds nothing.
class Blank final : public Solver<NearestNeighbors> {
 public:
  void prepare(const Input& input, Phases& /*phases*/) override {
    ids_.assign(static_cast<std::size_t>(input.queries() * input.k), kNone<std::uint32_t>);
  }
  void configure(const Parameters& /*parameters*/) override {}
  void solve(Phases& /*phases*/) override {}
  void download(Answer& answer, Phases& /*phases*/) override { answer.neighbors = ids_; }

 private:
  Ids ids_;
};

Judgement judged_as(const SolverInfo& info) {
  const auto dataset = std::make_shared<datasets::Dataset>();
  dataset->name = "few";
  dataset->data = clustered(20, 4, 3, 1);
  TypedInstance<NearestNeighbors> instance(dataset, Parameters(NearestNeighbors::info().task, {}));
  TypedBoundSolver<NearestNeighbors> bound(instance, info, std::make_unique<Blank>());
  Phases phases;
  bound.prepare(phases);
  bound.solve_with_transfers(phases);
  return bound.judge();
}

TEST(ExactSolvers, AreWrongWhereOthersAreApproximate) {
  SolverInfo info;
  info.id = "blank";
  EXPECT_EQ(judged_as(info).verdict, Verdict::approximate);
  info.exact = true;
  const Judgement judgement = judged_as(info);
  EXPECT_EQ(judgement.verdict, Verdict::wrong);
  EXPECT_EQ(judgement.difference, "expected an exact answer, as blank promises, found recall 0, recall_minimum 0");
}

}  // namespace
}  // namespace warpbench::testing
