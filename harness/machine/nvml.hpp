// Nvml: watches a GPU's clocks, power, temperature and throttling through libnvidia-ml.so.1, which is loaded at run
// time. Without it every query returns nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace warpbench::harness {

struct GpuReading {
  double sm_clock_mhz = 0.0;
  double memory_clock_mhz = 0.0;
  double power_w = 0.0;
  double temperature_c = 0.0;
  std::uint64_t throttle_reasons = 0;  ///< NVML's clocks throttle reasons, bit by bit

  /// True if heat or the hardware's power brake slows the GPU, so that a sample taken now would be too slow. The
  /// software power cap alone does not count, since it is the steady state of a card under full load.
  [[nodiscard]] bool throttled() const;
};

class Nvml {
 public:
  /// Watches the GPU on `pci_bus` ("0000:1b:00.0"). Never throws: without NVML it is simply not available().
  explicit Nvml(const std::string& pci_bus);
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  [[nodiscard]] bool available() const;
  [[nodiscard]] std::optional<GpuReading> read() const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace warpbench::harness
