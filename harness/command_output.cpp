#include "harness/command_output.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "harness/durable.hpp"

namespace warpbench::harness {
namespace {

/// posix_spawn's file actions with an owner.
class FileActions {
 public:
  FileActions() : usable_(::posix_spawn_file_actions_init(&actions_) == 0) {}
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() {
    if (usable_ && ::posix_spawn_file_actions_destroy(&actions_) != 0) usable_ = false;
  }
  bool redirect(int standard_output) {
    return usable_ && ::posix_spawn_file_actions_adddup2(&actions_, standard_output, STDOUT_FILENO) == 0 &&
           ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
           ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0;
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
  bool usable_;
};

}  // namespace

std::optional<std::string> output_of(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  FileActions actions;
  pid_t child = -1;
  if (!actions.redirect(to.get()) ||
      ::posix_spawnp(&child, arguments[0], actions.get(), nullptr, arguments.data(), environ) != 0) {
    return std::nullopt;
  }
  to.reset();
  std::string output;
  std::array<char, 4096> block{};
  for (;;) {
    const ssize_t got = ::read(from.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    output.append(block.data(), static_cast<std::size_t>(got));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return std::nullopt;
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return output;
}

}  // namespace warpbench::harness
