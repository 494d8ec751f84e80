// RunOptions: the options of a run, apart from its plan.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>

#include "datasets/source.hpp"
#include "harness/record/status.hpp"

namespace warpbench::harness {

struct RunOptions {
  std::filesystem::path out;    ///< run directory; resumed if it holds results of the same plan
  std::filesystem::path data;   ///< folder of dataset files
  std::filesystem::path cache;  ///< folder of memory-mapped datasets and references
  std::filesystem::path spare;  ///< where references lie that the cache does not take; set by run(), for its own time
  std::set<Status> retry;       ///< trials with these earlier statuses run again
  bool measure_ceilings = true;
  int calibrations = 0;                                  ///< further executions of each trial, for calibration.jsonl
  int threads = 0;                                       ///< for loading and references; 0 = all
  std::int64_t max_inflation = datasets::kMaxInflation;  ///< a compressed file may unpack to so many times its size
  double patience = 1;        ///< time limits of parts of an answer, such as query_timeout, times this
  std::filesystem::path ncu;  ///< profiler for trials whose protocol asks for counters; "" = no profiling
};

}  // namespace warpbench::harness
