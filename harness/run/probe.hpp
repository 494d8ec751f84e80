// Probe: asks what only a child process may ask: the GPUs, and the machine's ceilings.
#pragma once

#include <string>
#include <vector>

#include "harness/machine/ceilings.hpp"
#include "harness/machine/environment.hpp"

namespace warpbench::harness {

struct ProbeResult {
  std::vector<GpuFacts> gpus;
  Ceilings ceilings;
  std::vector<std::string> notes;  ///< what could not be found out, and why
};

/// Never throws for what the child could not do; the parent stays free of threads and GPU contexts.
ProbeResult probe(bool measure_ceilings);

/// device_facts() asked of a child process; empty where the child fails. On simt there are none.
std::vector<GpuFacts> query_gpus();

/// The name of this machine. Starts a child process at the first call, to ask for the GPUs.
std::string machine_name();

}  // namespace warpbench::harness
