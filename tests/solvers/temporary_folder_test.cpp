#include "solvers/external/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <system_error>
#include <thread>

#include "tests/support/thorough.hpp"

namespace warpbench {
namespace {

TEST(TemporaryFolder, GoesWithItsObject) {
  std::filesystem::path left;
  {
    const TemporaryFolder folder;
    left = folder.path();
    std::ofstream(left / "p.f32") << "x";
  }
  EXPECT_FALSE(std::filesystem::exists(left));
}

/// Makes a folder and gives it up while another thread adds files to it, for 10 ms.
bool goes_while_it_is_written() {
  std::filesystem::path left;
  std::atomic<int> written = 0;
  std::thread program;
  {
    const TemporaryFolder folder;
    left = folder.path();
    program = std::thread([&written, busy = left / "busy"] {
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
      for (std::error_code ignored; std::chrono::steady_clock::now() < end; ++written) {
        std::filesystem::create_directory(busy, ignored);
        std::ofstream(busy / std::to_string(written)) << "x";
      }
    });
    while (written == 0) std::this_thread::yield();
  }
  program.join();
  return !std::filesystem::exists(left);
}

TEST(TemporaryFolder, GoesWhileAProgramThatWritesToItIsEnding) {
  constexpr int kRounds = 30;  // in most of them the writer does not hit the moment before the folder goes
  for (int i = 0; i < kRounds; ++i) EXPECT_TRUE(goes_while_it_is_written()) << i;
}

/// The folders of programs that are killed while they remove them, at any time.
TEST(TemporaryFolder, GoesWithTheNextSearchWhereItsRemovalWasCutShort) {
  const auto folders = [] {
    std::set<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
      if (entry.path().filename().string().starts_with("warpbench-external-")) found.insert(entry.path());
    }
    return found;
  };
  remove_abandoned_folders();
  const std::set<std::filesystem::path> before = folders();
  for (std::uint64_t i = 0; i < testing::usual_or_thorough(20, 200); ++i) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t process = ::fork();
    ASSERT_GE(process, 0);
    if (process == 0) {
      {
        const TemporaryFolder folder;
        for (int file = 0; file < 400; ++file) std::ofstream(folder.path() / std::to_string(file)) << "x";
        static_cast<void>(::write(ends[1], "x", 1));
      }
      ::_exit(0);
    }
    char ready = 0;
    ASSERT_EQ(::read(ends[0], &ready, 1), 1);
    std::this_thread::sleep_for(std::chrono::microseconds(50 * i % 2000));
    ::kill(process, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(process, &status, 0), process);
    ::close(ends[0]);
    ::close(ends[1]);
  }
  remove_abandoned_folders();
  for (const std::filesystem::path& folder : folders()) {
    EXPECT_TRUE(before.contains(folder) || std::filesystem::is_empty(folder)) << folder;
  }
}

TEST(TemporaryFolder, StaysWhileItsProcessLives) {
  const TemporaryFolder folder;
  remove_abandoned_folders();
  EXPECT_TRUE(std::filesystem::exists(folder.path()));
}

TEST(TemporaryFolder, GoesWithTheNextSearchWhereItsProcessWasKilled) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t process = ::fork();
  ASSERT_GE(process, 0);
  if (process == 0) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "p.f32") << "x";
    const std::string path = folder.path().string();
    ::_exit(::write(ends[1], path.data(), path.size()) == static_cast<ssize_t>(path.size()) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(process, &status, 0), process);
  ASSERT_EQ(status, 0);
  std::string path(4096, 0);
  const ssize_t length = ::read(ends[0], path.data(), path.size());
  ASSERT_GT(length, 0);
  path.resize(static_cast<std::size_t>(length));
  EXPECT_TRUE(std::filesystem::exists(path));
  remove_abandoned_folders();
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(::close(ends[0]), 0);
  EXPECT_EQ(::close(ends[1]), 0);
}

}  // namespace
}  // namespace warpbench
