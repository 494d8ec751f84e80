// Runs the checks of all problems, and sees that no problem is left out.
#include <gtest/gtest.h>

#include <algorithm>

#include "problems/problem.hpp"
#include "tests/conformance/support/suite.hpp"

namespace warpbench::conformance {

void PrintTo(const NamedCheck& check, std::ostream* out) {
  *out << check.name;
}

std::string name_of(const ::testing::TestParamInfo<NamedCheck>& check) {
  std::string name = check.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
}

std::vector<std::type_index>& checked_problems() {
  static std::vector<std::type_index> problems;
  return problems;
}

namespace {

TEST_P(Conformance, Holds) {
  if (!GetParam().unavailable.empty()) GTEST_SKIP() << GetParam().unavailable;
  const MemoryLimit limit(backend_name() == "simt" ? kSimtMemory : free_memory());
  for (const std::string& fault : GetParam().run()) ADD_FAILURE() << fault;
}

TEST(ConformanceOfAll, LeavesNoProblemOut) {
  for (const ProblemEntry& problem : problems()) {
    EXPECT_TRUE(std::ranges::find(checked_problems(), problem.type) != checked_problems().end())
        << problem.info.id << " has no tests/conformance/" << problem.info.id << "_test.cpp";
  }
}

}  // namespace
}  // namespace warpbench::conformance
