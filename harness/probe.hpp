// Probe: asks what only a child process may ask: the GPUs, and the machine's ceilings.
#pragma once

#include <string>
#include <vector>

#include "harness/ceilings.hpp"
#include "harness/environment.hpp"

namespace warpbench::harness {

struct ProbeResult {
  std::vector<GpuFacts> gpus;
  Ceilings ceilings;
  std::vector<std::string> notes;  ///< what could not be found out, and why
};

/// Never throws for what the child could not do; the parent stays free of threads and GPU contexts.
ProbeResult probe(bool measure_ceilings);

}  // namespace warpbench::harness
