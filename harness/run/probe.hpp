// Probe: finds out, in a child process, the GPUs and the machine's ceilings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/machine/ceilings.hpp"
#include "harness/machine/environment.hpp"

namespace warpbench::harness {

struct ProbeResult {
  std::vector<GpuFacts> gpus;
  Ceilings ceilings;
  std::vector<std::string> notes;  ///< what could not be measured, and why
  bool interrupted = false;        ///< by the user, before all was found
};

/// Runs the probe in a child process, so that the parent stays free of threads and GPU contexts. Failures become notes.
ProbeResult probe(bool measure_ceilings);

/// A probe that runs when its result is first asked for. The experiments of one command share a result without notes:
/// ceilings take seconds.
class SharedProbe {
 public:
  explicit SharedProbe(bool measure_ceilings) : measure_ceilings_(measure_ceilings) {}
  const ProbeResult& result();

 private:
  bool measure_ceilings_;
  std::optional<ProbeResult> result_;
};

/// Calls device_facts() in a child process. Empty if the child fails, and on simt.
std::vector<GpuFacts> query_gpus();

/// The name of this machine. The first call starts a child process that looks for GPUs.
std::string machine_name();

}  // namespace warpbench::harness
