// OutputLog: keeps what a worker prints within bounds.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "harness/process/durable.hpp"

namespace warpbench::harness {

/// The last and the first bytes of what a child printed; the middle is dropped.
class OutputLog {
 public:
  /// `file` is created when the first byte comes; empty keeps only the tail.
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
