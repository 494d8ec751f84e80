// What a bound solver keeps of an answer ends with the parameters that it was found with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

#include "solvers/solver.hpp"
#include "tests/problems/support/nearest_neighbors_solvers.hpp"
#include "tests/problems/support/vectors.hpp"

namespace warpbench::testing {
namespace {

constexpr std::uint32_t kFound = 3;
constexpr std::uint32_t kOfAnother = 7;

/// Its answer is a view of `memory`.
class Viewing : public Solver<NearestNeighbors> {
 public:
  explicit Viewing(Ids& memory) : memory_(memory) {}

  void prepare(const Input& input, Phases& /*phases*/) override {
    memory_.assign(static_cast<std::size_t>(input.queries() * input.k), kNone<std::uint32_t>);
  }
  void configure(const Parameters& /*parameters*/) override {}
  void solve(Phases& /*phases*/) override { std::ranges::fill(memory_, kFound); }
  void download(Answer& answer, Phases& /*phases*/) override { answer.neighbors = memory_; }

 protected:
  Ids& memory_;
};

/// configure() gives the memory away, and its next user writes there.
class GivingAway final : public Viewing {
 public:
  using Viewing::Viewing;
  void configure(const Parameters& /*parameters*/) override { std::ranges::fill(memory_, kOfAnother); }
};

/// Solves once, and gives that answer ever after.
class SolvingOnce final : public Viewing {
 public:
  using Viewing::Viewing;
  void solve(Phases& phases) override {
    if (!std::exchange(is_solved_, true)) Viewing::solve(phases);
  }

 private:
  bool is_solved_ = false;
};

class BoundSolvers : public ::testing::Test {
 protected:
  BoundSolvers() {
    const auto dataset = std::make_shared<datasets::Dataset>();
    dataset->name = "few";
    dataset->data = clustered(20, 4, 3, 1);
    instance_ = std::make_unique<TypedInstance<NearestNeighbors>>(dataset, task_);
    info_.id = "viewing";
  }

  /// Prepared and configured, with the answer of one solve.
  template <typename Class>
  std::unique_ptr<BoundSolver> solved() {
    auto bound =
        std::make_unique<TypedBoundSolver<NearestNeighbors>>(*instance_, info_, std::make_unique<Class>(memory_));
    Phases phases;
    bound->prepare(phases);
    bound->configure({});
    bound->solve_with_transfers(phases);
    EXPECT_TRUE(holds_only(kFound));
    return bound;
  }
  [[nodiscard]] bool holds_only(std::uint32_t id) const {
    return !memory_.empty() && std::ranges::count(memory_, id) == std::ssize(memory_);
  }

  Ids memory_;

 private:
  Parameters task_{NearestNeighbors::info().task, {}};
  std::unique_ptr<TypedInstance<NearestNeighbors>> instance_;
  SolverInfo info_;
};

TEST_F(BoundSolvers, DoNotWriteToAnAnswerWhoseMemoryNewParametersGaveAway) {
  const auto bound = solved<GivingAway>();
  bound->configure({});
  bound->poison_answer();
  EXPECT_TRUE(holds_only(kOfAnother));
}

TEST_F(BoundSolvers, LeaveNoAnswerToASolveWithNewParameters) {
  const auto bound = solved<SolvingOnce>();
  bound->configure({});
  bound->poison_answer();
  Phases phases;
  bound->solve_with_transfers(phases);
  EXPECT_TRUE(holds_only(kPoison));
}

}  // namespace
}  // namespace warpbench::testing
