#include "harness/machine/nvml.hpp"

#include <dlfcn.h>

namespace warpbench::harness {
namespace {

// Declared here as in nvml.h, so that the header is not needed to build. This ABI is stable.
using NvmlDevice = void*;
constexpr int kSuccess = 0;
constexpr unsigned kClockSm = 1;
constexpr unsigned kClockMemory = 2;
constexpr unsigned kTemperatureGpu = 0;
constexpr std::uint64_t kHardwareSlowdown = 0x8;
constexpr std::uint64_t kSoftwareThermal = 0x20;
constexpr std::uint64_t kHardwareThermal = 0x40;
constexpr std::uint64_t kHardwarePowerBrake = 0x80;

}  // namespace

bool GpuReading::throttled() const {
  return (throttle_reasons & (kHardwareSlowdown | kSoftwareThermal | kHardwareThermal | kHardwarePowerBrake)) != 0;
}

struct Nvml::Library {
  void* handle = nullptr;
  bool initialized = false;
  NvmlDevice device = nullptr;
  int (*shutdown)() = nullptr;
  int (*clock)(NvmlDevice, unsigned, unsigned*) = nullptr;
  int (*power)(NvmlDevice, unsigned*) = nullptr;
  int (*temperature)(NvmlDevice, unsigned, unsigned*) = nullptr;
  int (*reasons)(NvmlDevice, unsigned long long*) = nullptr;

  Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    // A failed shutdown does not affect the results already taken.
    if (initialized && shutdown != nullptr && shutdown() != kSuccess) initialized = false;
    if (handle != nullptr && ::dlclose(handle) != 0) handle = nullptr;
  }

  template <typename Function>
  bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(handle, name));
    return function != nullptr;
  }
};

Nvml::Nvml(const std::string& pci_bus) {
  auto library = std::make_unique<Library>();
  library->handle = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library->handle == nullptr) return;
  int (*initialize)() = nullptr;
  int (*by_bus)(const char*, NvmlDevice*) = nullptr;
  const bool complete = library->find(initialize, "nvmlInit_v2") && library->find(library->shutdown, "nvmlShutdown") &&
                        library->find(by_bus, "nvmlDeviceGetHandleByPciBusId_v2") &&
                        library->find(library->clock, "nvmlDeviceGetClockInfo") &&
                        library->find(library->power, "nvmlDeviceGetPowerUsage") &&
                        library->find(library->temperature, "nvmlDeviceGetTemperature") &&
                        library->find(library->reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  if (!complete || initialize() != kSuccess) return;
  library->initialized = true;
  if (by_bus(pci_bus.c_str(), &library->device) != kSuccess) return;
  library_ = std::move(library);
}

Nvml::~Nvml() = default;

bool Nvml::available() const {
  return library_ != nullptr;
}

std::optional<GpuReading> Nvml::read() const {
  if (!library_) return std::nullopt;
  unsigned sm = 0;
  unsigned memory = 0;
  unsigned milliwatts = 0;
  unsigned celsius = 0;
  unsigned long long reasons = 0;
  const bool all = library_->clock(library_->device, kClockSm, &sm) == kSuccess &&
                   library_->clock(library_->device, kClockMemory, &memory) == kSuccess &&
                   library_->power(library_->device, &milliwatts) == kSuccess &&
                   library_->temperature(library_->device, kTemperatureGpu, &celsius) == kSuccess &&
                   library_->reasons(library_->device, &reasons) == kSuccess;
  if (!all) return std::nullopt;
  return GpuReading{static_cast<double>(sm), static_cast<double>(memory), static_cast<double>(milliwatts) / 1000.0,
                    static_cast<double>(celsius), reasons};
}

}  // namespace warpbench::harness
