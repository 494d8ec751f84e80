// Protocol: how trials are measured.
#pragma once

#include <cstdint>

namespace warpbench::harness {

/// How trials are measured: `protocol:` in a spec.
struct Protocol {
  std::int64_t warmup = 1;               ///< untimed solves before the first sample
  std::int64_t repetitions = 10;         ///< samples at most
  std::int64_t minimum_repetitions = 3;  ///< samples before the stopping rule may end the trial
  double target_half_width = 0.02;       ///< of the median's 95 % interval, relative: reached → stop
  double timeout_seconds = 300.0;        ///< for a trial, preparation not counted
  double prepare_timeout_seconds = 3600.0;
  bool include_transfers = false;  ///< time covers upload + solve + download, or solve alone
  bool flush_l2 = false;
  bool pin_threads = false;
  bool profile = false;            ///< after a GPU solver's trial, its hardware counters are read with ncu
  double host_memory_bytes = 0;    ///< limit of the child process; 0 = none
  double device_memory_bytes = 0;  ///< limit of the device layer; 0 = none
};

}  // namespace warpbench::harness
