// Progress: a line that is rewritten on a terminal; whole lines in a log file or a pipe.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

#include "harness/record/status.hpp"

namespace warpbench::harness {

class Progress {
 public:
  /// `total` trials are left to run. `stream` is stderr in the program; nullptr prints nothing.
  Progress(std::size_t total, std::FILE* stream);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Announces the trial that runs now; shown on a terminal only.
  void begin(const std::string& label);
  /// Reports that a trial ended. `detail` is the median time or the reason.
  void end(const std::string& label, Status status, const std::string& detail);
  /// Prints a remark on a line of its own.
  void note(const std::string& text);

  /// Estimated time left, such as `3 min 20 s`: mean time of finished trials times trials left; "" before the first.
  [[nodiscard]] std::string remaining() const;

 private:
  void line(const std::string& text);
  void clear();

  std::size_t total_;
  std::size_t done_ = 0;
  std::FILE* stream_;
  bool terminal_ = false;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace warpbench::harness
