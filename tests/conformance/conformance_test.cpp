// Runs the checks of all problems, and sees that no problem is left out.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "problems/problem.hpp"
#include "tests/conformance/support/suite.hpp"
#include "tests/datasets/support.hpp"
#include "tests/problems/support/real_sets.hpp"
#include "tests/support/memory_limit.hpp"

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
  const testing::MemoryLimit limit(backend_name() == "simt" ? kSimtMemory : free_memory());
  for (const std::string& fault : GetParam().run()) ADD_FAILURE() << fault;
}

TEST(ConformanceOfAll, LeavesNoProblemOut) {
  for (const ProblemEntry& problem : problems()) {
    EXPECT_TRUE(std::ranges::find(checked_problems(), problem.type) != checked_problems().end())
        << problem.info.id << " has no tests/conformance/" << problem.info.id << "_test.cpp";
  }
}

/// The inputs that are tried only where their files are here: the output is to tell which of them are not.
TEST(ConformanceOfAll, HasRealInputs) {
  std::vector<std::string> files{"graphs/chesapeake.mtx", "vectors/mnist-train-images-idx3-ubyte.gz",
                                 "vectors/mnist-t10k-images-idx3-ubyte.gz"};
  for (const testing::RealSets& sets : testing::kRealSets) files.push_back("sets/" + sets.path);
  const auto data = datasets::testing::data_dir();
  std::string missing;
  for (const std::string& file : files) {
    if (!data || !std::filesystem::exists(*data / file)) missing += " " + file;
  }
  if (!missing.empty()) GTEST_SKIP() << "real inputs are not tried: set WARPBENCH_DATA to a folder with" << missing;
}

}  // namespace
}  // namespace warpbench::conformance
