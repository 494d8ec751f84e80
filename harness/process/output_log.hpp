// OutputLog: stores a worker's output within bounds.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "harness/process/durable.hpp"

namespace warpbench::harness {

/// Keeps the first and the last bytes that a child printed; drops the middle.
class OutputLog {
 public:
  /// Creates `file` when the first byte arrives. Without a file only the tail is kept.
  explicit OutputLog(std::filesystem::path file) : path_(std::move(file)) {}
  void add(std::string_view bytes);
  /// The last lines, made printable, at most about 400 characters.
  [[nodiscard]] std::string tail() const;

 private:
  std::filesystem::path path_;
  Descriptor file_;
  std::size_t logged_ = 0;
  std::string tail_;
};

}  // namespace warpbench::harness
