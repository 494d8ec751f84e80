// ChildEnd: how a process ended.
#pragma once

#include <string>

namespace warpbench::harness {

struct ChildEnd {
  bool signalled = false;
  int code = 0;  ///< exit code or signal number
  bool stopped_by_us = false;
  std::string output_tail;

  /// "exit code 3", "SIGSEGV (Segmentation fault)".
  [[nodiscard]] std::string describe() const;
};

}  // namespace warpbench::harness
