#include "harness/process/oom_kills.hpp"

#include <fstream>
#include <sstream>
#include <vector>

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

/// The number behind `oom_kill` in a file of lines `NAME NUMBER`; nothing where the file or the name is not there.
std::optional<std::int64_t> oom_kill_of(const fs::path& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    std::int64_t count = 0;
    if (words >> name >> count && name == "oom_kill") return count;
  }
  return std::nullopt;
}

/// The files that may hold the count of our control group, best first.
std::vector<fs::path> files_of_group(const fs::path& root) {
  const fs::path mounts = root / "sys/fs/cgroup";
  std::vector<fs::path> files;
  std::ifstream groups(root / "proc/self/cgroup");
  // A line is HIERARCHY:CONTROLLERS:PATH; version 2 names no controllers.
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    if (controllers == ",,") {
      for (const fs::path& mount : {mounts, mounts / "unified"}) files.push_back(mount / group / "memory.events");
    } else if (controllers.find(",memory,") != std::string::npos) {
      files.push_back(mounts / "memory" / group / "memory.oom_control");
    }
  }
  // In a container the path is often the host's, and the mounted root is our own group.
  files.push_back(mounts / "memory.events");
  return files;
}

}  // namespace

std::optional<OomKills> count_oom_kills(const fs::path& root) {
  for (const fs::path& file : files_of_group(root)) {
    if (const auto count = oom_kill_of(file)) return OomKills{*count, false};
  }
  if (const auto count = oom_kill_of(root / "proc/vmstat")) return OomKills{*count, true};
  return std::nullopt;
}

KillCause cause_of_kill(const std::optional<OomKills>& before, const std::optional<OomKills>& after) {
  if (!before || !after || before->whole_machine != after->whole_machine) {
    return {false, "by the kernel's out-of-memory killer or another process: the kernel's count cannot be read"};
  }
  if (after->count <= before->count) {
    return {false, "by another process: the kernel's out-of-memory killer ended none meanwhile"};
  }
  return {true, after->whole_machine ? "when the kernel's out-of-memory killer ended a process of this machine"
                                     : "by the kernel's out-of-memory killer"};
}

}  // namespace warpbench::harness
