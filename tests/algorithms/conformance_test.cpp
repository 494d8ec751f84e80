// Every registered solver of common_neighbors, CPU and GPU, on small adversarial and random graphs against
// reference(): a new solver file is tested here without an edit. Answers are poisoned before they are computed, so
// that a slot nobody writes shows.
#include <gtest/gtest.h>

#include <algorithm>

#include "problems/common_neighbors/problem.hpp"
#include "solvers/solver.hpp"
#include "tests/algorithms/support/graphs.hpp"
#include "tests/algorithms/support/parameter_points.hpp"

namespace warpbench {
namespace {

using Problem = CommonNeighbors;
using testing::NamedGraph;

constexpr std::uint64_t kSeed = 5;
constexpr std::uint32_t kPoison = 0xdeadbeefU;

struct Case {
  NamedGraph graph;
  Problem::Reference reference;
};

std::vector<Case> with_references(std::vector<NamedGraph> graphs) {
  std::vector<Case> cases;
  for (NamedGraph& graph : graphs) {
    Problem::Reference reference = Problem::reference({&graph.graph});
    cases.push_back({std::move(graph), std::move(reference)});
  }
  return cases;
}

/// For the one point that everything is tried on.
const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = [] {
    std::vector<NamedGraph> graphs = testing::adversarial_graphs();
    for (std::uint64_t i = 0; i < 24; ++i) {
      graphs.push_back({"random_graph(60, " + std::to_string(kSeed + i) + ")", testing::random_graph(60, kSeed + i)});
    }
    graphs.push_back({"random_graph(400, 0.05, 5)", testing::random_graph(400, 0.05, kSeed)});
    return with_references(std::move(graphs));
  }();
  return cases;
}

/// For the many points.
const std::vector<Case>& few_cases() {
  static const std::vector<Case> cases = with_references({{"no_edges", testing::graph_of(5, {})},
                                                          {"one_edge", testing::graph_of(2, {{0, 1}})},
                                                          {"clique_33", testing::complete(33)},
                                                          {"two_hubs", testing::two_hubs(120)},
                                                          {"skewed", testing::skewed(150, 12, 7)},
                                                          {"random", testing::random_graph(80, 0.2, kSeed)}});
  return cases;
}

/// Names the first difference, or is empty where the answer is right.
std::string difference(const Case& wanted, const Problem::Answer& answer) {
  return Problem::judge({&wanted.graph.graph}, answer, wanted.reference).difference;
}

class Conformance : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto& entries = solvers_of<Problem>();
    const auto found = std::ranges::find_if(entries, [](const auto& entry) { return entry.info.id == GetParam(); });
    ASSERT_NE(found, entries.end());
    entry_ = &*found;
    if (!entry_->make) GTEST_SKIP() << entry_->info.unavailable;
  }

  [[nodiscard]] const SolverInfo& info() const { return entry_->info; }
  [[nodiscard]] Parameters smoke() const { return {info().parameters, info().smoke}; }

  /// A solver prepared and uploaded on `graph`; nullptr where it says that this machine cannot run the point.
  std::unique_ptr<Solver<Problem>> ready(const Parameters& point, const Problem::Input& input) {
    try {
      std::unique_ptr<Solver<Problem>> solver = entry_->make(point);
      solver->prepare(input, phases_);
      solver->upload(phases_);
      return solver;
    } catch (const Unsupported& reason) {
      std::cout << "  not here: " << point.canonical() << ": " << reason.what() << '\n';
      return nullptr;
    }
  }

  /// Solves, poisons what it got, solves again: the second answer.
  Problem::Answer solve_twice(Solver<Problem>& solver) {
    Problem::Answer answer;
    solver.solve(phases_);
    solver.download(answer, phases_);
    std::ranges::fill(answer.counts, kPoison);
    solver.solve(phases_);
    solver.download(answer, phases_);
    return answer;
  }

  const SolverEntry<Problem>* entry_ = nullptr;
  Phases phases_;
};

