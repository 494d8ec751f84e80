// Ceilings: the highest rates this machine reaches, measured once per run, so that a result can be given as a share of
// them. On simt device ceilings would mean nothing and are not measured.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace warpbench::harness {

struct Ceiling {
  double value = 0.0;  ///< the best sample
  std::string unit;    ///< bytes/s, operations/s, s
  std::vector<double> samples;
};

/// By name: host_copy, host_gather; device_copy, device_gather, device_gather_l2, device_gather_shared,
/// device_atomics_spread, device_atomics_same, launch_latency, link_upload, link_download.
using Ceilings = std::map<std::string, Ceiling>;

/// Copy bandwidth (bytes read plus written) and random 32-bit gathers, with all threads. About 2 s on two cores.
Ceilings measure_host_ceilings();

/// Touches the GPU: in a child process only. Empty on simt and without a device. Throws DeviceError.
Ceilings measure_device_ceilings();

}  // namespace warpbench::harness
