// Reads this machine's processes from /proc and ends adopted ones.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <set>

namespace warpbench::harness {

/// Threads of this process, at least 1. ThreadSanitizer's background thread, where it runs, is not counted.
int thread_count();

/// The parent of a process whose /proc/PID/stat this is: its fourth field, after the name in parentheses. Nothing where
/// the process has ended since the file was opened, so that reading it fails.
std::optional<pid_t> parent_of(std::istream& stat);

/// The children of `parent`, zombies included. O(processes), but O(1) if the caller asks for its own and has none.
std::set<pid_t> children_of(pid_t parent);

/// Ends and reaps all children of this process except those in `keep`. They have a second to end by themselves, since a
/// server may have asked for a signal when its parent ends, and clean up what outlives it; then it kills them. Repeats
/// until none is left, because the children of a killed child are adopted by its subreaper. After ten seconds more it
/// reports the survivors of SIGKILL and gives up.
void end_adopted_children(pid_t self, const std::set<pid_t>& keep);

/// A process's anonymous and shared-memory pages in RAM; 0 if it is gone. Mapped files do not count: they can be
/// dropped.
std::int64_t private_memory_bytes(pid_t process);

/// The peak RAM of this process since reset_peak_memory_use(), in bytes; 0 if /proc does not say. Nothing while it has
/// children, such as an external program: what they and theirs took at their peak is not known.
std::optional<std::int64_t> peak_memory_use();
/// Restarts the high-water mark. If the kernel refuses, it stays that of the whole process.
void reset_peak_memory_use();

/// A field of /proc/`process`/status in bytes (`VmHWM`, `RssAnon`, …); 0 if it is absent.
std::int64_t status_bytes(pid_t process, const char* field);

}  // namespace warpbench::harness
