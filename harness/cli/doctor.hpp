// Doctor: reports what this machine can and cannot do for benchmarks, and how to fix it.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace warpbench::harness {

struct Finding {
  enum class Level { good, advice, bad };
  Level level = Level::good;
  std::string subject;  ///< "GPU", "governor", …
  std::string found;
  std::string remedy;  ///< "" if there is nothing to do
};

/// Examines the machine and `data`, the folder of dataset files.
std::vector<Finding> examine(const std::filesystem::path& data);

/// Prints the findings and returns the exit code: 0 if nothing is bad (the simt path works), otherwise 1.
int doctor(const std::filesystem::path& data, std::ostream& out);

}  // namespace warpbench::harness
