// Doctor: what this machine can and cannot do for benchmarks, and what to do about it.
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
  std::string remedy;  ///< "" where there is nothing to do
};

/// `data` may be empty: then $WARPBENCH_DATA is looked at.
std::vector<Finding> examine(const std::filesystem::path& data);

/// Prints the findings; 0 where nothing is bad (the simt path works), 1 otherwise.
int doctor(const std::filesystem::path& data, std::ostream& out);

}  // namespace warpbench::harness
