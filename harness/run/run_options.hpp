// RunOptions: what a run is asked to do, apart from its plan.
#pragma once

#include <filesystem>
#include <set>

#include "harness/record/status.hpp"

namespace warpbench::harness {

struct RunOptions {
  std::filesystem::path out;    ///< the run directory; resumed where it holds results of the same plan
  std::filesystem::path data;   ///< where dataset files are looked up
  std::filesystem::path cache;  ///< memory-mapped datasets and references
  std::set<Status> retry;       ///< earlier results with these statuses run again
  bool measure_ceilings = true;
  int threads = 0;            ///< for loading and references; 0 = all
  std::filesystem::path ncu;  ///< for trials with protocol.profile; "" = they are not profiled
};

}  // namespace warpbench::harness
