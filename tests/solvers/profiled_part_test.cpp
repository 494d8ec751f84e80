// What of a solve a profiler sees, by whether a ProfiledRange is open at each step.
#include "solvers/profiled_part.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace warpbench {
namespace {

/// A solve of three steps, of which the second may be marked; notes those that are profiled.
struct Solve {
  void step(const std::string& name) {
    if (ProfiledRange::open()) seen.push_back(name);
  }
  int core() {
    step("core");
    return 7;
  }
  void operator()() {
    step("before");
    result = marked ? profile_part("core", stream, [this] { return core(); }) : core();
    step("after");
  }

  bool marked = true;
  int result = 0;
  std::vector<std::string> seen;
  Stream stream;
};

using Steps = std::vector<std::string>;

TEST(ProfiledPart, IsAllThatIsSeenWhereASolverMarksIt) {
  Solve solve;
  SolveProfiler profiler;
  solve();
  EXPECT_EQ(solve.seen, Steps{}) << "the first solve is not profiled";
  EXPECT_EQ(profiler.part(), "core");
  profiler.profile([&] { solve(); });
  EXPECT_EQ(solve.seen, Steps{"core"});
  EXPECT_EQ(solve.result, 7);
  EXPECT_FALSE(ProfiledRange::open());
}

TEST(ProfiledPart, IsTheWholeSolveWhereNoneIsMarked) {
  Solve solve;
  solve.marked = false;
  SolveProfiler profiler;
  solve();
  profiler.profile([&] { solve(); });
  EXPECT_EQ(profiler.part(), kWholeSolve);
  EXPECT_EQ(solve.seen, (Steps{"before", "core", "after"}));
}

TEST(ProfiledPart, OfAnEarlierSolverIsForgotten) {
  Solve solve;
  {
    const SolveProfiler earlier;
    solve();
  }
  solve();  // nobody listens
  EXPECT_EQ(SolveProfiler().part(), kWholeSolve);
}

TEST(ProfiledPart, MustBeReachedBeforeItIsProfiled) {
  Solve solve;
  SolveProfiler profiler;
  EXPECT_THROW(profiler.profile([&] { solve(); }), std::runtime_error) << "the counters would be of the whole solve";
}

TEST(ProfiledPart, EndsWithAnException) {
  Stream stream;
  SolveProfiler profiler;
  const auto fail = []() -> int { throw std::runtime_error("no memory"); };
  EXPECT_THROW(profile_part("core", stream, fail), std::runtime_error);
  EXPECT_THROW(profiler.profile([&] { profile_part("core", stream, fail); }), std::runtime_error);
  EXPECT_FALSE(ProfiledRange::open());
}

}  // namespace
}  // namespace warpbench
