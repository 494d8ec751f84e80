// Solvers that leave the work to the one that a cost model calls the fastest: the order of the choice, what is passed
// over, and the choices of those that are registered.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "problems/common_neighbors/problem.hpp"
#include "problems/matrix_factorization/problem.hpp"
#include "problems/theta_join/problem.hpp"
#include "solvers/choosing_solver.hpp"
#include "solvers/solver.hpp"
#include "tests/algorithms/support/graphs.hpp"
#include "tests/problems/support/ratings.hpp"
#include "tests/problems/support/relations.hpp"

namespace warpbench {
namespace {

/// Chooses among given candidates.
class Choosing final : public ChoosingSolver<ThetaJoin> {
 public:
  explicit Choosing(std::vector<Candidate> candidates)
      : ChoosingSolver(Parameters()), candidates_(std::move(candidates)) {}

 protected:
  [[nodiscard]] std::vector<Candidate> candidates(const Input& /*input*/) const override { return candidates_; }

 private:
  std::vector<Candidate> candidates_;
};

class ChoosingSolvers : public ::testing::Test {
 protected:
  ChoosingSolvers() {
    input_.relations = &relations_;
    input_.predicate = theta::parse("R.a > S.a");
  }

  /// The id of the solver that is chosen; its answer is checked.
  std::string chosen(std::vector<Candidate> candidates) {
    Choosing solver(std::move(candidates));
    Phases phases;
    solver.prepare(input_, phases);
    solver.upload(phases);
    solver.solve(phases);
    ThetaJoin::Answer answer;
    solver.download(answer, phases);
    EXPECT_EQ(ThetaJoin::judge(input_, answer, ThetaJoin::reference(input_)).verdict, Verdict::exact);
    EXPECT_TRUE(phases.seconds().contains("choose"));
    for (const auto& [name, value] : solver.counters()) {
      if (name.starts_with("chose_")) return name.substr(6);
    }
    return "";
  }

  datasets::Relations relations_ = testing::random_relations(7, 60, 40, 20);
  ThetaJoin::Input input_;
};

TEST_F(ChoosingSolvers, TakeTheCheapestWhoeverComesFirst) {
  EXPECT_EQ(chosen({{"nested-loop", {}, 0, 2e-3}, {"sort-scan", {}, 0, 1e-3, true}}), "sort-scan");
  EXPECT_EQ(chosen({{"nested-loop", {}, 0, 1e-3}, {"sort-scan", {}, 0, 2e-3, true}}), "nested-loop");
}

TEST_F(ChoosingSolvers, PassOverWhatDoesNotFitOrIsRefused) {
  EXPECT_EQ(chosen({{"sort-scan", {}, 1e30, 1e-3, true}, {"nested-loop", {}, 0, 2e-3}}), "nested-loop");
  input_.query = ThetaJoin::Query::select;
  EXPECT_EQ(chosen({{"shared-memory", {}, 0, 1e-3}, {"nested-loop", {}, 0, 2e-3}}), "nested-loop")
      << "shared-memory only adds up";
}

TEST_F(ChoosingSolvers, SayWhyNothingIsLeft) {
  input_.query = ThetaJoin::Query::select;
  try {
    chosen({{"shared-memory", {}, 0, 1e-3}, {"sort-scan", {}, 1e30, 1e-3, true}});
    FAIL() << "something was chosen";
  } catch (const Unsupported& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("; shared-memory: "), std::string::npos) << what;
    EXPECT_NE(what.find("; sort-scan: it takes more than half"), std::string::npos) << what;
  }
  EXPECT_THROW(chosen({{"no-such-solver", {}, 0, 1e-3}}), std::logic_error);
}

/// Of CommonNeighbors, whose bmp-gpu is another method at its point `best`.
class ChoosingBmpGpu final : public ChoosingSolver<CommonNeighbors> {
 public:
  explicit ChoosingBmpGpu(std::map<std::string, Value> given)
      : ChoosingSolver(Parameters()), given_(std::move(given)) {}

