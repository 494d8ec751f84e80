#include "harness/process/processes.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include "build_info.hpp"

namespace warpbench::harness {
namespace {

bool has_children() {
  siginfo_t info{};
  // WNOWAIT asks without reaping. The only possible failure is ECHILD.
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace

int thread_count() {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    if (!entry.path().empty()) ++count;
  }
  const bool background_thread = std::string_view(build_info::kSanitizer) == "thread";
  return std::max(1, count - (background_thread ? 1 : 0));
}

std::optional<pid_t> parent_of(std::istream& stat) {
  std::string text;
  // A stream's own functions do not throw where the read fails.
  if (!std::getline(stat, text, '\0')) return std::nullopt;
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream rest(text.substr(name_end + 1));
  char state = 0;
  pid_t parent = 0;
  if (!(rest >> state >> parent)) return std::nullopt;
  return parent;
}

std::set<pid_t> children_of(pid_t parent) {
  std::set<pid_t> children;
  if (parent == ::getpid() && !has_children()) return children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream stat(entry.path() / "stat");
    if (parent_of(stat) == parent) children.insert(static_cast<pid_t>(std::stol(name)));
  }
  return children;
}

void end_adopted_children(pid_t self, const std::set<pid_t>& keep) {
  const auto start = std::chrono::steady_clock::now();
  const auto kill = start + std::chrono::seconds(1);
  const auto give_up = start + std::chrono::seconds(11);
  for (;;) {
    std::set<pid_t> adopted = children_of(self);
    for (const pid_t kept : keep) adopted.erase(kept);
    if (adopted.empty()) return;
    const bool grace = std::chrono::steady_clock::now() < kill;
    for (const pid_t process : adopted) {
      if (!grace && ::kill(process, SIGKILL) != 0 && errno != ESRCH)
        fmt::print(stderr, "warpbench: cannot kill {}\n", process);
      // 0 means not dead yet: the next round asks again.
      if (::waitpid(process, nullptr, WNOHANG) < 0 && errno != ECHILD && errno != EINTR) return;
    }
    if (std::chrono::steady_clock::now() > give_up) {
      fmt::print(stderr, "warpbench: {} processes survive SIGKILL; look at them before trusting this machine\n",
                 adopted.size());
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::int64_t status_bytes(pid_t process, const char* field) {
  std::ifstream file(fmt::format("/proc/{}/status", process));
  const std::string wanted = std::string(field) + ":";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(wanted)) continue;
    std::istringstream text(line.substr(wanted.size()));
    std::int64_t kibibytes = 0;
    return text >> kibibytes ? kibibytes * 1024 : 0;
  }
  return 0;
}

std::int64_t private_memory_bytes(pid_t process) {
  return status_bytes(process, "RssAnon") + status_bytes(process, "RssShmem");
}

std::optional<std::int64_t> peak_memory_use() {
  if (!children_of(::getpid()).empty()) return std::nullopt;
  return status_bytes(::getpid(), "VmHWM");
}

void reset_peak_memory_use() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5";
  file.flush();  // some containers refuse this; the peak is then that of the whole process
}

}  // namespace warpbench::harness
