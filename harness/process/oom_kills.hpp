// OomKills: the kernel's count of processes that its out-of-memory killer ended. It tells such a kill from another
// process's SIGKILL, which looks the same to the parent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace warpbench::harness {

struct OomKills {
  std::int64_t count = 0;
  bool whole_machine = false;  ///< not of our control group alone
};

/// The count of this process's memory control group (`memory.events` in version 2, `memory.oom_control` in version 1),
/// else of the whole machine (`/proc/vmstat`); nothing where none of them can be read. `root` replaces `/` in tests.
[[nodiscard]] std::optional<OomKills> count_oom_kills(const std::filesystem::path& root = "/");

struct KillCause {
  bool out_of_memory = false;
  std::string explanation;  ///< follows "SIGKILL (Killed)" and a comma
};

/// What SIGKILL came from, by the counts before and after. Where there are none it is not called out of memory.
[[nodiscard]] KillCause cause_of_kill(const std::optional<OomKills>& before, const std::optional<OomKills>& after);

}  // namespace warpbench::harness
