// GPUs as the CUDA runtime describes them.
#include "device/device.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "device/backend/accounting.hpp"
#include "device/cuda/check.hpp"
#include "device/error.hpp"

namespace warpbench {
namespace {

using cuda::check;

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    std::array<char, 3> byte{};
    (void)std::snprintf(byte.data(), byte.size(), "%02x",
                        static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += byte.data();
  }
  return text;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string driver_text() {
  int driver = 0;
  int runtime = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  return "driver for CUDA " + version_text(driver) + ", runtime " + version_text(runtime);
}

DeviceProperties properties(int device) {
  cudaDeviceProp given{};
  check(cudaGetDeviceProperties(&given, device), "cudaGetDeviceProperties");
  DeviceProperties p;
  p.name = given.name;
  p.backend = "cuda";
  p.index = device;
  p.multiprocessors = given.multiProcessorCount;
  p.shared_bytes_per_block = static_cast<std::int64_t>(given.sharedMemPerBlockOptin);
  p.shared_bytes_per_multiprocessor = static_cast<std::int64_t>(given.sharedMemPerMultiprocessor);
  p.l2_bytes = given.l2CacheSize;
  p.memory_bytes = static_cast<std::int64_t>(given.totalGlobalMem);
  p.warp_size = given.warpSize;
  p.max_threads_per_block = given.maxThreadsPerBlock;
  p.max_threads_per_multiprocessor = given.maxThreadsPerMultiProcessor;
  p.max_blocks_per_multiprocessor = given.maxBlocksPerMultiProcessor;
  p.registers_per_multiprocessor = given.regsPerMultiprocessor;
  p.compute_major = given.major;
  p.compute_minor = given.minor;
  p.clock_khz = attribute(cudaDevAttrClockRate, device);
  p.memory_clock_khz = attribute(cudaDevAttrMemoryClockRate, device);
  p.memory_bus_bits = given.memoryBusWidth;
  p.copy_engines = given.asyncEngineCount;
  p.uuid = uuid_text(given.uuid);
  std::array<char, 32> bus{};
  check(cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), device), "cudaDeviceGetPCIBusId");
  p.pci_bus = bus.data();
  p.driver = driver_text();
  return p;
}

}  // namespace

namespace accounting {
std::optional<std::int64_t> default_memory_limit() noexcept {
  return std::nullopt;
}
}  // namespace accounting

std::string_view backend_name() noexcept {
  return "cuda";
}

std::vector<DeviceProperties> devices() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result == cudaErrorNoDevice || result == cudaErrorInsufficientDriver) {
    (void)cudaGetLastError();
    return {};
  }
  check(result, "cudaGetDeviceCount");
  std::vector<DeviceProperties> all;
  for (int i = 0; i < count; ++i) all.push_back(properties(i));
  return all;
}

DeviceProperties current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return properties(device);
}

int current_device_index() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

void set_device(int index) {
  check(cudaSetDevice(index), "cudaSetDevice");
}

std::int64_t free_memory() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
  // Memory that the pool holds unused is free as well.
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, device), "cudaDeviceGetDefaultMemPool");
  std::uint64_t reserved = 0;
  std::uint64_t used = 0;
  check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved), "cudaMemPoolGetAttribute");
  check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), "cudaMemPoolGetAttribute");
  const auto available = static_cast<std::int64_t>(free_bytes + (reserved - used));
  const std::optional<std::int64_t> limit = memory_limit();
  if (!limit) return available;
  return std::clamp<std::int64_t>(*limit - memory_in_use(), 0, available);
}

}  // namespace warpbench
