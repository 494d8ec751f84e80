// SpecError: why an experiment file is refused, with file, line and column.
#pragma once

#include <stdexcept>
#include <string>

namespace warpbench::harness {

class SpecError : public std::runtime_error {
 public:
  SpecError(const std::string& file, int line, int column, const std::string& message)
      : std::runtime_error(file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + message) {}
};

}  // namespace warpbench::harness