 protected:
  [[nodiscard]] std::vector<Candidate> candidates(const Input& /*input*/) const override {
    return {{"bmp-gpu", given_, 0, 1e-3, true}};
  }

 private:
  std::map<std::string, Value> given_;
};

TEST(ChoosingBest, TakesThePointAndWhatIsGivenOnTopOfIt) {
  const datasets::Csr graph = testing::random_graph(60, 0.1, 3);
  const auto has_tables = [&](std::map<std::string, Value> given) {
    ChoosingBmpGpu solver(std::move(given));
    Phases phases;
    solver.prepare({&graph}, phases);
    solver.upload(phases);
    solver.solve(phases);
    return solver.counters().contains("gather_shared_bytes");
  };
  EXPECT_TRUE(has_tables({{"range_filter", false}})) << "in shared memory, of our method";
  EXPECT_FALSE(has_tables({{"method", "document"}, {"range_filter", false}}));
}

TEST_F(ChoosingSolvers, HaveTheParametersOfTheCandidate) {
  EXPECT_THROW(chosen({{"nested-loop", {{"threads", -1}}, 0, 1e-3}}), ParameterError);
}

template <typename Problem>
std::string choice_for(const typename Problem::Input& input) {
  const auto entry = std::ranges::find(solvers_of<Problem>(), "auto", [](const auto& one) { return one.info.id; });
  const std::unique_ptr<Solver<Problem>> solver = entry->make(Parameters(entry->info.parameters, {}));
  Phases phases;
  solver->prepare(input, phases);
  solver->upload(phases);
  solver->solve(phases);
  std::string chosen;
  double least = 1e30;
  const std::map<std::string, double> counters = solver->counters();
  for (const auto& [name, value] : counters) {
    if (name.starts_with("chose_")) chosen = name.substr(6);
    if (name.starts_with("predicted_s_")) least = std::min(least, value);
  }
  EXPECT_EQ(counters.at("predicted_s_" + chosen), least);
  return chosen;
}

TEST(Choices, OfCommonNeighborsGoByTheGraphsSize) {
  const datasets::Csr few = testing::random_graph(60, 0.1, 3);
  const datasets::Csr many = testing::random_graph(3000, 0.025, 3);
  EXPECT_EQ(choice_for<CommonNeighbors>({&few}), "bmp");
  if (omp_get_max_threads() > 16) GTEST_SKIP() << "so many threads are faster";
  EXPECT_EQ(choice_for<CommonNeighbors>({&many}), "bmp-gpu");
}

TEST(Choices, OfMatrixFactorizationGoByTheRatingsNumber) {
  MatrixFactorization::Input input;
  input.k = 32;
  input.iterations = 2;
  const datasets::Ratings few = testing::planted(300, 200, 1000, 3);
  input.ratings = &few;
  EXPECT_EQ(choice_for<MatrixFactorization>(input), "sgd");
  const datasets::Ratings many = testing::planted(800, 800, 20000, 3);
  input.ratings = &many;
  EXPECT_EQ(choice_for<MatrixFactorization>(input), "cumf-sgd");
  const datasets::Ratings narrow = testing::planted(40, 9000, 60000, 3);
  input.ratings = &narrow;
  input.k = 128;
  EXPECT_EQ(choice_for<MatrixFactorization>(input), "sgd") << "few workers find users that nobody else updates";
}

TEST_F(ChoosingSolvers, OfThetaJoinsGoByTheRelationsSizes) {
  input_.query = ThetaJoin::Query::select;
  input_.output = ThetaJoin::Output::count;
  EXPECT_EQ(choice_for<ThetaJoin>(input_), "nested-loop");
  input_.query = ThetaJoin::Query::aggregate;
  EXPECT_EQ(choice_for<ThetaJoin>(input_), "nested-loop");
  const datasets::Relations many = testing::random_relations(7, 20000, 10000, 1000);
  input_.relations = &many;
  if (omp_get_max_threads() > 16) GTEST_SKIP() << "so many threads are faster";
  EXPECT_EQ(choice_for<ThetaJoin>(input_), "sort-scan");
}

}  // namespace
}  // namespace warpbench
