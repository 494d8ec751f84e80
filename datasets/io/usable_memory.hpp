// The memory that programs may use here: the machine's, or what their control group has.
#pragma once

#include <cstdint>
#include <filesystem>

namespace warpbench::datasets {

/// The memory that this machine has for its programs, or fewer bytes if the control group allows fewer: its limit is
/// memory.max (version 2) or memory/memory.limit_in_bytes (version 1) in `cgroup`.
[[nodiscard]] std::int64_t usable_memory_bytes(const std::filesystem::path& cgroup = "/sys/fs/cgroup");

}  // namespace warpbench::datasets
