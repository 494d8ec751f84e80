// Progress: on a terminal one line that is rewritten, and a line for each trial that is not ok; in a log file or a pipe
// a line for each trial. It counts the trials of all experiments of a command.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "harness/plan/trial_labels.hpp"
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
  /// Announces the trial that runs now, and what it does; shown on a terminal only.
  void begin(const TrialLabel& trial, const std::string& state = "");
  /// Announces other work.
  void begin(const std::string& work);
  /// Reports that a trial ended. `detail` is the median time or the reason.
  void end(const TrialLabel& trial, Status status, const std::string& detail);
  /// Prints a remark on a line of its own.
  void note(const std::string& text);
  /// Takes the rewritten line off the terminal: to be called before anything else prints there.
  void clear();

  /// Estimated time left, such as `3 min 20 s`: mean time of the trials that ran times trials left; "" before the
  /// first.
  [[nodiscard]] std::string remaining() const;

 private:
  [[nodiscard]] double elapsed_seconds() const;
  [[nodiscard]] std::vector<std::string> times() const;
  void show(const std::string& text);
  void line(const std::string& text);

  std::size_t total_;
  std::size_t skipped_ = 0;
  std::size_t ran_ = 0;
  std::FILE* stream_;
  bool terminal_ = false;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace warpbench::harness
