// What every registered solver of every problem must say of itself: specs, `warpbench list` and the report rely on it.
#include <gtest/gtest.h>

#include <set>

#include "problems/problem.hpp"
#include "solvers/solver.hpp"
#include "tests/algorithms/support/parameter_points.hpp"

namespace warpbench {
namespace {

TEST(Registry, EveryProblemHasSolvers) {
  ASSERT_FALSE(problems().empty());
  for (const ProblemEntry& problem : problems()) {
    EXPECT_FALSE(solvers_of(problem).empty()) << problem.info.id;
    EXPECT_FALSE(problem.info.title.empty()) << problem.info.id;
    EXPECT_FALSE(problem.info.source.empty()) << problem.info.id;
    EXPECT_FALSE(problem.info.accepts.empty()) << problem.info.id;
    EXPECT_FALSE(problem.info.work_unit.empty()) << problem.info.id;
  }
}

TEST(Registry, SolverIdsAreUnique) {
  for (const ProblemEntry& problem : problems()) {
    std::set<std::string> ids;
    for (const SolverInfo* info : solvers_of(problem)) EXPECT_TRUE(ids.insert(info->id).second) << info->id;
  }
}

TEST(Registry, EverySolverSaysWhatItIs) {
  for (const ProblemEntry& problem : problems()) {
    for (const SolverInfo* info : solvers_of(problem)) {
      EXPECT_FALSE(info->title.empty()) << info->id;
      EXPECT_FALSE(info->source.empty()) << info->id;
    }
  }
}

TEST(Registry, EverySmokePointAndDefaultIsAccepted) {
  for (const ProblemEntry& problem : problems()) {
    for (const SolverInfo* info : solvers_of(problem)) {
      EXPECT_TRUE(testing::accepted(*info, info->smoke)) << info->id << ": smoke point";
      EXPECT_TRUE(testing::accepted(*info, {})) << info->id << ": defaults";
    }
  }
}

TEST(Registry, EveryParameterIsBoundedAndExplained) {
  for (const ProblemEntry& problem : problems()) {
    for (const SolverInfo* info : solvers_of(problem)) {
      for (const ParameterSpec& spec : info->parameters) {
        const std::string name = info->id + "." + spec.name;
        EXPECT_FALSE(spec.meaning.empty()) << name;
        EXPECT_GE(testing::extremes(spec).size(), 2U) << name << ": no range and no choices";
        EXPECT_NO_THROW(Parameters(info->parameters, {{spec.name, spec.default_value}})) << name << ": default";
      }
    }
  }
}

}  // namespace
}  // namespace warpbench
