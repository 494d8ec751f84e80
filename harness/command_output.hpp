// Runs a program without a shell and reads what it prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpbench::harness {

/// Standard output of `words` (program and arguments); nothing where it cannot be run or its exit code is not 0. Its
/// standard error is dropped.
std::optional<std::string> output_of(const std::vector<std::string>& words);

}  // namespace warpbench::harness
