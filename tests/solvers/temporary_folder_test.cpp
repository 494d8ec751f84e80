#include "solvers/external/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "solvers/registry.hpp"
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

/// What is said where TMPDIR names a folder that is missing or takes no files.
TEST(TemporaryFolder, IsRefusedWhereNoneCanBeMade) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "file";
  std::ofstream(file) << "x";
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  for (const std::filesystem::path& place : {folder.path() / "missing", file}) {
    ::setenv("TMPDIR", place.c_str(), 1);
    try {
      const TemporaryFolder other;
      ADD_FAILURE() << "made in " << place;
    } catch (const Unsupported& refusal) {
      EXPECT_NE(std::string(refusal.what()).find("TMPDIR"), std::string::npos) << refusal.what();
    }
  }
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
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

enum class End { with_removal, without };

/// A process that fills a folder, says where it is, and ends, by itself or killed.
class Process {
 public:
  Process(int files, End end) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    process_ = ::fork();
    if (process_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (process_ == 0) fill(files, end, ends[1]);
    ::close(ends[1]);
    std::string path(4096, 0);
    const ssize_t length = ::read(ends[0], path.data(), path.size());
    ::close(ends[0]);
    path.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    folder_ = path;
  }

  /// Empty where the process failed.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  void kill() const { ::kill(process_, SIGKILL); }
  [[nodiscard]] bool wait() const { return ::waitpid(process_, nullptr, 0) == process_; }

 private:
  [[noreturn]] static void fill(int files, End end, int pipe) {
    {
      const TemporaryFolder folder;
      for (int file = 0; file < files; ++file) std::ofstream(folder.path() / std::to_string(file)) << "x";
      const std::string path = folder.path().string();
      const bool told = ::write(pipe, path.data(), path.size()) == static_cast<ssize_t>(path.size());
      if (!told || end == End::without) ::_exit(told ? 0 : 1);
    }
    ::_exit(0);
  }

  pid_t process_ = -1;
  std::filesystem::path folder_;
};

/// The folders of programs that are killed while they remove them, at any time.
TEST(TemporaryFolder, GoesWithTheNextSearchWhereItsRemovalWasCutShort) {
  std::vector<std::filesystem::path> cut;
  for (std::uint64_t i = 0; i < testing::usual_or_thorough(20, 200); ++i) {
    const Process process(400, End::with_removal);
    std::this_thread::sleep_for(std::chrono::microseconds(50 * i % 2000));
    process.kill();
    ASSERT_TRUE(process.wait());
    ASSERT_FALSE(process.folder().empty());
    cut.push_back(process.folder());
  }
  remove_abandoned_folders();
  for (const std::filesystem::path& folder : cut) {
    EXPECT_FALSE(std::filesystem::exists(folder)) << folder;
  }
}

/// As a process leaves it that is killed after it has made the folder, or has removed its lock.
TEST(TemporaryFolder, GoesWithTheNextSearchWhereItIsEmpty) {
  std::string name = (std::filesystem::temp_directory_path() / "warpbench-external-XXXXXX").string();
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  remove_abandoned_folders();
  EXPECT_FALSE(std::filesystem::exists(name));
}

/// Others may take a folder that has no lock yet for one that was left.
TEST(TemporaryFolder, IsMadeWhileOthersRemoveEmptyOnes) {
  const std::jthread other([](const std::stop_token& stop) {
    while (!stop.stop_requested()) remove_abandoned_folders();
  });
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  while (std::chrono::steady_clock::now() < end) {
    const TemporaryFolder folder;
    ASSERT_TRUE(std::filesystem::exists(folder.path()));
  }
}

TEST(TemporaryFolder, StaysWhileItsProcessLives) {
  const TemporaryFolder folder;
  remove_abandoned_folders();
  EXPECT_TRUE(std::filesystem::exists(folder.path()));
}

TEST(TemporaryFolder, GoesWithTheNextSearchWhereItsProcessEndedWithoutRemoval) {
  const Process process(1, End::without);
  ASSERT_TRUE(process.wait());
  ASSERT_FALSE(process.folder().empty());
  remove_abandoned_folders();
  EXPECT_FALSE(std::filesystem::exists(process.folder()));
}

}  // namespace
}  // namespace warpbench
