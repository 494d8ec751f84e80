#include "harness/process/command_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <limits>
#include <thread>

#include "harness/process/child_end.hpp"
#include "harness/process/durable.hpp"

namespace warpbench::harness {
namespace {

constexpr std::chrono::milliseconds kTick(10);
constexpr std::chrono::seconds kPatience(10);  // how long a killed process may take to disappear

/// Owns the file actions of posix_spawn.
class FileActions {
 public:
  FileActions() : usable_(::posix_spawn_file_actions_init(&actions_) == 0) {}
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() {
    if (usable_ && ::posix_spawn_file_actions_destroy(&actions_) != 0) usable_ = false;
  }
  bool redirect(int standard_input, int standard_output) {
    return usable_ && ::posix_spawn_file_actions_adddup2(&actions_, standard_output, STDOUT_FILENO) == 0 &&
           ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
           ::posix_spawn_file_actions_adddup2(&actions_, standard_input, STDIN_FILENO) == 0;
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
  bool usable_;
};

/// Owns posix_spawn attributes that make the child the leader of a new process group.
class GroupLeader {
 public:
  GroupLeader() : usable_(::posix_spawnattr_init(&attributes_) == 0) {}
  GroupLeader(const GroupLeader&) = delete;
  GroupLeader& operator=(const GroupLeader&) = delete;
  ~GroupLeader() {
    if (usable_ && ::posix_spawnattr_destroy(&attributes_) != 0) usable_ = false;
  }
  bool arrange() {
    return usable_ && ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP) == 0 &&
           ::posix_spawnattr_setpgroup(&attributes_, 0) == 0;
  }
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
  bool usable_;
};

/// The words in the form of exec's argument list; `words` must outlive it.
std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

using Clock = std::chrono::steady_clock;

Clock::time_point end_after(std::chrono::duration<double> time) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
}

/// Returns whether `child` ended before `end`; `status` says how.
bool ended_before(pid_t child, Clock::time_point end, int& status) {
  for (;;) {
    const pid_t reaped = ::waitpid(child, &status, WNOHANG);
    if (reaped == child) return true;
    if (Clock::now() >= end) return false;
    std::this_thread::sleep_for(kTick);
  }
}

/// Whether there is something to read, or the other side has closed, before `end`.
bool readable_before(int descriptor, Clock::time_point end) {
  for (;;) {
    int wait = -1;
    if (end != Clock::time_point::max()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
      if (left <= 0) return false;
      wait = static_cast<int>(std::min<std::int64_t>(left, std::numeric_limits<int>::max()));
    }
    pollfd watched{descriptor, POLLIN, 0};
    const int found = ::poll(&watched, 1, wait);
    if (found > 0) return true;
    if (found < 0 && errno != EINTR) return false;
  }
}

}  // namespace

std::optional<std::string> output_of(const std::vector<std::string>& words, const std::string& input,
                                     std::optional<std::chrono::duration<double>> limit) {
  std::vector<char*> arguments = pointers_to(words);
  std::array<int, 2> ends{};
  // A file in memory: with a pipe, a program that writes before it has read all would wait for us, and we for it.
  const Descriptor given(::memfd_create("input", MFD_CLOEXEC));
  if (given.get() < 0) return std::nullopt;
  write_all(given.get(), input, "standard input");
  if (::lseek(given.get(), 0, SEEK_SET) != 0) return std::nullopt;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  FileActions actions;
  GroupLeader leader;  // only where it may be killed: Ctrl-C at a terminal ends the others with this program
  pid_t child = -1;
  if (!actions.redirect(given.get(), to.get()) || (limit && !leader.arrange()) ||
      ::posix_spawnp(&child, arguments[0], actions.get(), limit ? leader.get() : nullptr, arguments.data(), environ) !=
          0) {
    return std::nullopt;
  }
  to.reset();
  const Clock::time_point end = limit ? end_after(*limit) : Clock::time_point::max();
  std::string output;
  std::array<char, 4096> block{};
  bool closed = false;
  while (readable_before(from.get(), end)) {
    const ssize_t got = ::read(from.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    closed = got <= 0;
    if (closed) break;
    output.append(block.data(), static_cast<std::size_t>(got));
  }
  int status = 0;
  if (limit && !(closed && ended_before(child, end, status))) {
    static_cast<void>(::kill(-child, SIGKILL));  // fails harmlessly if all have just ended
    static_cast<void>(ended_before(child, end_after(kPatience), status));
    return std::nullopt;
  }
  while (!limit && ::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return std::nullopt;
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return output;
}

std::string run_program(const std::vector<std::string>& words, std::chrono::duration<double> limit) {
  std::vector<char*> arguments = pointers_to(words);
  GroupLeader leader;
  if (!leader.arrange()) return "the attributes of a process cannot be set";
  pid_t child = -1;
  if (const int error = ::posix_spawnp(&child, arguments[0], nullptr, leader.get(), arguments.data(), environ);
      error != 0) {
    return fmt::format("cannot be run: {}", std::strerror(error));
  }
  int status = 0;
  if (!ended_before(child, end_after(limit), status)) {
    // Fails harmlessly if the child has just ended. If it hangs in a GPU call, it is left behind.
    static_cast<void>(::kill(-child, SIGKILL));
    static_cast<void>(ended_before(child, end_after(kPatience), status));
    return fmt::format("not done after {} s", limit.count());
  }
  ChildEnd end;
  end.signalled = WIFSIGNALED(status);
  end.code = end.signalled ? WTERMSIG(status) : WEXITSTATUS(status);
  return end.signalled || end.code != 0 ? end.describe() : "";
}

}  // namespace warpbench::harness
