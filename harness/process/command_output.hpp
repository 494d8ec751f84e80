// Runs a program without a shell, to read its output or with a time limit.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace warpbench::harness {

/// Standard output of `words` (program and arguments), or nothing if it cannot be run or its exit code is not 0. It
/// reads `input` as its standard input; its standard error is dropped. After `limit` the program and everything it
/// started are killed, and there is nothing; no limit: it may take as long as it likes.
std::optional<std::string> output_of(const std::vector<std::string>& words, const std::string& input = {},
                                     std::optional<std::chrono::duration<double>> limit = std::nullopt);

/// Runs `words` to its end with this process's standard output and error. Returns "" for exit code 0, otherwise what
/// happened ("exit code 3", "SIGSEGV (Segmentation fault)", that it could not be run). After `limit` the program and
/// everything it started are killed. Safe in a process with threads and a GPU: no code of ours runs after the fork.
std::string run_program(const std::vector<std::string>& words, std::chrono::duration<double> limit);

}  // namespace warpbench::harness
