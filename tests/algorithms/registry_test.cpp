// The facts that every registered solver of every problem states: specs, `warpbench list` and the report rely on them.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
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

TEST(Registry, DefaultsAreTheDocumentsAndBestIsNot) {
  for (const ProblemEntry& problem : problems()) {
    for (const SolverInfo* info : solvers_of(problem)) {
      const Parameters defaults(info->parameters, {});
      EXPECT_EQ(point_of(*info, defaults), info->ours ? Point::best : Point::document) << info->id;
      if (info->best.empty()) continue;
      const std::optional<Parameters> best = testing::accepted(*info, info->best);
      ASSERT_TRUE(best) << info->id << ": best";
      EXPECT_EQ(point_of(*info, *best), Point::best) << info->id;
    }
  }
}

TEST(Registry, NoParameterIsCalledPoint) {  // in specs the word names a point
  for (const ProblemEntry& problem : problems()) {
    for (const SolverInfo* info : solvers_of(problem)) {
      EXPECT_FALSE(std::ranges::any_of(info->parameters, [](const auto& spec) { return spec.name == "point"; }))
          << info->id;
    }
  }
}

SolverInfo with_points() {
  SolverInfo info;
  info.parameters = {
      parameter("method", "document").one_of({"document", "joined", "fast"}).document({"document", "joined"}),
      parameter("table", 0).range(0, 64).document({0}), parameter("length", 8).range(1, 64)};
  info.best = {{"method", "fast"}, {"length", 16}};
  return info;
}

TEST(Point, IsTheDocumentsWhereNoValueIsOurs) {
  const SolverInfo info = with_points();
  const auto point = [&](const std::map<std::string, Value>& given) {
    return point_of(info, Parameters(info.parameters, given));
  };
  EXPECT_EQ(point({}), Point::document);
  EXPECT_EQ(point({{"method", "joined"}, {"length", 3}}), Point::document);
  EXPECT_EQ(point(info.best), Point::best);
  EXPECT_EQ(point({{"method", "fast"}, {"length", 3}}), Point::best) << "documents vary the length themselves";
  EXPECT_EQ(point({{"method", "fast"}, {"table", 64}}), Point::other);
  EXPECT_EQ(point({{"table", 64}}), Point::other);
}

TEST(Point, OfASolverThatIsOursIsBest) {
  SolverInfo info;
  info.ours = true;
  EXPECT_EQ(point_of(info, Parameters{}), Point::best);
}

TEST(Registry, EveryParameterIsBoundedAndExplained) {
  for (const ProblemEntry& problem : problems()) {
    for (const SolverInfo* info : solvers_of(problem)) {
      for (const ParameterSpec& spec : info->parameters) {
        const std::string name = info->id + "." + spec.name;
        EXPECT_FALSE(spec.meaning.empty()) << name;
        // The texts for a program of the user's own are what that program takes.
        const bool is_free = info->id == "external";
        EXPECT_TRUE(is_free || testing::extremes(spec).size() >= 2) << name << ": no range and no choices";
        EXPECT_NO_THROW(Parameters(info->parameters, {{spec.name, spec.default_value}})) << name << ": default";
        for (const Value& value : spec.document_values)
          EXPECT_NO_THROW(Parameters(info->parameters, {{spec.name, value}})) << name << "=" << to_string(value);
      }
    }
  }
}

}  // namespace
}  // namespace warpbench
