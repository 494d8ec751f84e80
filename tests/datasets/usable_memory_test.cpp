// The memory that programs may use: the machine's, or that of a control group.
#include "datasets/io/usable_memory.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

TEST(UsableMemory, IsTheMachinesOrTheControlGroups) {
  const TemporaryFolder groups;
  const std::int64_t machine = usable_memory_bytes(groups.path());
  EXPECT_GT(machine, std::int64_t{1} << 28);
  { std::ofstream(groups.path() / "memory.max") << "max\n"; }
  EXPECT_EQ(usable_memory_bytes(groups.path()), machine);
  { std::ofstream(groups.path() / "memory.max") << "1048576\n"; }
  EXPECT_EQ(usable_memory_bytes(groups.path()), 1048576);
  std::filesystem::remove(groups.path() / "memory.max");
  std::filesystem::create_directory(groups.path() / "memory");
  { std::ofstream(groups.path() / "memory" / "memory.limit_in_bytes") << "2097152\n"; }
  EXPECT_EQ(usable_memory_bytes(groups.path()), 2097152);
}

}  // namespace
}  // namespace warpbench::datasets::testing
