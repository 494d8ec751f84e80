// The kernel's counts of out-of-memory kills, read from made-up trees, and what is made of them.
#include "harness/process/oom_kills.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/temporary_directory.hpp"

namespace warpbench::harness {
namespace {

class OomKillsTest : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = root_.path() / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  [[nodiscard]] std::optional<OomKills> found() const { return count_oom_kills(root_.path()); }

  TemporaryDirectory root_;
};

TEST_F(OomKillsTest, AreThoseOfTheOwnGroupInVersion2) {
  write("proc/self/cgroup", "0::/user.slice/mine\n");
  write("sys/fs/cgroup/user.slice/mine/memory.events", "low 0\noom 5\noom_kill 3\noom_group_kill 0\n");
  write("sys/fs/cgroup/memory.events", "oom_kill 70\n");
  write("proc/vmstat", "nr_free_pages 9\noom_kill 100\n");
  EXPECT_EQ(found()->count, 3);
  EXPECT_FALSE(found()->whole_machine);
}

TEST_F(OomKillsTest, AreThoseOfTheOwnGroupInVersion1) {
  write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/mine\n0::/\n");
  write("sys/fs/cgroup/memory/mine/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
  write("proc/vmstat", "oom_kill 100\n");
  EXPECT_EQ(found()->count, 2);
  EXPECT_FALSE(found()->whole_machine);
}

TEST_F(OomKillsTest, AreThoseOfTheMountedGroupInAContainer) {
  write("proc/self/cgroup", "0::/docker/0123\n");
  write("sys/fs/cgroup/memory.events", "oom_kill 4\n");
  EXPECT_EQ(found()->count, 4);
}

TEST_F(OomKillsTest, AreThoseOfTheMachineWhereTheGroupHasNone) {
  write("proc/self/cgroup", "0::/\n");
  write("proc/vmstat", "oom_kill 100\n");
  EXPECT_EQ(found()->count, 100);
  EXPECT_TRUE(found()->whole_machine);
}

TEST_F(OomKillsTest, AreUnknownWhereNothingCanBeRead) {
  EXPECT_FALSE(found().has_value());
  write("proc/vmstat", "nr_free_pages 9\noom_kill\n");
  EXPECT_FALSE(found().has_value());
}

TEST(KillCause, IsOutOfMemoryOnlyWhereTheKernelCountedAKill) {
  const auto group = [](std::int64_t count) { return OomKills{count, false}; };
  EXPECT_TRUE(cause_of_kill(group(2), group(3)).out_of_memory);
  EXPECT_FALSE(cause_of_kill(group(3), group(3)).out_of_memory);
  EXPECT_TRUE(cause_of_kill(OomKills{2, true}, OomKills{3, true}).out_of_memory);
  EXPECT_FALSE(cause_of_kill(OomKills{2, true}, group(3)).out_of_memory) << "counts of different things";
  EXPECT_FALSE(cause_of_kill({}, {}).out_of_memory);
  EXPECT_NE(cause_of_kill({}, {}).explanation, cause_of_kill(group(3), group(3)).explanation);
}

}  // namespace
}  // namespace warpbench::harness
