// Runs a program without a shell: to read what it prints, or within a time.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace warpbench::harness {

/// Standard output of `words` (program and arguments); nothing where it cannot be run or its exit code is not 0. Its
/// standard error is dropped.
std::optional<std::string> output_of(const std::vector<std::string>& words);

/// Runs `words` to its end with this process's standard output and error. "" where its exit code is 0, else what came
/// instead ("exit code 3", "SIGSEGV (Segmentation fault)", that it could not be run). What takes longer than `limit` is
/// killed with all that it started. Safe in a process with threads and a GPU: nothing of ours runs after the fork.
std::string run_program(const std::vector<std::string>& words, std::chrono::duration<double> limit);

}  // namespace warpbench::harness
