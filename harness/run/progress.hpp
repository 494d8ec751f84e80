// Progress: on a terminal one line that is rewritten, and a line for each trial that is not ok; in a log file or a pipe
// a line for each trial. It counts the trials of all experiments of a command.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

#include "harness/record/status.hpp"

namespace warpbench::harness {

class Progress {
 public:
  /// `total` trials are planned. `stream` is stderr in the program; nullptr prints nothing.
  Progress(std::size_t total, std::FILE* stream);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Further trials are planned.
  void add(std::size_t trials) { total_ += trials; }
  /// Trials that need not run: they are done, and say nothing about the time of the others.
  void skip(std::size_t trials) { skipped_ += trials; }
  /// Announces the trial that runs now; shown on a terminal only.
  void begin(const std::string& label);
  /// Reports that a trial ended. `detail` is the median time or the reason.
  void end(const std::string& label, Status status, const std::string& detail);
  /// Prints a remark on a line of its own.
  void note(const std::string& text);

  /// Estimated time left, such as `3 min 20 s`: mean time of the trials that ran times trials left; "" before the
  /// first.
  [[nodiscard]] std::string remaining() const;

 private:
  [[nodiscard]] double elapsed_seconds() const;
  void show(const std::string& text);
  void line(const std::string& text);
  void clear();

  std::size_t total_;
  std::size_t skipped_ = 0;
  std::size_t ran_ = 0;
  std::FILE* stream_;
  bool terminal_ = false;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The line of a terminal of `columns`: `left` is cut where it would leave no room for `right`. Cuts no UTF-8 sequence.
[[nodiscard]] std::string fitted(const std::string& left, const std::string& right, std::size_t columns);

}  // namespace warpbench::harness