TEST_P(Conformance, AnswersEveryGraphAtItsSmokePoint) {
  for (const Case& wanted : all_cases()) {
    const Problem::Input input{&wanted.graph.graph};
    const auto solver = ready(smoke(), input);
    if (solver == nullptr) GTEST_SKIP();
    Problem::Answer answer;
    solver->solve(phases_);
    solver->download(answer, phases_);
    EXPECT_EQ(difference(wanted, answer), "") << wanted.graph.name;
  }
}

TEST_P(Conformance, AnswersAtTheExtremesOfEveryParameter) {
  for (const Parameters& point : testing::extreme_points(info())) {
    for (const Case& wanted : few_cases()) {
      const Problem::Input input{&wanted.graph.graph};
      const auto solver = ready(point, input);
      if (solver == nullptr) break;
      EXPECT_EQ(difference(wanted, solve_twice(*solver)), "") << wanted.graph.name << " at " << point.canonical();
    }
  }
}

TEST_P(Conformance, WritesTheWholeAnswerAtEverySolve) {
  for (const Case& wanted : few_cases()) {
    const Problem::Input input{&wanted.graph.graph};
    const auto solver = ready(smoke(), input);
    if (solver == nullptr) GTEST_SKIP();
    for (int round = 0; round < 3; ++round) {
      EXPECT_EQ(difference(wanted, solve_twice(*solver)), "") << wanted.graph.name << ", round " << round;
    }
  }
}

TEST_P(Conformance, SolveWithTransfersAnswersTheSame) {
  for (const Case& wanted : few_cases()) {
    const Problem::Input input{&wanted.graph.graph};
    const auto solver = ready(smoke(), input);
    if (solver == nullptr) GTEST_SKIP();
    Problem::Answer answer;
    for (int round = 0; round < 2; ++round) {
      std::ranges::fill(answer.counts, kPoison);
      solver->solve_with_transfers(answer, phases_);
      EXPECT_EQ(difference(wanted, answer), "") << wanted.graph.name << ", round " << round;
    }
  }
}

TEST_P(Conformance, ConfigureReachesEverySolvePointOnOneIndex) {
  const std::vector<Parameters> points = testing::extreme_points(info(), true);
  for (const Case& wanted : few_cases()) {
    const Problem::Input input{&wanted.graph.graph};
    const auto solver = ready(smoke(), input);
    if (solver == nullptr) GTEST_SKIP();
    for (const Parameters& point : points) {
      try {
        solver->configure(point);
      } catch (const Unsupported&) {
        continue;
      }
      EXPECT_EQ(difference(wanted, solve_twice(*solver)), "") << wanted.graph.name << " at " << point.canonical();
    }
    solver->configure(smoke());
    EXPECT_EQ(difference(wanted, solve_twice(*solver)), "") << wanted.graph.name << ", back at its smoke point";
  }
}

TEST_P(Conformance, IsDrivenThroughTheErasedFace) {
  auto dataset = std::make_shared<datasets::Dataset>();
  dataset->data = testing::skewed(100, 10, 3);
  const ProblemEntry& problem = *find_problem("common_neighbors");
  const std::unique_ptr<ProblemInstance> instance = problem.instance(dataset, {});
  const std::unique_ptr<BoundSolver> bound = bind_solver(problem, GetParam(), *instance, smoke());
  bound->prepare(phases_);
  bound->solve_with_transfers(phases_);
  EXPECT_EQ(bound->judge().verdict, Verdict::exact) << bound->judge().difference;
  const std::uint64_t digest = bound->digest();
  bound->solve(phases_);
  bound->download(phases_);
  EXPECT_EQ(bound->digest(), digest);
}

std::vector<std::string> solver_ids() {
  std::vector<std::string> ids;
  for (const auto& entry : solvers_of<Problem>()) ids.push_back(entry.info.id);
  std::ranges::sort(ids);
  return ids;
}

INSTANTIATE_TEST_SUITE_P(CommonNeighbors, Conformance, ::testing::ValuesIn(solver_ids()), [](const auto& solver) {
  std::string name = solver.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace warpbench
