// Processes: what /proc says of this machine's processes, and how adopted ones are ended.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>

namespace warpbench::harness {

/// Threads of this process. A sanitizer's own background thread is not counted.
int thread_count();

/// The children of `parent`, zombies included. O(processes); without children O(1) when asked by the parent itself.
std::set<pid_t> children_of(pid_t parent);

/// Kills and reaps all children of this process except `keep`, again and again until none is left: the children of a
/// killed child are adopted by its subreaper. Gives up on what survives SIGKILL for ten seconds, and says so.
void end_adopted_children(pid_t self, const std::set<pid_t>& keep);

/// Anonymous and shared-memory pages of a process in RAM; mapped files do not count, since they can be dropped.
/// 0 where it is gone.
std::int64_t private_memory_bytes(pid_t process);

/// The most RAM this process ever used since reset_peak_memory_use(), bytes; 0 where /proc does not say.
std::int64_t peak_memory_use();
/// Starts the high-water mark again from now; where the kernel refuses, it stays that of the whole process.
void reset_peak_memory_use();

/// A field of /proc/`process`/status in bytes (`VmHWM`, `RssAnon`, …); 0 where it is absent.
std::int64_t status_bytes(pid_t process, const char* field);

}  // namespace warpbench::harness
