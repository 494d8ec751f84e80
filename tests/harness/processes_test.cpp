// Reading the machine's processes, which come and go meanwhile.
#include "harness/process/processes.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace warpbench::harness {
namespace {

TEST(Processes, AParentIsFoundBehindAnyName) {
  std::istringstream stat("7 (a) (b\nc) S 42 7 7 0");
  EXPECT_EQ(parent_of(stat), 42);
  for (const char* text : {"", "7 (name", "7 (name) S", "7 (name) S x"}) {
    std::istringstream broken(text);
    EXPECT_EQ(parent_of(broken), std::nullopt) << text;
  }
}

TEST(Processes, OneThatEndsBeforeItIsReadHasNoParent) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  EXPECT_EQ(children_of(::getpid()).count(child), 1U);
  const std::string path = "/proc/" + std::to_string(child) + "/stat";
  std::ifstream early(path);
  std::ifstream late(path);
  EXPECT_EQ(parent_of(early), ::getpid());
  EXPECT_EQ(::kill(child, SIGKILL), 0);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(parent_of(late), std::nullopt);
  EXPECT_EQ(children_of(::getpid()).count(child), 0U);
}

}  // namespace
}  // namespace warpbench::harness
